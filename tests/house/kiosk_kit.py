"""The notation of tests about kiosks: the pit that makes them, and touch screens with what their browsers keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tables.models import Kiosk, Player, Realm, Role, Table
from tables.services.kiosk import kiosks, visitors
from tables.services.kiosk.kiosks import ATTRACT, NotEnrolledError, Setting

from .kit import House

CREDITS = 1_000
"""What a visitor gets, if nothing else is said."""


def boss() -> Player:
    """The pit boss."""
    return Player.objects.get_or_create(username="boss", defaults={"name": "Boss", "role": Role.PIT_BOSS})[0]


def setting(*tables: Table, name: str = "Lobby", credits: int = CREDITS, languages: Sequence[str] = ("en",)) -> Setting:
    """What the pit sets for a kiosk."""
    return Setting(name, "by the lift", [table.pk for table in tables], list(languages), credits * 100, 60)


@dataclass
class Screen:
    """A touch screen: its own id, its cookies, and what it remembers of its last start."""

    house: House
    name: str = "a screen"
    secret: str = ""
    token: str = ""
    use: int | None = None
    kept: list[str] = field(default_factory=list)
    """All tokens that it has held, oldest first."""

    def ask(self) -> str:
        """Ask for a code: what it shows."""
        code, self.secret = kiosks.ask(self.name, clock=self.house.clock)
        return code

    def ask_on(self) -> bool:
        """Whether the pit has said which kiosk it is; then it is one. Raises NotEnrolledError."""
        return self._keep(kiosks.answered(self.secret, self.name, clock=self.house.clock))

    def begin(self) -> bool:
        """Start as the kiosk that it is. Raises NotEnrolledError."""
        return self._keep(kiosks.begin(self.token, self.name, self.use, clock=self.house.clock))

    def is_refused(self) -> bool:
        """Whether it is no kiosk any more."""
        try:
            self.begin()
        except NotEnrolledError:
            return True
        return False

    def hear(self, kiosk: Kiosk, showing: str = ATTRACT) -> Kiosk | None:
        """Say that it is there."""
        assert self.use is not None
        return kiosks.hear(kiosk.pk, self.use, showing, clock=self.house.clock)

    def copy(self, name: str = "") -> Screen:
        """Another browser with all that this one keeps; with a `name`, on another screen."""
        return Screen(self.house, name or self.name, self.secret, self.token, self.use, list(self.kept))

    def _keep(self, begun: kiosks.Begun | None) -> bool:
        if begun is None:
            return False
        self.token, self.use = begun.token, begun.use
        self.kept.append(self.token)
        return True


def enrolled(house: House, kiosk: Kiosk, name: str = "a screen") -> Screen:
    """A screen that has become this kiosk."""
    screen = Screen(house, name)
    kiosks.enrol(boss(), kiosk.pk, screen.ask(), clock=house.clock)
    assert screen.ask_on()
    return screen


def in_service(house: House, *tables: Table, name: str = "Lobby", credits: int = CREDITS) -> tuple[Kiosk, Screen]:
    """A kiosk that shows these tables (if none, one that is opened for it), and its screen."""
    tables = tables or (house.table("garden", realm=Realm.KIOSKS),)
    kiosk = kiosks.make(boss(), setting(*tables, name=name, credits=credits), clock=house.clock)
    return kiosk, enrolled(house, kiosk, f"the screen of {name}")


def visitor(kiosk: Kiosk, screen: Screen) -> Player:
    """Whoever touches this screen. Raises Refused."""
    assert screen.use is not None
    return visitors.welcome(kiosk.pk, screen.use, clock=screen.house.clock)
