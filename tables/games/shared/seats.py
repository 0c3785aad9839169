"""Who sits where, as a round is told, and whether everybody it could wait for is ready."""

from __future__ import annotations

from collections.abc import Mapping, Set

from tables.games.contract.actions import Sit
from tables.games.contract.errors import Refused
from tables.games.values.words import say

from .stakes import Stakes


def sat(seats: Mapping[str, int], sit: Sit, number: int, article: str) -> Mapping[str, int]:
    """The seats when this bettor has taken one, of `number` that the table has. Raises Refused, citing its article."""
    if not 1 <= sit.seat <= number:
        raise Refused(article, say("This table has no seat %(seat)s", seat=sit.seat))
    if any(seat == sit.seat and who != sit.by for who, seat in seats.items()):
        raise Refused("seat", say("Seat %(seat)s is taken", seat=sit.seat))
    return {**seats, sit.by: sit.seat}


def left(seats: Mapping[str, int], who: str) -> Mapping[str, int]:
    """The seats without this bettor."""
    return {other: seat for other, seat in seats.items() if other != who}


def takes_part(seats: Mapping[str, int], layout: Stakes, who: str) -> bool:
    """Whether this bettor has a seat or a stake."""
    return who in seats or bool(layout.of_bettor(who))


def check_takes_part(seats: Mapping[str, int], layout: Stakes, who: str) -> None:
    """Raise Refused unless this bettor has a seat or a stake."""
    if not takes_part(seats, layout, who):
        raise Refused("seat", say("Only somebody with a seat or a stake can say so"))


def all_ready(seats: Mapping[str, int], layout: Stakes, ready: Set[str]) -> bool:
    """Whether everybody with a seat or a stake has said that they are ready."""
    here = {*seats, *layout.bettors()}
    return bool(here) and ready >= here
