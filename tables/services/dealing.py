"""What the house does when it is due: opens rounds, draws chance, closes betting, settles. Called by dealers only.

Every call names the epoch of the caller's lease and does one thing or nothing: whoever comes late, twice, or back
from the dead, changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.db.models import F

from tables import announce, queries
from tables.chance import ChanceSource, OpenedPack, Vault
from tables.clock import DATABASE_CLOCK, Clock
from tables.games import GAMES
from tables.games.cards import Card
from tables.games.codec import opening_json
from tables.games.options import options_json, read_options
from tables.games.protocol import (
    HOUSE,
    Chance,
    Cut,
    Draw,
    DrawCard,
    Due,
    Opening,
    Round,
    ShoeRules,
    Step,
    Tempo,
    Void,
    WhiteCard,
)  # fmt: skip
from tables.models import Lease, RoundLog, Seat, Shoe, Table
from tables.timetable import ROUNDS_WITHOUT_BET

from .bookkeeping import player_id
from .desk import Desk, round_desk
from .playing import record_cut
from .work import unit_of_work

IDLE_CHECK = timedelta(seconds=1)


class StaleLease(Exception):  # noqa: N818
    """This dealer no longer runs the table; whatever it wanted to do is another's."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A dealer's hand on a table: who he is, the epoch of his lease, and what he draws and opens shoes with."""

    owner: str
    epoch: int
    chance: ChanceSource
    vault: Vault


@dataclass(frozen=True, slots=True)
class Outcome:
    """What `advance` did: whether anything, and when to look again (None: when nudged)."""

    acted: bool
    look_at: datetime | None


# ── Leases ──────────────────────────────────────────────────────────────────────────────────────────────────


def take_lease(owner: str, ttl: timedelta, *, clock: Clock = DATABASE_CLOCK) -> tuple[int, int] | None:
    """Take one table that nobody runs: (table, epoch), or None. Another's lease is taken once it has expired."""
    with unit_of_work():
        now = clock.now()
        free = (
            Lease.objects.select_for_update(skip_locked=True)
            .filter(table__isnull=False)
            .exclude(expires_at__gt=now)
            .order_by("expires_at", "table_id")
            .first()
        )
        if free is None:
            return None
        free.owner, free.epoch, free.expires_at = owner, free.epoch + 1, now + ttl
        free.save(update_fields=["owner", "epoch", "expires_at"])
        return free.table_id, free.epoch


def renew_leases(owner: str, ttl: timedelta, *, clock: Clock = DATABASE_CLOCK) -> dict[int, int]:
    """Keep what is still ours: table -> epoch. A lease that has expired is lost, even if nobody took it yet."""
    with unit_of_work():
        now = clock.now()
        mine = Lease.objects.filter(owner=owner, expires_at__gt=now)
        mine.update(expires_at=now + ttl)
        return dict(Lease.objects.filter(owner=owner, expires_at__gt=now).values_list("table_id", "epoch"))


def release_leases(owner: str) -> None:
    """Give all tables back at once, at a clean end."""
    with unit_of_work():
        Lease.objects.filter(owner=owner).update(owner="", expires_at=None)


def _hold(table_id: int, hand: Hand, clock: Clock) -> datetime:
    """Lock the lease for this transaction, then read the time. Raises StaleLease if it is no longer this dealer's."""
    lease = Lease.objects.select_for_update().get(table_id=table_id)
    now = clock.now()
    if lease.owner != hand.owner or lease.epoch != hand.epoch or lease.expires_at is None or lease.expires_at <= now:
        raise StaleLease(f"table {table_id}: epoch {hand.epoch} of {hand.owner} is over")
    return now


# ── The one thing that is due ───────────────────────────────────────────────────────────────────────────────


def advance(table_id: int, hand: Hand, *, clock: Clock = DATABASE_CLOCK) -> Outcome:
    """Do the one thing that is due at this table, if anything is. Raises StaleLease."""
    with unit_of_work():
        now = _hold(table_id, hand, clock)
        table = Table.objects.select_for_update(of=("self",)).select_related("round", "shoe").get(pk=table_id)
        log = table.round
        attended = table.attended_until is not None and table.attended_until > now
        if log is None or log.settled_at is not None:
            if log is not None and log.due_at is not None and now < log.due_at:
                return Outcome(False, log.due_at)
            if not (table.open and attended):
                return Outcome(False, None)
            return Outcome(True, _open_round(table, hand, now))
        with round_desk(log.pk, clock=clock) as desk:
            return _go_on(desk, table, hand, attended)


def _go_on(desk: Desk, table: Table, hand: Hand, attended: bool) -> Outcome:
    round_, log = desk.round, desk.log
    if log.due_at is None:
        if not attended and not round_.held():
            return Outcome(False, None)
        desk.restart_clock()
        _count_change(table)
        return Outcome(True, log.due_at)
    if desk.now < log.due_at:
        return Outcome(False, log.due_at)
    due = round_.due()
    if due is None:
        if round_.tempo is Tempo.BETTING and not attended and not round_.held():
            desk.stop_clock()
            _count_change(table)
            return Outcome(True, None)
        due = round_.overdue()
    assert due is not None, f"round {log.pk} waits for nobody in {round_.phase}"
    _do(desk, due, hand)
    if desk.round.over:
        _close_round(desk, table)
    return Outcome(True, None if desk.log.due_at is None else desk.log.due_at)


def _count_change(table: Table) -> None:
    """What the table shows has changed, and no round's log says so."""
    table.version += 1
    table.save(update_fields=["version"])
    announce.table_changed(table.pk)


def _do(desk: Desk, due: Due, hand: Hand) -> None:
    match due:
        case Step(action):
            desk.act(action)
        case Draw(Chance.CUT):
            shoe = _shoe_of(desk)
            size = shoe.decks * 52
            position = 1 + hand.chance.below(size - 1)
            desk.act(Cut(HOUSE, position))
            record_cut(desk, position)
        case Draw(Chance.CARD):
            _draw_card(desk, hand)


def _draw_card(desk: Desk, hand: Hand) -> None:
    shoe = _shoe_of(desk)
    if shoe.white_at is not None and shoe.dealt == shoe.white_at and not shoe.white_shown:
        desk.act(WhiteCard())
        shoe.white_shown = True
        shoe.save(update_fields=["white_shown"])
        return
    desk.act(DrawCard(card=_card_at(shoe, hand.vault)))
    shoe.dealt += 1
    shoe.save(update_fields=["dealt"])


def _shoe_of(desk: Desk) -> Shoe:
    assert desk.log.shoe_id is not None, "this game has no shoe"
    return Shoe.objects.select_for_update().get(pk=desk.log.shoe_id)


_opened_packs: dict[str, OpenedPack] = {}


def _card_at(shoe: Shoe, vault: Vault) -> Card:
    """The next card of a sealed shoe. Only here, and only with the dealers' key."""
    pack = _opened_packs.get(shoe.commitment)
    if pack is None:
        pack = vault.open(shoe.sealed)
        assert pack.commitment == shoe.commitment, "the sealed shoe is not the one that was published"
        while len(_opened_packs) >= 256:
            _opened_packs.pop(next(iter(_opened_packs)))
        _opened_packs[shoe.commitment] = pack
    return pack.dealt_order(shoe.cut or 0)[shoe.dealt]


# ── Rounds begin and end ────────────────────────────────────────────────────────────────────────────────────


def _open_round(table: Table, hand: Hand, now: datetime) -> datetime | None:
    game = GAMES[table.game]
    options = read_options(game.options, table.options)
    rules = game.shoe(options)
    last = table.round
    before = queries.round_of(last) if last is not None else None
    fresh = rules is not None and _wants_fresh_shoe(table, rules, before)
    if fresh:
        assert rules is not None
        _shuffle(table, rules, hand, now)
    opening = Opening(
        seats=_seated(table),
        carried=before.carried() if before is not None else (),
        ceremony=fresh and rules is not None and not rules.every_round,
        first_round=fresh,
        last_round=before is not None and before.next_is_last and not fresh,
    )
    log = RoundLog(
        table=table,
        shoe=table.shoe,
        number=(last.number if last is not None else 0) + 1,
        game=game.slug,
        edition=options.edition,
        options=options_json(options),
        opening=opening_json(opening),
        phase="",
        started_at=now,
        wait_began_at=now,
    )
    desk = Desk.opened(log, game.opened(options, opening), table, now)
    table.round = desk.log
    table.fresh_shoe_due = False
    table.save(update_fields=["round", "shoe", "fresh_shoe_due"])
    announce.table_changed(table.pk)
    return log.due_at


def _wants_fresh_shoe(table: Table, rules: ShoeRules, before: Round | None) -> bool:
    return (
        table.shoe is None
        or rules.every_round
        or table.fresh_shoe_due
        or table.shoe.decks != rules.decks
        or table.shoe.retired_at is not None
        or (before is not None and before.ends_shoe)
    )


def _shuffle(table: Table, rules: ShoeRules, hand: Hand, now: datetime) -> None:
    """A fresh pack, shuffled, sealed and committed to; the one before is retired and opened for all to check."""
    number = 1
    if table.shoe is not None:
        retire(table.shoe, hand.vault, now)
        number = table.shoe.number + 1
    pack = hand.vault.seal(hand.chance.shuffled(rules.decks))
    table.shoe = Shoe.objects.create(
        table=table,
        number=number,
        decks=rules.decks,
        commitment=pack.commitment,
        sealed=pack.sealed,
        cut=0 if rules.every_round else None,
        white_at=None if rules.white_depth is None else rules.decks * 52 - rules.white_depth,
        shuffled_at=now,
    )


def retire(shoe: Shoe, vault: Vault, now: datetime) -> None:
    """No card leaves this shoe any more: publish its order and salt. Does nothing the second time.

    One that the vault cannot open (its key was lost) stays closed for ever, which the audit says; the table goes on.
    """
    if shoe.retired_at is not None:
        return
    shoe.retired_at = now
    try:
        pack = vault.open(shoe.sealed)
    except ValueError as error:
        structlog.get_logger(__name__).error("a shoe is retired unopened", shoe=shoe.pk, reason=str(error))
    else:
        shoe.opened = {"salt": pack.salt, "order": [str(card) for card in pack.order]}
    shoe.save(update_fields=["retired_at", "opened"])


def _seated(table: Table) -> dict[str, int]:
    """Who sits where, those whose line has dropped left out: they decide nothing."""
    return {
        f"p{player}": number
        for player, number in Seat.objects.filter(table=table, away=False).values_list("player_id", "number")
    }


def _close_round(desk: Desk, table: Table) -> None:
    """Count who sat out the whole round; give up the seats of those who have done so too often."""
    if desk.round.is_void:
        return
    bettors = {player_id(stake.by) for stake in desk.round.stakes()}
    seats = Seat.objects.filter(
        table=table,
        player_id__in=[player_id(key) for key in desk.round.seats],
        taken_at__lte=desk.log.started_at,
    )
    seats.filter(player_id__in=bettors).exclude(rounds_without_bet=0).update(rounds_without_bet=0)
    seats.exclude(player_id__in=bettors).update(rounds_without_bet=F("rounds_without_bet") + 1)
    given_up, _ = seats.filter(rounds_without_bet__gte=ROUNDS_WITHOUT_BET).delete()
    if given_up:
        _count_change(table)


def void_after_error(table_id: int, hand: Hand, reason: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """An exception in a round is an irrecoverable mistake (art. 10): void it, give the stakes back once.

    The next round begins with a fresh shoe, in case the fault is in this one.
    """
    with unit_of_work():
        _hold(table_id, hand, clock)
        table = Table.objects.select_for_update().get(pk=table_id)
        if table.round_id is None:
            return
        with round_desk(table.round_id, clock=clock) as desk:
            if not desk.round.over:
                desk.act(Void(reason=reason))
                table.fresh_shoe_due = True
                table.save(update_fields=["fresh_shoe_due"])
