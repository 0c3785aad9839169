"""Transfers that put a mistake right: one member of the staff asks with a reason, another approves."""

from __future__ import annotations

from tables.base import announce
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.words import Amount, say
from tables.models import Adjustment, Event, Played, Player
from tables.queries.discretion import shown_balances
from tables.services.journal import events
from tables.services.money import wallet
from tables.services.money.wallet import Posting, Reason
from tables.services.players import people

from . import reviews, second_person
from .locked_table import MOST

State = Adjustment.State


def ask(
    by: Player,
    player: int,
    cents: int,
    why: str,
    *,
    log: int | None = None,
    review: int | None = None,
    clock: Clock = DATABASE_CLOCK,
) -> Adjustment:
    """Ask for an adjustment of so many cents to a player (from them if negative), for a round of theirs or for none.

    It settles the `review` of that round that the player has asked for, if one is named. Raises Refused.
    """
    demand(by, Right.ASK_ADJUSTMENT)
    if cents == 0:
        raise Refused("", say("An adjustment moves something."))
    if abs(cents) > MOST:
        raise Refused("", say("No adjustment is more than %(most)s.", most=Amount(MOST)))
    events.check_reason(why)
    with unit_of_work():
        about = people.known(player)
        if log is not None and not Played.objects.filter(log_id=log, player=about).exists():
            raise Refused("", say("The player had no stake in this round, or it is not over."))
        _check_balance(about, cents)
        if Adjustment.objects.filter(player=about, log_id=log, cents=cents, state=State.REQUESTED).exists():
            raise Refused("", say("The same waits for a second person already."))
        asked = Adjustment.objects.create(
            player=about, log_id=log, cents=cents, why=why, requested_by=by, requested_at=clock.now()
        )
        if review is not None:
            reviews.propose(by, review, asked, clock=clock)
        after = {"adjustment": asked.pk, "cents": cents, **({} if review is None else {"review": review})}
        events.record(
            Event.Kind.ADJUSTMENT_ASKED, by=by.pk, player=about.pk, log=log, why=why, after=after, clock=clock
        )
        return asked


def _check_balance(player: Player, cents: int) -> None:
    """Raise Refused if more is to be taken from a player than staff see that they have: a raise that only its bettor
    knows of changes neither the answer nor its words."""
    shown = shown_balances([player.pk]).get(player.pk, 0)
    if -cents > shown:
        raise Refused("credits", say("%(name)s has %(balance)s.", name=str(player), balance=Amount(shown)))


def approve(by: Player, adjustment: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Approve what somebody else asked for: the credits move now. Raises Refused."""
    demand(by, Right.APPROVE_ADJUSTMENT)
    with unit_of_work():
        asked = _still_asked(adjustment)
        second_person.check(asked.requested_by, by, clock.now(), say("A second person must approve it."))
        house, player = wallet.house_of(asked.player.realm), wallet.player(asked.player_id)
        accounts = wallet.lock([house, player])
        if -asked.cents > accounts.balances[player]:
            raise Refused("credits", say("The player has not enough for this now."))
        reviews.settle(by, asked, clock=clock)
        _decide(asked, by, State.APPROVED, clock)
        debit, credit = (house, player) if asked.cents > 0 else (player, house)
        posting = Posting(f"adjustment:{asked.pk}", debit, credit, abs(asked.cents), Reason.ADJUSTMENT, by.key)
        wallet.post(accounts, [posting], at=clock.now())
        announce.players_changed([asked.player_id])


def refuse(by: Player, adjustment: int, why: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Refuse it, or take back what one has asked for oneself. Raises Refused."""
    events.check_reason(why)
    with unit_of_work():
        asked = _still_asked(adjustment)
        demand(by, Right.ASK_ADJUSTMENT if asked.requested_by_id == by.pk else Right.APPROVE_ADJUSTMENT)
        _decide(asked, by, State.REFUSED, clock, why)


def _still_asked(adjustment: int) -> Adjustment:
    asked = Adjustment.objects.select_for_update(of=("self",)).get(pk=adjustment)
    if asked.state != State.REQUESTED:
        raise Refused("", say("It has been decided already."))
    return asked


def _decide(asked: Adjustment, by: Player, state: str, clock: Clock, why: str = "") -> None:
    asked.state, asked.decided_by, asked.decided_at = state, by, clock.now()
    asked.save(update_fields=["state", "decided_by", "decided_at"])
    after = {"adjustment": asked.pk, "cents": asked.cents, "state": str(state)}
    events.record(
        Event.Kind.ADJUSTMENT_DECIDED,
        by=by.pk,
        player=asked.player_id,
        log=asked.log_id,
        why=why,
        after=after,
        clock=clock,
    )
