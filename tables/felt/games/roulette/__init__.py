"""The voice of Roulette: its felt, its story, its lesson and its tables."""

from .felt import RouletteFelt

FELT = RouletteFelt()

__all__ = ["FELT"]
