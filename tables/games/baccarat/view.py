"""Who sees what of a round of Baccarat (rulebook, sections 5 and 6).

A `View` is all that the felt needs for one viewer, and holds nothing that they may not see: a card that lies face down
for them is a `CardView` without a face, and nothing else in the tree depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tables.games.contract import view as contract
from tables.games.contract.round import Stake
from tables.games.contract.view import End, Menu, OwnStake
from tables.games.shared.cutting import CutView
from tables.games.shared.options import amount_for
from tables.games.values.cards import POINTS, Card, CardView, points
from tables.games.values.quick import quickly_made
from tables.games.values.words import Note, Words, say

from . import betting
from .bets import COMMISSION_PERCENT, SPOTS
from .betting import Trim
from .coup import Coup, Hand, Winner
from .options import Burn, CommissionMode, Options
from .phases import PassHand, Phase, Turn, Waive
from .round import BaccaratRound
from .settling import Terms, result, terms

# ── What everybody sees ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class HandView:
    """One hand.

    `total` counts the cards that this viewer sees, once they see the first two; `pair` and `natural`
    likewise. `open` when all its cards lie face up for everybody. `note` says why it drew or stood, with the article.
    `holder` is the bettor who holds it.
    """

    hand: Hand
    title: Words
    cards: tuple[CardView, ...]
    total: int | None = None
    natural: bool = False
    pair: bool | None = None
    open: bool = False
    holder: str | None = None
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result as it is announced, with the points."""

    winner: Winner
    player: int
    banker: int
    player_pair: bool
    banker_pair: bool
    why: Note


@dataclass(frozen=True, slots=True)
class DemoView:
    """A demonstration round: no bets, all cards open."""

    player: HandView
    banker: HandView
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class BurnView:
    """The burn after the cut: how many cards are gone, how many are owed yet, and the indicator if one was turned."""

    burnt: int
    owed: int
    indicator: Card | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotView(contract.SpotView):
    """One spot of the layout that is sold here: what it pays, its limits, what lies on it and how it ended.

    `terms` says what is kept back from the odds. Amounts in cents; `most` None if there is no maximum.
    """

    terms: Words | None


# ── What only the viewer sees ───────────────────────────────────────────────────────────────────────────────


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView(contract.PlayerView):
    """What concerns the viewer alone. `staked` is what they have on the layout, in cents.

    `cut` are the first and last position at which they may cut, if asked. `holds` are the hands that they hold,
    `may_turn` the one that they may turn now, `may_waive` those that they may leave to the dealer, `may_pass_to` the
    others who may hold what they hold.
    """

    cut: tuple[int, int] | None
    holds: tuple[Hand, ...]
    may_turn: Hand | None
    may_waive: tuple[Hand, ...]
    may_pass_to: tuple[tuple[Hand, tuple[str, ...]], ...]
    trims: tuple[Trim, ...]


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class View(contract.View):
    """The felt as one viewer sees it; `mine` is None for a mere spectator.

    `burnt` cards were burnt at the start of this round. `stakes` are everybody's, oldest first. `notes` tell what
    happened beside the cards: a card face up, the last round, a void.
    `squeeze`: whoever holds cards peels them before everybody.
    """

    phase: Phase
    cut: CutView | None
    burn: BurnView | None
    demos: tuple[DemoView, ...]
    white_card: bool
    last_round: bool
    next_is_last: bool
    burnt: int
    player: HandView
    banker: HandView
    spots: tuple[SpotView, ...]
    imbalance_limit: int | None
    trims: tuple[Trim, ...]
    outcome: Outcome | None
    squeeze: bool
    mine: PlayerView | None

    @property
    def hands(self) -> tuple[HandView, HandView]:
        """Player, Banker."""
        return self.player, self.banker


def view_of(round_: BaccaratRound, who: str | None) -> View:
    """The round as `who` may see it (None: a mere spectator)."""
    public = round_.views.public(lambda: _public(round_))
    if who is None:
        return public
    mine = _mine(round_, who)
    if not mine.holds:
        return replace(public, mine=mine)
    player, banker = _hand(round_, Hand.PLAYER, who), _hand(round_, Hand.BANKER, who)
    return replace(public, player=player, banker=banker, mine=mine)


def _public(round_: BaccaratRound) -> View:
    phase = round_.phase
    shows_result = phase in (Phase.RESULT, Phase.SETTLED)
    return View(
        phase=phase,
        cut=round_.cutting.view if round_.cutting else None,
        burn=_burn(round_),
        demos=tuple(_demo(coup) for coup in round_.demos),
        white_card=round_.white is not None,
        last_round=round_.is_last,
        next_is_last=round_.next_is_last,
        burnt=len(round_.burnt),
        player=_hand(round_, Hand.PLAYER, None),
        banker=_hand(round_, Hand.BANKER, None),
        spots=tuple(_spots(round_, terms(round_.options, round_.coup) if shows_result else {})),
        stakes=round_.stakes(),
        imbalance_limit=round_.options.imbalance_limit,
        ready=round_.ready,
        refusals=round_.refusals,
        trims=round_.trims,
        outcome=_outcome(round_.coup) if shows_result else None,
        payouts=round_.payouts(),
        void=round_.is_void,
        squeeze=round_.options.squeezes,
        notes=tuple(_notes(round_)),
        mine=None,
    )


# ── The shoe ────────────────────────────────────────────────────────────────────────────────────────────────


def _burn(round_: BaccaratRound) -> BurnView | None:
    if round_.ceremony is None or round_.is_to_be_cut:
        return None
    burnt = round_.first_burnt
    turned = burnt[0] if burnt and round_.options.burn_mode is Burn.BY_FIRST_CARD else None
    return BurnView(len(burnt), round_.burn_owed(), turned)


def _demo(coup: Coup) -> DemoView:
    return DemoView(
        _open_hand(coup, Hand.PLAYER), _open_hand(coup, Hand.BANKER), None if coup.next() else _outcome(coup)
    )


# ── Hands ───────────────────────────────────────────────────────────────────────────────────────────────────

_TITLES = {Hand.PLAYER: say("Player"), Hand.BANKER: say("Banker")}


def _hand(round_: BaccaratRound, hand: Hand, who: str | None) -> HandView:
    """The hand with the faces that `who` sees: those open for all, and all of a hand they hold once it is dealt, unless
    they have to peel its cards (B-A18)."""
    cards = round_.coup.of(hand)
    holder = round_.holders.get(hand)
    held = who is not None and who == holder and len(round_.coup) >= 4 and not round_.options.squeezes
    return _told(
        hand,
        [
            CardView(card if held or (hand, place) in round_.face_up else None, (hand, place) in round_.exposed)
            for place, card in enumerate(cards)
        ],
        open=bool(cards) and round_.is_open(hand),
        holder=holder,
        note=_why(round_, hand),
    )


def _open_hand(coup: Coup, hand: Hand) -> HandView:
    note = None
    if len(coup) >= 4 and (hand is Hand.PLAYER or coup.next() is not Hand.PLAYER):
        note = drawing_note(coup, hand)
    cards = [CardView(card) for card in coup.of(hand)]
    return _told(hand, cards, open=bool(cards), holder=None, note=note)


def _told(hand: Hand, cards: Sequence[CardView], open: bool, holder: str | None, note: Note | None) -> HandView:
    """A hand with all that follows from the faces that are seen."""
    faces = [card.face for card in cards if card.face is not None]
    if len(faces) < 2 or cards[0].face is None or cards[1].face is None:
        return HandView(hand, _TITLES[hand], tuple(cards), open=open, holder=holder, note=note)
    return HandView(
        hand,
        _TITLES[hand],
        tuple(cards),
        total=points(faces),
        natural=points(faces[:2]) >= 8,
        pair=faces[0].rank == faces[1].rank,
        open=open,
        holder=holder,
        note=note,
    )


def _why(round_: BaccaratRound, hand: Hand) -> Note | None:
    """Why the hand drew or stood, once the cards that decide it lie open for all."""
    first = {(side, place) for side in Hand for place in (0, 1)}
    if not first <= round_.face_up:
        return None
    if hand is Hand.BANKER and round_.coup.player_rule().draws and (Hand.PLAYER, 2) not in round_.face_up:
        return None
    return drawing_note(round_.coup, hand)


def drawing_note(coup: Coup, hand: Hand) -> Note:
    """What article 9 ordered the hand to do, in words; the cards that decide it have been dealt."""
    player, banker = points(coup.player[:2]), points(coup.banker[:2])
    if hand is Hand.PLAYER:
        rule = coup.player_rule()
        return Note(rule.article, _player_words(rule.draws, player, banker))
    rule = coup.bank_rule()
    third = POINTS[coup.player[2].rank] or 10 if len(coup.player) == 3 else None
    return Note(rule.article, _bank_words(rule.draws, banker, player, third))


def _player_words(draws: bool, player: int, banker: int) -> Words:
    if draws:
        return say("The Player draws on %(total)s", total=player)
    if player >= 8:
        return say("The Player has a natural %(total)s and does not draw", total=player)
    if banker >= 8:
        return say("The Banker has a natural %(total)s: the Player does not draw", total=banker)
    return say("The Player stands on %(total)s", total=player)


def _bank_words(draws: bool, banker: int, player: int, third: int | None) -> Words:
    if banker >= 8:
        return say("The Banker has a natural %(total)s and does not draw", total=banker)
    if player >= 8 and banker < 7:
        return say("The Player has a natural %(total)s: the Banker does not draw", total=player)
    if third is None:
        if draws:
            return say("The Banker draws on %(total)s, as the Player stood", total=banker)
        return say("The Banker stands on %(total)s", total=banker)
    if third == 8:
        if draws:
            return say("The Banker draws on %(total)s against an 8", total=banker)
        return say("The Banker stands on %(total)s against an 8", total=banker)
    if draws:
        return say("The Banker draws on %(total)s against a %(third)s", total=banker, third=third)
    return say("The Banker stands on %(total)s against a %(third)s", total=banker, third=third)


def _outcome(coup: Coup) -> Outcome:
    winner = coup.winner()
    return Outcome(
        winner,
        coup.points(Hand.PLAYER),
        coup.points(Hand.BANKER),
        coup.is_pair(Hand.PLAYER),
        coup.is_pair(Hand.BANKER),
        Note("12" if winner is Winner.TIE else "11", result(coup)),
    )


# ── The layout ──────────────────────────────────────────────────────────────────────────────────────────────


def _spots(round_: BaccaratRound, ends: Mapping[str, Terms]) -> Iterator[SpotView]:
    options = round_.options
    for name, spot in SPOTS.items():
        if not (betting.is_sold(options, name) or round_.layout.total(name)):
            continue
        end = ends.get(name)
        yield SpotView(
            name=name,
            title=spot.title,
            article=spot.article,
            odds=spot.odds,
            terms=_kept_back(options) if name == Hand.BANKER else None,
            least=betting.least_bet(options, name),
            most=amount_for(options.max_bet, name),
            total=round_.layout.total(name),
            bettors=len(round_.layout.on(name)),
            end=None if end is None else End.PUSH if end.push else End.WON if end.odds else End.LOST,
            why=end.why if end else None,
        )


def _kept_back(options: Options) -> Words:
    if options.commission_mode is CommissionMode.FIVE_PERCENT:
        return say("less a commission of %(percent)s per cent", percent=COMMISSION_PERCENT)
    return say("half on a win with 6")


def _notes(round_: BaccaratRound) -> Iterator[Note]:
    if round_.exposed:
        yield Note("4", say("A card came out face up; it stays valid"))
    if round_.is_last:
        yield Note("3(1)", say("This is the last round of the shoe"))
    elif round_.next_is_last:
        yield Note("3(1)", say("One more round is played from this shoe"))
    if round_.void:
        yield round_.void_note(Note("10", say("The round is void: its stakes are returned, carried stakes stay")))


# ── The viewer's own ────────────────────────────────────────────────────────────────────────────────────────


def _mine(round_: BaccaratRound, who: str) -> PlayerView:
    stakes = round_.layout.of_bettor(who)
    actions = round_.holding(who)
    passes = [(action.hand, action.to) for action in actions if isinstance(action, PassHand)]
    holds = tuple(hand for hand, holder in round_.holders.items() if holder == who)
    return PlayerView(
        who=who,
        seat=round_.seats.get(who),
        leaving=round_.leaving(who),
        ready=who in round_.ready,
        staked=sum(stake.amount for stake in stakes),
        stakes=_own(round_, stakes),
        cut=(1, round_.options.decks * 52 - 1) if who in round_.offered_cut else None,
        holds=holds,
        may_turn=next((action.hand for action in actions if isinstance(action, Turn)), None),
        may_waive=tuple(action.hand for action in actions if isinstance(action, Waive)),
        may_pass_to=tuple((hand, tuple(other for at, other in passes if at is hand)) for hand in holds),
        refusals=tuple(refusal for refusal in round_.refusals if refusal.by == who),
        went_back=tuple(back for back in round_.went_back if back.stake.by == who),
        trims=tuple(trim for trim in round_.trims if trim.by == who),
        payouts=round_.views.paid_to(who, round_.payouts()),
    )


_NOTHING = Menu()


def _own(round_: BaccaratRound, stakes: tuple[Stake, ...]) -> tuple[OwnStake, ...]:
    """The viewer's stakes, each with what may be done with it."""
    if not round_.takes_bets:
        return tuple([OwnStake(stake, _NOTHING) for stake in stakes])
    options = round_.options
    targets = betting.targets_of(options, round_.layout, stakes)
    return tuple(
        [OwnStake(stake, betting.menu(options, stake), spots) for stake, spots in zip(stakes, targets, strict=True)]
    )
