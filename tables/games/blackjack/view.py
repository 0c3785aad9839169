"""Who sees what of a round of Blackjack (rulebook, section 4, "What is shown to whom").

A `View` is all that the felt needs for one viewer, and holds nothing that they may not see: a card that lies face down
for them is a `CardView` without a face, and nothing else in the tree depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tables.games.contract import view as contract
from tables.games.contract.actions import HOUSE, Action, Step
from tables.games.contract.round import Offers, Payout, Stake
from tables.games.contract.view import End, Menu, OwnStake, SpotView
from tables.games.shared.cutting import CutView
from tables.games.shared.options import amount_for
from tables.games.values.cards import Card
from tables.games.values.quick import quickly_made
from tables.games.values.words import Note, Words, say

from . import betting, secrecy, window
from .bets import EVEN, FIVE_CARDS, MAIN, SPOTS, SURRENDERED
from .boxes import Box, laid_out, why_decides, wins_prize
from .hands import Hand, is_blackjack, points
from .notes import bank_note, hand_note, notes_of
from .phases import Asks, Claim, Double, EvenMoney, Follow, InHand, Insurance, Match, Pay, Phase, Split, Surrender
from .round import BlackjackRound
from .settling import hand_part


class Standing(StrEnum):
    """Where a hand stands."""

    WAITS = "waits"  # its turn has not come
    ACTS = "acts"  # its decider is asked now
    DRAWS = "draws"  # the dealer owes it a card
    STANDS = "stands"  # no card more: its own decision, 21, a double, a split ace
    BLACKJACK = "blackjack"
    BUST = "bust"
    SURRENDERED = "surrendered"
    PAID = "paid"  # nothing of it is open any more: special prize, even money, claims
    ENDED = "ended"  # compared with the bank


# ── What everybody sees ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class CardView:
    """One card on the felt. `face` None: its back. `sideways`: the one card after a double (17(1))."""

    face: Card | None
    sideways: bool = False


@dataclass(frozen=True, slots=True)
class HandStake:
    """One bettor's stake on one hand, in cents. `open`: not decided yet. `end`, `why`: how it ended for them.

    `doubled` of the amount was laid down to double; `single` if they ride with a single stake on a hand that its
    decider doubled (R17).
    """

    by: str
    amount: int
    doubled: int = 0
    single: bool = False
    open: bool = True
    end: End | None = None
    why: Note | None = None


@dataclass(frozen=True, slots=True)
class HandView:
    """One hand of a box; `number` counts from 0, left to right.

    `total` counts the cards that this viewer sees once they see the first two, `soft` if an ace counts 11 in it.
    `note` says why it takes no card more, or what it got; `automatic` if the time was over and it stood by itself.
    """

    number: int
    cards: tuple[CardView, ...]
    standing: Standing
    stakes: tuple[HandStake, ...]
    total: int | None = None
    soft: bool = False
    doubled: bool = False
    split: bool = False
    prize: bool = False
    automatic: bool = False
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class BettorView:
    """One bettor on a box, nearest to the bank first; `amount` is their main stake in cents.

    `decides` while they would take the decisions; after betting has closed it is fixed. `follows`: what they have asked
    to be done by itself. `insured` cents of insurance. `asked` if the round waits for their answer.
    """

    by: str
    amount: int
    seated: bool
    decides: bool
    follows: bool = False
    insured: int = 0
    asked: bool = False


@dataclass(frozen=True, slots=True)
class BoxView:
    """One box of the layout.

    `seated` is who sits at it, with or without a stake. `decider_why` says which rule of art. 20 makes the decider
    decide. `acts` if it is this box's turn. `surrendered` once it was given up. `holder`: whoever may hold the cards
    (3(4), 20(1)(3)); None if only the dealer handles them.
    """

    number: int
    seated: str | None
    bettors: tuple[BettorView, ...]
    decider: str | None
    decider_why: Note | None
    holder: str | None
    hands: tuple[HandView, ...]
    acts: bool = False
    full: bool = False
    surrendered: bool = False


@dataclass(frozen=True, slots=True)
class BankView:
    """The bank's cards. `total` counts those that lie open; `soft` if an ace counts 11 in it."""

    cards: tuple[CardView, ...]
    total: int | None = None
    soft: bool = False
    blackjack: bool = False
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What is being decided now, of which box and hand, who is asked, and what happens if the time runs out."""

    asks: Asks
    box: int | None
    hand: int | None
    asked: tuple[str, ...]
    automatic: Words


# ── What only the viewer sees ───────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision that the viewer may take now.

    `cost` cents leave their wallet for it; `returned` cents come back at once if it is taken (surrender, even money, a
    claim). `means` tells what follows in words: what a double does, what becomes of a stake that does not match.
    For insurance `action` has the least amount and `most` says how far it may go.
    """

    action: Action
    cost: int = 0
    returned: int = 0
    means: Words | None = None
    most: int | None = None


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView(contract.PlayerView):
    """What concerns the viewer alone. `staked` is what they have in the round now, in cents, with all that was added.

    `offers`: all that they may do. `choices`: the decisions that they may take now, in the order of the buttons;
    `asked` if the round waits for them.
    `cut`: first and last position at which they may cut, if asked. `decides`: the boxes whose decider they are;
    `behind`: those on which they have a stake and another decides. `doubles`, `splits`, `claims`: what they have asked
    to be done automatically.
    """

    offers: Offers
    cut: tuple[int, int] | None
    asked: bool
    choices: tuple[Choice, ...]
    decides: tuple[int, ...]
    behind: tuple[int, ...]
    doubles: bool
    splits: bool
    claims: bool


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class View(contract.View):
    """The felt as one viewer sees it; `mine` is None for a mere spectator.

    `burnt` cards lie in the discard holder from this round and its ceremony, face down.
    `stakes` are everybody's as placed, oldest first, `lying` as they lie there now. `payouts` are what the house has
    paid and collected so far. `notes` tell what happened beside the cards: the last round, a void, a card put away.
    `silence` while nobody may talk (20(2)). `calls_totals` from the last of the first cards until somebody decides
    something (6(5)).
    """

    phase: Phase
    cut: CutView | None
    burn_owed: int
    burnt: int
    white_card: bool
    last_round: bool
    bank: BankView
    boxes: tuple[BoxView, ...]
    calls_totals: bool
    question: Question | None
    silence: Note | None
    lying: tuple[Stake, ...]
    mine: PlayerView | None

    @property
    def on_felt(self) -> tuple[Stake, ...]:
        return self.lying


def view_of(round_: BlackjackRound, who: str | None) -> View:
    """The round as `who` may see it (None: a mere spectator)."""
    public = round_.views.public(lambda: _public(round_))
    if who is None:
        return public
    boxes = _staked(round_)
    seen = tuple(_boxes(round_, boxes, public.question, who)) if round_.options.face_down else public.boxes
    return replace(public, boxes=seen, mine=_mine(round_, boxes, who, public))


def _staked(round_: BlackjackRound) -> tuple[Box, ...]:
    """The boxes that play, or would if betting closed now."""
    if round_.closing is not None:
        return round_.boxes
    return laid_out(round_.options, round_.seats, round_.layout)


def _public(round_: BlackjackRound) -> View:
    question, lies = _question(round_), round_.on_felt()
    return View(
        phase=round_.phase,
        cut=round_.cutting.view if round_.cutting else None,
        burn_owed=max(round_.burn_owed, 0),
        burnt=len(round_.burnt) + len(round_.first_burnt),
        white_card=round_.white,
        last_round=round_.is_last,
        bank=_bank(round_),
        boxes=tuple(_boxes(round_, _staked(round_), question, None)),
        spots=tuple(_spots(round_, lies)),
        stakes=round_.stakes(),
        lying=tuple(
            stake if lies[stake.bet] == stake.amount else replace(stake, amount=lies[stake.bet])
            for stake in round_.layout
            if lies[stake.bet]
        ),
        calls_totals=round_.calls_totals,
        question=question,
        silence=round_.silence,
        ready=round_.ready if round_.closing is None else round_.window.ready,
        refusals=round_.refusals,
        payouts=round_.payouts(),
        void=round_.is_void,
        notes=tuple(notes_of(round_)),
        mine=None,
    )


# ── The pack and the bank ───────────────────────────────────────────────────────────────────────────────────


def _bank(round_: BlackjackRound) -> BankView:
    shown = round_.bank_shown
    cards = tuple(CardView(card if at < len(shown) else None) for at, card in enumerate(round_.bank))
    if not shown:
        return BankView(cards)
    total, soft = points(shown)
    return BankView(cards, total, soft, is_blackjack(shown), bank_note(shown))


# ── Boxes and hands ─────────────────────────────────────────────────────────────────────────────────────────


def _boxes(
    round_: BlackjackRound, boxes: Sequence[Box], question: Question | None, who: str | None
) -> Iterator[BoxView]:
    staked = {box.number: box for box in boxes}
    sitting = {seat: bettor for bettor, seat in round_.seats.items()}
    acting = round_.acting if round_.phase is Phase.PLAYER_TURNS and not _pays_first(round_) else None
    for number in range(1, round_.options.boxes + 1):
        box = staked.get(number)
        if box is None:
            yield BoxView(number, sitting.get(number), (), None, None, None, ())
            continue
        decider = _decider(round_, box)
        yield BoxView(
            number,
            sitting.get(number),
            tuple(_bettors(round_, box, decider, question)),
            decider,
            why_decides(round_.options.shared_box_rule, box, decider),
            box.seated,
            tuple(_hands(round_, box, question, who)) if box.dealt else (),
            acts=acting is not None and acting[0].number == number,
            full=len(box.bettors) >= round_.options.max_bettors_per_box,
            surrendered=box.surrendered,
        )


def _decider(round_: BlackjackRound, box: Box) -> str:
    """Who decides for the box: whose stakes have all been paid is out of it (section 5)."""
    for who in box.deciders:
        bettor = box.bettor(who)
        assert bettor is not None
        if any(who in hand.stakes and hand_part(bettor.bet, hand) not in round_.paid for hand in box.hands):
            return who
    return box.deciders[0]


def _bettors(round_: BlackjackRound, box: Box, decider: str, question: Question | None) -> Iterator[BettorView]:
    for bettor in box.bettors:
        who = bettor.who
        follow = round_.follows.get(who)
        asked = question is not None and who in question.asked
        if asked and question is not None:
            asked = (
                window.is_asked_about(round_.options, round_.up, box, who)
                if question.box is None
                else question.box == box.number
            )
        yield BettorView(
            who,
            bettor.amount,
            seated=who == box.seated,
            decides=who == decider,
            follows=follow is not None and (follow.doubles or follow.splits or follow.claims),
            insured=box.insured.get(who, 0),
            asked=asked,
        )


def _hands(round_: BlackjackRound, box: Box, question: Question | None, who: str | None) -> Iterator[HandView]:
    for number, hand in enumerate(box.hands):
        sees = _sees(round_, box, hand, who)
        cards = tuple(
            CardView(card if sees or at >= 2 else None, sideways=hand.doubled and at == 2)
            for at, card in enumerate(hand.cards)
        )
        total, soft = points(hand.cards) if sees and len(hand.cards) >= 2 else (None, False)
        yield HandView(
            number,
            cards,
            _standing(round_, box, number, question, sees),
            tuple(_hand_stakes(round_, box, hand)),
            total,
            soft,
            doubled=hand.doubled,
            split=hand.split,
            prize=sees and wins_prize(round_.options, hand),
            automatic=hand.stood == HOUSE,
            note=hand_note(round_, box, hand, sees),
        )


def _sees(round_: BlackjackRound, box: Box, hand: Hand, who: str | None) -> bool:
    settled = round_.phase is Phase.SETTLED
    after_window = round_.is_after_window
    up = round_.up if after_window else None
    return secrecy.sees(round_.options, up, box, hand, who, settled=settled, after_window=after_window)


def _standing(round_: BlackjackRound, box: Box, number: int, question: Question | None, sees: bool) -> Standing:
    hand = box.hands[number]
    if box.surrendered:
        return Standing.SURRENDERED
    if round_.phase in (Phase.BETTING, Phase.DEAL) or len(hand.cards) < 2 - hand.split:
        return Standing.WAITS
    if hand.is_over:
        return Standing.BUST
    if sees and hand.is_blackjack:
        return Standing.BLACKJACK
    if question is not None and (question.box, question.hand) == (box.number, number):
        return Standing.ACTS
    parts = [hand_part(bettor.bet, hand) for bettor in box.bettors if bettor.who in hand.stakes]
    if round_.phase is Phase.SETTLED:
        return Standing.ENDED
    if all(part in round_.paid for part in parts):
        return Standing.PAID
    return _standing_in_order(round_, box, number)


def _pays_first(round_: BlackjackRound) -> bool:
    """Whether the dealer pays before turning to the next hand: nobody is told beforehand which that is."""
    return round_.next_house_step() == Step(Pay())


def _reached(round_: BlackjackRound) -> tuple[int, int]:
    """The last hand with which all have seen something done."""
    done = [
        (box.number, number)
        for box in round_.boxes
        for number, hand in enumerate(box.hands)
        if hand.stood or hand.doubled or len(hand.cards) > 2
    ]
    return max(done, default=(0, 0))


def _standing_in_order(round_: BlackjackRound, box: Box, number: int) -> Standing:
    """Before its turn it waits, after it it stands, whatever it is."""
    if not round_.is_after_window:
        return Standing.WAITS
    if _pays_first(round_) and round_.phase is Phase.PLAYER_TURNS:
        return Standing.STANDS if (box.number, number) <= _reached(round_) else Standing.WAITS
    acting = round_.acting
    if acting is None or (box.number, number) < (acting[0].number, acting[1]):
        return Standing.STANDS
    if (box.number, number) > (acting[0].number, acting[1]):
        return Standing.WAITS
    hand = box.hands[number]
    return Standing.DRAWS if hand.owed or len(hand.cards) < 2 else Standing.WAITS


def _hand_stakes(round_: BlackjackRound, box: Box, hand: Hand) -> Iterator[HandStake]:
    for bettor in box.bettors:
        laid = hand.stakes.get(bettor.who)
        if laid is None:
            continue
        payout = round_.paid.get(hand_part(bettor.bet, hand))
        yield HandStake(
            bettor.who,
            laid.total,
            laid.doubled,
            single=hand.doubled and not laid.doubled,
            open=payout is None and not round_.over,
            end=_end(payout, box.surrendered and bettor.who not in box.even) if payout else None,
            why=payout.why if payout else None,
        )


def _end(payout: Payout, surrendered: bool = False) -> End:
    if surrendered or 0 < payout.returned < payout.stake:
        return End.HALF
    if payout.returned == payout.stake:
        return End.PUSH
    return End.WON if payout.returned > payout.stake else End.LOST


# ── What is asked ───────────────────────────────────────────────────────────────────────────────────────────

_AUTOMATIC = {
    Asks.EARLY: say("No answer: no insurance and no surrender"),
    Asks.TURN: say("The hand stands"),
    Asks.MATCH_DOUBLE: say("Whoever does not match stays with the single stake"),
    Asks.MATCH_SPLIT: say("Whoever does not match stays on the first hand"),
    Asks.CLAIM: say("Nothing is claimed"),
}


def _question(round_: BlackjackRound) -> Question | None:
    asked = round_.progress.asked
    if asked is None:
        return None
    return Question(asked.asks, asked.box, asked.hand, asked.who, _AUTOMATIC[asked.asks])


# ── The layout ──────────────────────────────────────────────────────────────────────────────────────────────


def _spots(round_: BlackjackRound, lies: Mapping[str, int]) -> Iterator[SpotView]:
    options = round_.options
    totals: dict[tuple[str, int | None], list[int]] = {}
    for stake in round_.layout:
        if lies[stake.bet]:
            totals.setdefault((stake.spot, stake.box), []).append(lies[stake.bet])
    for name, spot in SPOTS.items():
        if not betting.is_sold(options, name):
            continue
        least, most = betting.least_bet(options, name), amount_for(options.max_bet, name)
        for box in range(1, options.boxes + 1):
            on = round_.layout.on(name, box)
            payout = _beside(round_, name, box) if on and name != MAIN else None
            yield SpotView(
                name=name,
                box=box,
                title=spot.title,
                article=spot.article,
                odds=spot.odds,
                least=least,
                most=most,
                total=sum(totals.get((name, box), ())),
                bettors=len(totals.get((name, box), ())),
                end=_end(payout) if payout else None,
                why=payout.why if payout else None,
            )


def _beside(round_: BlackjackRound, name: str, box: int) -> Payout | None:
    """How a side bet on a box ended: it ends alike for all who made it."""
    for who in round_.layout.on(name, box):
        stake = round_.layout.find(who, name, box)
        if stake is not None:
            return round_.paid.get((stake.bet, "first"))
    return None


# ── The viewer's own ────────────────────────────────────────────────────────────────────────────────────────


def _mine(round_: BlackjackRound, boxes: Sequence[Box], who: str, public: View) -> PlayerView:
    betting_open = round_.phase is Phase.BETTING
    offers, question = round_.offers(who), public.question
    lies = {stake.bet: stake.amount for stake in public.lying if stake.by == who}
    follow = round_.follows.get(who) or Follow(who)
    played = [box for box in boxes if box.bettor(who) is not None]
    decided = tuple(box.number for box in played if _decider(round_, box) == who)
    return PlayerView(
        who=who,
        seat=round_.seats.get(who),
        leaving=round_.leaving(who),
        ready=who in (round_.ready if round_.closing is None else round_.window.ready),
        staked=sum(round_.laid(who).values()),
        stakes=tuple(
            OwnStake(
                stake,
                Menu(withdraw=True, lower=betting.may_lower(round_.options, stake)) if betting_open else Menu(),
                lies=lies.get(stake.bet, 0),
            )
            for stake in round_.layout.of_bettor(who)
        ),
        offers=offers,
        cut=(1, round_.options.decks * 52 - 1) if who in round_.offered_cut else None,
        asked=question is not None and who in question.asked,
        choices=tuple(_choices(round_, who, offers)),
        decides=decided,
        behind=tuple(box.number for box in played if box.number not in decided),
        doubles=follow.doubles,
        splits=follow.splits,
        claims=follow.claims,
        refusals=tuple(refusal for refusal in round_.refusals if refusal.by == who),
        payouts=round_.views.paid_to(who, public.payouts),
    )


def _choices(round_: BlackjackRound, who: str, offers: Offers) -> Iterator[Choice]:
    """The decisions among what is offered, each with what it costs, brings and means."""
    for action in offers.actions:
        if not isinstance(action, InHand | Insurance | EvenMoney | Surrender):
            continue
        box = round_.box(action.box)
        assert box is not None
        yield _choice(round_, who, box, action)


def _choice(round_: BlackjackRound, who: str, box: Box, action: InHand | Insurance | EvenMoney | Surrender) -> Choice:
    laid = box.hands[action.hand if isinstance(action, InHand) else 0].stakes[who]
    match action:
        case Insurance():
            means = say("Pays 2 to 1 if the bank has a blackjack, else it loses")
            most = window.most_insurance(round_.options, laid.amount)
            return Choice(action, cost=action.amount, means=means, most=most)
        case EvenMoney():
            back = laid.total + EVEN.prize(laid.total)
            return Choice(action, returned=back, means=say("Paid 1 to 1 now, whatever the bank gets"))
        case Surrender():
            means = say("Half of every stake on this box comes back; the round is over for it")
            return Choice(action, returned=SURRENDERED.prize(laid.total), means=means)
        case Double():
            return Choice(action, cost=laid.amount, means=say("The stake is doubled; one card more"))
        case Split():
            return Choice(action, cost=laid.amount, means=say("Two hands, each with the same stake"))
        case Match() if box.hands[action.hand].doubled:
            means = say("You double too; else your single stake rides on the hand")
            return Choice(action, cost=laid.amount, means=means)
        case Match():
            means = say("You split too; else your stake stays on the first hand")
            return Choice(action, cost=laid.amount, means=means)
        case Claim():
            back = laid.total + FIVE_CARDS.prize(laid.total)
            return Choice(action, returned=back, means=say("Half the stake is paid now, and it is over for you"))
        case _:
            return Choice(action)
