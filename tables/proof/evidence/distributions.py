"""How likely a figure at least as far off is, if chance is fair: p-values with the standard library alone (ADR 30).

All are of two sides: what fits too well to be chance is as suspicious as what does not fit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

TINY = 1e-300
MOST_TERMS = 1_000_000


def gamma_q(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x), by its series or its continued fraction (Lentz)."""
    if x <= 0:
        return 1.0
    front = math.exp(-x + a * math.log(x) - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for n in range(1, MOST_TERMS):
            term *= x / (a + n)
            total += term
            if term < total * 1e-16:
                break
        return 1 - front * total
    b = x + 1 - a
    c, d = 1 / TINY, 1 / b
    fraction = d
    for n in range(1, MOST_TERMS):
        step = -n * (n - a)
        b += 2
        d = 1 / (step * d + b or TINY)
        c = b + step / c or TINY
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * fraction


def two_sided(above: float) -> float:
    """From the chance of at least this much."""
    return max(0.0, min(1.0, 2 * min(above, 1 - above)))


def chi_square_p(statistic: float, degrees: int) -> float:
    """Of a statistic with the chi-square distribution."""
    return two_sided(gamma_q(degrees / 2, statistic / 2))


def chi_square(observed: Sequence[float], expected: Sequence[float], *, factor: float = 1, lost: int = 1) -> float:
    """Of counts against what is expected of each. `lost` degrees of freedom are not free; `factor` corrects the
    statistic where the counts are those of permutations."""
    if min(expected) <= 0:
        return 0.0  # nothing has come of what should have
    statistic = sum((seen - mean) ** 2 / mean for seen, mean in zip(observed, expected, strict=True))
    return chi_square_p(statistic * factor, len(observed) - lost)


def even(observed: Sequence[int]) -> float:
    """Of counts that should all be alike."""
    return chi_square(observed, [sum(observed) / len(observed)] * len(observed))


def normal(value: float, mean: float, variance: float) -> float:
    """Of a sum of very many things."""
    return math.erfc(abs(value - mean) / math.sqrt(2 * variance))


def poisson(count: int, mean: float) -> float:
    """Of a count of rare things."""
    at_most = gamma_q(count + 1, mean)
    at_least = 1 - gamma_q(count, mean) if count else 1.0
    return min(1.0, 2 * min(at_most, at_least))


def kolmogorov(values: Iterable[float]) -> float:
    """Kolmogorov and Smirnov: of values that should lie evenly between 0 and 1 (Stephens' form for any number)."""
    ordered = sorted(values)
    n = len(ordered)
    far = max(max((at + 1) / n - value, value - at / n) for at, value in enumerate(ordered))
    scaled = (math.sqrt(n) + 0.12 + 0.11 / math.sqrt(n)) * far
    if scaled < 0.2:  # the sum converges slowly there, and is 1 to many digits
        return 1.0
    return min(1.0, 2 * sum((1 if j % 2 else -1) * math.exp(-2 * (j * scaled) ** 2) for j in range(1, 101)))


def worst_of(values: Iterable[float]) -> float:
    """One p-value for several: that of the smallest, corrected for their number."""
    all_of_them = list(values)
    return min(1.0, min(all_of_them) * len(all_of_them))
