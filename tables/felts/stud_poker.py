"""The felt of Stud Poker: the dealer, the boxes with their three spaces, what is posted, and raise or fold."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language, gettext, pgettext

from tables.felts import jackpot
from tables.felts.house_rules import house_rules
from tables.felts.house_rules import limits as limits
from tables.felts.rendering import Templates
from tables.felts.results import Line, my_result, nothing_yet, paid_line, taken_down
from tables.games.codec import action_json
from tables.games.money import Odds
from tables.games.protocol import Opening, Payout, Round
from tables.games.stud_poker import GAME, Options, Phase, opened
from tables.games.stud_poker.bets import ANTE, JACKPOT, RAISE, TITLES
from tables.games.stud_poker.hands import HAND, Rank
from tables.games.stud_poker.hands import TITLES as HANDS
from tables.games.stud_poker.options import DecisionMode, Shuffle
from tables.games.stud_poker.phases import Fold, Raise
from tables.games.stud_poker.view import (
    BoxView,
    Choice,
    DealerView,
    End,
    Mine,
    Outcome,
    Posted,
    Question,
    Share,
    SpotView,
    Standing,
    View,
)
from tables.games.words import Note, Words
from tables.queries import TableState
from tables.wording import card_name, credits_of, listed, odds_of, sentence, text_of

Fragments = dict[str, str]

_TEMPLATES = Templates(GAME.slug)

# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────


def phase_words(phase: str) -> str:
    """The phase as the rail says it."""
    match Phase(phase):
        case Phase.CUT:
            return gettext("The cut")
        case Phase.BETTING:
            return gettext("Place your bets")
        case Phase.BETS_CLOSED | Phase.DEAL:
            return gettext("Bets closed")
        case Phase.LOOK_AND_DECIDE:
            return gettext("Raise or fold")
        case Phase.DEALER_REVEAL:
            return gettext("The dealer turns his cards")
        case Phase.COMPARE:
            return gettext("The hands are compared")
        case Phase.JACKPOT:
            return gettext("Progressive jackpot")
        case Phase.RESULT | Phase.SETTLED:
            return gettext("Result")
        case Phase.VOID:
            return gettext("The round is void")


def betting(phase: str) -> bool:
    """Whether the layout is open for stakes."""
    return phase == Phase.BETTING


def signs(view: View) -> list[str]:
    """Short facts for the rail: there are none."""
    return []


def holds(view: View) -> Mapping[str, list[str]]:
    """No marks at the seats: a box says itself whether its bettor decides."""
    return {}


def ready(view: View) -> frozenset[str]:
    """Bettors who have said that they are ready, while the round waits for that."""
    return view.ready if view.phase is Phase.BETTING else frozenset()


def kept_words(cents: int) -> str:
    """How a jackpot stake that was carried over is marked (R14)."""
    return gettext("carried: live with an ante")


def result_words(result: Mapping[str, Any]) -> str:
    """One result in a few words, for lists."""
    if result.get("void"):
        return gettext("Void")
    if not result["qualifies"]:
        return gettext("The dealer does not qualify")
    return gettext("The dealer qualifies with %(hand)s") % {"hand": text_of(HANDS[Rank(result["dealer"])])}


def box_words(number: int, name: str = "") -> str:
    """A box, and who plays it."""
    words = gettext("Box %(box)s") % {"box": number}
    return listed([words, name]) if name else words


# ── What a screen reader tells ──────────────────────────────────────────────────────────────────────────────


def said(view: View, names: Mapping[str, str]) -> list[str]:
    """What a screen reader tells now: the newest that has happened."""
    told = [sentence(phase_words(view.phase))]
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
    return sentence(f"{box_words(box.number)}: {text_of(TITLES[JACKPOT])}, {kept_words(box.jackpot.amount)}")


def _decided(box: BoxView, names: Mapping[str, str]) -> str:
    """That a bettor has decided; what, if that is no secret any more."""
    return sentence(f"{box_words(box.number, names.get(box.bettor or '', ''))}: {standing_words(box)}")


def _newest(view: View, names: Mapping[str, str]) -> list[str]:
    """The prize that was called last; before there is one, the hand that was compared last."""
    if view.pool.prizes:
        prize = view.pool.prizes[-1]
        name = names.get(prize.by, "")
        return [sentence(f"{box_words(prize.box, name)}: {text_of(prize.why.words)}")]
    compared = [box for box in view.boxes if box.standing is Standing.COMPARED]
    return list(_read_ends(compared[-1], names)) if compared else []


def _read_ends(box: BoxView, names: Mapping[str, str]) -> Iterator[str]:
    title = box_words(box.number, names.get(box.bettor or "", ""))
    if box.opened:
        cards = listed([card_name(card.face) for card in box.cards])
        yield gettext("%(hand)s: %(cards)s.") % {"hand": title, "cards": cards}
    for why in _reasons(box):
        yield sentence(f"{title}: {text_of(why.words)}")


def standing_words(box: BoxView) -> str:
    """Where a box stands, as a tag says it."""
    match box.standing:
        case Standing.EMPTY | Standing.STAKED:
            return ""
        case Standing.WAITS:
            return gettext("waits")
        case Standing.DECIDES:
            return gettext("decides")
        case Standing.DECIDED:
            return gettext("has decided")
        case Standing.RAISED | Standing.COMPARED:
            return gettext("raises")
        case Standing.FOLDED:
            return gettext("folds")


def asked_words(question: Question, names: Mapping[str, str]) -> list[str]:
    """Who is asked, as the dealer says it to all, and what is done if the time runs out."""
    if question.in_turn:
        name = names.get(question.asked[0], "")
        asked = gettext("%(box)s: %(name)s decides") % {"box": box_words(question.boxes[0]), "name": name}
    else:
        asked = gettext("All decide at the same time, unseen by the others")
    return [asked, _automatic(question)]


def _automatic(question: Question) -> str:
    return gettext("If the time runs out: %(deed)s") % {"deed": text_of(question.automatic)}


# ── Options ─────────────────────────────────────────────────────────────────────────────────────────────────


def facts(options: Options) -> list[str]:
    """The options that a player chooses a table by."""
    told = [gettext("Shuffler") if options.shuffle_method is Shuffle.SHUFFLER else gettext("Shoe")]
    if options.decision_mode is DecisionMode.IN_TURN:
        told.append(gettext("Decisions in turn"))
    told.append(gettext("Royal flush %(odds)s") % {"odds": odds_of(Odds(options.royal_odds))})
    return told


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
    """The options of the table in words."""
    return house_rules(
        options,
        POSTED,
        {
            "royal_flush_odds": lambda odds: odds_of(Odds(odds)),
            "raise_payout_cap": credits_of,
            "jackpot_minimum": credits_of,
            "jackpot_contribution": _percent,
        },
    )


def _percent(part: Fraction) -> str:
    return gettext("%(percent)s per cent") % {"percent": f"{float(part * 100):g}"}


# ── What everybody sees ─────────────────────────────────────────────────────────────────────────────────────


def public(state: TableState, view: View) -> Fragments:
    """The dealer, the boxes with their hands and raises, the result, what is posted, and the jackpot's meter."""
    language = get_language() or ""
    return {
        "cards": _TEMPLATES.fragment(
            "cards",
            view=view,
            said=_dealer_says(view, state.names),
            missing=range(len(view.dealer.cards), HAND),
        ),
        "result": _TEMPLATES.fragment(
            "result",
            view=view,
            void=view.notes[-1] if view.void else None,
            told=list(_told(view, state.names)),
            shared=list(_shared(view)),
        ),
        "roads": _posted(view.posted, language),
        "jackpot-meter": jackpot.meter(state),
        **{f"box-{box.number}": _box(box, state.names.get(box.bettor or "", ""), language) for box in view.boxes},
        **{f"raise-{box.number}": _raise(box) for box in view.boxes},
    }


def idle(options: Options) -> Round:
    """An empty round, whose felt is shown before the first one of a table."""
    return opened(options, Opening())


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
    """What a box has won or lost with ante, raise and prize, in cents, once both stakes are decided."""
    if box.standing not in (Standing.COMPARED, Standing.FOLDED):
        return None
    return sum(outcome.returned - outcome.stake for outcome in box.outcomes)


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


# ── What is posted ──────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Row:
    """One hand, as it is posted: what the raise pays with it, and what it wins of the jackpot (10(2), 10(3))."""

    title: str
    odds: str
    capped: bool
    fixed: int | None
    share: str
    odds_article: str
    prize_article: str


@lru_cache(maxsize=64)
def _posted(posted: Posted, language: str) -> str:
    """The fixed sums, the cap and the odds (10(3)), drawn once: they lie where other tables show their results."""
    return _TEMPLATES.fragment("roads", posted=posted, rows=list(_rows(posted)))


def _rows(posted: Posted) -> Iterator[Row]:
    prizes = {prize.rank: prize for prize in posted.prizes}
    shares = {Share.ALL: gettext("or 100 %"), Share.TENTH: gettext("or 10 %"), Share.NONE: ""}
    for row in posted.odds:
        if row.rank is Rank.FIVE_ODD_CARDS:
            continue  # with one pair: "or lower"
        prize = prizes.get(row.rank)
        yield Row(
            gettext("one pair or lower") if row.rank is Rank.ONE_PAIR else text_of(row.title),
            odds_of(row.odds),
            row.capped,
            prize.fixed if prize is not None else None,
            shares[prize.share] if prize is not None else "",
            row.article,
            prize.article if prize is not None else "",
        )


# ── What one bettor sees ────────────────────────────────────────────────────────────────────────────────────


def watching(state: TableState) -> Fragments:
    """What belongs to a bettor, for somebody who only watches: there, but empty."""
    return {
        "my-cards": _TEMPLATES.same("my_cards", box=None),
        "my-result": nothing_yet(),
        "decision": _TEMPLATES.same("decision", panel=None),
    }


def private(state: TableState, view: View, public: View) -> Fragments:
    """The bettor's own five cards, raise or fold, and the result."""
    mine = view.mine
    assert mine is not None
    box = _own_box(view)
    panel = _panel(view, mine)
    over = view.phase in (Phase.SETTLED, Phase.VOID)  # only then has the house paid
    return {
        "my-cards": _my_cards(box, mine),
        "my-result": my_result(GAME.slug, _lines(view, mine, box), _own_payouts(mine, box), over=over),
        "decision": _TEMPLATES.fragment("decision", panel=panel) if panel else _TEMPLATES.same("decision", panel=None),
    }


def private_key(state: TableState, view: View, public: View) -> Hashable:
    """The viewer's box, or the place of their carried jackpot stake; and their decision."""
    assert view.mine is not None
    question = None if view.question is None else (view.question.in_turn, view.question.automatic)
    return view.phase, _own_box(view), tuple(_waiting(view, view.mine)), question


def _own_box(view: View) -> BoxView | None:
    mine = view.mine
    if mine is None or mine.box is None:
        return None
    return view.boxes[mine.box - 1]


def _my_cards(box: BoxView | None, mine: Mine) -> str:
    if box is None or not any(card.face for card in box.cards):
        return _TEMPLATES.same("my_cards", box=None)
    return _TEMPLATES.same("my_cards", box=box.number, cards=box.cards, title=box.title, folded=mine.chosen == Fold.do)


def _lines(view: View, mine: Mine, box: BoxView | None) -> list[Line]:
    """One line for each stake that is decided; what was taken down or refunded if there is none."""
    ended = box.outcomes if box is not None else _waiting(view, mine)
    jackpot_stake = box.jackpot.amount if box is not None and box.jackpot is not None else 0
    lines = [_line(outcome, jackpot_stake) for outcome in ended]
    lines += [
        paid_line(TITLES[JACKPOT], payout.why.words, payout.why.article, stake=0, returned=payout.returned)
        for payout in mine.payouts
        if payout.why.article == "R14"
    ]
    return lines or taken_down(mine.refusals)


def _waiting(view: View, mine: Mine) -> Iterator[Outcome]:
    """What becomes of a carried jackpot stake whose bettor has no ante."""
    places = {own.stake.box for own in mine.stakes if own.stake.carried}
    for box in view.boxes:
        if box.number in places and box.bettor is None:
            yield from box.outcomes


def _line(outcome: Outcome, jackpot_stake: int) -> Line:
    """What one stake brought. A jackpot stake went when betting closed, and no prize has it in it (R9)."""
    stake, carried = outcome.stake, 0
    if outcome.end is End.CARRIED:
        stake = carried = stake or jackpot_stake
    elif outcome.spot == JACKPOT and outcome.end is End.LOST:
        stake = jackpot_stake
    return paid_line(
        outcome.title,
        outcome.why.words,
        outcome.why.article,
        stake=stake,
        returned=outcome.returned,
        carried=carried,
    )


def _own_payouts(mine: Mine, box: BoxView | None) -> list[Payout]:
    """What was paid, so that it adds up to the viewer's win or loss: a carried jackpot stake is not lost."""
    stays = box is not None and (ended := box.outcome(JACKPOT)) is not None and ended.end is End.CARRIED
    return [
        replace(payout, carried=payout.stake) if stays and payout.spot == JACKPOT else payout for payout in mine.payouts
    ]


# ── Raise or fold ───────────────────────────────────────────────────────────────────────────────────────────


KEYS = {Raise.do: "R", Fold.do: "F"}
"""The key of each decision."""


@dataclass(frozen=True, slots=True)
class Button:
    """One decision as it lies under the thumb: what is sent, what it costs, which key does the same.

    `warning`: what is asked once more before it is sent.
    """

    kind: str
    label: str
    send: str
    key: str
    cost: int
    means: Words
    warning: Note | None


@dataclass(frozen=True, slots=True)
class Panel:
    """What the bettor is asked or has chosen, which others may not know yet."""

    title: str
    more: str
    buttons: tuple[Button, ...] = ()
    short: str = ""

    @property
    def warned(self) -> Button | None:
        """The decision that is asked once more."""
        return next((button for button in self.buttons if button.warning is not None), None)


def _panel(view: View, mine: Mine) -> Panel | None:
    question = view.question
    if question is None:
        return None
    if mine.choices:
        cost = max(choice.cost for choice in mine.choices)
        return Panel(
            title=gettext("Raise or fold?"),
            more=_automatic(question),
            buttons=tuple(_button(choice) for choice in mine.choices),
            short=gettext("Your balance does not cover a raise of %(cost)s: you can only fold.")
            % {"cost": credits_of(cost)},
        )
    if mine.chosen is None:
        return None
    title = gettext("You raise") if mine.chosen == Raise.do else gettext("You fold")
    return Panel(title=title, more="" if question.in_turn else gettext("The others see it when all have decided."))


def _button(choice: Choice) -> Button:
    action = choice.action
    label = pgettext("stud poker", "Raise") if isinstance(action, Raise) else pgettext("stud poker", "Fold")
    sent = {name: value for name, value in action_json(action).items() if name != "by" and value is not None}
    return Button(action.do, label, json.dumps(sent), KEYS[action.do], choice.cost, choice.means, choice.warning)


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


def layout(state: TableState) -> dict[str, Any]:
    """What the drawn layout needs beside the fragments."""
    view: View = (state.round or idle(state.options)).view(None)
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
        "house_rules": _rules(state.options),
        "history_title": gettext("Posted at this table"),
        "posted": view.posted,
        "options": state.options,
    }


def road(results: Sequence[Mapping[str, Any]]) -> str:
    """No results are shown of this game (12(1))."""
    return ""
