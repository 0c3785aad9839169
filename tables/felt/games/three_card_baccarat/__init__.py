"""The voice of 3-Card Baccarat: its felt, its story, its lesson and its tables."""

from .felt import ThreeCardBaccaratFelt

FELT = ThreeCardBaccaratFelt()

__all__ = ["FELT"]
