"""Rounds begin and end."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F

from tables.base import announce
from tables.base.clock import Clock
from tables.base.timetable import LINKS_WITHIN, ROUNDS_WITHOUT_BET, of_next_round
from tables.games import GAMES
from tables.games.codec import opening_json
from tables.games.contract.round import SECOND_READING, Opening, Round
from tables.games.shared.options import options_json, read_options
from tables.models import Departure, OfferedLink, PackSeed, RoundLog, Seat, Table
from tables.models.bettors import bettor_of, player_of
from tables.queries.folds import round_of
from tables.services.pit import editions
from tables.services.pit import options as house_options
from tables.services.rounds import links, seating
from tables.services.rounds.round_session import RoundSession, opened_session

from .leases import DealerCredentials
from .seeds import LinksAwaited, commit
from .shoes import is_loaded, seed_commitment_of, shuffle, wants_fresh_shoe
from .throws import open_uncounted


def count_change(table: Table) -> None:
    """What the table shows has changed, and no round's log says so."""
    table.version += 1
    table.save(update_fields=["version"])
    announce.table_changed(table.pk, version=table.version)


# ── Rounds begin and end ────────────────────────────────────────────────────────────────────────────────────


def links_awaited_until(table: Table, now: datetime) -> datetime | None:
    """Until when a pack of this table that is committed to waits for the links of bettors; None if none does."""
    if GAMES[table.game].throws:
        return None
    waiting = PackSeed.objects.filter(table=table, revealed__isnull=True, dropped_at=None)
    seed = waiting.only("offered", "committed_at").order_by("-number").first()
    return None if seed is None else links.waits_until(seed, now)


def begin_round(table: Table, credentials: DealerCredentials, now: datetime, clock: Clock) -> datetime | None:
    """Open the next round; or, where it needs a fresh pack and bettors have offered links, commit to its seed, and wait
    for them (docs/proof.md, 1 and 3). Returns when to look again."""
    if GAMES[table.game].throws or not OfferedLink.objects.filter(table=table).exists():
        return _open_round(table, credentials, now, clock)
    try:
        with transaction.atomic():
            return _open_round(table, credentials, now, clock)
    except LinksAwaited:
        pass  # nothing has been done
    table = Table.objects.select_related("shoe", "round").get(pk=table.pk)
    commit(table, credentials, now, links.listed(table))
    count_change(table)
    announce.table_changed(table.pk, version=table.version)
    return now + LINKS_WITHIN


def _open_round(table: Table, credentials: DealerCredentials, now: datetime, clock: Clock) -> datetime | None:
    seating.give_up_after_round(table)
    table.times = of_next_round(table.times)
    game = GAMES[table.game]
    last = table.round
    before = round_of(last) if last is not None else None
    edition = editions.change_over(table, now)
    changes = _new_options(table, before, now)
    options = read_options(game.options, table.options)
    rules = game.shoe(options)
    if last is not None:
        open_uncounted(last, credentials.vault)  # of one that the pit has cancelled: it has no key
    fresh = rules is not None and wants_fresh_shoe(table, rules, before)
    begins = fresh
    if fresh:
        assert rules is not None
        begins = not rules.machine or is_loaded(table, rules)
        shuffle(table, rules, credentials, now)
    opening = Opening(
        seats=_seated(table),
        carried=before.carried() if before is not None else (),
        ceremony=begins,
        first_round=begins,
        last_round=before is not None and before.next_is_last and not fresh,
        commitment=table.shoe.commitment if table.shoe is not None else "",
        seed_commitment=seed_commitment_of(table.shoe),
        lately=_staked_lately(table) if begins else (),
        reading=SECOND_READING,
        new_edition=last is not None and last.edition != options.edition,
        fresh_by=table.fresh_shoe_by if fresh else "",
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
    session = opened_session(log, game.opened(options, opening), table, now)
    table.round = session.log
    table.fresh_shoe_due, table.fresh_shoe_by = False, ""
    table.save(update_fields=["round", "shoe", "fresh_shoe_due", "fresh_shoe_by", "times"])
    announce.table_changed(table.pk)
    if edition is not None:
        edition.write_down(log, clock)
    changes.write_down(log, clock)
    return log.due_at


def _new_options(table: Table, before: Round | None, now: datetime) -> house_options.Due:
    """Bring into force what the pit has changed and may hold from this round on."""
    rules = GAMES[table.game].shoe(house_options.options_now(table))
    return house_options.take_due(
        table,
        now,
        fresh_shoe=rules is None or wants_fresh_shoe(table, rules, before),
        lying=before is not None and bool(before.carried()),
    )


def _seated(table: Table) -> dict[str, int]:
    """Who sits where, those whose connection is lost left out: they decide nothing."""
    return {
        bettor_of(player): number
        for player, number in Seat.objects.filter(table=table, away=False).values_list("player_id", "number")
    }


def _staked_lately(table: Table) -> tuple[str, ...]:
    """Who has staked in the last rounds of this table, has no seat here and has not left, in a fixed order."""
    played = seating.played_lately(table)
    seated = Seat.objects.filter(table=table).values("player_id")
    left = Departure.objects.filter(table=table).values("player_id")
    here = played.exclude(player_id__in=seated).exclude(player_id__in=left)
    standing = here.order_by("player_id").values_list("player_id", flat=True)
    return tuple(bettor_of(player) for player in standing.distinct())


def close_round(session: RoundSession, table: Table, credentials: DealerCredentials) -> None:
    """Open what was thrown and did not count. Count who sat out the whole round; give up the seats of those who have
    done so too often.

    A void round counts for nobody, unless it is one because nobody had a stake in it.
    """
    open_uncounted(session.log, credentials.vault)
    if not (session.round.is_void and session.round.stakes()) and count_idle(
        table, session, since=session.log.started_at
    ):
        count_change(table)


def count_idle(table: Table, session: RoundSession, *, since: datetime) -> list[int]:
    """Count the rounds without a stake of those who have sat there since; returns who has lost their seat by it."""
    seated = {player_of(key) for key in session.round.seats}
    if not seated:
        return []
    bettors = seated & {player_of(stake.by) for stake in session.round.stakes()}
    seats = Seat.objects.filter(table=table, player_id__in=seated, taken_at__lte=since)
    seats.filter(player_id__in=bettors).exclude(rounds_without_bet=0).update(rounds_without_bet=0)
    seats.exclude(player_id__in=bettors).update(rounds_without_bet=F("rounds_without_bet") + 1)
    idle = seats.filter(rounds_without_bet__gte=ROUNDS_WITHOUT_BET)
    given_up = list(idle.values_list("player_id", flat=True))
    if given_up:
        idle.delete()
    return given_up
