"""A game's rules on one page: what each bet pays and what the house keeps of it, its options, and every article.

All of it comes from the rules and from a table's options, so the page cannot say anything else than what is played.
Amounts are integer cents.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tables.games.contract.editions import Day, replaced_on
from tables.games.contract.game import Game
from tables.games.contract.round import Spot
from tables.games.edges import Edge, edges_of
from tables.games.values.money import CREDIT, DENOMINATIONS
from tables.queries.table import TableState

from .contract import Felt
from .formatting import number, percent_of, text_of
from .games import FELTS
from .shared.limits import Limits
from .shared.rulebook import Pay

FEW = 6
"""So many bets of one kind are named one by one; of more only the first and the last."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What the house keeps of a stake on average: in per cent to four decimals, and as an exact fraction.

    The fraction is empty where the figure is a published one, of the best strategy.
    """

    percent: str
    fraction: str


@dataclass(frozen=True, slots=True)
class BetRow:
    """`count` bets that pay the same, cost the same and have the same limits, by one article.

    `called` names them, or the first and the last of many. `kept` is None where no figure is known; one that is `grown`
    out of another bet has none of its own.
    """

    called: tuple[str, ...]
    count: int
    article: str
    pays: tuple[Pay, ...]
    limits: Limits | None
    kept: Kept | None = None
    grown: bool = False


def rules_of(state: TableState) -> dict[str, Any]:
    """What the page shows beside the pictures of a round: the bets that these options sell, the options, and the
    articles in the words of the edition: those of the regulation, and rulings and customs of ours. In the active
    language."""
    felt = FELTS[state.game]
    rules, options = felt.rules, state.options
    layout = felt.layout(state, rules.view(felt.shown(state), None))
    articles = rules.articles_of(options.edition)
    return {
        "state": {"game": state.game},
        "sheets": layout.get("sheets", ()),
        "title": rules.title,
        "denominations": [credits * CREDIT for credits in reversed(DENOMINATIONS[-6:])],
        "regulation": rules.regulation_of(options.edition),
        "edition": options.edition,
        "held": held(rules, options.edition),
        "bets": list(_bets(felt, options)),
        "house_rules": layout["house_rules"],
        "law": [article for article in articles.values() if article.law],
        "ours": [article for article in articles.values() if not article.law],
    }


@dataclass(frozen=True, slots=True)
class Held:
    """The days on which an edition held: its first day (`exact` if it is public, else the earliest that it can have
    been; None if nothing is known of it), and the day on which another took its place, if one has."""

    since: Day | None
    exact: bool
    replaced: Day | None


def held(game: Game, name: str) -> Held:
    """When the edition of this name was in force."""
    edition = next(edition for edition in game.in_force if edition.name == name)
    return Held(edition.since, edition.exact, replaced_on(game.in_force, name))


def anchor(article: str) -> str:
    """The id of an article on the page: letters, digits and hyphens alone. "9(3)(1)" is `art-9-3-1`."""
    return "art-" + "-".join("".join(letter if letter.isalnum() else " " for letter in article).lower().split())


def _bets(felt: Felt, options: Any) -> Iterator[BetRow]:
    """What is sold under these options, and what can grow out of it; what is not sold is left out."""
    rules, book = felt.rules, felt.rulebook
    edges = edges_of(rules.slug, options)
    alike: defaultdict[tuple[str, tuple[Pay, ...], Edge | None, Limits], list[Spot]] = defaultdict(list)
    for name, spot in rules.spots.items():
        if rules.is_sold(options, name):
            alike[spot.article, book.pays(options, spot), edges.get(name), book.limits(options, spot)].append(spot)
    for (article, pays, edge, limits), spots in alike.items():
        named = spots if len(spots) <= FEW else [spots[0], spots[-1]]
        called = tuple(text_of(spot.title) for spot in named)
        yield BetRow(called, len(spots), article, pays, limits, _kept(edge))
    for one in book.grown(options):
        yield BetRow((text_of(one.title),), 1, one.article, one.pays, one.limits, _kept(one.edge), grown=True)


def _kept(edge: Edge | None) -> Kept | None:
    if edge is None:
        return None
    if not edge.exact:
        return Kept(percent_of(edge.share, decimals=3), "")
    sign = "−" if edge.share < 0 else ""
    fraction = f"{sign}{number(abs(edge.share.numerator))} / {number(edge.share.denominator)}"
    return Kept(percent_of(edge.share, decimals=4), fraction)
