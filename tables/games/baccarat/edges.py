"""What the house keeps of each bet in Baccarat: exact, cards without replacement (rulebook, section 11).

The tree of a round takes too long to walk whenever somebody asks. So what it comes to stands here for each number of
decks, in sequences of six cards, all as likely as one another; the tests walk the tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import perm

from tables.games.values.expectation import LOST, PUSH, Edge, edge_of, won

from .bets import BANKER_SIX, COMMISSION_PERCENT, LUCKY_SIX, PAIRS, SPOTS
from .betting import is_sold
from .options import CommissionMode, Options


@dataclass(frozen=True, slots=True)
class Sequences:
    """How many of `all` sequences of six cards end so; `sixes` are those with which the Banker wins with 6, by the
    number of its cards."""

    all: int
    player: int
    tie: int
    sixes: Mapping[int, int]

    @property
    def banker(self) -> int:
        return self.all - self.player - self.tie

    @property
    def six(self) -> int:
        return sum(self.sixes.values())


def _of(decks: int, player: int, tie: int, two: int, three: int) -> Sequences:
    return Sequences(perm(52 * decks, 6), player, tie, {2: two, 3: three})


SEQUENCES: Mapping[int, Sequences] = {
    6: _of(6, 392_220_492_728_832, 83_552_962_932_288, 32_726_541_207_168, 14_595_688_824_192),
    7: _of(7, 995_884_732_700_032, 212_268_385_833_280, 83_111_436_642_976, 37_073_654_440_928),
    8: _of(8, 2_230_518_282_592_256, 475_627_426_473_216, 186_173_936_904_192, 83_058_367_551_488),
    9: _of(9, 4_540_095_442_933_632, 968_435_421_769_728, 378_988_294_638_240, 169_097_342_796_000),
    10: _of(10, 8_570_454_841_408_000, 1_828_629_499_384_000, 715_488_809_488_000, 319_264_731_094_400),
    11: _of(11, 15_222_978_065_896_832, 3_248_754_169_011_648, 1_270_953_933_103_008, 567_163_440_596_192),
    12: _of(12, 25_714_619_121_272_832, 5_488_795_281_294_720, 2_147_020_979_821_056, 958_164_204_676_608),
}
"""By the number of decks (1(1))."""


def edges(options: Options) -> Mapping[str, Edge]:
    """The edge of each spot that is sold. A tie is a push, whether the stake then stays or is returned (12)."""
    return {spot: _edge(options, spot) for spot in SPOTS if is_sold(options, spot)}


def _edge(options: Options, spot: str) -> Edge:
    of = SEQUENCES[options.decks]
    if spot in PAIRS:
        return _pair(options.decks, spot)
    odds = SPOTS[spot].odds[0]
    match spot:
        case "player":
            return edge_of([(won(odds), of.player), (PUSH, of.tie), (LOST, of.banker)])
        case "banker" if options.commission_mode is CommissionMode.FIVE_PERCENT:
            return edge_of([(won(odds, COMMISSION_PERCENT), of.banker), (PUSH, of.tie), (LOST, of.player)])
        case "banker":
            paid = [(won(odds), of.banker - of.six), (won(BANKER_SIX), of.six)]
            return edge_of([*paid, (PUSH, of.tie), (LOST, of.player)])
        case "tie":
            return edge_of([(won(odds), of.tie), (LOST, of.all - of.tie)])
        case _:
            paid = [(won(LUCKY_SIX[cards]), many) for cards, many in of.sixes.items()]
            return edge_of([*paid, (LOST, of.all - of.six)])


def _pair(decks: int, spot: str) -> Edge:
    """Whatever the first card, so many of the others have its rank (13(4))."""
    equal, others = 4 * decks - 1, 52 * decks - 1
    return edge_of([(won(SPOTS[spot].odds[0]), equal), (LOST, others - equal)])
