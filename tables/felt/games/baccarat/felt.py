"""The felt of Baccarat: cards, result, roads, and what a holder decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import get_language, gettext, gettext_noop, pgettext

from tables.felt.contract import FeltOf, RoundResult
from tables.felt.formatting import card_name, credits_of, listed, sentence, text_of
from tables.felt.shared.cutting import cut_called, cut_said, who_cuts
from tables.felt.shared.fragments import Context, Draft, Fragments, Templates
from tables.felt.shared.house_rules import house_rules as in_words
from tables.felt.shared.phases import PHASES
from tables.felt.shared.results import Line, gone_back, my_result, paid_line, taken_down
from tables.games.baccarat import GAME, BaccaratRound, Phase, Waive
from tables.games.baccarat.bets import SPOTS
from tables.games.baccarat.coup import Hand, Winner
from tables.games.baccarat.options import Burn, CommissionMode, Device, Options
from tables.games.baccarat.roads import Bead, Mark, bead_plate, big_road
from tables.games.baccarat.view import HandView, PlayerView, View
from tables.games.contract.round import Payout
from tables.queries.table import TableState

from .lesson import LESSON, LIKED, LINES
from .rulebook import RULEBOOK
from .story import BaccaratStory
from .tables import KIOSK_TABLES, TABLES

_TEMPLATES = Templates(GAME.slug)


class BaccaratFelt(FeltOf[Options, BaccaratRound, View]):
    """What the felt of this game shows and says."""

    rules = GAME
    baize = "green"
    story = BaccaratStory()
    rulebook = RULEBOOK
    lesson = LESSON
    lines = LINES
    liked = LIKED
    main_bets = {spot: SPOTS[spot].title for spot in ("player", "banker")}
    tables = TABLES
    kiosk_tables = KIOSK_TABLES
    no_cards = {"hands": ()}
    no_decision = {"mine": None}
    phases = {
        **PHASES,
        Phase.DEMO: gettext_noop("Demonstration round"),
        Phase.OPEN_PLAYER: gettext_noop("The Player opens"),
        Phase.OPEN_BANKER: gettext_noop("The Banker opens"),
        Phase.PLAYER_THIRD: gettext_noop("Third card for the Player"),
        Phase.BANKER_THIRD: gettext_noop("Third card for the Banker"),
    }

    def result_words(self, result: RoundResult) -> str:
        """One result in a few words, for lists."""
        if result.get("void"):
            return gettext("Void")
        names = {"player": gettext("Player"), "banker": gettext("Banker"), "tie": gettext("Tie")}
        return gettext("%(winner)s, %(player)s to %(banker)s") % {
            "winner": names[result["winner"]],
            "player": result["player"],
            "banker": result["banker"],
        }

    def said(self, view: View, names: Mapping[str, str]) -> list[str]:
        """What a screen reader tells now: the newest that has happened."""
        told = [sentence(self.phase_words(view.phase))]
        match view.phase:
            case Phase.CUT:
                told += cut_said(view.cut, names)
            case Phase.BETTING:
                told += [sentence(text_of(note.words)) for note in view.notes]
            case Phase.OPEN_PLAYER | Phase.DEAL | Phase.ROUND_BURN | Phase.BURN | Phase.DEMO:
                pass
            case Phase.OPEN_BANKER:
                told.append(_read(view.player))
            case Phase.PLAYER_THIRD:
                told.append(_read(view.banker))
            case Phase.BANKER_THIRD:
                told.append(_read(view.player if len(view.player.cards) == 3 else view.banker))
            case Phase.RESULT | Phase.SETTLED:
                told += [_read(view.player), _read(view.banker)]
            case Phase.VOID:
                told = [sentence(text_of(note.words)) for note in view.notes]
        if view.outcome is not None:
            told.append(sentence(text_of(view.outcome.why.words)))
        return told

    def facts(self, options: Options) -> list[str]:
        """The options that a player chooses a table by."""
        told = [
            gettext("5% commission")
            if options.commission_mode is CommissionMode.FIVE_PERCENT
            else gettext("No commission, half on a win with 6"),
            gettext("Automatic machine") if options.dealing_device is Device.AUTO_MACHINE else gettext("Shoe"),
            gettext("%(decks)s decks") % {"decks": options.decks},
        ]
        if options.lucky_six:
            told.append(gettext("Lucky 6"))
        return told

    def road(self, results: Sequence[RoundResult]) -> str:
        """The big road, small, for the lobby."""
        return _road(_marks(results), get_language() or "")

    def signs(self, view: View) -> list[str]:
        """Short facts for the rail: the last round."""
        if view.last_round:
            return [gettext("Last round")]
        return [gettext("One more round")] if view.next_is_last else []

    def holds(self, view: View) -> Mapping[str, list[str]]:
        """Bettor -> the hands that they hold, or the cut that they are offered."""
        marks = who_cuts(view.cut)
        for hand in view.hands:
            if hand.holder is not None and view.outcome is None:
                marks.setdefault(hand.holder, []).append(_holds(hand.hand))
        return marks

    def public(self, state: TableState, view: View) -> Fragments:
        """The cards, the result and the roads."""
        return {
            "cards": _TEMPLATES.fragment(
                "cards",
                view=view,
                options=state.options,
                names=state.names,
                said=_dealer_says(view, state),
                pile=[f"burnt-{place}" for place in range(min(_burnt(view), MOST_BURNT))],
            ),
            "result": _TEMPLATES.fragment("result", view=view, names=state.names),
            "roads": _roads(
                _marks(state.results), 0 if state.options.by_machine else state.shoe_number, get_language() or ""
            ),
        }

    def private(self, state: TableState, view: View, public: View) -> Mapping[str, Draft]:
        """The bettor's own unturned cards, their decision and their result."""
        mine = view.mine
        assert mine is not None
        hidden = {
            (hand.hand, place) for hand in public.hands for place, card in enumerate(hand.cards) if card.face is None
        }
        held = [
            (hand, [(place, card) for place, card in enumerate(hand.cards) if (hand.hand, place) in hidden])
            for hand in view.hands
            if hand.hand in mine.holds
        ]
        holding = _holding(mine)
        return {
            "my-cards": _TEMPLATES.draft("my_cards", hands=[(hand, cards) for hand, cards in held if cards])
            if held
            else _TEMPLATES.shared("my_cards", hands=()),
            "my-result": my_result(GAME.slug, _lines(mine), mine.payouts, over=bool(mine.payouts)),
            "decision": _TEMPLATES.draft("decision", mine=mine, names=state.names, holding=holding)
            if holding or mine.cut or mine.may_turn
            else _TEMPLATES.shared("decision", mine=None),
        }

    def layout(self, state: TableState, view: View) -> Context:
        """What the drawn layout needs beside the fragments."""
        return {
            "spots": {spot.key: spot for spot in view.spots},
            "history_title": gettext("Roads"),
            "house_rules": house_rules(state.options),
            "machine": state.options.by_machine,
            "cards_in_pack": state.options.decks * 52,
            "half_of_pack": state.options.decks * 26,
        }


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────


def _holds(hand: Hand) -> str:
    return gettext("holds the Player") if hand is Hand.PLAYER else gettext("holds the Banker")


def _read(hand: HandView) -> str:
    cards = listed([card_name(card.face) for card in hand.cards])
    if hand.total is None:
        return gettext("%(hand)s: %(cards)s.") % {"hand": text_of(hand.title), "cards": cards}
    return gettext("%(hand)s: %(cards)s; points: %(total)s.") % {
        "hand": text_of(hand.title),
        "cards": cards,
        "total": hand.total,
    }


# ── Options ─────────────────────────────────────────────────────────────────────────────────────────────────

SHOE_ONLY = {"cut_card_depth", "burn_mode", "burn_fixed_n", "burn_indicator", "demo_rounds", "last_round_rule"} | {
    "burn_each_round",
    "hold_cards",
}
"""Options that mean nothing where a machine deals."""


def house_rules(options: Options) -> list[tuple[str, str, str]]:
    """The options of the table in words: what it is about, what the house has chosen, the article."""
    unsaid = {"seats"} | (SHOE_ONLY if options.by_machine else set())
    if options.burn_mode is not Burn.BY_FIRST_CARD:
        unsaid.add("burn_indicator")
    told = in_words(options, unsaid, {"imbalance_limit": credits_of, "layouts": _layouts})
    if options.by_machine:
        return told
    by = gettext("the house's sealed shuffle stands in for it; then the cards are cut")
    return [(gettext("Shuffling machine"), by, "1(4)"), *told]


def _layouts(layouts: int) -> str:
    return "1" if layouts == 1 else gettext("2, drawn here as one with the boxes of both")


# ── What everybody sees ─────────────────────────────────────────────────────────────────────────────────────

Marks = tuple[tuple[str, bool, bool], ...]
"""Results as far as roads show them: winner, player pair, banker pair."""


def _marks(results: Iterable[RoundResult]) -> Marks:
    return tuple((r["winner"], r["player_pair"], r["banker_pair"]) for r in results if "winner" in r)


def _results(marks: Marks) -> list[RoundResult]:
    return [{"winner": winner, "player_pair": player, "banker_pair": banker} for winner, player, banker in marks]


@lru_cache(maxsize=256)
def _roads(marks: Marks, shoe: int, language: str) -> str:
    """Both roads, drawn once a result and language."""
    return _TEMPLATES.fragment("roads", roads=Roads.of(_results(marks)), shoe=shoe)


@lru_cache(maxsize=256)
def _road(marks: Marks, language: str) -> str:
    """The big road alone, drawn once a result and language."""
    results = _results(marks)
    return _TEMPLATES.fragment("road", road=Road.big(results, road_words(results)))


MOST_BURNT = 12
"""So many cards are drawn on the pile of the burnt ones."""


def _burnt(view: View) -> int:
    """Cards burnt face down after the cut."""
    if view.burn is None:
        return 0
    return view.burn.burnt - (view.burn.indicator is not None)


def _dealer_says(view: View, state: TableState) -> list[str]:
    """What the dealer says over the empty felt, before cards are dealt: cut, burn, demonstration."""
    if view.phase not in (Phase.CUT, Phase.BURN, Phase.DEMO):
        return []
    return cut_called(view.cut, state.names, cutting=view.phase is Phase.CUT)


# ── What one bettor sees ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Holding:
    """A hand that the bettor holds and may still give away: `others` may hold it next."""

    hand: Hand
    others: tuple[str, ...]


def _holding(mine: PlayerView) -> list[Holding]:
    waivable = [action.hand for action in mine.offers.actions if isinstance(action, Waive)]
    others = dict(mine.may_pass_to)
    return [Holding(hand, others.get(hand, ())) for hand in waivable]


def _lines(mine: PlayerView) -> list[Line]:
    """One line a spot: what was won or lost, of what it is made up, and why."""
    by_spot: dict[str, list[Payout]] = {}
    for payout in mine.payouts:
        by_spot.setdefault(payout.spot, []).append(payout)
    if by_spot:
        return [
            paid_line(
                GAME.spots[spot].title,
                several[0].why.words,
                several[0].why.article,
                stake=sum(payout.stake for payout in several),
                returned=sum(payout.returned for payout in several),
                carried=sum(payout.carried for payout in several),
                fee=sum(payout.commission for payout in several),
            )
            for spot, several in by_spot.items()
        ]
    lines = [*gone_back(GAME, mine.went_back), *taken_down(mine.refusals)]
    for trim in mine.trims:
        words = gettext("%(amount)s taken off, %(left)s stays") % {
            "amount": credits_of(trim.amount, exact=True),
            "left": credits_of(trim.left, exact=True),
        }
        lines.append(Line(GAME.spots[trim.spot].title, "down", words, trim.why.words, trim.why.article))
    return lines


# ── The layout and the roads ────────────────────────────────────────────────────────────────────────────────

CELL = 20
"""The side of a cell of a road, in units of its drawing."""

MIDDLE, BASELINE = 10, 14
"""Where the dot of a cell lies, and where its letter stands, from its corner."""

MOST_COLUMNS = 40
"""Older columns of a road are not drawn."""


@dataclass(frozen=True, slots=True)
class Wins:
    """All results of one kind in a road: their dots as one path, and their letters with the place of each."""

    winner: str
    dots: str
    letters: str
    across: str
    down: str

    @classmethod
    def of(cls, winner: Winner, cells: Sequence[tuple[int, int]]) -> Wins:
        across = " ".join(str(x + MIDDLE) for x, _ in cells)
        down = " ".join(str(y + BASELINE) for _, y in cells)
        return cls(winner, _dots(cells, MIDDLE), letter(winner) * len(cells), across, down)


@dataclass(frozen=True, slots=True)
class Road:
    """One road, drawn: its newest columns. `words` tells its end to whoever does not see it.

    A few paths for all results, however many there are: each round sends the roads to everybody at the table.
    """

    title: str
    words: str
    width: int
    wins: tuple[Wins, ...]
    holes: str
    """What makes rings of the dots."""
    ties: str
    several: tuple[tuple[int, int, int], ...]
    """Where more ties than one followed a win, and how many."""
    banker_pairs: str
    player_pairs: str

    @classmethod
    def bead(cls, results: Sequence[RoundResult], words: str) -> Road:
        return cls._of(bead_plate(results), gettext("Bead plate."), words, rings=False)

    @classmethod
    def big(cls, results: Sequence[RoundResult], words: str) -> Road:
        return cls._of(big_road(results), gettext("Big road."), words, rings=True)

    @classmethod
    def _of(cls, marks: Sequence[Bead | Mark], title: str, words: str, *, rings: bool) -> Road:
        columns = max((mark.column for mark in marks), default=0) + 1
        first = max(0, columns - MOST_COLUMNS)
        shown = [(mark, (mark.column - first) * CELL, mark.row * CELL) for mark in marks if mark.column >= first]
        ties = [(x, y, mark.ties) for mark, x, y in shown if isinstance(mark, Mark) and mark.ties]
        return cls(
            title,
            words,
            (columns - first) * CELL,
            tuple(
                Wins.of(winner, cells)
                for winner in Winner
                if (cells := [(x, y) for mark, x, y in shown if mark.winner is winner])
            ),
            _dots([(x, y) for mark, x, y in shown if mark.winner], MIDDLE) if rings else "",
            "".join(f"M{x + 3} {y + 17}l14-14" for x, y, _ in ties),
            tuple((x + 16, y + 19, times) for x, y, times in ties if times > 1),
            _dots([(x, y) for mark, x, y in shown if mark.banker_pair], 4),
            _dots([(x, y) for mark, x, y in shown if mark.player_pair], 16),
        )


def _dots(cells: Iterable[tuple[int, int]], at: int) -> str:
    """A path of nothing but ends, so far from the corner of each cell: with round ones it is a row of dots."""
    return "".join(f"M{x + at} {y + at}h0" for x, y in cells)


@dataclass(frozen=True, slots=True)
class Roads:
    """Both roads of a shoe, and how often each has won."""

    bead: Road
    big: Road
    counts: tuple[tuple[str, str, int], ...]

    @classmethod
    def of(cls, results: Sequence[RoundResult]) -> Roads:
        words = road_words(results)
        played = [result["winner"] for result in results if "winner" in result]
        return cls(
            Road.bead(results, words),
            Road.big(results, words),
            tuple((winner, letter(winner), played.count(winner)) for winner in ("player", "banker", "tie")),
        )


def letter(winner: str) -> str:
    """What stands in a road for a result, so that nobody must tell it by its colour."""
    if winner == "player":
        return pgettext("road", "P")
    return pgettext("road", "B") if winner == "banker" else pgettext("road", "T")


def road_words(results: Sequence[RoundResult]) -> str:
    """The last results one after the other, the newest last."""
    names = {"player": gettext("Player"), "banker": gettext("Banker"), "tie": gettext("Tie")}
    played = [names[result["winner"]] for result in results if "winner" in result]
    if not played:
        return gettext("No results yet in this shoe.")
    return gettext("The last results, the newest last: %(results)s.") % {"results": listed(played[-20:])}
