"""What is remembered."""

from .approvals import ApprovalRequest, Halt, TableOrigin
from .archive import Archive
from .authorisation import Authorisation
from .browser_session import BrowserSession
from .chat import ChatLine, Mute, Report
from .day import ChanceDay, TableDay
from .favourite import Favourite
from .handed_code import HandedCode
from .kiosk import Kiosk, KioskVisit, Pairing
from .ledger import Account, Jackpot, Realm, Transfer
from .links import OfferedLink, RevealedLink
from .log import LoggedAction, Played, RefusedDeed, RoundLog, SealedThrow
from .pit import Adjustment, Alert, AuditorLease, ChipOrder, Event, EventHead, OptionChange, Restriction, Ruling
from .pit_books import FloatCount, PitNote, Slip, Watch
from .player import Player, Role
from .protection import OwnLimit, PlayClock
from .review import Review
from .table import Departure, EnrolledDealer, Lease, PackSeed, Seat, Shoe, Table
from .taken_name import TakenName

__all__ = [
    "Account",
    "Adjustment",
    "Alert",
    "ApprovalRequest",
    "Archive",
    "AuditorLease",
    "Authorisation",
    "BrowserSession",
    "ChanceDay",
    "ChatLine",
    "ChipOrder",
    "Departure",
    "EnrolledDealer",
    "Event",
    "EventHead",
    "Favourite",
    "FloatCount",
    "Halt",
    "HandedCode",
    "Jackpot",
    "Kiosk",
    "KioskVisit",
    "Lease",
    "LoggedAction",
    "Mute",
    "OfferedLink",
    "OptionChange",
    "OwnLimit",
    "PackSeed",
    "Pairing",
    "PitNote",
    "PlayClock",
    "Played",
    "Player",
    "Realm",
    "RefusedDeed",
    "Report",
    "Restriction",
    "RevealedLink",
    "Review",
    "Role",
    "RoundLog",
    "Ruling",
    "SealedThrow",
    "Seat",
    "Shoe",
    "Slip",
    "Table",
    "TableDay",
    "TableOrigin",
    "TakenName",
    "Transfer",
    "Watch",
]
