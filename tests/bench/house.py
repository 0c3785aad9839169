"""The house of the bench, in a child process: people with wallets and logins, a table, rounds on command."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from time import perf_counter
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.core.management import call_command
from django.db.models import F

from tables.base.browser_sessions import SessionStore
from tables.base.chance import SystemRandomness, Vault
from tables.base.identity import DealerIdentity
from tables.base.transactions import unit_of_work
from tables.games.blackjack.options import MARKET_2009
from tables.games.contract.actions import Ready
from tables.games.values.cards import cards
from tables.models import Account, BrowserSession, Lease, Player, RoundLog, Table, Transfer
from tables.models.bettors import bettor_of
from tables.queries.folds import round_of
from tables.services.dealing.advance import Outcome, advance
from tables.services.dealing.enrolment import enrol
from tables.services.dealing.leases import DealerCredentials, take_lease
from tables.services.money import wallet
from tables.services.money.wallet import Posting
from tables.services.players import logins, people
from tables.services.rounds import betting, decisions, seating
from tables.services.rounds.betting import BetRequest
from tables.services.rounds.round_session import Accepted
from tests.arranged import seed_for
from tests.house import deeds
from tests.house.kit import open_table

from .places import SLUG

DECISIONS = "bench-decisions"
CROWDED = ("roulette", "cussec")
"""The games at whose tables there is a crowd; each table is called like its game."""

LONG = 3_600_000
"""Milliseconds that betting stays open: no deadline falls into a measurement."""

LEASE = timedelta(days=3650)
CREDIT = 100

OPTIONS = {
    "dealing_device": "auto_machine",  # no ceremony before a round
    "hold_cards": False,  # nobody is waited for
    "tie_policy": "return",  # nothing is carried: a round has just the bets that were placed in it
}
"""Of tables of Baccarat."""


class ToldClock:
    """The machine's time, or later if told."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def reach(self, at: datetime) -> None:
        """Let it be `at`, unless it is later already."""
        self.ahead = max(self.ahead, at - datetime.now(UTC))


def prepared(*, players: int, sessions: int) -> dict[str, Any]:
    """Migrate an empty database; open a table of each game; give so many people wallets, and so many of them logins."""
    call_command("migrate", interactive=False, verbosity=0)
    enrol("bench", DealerIdentity(settings.DEALER_KEY).public, "to be measured")
    table = open_table(SLUG, "Bench", "baccarat", OPTIONS, times={"betting": LONG})
    quick = {"betting": LONG, "decision": LONG, "hurry": 0, "beat": 0, "result": 0}
    open_table(DECISIONS, "Decisions", "blackjack", {**MARKET_2009, "initial_burn": "single"}, times=quick)
    for game in CROWDED:
        options = {"betting_seconds": LONG // 1000}
        open_table(game, game.title(), game, options, times={"beat": 0, "result": 0})
    there = _crowd(players)
    cookies = [_session_of(player) for player in there[:sessions]]
    BrowserSession.objects.update(seen_at=F("seen_at") - 2 * logins.SEEN_EVERY)  # who comes now is written down
    return {"table": table.pk, "players": [player.pk for player in there], "cookies": cookies}


def _crowd(number: int) -> list[Player]:
    """Players with the first credits, as `people.welcome` gives them, in one go."""
    with unit_of_work():
        there = Player.objects.bulk_create(
            [Player(username=f"bench-{i}", name=f"Bettor {i}", password="!") for i in range(number)]
        )
        Account.objects.bulk_create([Account(kind=Account.Kind.PLAYER, player=player) for player in there])
        wallet.mint(
            [
                Posting(
                    f"welcome:{player.pk}",
                    wallet.MINT,
                    wallet.player(player.pk),
                    people.FIRST_CREDITS,
                    Transfer.Reason.WELCOME,
                    player.key,
                )
                for player in there
            ],
            at=datetime.now(UTC),
        )
    return there


def _session_of(player: Player) -> str:
    """The cookie of a login of this player."""
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


class BenchTable:
    """The prepared table, and a dealer's credentials at it."""

    def __init__(self, slug: str = SLUG) -> None:
        self.clock = ToldClock()
        self.pk = Table.objects.values_list("pk", flat=True).get(slug=slug)
        self._refs = count(1)
        Lease.objects.filter(table_id=self.pk).update(expires_at=None)
        Lease.objects.exclude(table_id=self.pk).update(expires_at=self.clock.now() + LEASE)
        taken = take_lease("bench", LEASE, identity=DealerIdentity(settings.DEALER_KEY), clock=self.clock)
        assert taken is not None and taken[0] == self.pk
        self.credentials = DealerCredentials("bench", taken[1], SystemRandomness(), Vault(settings.SHOE_KEY))

    def round(self) -> RoundLog:
        """The present round, as stored."""
        log = Table.objects.select_related("round").get(pk=self.pk).round
        assert log is not None
        return log

    def step(self) -> Outcome:
        """Let the time come for what is due next, and have it done."""
        log = Table.objects.select_related("round").get(pk=self.pk).round
        if log is not None and log.due_at is not None:
            self.clock.reach(log.due_at)
        seating.heartbeat(self.pk, [], clock=self.clock)
        return advance(self.pk, self.credentials, clock=self.clock)

    def until(self, phase: str) -> RoundLog:
        """Go on until the present round is in `phase`."""
        for _ in range(100):
            log = Table.objects.select_related("round").get(pk=self.pk).round
            if log is not None and log.phase == phase:
                return log
            self.step()
        raise AssertionError(f"{phase} never came")

    def fresh_round(self) -> int:
        """Play the present round out, if there is one, and open betting in the next. Its id."""
        if Table.objects.get(pk=self.pk).round_id is not None:
            self.until("settled")
        self.step()
        return int(self.until("betting").pk)

    def played_out(self) -> tuple[float, float]:
        """Ring the bell and play the round to its end: when betting was closed, and when the last one was paid."""
        self.until("no_more_bets")
        bell = perf_counter()
        self.until("settled")
        return bell, perf_counter()

    def spots(self) -> list[str]:
        """All the spots that are sold in the present round."""
        return [offer.spot for offer in round_of(self.round()).offers("p0").bets]

    def requests(self, players: list[int], spot: str = "player") -> list[BetRequest]:
        """A bet of one credit by each of these players."""
        return [BetRequest(player, f"bench-{next(self._refs):08}", spot, CREDIT) for player in players]

    def place(self, round_id: int, requests: list[BetRequest]) -> None:
        """Place these bets in one transaction; every one must be accepted."""
        answers = betting.place_many(round_id, requests, clock=self.clock)
        refused = [answer for answer in answers if not isinstance(answer, Accepted)]
        assert not refused, refused[0]


# ── Decisions ───────────────────────────────────────────────────────────────────────────────────────────────


class Small:
    """Chance that always gives the same pack, in which the bettor's cards are small: they may hit again and again."""

    def below(self, bound: int) -> int:
        return 0

    def seed(self) -> str:
        return seed_for(cards("2s 2h 9d 3c 2d 2c 3s 3h 3d"))


def table_of_decisions() -> int:
    """Its id."""
    return int(Table.objects.values_list("pk", flat=True).get(slug=DECISIONS))


def asked(player: int) -> tuple[int, int] | None:
    """Bring the table of decisions nearer to this player's turn, while a dealer deals there; each call does one thing.
    Round and version once they may hit, else None."""
    log = Table.objects.select_related("round").get(slug=DECISIONS).round
    if log is None or log.settled_at is not None or (round_ := round_of(log)).next_house_step() is not None:
        return None
    key, ref = bettor_of(player), f"bench-{log.pk}-{log.version}"
    match str(log.phase):
        case "betting" if not round_.in_escrow():
            deeds.place(log.pk, BetRequest(player, ref, "main", CREDIT, 1))
        case "betting" | "early_window" if round_.default_for(key) or not round_.closes_early:
            decisions.decide(player, log.pk, ref, Ready(key))
        case "player_turns":
            return log.pk, log.version
    return None


# ── Many tables ─────────────────────────────────────────────────────────────────────────────────────────────


def many_tables(number: int) -> dict[str, int]:
    """Open so many tables of Baccarat: their names and ids."""
    names = [f"many-{at}" for at in range(number)]
    return {slug: open_table(slug, slug, "baccarat", OPTIONS, times={"betting": LONG}).pk for slug in names}


def betting_at(tables: dict[str, int]) -> dict[str, int]:
    """The rounds of those of these tables where betting is open."""
    there = Table.objects.filter(pk__in=tables.values(), round__phase="betting")
    return dict(there.values_list("slug", "round_id"))


def leases(tables: dict[str, int]) -> dict[str, int]:
    """The epochs of those leases of these tables that are good now."""
    held = Lease.objects.filter(table__in=tables.values(), expires_at__gt=datetime.now(UTC))
    return dict(held.values_list("table__slug", "epoch"))
