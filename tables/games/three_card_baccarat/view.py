"""Who sees what of a round of 3-Card Baccarat (rulebook, section 5).

A `View` is all that the felt needs for one viewer, and holds nothing that they may not see: a card that lies face down
for them is a `CardView` without a face, and nothing else in the tree depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tables.games.contract import view as contract
from tables.games.contract.actions import Move
from tables.games.contract.round import Stake
from tables.games.contract.view import End, Menu, OwnStake
from tables.games.shared.cutting import CutView
from tables.games.shared.options import amount_for
from tables.games.values.cards import POINTS, Card, CardView
from tables.games.values.quick import quickly_made
from tables.games.values.words import Note, Words, say

from . import betting
from .bets import COMMISSION_PERCENT, PLACE, SPOTS, TIE, WITH_COMMISSION
from .hands import BANKER, THREE_COURTS, combination
from .phases import Phase
from .round import ThreeCardRound
from .settling import Hands, Terms, terms

# ── What everybody sees ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class HandView:
    """One hand, as far as it has been dealt; without cards it takes no part in the round.

    `rank` (1 to 31), `points`, `title` (its name) and `note` (how it counts) from the moment that this viewer
    sees all three cards. `open` once the dealer has opened it for everybody.
    """

    cards: tuple[CardView, ...] = ()
    rank: int | None = None
    points: int | None = None
    title: Words | None = None
    note: Note | None = None
    open: bool = False


@dataclass(frozen=True, slots=True)
class PlaceView:
    """One place of the layout, clockwise from 1.

    `occupant` sits there now. `active` if it has a place bet, and so gets cards. `holder`: the one whose cards they
    are to look at, once betting has closed; None if only the dealer touches them. `looks` while it waits for them.
    `total` cents lie on it as place bets of `bettors`, `locked` of them from an earlier round. `end` and `why`: how it
    ended against the banker, once both lie open.
    """

    number: int
    occupant: str | None
    active: bool
    holder: str | None
    looks: bool
    hand: HandView
    total: int
    locked: int
    bettors: int
    end: End | None = None
    why: Note | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotView(contract.SpotView):
    """One spot of the layout: what it pays, its limits, what lies on it and how it ended.

    `key` names it on the page: "place-3", "odd". `terms` says what is kept back from the odds. `sold` is false where
    only locked stakes lie on what is not offered any more. Amounts in cents; `most` None if there is no maximum;
    `locked` is the part of `total` from an earlier round.
    """

    terms: Words | None
    sold: bool
    locked: int


# ── What only the viewer sees ───────────────────────────────────────────────────────────────────────────────


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView(contract.PlayerView):
    """What concerns the viewer alone. `staked` is what they have on the layout, in cents, of which `locked` is locked.

    `ready` if they have said so: while betting, and again while they may look. `cut` are the first and last
    position at which they may cut, if asked. `place` is the one whose cards they may look at, `looks` while the round
    waits for that. `barred` says why they may not bet at all, if so. Stakes that are locked have an empty menu;
    adding to one is a bet like any other.
    """

    barred: Note | None
    locked: int
    cut: tuple[int, int] | None
    place: int | None
    looks: bool


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class View(contract.View):
    """The felt as one viewer sees it; `mine` is None for a mere spectator.

    `box` if the cards come from a box (one deck), not a shoe. `burn_owed` cards are still to be removed after the
    shuffle; `burnt` lie in the discard holder from this round and its ceremony, face down. `spots` are those of every
    place (place bet and tie) and the table's; `stakes` everybody's, oldest first. `looking` are those whom the round
    waits for while they look at their cards. `notes` tell what happened beside the cards: a card face up, the last
    round, a void.
    """

    phase: Phase
    box: bool
    cut: CutView | None
    burn_owed: int
    burnt: int
    white_card: bool
    last_round: bool
    banker: HandView
    places: tuple[PlaceView, ...]
    spots: tuple[SpotView, ...]
    looking: tuple[str, ...]
    mine: PlayerView | None


def view_of(round_: ThreeCardRound, who: str | None) -> View:
    """The round as `who` may see it (None: a mere spectator)."""
    public = round_.views.public(lambda: _public(round_))
    if who is None:
        return public
    mine = _mine(round_, who)
    if mine.place is None:
        return replace(public, mine=mine)
    return replace(public, places=tuple(_places(round_, _opened(round_), who)), mine=mine)


def _opened(round_: ThreeCardRound) -> Hands:
    return {} if round_.is_void else round_.opened_hands


def _public(round_: ThreeCardRound) -> View:
    hands = _opened(round_)
    return View(
        phase=round_.phase,
        box=round_.options.has_box,
        cut=round_.cutting.view if round_.cutting else None,
        burn_owed=round_.burn_owed,
        burnt=len(round_.first_burnt) + len(round_.burnt),
        white_card=round_.white,
        last_round=round_.is_last,
        banker=_hand(round_, BANKER, None),
        places=tuple(_places(round_, hands, None)),
        spots=tuple(_spots(round_, hands)),
        stakes=round_.stakes(),
        looking=round_.looking,
        ready=round_.ready if round_.closing is None else round_.looked,
        refusals=round_.refusals,
        payouts=round_.payouts(),
        void=round_.is_void,
        notes=tuple(_notes(round_)),
        mine=None,
    )


# ── Hands and places ────────────────────────────────────────────────────────────────────────────────────────


def _hand(round_: ThreeCardRound, place: int, who: str | None) -> HandView:
    """The hand with the faces that `who` sees: those open for all, and all of their own place once all are dealt."""
    open_ = round_.is_open(place)
    sees = open_ or (who is not None and round_.is_dealt and who == round_.holder(place))
    cards = tuple(CardView(card if sees or exposed else None, exposed) for card, exposed in round_.dealt_to(place))
    faces: Sequence[Card] = [card.face for card in cards if card.face is not None]
    if len(faces) < 3:
        return HandView(cards, open=open_)
    what = combination(faces)
    return HandView(cards, what.rank, what.points, what.title, _counting(faces), open_)


def _counting(faces: Sequence[Card]) -> Note:
    """How three cards count."""
    total, what = sum(POINTS[card.rank] for card in faces), combination(faces)
    if what.rank == THREE_COURTS:
        return Note("5(2)", say("Three court cards are the best combination"))
    if total < 10:
        return Note("5(1)", say("The cards count %(points)s", points=total))
    words = say("The cards add up to %(sum)s and count %(points)s", sum=total, points=what.points)
    return Note("5(2)" if what.points else "T-A3", words)


def _places(round_: ThreeCardRound, hands: Hands, who: str | None) -> Iterator[PlaceView]:
    sitting = {seat: bettor for bettor, seat in round_.seats.items()}
    locked = round_.locked
    looking = round_.looking
    active = round_.places
    for number in round_.all_places:
        end = _end_of(hands, PLACE, number)
        holder = round_.holder(number)
        yield PlaceView(
            number,
            sitting.get(number),
            number in active,
            holder,
            holder in looking,
            _hand(round_, number, who),
            round_.layout.total(PLACE, number),
            locked[PLACE, number],
            len(round_.layout.on(PLACE, number)),
            _how(end),
            end.why if end else None,
        )


# ── The layout ──────────────────────────────────────────────────────────────────────────────────────────────


def _spots(round_: ThreeCardRound, hands: Hands) -> Iterator[SpotView]:
    places = round_.all_places
    locked = round_.locked
    for name, spot in SPOTS.items():
        for box in places if spot.boxed else (None,):
            sold, total = betting.is_sold(round_.options, name), round_.layout.total(name, box)
            if not (sold or total):
                continue
            end = _end_of(hands, name, box)
            yield SpotView(
                name=name,
                box=box,
                title=spot.title,
                article=spot.article,
                odds=spot.odds,
                terms=_kept_back(name),
                least=betting.least_bet(round_.options, name),
                most=amount_for(round_.options.max_bet, name),
                sold=sold,
                total=total,
                locked=locked[name, box],
                bettors=len(round_.layout.on(name, box)),
                end=_how(end),
                why=end.why if end else None,
            )


def _kept_back(name: str) -> Words | None:
    if name not in WITH_COMMISSION:
        return None
    return say("less a commission of %(percent)s per cent", percent=COMMISSION_PERCENT)


def _end_of(hands: Hands, name: str, box: int | None) -> Terms | None:
    """How it ended for a spot, as soon as what decides it lies open for everybody."""
    if BANKER not in hands or (name in (PLACE, TIE) and box not in hands):
        return None
    return terms(name, box, hands)


def _how(end: Terms | None) -> End | None:
    if end is None:
        return None
    return End.PUSH if end.locked else End.WON if end.odds else End.LOST


def _notes(round_: ThreeCardRound) -> Iterator[Note]:
    if round_.exposed:
        yield Note("2(5)", say("A card came out face up; it stays valid"))
    for place in round_.left_places:
        yield Note("gone", say("The bettor at place %(place)s has left: the dealer opens it", place=place))
    if round_.is_last:
        yield Note("3(1)", say("This is the last round of the shoe"))
    if round_.void:
        yield round_.void_note(Note("2(4)", say("The round is void: its stakes are returned, locked stakes stay")))


# ── The viewer's own ────────────────────────────────────────────────────────────────────────────────────────


def _mine(round_: ThreeCardRound, who: str) -> PlayerView:
    stakes = round_.layout.of_bettor(who)
    offers = round_.offers(who)
    moves: dict[str, list[Move]] = {}
    for action in offers.actions:
        if isinstance(action, Move):
            moves.setdefault(action.bet, []).append(action)
    looks = who in round_.looking
    return PlayerView(
        who=who,
        seat=round_.seats.get(who),
        leaving=round_.leaving(who),
        ready=who in (round_.ready if round_.closing is None else round_.looked),
        barred=betting.barred(round_.options, round_.seats, who),
        staked=sum(stake.amount for stake in stakes),
        locked=sum(stake.amount for stake in stakes if stake.carried),
        stakes=tuple(_own(round_, stake, moves.get(stake.bet, ())) for stake in stakes),
        cut=(1, round_.options.decks * 52 - 1) if who in round_.offered_cut else None,
        place=next((place for place in round_.places if round_.holder(place) == who), None),
        looks=looks,
        refusals=tuple(refusal for refusal in round_.refusals if refusal.by == who),
        went_back=tuple(back for back in round_.went_back if back.stake.by == who),
        payouts=round_.views.paid_to(who, round_.payouts()),
    )


def _own(round_: ThreeCardRound, stake: Stake, moves: Sequence[Move]) -> OwnStake:
    """With the spots of the whole table that it may be moved to, and the other places that it may be moved to."""
    return OwnStake(
        stake,
        betting.menu(stake) if round_.phase is Phase.BETTING else Menu(),
        tuple(move.spot for move in moves if move.box is None),
        tuple(move.box for move in moves if move.box is not None and move.spot == stake.spot),
    )
