"""What the felt of each game shows beside what all felts share (`tables.felt`): one module a game.

A felt turns a game's own `View` into fragments, and says its phases and options in words.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

from tables.felts import baccarat, blackjack, cussec, roulette, stud_poker, three_card_baccarat
from tables.games.protocol import Round
from tables.queries import TableState


class Felt(Protocol):
    """The questions that `tables.felt` asks a game's felt. All text is in the active language.

    A `view` is the game's own View. Fragments are given as id -> HTML.
    """

    def idle(self, options: Any) -> Round:
        """An empty round, whose felt is shown before the first one of a table."""

    def phase_words(self, phase: str) -> str:
        """The phase as the rail says it."""

    def betting(self, phase: str) -> bool:
        """Whether the layout is open for stakes."""

    def signs(self, view: Any) -> list[str]:
        """Short facts for the rail: the last round."""

    def holds(self, view: Any) -> Mapping[str, list[str]]:
        """Bettor -> what they hold or have to decide, as a mark at their seat."""

    def ready(self, view: Any) -> frozenset[str]:
        """Bettors who have said that they are ready."""

    def said(self, view: Any, names: Mapping[str, str]) -> list[str]:
        """What a screen reader tells now: the newest that has happened."""

    def public(self, state: TableState, view: Any) -> dict[str, str]:
        """The fragments that only this game has and everybody sees."""

    def private(self, state: TableState, view: Any, public: Any) -> dict[str, str]:
        """The fragments that only this game has, for the bettor of `view`; `public` is what everybody sees."""

    def private_key(self, state: TableState, view: Any, public: Any) -> Hashable:
        """What `private` depends on beside the round, the viewer and his `view.mine`: equal where it is the same."""

    def watching(self, state: TableState) -> dict[str, str]:
        """The same fragments for somebody who only watches: there, but empty."""

    def layout(self, state: TableState) -> dict[str, Any]:
        """What the drawn layout needs beside the fragments: at least `spots` by key, `house_rules` and
        `history_title`, which names what the fragment `roads` shows.

        `seats_within` if its boxes are the seats' places, and it draws them itself; `presets` names a template of
        things that a bettor may ask for beforehand; `sheets` are stylesheets that it shares with other games, `scripts`
        its own. `dealing_template` is drawn where the cards are, before the fragment `cards`; `dealing_title` names it.
        """

    def kept_words(self, cents: int) -> str:
        """How so much of a bettor's stake that has stayed from an earlier round is marked."""

    def limits(self, options: Any) -> tuple[int, int | None]:
        """The table's minimum and maximum in cents, as a sign at the table says them."""

    def facts(self, options: Any) -> list[str]:
        """The options that a player chooses a table by."""

    def road(self, results: Sequence[Mapping[str, Any]]) -> str:
        """The last results, small, for the lobby."""

    def result_words(self, result: Mapping[str, Any]) -> str:
        """One result in a few words, for lists."""


FELTS: Mapping[str, Felt] = {
    "baccarat": baccarat,
    "blackjack": blackjack,
    "cussec": cussec,
    "roulette": roulette,
    "stud_poker": stud_poker,
    "three_card_baccarat": three_card_baccarat,
}
