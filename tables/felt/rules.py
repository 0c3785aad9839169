"""A game's rules on one page: what each bet pays and what the house keeps of it, its options, and every article.

All of it comes from the rules and from a table's options, so the page cannot say anything else than what is played.
Amounts are integer cents.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tables.games.contract.game import Game
from tables.games.contract.round import Spot
from tables.games.edges import Edge, edges_of
from tables.games.shared.options import amount_for
from tables.games.values.money import Odds
from tables.queries.table import TableState

from .formatting import percent_of, text_of
from .games import FELTS

FEW = 6
"""So many bets of one kind are named one by one; of more only the first and the last."""


@dataclass(frozen=True, slots=True)
class BetRow:
    """`count` bets that pay the same, cost the same and have the same limits, by one article.

    `called` names them, or the first and the last of many. `edge` is what the house keeps of a stake on average, in per
    cent; `exact` if every end was counted, else it is the published figure of the best strategy.
    """

    called: tuple[str, ...]
    count: int
    article: str
    odds: tuple[Odds, ...]
    edge: str
    exact: bool
    least: int
    most: int | None


def rules_of(state: TableState) -> dict[str, Any]:
    """What the page shows beside the pictures of a round: the bets that these options sell, the options, and the
    articles: those of the regulation, and rulings and customs of ours. In the active language."""
    felt = FELTS[state.game]
    rules, options = felt.rules, state.options
    layout = felt.layout(state, rules.view(felt.shown(state), None))
    return {
        "state": {"game": state.game},
        "sheets": layout.get("sheets", ()),
        "title": rules.title,
        "regulation": rules.regulation,
        "edition": options.edition,
        "bets": list(_bets(rules, options)),
        "house_rules": layout["house_rules"],
        "posted": felt.posted_prizes(options),
        "law": [article for article in rules.articles.values() if article.law],
        "ours": [article for article in rules.articles.values() if not article.law],
    }


def anchor(article: str) -> str:
    """The id of an article on the page: letters, digits and hyphens alone. "9(3)(1)" is `art-9-3-1`."""
    return "art-" + "-".join("".join(letter if letter.isalnum() else " " for letter in article).lower().split())


def _bets(rules: Game, options: Any) -> Iterator[BetRow]:
    edges = edges_of(rules.slug, options)
    alike: defaultdict[tuple[str, tuple[Odds, ...], Edge, int, int | None], list[Spot]] = defaultdict(list)
    for name, spot in rules.spots.items():
        if name in edges:
            least = amount_for(options.min_bet, name, spot.family) or 0
            most = amount_for(options.max_bet, name, spot.family)
            alike[spot.article, spot.odds, edges[name], least, most].append(spot)
    for (article, odds, edge, least, most), spots in alike.items():
        named = spots if len(spots) <= FEW else [spots[0], spots[-1]]
        called = tuple(text_of(spot.title) for spot in named)
        share = percent_of(edge.share, decimals=4)
        yield BetRow(called, len(spots), article, odds, share, edge.exact, least, most)
