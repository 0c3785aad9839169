"""The felt of Stud Poker: the dealer, the boxes with their three spaces, what is posted, and raise or fold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from django.utils.translation import get_language, gettext, gettext_noop

from tables.felt.contract import FeltOf, RoundResult
from tables.felt.formatting import card_name, credits_of, listed, mark, odds_of, sentence, text_of
from tables.felt.shared import jackpot
from tables.felt.shared.fragments import Context, Draft, Fragments, Templates
from tables.felt.shared.house_rules import house_rules
from tables.felt.shared.jackpot import PostedPrize
from tables.felt.shared.phases import PHASES
from tables.felt.shared.results import Line, my_result, paid_line, taken_down
from tables.games.contract.actions import Action
from tables.games.contract.round import Payout
from tables.games.contract.view import End, SpotView
from tables.games.stud_poker import GAME, Options, Phase
from tables.games.stud_poker.bets import ANTE, JACKPOT, RAISE, SPOTS, TITLES
from tables.games.stud_poker.hands import HAND, Rank
from tables.games.stud_poker.hands import TITLES as HANDS
from tables.games.stud_poker.jackpot import ARTICLES as PRIZES
from tables.games.stud_poker.jackpot import fixed_sum
from tables.games.stud_poker.options import DecisionMode, Shuffle
from tables.games.stud_poker.phases import Fold, Raise
from tables.games.stud_poker.round import StudPokerRound
from tables.games.stud_poker.view import BoxView, DealerView, JackpotStake, Outcome, PlayerView, Standing, View
from tables.games.values.money import Odds
from tables.games.values.words import Note, Words, say
from tables.queries.table import TableState

from .decision import panel_of
from .lesson import LESSON, LIKED, LINES
from .posted import posted_fragment
from .rulebook import StudPokerRulebook
from .story import StudPokerStory
from .tables import JACKPOTS, KIOSK_TABLES, TABLES
from .words import asked_words, box_words, standing_words

_TEMPLATES = Templates(GAME.slug)


class StudPokerFelt(FeltOf[Options, StudPokerRound, View]):
    rules = GAME
    baize = "wine"
    story = StudPokerStory()
    rulebook = StudPokerRulebook()
    lesson = LESSON
    lines = LINES
    liked = LIKED
    main_bets = {ANTE: SPOTS[ANTE].title}
    tables = TABLES
    kiosk_tables = KIOSK_TABLES
    no_cards = {"box": None}
    no_decision = {"panel": None}
    jackpots = JACKPOTS
    card_s = 0.35
    has_road = False  # 12(1)
    phases = {
        **PHASES,
        Phase.LOOK_AND_DECIDE: gettext_noop("Raise or fold"),
        Phase.DEALER_REVEAL: gettext_noop("The dealer turns the cards"),
        Phase.COMPARE: gettext_noop("The hands are compared"),
        Phase.JACKPOT: gettext_noop("Progressive jackpot"),
    }

    def wishes(self, view: View, action: Action) -> bool:
        """With a pair or better, or with ace and king, they raise."""
        if not isinstance(action, Raise) or (box := _own_box(view)) is None:
            return False
        ranks = {card.face.rank for card in box.cards if card.face is not None}
        return box.rank is not Rank.FIVE_ODD_CARDS or {"A", "K"} <= ranks

    def posted_prizes(self, options: Options) -> tuple[PostedPrize, ...]:
        """The fixed sums, and the two hands that win of the pool if that is more (10(2), 10(3))."""
        of_pool = {Rank.ROYAL_FLUSH: "whole", Rank.STRAIGHT_FLUSH: "tenth"}
        return tuple(
            PostedPrize(HANDS[rank], fixed_sum(options, rank), article, of_pool.get(rank, ""))
            for rank, article in PRIZES.items()
        )

    def hand_words(self, hand: str) -> Words:
        return HANDS[Rank(hand)]

    def fresh_cards(self, options: Options, *, done: bool) -> Words:
        """What takes the place of a shuffler that has failed (11(4)): no other fresh cards are ordered here."""
        if not done:
            return say("The shuffler has failed, and is replaced")
        if options.shuffle_method is Shuffle.SHUFFLER:
            return say("This round is dealt by another shuffler")
        return say("This round is dealt from the shoe in place of the shuffler")

    def ended_words(self, result: RoundResult) -> str:
        if not result["qualifies"]:
            return gettext("The dealer does not qualify")
        return gettext("The dealer qualifies with %(hand)s") % {"hand": text_of(HANDS[Rank(result["dealer"])])}

    def said(self, view: View, names: Mapping[str, str]) -> list[str]:
        told = [sentence(self.phase_words(view.phase))]
        match view.phase:
            case Phase.CUT | Phase.BETS_CLOSED:
                pass
            case Phase.BETTING:
                told += [_read_carried(box) for box in view.boxes if box.jackpot is not None and box.jackpot.carried]
            case Phase.DEAL:
                told += _notes(view.notes)
            case Phase.LOOK_AND_DECIDE:
                told += [_read_dealer(view.dealer), *_notes(view.notes)]
                if view.question is not None:
                    told += [sentence(line) for line in asked_words(view.question, names)]
                told += [_decided(box, names) for box in view.boxes if box.standing is Standing.DECIDED]
            case Phase.DEALER_REVEAL:
                told += [_decided(box, names) for box in view.boxes if box.raised is not None]
            case Phase.COMPARE | Phase.JACKPOT:
                told += [_read_dealer(view.dealer), *_newest(view, names)]
            case Phase.RESULT | Phase.SETTLED:
                told += [_read_dealer(view.dealer)]
                told += [line for box in view.boxes for line in _read_ends(box, names)]
            case Phase.VOID:
                told = _notes(view.notes)
        return told

    def facts(self, options: Options) -> list[str]:
        told = [gettext("Shuffler") if options.shuffle_method is Shuffle.SHUFFLER else gettext("Shoe")]
        if options.decision_mode is DecisionMode.IN_TURN:
            told.append(gettext("Decisions in turn"))
        told.append(gettext("Royal flush %(odds)s") % {"odds": odds_of(Odds(options.royal_odds))})
        return told

    def road(self, results: Sequence[RoundResult]) -> str:
        """No results are shown of this game (12(1))."""
        return ""

    def ready(self, view: View) -> frozenset[str]:
        return view.ready if view.phase is Phase.BETTING else frozenset()

    def kept_words(self, cents: int) -> str:
        return kept_words(cents)

    def public(self, state: TableState, view: View) -> Fragments:
        """The dealer, the boxes with their hands and raises, the result, what is posted, and the jackpot's meter."""
        language = get_language() or ""
        return {
            "cards": _TEMPLATES.same(
                "cards",
                shuffler=view.shuffler,
                dealer=view.dealer,
                said=tuple(_dealer_says(view, state.names)),
                missing=range(len(view.dealer.cards), HAND),
            ),
            "result": _TEMPLATES.same(
                "result",
                edition=state.options.edition,
                void=view.notes[-1] if view.void else None,
                dealer=view.dealer,
                told=tuple(_told(view, state.names)),
                shared=tuple(_shared(view)),
                pool=view.pool if view.pool.prizes else None,
                notes=view.notes,
                silence=view.silence,
            ),
            "roads": posted_fragment(view.posted, language),
            "jackpot-meter": jackpot.meter(state),
            **{f"box-{box.number}": _box(box, state.names.get(box.bettor or "", ""), language) for box in view.boxes},
            **{f"raise-{box.number}": _raise(box) for box in view.boxes},
        }

    def private(self, state: TableState, view: View, public: View) -> Mapping[str, Draft]:
        """The bettor's own five cards, raise or fold, and the result."""
        mine = view.mine
        assert mine is not None
        box = _own_box(view)
        panel = panel_of(view, mine)
        over = view.phase in (Phase.SETTLED, Phase.VOID)  # only then has the house paid
        return {
            "my-cards": _my_cards(box, mine),
            "my-result": my_result(
                GAME.slug, _lines(view, mine, box), _own_payouts(mine, box), over=over, edition=state.options.edition
            ),
            "decision": _TEMPLATES.draft("decision", panel=panel)
            if panel
            else _TEMPLATES.shared("decision", panel=None),
        }

    def layout(self, state: TableState, view: View) -> Context:
        spots = {spot.key: spot for spot in view.spots}
        return {
            "spots": spots,
            "boxes": [
                Box(
                    box.number,
                    f"box-{box.number}",
                    f"raise-{box.number}",
                    f"seat-{box.number}",
                    spots[f"{ANTE}-{box.number}"],
                    spots[f"{JACKPOT}-{box.number}"],
                )
                for box in view.boxes
            ],
            "seats_within": True,
            "sheets": ("boxes",),
            "scripts": ("raising",),
            "own_cards": True,
            "house_rules": _rules(state.options),
            "history_title": gettext("Posted at this table"),
            "posted": view.posted,
            "options": state.options,
        }


def kept_words(cents: int) -> str:
    """How a jackpot stake that was carried over is marked (R14)."""
    return gettext("carried: live with an ante")


# ── What a screen reader tells ──────────────────────────────────────────────────────────────────────────────


def _notes(notes: Iterable[Note]) -> list[str]:
    return [sentence(text_of(note.words)) for note in notes]


def _read_dealer(dealer: DealerView) -> str:
    """The dealer's open cards; once all are turned, the hand that they make and whether it qualifies."""
    open_ = listed([card_name(card.face) for card in dealer.cards if card.face is not None])
    if dealer.note is None:
        return gettext("The dealer shows %(card)s.") % {"card": open_}
    cards = gettext("The dealer has %(cards)s.") % {"cards": open_}
    return f"{cards} {sentence(text_of(dealer.note.words))}"


def _read_carried(box: BoxView) -> str:
    assert box.jackpot is not None
    return sentence(
        box_words(box.number) + mark(":") + text_of(TITLES[JACKPOT]) + mark(",") + kept_words(box.jackpot.amount)
    )


def _decided(box: BoxView, names: Mapping[str, str]) -> str:
    """That a bettor has decided; what, if that is no secret any more."""
    return sentence(box_words(box.number, names.get(box.bettor or "", "")) + mark(":") + standing_words(box))


def _newest(view: View, names: Mapping[str, str]) -> list[str]:
    """The prize that was called last; before there is one, the hand that was compared last."""
    if view.pool.prizes:
        prize = view.pool.prizes[-1]
        name = names.get(prize.by, "")
        return [sentence(box_words(prize.box, name) + mark(":") + text_of(prize.why.words))]
    compared = [box for box in view.boxes if box.standing is Standing.COMPARED]
    return list(_read_ends(compared[-1], names)) if compared else []


def _read_ends(box: BoxView, names: Mapping[str, str]) -> Iterator[str]:
    title = box_words(box.number, names.get(box.bettor or "", ""))
    if box.opened:
        cards = listed([card_name(card.face) for card in box.cards])
        yield gettext("%(hand)s: %(cards)s.") % {"hand": title, "cards": cards}
    for why in _reasons(box):
        yield sentence(title + mark(":") + text_of(why.words))


# ── Options ─────────────────────────────────────────────────────────────────────────────────────────────────

POSTED = frozenset(
    {
        "min_ante",
        "max_ante",
        "jackpot_stake",
        "jackpot_fixed_royal_flush",
        "jackpot_fixed_straight_flush",
        "jackpot_fixed_four_of_a_kind",
        "jackpot_fixed_full_house",
        "jackpot_fixed_flush",
    }
)
"""Options that are read elsewhere on the felt at all times (10(3))."""


def _rules(options: Options) -> list[tuple[str, str, str]]:
    """The options of the table in words; how it is dealt by the item that says so (7(1), 7(2))."""
    rules = house_rules(
        options,
        POSTED,
        {
            "royal_flush_odds": lambda odds: odds_of(Odds(odds)),
            "raise_payout_cap": credits_of,
            "jackpot_minimum": credits_of,
            "jackpot_contribution": _percent,
        },
    )
    by_hand = options.shuffle_method is Shuffle.MANUAL_SHOE
    return [(about, chosen, "7(1)" if by_hand and article == "7(2)" else article) for about, chosen, article in rules]


def _percent(part: Fraction) -> str:
    return gettext("%(percent)s per cent") % {"percent": f"{float(part * 100):g}"}


# ── What everybody sees ─────────────────────────────────────────────────────────────────────────────────────


def _dealer_says(view: View, names: Mapping[str, str]) -> list[str]:
    """What the dealer says over the felt."""
    match view.phase:
        case Phase.CUT:
            return [gettext("The dealer cuts")]
        case Phase.BETTING:
            return [gettext("The ante first; then the jackpot, if you like")]
        case Phase.DEAL if view.shuffler:
            return [gettext("Five cards at a time, the dealer last")]
        case Phase.DEAL:
            return [gettext("One card at a time, the dealer last")]
        case Phase.LOOK_AND_DECIDE if view.question is not None:
            return asked_words(view.question, names)
        case Phase.DEALER_REVEAL:
            return [gettext("The raises lie on the layout")]
        case _:
            return []


NOT_QUALIFIED = "9(2)"
"""What becomes of all stakes then is said once, and not again at every box."""

RANK_DECIDES = "8"
"""Hands of two ranks: which is the higher has been said already."""


@dataclass(frozen=True, slots=True)
class Told:
    """How it ended on one box: what decided it, what it won or lost (in cents, with its jackpot prize)."""

    title: str
    reasons: tuple[Note, ...]
    net: int | None
    end: str


def _told(view: View, names: Mapping[str, str]) -> Iterator[Told]:
    """Box by box, from box 1 on, what is known of its end. The odds by which a raise was paid are posted."""
    if view.void:
        return
    for box in view.boxes:
        reasons = tuple(why for why in _reasons(box, but=RAISE) if why.article != NOT_QUALIFIED)
        net = _net(box)
        if not reasons and net is None:
            continue
        end = "" if net is None else "won" if net > 0 else "lost"
        yield Told(box_words(box.number, names.get(box.bettor or "", "")), reasons, net, end)


def _shared(view: View) -> Iterator[Note]:
    """What becomes of all antes and raises where the dealer does not qualify."""
    reasons = (why for box in view.boxes for why in _reasons(box) if why.article == NOT_QUALIFIED)
    yield from () if view.void else dict.fromkeys(reasons)


def _reasons(box: BoxView, but: str = "") -> Iterator[Note]:
    """What decided about the stakes of a box `but` one, each once; of a jackpot stake only that it has won.

    Where both hands are of one rank, it is said what made one of them the higher (8, 4(1)).
    """
    told: set[Note] = set()
    for outcome in box.outcomes:
        if outcome.spot == but or (outcome.spot == JACKPOT and outcome.end is not End.WON):
            continue
        if outcome.why not in told:
            told.add(outcome.why)
            yield outcome.why
        if outcome.spot == ANTE and box.decided_by is not None and box.decided_by.article != RANK_DECIDES:
            yield box.decided_by


@lru_cache(maxsize=1024)
def _box(box: BoxView, name: str, language: str) -> str:
    """One box with its hand, drawn once as it stands and language: most pushes change one of them."""
    return _TEMPLATES.fragment(
        "box", box=box, bettor=name, key=f"box{box.number}-", standing=standing_words(box), net=_net(box)
    )


def _net(box: BoxView) -> int | None:
    """What a box has won or lost in this round, in cents, once ante and raise are decided; as its bettor reads it.

    A jackpot stake was paid when betting closed (R9). One that is carried, to this round or from it, is not.
    """
    if box.standing not in (Standing.COMPARED, Standing.FOLDED):
        return None
    net = sum(outcome.returned - outcome.stake for outcome in box.outcomes)
    stake, ended = box.jackpot, box.outcome(JACKPOT)
    if stake is None or stake.carried or (ended is not None and ended.end is End.CARRIED):
        return net
    return net - stake.amount


def _raise(box: BoxView) -> str:
    """The raise on a box, once it may be seen: it lies in the outermost space (2(2))."""
    outcome = box.outcome(RAISE)
    return _TEMPLATES.same(
        "raise",
        number=box.number,
        by=box.bettor or "",
        amount=box.raised or 0,
        end=str(outcome.end) if outcome is not None else "",
        why=outcome.why.words if outcome is not None else None,
    )


# ── What one bettor sees ────────────────────────────────────────────────────────────────────────────────────


def _own_box(view: View) -> BoxView | None:
    mine = view.mine
    if mine is None or mine.box is None:
        return None
    return view.boxes[mine.box - 1]


def _my_cards(box: BoxView | None, mine: PlayerView) -> Draft:
    if box is None or not any(card.face for card in box.cards):
        return _TEMPLATES.shared("my_cards", box=None)
    return _TEMPLATES.shared(
        "my_cards", box=box.number, cards=box.cards, title=box.title, folded=mine.chosen == Fold.do
    )


def _lines(view: View, mine: PlayerView, box: BoxView | None) -> list[Line]:
    """One line for each stake that is decided; what was taken down or refunded if there is none."""
    ended = box.outcomes if box is not None else _waiting(view, mine)
    lines = [_line(outcome, box.jackpot if box is not None else None) for outcome in ended]
    lines += [
        paid_line(TITLES[JACKPOT], payout.why.words, payout.why.article, stake=0, returned=payout.returned)
        for payout in mine.payouts
        if payout.why.article == "R14"
    ]
    return lines or taken_down(mine.refusals)


def _waiting(view: View, mine: PlayerView) -> Iterator[Outcome]:
    """What becomes of a carried jackpot stake whose bettor has no ante."""
    places = {own.stake.box for own in mine.stakes if own.stake.carried}
    for box in view.boxes:
        if box.number in places and box.bettor is None:
            yield from box.outcomes


def _line(outcome: Outcome, played: JackpotStake | None) -> Line:
    """What one stake brought. A jackpot stake went when betting closed, and no prize has it in it (R9): one that was
    carried went in an earlier round, and is no part of the sum of this one."""
    stake, carried = outcome.stake, 0
    jackpot_stake = played.amount if played is not None else 0
    if played is not None and played.carried and outcome.spot == JACKPOT and outcome.end is End.LOST:
        words = gettext("%(stake)s, staked in an earlier round, is lost") % {
            "stake": credits_of(played.amount, exact=True)
        }
        return Line(outcome.title, "lost", words, outcome.why.words, outcome.why.article)
    if outcome.end is End.CARRIED:
        stake = carried = stake or jackpot_stake
    elif outcome.spot == JACKPOT and outcome.end is End.LOST:
        stake = jackpot_stake
    return paid_line(
        outcome.title, outcome.why.words, outcome.why.article, stake=stake, returned=outcome.returned, carried=carried
    )


def _own_payouts(mine: PlayerView, box: BoxView | None) -> list[Payout]:
    """What was paid, so that it adds up to the viewer's win or loss: a carried jackpot stake is not lost."""
    stays = box is not None and (ended := box.outcome(JACKPOT)) is not None and ended.end is End.CARRIED
    return [
        replace(payout, carried=payout.stake) if stays and payout.spot == JACKPOT else payout for payout in mine.payouts
    ]


# ── The layout ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Box:
    """One box as it is printed, with its three spaces (2(2)). Keys name its fragments."""

    number: int
    key: str
    raise_key: str
    seat_key: str
    ante: SpotView
    jackpot: SpotView
