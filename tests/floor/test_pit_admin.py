"""Django's admin in the pit: who comes in, what is there, what may be corrected, and that it tells of no card."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, URLResolver

from tables.admin import ForCorrecting, site
from tables.base.calendar import MACAU
from tables.base.rights import RIGHTS, Right
from tables.models import Account, Event, Jackpot, LoggedAction, Player, Table
from tables.queries.folds import fold_cache
from tables.services.journal import events
from tables.services.pit import corrections, sessions
from tables.services.rounds import seating
from tests.extent import EVERYTHING, first
from tests.house.kit import House

from .nights import NOISE
from .pit_kit import ROLES, approve, browser, browser_of, has_factor, logged_in, member, those_who_may

ADMIN = "/pit/admin/"
OF_SOMETHING = re.compile(r"<(?:path|int|str):\w+>")


def addresses(patterns: list[Any] | None = None, before: str = ADMIN) -> Iterator[str]:
    """Every address of the admin; numbers in it are 1."""
    for pattern in site.get_urls() if patterns is None else patterns:
        route = OF_SOMETHING.sub("1", str(pattern.pattern)).replace("^(?P<app_label>tables)/$", "tables/")
        route = route.replace("(?P<url>.*)$", "nothing/")
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, before + route)
        else:
            assert isinstance(pattern, URLPattern)
            yield before + route


ADDRESSES = sorted(set(addresses()))
LISTS = sorted(f"{ADMIN}tables/{model._meta.model_name}/" for model in site._registry)


def test_the_walk_finds_what_there_is() -> None:
    assert {ADMIN, f"{ADMIN}tables/", f"{ADMIN}search/", f"{ADMIN}autocomplete/", *LISTS} <= set(ADDRESSES)
    assert len(ADDRESSES) > 5 * len(LISTS)


def test_what_is_there_and_what_is_not() -> None:
    """No shoe, no throw, no lease, no login and no second factor; and nobody adds a model without thinking of it."""
    assert {model._meta.label for model in site._registry} == {
        "tables.Player", "tables.Favourite", "tables.Mute", "tables.ChatLine", "tables.Report", "tables.Table",
        "tables.Jackpot", "tables.Account", "tables.Transfer", "tables.Played", "tables.RoundLog",
        "tables.LoggedAction", "tables.Event", "tables.Ruling", "tables.Kiosk",
    }  # fmt: skip
    secrets = {"password", "sealed", "opened", "opening", "result", "action", "token", "token_before", "screen"}
    for admin in site._registry.values():
        assert admin.fields, "every field that is shown is named"
        assert not secrets & {*admin.fields, *admin.list_display, *admin.list_filter, *admin.search_fields}


# ── Who comes in ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.django_db
def test_nobody_comes_in_who_is_not_of_the_staff() -> None:
    player = browser_of(Player.objects.create(username="ana", name="Ana"))
    for path in ADDRESSES:
        for ask in ("get", "post"):
            assert getattr(Client(), ask)(path).headers["Location"].startswith("/accounts/login/"), path
            assert getattr(player, ask)(path).status_code == 404, path


@pytest.mark.django_db
def test_without_a_second_factor_or_when_locked_there_is_nothing_to_see() -> None:
    somebody = member("shift_manager")
    for path in ADDRESSES:
        assert logged_in(somebody).get(path).headers["Location"] == "/accounts/second-factor/", path
    has_factor(somebody)
    for path in ADDRESSES:
        assert logged_in(somebody).get(path).headers["Location"].startswith("/pit/locked/"), path


@pytest.mark.django_db
@pytest.mark.parametrize("role", ROLES)
def test_each_role_reads_and_only_administrators_may_write(role: str) -> None:
    """All lists with ALL=1, otherwise every third, the next role the next third."""
    House().table()  # a table with the number 1; of most other things there is none
    client = browser(role)
    corrects = role in those_who_may(Right.ADMINISTER)
    for path in LISTS if EVERYTHING else LISTS[ROLES.index(role) % 3 :: 3]:
        assert client.get(path).status_code == 200, path
        assert client.get(f"{path}add/").status_code == 403
        assert client.post(f"{path}add/", {}).status_code == 403
        assert client.post(f"{path}1/delete/", {"post": "yes"}).status_code in (302, 403)
        client.post(path, {"action": "delete_selected", "_selected_action": "1", "post": "yes"})
        assert client.get(f"{path}1/history/").status_code == 404
    jade, wanted = Table.objects.get(), {"name": "Onyx", "position": "0", "why": "a new sign"}
    answer = client.post(f"{ADMIN}tables/table/{jade.pk}/change/", wanted)
    assert answer.status_code == (302 if corrects else 403)
    assert Table.objects.get().name == ("Onyx" if corrects else "Jade")


def test_administering_is_for_the_shift_manager() -> None:
    assert those_who_may(Right.ADMINISTER) == {"shift_manager"}
    assert Right.ADMINISTER not in RIGHTS["surveillance"]


@pytest.mark.django_db
def test_its_own_doors_are_closed() -> None:
    """Nobody logs in or changes a password past the second factor; the frame leads to the pages of this house."""
    client = browser("shift_manager")
    for path in ("login/", "password_change/", "logout/"):
        assert client.get(ADMIN + path).status_code == 404
    page = client.get(ADMIN).content.decode()
    assert 'action="/accounts/logout/"' in page and "password_change" not in page
    assert f'data-idle="{int(sessions.IDLE.total_seconds())}"' in page and "js/pit.js" in page


@pytest.mark.django_db
def test_the_policy_is_looser_here_and_nowhere_else() -> None:
    client = browser("shift_manager")
    policy = client.get(ADMIN).headers["Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["script-src"] == "'self' 'unsafe-eval'" and rules["style-src"] == "'self' 'unsafe-inline'"
    assert {rules[name] for name in rules.keys() - {"script-src", "style-src"}} == {"'self'", "'none'"}
    assert "unsafe" not in client.get("/pit/").headers["Content-Security-Policy"]
    assert "unsafe" not in browser("cage").get("/pit/events/").headers["Content-Security-Policy"]


# ── What is asked of the lists ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.django_db
@pytest.mark.parametrize(
    "asked",
    [
        "player/?password__startswith=md5", "player/?password=x", "table/?shoe__opened__isnull=0",
        "table/?jackpot__account__balance__gt=1", "roundlog/?table__shoe__commitment__startswith=a",
        "roundlog/?opening__contains=x", "loggedaction/?action__contains=x", "ruling/?values__contains=x",
        "player/?is_active__regex=1", "event/?table__shoe__sealed=x",
    ],
)  # fmt: skip
def test_nothing_hidden_can_be_guessed_at_by_filtering(asked: str) -> None:
    assert browser("shift_manager").get(f"{ADMIN}tables/{asked}").status_code == 400


@pytest.mark.in_full
@pytest.mark.django_db
def test_the_filters_that_are_offered_work() -> None:
    table = House().table()
    client = browser("surveillance")
    for path in LISTS:
        offered = set(re.findall(r'href="(\?[^"]+)"', client.get(path).content.decode()))
        for query in offered:
            assert client.get(path + query.replace("&amp;", "&")).status_code == 200, path + query
        assert client.get(f"{path}?q=jade").status_code == 200
    page = client.get(f"{ADMIN}tables/table/?game=baccarat&open__exact=1&q=jade").content.decode()
    assert f"/pit/admin/tables/table/{table.pk}/change/" in page
    assert f"/tables/table/{table.pk}/change/" not in client.get(f"{ADMIN}tables/table/?open__exact=0").content.decode()


# ── What is corrected ───────────────────────────────────────────────────────────────────────────────────────


def correct(client: Client, thing: Any, **fields: str) -> Any:
    return client.post(f"{ADMIN}tables/{thing._meta.model_name}/{thing.pk}/change/", fields, follow=True)


@pytest.mark.django_db
def test_a_player_is_corrected_and_it_is_written_down() -> None:
    ana = House().player("ana")
    EmailAddress.objects.create(user=ana, email="old@example.com", primary=True)
    boss, second = member("shift_manager"), member("shift_manager", "second")
    client, money, secret = browser_of(boss), Account.objects.get(player=ana).balance, ana.password
    answer = correct(
        client, ana, name="Ana Sousa", email="ana@example.com", is_active="on", why="She asked for it.",
        role="pit_boss", password="x", username="root", guest="on",
    )  # fmt: skip
    assert "Ana Sousa" in answer.content.decode()
    approve(second)
    ana.refresh_from_db()
    assert (ana.name, ana.email, ana.is_active) == ("Ana Sousa", "ana@example.com", True)
    assert (ana.role, ana.password, ana.username, ana.guest) == ("", secret, "ana", False)
    assert Account.objects.get(player=ana).balance == money
    assert list(EmailAddress.objects.values_list("user", "email", "primary")) == [(ana.pk, "ana@example.com", True)]
    named, addressed = Event.objects.filter(deed="administered").order_by("seq")
    for event in (named, addressed):
        assert (event.by, event.player, event.why) == (boss, ana, "She asked for it.")
    assert (named.before, named.after) == ({"name": "Ana"}, {"name": "Ana Sousa"})
    assert (addressed.before, addressed.after) == ({"email": ""}, {"email": ana.email})
    assert not list(events.faults()) and not LogEntry.objects.exists()


@pytest.mark.django_db
def test_a_closed_account_has_no_login() -> None:
    ana = House().player("ana")
    hers = browser_of(ana)
    assert hers.get("/history/").status_code == 200
    correct(browser("shift_manager"), ana, name="Ana", email="", why="She wants no account any more.")
    assert hers.get("/history/").status_code == 302
    assert Event.objects.get().after == {"is_active": False}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": "rui"}, "This name is not free."),
        ({"name": "guest-7"}, "This name is not free."),
        ({"email": "RUI@example.com"}, "This e-mail address belongs to another account."),
        ({"why": ""}, "This field is required."),
        ({"why": "   "}, "This field is required."),
        ({"email": "nowhere"}, "Enter a valid email address."),
    ],
)
def test_what_cannot_be_corrected_so_is_refused_and_nothing_has_happened(fields: dict[str, str], said: str) -> None:
    house = House()
    ana, rui = house.player("ana"), house.player("rui")
    Player.objects.filter(pk=rui.pk).update(email="rui@example.com")
    before = Player.objects.filter(pk=ana.pk).values().get()
    good = {"name": "Ana S.", "email": "ana@example.com", "is_active": "on", "why": "She asked for it."}
    assert said in correct(browser("shift_manager"), ana, **{**good, **fields}).content.decode()
    assert Player.objects.filter(pk=ana.pk).values().get() == before and not Event.objects.exists()


@pytest.mark.django_db
def test_the_staff_is_not_corrected_here_not_even_by_itself() -> None:
    boss, cage = member("shift_manager"), member("cage")
    client = browser_of(boss)
    for who in (boss, cage):
        assert correct(client, who, name="X", is_active="on", why="because").status_code == 403
        house = House()
        refusal = house.refused(lambda who=who: corrections.correct(boss, who, {"name": "X"}, "because"))  # type: ignore[misc]
        assert refusal.words.text == "Members of the staff are not administered here."
    assert not Event.objects.exists()


@pytest.mark.django_db
def test_the_service_asks_for_the_right_and_a_reason_itself() -> None:
    house = House()
    ana = house.player("ana")
    for role in set(ROLES) - {"shift_manager"}:
        by = member(role)
        house.refused(lambda by=by: corrections.correct(by, ana, {"name": "X"}, "because"))  # type: ignore[misc]
    boss = member("shift_manager")
    house.refused(lambda: corrections.correct(boss, ana, {"name": "X"}, " "))
    corrections.correct(boss, ana, {"name": "Ana"}, "nothing changes")
    assert Player.objects.get(pk=ana.pk).name == "Ana" and not Event.objects.exists()


@pytest.mark.django_db
def test_tables_and_jackpots_are_renamed_and_nothing_else() -> None:
    house = House()
    guia = house.table("guia", game="stud_poker")
    before = Table.objects.filter(pk=guia.pk).values().get()
    client = browser("shift_manager")
    correct(
        client, guia, name="Guia II", position="7", why="A new sign.", slug="other", open="", game="roulette",
        options="{}", times="{}", paused="on", closing="round",
    )  # fmt: skip
    after = Table.objects.filter(pk=guia.pk).values().get()
    assert after == {**before, "name": "Guia II", "position": 7, "version": before["version"] + 1}
    jackpot = Jackpot.objects.get()
    meter = Account.objects.get(jackpot=jackpot).balance
    correct(client, jackpot, name="Farol", slug="other", why="As it says on the screen.")
    jackpot.refresh_from_db()
    assert (jackpot.name, jackpot.slug, jackpot.account.balance) == ("Farol", "guia", meter)
    of_table, of_jackpot = Event.objects.order_by("seq")
    assert (of_table.table_id, of_table.before) == (guia.pk, {"name": "Guia", "position": 0})
    assert of_jackpot.after == {"name": "Farol", "jackpot": "guia"}
    house.in_order()


def test_nothing_but_these_fields_is_ever_written() -> None:
    corrected = {type(admin).__name__ for admin in site._registry.values() if isinstance(admin, ForCorrecting)}
    assert corrected == {"PlayerAdmin", "TableAdmin", "JackpotAdmin"}
    for model, fields in corrections.FIELDS.items():
        assert set(site._registry[model].get_readonly_fields(None)) >= set(site._registry[model].fields) - set(fields)
        assert site._registry[model].list_editable == () and not site._registry[model].inlines


# ── Secrecy ─────────────────────────────────────────────────────────────────────────────────────────────────

LINKS = re.compile(r'href="\?[^"]*"')
NEW_EACH_TIME = re.compile(r"20[0-5]\d-\d\d-\d\d \d\d:\d\d:\d\d")


def everything_shown(client: Client) -> dict[str, str]:
    """Every list, and the pages of the newest rows, as text without what is new each time."""
    paths = [ADMIN, f"{ADMIN}tables/"]
    for model in site._registry:
        path = f"{ADMIN}tables/{model._meta.model_name}/"
        paths.append(path)
        newest = model._default_manager.order_by("-pk").values_list("pk", flat=True)[:2]
        paths += [f"{path}{pk}/change/" for pk in newest]
    shown = {}
    for path in paths:
        answer = client.get(path)
        shown[path] = f"{answer.status_code} " + NEW_EACH_TIME.sub(
            "", LINKS.sub("", NOISE.sub("", answer.content.decode()))
        )
    return shown


def stakes(house: House, table: Table, player: Player, spot: str) -> None:
    """A bet in the next round; in Stud Poker from a box of their own."""
    box = 1 if table.game == "stud_poker" else None
    if box is not None:
        seating.sit(player.pk, table.pk, box, clock=house.clock)
    house.until(table, "betting")
    house.bet(player, table, spot, 100, box)


def moments(game: str, cards: str, spot: str, **options: Any) -> list[dict[str, str]]:
    """A round in an empty house, and all that the admin shows in each phase till it is over; without ALL=1 in every
    other one, beginning with the second."""
    call_command("flush", interactive=False, verbosity=0, reset_sequences=True)
    fold_cache.clear()
    house = House()
    if game == "roulette":
        house.throw(*map(int, cards.split()))
    else:
        house.stack(cards)
    table, ana = house.table(game=game, **options), house.player("ana")
    client = browser("surveillance")
    stakes(house, table, ana, spot)
    seen, phases = list[dict[str, str]](), set[str]()
    while (log := house.log(table)).settled_at is None:
        if log.phase not in phases and (EVERYTHING or len(phases) % 2):
            seen.append(everything_shown(client))
        phases.add(log.phase)
        house.step(table)
    return seen


GAMES_WITH_SECRETS = {
    "baccarat": ("2s 9h 8d 4s 3c Ah Kd 5c", "5c Kd Ah 3c 4s 8d 9h 2s", "player", {"dealing_device": "shoe"}),
    "stud poker": ("As Ks Qs Js Ts 2c 3d 4h 5c 7d", "2c 3d 4h 5c 7d As Ks Qs Js Ts", "ante", {}),
    "roulette": ("17", "8", "straight_3", {}),
}


@pytest.mark.in_full
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", first(*reversed(GAMES_WITH_SECRETS)))
def test_of_a_round_that_is_played_nothing_depends_on_a_card_or_a_throw(name: str) -> None:
    one, other, spot, options = GAMES_WITH_SECRETS[name]
    game = name.replace(" ", "_")
    this, that = moments(game, one, spot, **options), moments(game, other, spot, **options)
    assert len(this) >= 2
    for number, (here, there) in enumerate(zip(this, that, strict=False)):
        assert here.keys() <= there.keys() or there.keys() <= here.keys()
        for path in here.keys() & there.keys():
            assert here[path] == there[path], f"in phase {number} {path} can tell"
        assert f"{ADMIN}tables/roundlog/1/change/" in here and here[f"{ADMIN}tables/roundlog/1/change/"].startswith(
            "302"
        )


@pytest.mark.django_db
def test_a_round_that_is_over_shows_its_lines_but_no_card_that_may_still_be_unseen() -> None:
    house, shown, kinds = House(), {}, {}
    nights: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
        ("jade", "baccarat", "player", {"dealing_device": "shoe"}),
        ("guia", "stud_poker", "ante", {}),
        ("lilau", "roulette", "straight_3", {}),
    )
    ana, client = house.player("ana"), browser("surveillance")
    for slug, game, spot, options in nights:
        table = house.table(slug, game=game, **options)
        stakes(house, table, ana, spot)
        log = house.play_out(table)
        shown[slug] = client.get(f"{ADMIN}tables/loggedaction/?q={log.pk}&all=").content.decode()
        kinds[slug] = set(LoggedAction.objects.filter(log=log).values_list("action__do", flat=True))
    for slug in ("jade", "guia"):
        assert "&quot;card&quot;" not in shown[slug], slug
        assert "card" in kinds[slug] and all(kind in shown[slug] for kind in kinds[slug])
    assert "&quot;do&quot;" in shown["lilau"]


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "pt", "zh-hant"])
def test_a_sound_round_has_no_red_cross_and_moments_are_written_as_in_the_pit(language: str) -> None:
    house, client = House(), browser("surveillance")
    table = house.table("lilau", game="roulette")
    stakes(house, table, house.player("ana"), "red")
    log = house.play_out(table)
    assert log.settled_at is not None
    client.cookies["django_language"] = language
    for path in ("", f"{log.pk}/change/"):
        html = client.get(f"{ADMIN}tables/roundlog/{path}").content.decode()
        assert f"{log.settled_at.astimezone(MACAU):%Y-%m-%d %H:%M:%S}" in html
        assert "close_small" not in html
