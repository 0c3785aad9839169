"""The voice of Cussec: its felt, its story, its lesson and its tables."""

from .felt import CussecFelt

FELT = CussecFelt()

__all__ = ["FELT"]
