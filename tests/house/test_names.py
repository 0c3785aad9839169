"""Names say what they seem to say, and look like nobody else's."""

from __future__ import annotations

import threading
from html.parser import HTMLParser
from itertools import count
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from tables.base import names
from tables.games.contract.errors import Refused
from tables.models import Player, TakenName
from tables.services.pit import adjustments, approvals, corrections, floats, halts, sanctions
from tables.services.pit.deeds import Comp
from tables.services.players import names as taken
from tables.services.rounds import seating
from tests.floor.pit_kit import browser_of, member
from tests.house.kit import House

PASSWORD = "lotus and baize 1887"
_addresses = count(1)

UNREADABLE = [
    "\u3164\u3164\u3164",  # Hangul fillers
    "\u115f\u1160",
    "ana\u200b",
    "a\u00adna",
    "\u202eana",
    "a\u2066na\u2069",
    "ana\ufe0f",
    "a\u034fna",
    "ក\u17b4ក",
    "-2+3",
    "-ana",
    "187",
    "①",
    "ana👑",
    "aͣaaa",
    "a\u0336na",  # struck out
    "e\u0301\u0301\u0301\u0301",
    "\u0301ana",
    "ᴀna",  # small capitals, clicks, phonetic signs
    "ǃana",
    "anɑ",
    "x" * 41,
    "",
    "ana\x00",
    "\ue000na",
]
MIXED = ["Dеaler", "pіt-boss", "guеst-77", "аnа", "Αna", "anа李", "אana", "ロシアя", "กana", "한글かな", "ㄅ한"]
GOOD = ["ana", "Ana Maria", "José d'Ávila", "李小龍", "Ana 李", "李 タロウ", "김철수 Kim", "Иван", "Αλέξης", "אבג"]
GOOD += ["อารี", "चंद्र", "Nguyễn Văn Ổ", "ana_1887", "ㄅㄆ字", "Ｊａｄｅ", "ﬁona"]


@pytest.mark.parametrize("name", UNREADABLE + MIXED, ids=ascii)
def test_what_is_not_seen_or_of_several_scripts_is_no_name(name: str) -> None:
    assert names.fault(names.normal(name)) is not None


@pytest.mark.parametrize("name", GOOD)
def test_a_name_may_be_of_any_script_in_use(name: str) -> None:
    assert names.fault(names.normal(name)) is None and not names.is_reserved(name)


@pytest.mark.parametrize(
    "name",
    [
        "Dealer",
        "dealer 7",
        "D.e.a.l.e.r",
        "ＤＥＡＬＥＲ",
        "Pit Boss",
        "p1t-b0ss",
        "pit_boss",
        "guest-77",
        "Guest77",
        "visitor",
        "Macau Floor",
        "ѕtаff",
        "HOUSE",
        "croupier ana",
        "player-9",
        "荷官",
        "系 客服",
    ],
)
def test_nobody_is_called_like_the_house_or_its_staff(name: str) -> None:
    assert names.is_reserved(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ana", "ANA"),
        ("ana", "аnа"),
        ("paypal", "PaypaI"),
        ("viii", "Ⅷ"),
        ("Carmo", "carrno"),
        ("rui", "r.u.i"),
        ("ana", "αnα"),
        ("Lotus", "L0tus"),
        ("lia", "1ia"),
        ("タロ", "夕口"),
        ("ντια", "NTIA"),  # in capitals alone
        ("ＡＮＡ", "ana"),
        ("José", "José"),
    ],
)
def test_names_that_look_the_same_share_a_skeleton(one: str, other: str) -> None:
    assert names.skeletons(one) & names.skeletons(other)


@pytest.mark.parametrize(("one", "other"), [("ana", "anna"), ("José", "Jose"), ("ana1", "ana2"), ("李", "季")])
def test_names_that_look_different_share_none(one: str, other: str) -> None:
    assert not names.skeletons(one) & names.skeletons(other)


# ── On the page ─────────────────────────────────────────────────────────────────────────────────────────────


def sign_up(username: str, name: str = "") -> str:
    fields = {"username": username, "name": name, "password1": PASSWORD, "password2": PASSWORD}
    client = Client(REMOTE_ADDR=f"10.5.0.{next(_addresses)}")
    return str(client.post("/accounts/signup/", fields, follow=True).content.decode())


@pytest.mark.django_db
def test_at_the_tables_nobody_is_called_what_they_log_in_with() -> None:
    sign_up("lotus", "Ana Maria")
    sign_up("baize")
    assert "Choose a name that is not your user name" in sign_up("carmo", "C.armo")
    assert [(one.username, one.name) for one in Player.objects.order_by("pk")] == [
        ("lotus", "Ana Maria"),
        ("baize", f"player-{Player.objects.latest('pk').pk}"),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("username", ["lotus", "L0TUS", "l.otus", "AnaMaria", "ana_maria", "аnа"])
def test_a_name_that_looks_like_either_name_of_somebody_is_not_free(username: str) -> None:
    sign_up("lotus", "Ana Maria")
    sign_up("ana")
    assert "field__error" in sign_up(username, "Somebody")
    assert "field__error" in sign_up("somebody", username)
    assert Player.objects.count() == 2


@pytest.mark.django_db
def test_who_was_here_before_keeps_one_name_for_both_until_they_choose() -> None:
    old = House().player("carmo")
    taken.claim(old)
    client = browser_of(old)
    assert client.get("/account/").status_code == 200
    page = client.post("/account/name/", {"name": "Lotus 李"}, follow=True).content.decode()
    assert "At the tables you are called Lotus 李 now." in page
    for name in ("carmo", "Dealer", "\u3164", ""):
        client.post("/account/name/", {"name": name})
    old.refresh_from_db()
    assert (old.username, old.name) == ("carmo", "Lotus 李")
    assert "field__error" in sign_up("somebody", "lotus李")


@pytest.mark.django_db
def test_guests_and_staff_do_not_rename_themselves() -> None:
    for player in (Player.objects.create(username="guest-1", name="guest-1", guest=True), member("cage")):
        browser_of(player).post("/account/name/", {"name": "Lotus"})
    assert not Player.objects.filter(name="Lotus").exists()


@pytest.mark.django_db
def test_the_administration_gives_no_name_that_looks_like_anothers() -> None:
    sign_up("lotus", "Ana Maria")
    manager, other = member("shift_manager"), Player.objects.create(username="rui", name="Rui")
    for name in ("Ana_Maria", "L0tus", "Dеaler", "dealer"):
        with pytest.raises(Refused):
            corrections.correct(manager, other, {"name": name}, "asked for it")
    corrections.correct(manager, other, {"name": "Rui Carmo"}, "asked for it")
    assert TakenName.objects.filter(player=other, skeleton__in=names.skeletons("rui carmo")).exists()


class Around(HTMLParser):
    """What stands around a name in the text of a page, wherever it stands: the element, or the mark before it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name, self.inside, self.found = name, [""], set[str]()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while len(self.inside) > 1 and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        for before in data.split(self.name)[:-1]:
            self.found.add("isolated" if before.endswith("\u2068") else self.inside[-1])


def around(page: str, name: str) -> set[str]:
    reader = Around(name)
    reader.feed(page)
    return reader.found - {"title", "option"}  # where no markup can be


@pytest.mark.django_db
def test_a_name_from_right_to_left_turns_nothing_around_it_on_any_page() -> None:
    """Who asks, who approves, who plays: what stands beside them (an amount, another name) stays where it is."""
    house, rose, lily = House(), "ורד", "לילך"
    manager, second = member("shift_manager", rose), member("shift_manager", "second")
    player, table = house.player("lily"), house.table()
    Player.objects.filter(pk=player.pk).update(name=lily)
    player.refresh_from_db()
    house.until(table, "betting")
    seating.sit(player.pk, table.pk, 3, clock=house.clock)
    house.bet(player, table, "player", 100)
    adjustments.ask(manager, player.pk, 5_00, "a mistake", clock=house.clock)
    approvals.ask(manager, Comp(player.pk, 20_000_00), "a birthday", clock=house.clock)
    floats.order_chips(manager, table.pk, "fill", 2_500_00, clock=house.clock)
    halts.stop(manager, "", "smoke", clock=house.clock)
    sanctions.restrict(manager, player.pk, "mute", "shouting", until=None, clock=house.clock)
    pit, theirs = browser_of(second), browser_of(player)
    for path in ("", "approvals/", "adjustments/", "chips/", "events/", "events/significant/", f"people/{player.pk}/"):
        page = pit.get(f"/pit/{path}").content.decode()
        assert rose in page, path
        assert around(page, rose) <= {"bdi", "isolated"}, path
        assert around(page, lily) <= {"bdi", "isolated"}, path
    log = house.play_out(table)
    for path in ("/", "/account/", f"/tables/{table.slug}/", f"/rounds/{log.pk}/"):
        page = theirs.get(path).content.decode()
        assert lily in page and around(page, lily) <= {"bdi", "isolated"}, path


@pytest.mark.django_db
def test_a_name_that_was_given_up_is_free() -> None:
    rui = Player.objects.create(username="rui", name="Carmo")
    taken.claim(rui)
    taken.rename(rui, "Lotus")
    taken.rename(Player.objects.create(username="lee", name="Lee"), "Carmo")
    with pytest.raises(Refused):
        taken.rename(rui, "Carmo")


@pytest.mark.django_db(transaction=True)
def test_of_two_who_take_look_alikes_at_once_one_gets_it() -> None:
    """The primary key decides, also where both have seen the name free."""
    players = [Player.objects.create(username=name, name=name) for name in ("rui", "lee")]
    refused: list[Any] = []
    gate = threading.Barrier(2)

    def takes(player: Player, name: str) -> None:
        player.name = name
        try:
            gate.wait()
            taken.claim(player)
        except Refused as why:
            refused.append(why)
        finally:
            connection.close()

    threads = [threading.Thread(target=takes, args=one) for one in zip(players, ("Carmo", "Carrno"), strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 1
    assert TakenName.objects.get(skeleton="carmo").player in players
