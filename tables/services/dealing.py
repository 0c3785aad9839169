"""What the house does when it is due: opens rounds, draws chance, closes betting, settles. Called by dealers only.

Every call names the epoch of the caller's lease and does one thing or nothing: whoever comes late, twice, or back
from the dead, changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db.models import F, Q

from tables import announce, queries
from tables.chance import ChanceSource, OpenedPack, OpenedThrow, Vault, places_dealt, thrown
from tables.clock import DATABASE_CLOCK, Clock
from tables.games import GAMES
from tables.games.cards import Card
from tables.games.codec import opening_json
from tables.games.options import options_json, read_options
from tables.games.protocol import (
    HOUSE,
    TABLE_CLOSES,
    TABLE_PAUSES,
    Action,
    Chance,
    Cut,
    Draw,
    DrawCard,
    Due,
    GiveBack,
    Leave,
    Meter,
    Opening,
    Refund,
    Round,
    Seal,
    ShoeRules,
    Stake,
    Step,
    Tempo,
    Unseal,
    Void,
    WhiteCard,
)  # fmt: skip
from tables.models import Lease, LoggedAction, RoundLog, SealedThrow, Seat, Shoe, Table
from tables.timetable import ROUNDS_WITHOUT_BET, of_next_round

from . import options as house_options
from . import rulings, running, seating, wallet
from .bookkeeping import player_id
from .desk import Desk, round_desk
from .wallet import Short
from .work import unit_of_work

NO_CARD_LEFT = "no card is left"
"""Why a round is void whose pack has run out."""


class StaleLease(Exception):  # noqa: N818
    """This dealer no longer runs the table; whatever it wanted to do is another's."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A dealer's credentials at a table: name, epoch of the lease, and what they draw and open shoes with."""

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


def may_be_due(tables: Iterable[int], *, clock: Clock = DATABASE_CLOCK) -> set[int]:
    """Those of these tables that `advance` might find something to do at; at the others there is nothing.

    Reads all of them at once, and locks none.
    """
    now = clock.now()
    ordered = Q(paused=True) | ~Q(closing="")  # a round that nobody is in is left unplayed at once
    under_way = Q(round__isnull=False, round__settled_at=None)
    waits = Q(round__due_at__gt=now)
    possible = (waits & under_way & ordered) | (~waits & (under_way | ~Q(closing="") | Q(attended_until__gt=now)))
    return set(Table.objects.filter(possible, pk__in=tables).values_list("pk", flat=True))


def advance(table_id: int, hand: Hand, *, clock: Clock = DATABASE_CLOCK) -> Outcome:
    """Do the one thing that is due at this table, if anything is. Raises StaleLease."""
    with unit_of_work():
        now = _hold(table_id, hand, clock)
        table = Table.objects.select_for_update(of=("self",)).select_related("round").get(pk=table_id)
        log = table.round
        attended = table.attended_until is not None and table.attended_until > now
        if log is None or log.settled_at is not None:
            if log is not None and log.due_at is not None and now < log.due_at:
                return Outcome(False, log.due_at)
            if table.open and _closes(table, log):
                _shut(table, hand, now, clock)
                return Outcome(True, None)
            if not (table.open and attended) or table.paused:
                return Outcome(False, None)
            return Outcome(True, _open_round(table, hand, now, clock))
        with round_desk(log.pk, table=table, clock=clock) as desk:
            return _go_on(desk, table, hand, attended)


def _go_on(desk: Desk, table: Table, hand: Hand, attended: bool) -> Outcome:
    round_, log = desk.round, desk.log
    if _is_left_unplayed(desk, table, attended):
        return _leave_unplayed(desk, table, hand)
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
        if round_.tempo is Tempo.BETTING and not round_.held() and not (attended and GAMES[log.game].dealt_unstaked):
            if attended:
                for player in _count_idle(table, desk, since=log.wait_began_at):
                    desk.act(Leave(f"p{player}"))
                desk.restart_clock()
            else:
                desk.stop_clock()
            _count_change(table)
            return Outcome(True, log.due_at)
        due = round_.overdue()
    assert due is not None, f"round {log.pk} waits for nobody in {round_.phase}"
    _do(desk, due, table, hand)
    if desk.round.over:
        _close_round(desk, table, hand)
    return Outcome(True, None if desk.log.due_at is None else desk.log.due_at)


def _is_left_unplayed(desk: Desk, table: Table, attended: bool) -> bool:
    """Whether the table pauses or closes, and nobody has staked in the present round or could still want it dealt."""
    round_ = desk.round
    if not (table.paused or table.closing == running.AFTER_ROUND) or round_.tempo is not Tempo.BETTING or round_.held():
        return False
    if not attended:
        return True
    is_over = desk.log.due_at is not None and desk.now >= desk.log.due_at and round_.due() is None
    return is_over and not GAMES[desk.log.game].dealt_unstaked


def _leave_unplayed(desk: Desk, table: Table, hand: Hand) -> Outcome:
    """The round is void; a shoe that was made ready for it is shuffled again, with its ceremony."""
    desk.act(Void(reason=TABLE_PAUSES if table.paused else TABLE_CLOSES))
    _open_what_did_not_count(desk.log, hand.vault)
    if desk.log.opening.get("ceremony"):
        table.fresh_shoe_due = True
        table.save(update_fields=["fresh_shoe_due"])
    return Outcome(True, desk.log.due_at)


def _count_change(table: Table) -> None:
    """What the table shows has changed, and no round's log says so."""
    table.version += 1
    table.save(update_fields=["version"])
    announce.table_changed(table.pk)


def _do(desk: Desk, due: Due, table: Table, hand: Hand) -> None:
    match due:
        case Step(action, otherwise):
            _step(desk, action, otherwise)
        case Draw(Chance.CUT):
            size = _shoe_of(desk).decks * 52
            desk.act(Cut(HOUSE, 1 + hand.chance.below(size - 1)))
        case Draw(Chance.CARD):
            _draw_card(desk, table, hand)
        case Draw(Chance.SEAL):
            _seal_throw(desk, hand)
        case Draw(Chance.OPEN):
            _open_throw(desk, hand)
        case Draw(Chance.POOL):
            desk.act(Meter(pool=desk.lock_pool()))


def _step(desk: Desk, action: Action, otherwise: Action | None) -> None:
    """The action that the house owes; in a bettor's name, and from their wallet, if they asked for it beforehand."""
    if action.by == HOUSE:
        desk.act(action)
        return
    desk.lock([player_id(action.by)])
    try:
        desk.act(action)
    except Short:
        assert otherwise is not None, f"{action.do} in the name of {action.by} can be neither done nor left"
        desk.act(otherwise)


def _draw_card(desk: Desk, table: Table, hand: Hand) -> None:
    shoe = _shoe_of(desk)
    if shoe.dealt == shoe.decks * 52:
        desk.act(Void(reason=NO_CARD_LEFT))
        table.fresh_shoe_due = True
        table.save(update_fields=["fresh_shoe_due"])
        return
    if shoe.white_at is not None and shoe.dealt == shoe.white_at and not shoe.white_shown:
        desk.act(WhiteCard())
        shoe.white_shown = True
        shoe.save(update_fields=["white_shown"])
        return
    desk.act(DrawCard(card=_card_at(shoe, hand.vault), exposed=rulings.lies_face_up(desk.log, desk.round)))
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
        assert pack.is_committed(shoe.commitment, shoe.leaves), "the sealed shoe is not the one that was published"
        while len(_opened_packs) >= 256:
            _opened_packs.pop(next(iter(_opened_packs)))
        _opened_packs[shoe.commitment] = pack
    return pack.dealt_order(shoe.cut or 0)[shoe.dealt]


# ── Throws ──────────────────────────────────────────────────────────────────────────────────────────────────


def _seal_throw(desk: Desk, hand: Hand) -> None:
    """Draw what will be thrown and seal it at once: from here on only the vault knows it."""
    game = GAMES[desk.log.game]
    throw = game.throw(read_options(game.options, desk.log.options))
    assert throw is not None, f"nothing is thrown in {game.slug}"
    sealed = hand.vault.seal_throw(thrown(throw, hand.chance))
    desk.act(Seal(commitment=sealed.commitment))
    number = SealedThrow.objects.filter(log=desk.log).count() + 1
    SealedThrow.objects.create(log=desk.log, number=number, commitment=sealed.commitment, sealed=sealed.sealed)


def _open_throw(desk: Desk, hand: Hand) -> None:
    """Open the throw that was sealed last; or do what the game does if that cannot be done."""
    sealed = SealedThrow.objects.select_for_update().filter(log=desk.log).latest("number")
    line = LoggedAction.objects.filter(log=desk.log, by=HOUSE, action__do=Seal.do).latest("seq")
    try:
        opened = _opened(sealed, line.action["commitment"], hand.vault)
    except ValueError as error:
        _say_lost(sealed, error)
        desk.act(GAMES[desk.log.game].lost_throw)
        return
    desk.act(Unseal(values=opened.values, salt=opened.salt))
    _publish(sealed, opened)


def _open_what_did_not_count(log: RoundLog, vault: Vault) -> None:
    """Open the throws of a round that is over and that were not opened in it: they were null, or not reached.

    One that the vault cannot open stays closed for ever, which the audit says.
    """
    if GAMES[log.game].throw(read_options(GAMES[log.game].options, log.options)) is None:
        return
    for sealed in SealedThrow.objects.select_for_update().filter(log=log, opened__isnull=True).order_by("number"):
        try:
            _publish(sealed, _opened(sealed, sealed.commitment, vault))
        except ValueError as error:
            _say_lost(sealed, error)


def _opened(sealed: SealedThrow, published: str, vault: Vault) -> OpenedThrow:
    """Only here, and only with the dealers' key. Raises ValueError if it is not what was published."""
    opened = vault.open_throw(sealed.sealed)
    if opened.commitment != published:
        raise ValueError("the sealed throw is not the one that was published")
    return opened


def _publish(sealed: SealedThrow, opened: OpenedThrow) -> None:
    sealed.opened = {"salt": opened.salt, "values": list(opened.values)}
    sealed.save(update_fields=["opened"])


def _say_lost(sealed: SealedThrow, error: ValueError) -> None:
    log = structlog.get_logger(__name__)
    log.error("a throw cannot be opened", round=sealed.log_id, number=sealed.number, reason=str(error))


# ── Rounds begin and end ────────────────────────────────────────────────────────────────────────────────────


def _open_round(table: Table, hand: Hand, now: datetime, clock: Clock) -> datetime | None:
    seating.give_up_after_round(table)
    table.times = of_next_round(table.times)
    game = GAMES[table.game]
    last = table.round
    before = queries.round_of(last) if last is not None else None
    changes = _new_options(table, before, now)
    options = read_options(game.options, table.options)
    rules = game.shoe(options)
    if last is not None:
        _open_what_did_not_count(last, hand.vault)  # of one that the pit has cancelled: it has no key
    fresh = rules is not None and _wants_fresh_shoe(table, rules, before)
    begins = fresh
    if fresh:
        assert rules is not None
        begins = not rules.machine or _is_loaded(table, rules)
        _shuffle(table, rules, hand, now)
    opening = Opening(
        seats=_seated(table),
        carried=before.carried() if before is not None else (),
        ceremony=begins,
        first_round=begins,
        last_round=before is not None and before.next_is_last and not fresh,
    )
    log = RoundLog(
        table=table,
        shoe=table.shoe,
        jackpot_id=table.jackpot_id,
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
    table.save(update_fields=["round", "shoe", "fresh_shoe_due", "times"])
    announce.table_changed(table.pk)
    changes.write_down(log, clock)
    return log.due_at


def _new_options(table: Table, before: Round | None, now: datetime) -> house_options.Due:
    """Bring into force what the pit has changed and may hold from this round on."""
    rules = GAMES[table.game].shoe(house_options.options_now(table))
    return house_options.take_due(
        table,
        now,
        fresh_shoe=rules is None or _wants_fresh_shoe(table, rules, before),
        lying=before is not None and bool(before.carried()),
    )


def _closes(table: Table, last: RoundLog | None) -> bool:
    """Whether the time has come that was ordered for closing the table; its last round is over."""
    if table.closing != running.AFTER_SHOE:
        return table.closing == running.AFTER_ROUND
    game = GAMES[table.game]
    rules = game.shoe(read_options(game.options, table.options))
    return rules is None or _wants_fresh_shoe(table, rules, None if last is None else queries.round_of(last))


def _shut(table: Table, hand: Hand, now: datetime, clock: Clock) -> None:
    """Close the table: whatever did not count is opened, what was carried goes back, the shoe is opened, and the float
    is counted."""
    last = table.round
    carried = () if last is None else queries.round_of(last).carried()
    concerned = {wallet.house_of(table.realm), wallet.escrow(table.pk), wallet.float_of(table.pk)}
    concerned |= {wallet.player(player_id(stake.by)) for stake in carried}
    if table.jackpot_id is not None:
        concerned.add(wallet.jackpot(table.jackpot_id))
    wallet.lock(concerned)  # all at once, by id: what is done from here on locks some of them again
    if last is not None:
        _open_what_did_not_count(last, hand.vault)  # of one that the pit has cancelled: it has no key
        if carried:
            _give_back(table, last, carried, now)
    if table.shoe is not None:
        retire(table.shoe, hand.vault, now)
    running.shut(table, clock=clock)


def _give_back(table: Table, last: RoundLog, carried: tuple[Stake, ...], now: datetime) -> None:
    """One round more, in which nothing is played: what was carried to it goes back to its bettors, none of whom sits
    here any more, and it is void."""
    game = queries.game_of(last)
    options = read_options(game.options, last.options)
    opening = Opening(carried=carried)
    log = RoundLog(
        table=table,
        jackpot_id=last.jackpot_id,
        number=last.number + 1,
        game=game.slug,
        edition=last.edition,
        options=last.options,
        opening=opening_json(opening),
        phase="",
        started_at=now,
        wait_began_at=now,
    )
    desk = Desk.opened(log, game.opened(options, opening), table, now)
    while isinstance(due := desk.round.due(), Step) and isinstance(due.action, Refund):
        desk.act(due.action)
    if GiveBack in game.steps:
        desk.act(GiveBack())
    desk.act(Void(reason=TABLE_CLOSES))
    desk.write()
    table.round = log
    table.save(update_fields=["round"])


def _wants_fresh_shoe(table: Table, rules: ShoeRules, before: Round | None) -> bool:
    return (
        table.shoe is None
        or rules.every_round
        or table.fresh_shoe_due
        or table.shoe.decks != rules.decks
        or table.shoe.retired_at is not None
        or (before is not None and before.ends_shoe)
    )


def _is_loaded(table: Table, rules: ShoeRules) -> bool:
    """Whether the machine is loaded now; else it shuffles what it holds, as after every round."""
    last = table.round
    if last is None or table.fresh_shoe_due:
        return True
    game = queries.game_of(last)
    return game.shoe(read_options(game.options, last.options)) != rules


def _shuffle(table: Table, rules: ShoeRules, hand: Hand, now: datetime) -> None:
    """A fresh pack, shuffled, sealed and committed to; the one before is retired and opened for all to check."""
    by_card = GAMES[table.game].private_hands
    assert not by_card or (rules.every_round and rules.decks == 1), "a card must be known by its face"
    number = 1
    if table.shoe is not None:
        retire(table.shoe, hand.vault, now)
        number = table.shoe.number + 1
    pack = hand.vault.seal(hand.chance.shuffled(rules.decks), by_card=by_card)
    table.shoe = Shoe.objects.create(
        table=table,
        number=number,
        decks=rules.decks,
        commitment=pack.commitment,
        leaves=pack.leaves,
        sealed=pack.sealed,
        cut=0 if rules.machine else None,
        white_at=None if rules.white_depth is None else rules.decks * 52 - rules.white_depth,
        shuffled_at=now,
    )


def retire(shoe: Shoe, vault: Vault, now: datetime) -> None:
    """No card leaves this shoe any more: publish its order and salt. Does nothing the second time.

    Of a pack committed to card by card what opens those that were dealt is kept for the pages, which show it to whoever
    saw them; the others stay closed, since they would tell what the private hands are not.

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
        shoe.opened = _opening(shoe, pack)
    shoe.save(update_fields=["retired_at", "opened"])


def _opening(shoe: Shoe, pack: OpenedPack) -> dict[str, Any]:
    if shoe.leaves is None:
        return {"salt": pack.salt, "order": [str(card) for card in pack.order]}
    places = places_dealt(shoe.decks, shoe.cut or 0, shoe.dealt)
    return {"cards": [[pack.salt_of(place), str(pack.order[place - 1])] for place in places]}


def _seated(table: Table) -> dict[str, int]:
    """Who sits where, those whose line has dropped left out: they decide nothing."""
    return {
        f"p{player}": number
        for player, number in Seat.objects.filter(table=table, away=False).values_list("player_id", "number")
    }


def _close_round(desk: Desk, table: Table, hand: Hand) -> None:
    """Open what was thrown and did not count. Count who sat out the whole round; give up the seats of those who have
    done so too often.

    A void round counts for nobody, unless it is one because nobody had a stake in it.
    """
    _open_what_did_not_count(desk.log, hand.vault)
    if not (desk.round.is_void and desk.round.stakes()) and _count_idle(table, desk, since=desk.log.started_at):
        _count_change(table)


def _count_idle(table: Table, desk: Desk, *, since: datetime) -> list[int]:
    """Count the rounds without a stake of those who have sat there since; returns who has lost their seat by it."""
    bettors = {player_id(stake.by) for stake in desk.round.stakes()}
    seats = Seat.objects.filter(
        table=table, player_id__in=[player_id(key) for key in desk.round.seats], taken_at__lte=since
    )
    seats.filter(player_id__in=bettors).exclude(rounds_without_bet=0).update(rounds_without_bet=0)
    seats.exclude(player_id__in=bettors).update(rounds_without_bet=F("rounds_without_bet") + 1)
    idle = seats.filter(rounds_without_bet__gte=ROUNDS_WITHOUT_BET)
    given_up = list(idle.values_list("player_id", flat=True))
    if given_up:
        idle.delete()
    return given_up


def void_after_error(table_id: int, hand: Hand, reason: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """An exception in a round is an irrecoverable mistake: void it, give the stakes back once.

    The next round begins with a fresh shoe, in case the fault is in this one.
    """
    with unit_of_work():
        _hold(table_id, hand, clock)
        table = Table.objects.select_for_update().get(pk=table_id)
        if table.round_id is None:
            return
        with round_desk(table.round_id, table=table, clock=clock) as desk:
            if not desk.round.over:
                desk.act(Void(reason=reason))
                table.fresh_shoe_due = True
                table.save(update_fields=["fresh_shoe_due"])
