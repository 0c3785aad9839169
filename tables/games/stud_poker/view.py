"""Who sees what of a round of Stud Poker (rulebook, section 6, "What is shown to whom").

A `View` is all that the felt needs for one viewer, and holds nothing that they may not see: a card that lies face down
for them is a `CardView` without a face, a hidden choice is no choice, and nothing else in the tree depends
on either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tables.games.contract import view as contract
from tables.games.contract.actions import Action
from tables.games.contract.round import Offers, Payout, Stake
from tables.games.contract.view import End, Menu, OwnStake, SpotView
from tables.games.values.cards import CardView
from tables.games.values.quick import quickly_made
from tables.games.values.words import Note, Words, say

from . import betting, jackpot, settling
from .bets import ANTE, JACKPOT, RAISE, SPOTS
from .bets import TITLES as SPOT_TITLES
from .boxes import Box, laid_out
from .dealing import DEALER
from .hands import HAND, TITLES, Rank, qualifies, rank_of, value_of
from .options import BOXES, DecisionMode, Shuffle
from .phases import Fold, Phase, Raise
from .posted import Posted, posted
from .round import StudPokerRound


class Standing(StrEnum):
    """Where a box stands, as this viewer may know it."""

    EMPTY = "empty"  # no ante
    STAKED = "staked"  # an ante, and not yet all cards
    WAITS = "waits"  # in turn: others decide before
    DECIDES = "decides"  # asked now
    DECIDED = "decided"  # has decided; what, is hidden
    RAISED = "raised"
    FOLDED = "folded"
    COMPARED = "compared"  # opened and compared with the dealer's hand, or paid because the dealer does not qualify


# ── What everybody sees ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one stake on a box ended, once it is decided: `spot` is `ante`, `raise` or `jackpot`. In cents.

    `returned` has the stake in it; that of a jackpot stake is its prize.
    """

    spot: str
    title: Words
    stake: int
    returned: int
    end: End
    why: Note


@dataclass(frozen=True, slots=True)
class PrizeView:
    """A prize of the jackpot, in the order in which they are paid; `why` names its article."""

    box: int
    by: str
    rank: Rank
    title: Words
    amount: int
    why: Note


@dataclass(frozen=True, slots=True)
class JackpotStake:
    """A jackpot stake on a box, in cents. `carried` if it is from an earlier round: never debited again.

    `live` if its bettor has an ante in this round; one that was carried and is not live waits. `accepted` once betting
    has closed and it has gone to the jackpot (10(1)): its light is on. A carried one is accepted as it lies.
    """

    amount: int
    carried: bool
    live: bool
    accepted: bool


@dataclass(frozen=True, slots=True)
class BoxView:
    """One box of the layout, 1 to 7; box 1 is at the dealer's left, on a screen at the right.

    `seated` is who sits there now, `bettor` whose ante lies there (they keep the box when they leave in mid-round).
    `ante` cents, `accepted` once betting has closed on it. `raised` cents: None while it is hidden from this viewer or
    undecided, 0 once the hand is folded. `automatic` if it was folded because the time was over.

    `cards` in the order of dealing. `opened` if everybody sees all of them; `rank` and `title` of the hand are there
    for whoever sees all five. `dead` cards were dealt here by mistake, without a stake (11(3)).
    `decided_by`: once the hand has been compared, what made one of the two the higher.
    `outcomes`: how ante, raise and jackpot stake ended, as soon as the dealer has said so.
    """

    number: int
    seated: str | None
    bettor: str | None
    ante: int
    accepted: bool
    jackpot: JackpotStake | None
    standing: Standing
    raised: int | None
    automatic: bool
    cards: tuple[CardView, ...]
    opened: bool
    rank: Rank | None
    title: Words | None
    dead: tuple[CardView, ...]
    decided_by: Note | None
    outcomes: tuple[Outcome, ...]

    def outcome(self, spot: str) -> Outcome | None:
        """How the stake on one spot ended: `ante`, `raise` or `jackpot`."""
        return next((outcome for outcome in self.outcomes if outcome.spot == spot), None)


@dataclass(frozen=True, slots=True)
class DealerView:
    """The dealer's cards, of which one lies open (7); all are when they are `turned`.

    Then `rank` and `title` say what they make, `qualifies` whether that is ace-king or better, `note` what follows.
    """

    cards: tuple[CardView, ...]
    turned: bool
    rank: Rank | None
    title: Words | None
    qualifies: bool | None
    note: Note | None


@dataclass(frozen=True, slots=True)
class PoolView:
    """The jackpot as this round knows it, in cents: what the meter showed when betting closed, this round's
    contributions included (`opening`), and what is left once all is settled (`closing`).

    Both are None before; meanwhile the display shows the live meter, which no round knows.
    """

    opening: int | None
    closing: int | None
    prizes: tuple[PrizeView, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """The decision on the raise, while it is open: who is still asked, and on which boxes.

    `in_turn` if one decides after the other; then `asked` is the one whose turn it is. Else all are asked at the same
    time and what anybody has chosen is hidden until the window closes (R17). `automatic` says what silence means.
    """

    asked: tuple[str, ...]
    boxes: tuple[int, ...]
    in_turn: bool
    automatic: Words


# ── What only the viewer sees ───────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision that the viewer may take now: `cost` cents leave their wallet, `means` tells what follows.

    `warning`: what they would throw away with it, to be confirmed first (R8: a flush or better, with a jackpot stake).
    """

    action: Action
    cost: int
    means: Words
    warning: Note | None = None


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView(contract.PlayerView):
    """What concerns the viewer alone. `staked` is what they have in the round now, in cents, a raise included.

    `box` is the one that they play, with an ante on it; None before that. `raising` is what a raise on their ante
    costs, so that they can be warned in time if they have less. `choices`: the decisions that they may take now, raise
    first; `asked` if the round waits for them; `chosen` what they have decided (`raise`, `fold`), which is final.
    """

    box: int | None
    raising: int | None
    asked: bool
    choices: tuple[Choice, ...]
    chosen: str | None


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class View(contract.View):
    """The felt as one viewer sees it; `mine` is None for a mere spectator.

    `shuffler` if the cards come from one, five at a time, else one by one from the shoe (7). `stakes` are everybody's
    as placed, oldest first: antes and jackpot stakes, carried ones included. `payouts` are what the house has paid and
    collected so far. `notes` tell what happened beside the cards: mishaps, a void, stakes that are carried.
    `silence` while nobody may talk (12(2)).
    """

    phase: Phase
    shuffler: bool
    dealer: DealerView
    boxes: tuple[BoxView, ...]
    pool: PoolView
    posted: Posted
    question: Question | None
    silence: Note | None
    mine: PlayerView | None

    @property
    def on_felt(self) -> tuple[Stake, ...]:
        """Antes and jackpot stakes, and the raises that grew out of the antes (6(6)), once they may be seen."""
        antes = {stake.by: stake.bet for stake in self.stakes if stake.spot == ANTE}
        raises = (
            Stake(antes[box.bettor], box.bettor, RAISE, box.raised, box.number)
            for box in self.boxes
            if box.bettor in antes and box.raised
        )
        return *self.stakes, *raises


def view_of(round_: StudPokerRound, who: str | None) -> View:
    """The round as `who` may see it (None: a mere spectator)."""
    return round_.views.public(lambda: _view(round_, None)) if who is None else _view(round_, who)


def _view(round_: StudPokerRound, who: str | None) -> View:
    boxes = {box.number: box for box in (round_.boxes if round_.closing is not None else laid_out(round_.layout))}
    sitting = {seat: bettor for bettor, seat in round_.seats.items()}
    payouts = tuple(payout for payout in round_.payouts() if _may_know(round_, payout, who))
    lights = _jackpot_stakes(round_, boxes.values())
    views = tuple(
        _box(round_, number, boxes.get(number), sitting.get(number), lights.get(number), payouts, who)
        for number in range(1, BOXES + 1)
    )
    question = _question(round_)
    return View(
        phase=round_.phase,
        shuffler=round_.options.shuffle_method is Shuffle.SHUFFLER,
        dealer=_dealer(round_),
        boxes=views,
        spots=tuple(_spots(round_, views)),
        pool=_pool(round_),
        posted=posted(round_.options),
        question=question,
        silence=round_.silence,
        stakes=round_.stakes(),
        ready=round_.ready,
        refusals=round_.refusals,
        payouts=payouts,
        void=round_.is_void,
        notes=tuple(_notes(round_)),
        mine=None if who is None else _mine(round_, boxes.values(), who, question, payouts),
    )


def _may_know(round_: StudPokerRound, payout: Payout, who: str | None) -> bool:
    """A raise that was returned before the window closed stays its bettor's own secret."""
    return payout.spot != RAISE or payout.by == who or _may_know_choice(round_)


def _may_know_choice(round_: StudPokerRound) -> bool:
    """Whether everybody may know what has been chosen: in turn at once, else when the window has closed (R17)."""
    return round_.is_window_closed or round_.options.decision_mode is DecisionMode.IN_TURN


# ── The dealer and the boxes ────────────────────────────────────────────────────────────────────────────────


def _dealer(round_: StudPokerRound) -> DealerView:
    deal = round_.deal
    if deal is None:
        return DealerView((), False, None, None, None, None)
    hand = deal.hand(DEALER)
    cards = tuple(
        CardView(card if round_.turned or face else None, mistaken)
        for card, face, mistaken in zip(hand, deal.open_cards(DEALER), deal.exposed_of(DEALER), strict=True)
    )
    if not round_.turned:
        return DealerView(cards, False, None, None, None, None)
    rank, enough = rank_of(hand), qualifies(hand)
    if enough and not any(box.raised for box in round_.boxes):
        note = Note("9(3)", say("The dealer qualifies with %(hand)s; no hand is left to compare", hand=TITLES[rank]))
    elif enough:
        note = Note("9(3)", say("The dealer qualifies with %(hand)s: the hands are compared", hand=TITLES[rank]))
    else:
        note = Note("9(1)", say("The dealer has less than ace-king and does not qualify"))
    return DealerView(cards, True, rank, TITLES[rank], enough, note)


def _box(
    round_: StudPokerRound,
    number: int,
    box: Box | None,
    seated: str | None,
    light: JackpotStake | None,
    paid: Sequence[Payout],
    who: str | None,
) -> BoxView:
    dead = tuple(
        CardView(dead.card if dead.exposed else None, dead.exposed)
        for dead in (round_.deal.dead if round_.deal else ())
        if dead.box == number
    )
    if box is None:
        outcomes = (_waits(light),) if round_.over and light is not None else ()
        empty = Standing.EMPTY
        return BoxView(
            number, seated, None, 0, False, light, empty, None, False, (), False, None, None, dead, None, outcomes
        )
    opened = number in round_.compared or number in round_.won
    cards = _cards(round_, box, sees=opened or box.who == who)
    rank = None
    if round_.deal is not None and len(cards) == HAND and all(card.face for card in cards):
        rank = rank_of(round_.deal.hand(number))
    knows = box.who == who or _may_know_choice(round_)
    return BoxView(
        number,
        seated,
        box.who,
        box.ante,
        round_.closing is not None,
        light,
        _standing(round_, box, knows),
        None if box.raised is None or not knows else box.raising if box.raised else 0,
        box.automatic,
        cards,
        opened,
        rank,
        None if rank is None else TITLES[rank],
        dead,
        _decided_by(round_, number),
        tuple(_outcomes(round_, box, paid, knows)),
    )


def _cards(round_: StudPokerRound, box: Box, *, sees: bool) -> tuple[CardView, ...]:
    if round_.deal is None:
        return ()
    hand, faces = round_.deal.hand(box.number), round_.deal.open_cards(box.number)
    return tuple(CardView(card if sees or face else None, face) for card, face in zip(hand, faces, strict=True))


def _jackpot_stakes(round_: StudPokerRound, boxes: Iterable[Box]) -> Mapping[int, JackpotStake]:
    """The jackpot stakes by box: each lies on the box that it plays for, or where it waits for its bettor's ante."""
    plays = {box.jackpot: box.number for box in boxes if box.jackpot is not None}
    lying: dict[int, JackpotStake] = {}
    for stake in round_.layout:
        number = plays.get(stake.bet, stake.box)
        if stake.spot == JACKPOT and number is not None and (stake.bet in plays or number not in lying):
            accepted = stake.carried or round_.pool is not None or round_.is_void
            lying[number] = JackpotStake(stake.amount, stake.carried, stake.bet in plays, accepted)
    return lying


def _standing(round_: StudPokerRound, box: Box, knows: bool) -> Standing:
    if box.raised is not None:
        if not knows:
            return Standing.DECIDED
        if box.folded:
            return Standing.FOLDED
        if box.number in round_.compared or _is_paid_unopened(round_):
            return Standing.COMPARED
        return Standing.RAISED
    if round_.phase is not Phase.LOOK_AND_DECIDE:
        return Standing.STAKED
    return Standing.DECIDES if box in round_.asked else Standing.WAITS


def _decided_by(round_: StudPokerRound, number: int) -> Note | None:
    if round_.deal is None or number not in round_.compared:
        return None
    return settling.what_decides(value_of(round_.deal.hand(number)), value_of(round_.deal.hand(DEALER)))


def _is_paid_unopened(round_: StudPokerRound) -> bool:
    """Whether the dealer's cards lie open and do not qualify."""
    return round_.turned and round_.deal is not None and not qualifies(round_.deal.hand(DEALER))


# ── How it ended ────────────────────────────────────────────────────────────────────────────────────────────


def _outcomes(round_: StudPokerRound, box: Box, paid: Sequence[Payout], knows: bool) -> Iterator[Outcome]:
    """What the dealer has said of the stakes on a box so far."""
    if round_.is_void:
        yield from _outcomes_of(paid, box)
        return
    if box.folded and knows:
        yield _outcome(settling.folded(box))
    elif box.raised and (box.number in round_.compared or _is_paid_unopened(round_)):
        yield from (_outcome(payout) for payout in round_.ends_of(box))
    if box.jackpot is None:
        return
    award = round_.award
    if box.number in round_.won:
        assert award is not None
        (payout,) = (one for one in settling.prizes(round_.options, round_.boxes, award) if one.bet == box.jackpot)
        yield _outcome(payout)
    elif (box.folded and knows) or round_.phase in (Phase.RESULT, Phase.SETTLED):
        yield _outcome(settling.unlucky(box))


def _outcomes_of(paid: Sequence[Payout], box: Box) -> Iterator[Outcome]:
    """The stakes of a box in a void round."""
    for payout in paid:
        if payout.bet == box.bet:
            yield _outcome(payout, End.RETURNED)
        elif payout.bet == box.jackpot and payout.why.article != "10(1)":
            yield _outcome(payout, End.CARRIED)


def _waits(light: JackpotStake) -> Outcome:
    """How a round ends for a jackpot stake that waits for its bettor's ante: it stays where it is."""
    why = Note("R14", say("Without an ante the carried jackpot stake waits for the next round"))
    return Outcome(JACKPOT, SPOT_TITLES[JACKPOT], light.amount, 0, End.CARRIED, why)


def _outcome(payout: Payout, end: End | None = None) -> Outcome:
    if end is None:
        if payout.returned > payout.stake:
            end = End.WON
        else:
            end = End.RETURNED if payout.stake and payout.returned == payout.stake else End.LOST
    return Outcome(payout.spot, SPOT_TITLES[payout.spot], payout.stake, payout.returned, end, payout.why)


def _pool(round_: StudPokerRound) -> PoolView:
    award = round_.award
    if award is None:
        return PoolView(round_.jackpot_opening, None, ())
    who = {box.number: box.who for box in round_.boxes}
    called = tuple(
        PrizeView(
            prize.box, who[prize.box], prize.rank, TITLES[prize.rank], prize.amount, settling.why_prize(award, prize)
        )
        for prize in award.prizes[: len(round_.won)]
    )
    return PoolView(award.opening, award.closing if round_.settled else None, called)


# ── What is asked and told ──────────────────────────────────────────────────────────────────────────


def _question(round_: StudPokerRound) -> Question | None:
    if not round_.asked:
        return None
    return Question(
        tuple(box.who for box in round_.asked),
        tuple(box.number for box in round_.asked),
        round_.options.decision_mode is DecisionMode.IN_TURN,
        say("Whoever does not raise folds"),
    )


def _spots(round_: StudPokerRound, views: Sequence[BoxView]) -> Iterator[SpotView]:
    options = round_.options
    limits = {
        ANTE: (betting.least_ante(options), options.max_ante),
        JACKPOT: (options.jackpot_stake, options.jackpot_stake),
    }
    for name, spot in SPOTS.items():
        for box in views:
            outcome = box.outcome(name)
            total = box.ante if name == ANTE else box.jackpot.amount if box.jackpot else 0
            yield SpotView(
                name=name,
                box=box.number,
                title=spot.title,
                article=spot.article,
                odds=spot.odds,
                least=limits[name][0],
                most=limits[name][1],
                total=total,
                bettors=int(total > 0),
                end=outcome.end if outcome else None,
                why=outcome.why if outcome else None,
            )


def _notes(round_: StudPokerRound) -> Iterator[Note]:
    deal = round_.deal
    if deal is not None:
        if deal.mistakes == 1:
            if any(deal.exposed_of(DEALER)):
                yield Note("11(2)", say("A card of the dealer was exposed by mistake: it is the dealer's open card"))
            else:
                yield Note("11(2)", say("A card was exposed by mistake: the round goes on"))
        for number in dict.fromkeys((*(dead.box for dead in deal.dead), *deal.astray)):
            yield Note("11(3)", say("Box %(box)s received cards without a stake: the box is void", box=number))
    if round_.void and round_.closing is not None and not round_.boxes:
        yield round_.void_note(Note("void", say("Nobody has an ante: nothing is dealt")))
    elif round_.void:
        yield round_.void_note(settling.why_void(round_.void.reason))


# ── The viewer's own ────────────────────────────────────────────────────────────────────────────────────────


def _mine(
    round_: StudPokerRound, boxes: Iterable[Box], who: str, question: Question | None, payouts: Sequence[Payout]
) -> PlayerView:
    box = next((box for box in boxes if box.who == who), None)
    offers = round_.offers(who)
    return PlayerView(
        who=who,
        seat=round_.seats.get(who),
        leaving=round_.leaving(who),
        box=box.number if box else None,
        ready=who in round_.ready,
        staked=sum(round_.laid(who).values()),
        raising=box.raising if box else None,
        stakes=tuple(OwnStake(stake, _menu(round_, stake)) for stake in round_.layout.of_bettor(who)),
        asked=question is not None and who in question.asked,
        choices=tuple(_choices(round_, box, offers)) if box else (),
        chosen=None if box is None or box.raised is None else Raise.do if box.raised else Fold.do,
        refusals=tuple(refusal for refusal in round_.refusals if refusal.by == who),
        payouts=tuple(payout for payout in payouts if payout.by == who),
    )


def _menu(round_: StudPokerRound, stake: Stake) -> Menu:
    if round_.phase is not Phase.BETTING:
        return Menu()
    return Menu(withdraw=not stake.carried, lower=betting.may_lower(round_.options, stake))


def _choices(round_: StudPokerRound, box: Box, offers: Offers) -> Iterator[Choice]:
    for action in offers.actions:
        if isinstance(action, Raise):
            yield Choice(action, box.raising, say("Twice the ante is laid behind it, and the hand plays"))
        elif isinstance(action, Fold):
            lost = say("The hand and the ante are lost")
            if box.jackpot is not None:
                lost = say("The hand, the ante and the jackpot stake are lost")
            yield Choice(action, 0, lost, _warning(round_, box))


def _warning(round_: StudPokerRound, box: Box) -> Note | None:
    """What a fold would throw away beside the ante (R8)."""
    assert round_.deal is not None
    rank = rank_of(round_.deal.hand(box.number))
    if box.jackpot is None or rank not in jackpot.ARTICLES:
        return None
    return Note("R8", say("Folding %(hand)s loses its prize of the jackpot", hand=TITLES[rank]))
