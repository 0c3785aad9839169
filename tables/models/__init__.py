"""What is remembered."""

from .ledger import Account, Transfer
from .log import LoggedAction, Played, RoundLog
from .player import Player
from .table import Lease, Seat, Shoe, Table

__all__ = [
    "Account",
    "Lease",
    "LoggedAction",
    "Played",
    "Player",
    "RoundLog",
    "Seat",
    "Shoe",
    "Table",
    "Transfer",
]
