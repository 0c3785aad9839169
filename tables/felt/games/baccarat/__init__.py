"""The voice of Baccarat: its felt, its story, its lesson and its tables."""

from .felt import BaccaratFelt

FELT = BaccaratFelt()

__all__ = ["FELT"]
