"""The code that binds a first second factor to a person.

Whoever approves an appointment, or the removal of a lost second factor, is shown a code once, to hand over in person.
Without it the member sets up no second factor: the password alone, which whoever asked may have chosen, is not enough.
"""

from __future__ import annotations

from datetime import timedelta

from django.utils.crypto import constant_time_compare, get_random_string, salted_hmac

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.words import say
from tables.models import HandedCode, Player

from . import sessions

LETTERS = "ACDEFGHJKMNPQRTUVWXY3479"
"""None that can be taken for another."""

LENGTH = 8

LIVES = timedelta(days=7)
"""A code that nobody has used for so long is no good any more."""

MOST_REFUSED = 5
"""Wrong codes, after which the right one is no good either."""


def issue(by: Player, player_id: int, *, clock: Clock = DATABASE_CLOCK) -> str:
    """A new code for this member, in place of an earlier one: to be shown to `by` once, and stored nowhere in clear.

    Empty if the member has a second factor already: then another role changes nothing about it.
    """
    player = Player.objects.get(pk=player_id)
    if sessions.has_second_factor(player):
        return ""
    code = get_random_string(LENGTH, LETTERS)
    HandedCode.objects.update_or_create(
        player=player,
        defaults={"digest": _digest(player, code), "handed_by": by, "handed_at": clock.now(), "refused": 0},
    )
    return f"{code[:4]}-{code[4:]}"


def is_due(player: Player) -> bool:
    """Whether this member sets up a second factor only with the code that they were handed."""
    return HandedCode.objects.filter(player=player).exists()


def check(player: Player, code: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Raise Refused unless this is the code that the member was handed. Wrong ones count."""
    typed = "".join(letter for letter in code.upper() if letter.isalnum())
    with unit_of_work():
        handed = HandedCode.objects.select_for_update().filter(player=player).first()
        if handed is None:
            return
        good = handed.refused < MOST_REFUSED and clock.now() - handed.handed_at < LIVES
        if good and constant_time_compare(handed.digest, _digest(player, typed)):
            return
        if good:
            handed.refused += 1
            handed.save(update_fields=["refused"])
    if good and handed.refused < MOST_REFUSED:
        raise Refused("", say("This is not the code that you were handed."))
    raise Refused("", say("The code that you were handed is no longer good. Ask a shift manager for another."))


def forget(player: Player) -> bool:
    """The member needs no code any more; whether they needed one."""
    deleted, _ = HandedCode.objects.filter(player=player).delete()
    return bool(deleted)


def _digest(player: Player, code: str) -> str:
    return salted_hmac("tables.handover", f"{player.pk}:{code}", algorithm="sha256").hexdigest()
