"""What may be known of a round when it is over, and by whom: of its record, of the shoe, and of its very result.

A hand that was not opened may stay its bettor's own for ever (`Game.private_hands`); then each viewer is shown what
their views showed them while it was played, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from tables.games import GAMES
from tables.games.codec import action_from
from tables.games.contract.actions import CloseBets, DrawCard
from tables.games.contract.game import Game
from tables.games.contract.round import Round
from tables.games.contract.view import cards_in
from tables.games.values.cards import Card
from tables.games.values.words import Note, say
from tables.models import Player, RoundLog, Seat, Shoe, Table
from tables.queries.folds import entries_of, game_of, log_entries, opened_round, round_of

# ── Conduct ─────────────────────────────────────────────────────────────────────────────────────────────────


def unrecorded_for(player: Player | None) -> dict[int, Note]:
    """The tables whose rounds this player may not see now, and why: they play where recording is forbidden.

    A player plays at a table while they have a seat or a fresh stake there.
    """
    if player is None:
        return {}
    games = [slug for slug, game in GAMES.items() if game.unrecorded]
    seated = set(Seat.objects.filter(player=player, table__game__in=games).values_list("table_id", flat=True))
    return {
        table.pk: Note(
            GAMES[table.game].unrecorded,
            say(
                "While you play at %(table)s its rounds cannot be seen again: recording results is forbidden there",
                table=table.name,
            ),
        )
        for table in Table.objects.filter(game__in=games).select_related("round")
        if table.pk in seated or _has_staked(table.round, player)
    }


def _has_staked(log: RoundLog | None, player: Player) -> bool:
    if log is None or log.settled_at is not None:
        return False
    return any(stake.by == player.key and not stake.carried for stake in round_of(log).stakes())


# ── What was seen ───────────────────────────────────────────────────────────────────────────────────────────


def seen_by(log: RoundLog, who: str | None) -> frozenset[Card]:
    """The cards of a round that is over which this viewer was shown, at whatever step of it."""
    assert log.settled_at is not None, "nobody looks back on a round that is being played"
    game = game_of(log)
    views = [game.view(opened_round(log), who), *(game.view(entry.after, who) for entry in log_entries(log))]
    return frozenset(card for view in views for card in cards_in(view))


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card that this viewer has been shown: the how-many-th card of its round it was, what opens its commitment, and
    whose it is in the words of the proof (`player 1`; `burn 2`, the second burnt card that they have seen)."""

    number: int
    card: Card
    salt: str
    to: str


def cards_seen_by(log: RoundLog, who: str | None) -> list[SeenCard]:
    """The cards of a round, also of one that is being played, which this viewer (None: a mere spectator) has been shown
    so far, in the order in which they were drawn.

    Equal cards of several decks are told apart: the round is folded again with cards that are each an object of its
    own, and what a view shows is one of them.
    """
    game, round_ = game_of(log), opened_round(log)
    drawn: list[DrawCard] = []
    hand_at_first: dict[int, str] = {}
    seen: set[int] = set()
    for entry in entries_of(log):
        action = action_from(game, entry.action)
        if isinstance(action, DrawCard):
            action = replace(action, card=Card(action.card.rank, action.card.suit))
            drawn.append(action)
        round_ = round_.apply(action)
        if drawn:
            seen |= set(map(id, cards_in(game.view(round_, who))))
        if isinstance(action, DrawCard):
            hand_at_first |= {at: hand for at, hand in _hands(game, round_).items() if at == id(action.card)}
    hands = hand_at_first | _hands(game, round_)
    counted: Counter[str] = Counter()
    found = []
    for number, draw in enumerate(drawn, start=1):
        hand = hands.get(id(draw.card), "burn")
        counted[hand] += hand != "burn" or id(draw.card) in seen
        if id(draw.card) in seen:
            found.append(SeenCard(number, draw.card, draw.salt, f"{hand} {counted[hand]}"))
    return found


def _hands(game: Game, round_: Round) -> dict[int, str]:
    """The hand in which each card lies, by the card's identity."""
    return {id(card): name for name, hand in game.hands(round_).items() for card in hand}


# ── The record ──────────────────────────────────────────────────────────────────────────────────────────────


def record_is_open(log: RoundLog, who: str | None) -> bool:
    """Whether this bettor may have the public record of a round: it is over, and tells of no card hidden from them.

    Cards that were burnt in the round, lay face down to its end, or were dealt in one that was cancelled stay unseen
    till the shoe is retired; where hands are private, for ever.
    """
    if log.settled_at is None:
        return False
    if game_of(log).private_hands:
        drawn = {line.action.card for line in log_entries(log) if isinstance(line.action, DrawCard)}
        return drawn <= seen_by(log, who)
    return record_tells_nothing_new(log)


def record_tells_nothing_new(log: RoundLog) -> bool:
    """Whether the house may hand out the record of a round: it tells of no card that bears on what is still to come.

    It is over, and its shoe is retired or everybody has seen all its cards; whose hands they were is no secret of the
    house's from itself.
    """
    if log.settled_at is None:
        return False
    return log.shoe is None or log.shoe.retired_at is not None or _all_were_seen(log)


def _all_were_seen(log: RoundLog) -> bool:
    """Whether everybody has seen all the cards of the round itself: those of its record (see `record_of`)."""
    drawn: Counter[Card] = Counter()
    before: Counter[Card] | None = None
    game, last = game_of(log), opened_round(log)
    for line in log_entries(log):
        if before is not None and isinstance(line.action, DrawCard):
            drawn[line.action.card] += 1
        if isinstance(line.action, CloseBets):
            before = Counter(cards_in(game.view(line.after, None)))
        last = line.after
    return not drawn or drawn <= Counter(cards_in(game.view(last, None))) - (before or Counter())


# ── Shoes ───────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class DealtCard:
    """A card that left a shoe: its place in the order of dealing (from 1), and the phase it was drawn in.

    Without a face if it is not the viewer's to see.
    """

    place: int
    card: str
    phase: str


def dealt_from(shoe: Shoe, who: str | None) -> list[tuple[RoundLog, list[DealtCard]]]:
    """The cards of each round, as the logs have them. Only of a retired shoe: some of these nobody has seen."""
    assert shoe.retired_at is not None, "nobody looks into a shoe that is in use"
    place, rounds = 0, []
    for log in RoundLog.objects.filter(shoe=shoe).order_by("number"):
        seen = seen_by(log, who) if game_of(log).private_hands else None
        dealt = []
        for line in log_entries(log):
            if isinstance(line.action, DrawCard):
                place += 1
                card = line.action.card
                face = str(card) if seen is None or card in seen else ""
                dealt.append(DealtCard(place, face, str(line.before.phase)))
        rounds.append((log, dealt))
    return rounds
