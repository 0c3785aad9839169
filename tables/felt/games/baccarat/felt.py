"""The felt of Baccarat: cards, result, roads, and what a holder decides."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import get_language, gettext, gettext_noop

from tables.felt.contract import FeltOf, RoundResult
from tables.felt.formatting import card_name, credits_of, listed, sentence, text_of
from tables.felt.shared.cutting import cut_called, cut_said, who_cuts
from tables.felt.shared.fragments import Context, Draft, Fragments, Templates
from tables.felt.shared.house_rules import house_rules as in_words
from tables.felt.shared.lately import Lately
from tables.felt.shared.phases import PHASES
from tables.felt.shared.results import Line, gone_back, my_result, paid_line, taken_down
from tables.felt.shared.squeeze import bends_of
from tables.games.baccarat import GAME, BaccaratRound, Phase
from tables.games.baccarat.bets import SPOTS
from tables.games.baccarat.coup import Hand
from tables.games.baccarat.options import Burn, CommissionMode, Device, Options
from tables.games.baccarat.phases import OPENING
from tables.games.baccarat.view import HandView, PlayerView, View
from tables.games.contract.round import Payout
from tables.queries.table import TableState

from .drawn_roads import Road, Roads, letter, names_of_winners, road_words
from .lesson import LESSON, LIKED, LINES
from .rulebook import BaccaratRulebook
from .story import BaccaratStory
from .tables import KIOSK_TABLES, TABLES

_TEMPLATES = Templates(GAME.slug)


class BaccaratFelt(FeltOf[Options, BaccaratRound, View]):
    rules = GAME
    baize = "green"
    story = BaccaratStory()
    rulebook = BaccaratRulebook()
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
        Phase.OPEN_PLAYER: gettext_noop("The Player's cards"),
        Phase.OPEN_BANKER: gettext_noop("The Banker's cards"),
        Phase.PLAYER_THIRD: gettext_noop("Third card for the Player"),
        Phase.BANKER_THIRD: gettext_noop("Third card for the Banker"),
    }

    def ended_words(self, result: RoundResult) -> str:
        return gettext("%(winner)s, %(player)s to %(banker)s") % {
            "winner": names_of_winners()[result["winner"]],
            "player": result["player"],
            "banker": result["banker"],
        }

    def said(self, view: View, names: Mapping[str, str]) -> list[str]:
        told = [sentence(self.phase_words(view.phase))]
        match view.phase:
            case Phase.CUT:
                told += cut_said(view.cut, names)
            case Phase.BETTING:
                told += [sentence(text_of(note.words)) for note in view.notes]
            case Phase.OPEN_PLAYER | Phase.DEAL | Phase.ROUND_BURN | Phase.BURN | Phase.DEMO:
                told += _squeezed(view, names)
            case Phase.OPEN_BANKER:
                told.append(_read(view.player))
                told += _squeezed(view, names)
            case Phase.PLAYER_THIRD:
                told.append(_read(view.banker))
                told += _squeezed(view, names)
            case Phase.BANKER_THIRD:
                told.append(_read(view.player if len(view.player.cards) == 3 else view.banker))
                told += _squeezed(view, names)
            case Phase.RESULT | Phase.SETTLED:
                told += [_read(view.player), _read(view.banker)]
            case Phase.VOID:
                told = [sentence(text_of(note.words)) for note in view.notes]
        if view.outcome is not None:
            told.append(sentence(text_of(view.outcome.why.words)))
        return told

    def facts(self, options: Options) -> list[str]:
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

    def lately(self, results: Sequence[RoundResult]) -> Lately | None:
        """Who won last; a tie between ends no streak, as on the big road."""
        winners = [winner for winner, *_ in _marks(results)]
        if winners and winners[-1] != "tie":
            winners = [winner for winner in winners if winner != "tie"]
        return Lately.of([(winner, letter(winner)) for winner in winners], names_of_winners())

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
            "cards": _cards(state, view),
            "result": _TEMPLATES.same(
                "result", outcome=view.outcome, void=view.void, hands=view.hands, notes=view.notes
            ),
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
            if hand.hand in mine.holds and (not view.squeeze or hand.hand is mine.may_turn)
        ]
        holding = _holding(mine)
        return {
            "my-cards": _TEMPLATES.draft(
                "my_cards",
                hands=[(hand, cards) for hand, cards in held if cards],
                squeeze=view.squeeze,
                bends=bends_of(state),
            )
            if held
            else _TEMPLATES.shared("my_cards", hands=()),
            "my-result": my_result(GAME.slug, _lines(mine), mine.payouts, over=bool(mine.payouts)),
            "decision": _TEMPLATES.draft("decision", mine=mine, names=state.names, holding=holding)
            if holding or mine.cut or mine.may_turn
            else _TEMPLATES.shared("decision", mine=None),
        }

    def layout(self, state: TableState, view: View) -> Context:
        return {
            "spots": {spot.key: spot for spot in view.spots},
            "history_title": gettext("Roads"),
            "house_rules": house_rules(state.options),
            "machine": state.options.by_machine,
            "cards_in_pack": state.options.decks * 52,
            "half_of_pack": state.options.decks * 26,
            **({"sheets": ("squeeze",), "scripts": ("squeeze",)} if state.options.squeezes else {}),
        }


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────


def _holds(hand: Hand) -> str:
    return gettext("holds the Player") if hand is Hand.PLAYER else gettext("holds the Banker")


def _squeezed(view: View, names: Mapping[str, str]) -> list[str]:
    """Who peels the cards that are to be opened now, and which of them have been turned already."""
    hand = next((hand for hand in view.hands if view.squeeze and hand.hand is OPENING.get(view.phase)), None)
    if hand is None or hand.holder is None or hand.open or not hand.cards:
        return []
    who = {"name": names.get(hand.holder, "")}
    player = hand.hand is Hand.PLAYER
    said = (
        gettext("%(name)s holds the Player's cards and peels them.")
        if player
        else gettext("%(name)s holds the Banker's cards and peels them.")
    )
    return [said % who, *([_read(hand)] if any(card.face for card in hand.cards) else [])]


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
    "squeeze",
    "squeeze_seconds",
}
"""Options that mean nothing where a machine deals."""


def house_rules(options: Options) -> list[tuple[str, str, str]]:
    """The options of the table in words: what it is about, what the house has chosen, the article."""
    unsaid = {"seats"} | (SHOE_ONLY if options.by_machine else set())
    if not options.hold_cards:
        unsaid.add("squeeze")
    if not options.squeezes:
        unsaid.add("squeeze_seconds")
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


def _cards(state: TableState, view: View) -> str:
    """The cards of the round, or of its ceremonies; drawn anew at each push only while one is peeled."""
    names = [state.names.get(hand.holder or "", "") for hand in view.hands]
    shown: dict[str, Hashable] = {
        "phase": view.phase,
        "by_machine": state.options.by_machine,
        "white_card": view.white_card,
        "burn": view.burn,
        "burnt": view.burnt,
        "demos": view.demos,
        "player": view.player,
        "banker": view.banker,
        "outcome": view.outcome,
        "player_holder": names[0],
        "banker_holder": names[1],
        "said": tuple(_dealer_says(view, state)),
        "pile": tuple(f"burnt-{place}" for place in range(min(_burnt(view), MOST_BURNT))),
    }
    bends = bends_of(state)
    return _TEMPLATES.fragment("cards", bends=bends, **shown) if bends else _TEMPLATES.same("cards", **shown)


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
    others = dict(mine.may_pass_to)
    return [Holding(hand, others.get(hand, ())) for hand in mine.may_waive]


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
