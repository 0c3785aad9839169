"""What the felt of Stud Poker says of each box, the dealer and the jackpot, and of whom the round asks, deed by deed.

dealer ?? ?? ?? ?? 4d                          the dealer's cards (?? face down)
2 ana  100+?  8s 8d 9c Jh 2d  decides          box, bettor, ante and raise (? where hidden), cards, standing
  ante 100 > 200 won: Ante; … (9(2))           how a stake ended, with what came back
jackpot from 1000017.50                        the pool when betting closed; `to` what is left
asks ana on [2] together: …                    of whom a raise is asked, `in turn` or together
  may raise (200): …                           what somebody is offered, with what it costs
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import Any

import pytest

from tables.games.stud_poker.view import BoxView, View
from tables.games.values.cards import CardView
from tests.kit import article, credits_of, view_for

from .stud_kit import Dealing


def faces(cards: Sequence[CardView]) -> str:
    return " ".join(str(card.face or "??") + "!" * card.exposed for card in cards)


def box_told(box: BoxView) -> Iterator[str]:
    raised = "?" if box.raised is None else credits_of(box.raised)
    parts = [
        f"{box.number} {box.bettor or '-'}{'' if box.seated == box.bettor else f' ({box.seated} sits there)'}",
        f"{credits_of(box.ante)}+{raised}{'' if box.accepted else ' not accepted'}",
        faces(box.cards),
        f"{box.standing}{' automatically' if box.automatic else ''}{' opened' if box.opened else ''}",
        str(box.title or ""),
    ]
    if box.jackpot is not None:
        flags = [name for name in ("carried", "live", "accepted") if getattr(box.jackpot, name)]
        parts.append(f"jackpot {credits_of(box.jackpot.amount)} {' '.join(flags)}")
    yield "  ".join(filter(None, parts))
    if box.decided_by is not None:
        yield f"  {box.decided_by.words} ({box.decided_by.article})"
    for end in box.outcomes:
        yield (
            f"  {end.spot} {credits_of(end.stake)} > {credits_of(end.returned)} {end.end}"
            f": {end.title}; {end.why.words} ({end.why.article})"
        )


def felt(round_: Any, who: str) -> list[str]:
    """The boxes in play, the dealer, the jackpot and what is asked, as `who` sees it."""
    return list(_felt(view_for(round_, who)))


def _felt(view: View) -> Iterator[str]:
    dealer = view.dealer
    turned = f"  {dealer.title}, {'qualifies' if dealer.qualifies else 'does not qualify'}" if dealer.turned else ""
    yield f"dealer {faces(dealer.cards)}{turned}".rstrip()
    if dealer.note is not None:
        yield f"  {dealer.note.words} ({dealer.note.article})"
    for box in view.boxes:
        if box.bettor or box.jackpot:
            yield from box_told(box)
    if view.pool.opening is not None:
        yield f"jackpot from {credits_of(view.pool.opening)}" + (
            f" to {credits_of(view.pool.closing)}" if view.pool.closing is not None else ""
        )
    for prize in view.pool.prizes:
        yield f"  {prize.box} {prize.by}: {prize.title} {credits_of(prize.amount)} ({prize.why.article})"
    if view.question is not None:
        how = "in turn" if view.question.in_turn else "together"
        yield f"asks {', '.join(view.question.asked)} on {list(view.question.boxes)} {how}: {view.question.automatic}"
    for note in view.notes:
        yield f"{note.words} ({note.article})"
    mine = view.mine
    assert mine is not None
    told = [f"box {mine.box}", f"staked {credits_of(mine.staked)}"]
    told += [f"raising {credits_of(mine.raising)}"] if mine.raising is not None else []
    told += [f"chose {mine.chosen}"] if mine.chosen else []
    yield f"{mine.who}: {', '.join(told)}{', asked' if mine.asked else ''}"
    for choice in mine.choices:
        yield f"  may {choice.action.do} ({credits_of(choice.cost)}): {choice.means}"
        if choice.warning is not None:
            yield f"    warned: {choice.warning.words} ({choice.warning.article})"


EVENINGS: dict[str, tuple[str, list[str], dict[str, Any], str, str]] = {
    "all decide at once, and a flush wins the jackpot too": (
        "2h 5h 7h 9h Kh / 8s 8d 9c Jh 2d / As Kd 9h 7c 4d",
        ["ana ante 100 box 2", "ana jackpot 25 box 2", "rui ante 200 box 5"],
        {},
        "ana",
        """
        laid
            dealer
            2 ana  100+? not accepted  staked  jackpot 25 live
            5 rui  200+? not accepted  staked
            ana: box 2, staked 125, raising 200
        dealt
            dealer ?? ?? ?? ?? 4d
            2 ana  100+?  2h 5h 7h 9h Kh  decides  flush  jackpot 25 live accepted
            5 rui  200+?  ?? ?? ?? ?? ??  decides
            jackpot from 1000017.50
            asks ana, rui on [2, 5] together: Whoever does not raise folds
            ana: box 2, staked 125, raising 200, asked
              may raise (200): Twice the ante is laid behind it, and the hand plays
              may fold (0): The hand, the ante and the jackpot stake are lost
                warned: Folding flush loses its prize of the jackpot (R8)
        ana raise
            dealer ?? ?? ?? ?? 4d
            2 ana  100+200  2h 5h 7h 9h Kh  raised  flush  jackpot 25 live accepted
            5 rui  200+?  ?? ?? ?? ?? ??  decides
            jackpot from 1000017.50
            asks rui on [5] together: Whoever does not raise folds
            ana: box 2, staked 325, raising 200, chose raise
        rui fold
            dealer ?? ?? ?? ?? 4d
            2 ana  100+200  2h 5h 7h 9h Kh  raised  flush  jackpot 25 live accepted
            5 rui  200+0  ?? ?? ?? ?? ??  folded
              ante 200 > 0 lost: Ante; Folded: the ante is lost (6(7))
            jackpot from 1000017.50
            ana: box 2, staked 325, raising 200, chose raise
        house
            dealer As Kd 9h 7c 4d  five odd cards, qualifies
              The dealer qualifies with five odd cards: the hands are compared (9(3))
            2 ana  100+200  2h 5h 7h 9h Kh  raised  flush  jackpot 25 live accepted
            5 rui  200+0  ?? ?? ?? ?? ??  folded
              ante 200 > 0 lost: Ante; Folded: the ante is lost (6(7))
            jackpot from 1000017.50
            ana: box 2, staked 325, raising 200, chose raise
        house
            dealer As Kd 9h 7c 4d  five odd cards, qualifies
              The dealer qualifies with five odd cards: the hands are compared (9(3))
            2 ana  100+200  2h 5h 7h 9h Kh  compared opened  flush  jackpot 25 live accepted
              The rank of the hand decides (8)
              ante 100 > 200 won: Ante; The dealer has five odd cards, lower than flush (9(5))
              raise 200 > 1200 won: Raise; The raise is paid 5 to 1 for flush (9(5)(5))
            5 rui  200+0  ?? ?? ?? ?? ??  folded
              ante 200 > 0 lost: Ante; Folded: the ante is lost (6(7))
            jackpot from 1000017.50
            ana: box 2, staked 325, raising 200, chose raise
        house
            dealer As Kd 9h 7c 4d  five odd cards, qualifies
              The dealer qualifies with five odd cards: the hands are compared (9(3))
            2 ana  100+200  2h 5h 7h 9h Kh  compared opened  flush  jackpot 25 live accepted
              The rank of the hand decides (8)
              ante 100 > 200 won: Ante; The dealer has five odd cards, lower than flush (9(5))
              raise 200 > 1200 won: Raise; The raise is paid 5 to 1 for flush (9(5)(5))
              jackpot 0 > 1250 won: Jackpot; The jackpot pays 1250.00 for flush (10(2)(5))
            5 rui  200+0  ?? ?? ?? ?? ??  folded
              ante 200 > 0 lost: Ante; Folded: the ante is lost (6(7))
            jackpot from 1000017.50
              2 ana: flush 1250 (10(2)(5))
            ana: box 2, staked 325, raising 200, chose raise
        house
            dealer As Kd 9h 7c 4d  five odd cards, qualifies
              The dealer qualifies with five odd cards: the hands are compared (9(3))
            2 ana  100+200  2h 5h 7h 9h Kh  compared opened  flush  jackpot 25 live accepted
              The rank of the hand decides (8)
              ante 100 > 200 won: Ante; The dealer has five odd cards, lower than flush (9(5))
              raise 200 > 1200 won: Raise; The raise is paid 5 to 1 for flush (9(5)(5))
              jackpot 0 > 1250 won: Jackpot; The jackpot pays 1250.00 for flush (10(2)(5))
            5 rui  200+0  ?? ?? ?? ?? ??  folded
              ante 200 > 0 lost: Ante; Folded: the ante is lost (6(7))
            jackpot from 1000017.50 to 998767.50
              2 ana: flush 1250 (10(2)(5))
            ana: box 2, staked 325, raising 200, chose raise
        """,
    ),
    "what another folds is told when all have chosen": (
        "2h 5h 7h 9h Kh / 8s 8d 9c Jh 2d / Qs Jd 9h 7c 4d",
        ["ana ante 100 box 2", "ana jackpot 25 box 2", "rui ante 200 box 5"],
        {},
        "rui",
        """
        laid
            dealer
            2 ana  100+? not accepted  staked  jackpot 25 live
            5 rui  200+? not accepted  staked
            rui: box 5, staked 200, raising 400
        dealt
            dealer ?? ?? ?? ?? 4d
            2 ana  100+?  ?? ?? ?? ?? ??  decides  jackpot 25 live accepted
            5 rui  200+?  8s 8d 9c Jh 2d  decides  one pair
            jackpot from 1000017.50
            asks ana, rui on [2, 5] together: Whoever does not raise folds
            rui: box 5, staked 200, raising 400, asked
              may raise (400): Twice the ante is laid behind it, and the hand plays
              may fold (0): The hand and the ante are lost
        rui raise
            dealer ?? ?? ?? ?? 4d
            2 ana  100+?  ?? ?? ?? ?? ??  decides  jackpot 25 live accepted
            5 rui  200+400  8s 8d 9c Jh 2d  raised  one pair
            jackpot from 1000017.50
            asks ana on [2] together: Whoever does not raise folds
            rui: box 5, staked 600, raising 400, chose raise
        ana fold
            dealer ?? ?? ?? ?? 4d
            2 ana  100+0  ?? ?? ?? ?? ??  folded  jackpot 25 live accepted
              ante 100 > 0 lost: Ante; Folded: the ante is lost (6(7))
              jackpot 0 > 0 lost: Jackpot; Folded: the jackpot stake is lost (R8)
            5 rui  200+400  8s 8d 9c Jh 2d  raised  one pair
            jackpot from 1000017.50
            rui: box 5, staked 600, raising 400, chose raise
        house
            dealer Qs Jd 9h 7c 4d  five odd cards, does not qualify
              The dealer has less than ace-king and does not qualify (9(1))
            2 ana  100+0  ?? ?? ?? ?? ??  folded  jackpot 25 live accepted
              ante 100 > 0 lost: Ante; Folded: the ante is lost (6(7))
              jackpot 0 > 0 lost: Jackpot; Folded: the jackpot stake is lost (R8)
            5 rui  200+400  8s 8d 9c Jh 2d  compared  one pair
              ante 200 > 400 won: Ante; The dealer does not qualify: the ante is paid 1 to 1 (9(2))
              raise 400 > 400 returned: Raise; The dealer does not qualify: the raise is returned (9(2))
            jackpot from 1000017.50
            rui: box 5, staked 600, raising 400, chose raise
        house
            dealer Qs Jd 9h 7c 4d  five odd cards, does not qualify
              The dealer has less than ace-king and does not qualify (9(1))
            2 ana  100+0  ?? ?? ?? ?? ??  folded  jackpot 25 live accepted
              ante 100 > 0 lost: Ante; Folded: the ante is lost (6(7))
              jackpot 0 > 0 lost: Jackpot; Folded: the jackpot stake is lost (R8)
            5 rui  200+400  8s 8d 9c Jh 2d  compared  one pair
              ante 200 > 400 won: Ante; The dealer does not qualify: the ante is paid 1 to 1 (9(2))
              raise 400 > 400 returned: Raise; The dealer does not qualify: the raise is returned (9(2))
            jackpot from 1000017.50 to 1000017.50
            rui: box 5, staked 600, raising 400, chose raise
        """,
    ),
    "one decides after the other, and one is too late": (
        "8s 8d 9c Jh 2d / 8h 7c 6d 3s 2c / As Kd 9h 7c 4d",
        ["ana ante 100 box 2", "rui ante 200 box 5", "rui jackpot 25 box 5"],
        {"decision_mode": "in_turn"},
        "rui",
        """
        laid
            dealer
            2 ana  100+? not accepted  staked
            5 rui  200+? not accepted  staked  jackpot 25 live
            rui: box 5, staked 225, raising 400
        dealt
            dealer ?? ?? ?? ?? 4d
            2 ana  100+?  ?? ?? ?? ?? ??  decides
            5 rui  200+?  8h 7c 6d 3s 2c  waits  five odd cards  jackpot 25 live accepted
            jackpot from 1000017.50
            asks ana on [2] in turn: Whoever does not raise folds
            rui: box 5, staked 225, raising 400
        ana raise
            dealer ?? ?? ?? ?? 4d
            2 ana  100+200  ?? ?? ?? ?? ??  raised
            5 rui  200+?  8h 7c 6d 3s 2c  decides  five odd cards  jackpot 25 live accepted
            jackpot from 1000017.50
            asks rui on [5] in turn: Whoever does not raise folds
            rui: box 5, staked 225, raising 400, asked
              may raise (400): Twice the ante is laid behind it, and the hand plays
              may fold (0): The hand, the ante and the jackpot stake are lost
        …
            dealer ?? ?? ?? ?? 4d
            2 ana  100+200  ?? ?? ?? ?? ??  raised
            5 rui  200+0  8h 7c 6d 3s 2c  folded automatically  five odd cards  jackpot 25 live accepted
              ante 200 > 0 lost: Ante; The time was over: the hand is folded, the ante is lost (time)
              jackpot 0 > 0 lost: Jackpot; Folded: the jackpot stake is lost (R8)
            jackpot from 1000017.50
            rui: box 5, staked 225, raising 400, chose fold
        house
            dealer As Kd 9h 7c 4d  five odd cards, qualifies
              The dealer qualifies with five odd cards: the hands are compared (9(3))
            2 ana  100+200  ?? ?? ?? ?? ??  raised
            5 rui  200+0  8h 7c 6d 3s 2c  folded automatically  five odd cards  jackpot 25 live accepted
              ante 200 > 0 lost: Ante; The time was over: the hand is folded, the ante is lost (time)
              jackpot 0 > 0 lost: Jackpot; Folded: the jackpot stake is lost (R8)
            jackpot from 1000017.50
            rui: box 5, staked 225, raising 400, chose fold
        house
            dealer As Kd 9h 7c 4d  five odd cards, qualifies
              The dealer qualifies with five odd cards: the hands are compared (9(3))
            2 ana  100+200  8s 8d 9c Jh 2d  compared opened  one pair
              The rank of the hand decides (8)
              ante 100 > 200 won: Ante; The dealer has five odd cards, lower than one pair (9(5))
              raise 200 > 400 won: Raise; The raise is paid 1 to 1 for one pair (9(5)(1))
            5 rui  200+0  8h 7c 6d 3s 2c  folded automatically  five odd cards  jackpot 25 live accepted
              ante 200 > 0 lost: Ante; The time was over: the hand is folded, the ante is lost (time)
              jackpot 0 > 0 lost: Jackpot; Folded: the jackpot stake is lost (R8)
            jackpot from 1000017.50
            rui: box 5, staked 225, raising 400, chose fold
        house
            dealer As Kd 9h 7c 4d  five odd cards, qualifies
              The dealer qualifies with five odd cards: the hands are compared (9(3))
            2 ana  100+200  8s 8d 9c Jh 2d  compared opened  one pair
              The rank of the hand decides (8)
              ante 100 > 200 won: Ante; The dealer has five odd cards, lower than one pair (9(5))
              raise 200 > 400 won: Raise; The raise is paid 1 to 1 for one pair (9(5)(1))
            5 rui  200+0  8h 7c 6d 3s 2c  folded automatically  five odd cards  jackpot 25 live accepted
              ante 200 > 0 lost: Ante; The time was over: the hand is folded, the ante is lost (time)
              jackpot 0 > 0 lost: Jackpot; Folded: the jackpot stake is lost (R8)
            jackpot from 1000017.50 to 1000017.50
            rui: box 5, staked 225, raising 400, chose fold
        """,
    ),
    "a carried jackpot stake waits for an ante": (
        "8s 8d 9c Jh 2d / Qs Jd 9h 7c 4d",
        ["ana jackpot 25 box 2 as old carried", "rui ante 100 box 5"],
        {"seats": {"ana": 2, "rui": 5}},
        "ana",
        """
        laid
            dealer
            2 - (ana sits there)  0+? not accepted  empty  jackpot 25 carried accepted
            5 rui  100+? not accepted  staked
            ana: box None, staked 0
        dealt
            dealer ?? ?? ?? ?? 4d
            2 - (ana sits there)  0+? not accepted  empty  jackpot 25 carried accepted
            5 rui  100+?  ?? ?? ?? ?? ??  decides
            jackpot from 1000000
            asks rui on [5] together: Whoever does not raise folds
            ana: box None, staked 0
        rui raise
            dealer ?? ?? ?? ?? 4d
            2 - (ana sits there)  0+? not accepted  empty  jackpot 25 carried accepted
            5 rui  100+200  ?? ?? ?? ?? ??  raised
            jackpot from 1000000
            ana: box None, staked 0
        house
            dealer Qs Jd 9h 7c 4d  five odd cards, does not qualify
              The dealer has less than ace-king and does not qualify (9(1))
            2 - (ana sits there)  0+? not accepted  empty  jackpot 25 carried accepted
            5 rui  100+200  ?? ?? ?? ?? ??  compared
              ante 100 > 200 won: Ante; The dealer does not qualify: the ante is paid 1 to 1 (9(2))
              raise 200 > 200 returned: Raise; The dealer does not qualify: the raise is returned (9(2))
            jackpot from 1000000
            ana: box None, staked 0
        house
            dealer Qs Jd 9h 7c 4d  five odd cards, does not qualify
              The dealer has less than ace-king and does not qualify (9(1))
            2 - (ana sits there)  0+? not accepted  empty  jackpot 25 carried accepted
              jackpot 25 > 0 carried: Jackpot; Without an ante the carried jackpot stake waits for the next round (R14)
            5 rui  100+200  ?? ?? ?? ?? ??  compared
              ante 100 > 200 won: Ante; The dealer does not qualify: the ante is paid 1 to 1 (9(2))
              raise 200 > 200 returned: Raise; The dealer does not qualify: the raise is returned (9(2))
            jackpot from 1000000 to 1000000
            ana: box None, staked 0
        """,
    ),
}
"""Hands, bets, what the round begins with, who looks on; then what they see, below each deed. `house` is whatever the
house does until they see something else."""


@article("61/2004", "6(7)")
@article("61/2004", "9(5)")
@pytest.mark.parametrize("evening", EVENINGS)
def test_the_felt_follows_the_round_deed_by_deed(evening: str) -> None:
    hands, bets, about, who, told = EVENINGS[evening]
    dealing = Dealing(hands, *bets, **about)
    lines = dedent(told).strip("\n").splitlines()
    seen = list[str]()
    for deed in (line for line in lines if not line.startswith(" ")):
        match deed:
            case "laid":
                pass
            case "dealt":
                dealing.dealt()
            case "house":
                before = felt(dealing.round, who)
                while felt(dealing.round, who) == before:
                    dealing.step()
            case _:
                dealing.go(deed)
        seen += [deed, *(f"    {line}" for line in felt(dealing.round, who))]
    assert seen == lines
    assert dealing.round.over
