"""The page of a game's rules: complete, in three languages, and as they hold at the table that is named."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import pgettext

from tables.felt.formatting import percent_of
from tables.felt.rules import anchor
from tables.games import GAMES
from tables.games.edges import edges_of
from tables.games.stud_poker.hands import SUIT_VALUES
from tables.models import Realm, Table
from tables.services.rounds import seating
from tests.house.kit import House

from .kiosk_kit import a_kiosk, visited
from .pit_kit import browser, logged_in

pytestmark = pytest.mark.django_db


def page(path: str, language: str = "en") -> str:
    answer = Client(headers={"accept-language": language}).get(path)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", ["en", "pt", "zh-hant"])
def test_every_article_stands_on_the_page_once_and_ours_apart(game: str, language: str) -> None:
    html = page(f"/rules/{game}/", language)
    regulation, ours = html.split('aria-labelledby="ours"')
    for number, article in GAMES[game].articles.items():
        here, there = (regulation, ours) if article.law else (ours, regulation)
        assert here.count(f'id="{anchor(number)}"') == 1, number
        assert there.count(f'id="{anchor(number)}"') == 0, number
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("language", ["en", "pt", "zh-hant"])
def test_the_suits_are_told_in_their_order_in_each_language(language: str) -> None:
    """The words of a suit are those that a screen reader hears of a card."""
    article_ = page("/rules/stud_poker/", language).split('id="art-4-1"')[1].split('id="art-4-2"')[0]
    high_to_low = sorted(SUIT_VALUES, key=SUIT_VALUES.__getitem__, reverse=True)
    with translation.override(language):
        named = [
            pgettext("suit", {"s": "spades", "h": "hearts", "c": "clubs", "d": "diamonds"}[s]) for s in high_to_low
        ]
    places = [article_.index(name) for name in named]
    assert places == sorted(places)


@pytest.mark.parametrize("game", GAMES)
def test_every_bet_that_is_sold_has_its_price(game: str) -> None:
    html = page(f"/rules/{game}/")
    for spot, edge in edges_of(game, GAMES[game].options()).items():
        if edge.exact:
            assert percent_of(edge.share, decimals=4) in html, spot
            assert f"{abs(edge.share.numerator):,} / {edge.share.denominator:,}" in html, spot
        else:  # a published figure has three decimals, and is never passed off as more exact
            assert f"</abbr> {percent_of(edge.share, decimals=3)}" in html, spot


SHOWN = {
    "baccarat": ('data-card="Ks"', "Points: 9"),
    "blackjack": ('data-card="8s"', "Points: 20"),
    "stud_poker": ('data-card="Kd"', "Your hand", "Two pairs"),
    "three_card_baccarat": ('data-card="Jc"', "Your hand"),
    "roulette": ("data-plate", 'data-ball-rests transform="rotate(', "23 red"),
    "cussec": ("shaker__cover", "#die-3", "#die-4", "#die-6", "3, 4, 6"),
}
"""What is drawn of each lesson, and the words beside it."""


@pytest.mark.parametrize("game", GAMES)
def test_a_round_is_told_in_pictures_with_words(game: str) -> None:
    html = page(f"/rules/{game}/").split('id="round"')[1].split("</section>")[0]
    for shown in SHOWN[game]:
        assert shown in html, shown
    assert html.count("rulebook__picture") >= 4
    assert "credits</span></span></b></li>" in html and "Returned" in html  # the stake, and what it brought


def test_at_a_table_they_are_those_of_its_options() -> None:
    house = House()
    table = house.table("jade", commission_mode="no_commission_six_half", lucky_six=True, max_bet=777_00)
    html = page(f"/rules/baccarat/?table={table.slug}")
    assert table.name in html
    assert "Lucky 6" in html.split('id="bets"')[1].split("</table>")[0]
    assert "1.4581%" in html  # the Banker without commission, 8 decks (rulebook, section 11)
    assert "777" in html
    assert "Lucky 6" not in page("/rules/baccarat/").split('id="bets"')[1].split("</table>")[0]


def test_of_the_round_that_is_played_nothing_is_told() -> None:
    house = House()
    table = house.table("jade")
    before = page("/rules/baccarat/?table=jade").split("<main")[1].split("</main>")[0]
    house.until(table, "betting")
    house.bet(house.player("ana"), table, "player", 100)
    for _ in range(3):
        house.step(table)
        last = house.log(table).actions.latest("seq").action
    assert last["do"] == "card" and not house.round(table).over
    assert before in page("/rules/baccarat/?table=jade")


def test_what_there_is_not_has_no_page(client: Client) -> None:
    house = House()
    house.table("jade")
    house.table("camoes", realm=Realm.KIOSKS)
    for path in ("/rules/faro/", "/rules/baccarat/?table=amber", "/rules/roulette/?table=jade"):
        assert client.get(path).status_code == 404, path
    assert client.get("/rules/baccarat/?table=camoes").status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_every_citation_finds_its_article(game: str) -> None:
    html = page(f"/rules/{game}/")
    cited = re.findall(r'data-rule="([^"]+)"', html)
    assert cited
    for rule in cited:
        where, place = rule.split("/#")
        assert where == game
        assert f'id="{place}"' in html, rule


def test_lobby_table_and_pit_lead_there(client: Client) -> None:
    house = House()
    house.table("jade")
    house.table("camoes", realm=Realm.KIOSKS)
    lobby = client.get("/").content.decode()
    assert 'href="/rules/baccarat/"' in lobby
    table = client.get("/tables/jade/").content.decode()
    assert 'href="/rules/baccarat/?table=jade"' in table
    assert 'data-query="?table=jade"' in table  # where the card of each citation leads
    pit = browser("surveillance")
    assert 'href="/rules/baccarat/?table=jade"' in pit.get("/pit/tables/jade/").content.decode()
    assert "/rules/" not in pit.get("/pit/tables/camoes/").content.decode().split("<main")[1].split("</main>")[0]


def bets(html: str) -> str:
    return html.split('id="bets"')[1].split("</table>")[0]


def test_raise_and_jackpot_have_their_tables() -> None:
    table = House().table("carp", game="stud_poker", royal_flush_odds=80, jackpot_fixed_flush=1_300_00)
    html = bets(page(f"/rules/stud_poker/?table={table.slug}"))
    _, _, jackpot, raised = html.split('<th scope="row">')
    assert "the whole jackpot, at least 500,000" in jackpot and "1,300" in jackpot
    assert "depends on what lies in the jackpot" in jackpot
    for odds in (80, 50, 20, 7, 5, 4, 3, 2, 1):
        assert f"<b>{odds} to 1</b>" in raised
    assert raised.count("at most 500,000") == 3


def test_an_insurance_has_its_own_price() -> None:
    """311 cards are unseen beside the bank's ace, 96 of them count ten: it loses 215 times and wins twice 96 times."""
    insurance = bets(page("/rules/blackjack/")).split(">Insurance ")[1].split("</tr>")[0]
    assert "7.3955%" in insurance and "23 / 311" in insurance


def test_what_is_not_sold_or_offered_is_left_out() -> None:
    table = House().table(
        "jade", game="blackjack", side_bets_offered=["sevens"], special_prize_offered=False, max_split_hands=6
    )
    html, usual = bets(page(f"/rules/blackjack/?table={table.slug}")), bets(page("/rules/blackjack/"))
    for bet in ("Any pair", "Over 13", "Special prize"):
        assert bet in usual and bet not in html, bet
    assert "Sevens" in html and "5,000 to 1" in html
    assert "nobody has counted it" in html  # of the main bet with so many hands no figure is known


def test_a_round_has_the_rules_that_it_was_played_under() -> None:
    """Its options and its edition, not those of today."""
    house = House()
    table = house.table("carp", game="stud_poker", edition="69/2003", max_ante=900_00)
    ana, rui = house.player("ana"), house.player("rui")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    house.bet(ana, table, "ante", 100, box=1)
    log = house.play_out(table)
    seating.stand_up(ana.pk, table.pk, clock=house.clock)
    Table.objects.filter(pk=table.pk).update(options={**table.options, "edition": "61/2004", "max_ante": 5_000_00})
    house.step(table)
    assert house.log(table).pk != log.pk
    path = f"/rules/stud_poker/?round={log.pk}"
    html = logged_in(ana).get(path).content.decode()
    assert "edition 69/2003" in html and "100 – 900" in bets(html) and "<b>50 to 1</b>" in bets(html)
    assert "<b>100 to 1</b>" not in bets(html)
    assert "5,000" in bets(page(f"/rules/stud_poker/?table={table.slug}"))
    replay = logged_in(ana).get(f"/rounds/{log.pk}/").content.decode()
    assert f'href="{path}"' in replay and f'data-query="?round={log.pk}"' in replay
    assert browser("surveillance").get(path).status_code == 200
    for client in (logged_in(rui), Client()):
        assert client.get(path).status_code == 404
    for wrong in (f"/rules/baccarat/?round={log.pk}", "/rules/stud_poker/?round=x", "/rules/stud_poker/?round=99999"):
        assert logged_in(ana).get(wrong).status_code == 404, wrong


def test_the_portuguese_of_baccarat_has_one_word_for_the_banker() -> None:
    """That of the regulation, grupo banqueiro; banca is the bank of Blackjack, and here in the name of a pair alone."""
    house = House()
    table = house.table(dealing_device="auto_machine")
    house.stack("2s 2h 3s 2d 4s 5h")  # 5 against 4: both draw
    house.until(table, "betting")
    house.bet(house.player("ana"), table, "banker", 100)
    house.until(table, "result")
    felt = text_of(page("/tables/jade/", "pt"))
    assert "O grupo banqueiro pede carta com 4 contra um 4" in felt
    rules = text_of(page("/rules/baccarat/", "pt"))
    assert "O grupo banqueiro pede carta com 0, 1 ou 2" in rules
    for said in (felt, rules):
        assert "banca" not in said.replace("Par de banca", "").casefold()


def text_of(html: str) -> str:
    """What is read on a page."""
    return unescape(re.sub(r"<[^>]+>", " ", html))


def test_what_is_ours_says_so() -> None:
    """On the page, on the felt and in the card that a citation opens."""
    html = page("/rules/three_card_baccarat/")
    cited = re.findall(r'<cite class="([^"]+)"><span[^>]*data-rule="three_card_baccarat/#([^"]+)"', html)
    ours = {anchor(number) for number, article in GAMES["three_card_baccarat"].articles.items() if not article.law}
    assert {place for css, place in cited if "article--ours" in css} == ours & {place for _, place in cited}
    assert {place for css, place in cited if "article--ours" not in css}.isdisjoint(ours)


def test_a_visitor_of_a_kiosk_reads_them_there() -> None:
    house = House()
    table = house.table("demo", realm=Realm.KIOSKS, max_bet=777_00)
    device = visited(a_kiosk(table, languages=("pt", "en")), "demo")
    answer = device.browser.get("/kiosk/rules/baccarat/")
    html = answer.content.decode()
    assert answer.status_code == 200 and "777" in bets(html)
    for number in GAMES["baccarat"].articles:
        assert html.count(f'id="{anchor(number)}"') == 1, number
    assert 'data-rules="/kiosk/rules/"' in html
    for path in ("/kiosk/choose/", "/kiosk/tables/demo/"):
        assert 'href="/kiosk/rules/baccarat/"' in device.browser.get(path).content.decode(), path
    spoken = device.browser.post("/kiosk/language/", {"language": "en", "next": "/kiosk/rules/baccarat/"})
    assert spoken.headers["Location"] == "/kiosk/rules/baccarat/"
    assert device.browser.get("/kiosk/rules/roulette/").headers["Location"] == "/kiosk/choose/"


SAID = {
    "baccarat": {"13(4)": "two jacks are one, a jack and a queen are not", "3(1)": "soiled or damaged"},
    "blackjack": {
        "8": "as the bettor likes",
        "12(2)": "the bank then takes the stakes of all who have none",
        "13(1)(1)": "two jacks are a pair, a jack and a queen are not",
        "14(2)": "three 500 to 1, three of one suit 5000 to 1",
        "15": "even if the bank shows an ace",
        "16(4)": "unless they go over 21",
        "17(1)": "face up and sideways",
        "19(2)": "or the bank's first card is an ace",
    },
    "three_card_baccarat": {
        "2(1)": "The cards serve one round or several",
        "2(4)": "giving the cards to whom they were due",
        "5(1)": "then come nine points down to zero, each with two court cards before one, and with one before none",
        "7(2)": "new bets may be taken",
        "8(3)": "on one place or several",
        "8(1)": "they may not be withdrawn and wait for the next round, and new bets may be taken",
    },
    "stud_poker": {
        "9(5)(7)": "at most the maximum per round that the house has set before",
        "9(5)(9)": "50 to 1 up to 100 to 1",
        "10(1)": "makes sure that both were accepted",
        "10(2)": "A royal flush, a straight flush, four of a kind, a full house and a flush win",
        "10(2)(1)": "a fixed sum or the whole jackpot, whichever is higher",
        "10(5)": "share the jackpot or the fixed sum, whichever is higher",
        "11(1)": "jackpot stakes are carried to the next round. New stakes and a new deal follow",
        "11(2)": "all the dealer's other cards are dealt face down",
        "11(4)": "the shuffler is replaced, or the shoe is used",
        "12(2)": "with third parties while they read their cards",
        "13": "three working days before",
    },
}
"""What the originals say beside the first thing that comes to mind."""


@pytest.mark.parametrize("game", SAID)
def test_an_article_says_all_that_the_original_says(game: str) -> None:
    regulation = unescape(page(f"/rules/{game}/")).split('aria-labelledby="ours"')[0]
    for number, words in SAID[game].items():
        said = regulation.split(f'id="{anchor(number)}"')[1].split('id="art-')[0]
        assert words in said, number
