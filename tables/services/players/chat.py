"""What people say to each other at a table: a line said, somebody muted, a line shown to the pit."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, Q

from tables.base import announce
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.refs import own_ref, used_for_another
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.words import Words, say
from tables.models import Alert, ChatLine, LoggedAction, Mute, Player, Realm, Report, RoundLog, Seat, Table
from tables.models.bettors import player_named
from tables.queries.chat import LINES_SHOWN
from tables.queries.folds import round_of
from tables.services.journal import alerts

from . import restrictions

LONGEST_LINE = 200
"""Characters of a line, once it is cleaned."""

LINES_AT_ONCE, AT_ONCE = 5, timedelta(seconds=10)
"""So many lines a player may say in so much time."""

SAME_LINES, SAME_WITHIN = 2, timedelta(minutes=10)
"""How often a player may repeat the same text, and after how long the count begins again."""

KEPT_FOR = timedelta(days=1)
"""Lines that are not shown any more are kept so long, for whoever looks into a report."""

MOST_MUTED = 200
"""So many a player may mute."""

REPORTS_AT_ONCE, REPORTED_WITHIN = 20, timedelta(hours=1)
"""So many lines a player may report in so much time."""


def offered_in(session: Mapping[str, object]) -> bool:
    """Whether there is a chat in this login: the one place that says so, for page and socket. A kiosk has none."""
    return not session.get("kiosk")


# ── A line ──────────────────────────────────────────────────────────────────────────────────────────────────

_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that look like nothing."""

_JOINERS = frozenset("\u200c\u200d")
"""What joins the parts of an emoji, and letters in some scripts; harmless between two visible characters."""

_MOST_MARKS = 3
"""More marks on one letter make a tower that covers the lines above."""


def cleaned(text: str, most: int = LONGEST_LINE) -> str:
    """The text as it is said: composed (NFC), nothing in it that is not seen, each gap one space; at most so many
    characters. Raises Refused."""
    shown: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind[0] == "Z" or char in "\t\n\v\f\r\x85" or char in _BLANK:
            shown.append(" ")
        elif char in _JOINERS:
            if shown and shown[-1] not in (" ", *_JOINERS):
                shown.append(char)
        elif kind[0] == "M" and (not shown or shown[-1] == " " or marks > _MOST_MARKS):
            pass  # a mark on nothing, or one more than any language has
        elif kind not in ("Cc", "Cf", "Cs", "Co") and not _is_nothing(char):
            shown.append(char)
    line = unicodedata.normalize("NFC", " ".join("".join(shown).split()))
    if not line:
        raise Refused("", say("There is nothing to read in it."))
    if len(line) > most:
        raise Refused("", say("A message has at most %(most)s characters.", most=most))
    return line


def _is_nothing(char: str) -> bool:
    """One of the code points that are no characters and never will be."""
    return ord(char) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(char) <= 0xFDEF


def speak(player: int, table_id: int, ref: str, text: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Say a line at a table, once. Raises Refused, also while the regulation forbids talk.

    The round is locked meanwhile: where the line says that it was said, the round was as it says.
    """
    text = cleaned(text)
    with unit_of_work():
        table = Table.objects.select_for_update(of=("self",)).get(pk=table_id)
        log = None
        if table.round_id is not None:
            log = RoundLog.objects.select_for_update(of=("self",)).get(pk=table.round_id)
        speaker = Player.objects.select_for_update(no_key=True).get(pk=player)  # what they say is counted under it
        now = clock.now()
        if (before := ChatLine.objects.filter(player=speaker, ref=ref).first()) is not None:
            if (before.table_id, before.text) != (table_id, text):
                raise used_for_another(own_ref(speaker.key, ref))
            return
        if log is not None and (why := round_of(log).silence) is not None:
            raise Refused(why.article, why.words)
        if table.realm != Realm.FLOOR:
            raise Refused("", say("Nobody talks at the tables of our kiosks."))
        if (silenced := restrictions.silenced(player, now)) is not None:
            raise silenced
        _not_from_a_silent_table(speaker, table_id)
        _not_too_much(speaker, text, now)
        last = ChatLine.objects.filter(table=table).order_by("-number").values_list("number", flat=True).first()
        ChatLine.objects.create(
            table=table,
            number=(last or 0) + 1,
            player=speaker,
            name=str(speaker),
            text=text,
            at=now,
            log=log,
            version=log.version if log is not None else 0,
            ref=ref,
        )
        table.version += 1
        table.save(update_fields=["version"])
        announce.table_changed(table.pk, players=(), version=table.version)


def _not_from_a_silent_table(speaker: Player, table_id: int) -> None:
    """Raise Refused if another table is silent now where they sit or have a stake, be it from a seat that they have
    left: people here are third parties there."""
    seats = Seat.objects.filter(table=OuterRef("table"), player=speaker)
    deeds = LoggedAction.objects.filter(log=OuterRef("pk"), by=speaker.key)
    present = RoundLog.objects.filter(settled_at=None, table__round=F("pk")).exclude(table_id=table_id)
    concerned = present.annotate(sits=Exists(seats)).filter(Q(sits=True) | Exists(deeds))
    for log in concerned.select_related("table"):
        round_ = round_of(log)
        if (why := round_.silence) is None:
            continue
        told: dict[str, str | Words] = {"table": log.table.name, "why": why.words, "article": why.article}
        if log.sits:
            raise Refused("", say("You sit at %(table)s. %(why)s (article %(article)s there).", **told))
        if any(stake.by == speaker.key for stake in round_.stakes()):
            raise Refused("", say("You have a stake at %(table)s. %(why)s (article %(article)s there).", **told))


def _not_too_much(speaker: Player, text: str, now: datetime) -> None:
    """Raise Refused if they say too much at once or repeat themselves, at any table."""
    said = list(
        ChatLine.objects.filter(player=speaker, at__gt=now - SAME_WITHIN)
        .order_by("-at", "-pk")
        .values_list("at", "text")[:LINES_AT_ONCE]
    )
    if len(said) == LINES_AT_ONCE and said[-1][0] > now - AT_ONCE:
        raise Refused("", say("That was a lot at once. Wait a few seconds."))
    if [line.casefold() for _, line in said[:SAME_LINES]] == [text.casefold()] * SAME_LINES:
        raise Refused("", say("You have just said that, and more than once."))


def prune(table_id: int, *, clock: Clock = DATABASE_CLOCK) -> int:
    """Forget the lines of a table that are neither shown any more nor fresh; how many. To be called now and then."""
    with unit_of_work():
        lines = ChatLine.objects.filter(table_id=table_id)
        last = lines.order_by("-number").values_list("number", flat=True).first()
        if last is None:
            return 0
        gone, _ = lines.filter(number__lte=last - LINES_SHOWN, at__lte=clock.now() - KEPT_FOR).delete()
        return gone


# ── Mute and report ─────────────────────────────────────────────────────────────────────────────────────────


def mute(player: int, table_id: int, who: str, *, clock: Clock = DATABASE_CLOCK) -> str:
    """Hide from this player what `who` (a key), whom they have met at this table, says at every table. Returns the
    name. Raises Refused."""
    with unit_of_work():
        other = _met(player, table_id, who)
        if other.pk == player:
            raise Refused("", say("You cannot mute yourself."))
        Player.objects.select_for_update(no_key=True).get(pk=player)  # what they mute is counted under it
        others = Mute.objects.filter(player_id=player).exclude(muted=other)
        if others.count() >= MOST_MUTED:
            raise Refused("", say("You have muted %(most)s people, the most allowed.", most=MOST_MUTED))
        Mute.objects.get_or_create(player_id=player, muted=other, defaults={"at": clock.now()})
        announce.players_changed([player])
        return str(other)


def unmute(player: int, table_id: int, who: str) -> str:
    """Show again what `who`, whom they have muted or met at this table, says. Returns the name. Raises Refused."""
    with unit_of_work():
        other = _met(player, table_id, who)
        Mute.objects.filter(player_id=player, muted=other).delete()
        announce.players_changed([player])
        return str(other)


def _met(player: int, table_id: int, key: str) -> Player:
    """Who has this key: somebody who sits, plays or has spoken at this table, or whom this player has muted.

    Of all others it is not even said whether they exist: else anybody could read the names of everybody.
    """
    number = player_named(key)
    found = Player.objects.filter(pk=number).first() if number is not None else None
    if found is None or not (
        found.pk == player
        or Mute.objects.filter(player_id=player, muted=found).exists()
        or ChatLine.objects.filter(table_id=table_id, player=found).exists()
        or Seat.objects.filter(table_id=table_id, player=found).exists()
        or _plays_at(table_id, found)
    ):
        raise Refused("", say("There is nobody like that here."))
    return found


def _plays_at(table_id: int, player: Player) -> bool:
    table = Table.objects.select_related("round").get(pk=table_id)
    if table.round is None:
        return False
    round_ = round_of(table.round)
    return player.key in round_.seats or any(stake.by == player.key for stake in round_.stakes())


def report(player: int, table_id: int, line_id: int, reason: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Show a line of this table to the pit, once. Raises Refused."""
    with unit_of_work():
        line = ChatLine.objects.filter(pk=line_id, table_id=table_id).first()
        if line is None:
            raise Refused("", say("This message is gone."))
        if line.player_id == player:
            raise Refused("", say("This message is your own."))
        if reason not in Report.Reason.values:
            raise Refused("", say("There is no such reason."))
        Player.objects.select_for_update(no_key=True).get(pk=player)  # what they report is counted under it
        if Report.objects.filter(by_id=player, line=line.pk).exists():
            return
        now = clock.now()
        if Report.objects.filter(by_id=player, at__gt=now - REPORTED_WITHIN).count() >= REPORTS_AT_ONCE:
            raise Refused("", say("You have reported many messages. The pit reads them first."))
        Report.objects.create(
            by_id=player,
            line=line.pk,
            table_id=table_id,
            about_id=line.player_id,
            name=line.name,
            text=line.text,
            said_at=line.at,
            log_id=line.log_id,
            version=line.version,
            reason=reason,
            at=now,
        )
        about = {"who": line.name, "player": line.player_id, "text": line.text, "reason": reason}
        key = f"{Alert.Kind.REPORT}:{line.pk}"
        alerts.raise_alert(Alert.Kind.REPORT, key, at=now, table=table_id, log=line.log_id, about=about)
