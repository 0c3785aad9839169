"""What each game must keep from whom: told from the log alone, not by the view that is put to the test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tables.games.baccarat import BaccaratRound, PassHand, Turn, Waive
from tables.games.baccarat.coup import Hand
from tables.games.blackjack import BlackjackRound
from tables.games.blackjack.hands import best, is_special
from tables.games.blackjack.phases import Split, TurnHole
from tables.games.contract.actions import Action, CloseBets, DrawCard, Leave
from tables.games.contract.round import Round
from tables.games.stud_poker import StudPokerRound
from tables.games.stud_poker.phases import Award, Compare, Misdeal
from tables.games.stud_poker.phases import Turn as TurnAll
from tables.games.three_card_baccarat import Reveal, ThreeCardRound

Hidden = Callable[[Sequence[Action], Sequence[Round], str | None], list[int]]


def hidden_in_baccarat(log: Sequence[Action], rounds: Sequence[Any], who: str | None) -> list[int]:
    """The places in the log of the cards that `who` may not know after it (rulebook, section 5).

    Burnt cards nobody ever sees, but for the turned indicator. Of the hands everybody sees what was dealt face up or
    turned; the one who holds a hand sees all of it once four cards are dealt, unless they have to squeeze the cards.
    """
    options = rounds[0].options
    closed = False
    burnt = 0
    holders: dict[Hand, str] = {}
    places: dict[Hand, list[int]] = {Hand.PLAYER: [], Hand.BANKER: []}
    hidden: set[int] = set()
    for at, action in enumerate(log):
        before: BaccaratRound = rounds[at]
        match action:
            case CloseBets():
                closed = True
                holders = dict(rounds[at + 1].holders)
            case DrawCard() if not closed and before.phase == "burn":
                if before.ceremony and (before.ceremony.burnt or options.burn_mode != "by_first_card"):
                    hidden.add(at)
            case DrawCard() if closed and not options.by_machine and burnt < options.burn_each_round:
                burnt += 1
                hidden.add(at)
            case DrawCard() if closed:
                hand = before.coup.next()
                assert hand is not None
                places[hand].append(at)
                if not (options.by_machine or action.exposed):
                    hidden.add(at)
            case Turn(card=int(card)):
                hidden.discard(places[action.hand][card])
            case Turn():
                hidden -= set(places[action.hand])
            case Waive():
                del holders[action.hand]
            case PassHand():
                holders[action.hand] = action.to
            case Leave():
                holders = {hand: holder for hand, holder in holders.items() if holder != action.by}
    if sum(map(len, places.values())) >= 4 and not options.squeeze:
        for hand, holder in holders.items():
            if holder == who:
                hidden -= set(places[hand])
    return sorted(hidden)


def hidden_in_blackjack(log: Sequence[Action], rounds: Sequence[Any], who: str | None) -> list[int]:
    """The places in the log of the cards that `who` may not know after it (rulebook, section 4).

    Burnt cards nobody ever sees, nor one that the bank drew wrongly and did not show. From the metal box the bank's
    second card lies face down until it is turned. By procedure 1 the first two cards of a box are its bettors' alone,
    until they are over 21, split or paid, or the round is settled; what was surrendered stays hidden. A round that is
    void shows no more than it did before.
    """
    options = rounds[0].options
    boxes: list[int] = []
    dealt = 0
    hidden: set[int] = set()
    first: dict[int, list[int]] = {}
    hole: list[int] = []
    for at, action in enumerate(log):
        before: BlackjackRound = rounds[at]
        match action:
            case CloseBets():
                boxes = sorted({stake.box for stake in rounds[at + 1].stakes() if stake.spot == "main" and stake.box})
                first = {box: [] for box in boxes}
            case DrawCard() if before.phase in ("burn", "round_burn"):
                hidden.add(at)
            case DrawCard() if before.phase == "bank_second" and len(rounds[at + 1].burnt) > len(before.burnt):
                hidden.add(at)
            case DrawCard() if before.phase == "result" and before.overdraw and not before.overdraw.shown:
                hidden.add(at)
            case DrawCard() if before.phase == "deal" and rounds[at + 1].exposed_cards == before.exposed_cards:
                order = [*boxes, None, *boxes, None]
                place = order[dealt]
                if place is not None:
                    first[place].append(at)
                elif dealt > len(boxes):
                    hole.append(at)
                dealt += 1
            case TurnHole():
                hole = []
            case Split():
                first.pop(action.box, None)
    if options.deal_procedure == 1:
        now: BlackjackRound = rounds[len(log)]
        if now.is_void:  # what was shown stays so, and nothing else is
            now = rounds[len(log) - 1]
        mine = {stake.box for stake in now.stakes() if stake.by == who and stake.spot == "main"}
        hidden |= {at for box, places in first.items() if box not in mine and not is_shown(now, box) for at in places}
    return sorted(hidden | set(hole))


def is_shown(round_: BlackjackRound, number: int) -> bool:
    """Whether the first two cards of a box that was not split lie open: for what was decided of it by now."""
    box = next(box for box in round_.boxes if box.number == number)
    if box.surrendered:  # it stays hidden, but what side bets on it were paid tells of it
        return round_.settled and any(stake.box == number and stake.spot != "main" for stake in round_.stakes())
    hand = box.hands[0]
    if round_.settled or best(hand.cards) > 21 or any(laid.claimed for laid in hand.stakes.values()):
        return True
    if len(hand.cards) == 2 and best(hand.cards) == 21:
        paid_early = round_.bank[0].rank in "23456789" and round_.phase in ("player_turns", "bank_second", "bank_draw")
        return paid_early or bool(box.even and round_.phase != "early_window")
    return is_special(hand.cards) and bool(round_.options.special_prize_offered)


def hidden_in_three_card_baccarat(log: Sequence[Action], rounds: Sequence[Any], who: str | None) -> list[int]:
    """The places in the log of the cards that `who` may not know after it (rulebook, section 5).

    Burnt cards nobody ever sees. The hands lie face down until the dealer opens them, but for a card that turned over;
    whose place it was when betting closed, and who sits there, sees its three cards once all are dealt.
    """
    options = rounds[0].options
    sat: dict[str, int] = {}
    hands: dict[int, list[int]] = {}
    order: list[int] = []
    hidden: set[int] = set()
    dealt = 0
    for at, action in enumerate(log):
        before: ThreeCardRound = rounds[at]
        match action:
            case CloseBets():
                sat = dict(before.occupants)
                after = rounds[at + 1].stakes()
                places = sorted({stake.box for stake in after if stake.spot == "place" and stake.box})
                hands = {place: [] for place in (*places, 0)}
                order = list(hands) * 3 if options.deal_style == "one_by_one" else sorted([*hands] * 3, key=last_is_0)
            case DrawCard() if before.phase != "deal":
                hidden.add(at)
            case DrawCard():
                hands[order[dealt]].append(at)
                dealt += 1
                if not action.exposed:
                    hidden.add(at)
            case Reveal():
                hidden -= set(hands[action.place])
    if order and dealt == len(order) and who in sat and rounds[len(log)].seats.get(who) == sat[who]:
        hidden -= set(hands.get(sat[who], ()))
    return sorted(hidden)


def last_is_0(place: int) -> int:
    """The order of places clockwise, the banker's last."""
    return place or 99


def hidden_in_stud_poker(log: Sequence[Action], rounds: Sequence[Any], who: str | None) -> list[int]:
    """The places in the log of the cards that `who` may not know after it (rulebook, section 6).

    A hand is its bettor's alone until the dealer compares it, or it wins of the jackpot; one that was folded for ever.
    Of the dealer's cards the fifth lies open, or another that was exposed, till they turn them. Dead cards stay closed.
    """
    options = rounds[0].options
    owners: dict[int, str] = {}
    hands: dict[int, list[int]] = {}
    order: list[int] = []
    hidden: set[int] = set()
    dealt = dead = 0
    for at, action in enumerate(log):
        before: StudPokerRound = rounds[at]
        match action:
            case CloseBets():
                owners = {
                    stake.box: stake.by for stake in rounds[at + 1].stakes() if stake.spot == "ante" and stake.box
                }
                places = [*sorted(owners), 0]
                hands = {place: [] for place in places}
                by_one = options.shuffle_method == "manual_shoe"
                order = places * 5 if by_one else [place for place in places for _ in range(5)]
            case Misdeal():
                dead = 1 if options.shuffle_method == "manual_shoe" else 5
            case DrawCard() if before.phase == "deal" and dead:
                dead -= 1
                if not action.exposed:
                    hidden.add(at)
            case DrawCard() if before.phase == "deal":
                place = order[dealt]
                dealt += 1
                open_so_far = [other for other in hands[place] if other not in hidden]
                hands[place].append(at)
                is_the_fifth = place == 0 and len(hands[0]) == 5 and not open_so_far
                if not (action.exposed or is_the_fifth):
                    hidden.add(at)
            case TurnAll():
                hidden -= set(hands[0])
            case Compare() | Award():
                hidden -= set(hands[action.box])
    for box, owner in owners.items():
        if owner == who:
            hidden -= set(hands[box])
    return sorted(hidden)


TOLD_BY_COURSE = {"blackjack", "stud_poker"}
"""Games in which what happens tells of cards that lie face down: a box with a blackjack is not asked to draw, and a
hand that is not called to the jackpot has not won of it."""

HIDDEN: dict[str, Hidden] = {
    "baccarat": hidden_in_baccarat,
    "blackjack": hidden_in_blackjack,
    "stud_poker": hidden_in_stud_poker,
    "three_card_baccarat": hidden_in_three_card_baccarat,
}
"""By game. A game without an entry has no secrets, and a test says which games those are."""
