"""The felt of Blackjack: bank, boxes and hands, the last totals of the bank, and what a bettor decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import get_language, gettext, gettext_noop, pgettext

from tables.felt.contract import FeltOf, RoundResult
from tables.felt.formatting import card_name, listed, odds_of, sentence, text_of
from tables.felt.shared.cutting import cut_called, cut_said, who_cuts
from tables.felt.shared.fragments import Context, Draft, Fragments, Templates
from tables.felt.shared.house_rules import house_rules
from tables.felt.shared.lately import Lately
from tables.felt.shared.phases import PHASES
from tables.felt.shared.results import Line, my_result, paid_line, taken_down
from tables.felt.shared.totals import MOST_TOLD, Count, Total, roads, small
from tables.games.blackjack import GAME, Options, Phase
from tables.games.blackjack.bets import MAIN, SPECIAL_PRIZE, SPOTS, TITLES
from tables.games.blackjack.options import Device
from tables.games.blackjack.phases import Asks, Hit
from tables.games.blackjack.round import BlackjackRound
from tables.games.blackjack.view import BankView, BoxView, HandView, PlayerView, View
from tables.games.contract.actions import Action
from tables.games.contract.game import in_box, on_hand
from tables.games.contract.round import Payout
from tables.games.contract.view import SpotView
from tables.games.values.cards import Card
from tables.queries.table import TableState

from .decision import panel_of
from .lesson import LESSON, LIKED, LINES
from .rulebook import BlackjackRulebook
from .story import BlackjackStory
from .tables import KIOSK_TABLES, TABLES
from .words import asked_words, automatic_words, box_words, total_words

_TEMPLATES = Templates(GAME.slug)


class BlackjackFelt(FeltOf[Options, BlackjackRound, View]):
    rules = GAME
    baize = "blue"
    story = BlackjackStory()
    rulebook = BlackjackRulebook()
    lesson = LESSON
    lines = LINES
    liked = LIKED
    main_bets = {MAIN: SPOTS[MAIN].title}
    tables = TABLES
    kiosk_tables = KIOSK_TABLES
    no_cards = {"hands": ()}
    no_decision = {"panel": None}
    phases = {
        **PHASES,
        Phase.EARLY_WINDOW: gettext_noop("Early decisions"),
        Phase.PLAYER_TURNS: gettext_noop("Players' turn"),
        Phase.BANK_SECOND: gettext_noop("The bank's second card"),
        Phase.BANK_DRAW: gettext_noop("The bank draws"),
    }

    def wishes(self, view: View, action: Action) -> bool:
        """On 13 points or less they draw."""
        if not isinstance(action, Hit):
            return False
        hand = next(box for box in view.boxes if box.number == action.box).hands[action.hand]
        return (hand.total or 0) <= 13

    def ended_words(self, result: RoundResult) -> str:
        if result["bank_blackjack"]:
            return gettext("The bank has a blackjack")
        if len(result["bank"]) < 2:
            return gettext("The bank took no second card")
        if result["bank_total"] > 21:
            return gettext("The bank is over 21, with %(total)s") % {"total": result["bank_total"]}
        return gettext("The bank has %(total)s") % {"total": result["bank_total"]}

    def said(self, view: View, names: Mapping[str, str]) -> list[str]:
        """What a screen reader tells now: the newest that has happened, totals as the dealer calls them (6(5))."""
        told = [sentence(self.phase_words(view.phase))]
        match view.phase:
            case Phase.CUT:
                told += cut_said(view.cut, names)
            case Phase.BETTING:
                told += [sentence(text_of(note.words)) for note in view.notes]
            case Phase.BURN | Phase.ROUND_BURN | Phase.DEAL:
                pass
            case Phase.EARLY_WINDOW | Phase.PLAYER_TURNS if view.calls_totals:
                told += [_read_bank(view.bank), *(_read(box, hand) for box in view.boxes for hand in box.hands)]
                told += _asked(view, names)
            case Phase.EARLY_WINDOW:
                told += _asked(view, names)
            case Phase.PLAYER_TURNS:
                told += [*_turns(view), *_asked(view, names)]
            case Phase.BANK_SECOND | Phase.BANK_DRAW:
                told.append(_read_bank(view.bank))
            case Phase.RESULT | Phase.SETTLED:
                told.append(_read_bank(view.bank))
                told += [_read(box, hand) for box in view.boxes for hand in box.hands]
            case Phase.VOID:
                told = [sentence(text_of(note.words)) for note in view.notes]
        return told

    def facts(self, options: Options) -> list[str]:
        device = {
            Device.METAL_BOX: gettext("Metal box"),
            Device.SHOE: gettext("Shoe"),
            Device.AUTO_SHUFFLER: gettext("Automatic machine"),
        }[options.dealing_device]
        told = [
            device,
            gettext("%(decks)s decks") % {"decks": options.decks} if options.decks > 1 else gettext("One deck"),
        ]
        if options.face_down:
            told.append(gettext("Cards face down"))
        if options.special_prize_offered:
            told.append(gettext("Special prize"))
        if options.five_card_claim_offered:
            told.append(gettext("Five cards"))
        return told

    def road(self, results: Sequence[RoundResult]) -> str:
        """The bank's last totals, small, for the lobby."""
        totals = _totals(results)
        return small(totals, totals_words(totals))

    def lately(self, results: Sequence[RoundResult]) -> Lately | None:
        """The bank's last total; a streak is one of blackjacks, or of totals over 21."""
        words = {"over": gettext("over 21"), "made": "", "blackjack": gettext("blackjack"), "none": ""}
        return Lately.of(_totals(results), words)

    def signs(self, view: View) -> list[str]:
        """Short facts for the rail: the last round."""
        return [gettext("Last round")] if view.last_round else []

    def holds(self, view: View) -> Mapping[str, list[str]]:
        """Bettor -> what they are asked now."""
        marks = who_cuts(view.cut)
        if view.question is not None:
            for who in view.question.asked:
                marks[who] = [gettext("is asked") if view.question.asks is not Asks.TURN else gettext("decides")]
        return marks

    def ready(self, view: View) -> frozenset[str]:
        return view.ready if view.phase in (Phase.BETTING, Phase.EARLY_WINDOW) else frozenset()

    def public(self, state: TableState, view: View) -> Fragments:
        """The bank, the boxes with their hands, the result and the last totals of the bank."""
        return {
            "cards": _TEMPLATES.same(
                "cards",
                phase=view.phase,
                device=state.options.dealing_device,
                has_box=state.options.has_hole_card,
                white_card=view.white_card,
                burnt=view.burnt,
                bank=view.bank,
                calls=tuple(_called(view)),
                said=tuple(_dealer_says(view, state)),
                pile=tuple(f"burnt-{place}" for place in range(min(view.burnt, MOST_BURNT))),
                total=_bank_total(view.bank),
            ),
            "result": _TEMPLATES.same(
                "result",
                ended=view.phase in (Phase.RESULT, Phase.SETTLED),
                void=view.void,
                bank=view.bank,
                notes=view.notes,
                silence=view.silence,
            ),
            "roads": _history(state.results),
            **{f"box-{box.number}": _box(box, _names(box, state.names), get_language() or "") for box in view.boxes},
        }

    def private(self, state: TableState, view: View, public: View) -> Mapping[str, Draft]:
        """The bettor's own cards that others do not see, their decision and their result."""
        mine = view.mine
        assert mine is not None
        hands = tuple(_hidden(view, public))
        boxes = {stake.bet: stake.box for stake in view.stakes}
        over = view.phase in (Phase.RESULT, Phase.SETTLED, Phase.VOID)
        return {
            "my-cards": _TEMPLATES.draft("my_cards", hands=hands) if hands else _TEMPLATES.shared("my_cards", hands=()),
            "my-result": my_result(GAME.slug, _lines(mine, boxes, self.shown(state)), mine.payouts, over=over),
            "decision": _TEMPLATES.draft(
                "decision",
                panel=panel_of(view, mine, state.names),
                cut=mine.cut,
                follows=" ".join(name for name in ("doubles", "splits", "claims") if getattr(mine, name)),
                may_follow=bool(mine.stakes),
            ),
        }

    def layout(self, state: TableState, view: View) -> Context:
        spots = {spot.key: spot for spot in view.spots}
        options: Options = state.options
        return {
            "spots": spots,
            "boxes": [
                Box(
                    number,
                    f"box-{number}",
                    f"seat-{number}",
                    spots[f"{MAIN}-{number}"],
                    tuple(spot for spot in view.spots if spot.box == number and spot.name != MAIN),
                )
                for number in range(1, options.boxes + 1)
            ],
            "seats_within": True,
            "sheets": ("boxes",),
            "presets": "games/blackjack/_presets.html",
            "house_rules": _rules(options),
            "history_title": gettext("The bank's last totals"),
            "options": options,
            "cards_in_pack": options.decks * 52,
            "half_of_pack": options.decks * 26,
            "most_insurance": int(options.insurance_max_fraction * 100),
        }


# ── What a screen reader tells ──────────────────────────────────────────────────────────────────────────────


def _turns(view: View) -> Iterator[str]:
    """The box that acts, and the total that the one before it has come to."""
    played = None
    for box in view.boxes:
        if box.acts:
            if played is not None:
                yield from (_read(played, hand) for hand in played.hands)
            yield from (_read(box, hand) for hand in box.hands if hand.standing in ("acts", "draws"))
            return
        if box.hands:
            played = box


def _asked(view: View, names: Mapping[str, str]) -> list[str]:
    if view.question is None:
        return []
    told = [asked_words(view, view.question, names)]
    return [sentence(one) for one in [*told, automatic_words(view.question)] if one]


def _read_bank(bank: BankView) -> str:
    soft = bank.soft and len(bank.cards) > 1
    return _read_cards(gettext("Bank"), [card.face for card in bank.cards], bank.total, soft)


def _read(box: BoxView, hand: HandView) -> str:
    title = box_words(box.number, hand.number, len(box.hands))
    words = _read_cards(title, [card.face for card in hand.cards], hand.total, hand.soft)
    return f"{words} {sentence(text_of(hand.note.words))}" if hand.note is not None else words


def _read_cards(title: str, faces: Sequence[Card | None], total: int | None, soft: bool) -> str:
    cards = listed([card_name(face) for face in faces])
    if total is None:
        return gettext("%(hand)s: %(cards)s.") % {"hand": title, "cards": cards}
    return gettext("%(hand)s: %(cards)s; points: %(total)s.") % {
        "hand": title,
        "cards": cards,
        "total": total_words(total, soft),
    }


# ── Options ─────────────────────────────────────────────────────────────────────────────────────────────────


def _rules(options: Options) -> list[tuple[str, str, str]]:
    """The options of the table in words, without those that mean nothing here."""
    unsaid = {"timeout_action"}
    if not options.has_second_white_card:
        unsaid.add("cut_card_depth")
    if options.has_hole_card:
        unsaid.add("round_burn")
    if not options.special_prize_offered:
        unsaid.add("special_prize_mode")
    return house_rules(options, unsaid)


# ── What everybody sees ─────────────────────────────────────────────────────────────────────────────────────

MOST_BURNT = 8
"""So many cards are drawn on the pile of the burnt ones."""


def _dealer_says(view: View, state: TableState) -> list[str]:
    """What the dealer says over the felt: about the cut, and who is asked what."""
    if view.phase in (Phase.CUT, Phase.BURN):
        return cut_called(view.cut, state.names, cutting=view.phase is Phase.CUT)
    if view.question is not None:
        return [asked_words(view, view.question, state.names), automatic_words(view.question)]
    return []


def _called(view: View) -> list[tuple[str, str]]:
    """Box and total of each hand that lies open, in their order, as the dealer calls them before anybody decides: while
    all are asked at once, or else with the first question (6(5), R26)."""
    if view.phase is not Phase.EARLY_WINDOW and not view.calls_totals:
        return []
    return [
        (box_words(box.number), gettext("blackjack") if hand.standing == "blackjack" else total_words(total, hand.soft))
        for box in view.boxes
        for hand in box.hands
        if (total := hand.total) is not None
    ]


def _bank_total(bank: BankView) -> str:
    """The bank's points as they are written beside its cards; a single ace counts 11, and nobody calls it soft."""
    return "" if bank.total is None else total_words(bank.total, bank.soft and len(bank.cards) > 1)


def _names(box: BoxView, names: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The names that a box shows."""
    keys = {bettor.by for bettor in box.bettors} | {stake.by for hand in box.hands for stake in hand.stakes}
    keys |= {key for key in (box.seated, box.decider, box.holder) if key is not None}
    return tuple(sorted((key, names.get(key, "")) for key in keys))


@lru_cache(maxsize=1024)
def _box(box: BoxView, names: tuple[tuple[str, str], ...], language: str) -> str:
    """One box with its hands and bettors, drawn once as it stands and language: most pushes change one of them."""
    return _TEMPLATES.fragment(
        "box",
        box=box,
        names=dict(names),
        keys={hand.number: f"box{box.number}-{hand.number}-" for hand in box.hands},
        totals={hand.number: total_words(hand.total, hand.soft) for hand in box.hands if hand.total is not None},
        prizes={hand.number: _prize(hand) for hand in box.hands if hand.prize},
        shared=len(box.bettors) > 1,
    )


def _prize(hand: HandView) -> tuple[str, str]:
    """What the special prize of a hand is for and pays, once it is paid; and its article."""
    paid = next((stake.why for stake in hand.stakes if stake.why is not None and stake.why.article == "15"), hand.note)
    words = text_of(paid.words) if paid is not None else gettext("Special prize")
    return gettext("%(what)s, %(odds)s") % {"what": words, "odds": odds_of(SPECIAL_PRIZE)}, "15"


# ── What one bettor sees ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Hidden:
    """A hand of which the viewer sees more than others do."""

    title: str
    hand: HandView
    key: str
    total: str


def _hidden(view: View, public: View) -> Iterator[Hidden]:
    shown = {(box.number, hand.number): hand for box in public.boxes for hand in box.hands}
    for box in view.boxes:
        for hand in box.hands:
            others = shown[box.number, hand.number]
            if any(card.face and not other.face for card, other in zip(hand.cards, others.cards, strict=True)):
                total = total_words(hand.total, hand.soft) if hand.total is not None else ""
                title = box_words(box.number, hand.number, len(box.hands))
                yield Hidden(title, hand, f"mine{box.number}-{hand.number}-", total)


def _lines(mine: PlayerView, boxes: Mapping[str, int | None], round_: BlackjackRound) -> list[Line]:
    """One line for each thing that was paid or collected, in order; what was taken down if there is none."""
    if not mine.payouts:
        return taken_down(mine.refusals)
    lines = []
    for payout in mine.payouts:
        box, title = boxes.get(payout.bet), TITLES[_award(payout)]
        if (hand := round_.hand_of(payout)) is not None and box is not None:
            title, box = on_hand(in_box(title, box), hand), None
        lines.append(
            paid_line(
                title, payout.why.words, payout.why.article, stake=payout.stake, returned=payout.returned, box=box
            )
        )
    return lines


def _award(payout: Payout) -> str:
    """What was decided by a payment: what grows out of a main stake is paid on its spot, each by its own article."""
    match payout.why.article:
        case "12(3)":
            return "insurance"
        case "12(2)" if payout.returned:
            return "insurance"
        case "15":
            return "special_prize"
        case _:
            return payout.spot


# ── The layout ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Box:
    """One box as it is printed: its main spot and the side bets that are sold. Keys name its fragments."""

    number: int
    key: str
    seat_key: str
    main: SpotView
    sides: tuple[SpotView, ...]


# ── The last totals of the bank ─────────────────────────────────────────────────────────────────────────────


def _totals(results: Iterable[RoundResult]) -> tuple[Total, ...]:
    return tuple(_total(result) for result in results if not result.get("void"))


def _total(result: RoundResult) -> Total:
    """How the bank ended (over, made, blackjack, none), and what stands for it in a list of totals."""
    if result["bank_blackjack"]:
        return "blackjack", pgettext("road", "BJ")
    if len(result["bank"]) < 2:
        return "none", "–"
    return ("over" if result["bank_total"] > 21 else "made"), str(result["bank_total"])


def totals_words(totals: Sequence[Total]) -> str:
    """The last totals one after the other, the newest last."""
    if not totals:
        return gettext("No results yet.")
    names = {"blackjack": gettext("blackjack"), "none": gettext("no second card")}
    told = [names.get(kind, text) for kind, text in totals[-MOST_TOLD:]]
    return gettext("The bank's last totals, the newest last: %(totals)s.") % {"totals": listed(told)}


def _history(results: Iterable[RoundResult]) -> str:
    totals = _totals(results)
    kinds = [kind for kind, _ in totals]
    counts = (
        Count("over", "22", gettext("over 21"), kinds.count("over")),
        Count("blackjack", pgettext("road", "BJ"), gettext("blackjack"), kinds.count("blackjack")),
    )
    return roads(gettext("The bank's last totals"), totals, totals_words(totals), counts)
