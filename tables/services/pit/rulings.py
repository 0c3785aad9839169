"""The pit's rulings on irregularities: what the game's article orders is shown beforehand, and done once.

What happened and what follows stands in each game's list (`Game.irregularities`). A ruling is kept with its reason; its
deed, if it has one, is a line of the round's log, and a card that lies face up is marked so as it is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tables.base import announce, sql
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand
from tables.base.transactions import unit_of_work
from tables.games.contract.actions import Action, DrawCard, Step, Void
from tables.games.contract.errors import Refused
from tables.games.contract.game import Game
from tables.games.contract.irregularity import Irregularity
from tables.games.contract.round import Round, Stake
from tables.games.shared.options import options_json
from tables.games.values.words import Words, say
from tables.models import Event, LoggedAction, Player, RoundLog, Ruling, Table
from tables.queries.folds import game_of, round_of
from tables.queries.table import names_of
from tables.services.journal import events
from tables.services.rounds.round_session import locked_round

from . import holding
from .options import options_with
from .second_person import SecondPersonNeeded

LONGEST = 500
"""Characters of a reason."""


@dataclass(frozen=True, slots=True)
class Lot:
    """What becomes of one stake, in cents: `returned` to its bettor, `taken_back` from them (a prize that was paid
    already), `carried` to the next round, or what `stands` in this one."""

    bet: str
    spot: str
    name: str
    title: Words
    stake: int
    returned: int
    taken_back: int
    carried: int
    stands: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What would happen: nothing is done yet. `voids` if the round ends as void; `secret` if stakes that only their
    bettors know of now are left out."""

    irregularity: Irregularity
    box: int | None
    orders: Words
    voids: bool
    lots: tuple[Lot, ...]
    secret: bool


@dataclass(frozen=True, slots=True)
class RulingInWords:
    """A ruling of this round, in words."""

    ruling: Ruling
    happened: Words
    orders: Words
    article: str


def open_to(log: RoundLog) -> list[tuple[Irregularity, bool]]:
    """The list of the game of this round, and for each whether it can be ruled now."""
    round_ = round_of(log)
    return [
        (what, not round_.over and what.applies(round_) and (what.next_card is None or _awaited(log) is None))
        for what in game_of(log).irregularities
    ]


def preview(log: RoundLog, irregularity: str, box: int | None = None) -> Preview:
    """What ruling this would do to the round and to each stake. Raises Refused if it cannot be ruled now."""
    game, before = game_of(log), round_of(log)
    what, box = _checked(game, log, before, irregularity, box)
    after = before
    for action in _carried_out(what, before, box):
        after = after.apply(action)
    secret = what.secret(before)
    return Preview(
        what, box, what.ordered(before), after.is_void, tuple(_lots(game, before, after, secret)), bool(secret)
    )


def rule(
    by: Player,
    log_id: int,
    irregularity: str,
    *,
    why: str,
    ref: str,
    box: int | None = None,
    approved_by: Player | None = None,
    clock: Clock = DATABASE_CLOCK,
) -> Ruling:
    """Rule that this has happened in a running round, and do what the article orders. Raises Refused, and
    SecondPersonNeeded if it voids a round in which somebody has a stake.

    The same `ref` a second time does nothing more. Raises RoundLog.DoesNotExist for an unknown round.
    """
    demand(by, Right.RULE)
    why = why.strip()
    if not why:
        raise Refused("", say("A ruling needs its reason."))
    if len(why) > LONGEST:
        raise Refused("", say("The reason has at most %(number)s characters.", number=LONGEST))
    with unit_of_work():
        table_id = RoundLog.objects.values_list("table_id", flat=True).get(pk=log_id)
        table = Table.objects.select_for_update().get(pk=table_id)
        known = Ruling.objects.filter(log_id=log_id, values__ref=ref).first()
        if known is not None:
            return known
        with locked_round(log_id, clock=clock) as session:
            game, before = game_of(session.log), session.round
            frozen = session.log.frozen_at is not None
            what, box = _checked(game, session.log, before, irregularity, box)
            for action in _carried_out(what, before, box):
                session.act(action)
            after, line = session.round, session.version
            if after.is_void and before.stakes() and approved_by is None:
                raise SecondPersonNeeded
            ruling = Ruling.objects.create(
                log_id=log_id,
                irregularity=what.name,
                values={"line": line, "ref": ref, **({} if box is None else {"box": box})},
                why=why,
                by=by,
                at=session.now,
            )
            if frozen and not after.over:
                session.release()
        if what.shoe:
            table.fresh_shoe_due, table.fresh_shoe_by = True, what.article
        if what.options:
            table.options = options_json(options_with(table, what.options))
        table.version += 1
        table.save(update_fields=["fresh_shoe_due", "fresh_shoe_by", "options", "version"])
        announce.table_changed(table.pk, version=table.version)
        events.record(
            Event.Kind.RULED,
            by=by.pk,
            table=table.pk,
            log=log_id,
            why=why,
            before={"phase": str(before.phase)},
            after=_written(game, what, box, before, after),
            clock=clock,
        )
        if frozen:
            holding.ended(approved_by or by, session, clock)
        return ruling


def in_words(log: RoundLog) -> list[RulingInWords]:
    """The rulings of a round, oldest first."""
    game, round_ = game_of(log), round_of(log)
    found = []
    for ruling in Ruling.objects.filter(log=log).select_related("by").order_by("id"):
        if (what := game.irregularity(ruling.irregularity)) is not None:
            words = what.happened(ruling.values.get("box"))
            found.append(RulingInWords(ruling, words, what.ordered(round_), what.article))
    return found


def lies_face_up(log: RoundLog, round_: Round) -> bool:
    """Whether the pit has ruled that the next card of this round lies face up."""
    game = game_of(log)
    if not any(what.next_card is not None and what.next_card(round_) for what in game.irregularities):
        return False
    awaited = _awaited(log)
    return awaited is not None and awaited.next_card is not None and awaited.next_card(round_)


def _awaited(log: RoundLog) -> Irregularity | None:
    """The irregularity of a card that was ruled to lie face up and has not come out yet."""
    if not sql.found("SELECT 1 FROM tables_ruling WHERE log_id = %s", [log.pk]):
        return None  # of nearly every card this is all that is asked
    game = game_of(log)
    names = [what.name for what in game.irregularities if what.next_card is not None]
    ruled = Ruling.objects.filter(log_id=log.pk, irregularity__in=names).order_by("-id").first() if names else None
    if ruled is None:
        return None
    since = LoggedAction.objects.filter(log_id=log.pk, seq__gt=ruled.values["line"])
    if since.filter(action__do=DrawCard.do, action__exposed=True).exists():
        return None
    return game.irregularity(ruled.irregularity)


def _checked(game: Game, log: RoundLog, round_: Round, name: str, box: int | None) -> tuple[Irregularity, int | None]:
    """The irregularity of that name and the box that it concerns, if it can be ruled now. Raises Refused."""
    what = game.irregularity(name)
    if what is None:
        raise Refused("", say("This game knows no such irregularity."))
    if round_.over:
        raise Refused("", say("This round is over: what was paid wrongly is put right by an adjustment."))
    if not what.applies(round_):
        raise Refused(what.article, say("That cannot be ruled in this part of the round."))
    if what.boxes is None:
        box = None
    elif box not in what.boxes(round_):
        raise Refused(what.article, say("Say which box it is: one to which it can have happened."))
    if what.next_card is not None and _awaited(log) is not None:
        raise Refused(what.article, say("A card is ruled to come out face up already."))
    if what.next_card is None and what.deed(round_, box) is None:
        same = Ruling.objects.filter(log_id=log.pk, irregularity=name)
        if any(ruled.values.get("box") == box for ruled in same):
            raise Refused(what.article, say("This was ruled in this round already."))
    return what, box


def _carried_out(what: Irregularity, round_: Round, box: int | None) -> tuple[Action, ...]:
    """What carries the ruling out, if anything; and at once the void that the game itself orders next, if it does."""
    action = what.deed(round_, box)
    if action is None:
        return ()
    match round_.apply(action).next_house_step():
        case Step(Void() as void):
            return (action, void)
        case _:
            return (action,)


def _lots(game: Game, before: Round, after: Round, secret: frozenset[str]) -> Iterator[Lot]:
    paid = after.payouts()[len(before.payouts()) :]
    carried = {stake.bet: stake.amount for stake in after.carried()} if after.over else {}
    held = {} if after.over else after.in_escrow()
    stakes = before.stakes()
    names = names_of({stake.by for stake in stakes})
    for stake in stakes:
        mine = [payout for payout in paid if payout.bet == stake.bet and payout.spot not in secret]
        yield Lot(
            bet=stake.bet,
            spot=stake.spot,
            name=names.get(stake.by, stake.by),
            title=game.called(stake.spot, stake.box),
            stake=stake.amount,
            returned=sum(max(payout.returned, 0) for payout in mine),
            taken_back=sum(max(-payout.returned, 0) for payout in mine),
            carried=carried.get(stake.bet, 0),
            stands=0 if after.over else _stands(stake, held, after, bool(secret)),
        )


def _stands(stake: Stake, held: Mapping[str, int], after: Round, hidden: bool) -> int:
    """What plays on of a stake. What has gone to the jackpot, now or in an earlier round, plays though it lies there;
    what was decided already does not."""
    if stake.bet in held:
        return stake.amount if hidden else held[stake.bet]
    went = stake.carried or any(payout.bet == stake.bet and payout.pooled > 0 for payout in after.payouts())
    return stake.amount if went else 0


def _written(game: Game, what: Irregularity, box: int | None, before: Round, after: Round) -> dict[str, object]:
    """The ruling and its money, as the event keeps them: bet -> cents."""
    lots = list(_lots(game, before, after, frozenset()))
    said: dict[str, object] = {"irregularity": what.name, "phase": str(after.phase), "void": after.is_void}
    if box is not None:
        said["box"] = box
    if what.shoe:
        said["fresh shoe"] = True
    if what.options:
        said["options"] = dict(what.options)
    for key in ("returned", "taken_back", "carried"):
        if sums := {lot.bet: getattr(lot, key) for lot in lots if getattr(lot, key)}:
            said[key] = sums
    return said
