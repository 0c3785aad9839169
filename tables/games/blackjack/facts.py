"""The facts of a round of Blackjack, and what can be read from them at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tables.games.contract.actions import DrawCard, Void
from tables.games.contract.round import Opening, Payout, Progress, Refusal
from tables.games.shared.card_round import CardRound, NewShoeProcedure
from tables.games.shared.stakes import Stakes
from tables.games.values.cards import Card
from tables.games.values.words import Note, say

from . import turns, window
from .boxes import Box, open_on
from .options import Options, RoundBurn
from .phases import Asks, Follow, Overdraw, Phase
from .settling import Part, hand_part
from .window import Window

_MAY_PRESET = (Phase.BETTING, Phase.ROUND_BURN, Phase.DEAL, Phase.EARLY_WINDOW, Phase.PLAYER_TURNS)
"""When a bettor may say what is to be done automatically."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is being decided: of which box and hand (its number in the box), and who has not answered yet."""

    asks: Asks
    who: tuple[str, ...]
    box: int | None = None
    hand: int | None = None


At = Progress[Phase, Asked]
"""Where a round is; `asked` is what is being decided."""


@dataclass(frozen=True)
class Facts(CardRound[Phase, Asked]):
    """The facts of a round, folded so far. Everything else is derived from them.

    `boxes` come into being when betting closes, from box 1. `offer` is what the others on a box are asked after a
    double, a split or a fifth card. `burnt` cards were burnt in this round, `exposed_cards` came out face up and
    are void, `extra_card` is the one that the bank should not have drawn. `paid` is what the house has paid and
    collected, in order.
    """

    options: Options
    opening: Opening
    seats: Mapping[str, int]
    ceremony: NewShoeProcedure | None
    layout: Stakes
    ready: frozenset[str] = frozenset()
    follows: Mapping[str, Follow] = field(default_factory=dict)
    closing: tuple[Refusal, ...] | None = None
    boxes: tuple[Box, ...] = ()
    bank: tuple[Card, ...] = ()
    hole_turned: bool = False
    burnt: tuple[Card, ...] = ()
    exposed_cards: tuple[Card, ...] = ()
    window: Window = Window()
    offer: Asked | None = None
    overdraw: Overdraw | None = None
    extra_card: Card | None = None
    white: bool = False
    paid: Mapping[Part, Payout] = field(default_factory=dict)
    settled: bool = False
    void: Void | None = None
    progress: At = field(init=False, compare=False, repr=False)

    @property
    def is_last(self) -> bool:
        """Whether the white card has announced the last round of the shoe (2(2)(1))."""
        return self.white

    @property
    def ends_shoe(self) -> bool:
        return self.options.fresh_pack or self.is_last

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        return self.closing or ()

    @property
    def silence(self) -> Note | None:
        """From the first card that is dealt to a box; by the first reading only in the turns."""
        if self.phase is not Phase.PLAYER_TURNS and not (self.is_read_anew and self._is_to_be_decided):
            return None
        return Note("20(2)", say("From the first card to the last decision nobody may talk at the table"))

    @property
    def _is_to_be_decided(self) -> bool:
        """Whether a card has come out for the boxes, and the turns have not begun."""
        begun = bool(self.exposed_cards) or any(box.dealt for box in self.boxes)
        return begun and self.phase in (Phase.DEAL, Phase.EARLY_WINDOW)

    # ── The pack and the bank ──

    @property
    def burn_owed(self) -> int:
        """Cards that are still to be burnt after the shuffle (4(1))."""
        return 0 if self.ceremony is None else self.options.burnt_first - len(self.first_burnt)

    @property
    def up(self) -> Card:
        """The bank's open card."""
        return self.bank[0]

    @property
    def bank_shown(self) -> tuple[Card, ...]:
        """The bank's cards that lie open."""
        return self.bank[:1] if self.options.has_hole_card and not self.hole_turned else self.bank

    @property
    def burns_first(self) -> int:
        """Cards burnt at the start of this round: it follows another one of the same pack (4(2))."""
        follows = not self.opening.first_round and (self.options.by_machine or not self.options.fresh_pack)
        return int(follows and self.options.round_burn is not RoundBurn.NONE)

    @property
    def burns(self) -> int:
        """Cards burnt in this round until the bank has its second card."""
        return self.burns_first + (self.options.round_burn is RoundBurn.FOLLOWING_AND_SECOND)

    @property
    def out(self) -> int:
        """Cards that have come out so far, the white one included."""
        dealt = sum(len(box.dealt) for box in self.boxes) + len(self.bank)
        burnt = len(self.first_burnt) + len(self.burnt)
        return burnt + len(self.exposed_cards) + dealt + bool(self.extra_card) + self.white

    @property
    def burns_next(self) -> bool:
        """Whether the next card is burnt: at the start, or before the bank's second card (4(2))."""
        match self.phase:
            case Phase.ROUND_BURN:
                return True
            case Phase.BANK_SECOND:
                return len(self.burnt) < self.burns
            case _:
                return False

    def puts_aside(self, draw: DrawCard) -> bool:
        """Whether this card, coming next, is void: it lies face up (5(1)(1)), or the bank should not draw it (6(1))."""
        if self.phase is Phase.RESULT:
            return True
        dealt = self.phase in (Phase.DEAL, Phase.PLAYER_TURNS, Phase.BANK_SECOND, Phase.BANK_DRAW)
        return draw.exposed and dealt and not self.burns_next and not self._is_valid_though_exposed

    @property
    def _is_valid_though_exposed(self) -> bool:
        """Whether it is the very first card after the shuffle, and the house plays it (5(1)(1))."""
        nothing_yet = not self.bank and not self.exposed_cards and not any(box.dealt for box in self.boxes)
        return self.options.exposed_first_card_valid and self.opening.first_round and nothing_yet

    @property
    def is_overdrawn(self) -> bool:
        """Whether the card that the bank wrongly drew must still be put away (6(1))."""
        if self.overdraw is None or self.extra_card is not None:
            return False
        return self.overdraw.shown or not self.options.unseen_overdraw_valid

    @property
    def may_overdraw(self) -> bool:
        """Whether the bank could wrongly draw here: it stands, and has not done so already."""
        return self.overdraw is None and self.is_main_open()

    # ── The boxes ──

    @property
    def acting(self) -> tuple[Box, int] | None:
        """The first hand from the left that is not finished: its box, and its number in it (6(3), R7)."""
        for box in self.boxes:
            for at, hand in enumerate(box.hands):
                if not turns.is_finished(self.options, self.up, box, hand):
                    return box, at
        return None

    def box(self, number: int) -> Box | None:
        """The box of this number, if there is a stake on it."""
        return next((box for box in self.boxes if box.number == number), None)

    def next_place(self) -> int | None:
        """Whose card is dealt next: the number of a box among `boxes`, or their number for the bank; None when done."""
        count = len(self.boxes)
        dealt = min(len(self.bank), 2)
        for box in self.boxes:
            dealt += min(len(box.dealt), 2)
        if dealt <= 2 * count:
            return dealt if dealt <= count else dealt - count - 1
        return count if self.options.has_hole_card and len(self.bank) < 2 else None

    def is_main_open(self) -> bool:
        """Whether a main stake is undecided."""
        return any(open_on(self.options, self.up, box, hand) for box in self.boxes for hand in box.hands)

    def open_here(self) -> list[str]:
        """The bettors whose stake on the acting hand is undecided, whoever decides first."""
        acting = self.acting
        assert acting is not None
        box, at = acting
        return open_on(self.options, self.up, box, box.hands[at])

    # ── Who may do something ──

    @property
    def is_after_window(self) -> bool:
        """Whether all first cards lie there and nobody is asked before the turns any more."""
        return bool(self.boxes) and self.next_place() is None and not self.asked_early

    @property
    def asked_early(self) -> tuple[str, ...]:
        """Who still has something to answer before the turns."""
        return window.asked(self.options, self.up, self.boxes, self.window)

    @property
    def calls_totals(self) -> bool:
        """Whether the bank calls the totals now: all first cards lie there, and nobody has decided anything (6(5))."""
        answered = any(box.insured or box.even or box.surrendered for box in self.boxes)
        return self.phase in (Phase.EARLY_WINDOW, Phase.PLAYER_TURNS) and self.window == Window() and not answered

    def may_begin(self, who: str) -> bool:
        """Whether the window waits for this bettor only, so that they may act in their turn at once.

        Where cards lie face down, the viewer must see why earlier boxes do not act: else it would tell their cards.
        """
        if self.phase is not Phase.EARLY_WINDOW or self.asked_early != (who,) or self.acting is None:
            return False
        before = (box for box in self.boxes if box.number < self.acting[0].number)
        return not self.options.face_down or all(box.surrendered or box.bettor(who) for box in before)

    def may_preset(self, who: str) -> bool:
        """Whether this bettor may say now what is to be done automatically."""
        return self.phase in _MAY_PRESET and self.takes_part(who)

    # ── Money ──

    def laid(self, who: str | None = None) -> dict[str, int]:
        """Bet -> all cents that were laid down for it, with all that grew out of it; of one bettor, or of everybody."""
        stakes = self.layout if who is None else self.layout.of_bettor(who)
        laid = {stake.bet: stake.amount for stake in stakes}
        for box in self.boxes:
            for bettor in box.bettors:
                if bettor.bet in laid:
                    laid[bettor.bet] = box.laid(bettor.who)
        return laid

    def on_felt(self) -> dict[str, int]:
        """Bet -> cents that lie on the felt: all that was laid down for it, without what the house has collected. In a
        void round nothing is."""
        lies = self.laid()
        if not self.is_void:
            for payout in self.paid.values():
                if payout.bet in lies:
                    lies[payout.bet] -= max(0, payout.stake - payout.returned)
        return lies

    def payouts(self) -> tuple[Payout, ...]:
        return tuple(self.paid.values())

    def hand_of(self, payout: Payout) -> int | None:
        box = next((box for box in self.boxes for bettor in box.bettors if bettor.bet == payout.bet), None)
        if box is None or len(box.hands) < 2:
            return None
        parts = {part for part, paid in self.paid.items() if paid is payout}
        return next((at for at, hand in enumerate(box.hands, 1) if hand_part(payout.bet, hand) in parts), None)
