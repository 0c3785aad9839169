"""An evening of each game, deed by deed: everything that moves money at its table, and what the desk does beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from tables.games.contract.actions import Action, Lower, Move, PlaceBet, Withdraw
from tables.games.contract.errors import Refused
from tables.games.contract.round import Round
from tables.games.values.cards import cards
from tables.models import Account, Player, RoundLog, Table
from tables.services.dealing.advance import advance
from tables.services.dealing.leases import DealerCredentials, StaleLease
from tables.services.pit import adjustments, approvals, floats, lifecycle, rulings, sanctions
from tables.services.pit.deeds import Comp, Reopening, Void
from tables.services.players import people
from tables.services.rounds import betting, decisions, seating
from tables.services.rounds.betting import BetRequest
from tests.arranged import seed_for
from tests.house.kit import House, answer, void_round

CREDIT = 100

FIRST_CARDS = {
    "baccarat": "Ks 2c 4d Kh Ts 4s",  # Banker wins with 6 to 4, and pays commission
    "blackjack": "2c 8s 6s 9d 8h 5h 3c Ts 9h Th Kc",  # a pair to split and double, eleven to double; the bank has 19
    "stud_poker": "As Ks Qs Js Ts 9h 8h 7h 6h 5h 2d 4h 6s 8c Td",  # a royal flush and a straight flush win the jackpot
    "three_card_baccarat": "2c Ks Qh Jd 9c 8d 7s 2h 3h 4h",
    "roulette": "",
    "cussec": "",
}
"""With what each pack begins; throws are what follows from the same seed."""

WISHES = ("split", "double", "raise", "insurance", "stand")
"""What a bettor does who is asked: the first of these that is offered."""

TIMES_ALIKE = 2
"""So often a dealer dies over what the house owes in one phase; its further cards come without that."""


class Same:
    """Chance that gives the same pack, and the same throws, each time."""

    def __init__(self, first: str) -> None:
        self._seed = seed_for(cards(first)) if first else seed_for((), "7" * 64)

    def below(self, bound: int) -> int:
        return 0

    def seed(self) -> str:
        return self._seed


@dataclass(frozen=True)
class Deed:
    """Something that is done once. `do` answers `done`, and `again`, asked once more, as it says; None: whoever does it
    once more has done another (a guest who comes)."""

    name: str
    do: Callable[[], str]
    again: str | None
    once_more: Callable[[], str] | None = None

    def repeated(self) -> str:
        """What it is answered when it is asked for a second time."""
        return (self.once_more or self.do)()


class Evening:
    """One table of a game with two players and the staff; each deed is done by whoever goes through `deeds`."""

    def __init__(self, game: str) -> None:
        self.house = House(Same(FIRST_CARDS[game]))
        self.game = game
        self.table: Table = self.house.table(game.replace("_", "-"), game=game)
        self.ana, self.rui = (self.house.player(name) for name in ("ana", "rui"))
        staff = (("shift_manager", "manager"), ("shift_manager", "second"), ("pit_boss", "boss"), ("cage", "cage"))
        self.manager, self.second, self.boss, self.cage = (
            Player.objects.create(username=name, name=name.title(), role=role) for role, name in staff
        )
        for seat, player in enumerate((self.ana, self.rui), start=1):
            seating.sit(player.pk, self.table.pk, seat, clock=self.house.clock)
        self.house.attend(self.table, self.ana, self.rui)
        self._heirs = 0

    # ── What players and dealers do ─────────────────────────────────────────────────────────────────────────

    @property
    def log(self) -> RoundLog:
        return self.house.log(self.table)

    def of_player(self, name: str, deed: Callable[..., object], player: Player, *args: Any) -> Deed:
        ref = self.house.ref()
        does = partial(deed, player.pk, self.log.pk, ref, *args, clock=self.house.clock)
        return Deed(name, partial(answer, does), "repeated")

    def decides(self, name: str, player: Player, action: Action) -> Deed:
        return self.of_player(name, decisions.decide, player, action)

    def bets(self, name: str, *wanted: tuple[Player, int]) -> Deed:
        """A burst of bets: so many of each of these players, on different spots where there are several."""
        requests: list[BetRequest] = []
        scratch = self.house.round(self.table)
        for player, many in wanted:
            taken: list[str] = []
            for _ in range(many):
                found = self._another(scratch, player, taken)
                if found is not None:
                    scratch, bet = found
                    taken.append(bet.spot)
                    requests.append(BetRequest(player.pk, self.house.ref(), bet.spot, bet.amount, bet.box))
        assert requests, "no bet is offered"
        return Deed(name, partial(self._burst, self.log.pk, requests), "repeated")

    def _another(self, round_: Round, player: Player, taken: list[str]) -> tuple[Round, PlaceBet] | None:
        """A bet that the round takes now, and the round with it: on another spot than these, and in their own box."""
        seat = round_.seats.get(player.key)
        offers = round_.offers(player.key).bets
        for offer in sorted(offers, key=lambda one: (taken.count(one.spot), one.box not in (None, seat))):
            cents = offer.least + (offer.step if offer.most is None or offer.least < offer.most else 0)
            bet = PlaceBet(player.key, f"try-{player.key}-{len(taken)}", offer.spot, cents, offer.box)
            try:
                return round_.apply(bet), bet
            except Refused:
                continue
        return None

    def _burst(self, log: int, requests: list[BetRequest]) -> str:
        came = betting.place_many(log, requests, clock=self.house.clock)
        said = {one.article if isinstance(one, Refused) else "repeated" if one.repeated else "done" for one in came}
        return said.pop() if len(said) == 1 else str(came)

    def dealer(self, name: str = "") -> Deed:
        """The one thing that is due. Whoever finds it done is another dealer: the dead one does nothing more."""
        self.house.due(self.table)
        name = name or f"dealer at {Table.objects.values_list('round__phase', flat=True).get(pk=self.table.pk)}"
        return Deed(name, self._advance, "stale", self._heir_comes)

    def _advance(self) -> str:
        return "done" if self.house.advance(self.table).acted else "nothing was due"

    def _heir_comes(self) -> str:
        dead: DealerCredentials = self.house.credentials(self.table)
        self._heirs += 1
        self.house.take_over(self.table, f"heir {self._heirs}")
        try:
            advance(self.table.pk, dead, clock=self.house.clock)
        except StaleLease:
            return "stale"
        return "the dead dealer dealt on"

    def credentials(self) -> dict[int, DealerCredentials]:
        """Who deals here, to be put back with the database."""
        return dict(self.house._credentials)

    def put_back(self, credentials: dict[int, DealerCredentials]) -> None:
        self.house._credentials = dict(credentials)

    # ── The evening ─────────────────────────────────────────────────────────────────────────────────────────

    def deeds(self) -> Iterator[Deed]:
        """All of it. Each deed must have been done when the next is asked for."""
        yield from self._round()
        yield from self._void_round()
        yield from self._desk()
        yield from self._closing()

    def _round(self) -> Iterator[Deed]:
        house, table = self.house, self.table
        house.until(table, "betting")
        yield self.bets("bets", (self.ana, 3), (self.rui, 2))
        yield self.bets("bet", (self.rui, 1))
        for kind in (Lower, Move, Withdraw):
            action = self._change(self.rui, kind)
            if action is not None:
                yield self.decides(action.do, self.rui, action)
        yield self.bets("bet", (self.ana, 1))
        yield self.of_player("undo", betting.undo, self.ana)
        if any(stake.by == self.rui.key for stake in house.round(table).stakes()):
            yield self.of_player("clear", betting.clear, self.rui)
        yield self.bets("bets", (self.rui, 3))
        dealt = Counter[str]()
        while not house.round(table).over:
            round_ = house.round(table)
            if round_.next_house_step() is None:
                for player in (self.ana, self.rui):
                    offered = {action.do: action for action in round_.offers(player.key).actions}
                    wish = next((offered[name] for name in WISHES if name in offered), None)
                    if wish is not None and (round_.default_for(player.key) is not None or wish.do == "raise"):
                        yield self.decides(wish.do, player, wish)
                        break
                else:
                    yield self.dealer()
            elif dealt[round_.phase] < TIMES_ALIKE:
                dealt[round_.phase] += 1
                yield self.dealer()
            else:
                house.step(table)

    def _change(self, player: Player, kind: type[Action]) -> Action | None:
        """A change of this kind to a stake of this player, if there is one."""
        round_ = self.house.round(self.table)
        offers = round_.offers(player.key)
        stakes = [stake for stake in round_.stakes() if stake.by == player.key]
        wishes: list[Action] = [one for one in offers.actions if isinstance(one, kind)]
        if kind is Lower:
            wishes = [Lower(player.key, stake.bet, CREDIT) for stake in stakes]
        if kind is Move:
            wishes = [
                Move(player.key, stake.bet, offer.spot, offer.box)
                for stake in stakes
                if stake.bet in offers.movable
                for offer in offers.bets
                if (offer.spot, offer.box) != (stake.spot, stake.box)
            ]
        for wish in wishes:
            try:
                round_.apply(wish)
            except Refused:
                continue
            return wish
        return None

    def _void_round(self) -> Iterator[Deed]:
        """A second person approves a ruling that voids the round, or the house does it, where the game knows of none (a
        throw is made again); a jackpot stake of it is refunded in the next."""
        house, table = self.house, self.table
        house.step(table)
        house.until(table, "betting")
        yield self.bets("bets", (self.ana, 2), (self.rui, 2))
        yield self.dealer("dealer closes betting")
        log = self.log
        name = self.voiding(log)
        if name is None:
            yield Deed("void", self._says(void_round, log.pk, "a power cut"), "closed")
        else:
            asked = Void(log.pk, name, None, house.ref())
            request = approvals.ask(self.boss, asked, "the cards fell", clock=house.clock)
            yield Deed("void", self._says(approvals.approve, self.second, request.pk), "")
        if self.game == "stud_poker":
            seating.stand_up(self.rui.pk, table.pk, clock=house.clock)
            yield self.dealer("dealer opens a round")
            yield self.dealer("dealer refunds")

    def voiding(self, log: RoundLog) -> str | None:
        """An irregularity that would void this round now, if the game knows of one."""
        open_now = [one.name for one, is_open in rulings.open_to(log) if is_open and one.boxes is None]
        return next((name for name in open_now if rulings.preview(log, name).voids), None)

    def _says(self, deed: Callable[..., object], *args: Any, **more: Any) -> Callable[[], str]:
        return partial(answer, partial(deed, *args, **more, clock=self.house.clock))

    def _desk(self) -> Iterator[Deed]:
        house, table, clock = self.house, self.table, self.house.clock
        lin = house.player("lin")
        gives = self._says(sanctions.comp, self.manager, lin.pk, 50 * CREDIT, "a long wait", ref=house.ref())
        yield Deed("comp", gives, "done")
        request = approvals.ask(self.manager, Comp(lin.pk, 5_000 * CREDIT), "a birthday", clock=clock)
        yield Deed("comp by two", self._says(approvals.approve, self.second, request.pk), "")
        for cents in (70 * CREDIT, 100 * CREDIT - 15_120 * CREDIT):
            asked = adjustments.ask(self.boss, lin.pk, cents, "paid on the wrong spot", clock=clock)
            yield Deed("adjustment", self._says(adjustments.approve, self.manager, asked.pk), "")
        assert house.balance(lin) == 100 * CREDIT
        yield Deed("top-up", self._says(people.top_up, lin.pk), "credits")
        yield Deed("guest", self._says(people.new_guest), None)
        for kind in ("fill", "credit"):
            order = floats.order_chips(self.boss, table.pk, kind, 1_000 * CREDIT, clock=clock)
            yield Deed(kind, self._says(floats.confirm_chips, self.cage, order.pk), "")

    def _closing(self) -> Iterator[Deed]:
        """The table closes, its float is counted, and it opens again."""
        house, table = self.house, self.table
        lifecycle.close(self.boss, table.pk, Table.Closing.AFTER_ROUND, clock=house.clock)
        while Table.objects.get(pk=table.pk).open:
            yield self.dealer("dealer closes the table")
        asked = Reopening(table.pk, 2_000_000 * CREDIT)
        request = approvals.ask(self.boss, asked, "a busy night", clock=house.clock)
        yield Deed("reopening", self._says(approvals.approve, self.cage, request.pk), "")

    def ended(self) -> dict[str, Any]:
        """What everybody holds in the end."""
        named = Account.objects.select_related("player", "table")
        return {f"{a.kind} {a.player or a.table or a.jackpot_id or a.realm}": a.balance for a in named}
