"""Whoever comes to a table gets what was drawn already for everybody, and their own filled in: the same as if all of it
were drawn for them alone, and nothing of anybody else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.utils import translation

from tables.felt.newest import newest_states
from tables.felt.page import table_page
from tables.felt.public import public_fragments
from tables.games import GAMES
from tables.models import Player, RoundLog, Table
from tables.queries.table import table_state, table_state_by_slug
from tables.services.rounds import seating
from tables.views import table as views
from tests.extent import spread
from tests.house.kit import MAIN_BETS, House

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([A-Za-z0-9]+)"')
MOMENT = re.compile(r'data-(now|since|due)="\d+"|<time data-clock-time>[^<]*')


@pytest.fixture
def house(db: None) -> Iterator[House]:
    """A house whose books must be in order when the test is over."""
    house = House()
    yield house
    house.in_order()


def kept_page(table: Table, player: Player, others: views.Others = ()) -> str:
    """The page as it is put together for this player; without `others` as one of several on one screen."""
    request = RequestFactory().get(f"/tables/{table.slug}/")
    request.user, request.session = player, {}  # type: ignore[assignment]
    state = table_state_by_slug(table.slug, before=newest_states.get)
    return views.page_of_player(request, state, views.viewer_of(request, state), player, others)


def drawn_page(table: Table, player: Player, others: views.Others = ()) -> str:
    """The page as its template alone draws it, with nothing that was kept."""
    request = RequestFactory().get(f"/tables/{table.slug}/")
    request.user, request.session = player, {}  # type: ignore[assignment]
    state = table_state_by_slug(table.slug)
    viewer = views.viewer_of(request, state)
    newest_states.clear()
    context = {
        **table_page(state, viewer),
        **views._told(state, others),
        "played": None if others is None else views.session_of(player, viewer.balance_cents or 0, state.now),
    }
    return render_to_string(views.TEMPLATE, context, request)


def without_moments(page: str) -> str:
    """What does not depend on when it was asked for, nor on the token of the form."""
    return MOMENT.sub("", TOKEN.sub("", page))


@pytest.mark.parametrize(("game", "language"), spread(list(GAMES), [code for code, _ in settings.LANGUAGES]))
def test_what_is_put_together_is_what_would_be_drawn(house: House, game: str, language: str) -> None:
    table = house.table(game=game)
    ana, mei = house.player("ana"), house.player("mei")
    spot, box = MAIN_BETS[game]
    if box is not None:
        seating.sit(ana.pk, table.pk, box, clock=house.clock)
    with translation.override(language):
        while RoundLog.objects.filter(table=table).count() < 2:
            house.step(table)
            if house.log(table).phase == "betting" and not house.round(table).in_escrow():
                house.bet(ana, table, spot, 100, box)
            for player in (ana, mei):
                for others in ((), None):
                    kept = without_moments(kept_page(table, player, others))  # of what a reader before has left behind
                    assert kept == without_moments(drawn_page(table, player, others))
                    kept_page(table, player, others)


def test_what_was_drawn_for_one_reader_holds_nothing_of_theirs(house: House) -> None:
    table, ana, mei = house.table(), house.player("zenobia"), house.player("mei")
    house.until(table, "betting")
    house.bet(ana, table, "player", 123)
    views._frames.clear()
    hers = kept_page(table, ana)
    assert f'data-me="{ana.key}"' in hers and "9,877" in hers
    (frame,) = views._frames.values()
    (token,) = set(TOKEN.findall(hers))
    drawn = "".join(frame._pieces)
    for own in (f'"{ana.key}"', "Zenobia", "9,877", token):
        assert own not in drawn
    other = kept_page(table, mei)
    assert len(views._frames) == 1
    assert f'data-me="{mei.key}"' in other and "10,000" in other
    assert f'"{ana.key}"' not in other and "9,877" not in other and token not in other


def test_each_reader_can_use_the_token_of_their_page(house: House) -> None:
    house.table("taipa")
    readers = [Client(enforce_csrf_checks=True, REMOTE_ADDR=f"10.9.0.{n}") for n in (1, 2)]
    for reader in readers:
        token = TOKEN.findall(reader.get("/tables/taipa/").content.decode())[0]
        reader.post("/guest/", {"csrfmiddlewaretoken": token})
    tokens = [set(TOKEN.findall(reader.get("/tables/taipa/").content.decode())) for reader in readers]
    assert [len(each) for each in tokens] == [1, 1] and tokens[0].isdisjoint(tokens[1])
    for reader, (token,) in zip(readers, tokens, strict=True):
        form = {"csrfmiddlewaretoken": token, "language": "pt", "next": "/tables/taipa/"}
        assert reader.post("/language/", form).status_code == 302


def test_what_is_asked_for_is_escaped(house: House) -> None:
    house.table("taipa")
    guest = Client(REMOTE_ADDR="10.9.0.3")
    guest.post("/guest/")
    page = guest.get("/tables/taipa/", QUERY_STRING='a="><script>x</script>').content.decode()
    assert "<script>x" not in page
    assert 'name="next" value="/tables/taipa/?a=' in page


# ── What everybody sees ─────────────────────────────────────────────────────────────────────────────────────


def test_one_state_is_drawn_once_and_another_anew(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    with translation.override("en"):
        first = newest_states.fragments(table_state(table.pk))
        assert newest_states.fragments(table_state(table.pk, before=newest_states.get(table.pk))) is first
        house.bet(ana, table, "player", 10)
        after = newest_states.fragments(table_state(table.pk, before=newest_states.get(table.pk)))
        assert after != first and after == public_fragments(table_state(table.pk))
    with translation.override("pt"):
        state = table_state(table.pk)
        assert newest_states.fragments(state) == public_fragments(state) != after


def test_what_stands_in_no_version_is_drawn_anew_too(house: House) -> None:
    table = house.table("taipa")
    house.until(table, "betting")
    with translation.override("en"):
        first = newest_states.fragments(table_state(table.pk))
        RoundLog.objects.filter(table=table).update(due_at=house.clock.now() + timedelta(hours=1))
        state = table_state(table.pk, before=newest_states.get(table.pk))
        assert newest_states.fragments(state)["rail"] == public_fragments(state)["rail"] != first["rail"]


def test_the_dealer_and_the_day_of_a_table_without_a_round_are_those_of_the_moment(house: House) -> None:
    table = house.table("taipa")
    with translation.override("en"):
        for hours in (0, 8, 16, 24):
            house.clock.pass_(hours=hours)
            state = table_state(table.pk, before=newest_states.get(table.pk), clock=house.clock)
            assert newest_states.fragments(state) == public_fragments(state)
