"""The voice of Blackjack: its felt, its story, its lesson and its tables."""

from .felt import BlackjackFelt

FELT = BlackjackFelt()

__all__ = ["FELT"]
