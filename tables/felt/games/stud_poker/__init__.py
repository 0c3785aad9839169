"""The voice of Stud Poker: its felt, its story, its lesson and its tables."""

from .felt import StudPokerFelt

FELT = StudPokerFelt()

__all__ = ["FELT"]
