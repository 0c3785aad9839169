"""The floor as the pit sees it: what the live pages of its panel show, read in one go, drawn for page and push alike.

Of a running round it shows what a mere spectator sees of it (`view(None)`), and nothing else. What those see who may
acknowledge alerts differs from what all others see by the buttons alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

from django.db.models import Count, QuerySet, Sum
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from tables.base.calendar import day_begun
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, may
from tables.felt.formatting import percent_of
from tables.felt.games import FELTS
from tables.felt.public import TIMED
from tables.felt.shared.fragments import Fragments
from tables.games import GAMES
from tables.games.contract.game import Game, Imbalance
from tables.games.contract.round import Round, Stake
from tables.games.shared.options import read_options
from tables.games.values.money import CREDIT
from tables.games.values.words import Words
from tables.models import Account, Event, Played, Player, Realm, RoundLog, Seat, Table
from tables.models.bettors import bettor_of, player_of
from tables.proof.evidence import watch
from tables.queries import statistics
from tables.queries.folds import round_of
from tables.queries.round_figures import NOTHING, Figures
from tables.queries.table import first_on_road, names_of, results_of_tables
from tables.services.journal import alerts
from tables.services.journal.events import with_words
from tables.services.kiosk import kiosks
from tables.services.pit import rulings
from tables.services.pit.days import close_days
from tables.services.pit.floats import FloatHistory, present_float, waiting_orders_of
from tables.templatetags.alerts import ShownAlert, bar, on_walls, open_alerts, wall_alerts

HOUR = timedelta(hours=1)

LAST_RESULTS = 10
"""So many results stand on the tile of a table."""

LAST_ROUNDS, LAST_EVENTS = 10, 10
"""So many of the last rounds of a table, and of the events about it, are told."""


class TableStatus(StrEnum):
    """What the pit has made of a table."""

    OPEN = "open"
    PAUSED = "paused"
    CLOSING = "closing"
    CLOSED = "closed"

    @classmethod
    def of(cls, table: Table) -> TableStatus:
        if not table.open:
            return cls.CLOSED
        if table.closing:
            return cls.CLOSING
        return cls.PAUSED if table.paused else cls.OPEN


class Buttons(NamedTuple):
    """What whoever looks may do on a live page of the pit: its buttons."""

    acknowledges: bool = False
    rules: bool = False
    runs: bool = False

    @classmethod
    def of(cls, player: Player) -> Buttons:
        return cls(
            acknowledges=may(player, Right.ACKNOWLEDGE),
            rules=may(player, Right.RULE),
            runs=may(player, Right.RUN_TABLES),
        )


@dataclass(frozen=True, slots=True)
class PitTable:
    """One table as the pit sees it. All amounts in cents.

    `running` if a round is being played, `frozen_at` since when the pit has frozen it. `staked` is what a spectator
    sees on the felt now, `last_hour` the rounds that were played for stakes in it, `average_bet` what one bettor staked
    in one of them, `figures` those of today, `apart` how far two sides are apart where that is limited.
    """

    table_id: int
    slug: str
    name: str
    game: str
    realm: Realm
    state: TableStatus
    paused: bool
    halted: bool
    closing: str
    changes_cards: bool
    attended: bool
    phase: str
    pace: str
    due_at: datetime | None
    running: bool
    frozen_at: datetime | None
    round_number: int
    seats_taken: int
    seats_total: int
    standing: int
    staked: int
    last_hour: int
    average_bet: int
    options: Any
    results: tuple[Mapping[str, Any], ...]
    figures: Figures
    float_cents: int
    apart: Imbalance | None
    alerts: tuple[ShownAlert, ...]

    @property
    def needs_attention(self) -> bool:
        """Somebody should look at it: an alert is open, or one side can take no more."""
        return bool(self.alerts) or (self.apart is not None and self.apart.reached)


# ── Reading ─────────────────────────────────────────────────────────────────────────────────────────────────


def floor(*, clock: Clock = DATABASE_CLOCK) -> list[PitTable]:
    """Every table, the closed ones too, game by game in the order of the lobby; those for visitors at kiosks last."""
    read = _Read.of(list(_shown().order_by("position", "pk")), clock.now())
    games = list(dict.fromkeys(table.game for table in read.tables))
    in_order = sorted(read.tables, key=lambda table: (table.realm, games.index(table.game)))
    return [read.table(table) for table in in_order]


def _shown() -> QuerySet[Table]:
    return Table.objects.select_related("round").annotate(road_from=first_on_road())


def look(*, clock: Clock = DATABASE_CLOCK) -> None:
    """Look after the floor: sum up the day that is over, put what was drawn on it to the test, raise the alerts that
    only time shows."""
    now = clock.now()
    close_days(clock=clock)
    watch.look(clock=clock)
    kiosks.look(clock=clock)
    alerts.look(statistics.of_tables(day_begun(now), now), clock=clock)


@dataclass(frozen=True, slots=True)
class _Read:
    """What is read for several tables at once, by table."""

    tables: list[Table]
    now: datetime
    today: Mapping[int, Figures]
    seated: Mapping[int, set[str]]
    floats: Mapping[int, int]
    last_hour: Mapping[int, tuple[int, int, int]]
    results: Mapping[int, tuple[Mapping[str, Any], ...]]
    alerts: Mapping[int, list[ShownAlert]]

    @classmethod
    def of(cls, tables: list[Table], now: datetime) -> _Read:
        seated: dict[int, set[str]] = {}
        for table, player in Seat.objects.filter(table__in=tables).values_list("table_id", "player_id"):
            seated.setdefault(table, set()).add(bettor_of(player))
        floats = Account.objects.filter(kind=Account.Kind.FLOAT, table__in=tables)
        played = Played.objects.filter(
            log__table__in=tables, log__settled_at__gt=now - HOUR, log__void=False, staked__gt=0
        )
        last_hour = played.values_list("log__table_id").annotate(
            rounds=Count("log", distinct=True), bets=Count("pk"), staked=Sum("staked")
        )
        shown: dict[int, list[ShownAlert]] = {}
        for one in open_alerts():
            if one.alert.table_id is not None:
                shown.setdefault(one.alert.table_id, []).append(one)
        return cls(
            tables=tables,
            now=now,
            today=statistics.of_tables(day_begun(now), now),
            seated=seated,
            floats=dict(floats.values_list("table_id", "balance")),
            last_hour={table: (rounds, bets, staked) for table, rounds, bets, staked in last_hour},
            results=results_of_tables(tables),
            alerts=shown,
        )

    def table(self, table: Table) -> PitTable:
        log = table.round
        round_ = round_of(log) if log is not None else None
        game = GAMES[table.game]
        view = game.view(round_, None) if round_ is not None else None
        seated = self.seated.get(table.pk, set())
        options = read_options(game.options, table.options)
        rounds, bets, staked = self.last_hour.get(table.pk, (0, 0, 0))
        return PitTable(
            table_id=table.pk,
            slug=table.slug,
            name=table.name,
            game=table.game,
            realm=Realm(table.realm),
            state=TableStatus.of(table),
            paused=table.paused,
            halted=table.halted,
            closing=table.closing,
            changes_cards=bool(table.fresh_shoe_by),
            attended=table.attended_until is not None and table.attended_until > self.now,
            phase=str(round_.phase) if round_ is not None else "",
            pace=str(round_.pace) if round_ is not None else "",
            due_at=log.due_at if log is not None else None,
            running=log is not None and log.settled_at is None,
            frozen_at=log.frozen_at if log is not None and log.settled_at is None else None,
            round_number=log.number if log is not None else 0,
            seats_taken=len(seated),
            seats_total=options.seats,
            standing=len({stake.by for stake in view.stakes} - seated) if view is not None else 0,
            staked=_staked(game, round_),
            last_hour=rounds,
            average_bet=staked // bets if bets else 0,
            options=options,
            results=self.results.get(table.pk, ())[-LAST_RESULTS:],
            figures=self.today.get(table.pk, NOTHING),
            float_cents=self.floats.get(table.pk, 0),
            apart=game.imbalance(round_) if round_ is not None and not round_.over else None,
            alerts=tuple(self.alerts.get(table.pk, ())),
        )


def _staked(game: Game, round_: Round | None) -> int:
    """What a spectator sees on the felt, in cents; of a round that is over what stays there for the next."""
    if round_ is None:
        return 0
    if round_.over:
        return sum(stake.amount for stake in round_.carried())
    return sum(spot.total for spot in game.view(round_, None).spots)


@dataclass(frozen=True, slots=True)
class Sitting:
    """Somebody at a table: seat (None: standing), since when, and cents on the felt."""

    player_id: int
    name: str
    staked: int
    seat: int | None = None
    since: datetime | None = None
    away: bool = False


@dataclass(frozen=True, slots=True)
class Spot:
    """What lies on one spot, in cents, and of how many."""

    title: Words
    total: int
    bettors: int


@dataclass(frozen=True, slots=True)
class Settled:
    """A round that is over, in words."""

    log: RoundLog
    words: str


@dataclass(frozen=True, slots=True)
class Life:
    """How a table stands in its life: its float since it was opened, and how many orders of chips wait."""

    float: FloatHistory
    orders: int


@dataclass(frozen=True, slots=True)
class TablePage:
    """All that the pit's page of one table shows: who is there, the present round as a spectator sees it, the last
    ones, and what was done with the table."""

    table: PitTable
    people: tuple[Sitting, ...]
    said: tuple[str, ...]
    spots: tuple[Spot, ...]
    rounds: tuple[Settled, ...]
    events: tuple[Event, ...]
    life: Life
    log: RoundLog | None
    rulings: tuple[rulings.RulingInWords, ...]


def table_page(slug: str, *, clock: Clock = DATABASE_CLOCK) -> TablePage:
    """One table. Raises Table.DoesNotExist. In the active language, as far as the felt of a game says it."""
    table = _shown().get(slug=slug)
    game, felt = GAMES[table.game], FELTS[table.game]
    round_ = round_of(table.round) if table.round is not None else None
    view = game.view(round_, None) if round_ is not None and not round_.over else None
    over = RoundLog.objects.filter(table=table, settled_at__isnull=False).order_by("-number")[:LAST_ROUNDS]
    lying = [spot for spot in view.spots if spot.total] if view is not None else []
    return TablePage(
        table=_Read.of([table], clock.now()).table(table),
        people=tuple(_people(table, view.stakes if view is not None else ())),
        said=tuple(felt.said(view, names_of(set(round_.seats)))) if view is not None and round_ else (),
        spots=tuple(Spot(game.called(s.name, getattr(s, "box", None)), s.total, s.bettors) for s in lying),
        rounds=tuple(Settled(log, felt.result_words(log.result) if log.result else "") for log in over),
        events=tuple(Event.objects.filter(table=table).select_related("by").order_by("-seq")[:LAST_EVENTS]),
        life=Life(present_float(table.pk, clock=clock), waiting_orders_of(table.pk)),
        log=table.round,
        rulings=tuple(rulings.in_words(table.round)) if table.round is not None else (),
    )


def _people(table: Table, stakes: Sequence[Stake]) -> Iterator[Sitting]:
    """Who sits, in the order of the seats; then who stands, with the most first."""
    staked: Counter[str] = Counter()
    for stake in stakes:
        staked[stake.by] += stake.amount
    for seat in Seat.objects.filter(table=table).select_related("player").order_by("number"):
        cents = staked.pop(seat.player.key, 0)
        yield Sitting(seat.player_id, str(seat.player), cents, seat.number, seat.taken_at, seat.away)
    names = names_of(set(staked))
    for key, cents in staked.most_common():
        yield Sitting(player_of(key), names.get(key, ""), cents)


# ── Drawing ─────────────────────────────────────────────────────────────────────────────────────────────────


def floor_fragments(tables: Iterable[PitTable], *, buttons: Buttons) -> Fragments:
    """The whole floor: fragment id -> HTML, in the active language."""
    tables = list(tables)
    return {
        **bar(acknowledges=buttons.acknowledges),
        "pit-sum": _sum([table for table in tables if table.realm is Realm.FLOOR]),
        **{f"pit-table-{table.slug}": _tile(table, buttons) for table in tables},
    }


def wallboard_fragments(tables: Iterable[PitTable]) -> Fragments:
    """The floor for a wallboard, which anybody may come to see: no buttons, no ways to other pages, and of alerts
    what is about a table or the house, never about somebody."""
    floor = [table for table in tables if table.realm is Realm.FLOOR]
    shown = [replace(table, alerts=tuple(one for one in table.alerts if on_walls(one))) for table in floor]
    return {
        "pit-sum": _sum(floor),
        "wall-alerts": wall_alerts(),
        **{f"pit-table-{table.slug}": _tile(table, Buttons(), wall=True) for table in shown},
    }


def table_fragments(page: TablePage, *, buttons: Buttons) -> Fragments:
    """The page of one table, likewise."""
    return {
        **bar(acknowledges=buttons.acknowledges),
        f"pit-table-{page.table.slug}": _tile(page.table, buttons._replace(runs=False)),  # its page has all deeds
        **{f"pit-{part}": render_to_string(f"pit/table/{part}.html", _of(page)) for part in PARTS},
    }


PARTS = ("life", "rulings", "people", "round", "rounds", "events")
"""What the page of a table shows beside its figures and alerts; each has its template."""


def _of(page: TablePage) -> dict[str, object]:
    return {"page": page, "deeds": with_words(page.events)}


def _sum(tables: Sequence[PitTable]) -> str:
    figures = statistics.total(table.figures for table in tables)
    return render_to_string(
        "pit/_sum.html",
        {
            "tables": sum(table.state is not TableStatus.CLOSED for table in tables),
            "players": sum(table.seats_taken + table.standing for table in tables),
            "staked": sum(table.staked for table in tables),
            "figures": figures,
            "hold": percent_of(figures.hold) if figures.hold is not None else "",
            "theoretical": round(figures.theoretical / CREDIT) * CREDIT,
        },
    )


def _tile(table: PitTable, buttons: Buttons, *, wall: bool = False) -> str:
    hold, felt = table.figures.hold, FELTS[table.game]
    return render_to_string(
        "pit/_table.html",
        {
            "table": table,
            "title": GAMES[table.game].title,
            "limits": felt.limits(table.options),
            "road": mark_safe(felt.road(table.results)),
            "words": felt.phase_words(table.phase) if table.phase and table.attended else "",
            "hold": percent_of(hold) if hold is not None else "",
            "theoretical": round(table.figures.theoretical / CREDIT) * CREDIT,
            "rules": buttons.rules,
            "runs": buttons.runs,
            "wall": wall,
            "timed": table.attended and table.pace in TIMED and table.due_at is not None,
        },
    )
