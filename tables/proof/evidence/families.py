"""The families of tests. Each yields what it looked at and its p-value: how likely that is if chance is fair.

What is expected is worked out in each family from the rules of drawing alone. Sources: Knuth, The Art of Computer
Programming 2, 3.3.2 (serial, gap, poker, coupon, permutation, run, birthday spacings, collision); Marsaglia's DIEHARD
(matrix rank); for tables of permutations the variance of counts with fixed margins.
"""

from __future__ import annotations

import cmath
import itertools
import math
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from .distributions import chi_square, chi_square_p, even, gamma_q, kolmogorov, normal, poisson, worst_of
from .sources import BALL, Sample

Found = Iterator[tuple[str, float]]

POCKETS, FACES, CARDS, RANKS = 37, 6, 52, 13
LAGS = 32
DAY = 1_000
"""Balls of a day; of dice half as many throws."""
SUMS = Counter(a + b + c for a in range(1, 7) for b in range(1, 7) for c in range(1, 7))


def counts(values: Sequence[int], cells: int, least: int = 0) -> list[int]:
    """How often each number came."""
    found = Counter(values)
    return [found[at] for at in range(least, least + cells)]


# ── Numbers ─────────────────────────────────────────────────────────────────────────────────────────────────


def frequencies(sample: Sample) -> Found:
    """Each pocket and each face of each die comes as often as any other."""
    yield "pockets", even(counts(sample.balls, POCKETS))
    for die in range(3):
        yield f"faces of die {die + 1}", even(counts([throw[die] for throw in sample.dice], FACES, 1))


def serial(sample: Sample) -> Found:
    """A number tells nothing of the next, nor of any up to 32 later; neither do the draws of a shuffle."""
    pairs = [one * POCKETS + two for one, two in zip(sample.balls[::2], sample.balls[1::2], strict=False)]
    yield "pairs of balls", even(counts(pairs, POCKETS**2))
    dice = [36 * a + 6 * b + c - 43 for a, b, c in sample.dice]
    yield "throws of three dice", even(counts(dice, FACES**3))
    yield "balls that come again", worst_of(_lags(sample.balls, POCKETS))
    yield "faces that come again", worst_of(_lags(sample.faces, FACES))
    parities = [[place & 1 for place in draws_of(pack)[::2]] for pack in sample.packs]
    agree = [
        normal(
            sum(one == two for each in parities for one, two in zip(each, each[lag:], strict=False)),
            len(parities) * (26 - lag) / 2,
            len(parities) * (26 - lag) / 4,
        )
        for lag in range(1, 17)
    ]
    yield "draws of a shuffle", worst_of(agree)


def _lags(values: Sequence[int], bound: int) -> Iterator[float]:
    share = 1 / bound
    for lag in range(1, LAGS + 1):
        again = sum(map(operator.eq, values, values[lag:]))
        yield normal(again, (len(values) - lag) * share, (len(values) - lag) * share * (1 - share))


def draws_of(pack: Sequence[int]) -> list[int]:
    """The places that a shuffle drew, from the last place (below 52) down to the second, taken back from its order."""
    order, place = list(range(len(pack))), list(range(len(pack)))
    drawn = []
    for last in range(len(pack) - 1, 0, -1):
        chosen = place[pack[last]]
        drawn.append(chosen)
        order[chosen] = order[last]
        place[order[last]] = chosen
    return drawn


def runs(sample: Sample) -> Found:
    """High and low, even and odd faces change as often as they should (Wald and Wolfowitz)."""
    yield "high and low balls", _runs([ball > 18 for ball in sample.balls if ball != 18])
    yield "high and low faces", _runs([face > 3 for face in sample.faces])
    yield "even and odd faces", _runs([face % 2 == 0 for face in sample.faces])


def _runs(signs: Sequence[bool]) -> float:
    n, ones = len(signs), sum(signs)
    product = 2 * ones * (n - ones)
    if not product:
        return 0.0
    changes = sum(one != two for one, two in itertools.pairwise(signs))
    return normal(changes + 1, product / n + 1, product * (product - n) / (n * n * (n - 1)))


def gaps(sample: Sample) -> Found:
    """How long one waits for a ball of the first nine numbers, and for a six."""
    yield "first nine numbers", _gaps([ball < 9 for ball in sample.balls], 9 / POCKETS, 20)
    yield "sixes", _gaps([face == 6 for face in sample.faces], 1 / FACES, 25)


def _gaps(hits: Sequence[bool], share: float, longest: int) -> float:
    at = [-1, *(place for place, hit in enumerate(hits) if hit)]
    lengths = [min(two - one - 1, longest) for one, two in itertools.pairwise(at)]
    chances = [share * (1 - share) ** length for length in range(longest)] + [(1 - share) ** longest]
    return chi_square(counts(lengths, longest + 1), [len(lengths) * chance for chance in chances])


def poker(sample: Sample) -> Found:
    """How many different faces five dice show."""
    hands = [len(set(hand)) for hand in zip(*[iter(sample.faces)] * 5, strict=False)]
    ways = [math.perm(FACES, kinds) * stirling / FACES**5 for kinds, stirling in enumerate((1, 15, 25, 10, 1), start=1)]
    yield "five dice", chi_square(counts(hands, 5, 1), [len(hands) * way for way in ways])


def coupon(sample: Sample) -> Found:
    """How many dice it takes until each face has come."""
    lengths, seen, length, longest = [], set(), 0, 30
    for face in sample.faces:
        seen.add(face)
        length += 1
        if len(seen) == FACES:
            lengths.append(min(length, longest))
            seen, length = set(), 0
    ended = [sum((-1) ** k * math.comb(6, k) * ((6 - k) / 6) ** n for k in range(7)) for n in range(5, longest)]
    chances = [two - one for one, two in itertools.pairwise(ended)] + [1 - ended[-1]]
    yield "all six faces", chi_square(counts(lengths, longest - 5, 6), [len(lengths) * chance for chance in chances])


def permutations(sample: Sample) -> Found:
    """Four different balls come in each order alike; so do the first four cards of a pack."""
    yield "four balls", even(_orders(list(zip(*[iter(sample.balls)] * 4, strict=False))))
    yield "four cards", even(_orders([tuple(pack[at : at + 4]) for pack in sample.packs for at in range(0, 52, 4)]))


def _orders(fours: Sequence[tuple[int, ...]]) -> list[int]:
    found = Counter(tuple(sorted(range(4), key=four.__getitem__)) for four in fours if len(set(four)) == 4)
    return [found[order] for order in itertools.permutations(range(4))]


def birthday_spacings(sample: Sample) -> Found:
    """Days between birthdays, five balls a birthday; and nothing comes again that is too long to come again."""
    year, people = POCKETS**5, 512
    days = [
        sum(ball * POCKETS**at for at, ball in enumerate(five)) for five in zip(*[iter(sample.balls)] * 5, strict=False)
    ]
    twice = groups = 0
    for group in zip(*[iter(days)] * people, strict=False):
        born = sorted(group)
        spacings = Counter(two - one for one, two in itertools.pairwise(born))
        twice, groups = twice + sum(n - 1 for n in spacings.values()), groups + 1
    yield "spacings", poisson(twice, groups * people**3 / (4 * year)) if groups else 1.0
    balls = _again([tuple(sample.balls[at : at + 10]) for at in range(len(sample.balls) - 9)])
    yield "ten balls again", poisson(balls, len(sample.balls) ** 2 / 2 / POCKETS**10)
    packs = [tuple(pack[:12]) for pack in sample.packs]
    yield "a pack again", poisson(_again(packs), len(packs) ** 2 / 2 / math.perm(52, 12))
    shoes = [tuple(shoe[:12]) for shoe in sample.shoes]
    yield "a shoe again", poisson(_again(shoes), len(shoes) ** 2 / 2 / 52**12)


def _again(things: Sequence[tuple[int, ...]]) -> int:
    return len(things) - len(set(things))


def matrix_rank(sample: Sample) -> Found:
    """Ranks of matrices of 32 × 32 bits, from the balls below 32."""
    bits = 0
    rows: list[int] = []
    for at, ball in enumerate([ball for ball in sample.balls if ball < 32]):
        bits = bits << 5 | ball
        if at % 32 == 31:
            rows += [bits >> 32 * row & 0xFFFFFFFF for row in range(5)]
            bits = 0
    ranks = [min(max(_rank(list(rows[at : at + 32])) - 30, 0), 2) for at in range(0, len(rows) - 31, 32)]
    full = math.prod(1 - 2.0**-k for k in range(1, 33))
    one_less = 2 * full * (1 - 2.0**-32)
    yield "32 × 32", chi_square(counts(ranks, 3), [len(ranks) * p for p in (1 - full - one_less, one_less, full)])


def _rank(rows: list[int]) -> int:
    rank = 0
    while rows:
        row = rows.pop()
        if row:
            rank += 1
            low = row & -row
            rows = [other ^ row if other & low else other for other in rows]
    return rank


def spectral(sample: Sample) -> Found:
    """No rhythm in the balls: the strength of each frequency over blocks of 512 (at most 32 of them)."""
    size = 512
    middle, variance = (POCKETS - 1) / 2, (POCKETS**2 - 1) / 12
    blocks = [sample.balls[at : at + size] for at in range(0, min(len(sample.balls), 32 * size) - size + 1, size)]
    strength = [0.0] * (size // 2)
    for block in blocks:
        for at, value in enumerate(_fourier([complex(ball - middle) for ball in block])[: size // 2]):
            strength[at] += (value.real**2 + value.imag**2) / (size * variance)
    yield "balls", worst_of(chi_square_p(2 * each, 2 * len(blocks)) for each in strength[1:])


def _fourier(values: list[complex]) -> list[complex]:
    if len(values) == 1:
        return values
    evens, odds = _fourier(values[::2]), _fourier(values[1::2])
    turned = [cmath.rect(1, -2 * math.pi * at / len(values)) * odd for at, odd in enumerate(odds)]
    return [a + b for a, b in zip(evens, turned, strict=True)] + [a - b for a, b in zip(evens, turned, strict=True)]


# ── Cards ───────────────────────────────────────────────────────────────────────────────────────────────────


def positions(sample: Sample) -> Found:
    """Cards lie anywhere: four neighbours of a fresh pack in 13 parts of a pack, each card in eight parts of a shoe."""
    yield "parts of a pack", _placed(sample.packs, lambda card: card // 4, 13, 13)
    yield "parts of a shoe", _placed(sample.shoes, lambda card: card, CARDS, 8)


def _placed(packs: Sequence[Sequence[int]], kind: Callable[[int], int], kinds: int, parts: int) -> float:
    size = len(packs[0])
    found = Counter(at * parts // size * kinds + kind(card) for pack in packs for at, card in enumerate(pack))
    cells = [found[at] for at in range(kinds * parts)]
    mean = len(packs) * size / len(cells)
    lost = kinds + parts - 1
    return chi_square(cells, [mean] * len(cells), factor=(size - 1) / size, lost=lost)


def neighbours(sample: Sample) -> Found:
    """Neighbours in a pack are of one rank, of one suit, or neighbours of a fresh pack, as often as they should."""
    yield "one rank", _touching(sample.packs, lambda one, two: (one - two) % RANKS == 0, [3] * CARDS)
    yield "one suit", _touching(sample.packs, lambda one, two: one // RANKS == two // RANKS, [12] * CARDS)
    yield "neighbours before", _touching(sample.packs, lambda one, two: (one - two) % CARDS in (1, 51), [2] * CARDS)


def _touching(packs: Sequence[Sequence[int]], related: Callable[[int, int], bool], degrees: Sequence[int]) -> float:
    """Of pairs of neighbours that are related; each card is related to so many others."""
    n, related_pairs = CARDS, sum(degrees)  # each pair counted from both sides
    paths = sum(degree * (degree - 1) for degree in degrees)
    share = related_pairs / math.perm(n, 2)
    both_of_three = paths / math.perm(n, 3)
    both_apart = (related_pairs**2 - 2 * related_pairs - 4 * paths) / math.perm(n, 4)
    places = n - 1
    square = places * share + 2 * (places - 1) * both_of_three + (places - 1) * (places - 2) * both_apart
    found = sum(related(one, two) for pack in packs for one, two in itertools.pairwise(pack))
    return normal(found, len(packs) * places * share, len(packs) * (square - (places * share) ** 2))


def cut_distances(sample: Sample) -> Found:
    """How far each card went round the pack, as if it had only been cut; and where the dealer cuts."""
    moved = Counter((at - card) % CARDS for pack in sample.packs for at, card in enumerate(pack))
    cells = [moved[at] for at in range(CARDS)]
    yield "cards", chi_square(cells, [len(sample.packs)] * CARDS, factor=(CARDS - 1) / CARDS)
    if sample.cuts:
        yield "cuts", even(counts(sample.cuts, CARDS - 1, 1))


# ── The wheel, the dice, the days ───────────────────────────────────────────────────────────────────────────


def wheel_sectors(sample: Sample) -> Found:
    """No side of the wheel is heavier, and no distance between two spins is more likely."""
    place = {pocket: at for at, pocket in enumerate(BALL.ring)}
    found = Counter(place[ball] for ball in sample.balls)
    for waves in (1, 2, 3, 4):
        pull = sum(n * cmath.rect(1, 2 * math.pi * waves * at / POCKETS) for at, n in found.items())
        yield f"in {waves} parts", chi_square_p(2 * abs(pull) ** 2 / len(sample.balls), 2)
    yield (
        "distances",
        even(counts([(place[b] - place[a]) % POCKETS for a, b in itertools.pairwise(sample.balls)], POCKETS)),
    )


def dice_sums(sample: Sample) -> Found:
    """The totals of three dice, and triples."""
    totals = counts([sum(throw) for throw in sample.dice], 16, 3)
    yield "totals", chi_square(totals, [len(sample.dice) * SUMS[total] / 216 for total in range(3, 19)])
    triples = sum(len(set(throw)) == 1 for throw in sample.dice)
    yield "triples", normal(triples, len(sample.dice) / 36, len(sample.dice) * 35 / 36**2)


def _days(sample: Sample) -> tuple[list[float], list[float]]:
    """The chi-square statistics of each day, of its balls (36 degrees) and of the faces of its dice (5 degrees)."""
    balls = [counts(sample.balls[at : at + DAY], POCKETS) for at in range(0, len(sample.balls) - DAY + 1, DAY)]
    faces = [counts(sample.faces[at : at + DAY], FACES, 1) for at in range(0, len(sample.faces) - DAY + 1, DAY)]
    return tuple(  # type: ignore[return-value]
        [sum((n - sum(day) / len(day)) ** 2 * len(day) / sum(day) for n in day) if sum(day) else 0.0 for day in days]
        for days in (balls, faces)
    )


def days(sample: Sample) -> Found:
    """Chi-square over days: all days together are neither more uneven nor more even than chance."""
    balls, faces = _days(sample)
    yield "balls", chi_square_p(sum(balls), 36 * len(balls))
    yield "dice", chi_square_p(sum(faces), 5 * len(faces))


def p_values(sample: Sample) -> Found:
    """Kolmogorov and Smirnov: the p-values of the days lie evenly between 0 and 1."""
    balls, faces = _days(sample)
    yield "days of balls", kolmogorov(gamma_q(18, each / 2) for each in balls)
    yield "days of dice", kolmogorov(gamma_q(2.5, each / 2) for each in faces)


FAMILIES: Mapping[str, Callable[[Sample], Found]] = {
    "frequencies": frequencies,
    "serial": serial,
    "runs": runs,
    "gaps": gaps,
    "poker": poker,
    "coupon collector": coupon,
    "permutations": permutations,
    "birthday spacings": birthday_spacings,
    "matrix rank": matrix_rank,
    "spectral": spectral,
    "positions of cards": positions,
    "pairs of neighbours": neighbours,
    "cut distances": cut_distances,
    "wheel sectors": wheel_sectors,
    "dice sums": dice_sums,
    "chi-square over days": days,
    "Kolmogorov–Smirnov of the p-values": p_values,
}
