"""The whole voice of a game: what the house must be told to show one, to tell of it and to teach it.

Each game has one `Felt` in `tables.felt.games.<game>`, exported as FELT. It turns the game's own `View` into fragments
and says its phases and options in words. All text is in the active language. Amounts are integer cents.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar, cast

from django.utils.translation import gettext

from tables.games.contract.actions import Action
from tables.games.contract.game import GameOf
from tables.games.contract.options import TableOptions
from tables.games.contract.round import Opening, Round
from tables.games.contract.view import View
from tables.games.values.words import Note, Words, say
from tables.queries.table import TableState

from .shared.demonstration import DemoTable
from .shared.fragments import Context, Draft, Fragments, Templates
from .shared.jackpot import PostedPrize
from .shared.lately import Lately
from .shared.lesson import Lesson
from .shared.limits import BetLimits, main_limits
from .shared.results import kept_words, lines_by_spot, my_result, nothing_yet
from .shared.rulebook import RulebookOf

OptionsT = TypeVar("OptionsT", bound=TableOptions)
RoundT = TypeVar("RoundT", bound=Round)
ViewT = TypeVar("ViewT", bound=View)

RoundResult: TypeAlias = Mapping[str, Any]
"""The `result` of a public record, as its game writes it."""


class StoryOf(ABC, Generic[ViewT]):
    """What only a game itself can tell of its log. Views are the viewer's, before and after the entry."""

    articles: Mapping[str, str]
    """What orders that which all games have: `cut` and `white`, and with carried stakes `withdraw`, `lower`, `move`."""

    def card(self, before: ViewT, after: ViewT) -> list[Note]:
        """Where a card went and what ordered it."""
        raise AssertionError("no card is ever dealt")

    def left(self, who: str, by: str | Words, before: ViewT, after: ViewT) -> list[Note]:
        """What a bettor has given up with their seat."""
        return []

    def closed(self, view: ViewT) -> list[Note]:
        """What became of the viewer's own stakes when betting closed: those that were taken down."""
        assert view.mine is not None
        return [refusal.why for refusal in view.mine.refusals]

    @abstractmethod
    def settled(self, before: ViewT, after: ViewT) -> list[Note]:
        """How the round ended."""

    @abstractmethod
    def deed(
        self, action: Action, by: str | Words, names: Mapping[str, str], before: ViewT, after: ViewT
    ) -> list[Note]:
        """An action that only this game knows."""


class FeltOf(ABC, Generic[OptionsT, RoundT, ViewT]):
    """The felt of one game. What is not abstract has a default, which most games keep."""

    rules: GameOf[OptionsT, RoundT, ViewT]
    baize: str
    """The colour of its cloth: one of those in `static/css/tokens.css`."""
    story: StoryOf[ViewT]
    rulebook: RulebookOf[OptionsT, ViewT]
    lesson: Lesson
    """The guided first round at a kiosk."""
    lines: tuple[Note, ...]
    """What can be said of the game in one line each, with its article: true at every table of it."""
    liked: tuple[tuple[str, ...], ...]
    """On what bettors of a demonstration stake, by how names of spots begin: on one of the first, then perhaps on one
    of the next."""
    main_bets: Mapping[str, Words]
    """The main bet, and others that may have the same limits: spot -> what a short line calls it."""
    tables: tuple[DemoTable, ...]
    """Its tables on the demonstration floor."""
    kiosk_tables: tuple[DemoTable, ...]
    """Its tables for visitors at kiosks; the lesson is played at the first."""
    jackpots: Mapping[str, tuple[str, int]] = {}
    """Of the demonstration floor: slug -> name of a jackpot that tables share, and what it opens with."""
    has_road: bool = True
    """Whether its last results are shown; `static/css/games/<game>-road.css` is what they are drawn with."""
    phases: Mapping[Any, str]
    """What the rail says of each phase, in English; `felt/shared/phases.py` has those of several games."""
    no_cards: Mapping[str, Hashable] = {}
    no_decision: Mapping[str, Hashable] = {}
    """What its templates `_my_cards.html` and `_decision.html` need to be there, but empty."""
    card_s = 0.8
    """How long a card of a demonstration is looked at, in seconds."""

    def shown(self, state: TableState) -> RoundT:
        """The round that the felt shows: before the first one of a table, an empty one that nobody can bet in."""
        if state.round is not None:
            return cast(RoundT, state.round)
        return self.rules.opened(state.options, Opening())

    def wishes(self, view: ViewT, action: Action) -> bool:
        """Whether somebody who knows the game takes this decision where it is not the automatic one."""
        return False

    # ── In words ──

    def phase_words(self, phase: str) -> str:
        """The phase as the rail says it."""
        return gettext(self.phases[phase])

    @abstractmethod
    def said(self, view: ViewT, names: Mapping[str, str]) -> list[str]:
        """What a screen reader tells now: the newest that has happened."""

    def fresh_cards(self, options: OptionsT, *, done: bool) -> Words:
        """What everybody is told of fresh cards that the pit has ordered: for the next round, or `done` with this one,
        which has these options."""
        if done:
            return say("The house has changed the cards: this round is dealt from fresh ones")
        return say("The house changes the cards after this round")

    def result_words(self, result: RoundResult) -> str:
        """One result in a few words, for lists."""
        return gettext("Void") if result.get("void") else self.ended_words(result)

    @abstractmethod
    def ended_words(self, result: RoundResult) -> str:
        """The same of a round that was played to its end."""

    @abstractmethod
    def facts(self, options: OptionsT) -> list[str]:
        """The options that a player chooses a table by."""

    @abstractmethod
    def road(self, results: Sequence[RoundResult]) -> str:
        """The last results, small, for the lobby."""

    def lately(self, results: Sequence[RoundResult]) -> Lately | None:
        """The last result and its streak, for the lobby; None where there is none yet, or none may be shown."""
        return None

    def betting(self, phase: str) -> bool:
        """Whether the layout is open for stakes."""
        return phase == "betting"

    def signs(self, view: ViewT) -> list[str]:
        """Short facts for the rail."""
        return []

    def holds(self, view: ViewT) -> Mapping[str, list[str]]:
        """Bettor -> what they hold or have to decide, as a mark at their seat."""
        return {}

    def ready(self, view: ViewT) -> frozenset[str]:
        """Bettors who have said that they are ready, while the round waits for that."""
        return view.ready

    def kept_words(self, cents: int) -> str:
        """How so much of a bettor's stake that has stayed from an earlier round is marked."""
        return kept_words(cents)

    def limits(self, options: OptionsT) -> BetLimits:
        """The limits of the main bet, by its name: what one short line says of a table."""
        return main_limits(self.rules, options, self.main_bets)

    def posted_prizes(self, options: OptionsT) -> Sequence[PostedPrize]:
        """What is posted of its progressive jackpot, the highest hand first."""
        return ()

    def hand_words(self, hand: str) -> Words:
        """A hand that has won of the jackpot, as a result names it."""
        raise AssertionError(f"{self.rules.slug} has no jackpot")

    # ── As fragments ──

    @abstractmethod
    def public(self, state: TableState, view: ViewT) -> Fragments:
        """The fragments that only this game has and everybody sees."""

    def private(self, state: TableState, view: ViewT, public: ViewT) -> Mapping[str, Draft]:
        """The fragments that only this game has, for the bettor of `view`; `public` is what everybody sees.

        They are drawn only where something in them has changed. By default the bettor's own result: nobody has cards,
        or anything to decide.
        """
        assert view.mine is not None
        payouts = view.mine.payouts
        own = my_result(self.rules.slug, lines_by_spot(self.rules.spots, payouts), payouts, over=bool(payouts))
        return {**self.watching, "my-result": own}

    @cached_property
    def watching(self) -> Mapping[str, Draft]:
        """The same fragments for somebody who only watches: there, but empty."""
        templates = Templates(self.rules.slug)
        return {
            "my-cards": templates.shared("my_cards", **self.no_cards),
            "my-result": nothing_yet(),
            "decision": templates.shared("decision", **self.no_decision),
        }

    @abstractmethod
    def layout(self, state: TableState, view: ViewT) -> Context:
        """What the drawn layout needs beside the fragments: at least `spots` by key, `house_rules` and
        `history_title`, which names what the fragment `roads` shows. `view` is a spectator's.

        `seats_within` if its boxes are the seats' places, and it draws them itself; `presets` names a template of
        things that a bettor may ask for beforehand; `sheets` are stylesheets that it shares with other games, `scripts`
        its own, `by_hand` those that come with the first gesture; `own_cards` if a bettor has a hand that they may
        squeeze alone. `dealing_template` is drawn where the cards are, before the fragment `cards`; `dealing_title`
        names it.
        """


Felt: TypeAlias = FeltOf[Any, Any, Any]
"""A felt, for whoever need not know of which game."""
