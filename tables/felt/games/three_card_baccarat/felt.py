"""The felt of 3-Card Baccarat: the banker, the places and their cards, what waits there, the banker's last points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import get_language, gettext, gettext_noop

from tables.felt.contract import FeltOf, RoundResult
from tables.felt.formatting import card_name, credits_of, listed, number, sentence, text_of
from tables.felt.shared.cutting import cut_called, cut_said, who_cuts
from tables.felt.shared.fragments import Context, Draft, Fragments, Templates
from tables.felt.shared.house_rules import house_rules
from tables.felt.shared.lately import Lately
from tables.felt.shared.phases import PHASES
from tables.felt.shared.results import Line, gone_back, my_result, paid_line, taken_down
from tables.felt.shared.totals import MOST_TOLD, Count, Total, roads, small
from tables.games.contract.round import Payout, Stake
from tables.games.contract.view import End
from tables.games.three_card_baccarat import GAME, Options, Phase
from tables.games.three_card_baccarat.bets import EVEN, ODD, PLACE, POINTS_SPOTS, SPOTS, THREE_FIGURES, TIE
from tables.games.three_card_baccarat.hands import THREE_COURTS, TITLES, points_of
from tables.games.three_card_baccarat.round import ThreeCardRound
from tables.games.three_card_baccarat.view import HandView, PlaceView, PlayerView, SpotView, View
from tables.games.values.words import Amount, Words, say
from tables.queries.table import TableState

from .lesson import LESSON, LIKED, LINES
from .rulebook import ThreeCardRulebook
from .story import ThreeCardBaccaratStory
from .tables import KIOSK_TABLES, TABLES

_TEMPLATES = Templates(GAME.slug)

COURTS = "JQK"
"""What stands for three court cards where there is no room for words: the same in every language."""


class ThreeCardBaccaratFelt(FeltOf[Options, ThreeCardRound, View]):
    rules = GAME
    baize = "teal"
    story = ThreeCardBaccaratStory()
    rulebook = ThreeCardRulebook()
    lesson = LESSON
    lines = LINES
    liked = LIKED
    main_bets = {PLACE: SPOTS[PLACE].title}
    tables = TABLES
    kiosk_tables = KIOSK_TABLES
    no_cards = {"hand": None}
    no_decision = {"cut": None, "looks": False, "barred": None}
    phases = {
        **PHASES,
        Phase.LOOK: gettext_noop("The bettors look at their cards"),
        Phase.REVEAL_BANKER: gettext_noop("The banker's cards"),
        Phase.REVEAL_PLACES: gettext_noop("The dealer opens the places"),
    }

    def ended_words(self, result: RoundResult) -> str:
        return gettext("The banker has %(hand)s") % {"hand": text_of(TITLES[result["banker"] - 1])}

    def said(self, view: View, names: Mapping[str, str]) -> list[str]:
        told = [sentence(self.phase_words(view.phase))]
        match view.phase:
            case Phase.CUT:
                told += cut_said(view.cut, names)
            case Phase.BETTING:
                told += [sentence(text_of(note.words)) for note in view.notes]
                told += [_locked_at(place) for place in view.places if place.locked]
            case Phase.BURN | Phase.ROUND_BURN | Phase.DEAL | Phase.REVEAL_BANKER:
                pass
            case Phase.LOOK:
                told += [sentence(one) for one in _waits(view, names)]
            case Phase.REVEAL_PLACES | Phase.RESULT:
                newest = _newest(view)
                told.append(_read_place(newest) if newest is not None else _read(gettext("The banker"), view.banker))
            case Phase.SETTLED:
                told.append(_read(gettext("The banker"), view.banker))
                told += [_read_place(place) for place in view.places if place.hand.open]
            case Phase.VOID:
                told = [sentence(text_of(note.words)) for note in view.notes]
        return told

    def facts(self, options: Options) -> list[str]:
        told = [gettext("Box"), gettext("One deck")] if options.has_box else _of_the_shoe(options)
        if options.standing_bets:
            told.append(gettext("Standing bets"))
        return told

    def road(self, results: Sequence[RoundResult]) -> str:
        """The banker's last points, small, for the lobby."""
        totals = _totals(results)
        return small(totals, totals_words(totals))

    def lately(self, results: Sequence[RoundResult]) -> Lately | None:
        """The banker's last points, and how often they have been odd or even; three court cards say it themselves."""
        words = {"odd": text_of(GAME.spots[ODD].title), "even": text_of(GAME.spots[EVEN].title), "courts": ""}
        return Lately.of(_totals(results), words)

    def signs(self, view: View) -> list[str]:
        """Short facts for the rail: the last round."""
        return [gettext("Last round")] if view.last_round else []

    def holds(self, view: View) -> Mapping[str, list[str]]:
        """Bettor -> that they are offered the cut, or look at their cards."""
        return {**who_cuts(view.cut), **{who: [gettext("looks")] for who in view.looking}}

    def ready(self, view: View) -> frozenset[str]:
        return view.ready if view.phase in (Phase.BETTING, Phase.LOOK) else frozenset()

    def kept_words(self, cents: int) -> str:
        return kept_words(cents)

    def public(self, state: TableState, view: View) -> Fragments:
        """The banker, the places with their cards, the result and the banker's last points."""
        newest = _newest(view) if view.phase in (Phase.REVEAL_PLACES, Phase.RESULT) else None
        lie = _lie(view.stakes)
        return {
            "cards": _TEMPLATES.same(
                "cards",
                phase=view.phase,
                has_box=view.box,
                white_card=view.white_card,
                burnt=view.burnt,
                banker=view.banker,
                said=tuple(_dealer_says(view, state)),
                pile=tuple(f"burnt-{place}" for place in range(min(view.burnt, MOST_BURNT))),
                points=points_words(view.banker),
            ),
            "result": _TEMPLATES.same(
                "result", void=view.void, banker=view.banker, lines=tuple(_ends(view)), notes=view.notes
            ),
            "roads": _history(state.results),
            **{
                f"place-{place.number}": _place(
                    place,
                    tuple(_bettors(place.occupant, lie.get(place.number, {}), state.names)),
                    newest is not None and newest.number == place.number,
                    get_language() or "",
                )
                for place in view.places
            },
        }

    def private(self, state: TableState, view: View, public: View) -> Mapping[str, Draft]:
        """The cards of the bettor's own place while others see backs, their decision, and their result."""
        mine = view.mine
        assert mine is not None
        hand = _own_hand(view, public)
        return {
            "my-cards": _TEMPLATES.draft(
                "my_cards", hand=hand, title=place_words(mine.place or 0), points=points_words(hand)
            )
            if hand is not None
            else _TEMPLATES.shared("my_cards", hand=None),
            "my-result": my_result(
                GAME.slug, _lines(mine, view.stakes), mine.payouts, over=view.phase in (Phase.SETTLED, Phase.VOID)
            ),
            "decision": _TEMPLATES.shared("decision", cut=mine.cut, looks=mine.looks, barred=mine.barred),
        }

    def layout(self, state: TableState, view: View) -> Context:
        options: Options = state.options
        printed = {spot.key: _printed(spot) for spot in view.spots}
        common = [printed[name] for name in (ODD, THREE_FIGURES, EVEN, *POINTS_SPOTS) if name in printed]
        return {
            "spots": {spot.key: spot for spot in view.spots},
            "board": [one for one in common if one.spot.name not in POINTS_SPOTS],
            "numbers": [one for one in common if one.spot.name in POINTS_SPOTS],
            "places": [
                Place(
                    place.number,
                    f"place-{place.number}",
                    f"seat-{place.number}" if place.number <= options.seats else "",
                    printed[f"{PLACE}-{place.number}"],
                    printed.get(f"{TIE}-{place.number}"),
                )
                for place in view.places
            ],
            "many": len(view.places) > MOST_IN_A_ROW,
            "seats_within": True,
            "sheets": ("boxes",),
            "own_cards": True,
            "house_rules": _rules(options),
            "history_title": gettext("The banker's last points"),
            "cards_in_pack": options.decks * 52,
            "half_of_pack": options.decks * 26,
        }


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────


def place_words(place: int) -> str:
    """A place by its number."""
    return gettext("Place %(place)s") % {"place": number(place)}


def kept_words(cents: int) -> str:
    """How a stake that is locked is marked (7(2), 8(1))."""
    return gettext("%(amount)s locked") % {"amount": credits_of(cents)}


# ── What a screen reader tells ──────────────────────────────────────────────────────────────────────────────


def _locked_at(place: PlaceView) -> str:
    return gettext("%(place)s: %(amount)s is locked.") % {
        "place": place_words(place.number),
        "amount": credits_of(place.locked, exact=True),
    }


def _newest(view: View) -> PlaceView | None:
    """The place that was opened last; None while only the banker's cards lie open."""
    return next((place for place in reversed(view.places) if place.hand.open), None)


def _read_place(place: PlaceView) -> str:
    words = _read(place_words(place.number), place.hand)
    return f"{words} {sentence(text_of(place.why.words))}" if place.why is not None else words


def _read(title: str, hand: HandView) -> str:
    values: dict[str, object] = {"hand": title, "cards": listed([card_name(card.face) for card in hand.cards])}
    if hand.title is None:
        return gettext("%(hand)s: %(cards)s.") % values
    return gettext("%(hand)s: %(cards)s; %(title)s.") % {**values, "title": text_of(hand.title)}


def _waits(view: View, names: Mapping[str, str]) -> list[str]:
    """For whom the dealer waits, and what is done when the time is over: announced before it happens."""
    who = listed([names.get(key, "") for key in view.looking])
    return [
        gettext("The dealer waits for %(name)s") % {"name": who},
        gettext("If the time runs out the dealer opens the cards"),
    ]


# ── Options ─────────────────────────────────────────────────────────────────────────────────────────────────


def _of_the_shoe(options: Options) -> list[str]:
    told = [gettext("Shoe"), gettext("%(decks)s decks") % {"decks": options.decks}]
    if options.reshuffle_every_round:
        told.append(gettext("Shuffled every round"))
    return told


def _rules(options: Options) -> list[tuple[str, str, str]]:
    """The options of the table in words, without those that mean nothing with a box."""
    return house_rules(options, {"white_card_depth", "reshuffle_every_round"} if options.has_box else ())


# ── What everybody sees ─────────────────────────────────────────────────────────────────────────────────────

MOST_BURNT = 8
"""So many cards are drawn on the pile of the burnt ones."""

MOST_BETTORS = 3
"""So many bettors of a place are named; the rest is counted."""


def _dealer_says(view: View, state: TableState) -> list[str]:
    """What the dealer says over the felt: about the cut, and whom they wait for."""
    if view.phase in (Phase.CUT, Phase.BURN):
        return cut_called(view.cut, state.names, cutting=view.phase is Phase.CUT)
    return _waits(view, state.names) if view.phase is Phase.LOOK else []


def points_words(hand: HandView) -> str:
    """What is written beside three cards: their points, or the sign of three court cards."""
    if hand.rank is None:
        return ""
    return COURTS if hand.rank == THREE_COURTS else str(hand.points)


def _lie(stakes: Iterable[Stake]) -> Mapping[int, Mapping[str, int]]:
    """The place bets by place and bettor, added up in one pass; in cents."""
    places: dict[int, dict[str, int]] = {}
    for stake in stakes:
        if stake.spot == PLACE and stake.box is not None:
            here = places.setdefault(stake.box, {})
            here[stake.by] = here.get(stake.by, 0) + stake.amount
    return places


@dataclass(frozen=True, slots=True)
class Bettor:
    """What a bettor has on a place, in cents; the rest of them, counted, has no name."""

    name: str
    amount: int
    count: int = 1


def _bettors(occupant: str | None, lie: Mapping[str, int], names: Mapping[str, str]) -> Iterator[Bettor]:
    """Who has a place bet here: whoever sits at the place first, then those with the most."""
    order = sorted(lie, key=lambda who: (who != occupant, -lie[who]))
    for who in order[:MOST_BETTORS]:
        yield Bettor(names.get(who, ""), lie[who])
    if rest := order[MOST_BETTORS:]:
        yield Bettor("", sum(lie[who] for who in rest), len(rest))


@lru_cache(maxsize=1024)
def _place(place: PlaceView, bettors: tuple[Bettor, ...], newest: bool, language: str) -> str:
    """One place with its cards and bettors, drawn once as it stands and language: most pushes change one of them."""
    return _TEMPLATES.fragment(
        "place",
        place=place,
        bettors=bettors,
        newest=newest,
        key=f"place{place.number}-",
        points=points_words(place.hand),
        locked=kept_words(place.locked) if place.locked else "",
    )


def _ends(view: View) -> Iterator[tuple[str, str]]:
    """What the banker's cards have decided for all, and how the places have ended so far: words and article."""
    if view.banker.note is not None:
        yield text_of(view.banker.note.words), view.banker.note.article
    common = [spot for spot in view.spots if spot.box is None]
    if won := [text_of(spot.title) for spot in common if spot.end is End.WON]:
        yield gettext("Winning on the banker's cards: %(bets)s") % {"bets": listed(won)}, "9"
    yield from dict.fromkeys(
        (text_of(spot.why.words), spot.why.article) for spot in common if spot.end is End.PUSH and spot.why is not None
    )
    for end, words, article in (
        (End.WON, gettext("Places that win: %(places)s"), "6"),
        (End.LOST, gettext("Places that lose: %(places)s"), "6"),
        (End.PUSH, gettext("Places that tie: %(places)s. Their stakes are locked"), "7(2)"),
    ):
        if places := [number(place.number) for place in view.places if place.end is end]:
            yield words % {"places": listed(places)}, article


# ── What one bettor sees ────────────────────────────────────────────────────────────────────────────────────


def _own_hand(view: View, public: View) -> HandView | None:
    """The cards of the viewer's place, while the viewer sees more of them than others do."""
    assert view.mine is not None
    for own, other in zip(view.places, public.places, strict=True):
        if own.number == view.mine.place and own.hand != other.hand:
            return own.hand
    return None


def _lines(mine: PlayerView, stakes: Iterable[Stake]) -> list[Line]:
    """One line for each bet: what it brought and why; before that, what is locked and what was taken down."""
    if not mine.payouts:
        return [*_locked(mine), *gone_back(GAME, mine.went_back), *taken_down(mine.refusals)]
    boxes = {stake.bet: stake.box for stake in stakes}
    alike: dict[tuple[str, int | None, bool], list[Payout]] = {}
    for payout in mine.payouts:
        alike.setdefault((payout.spot, boxes[payout.bet], payout.carried > 0), []).append(payout)
    return [
        paid_line(
            GAME.called(spot, box),
            several[0].why.words,
            several[0].why.article,
            stake=sum(payout.stake for payout in several),
            returned=sum(payout.returned for payout in several),
            carried=sum(payout.carried for payout in several),
            fee=sum(payout.commission for payout in several),
        )
        for (spot, box, _), several in alike.items()
    ]


def _locked(mine: PlayerView) -> Iterator[Line]:
    """The viewer's locked stakes: why, what they may do with them, and what plays with what they added."""
    sums: dict[tuple[str, int | None], tuple[int, int]] = {}
    for own in mine.stakes:
        key, amount = (own.stake.spot, own.stake.box), own.stake.amount
        locked, added = sums.get(key, (0, 0))
        sums[key] = (locked + amount, added) if own.stake.carried else (locked, added + amount)
    for (spot, box), (locked, added) in sums.items():
        if locked:
            yield Line(GAME.called(spot, box), "push", _what_plays(locked, added), *_why_locked(spot))


def _what_plays(locked: int, added: int) -> str:
    words = (
        say(
            "%(locked)s is locked, %(added)s is added: %(total)s plays",
            locked=Amount(locked), added=Amount(added), total=Amount(locked + added),
        )
        if added
        else say("%(locked)s is locked", locked=Amount(locked))
    )  # fmt: skip
    return text_of(words)


def _why_locked(spot: str) -> tuple[Words, str]:
    if spot == PLACE:
        return say("After a tie the stake waits for this round: you may add to it, not take it back"), "7(2)"
    return say("After three court cards the stake waits for this round: you may add to it, not take it back"), "8(1)"


# ── The layout ──────────────────────────────────────────────────────────────────────────────────────────────

GLYPHS = {ODD: "單", EVEN: "雙", THREE_FIGURES: "三公", TIE: "和"}
"""What is printed on the felt, in every language."""

LETTERS = {ODD: "O", EVEN: "E", THREE_FIGURES: "T"}
"""The keys of the bets on the banker's cards; a place is called by its number."""

MOST_IN_A_ROW = 8
"""More places than this lie in two rows."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A spot as it is printed: its name with its place, the sign on it, the key that stakes on it."""

    spot: SpotView
    called: str
    glyph: str
    key: str


@dataclass(frozen=True, slots=True)
class Place:
    """One place as it is printed; names of its fragments. A place beyond those of the table has no seat."""

    number: int
    placed: str
    seat: str
    main: Printed
    tie: Printed | None


def _printed(spot: SpotView) -> Printed:
    called = text_of(GAME.called(spot.name, spot.box))
    if spot.name == PLACE:
        key = str(spot.box) if spot.box is not None and spot.box <= 9 else ""
        return Printed(spot, called, str(spot.box), key)
    if spot.name in POINTS_SPOTS:
        return Printed(spot, called, str(POINTS_SPOTS.index(spot.name)), "")
    return Printed(spot, called, GLYPHS[spot.name], LETTERS.get(spot.name, ""))


# ── The banker's last points ────────────────────────────────────────────────────────────────────────────────


def _totals(results: Iterable[RoundResult]) -> tuple[Total, ...]:
    return tuple(_total(result["banker"]) for result in results if not result.get("void"))


def _total(rank: int) -> Total:
    """How the banker ended: with three court cards, or with odd or even points."""
    points = points_of(rank)
    return ("courts", COURTS) if points is None else (("even", "odd")[points % 2], str(points))


def totals_words(totals: Sequence[Total]) -> str:
    """The banker's last points one after the other, the newest last."""
    if not totals:
        return gettext("No results yet.")
    told = [text_of(TITLES[0]) if kind == "courts" else text for kind, text in totals[-MOST_TOLD:]]
    return gettext("The banker's last points, the newest last: %(totals)s.") % {"totals": listed(told)}


def _history(results: Iterable[RoundResult]) -> str:
    totals = _totals(results)
    kinds = [kind for kind, _ in totals]
    counts = (
        Count("odd", GLYPHS[ODD], text_of(GAME.spots[ODD].title), kinds.count("odd")),
        Count("even", GLYPHS[EVEN], text_of(GAME.spots[EVEN].title), kinds.count("even")),
        Count("courts", COURTS, text_of(TITLES[0]), kinds.count("courts")),
    )
    return roads(gettext("The banker's last points"), totals, totals_words(totals), counts)
