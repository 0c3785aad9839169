"""The refs under which clients ask for something: the same once more is done once, something else is refused."""

from __future__ import annotations

import hashlib
import json

from tables.base import security
from tables.games.contract.errors import Refused
from tables.games.values.words import say
from tables.models.bettors import Bettor, player_of

ONE_OF = "."
"""Stands in no ref that a client may make."""


def own_ref(bettor: Bettor, ref: str) -> str:
    """A client's ref, within its own bettor's: nobody can use up another's."""
    return f"{bettor}:{ref}"


def bettor_in(ref: str) -> Bettor:
    """Whose ref this is (`own_ref`)."""
    return Bettor(ref.partition(":")[0])


def one_of(ref: str, at: int) -> str:
    """The ref of one of several entries that come of one message."""
    return f"{ref}{ONE_OF}{at}"


def message_of(ref: str) -> str:
    """The ref of the message that an entry comes of."""
    return ref.partition(ONE_OF)[0]


def digest(*asked: object) -> str:
    """Tells what is asked from anything else that could be asked under the same ref; `asked` as JSON."""
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]


def used_for_another(ref: str) -> Refused:
    """The refusal of a message whose ref, within its bettor's, was used for something else."""
    bettor = bettor_in(ref)
    own = ref.removeprefix(own_ref(bettor, ""))
    security.note("ref used for something else", "refused", player=player_of(bettor), ref=own)
    return Refused("ref", say("Something else was sent under the same reference before. Nothing has changed."))
