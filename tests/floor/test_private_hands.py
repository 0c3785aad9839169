"""Stud Poker: what was hidden from somebody stays hidden when the round is over, on every page and in every file.

The measure is the same as while it is played (test_secrecy): the round is played again with other hidden cards, and
nothing that the viewer can get at may be another.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tables.base.chance import MadePack
from tables.games.contract.actions import DrawCard
from tables.games.record import outcome_of
from tables.games.stud_poker.phases import Fold, Raise
from tables.models import PackSeed, Shoe
from tables.proof import visibility
from tables.proof.audit import audit
from tables.queries.folds import log_entries, round_of
from tables.queries.lobby import lobby_cards
from tables.queries.shoes import leaves_of
from tables.queries.table import table_state
from tables.services.rounds import seating
from tests.extent import first
from tests.house.kit import VAULT, House, everything, opened_pack, void_round, without_guards
from tests.kit import article

ROOT = Path(__file__).parents[2]

FOLDED = "2s 4d 7h 9c Jd"  # ana's, box 1
RAISED = "3s 3h 8c 9h Kc"  # rui's, box 3
NOT_QUALIFIED, QUALIFIED = "Qs Td 6h 5c 4s", "As Kd 6h 5c 4s"  # the dealer's, the last card open

FLUSH = "2h 4h Kh 8h Th"
OTHER_FOLDED = "Js Jh Jc 2d 2c"  # a full house, and folded all the same
OTHER_RAISED = "5s 5h 8d 9d Kh"  # as far from a flush as the first


SLUGS = ("amber", "coral")
"""The table of an evening, and that of another one which is compared with it."""


@pytest.fixture
def house(db: None) -> Iterator[House]:
    """A house whose books must be in order when the test is over."""
    house = House()
    yield house
    house.in_order()


class Evening:
    """One round of Stud Poker: ana folds, rui raises, lee has a seat and no stake, and kai only looks in.

    Then everybody has left their seat, and the pack is retired.
    """

    def __init__(
        self, house: House, *, folded: str = FOLDED, raised: str = RAISED, dealer: str = NOT_QUALIFIED,
        jackpot: bool = False, void: bool = False, slug: str = "amber", left: bool = True, **options: Any
    ) -> None:  # fmt: skip
        self.house, self.slug = house, slug
        hands = (folded.split(), raised.split(), dealer.split())
        if options.get("shuffle_method") == "manual_shoe":  # one by one; the cut brings the first card to the end
            house.stack(" ".join(("Ad", *(card for one_each in zip(*hands, strict=True) for card in one_each))))
        else:
            house.stack(" ".join(card for hand in hands for card in hand))
        self.table = house.table(slug, game="stud_poker", **options)
        self.people = {name: house.player(name, username=f"{slug}-{name}") for name in ("ana", "rui", "lee", "kai")}
        ana, rui, lee, _kai = self.people.values()
        for seat, player in ((1, ana), (3, rui), (5, lee)):
            seating.sit(player.pk, self.table.pk, seat, clock=house.clock)
        house.until(self.table, "betting")
        house.bet(ana, self.table, "ante", 100, 1)
        house.bet(rui, self.table, "ante", 100, 3)
        if jackpot:
            house.bet(rui, self.table, "jackpot", 25, 3)
        house.until(self.table, "look_and_decide")
        house.decide(ana, self.table, Fold)
        if void:
            void_round(house.log(self.table).pk, "a card fell", clock=house.clock)
        else:
            house.decide(rui, self.table, Raise)
        self.log = house.play_out(self.table)
        if left:
            self.leave()

    def leave(self) -> None:
        """Everybody gives their seat up, and the next round begins."""
        for player in self.people.values():
            seating.stand_up(player.pk, self.table.pk, clock=self.house.clock)
        self.house.until(self.table, "betting")
        self.log.refresh_from_db()

    @property
    def shoe(self) -> Shoe:
        assert self.log.shoe_id is not None
        return Shoe.objects.get(pk=self.log.shoe_id)

    def browser(self, name: str) -> Client:
        """The browser of one of them, or of nobody who is known (`""`)."""
        browser = Client()
        if name:
            browser.force_login(self.people[name], backend="django.contrib.auth.backends.ModelBackend")
        return browser

    def get(self, name: str, path: str) -> str:
        answer = self.browser(name).get(path, follow=True)
        return f"{answer.status_code}\n{answer.content.decode()}"

    def everything(self, name: str) -> dict[str, str]:
        """Whatever this viewer can get at that has to do with the round."""
        paths = [
            "/",
            f"/tables/{self.slug}/",
            f"/shoes/{self.log.shoe_id}/",
            f"/shoes/{self.log.shoe_id}/opening.txt",
            f"/shoes/{self.log.shoe_id}/leaves.txt",
            f"/rounds/{self.log.pk}/proof.json",
        ]
        if name:
            paths += ["/history/", "/account/", f"/rounds/{self.log.pk}/record.json"]
            paths += [f"/rounds/{self.log.pk}/?step={step}" for step in (*range(6, self.log.version, 12), 10_000)]
        browser = self.browser(name)
        answers = {path: browser.get(path, follow=True) for path in paths}
        pages = {path: f"{answer.status_code}\n{answer.content.decode()}" for path, answer in answers.items()}
        card = re.search(rf'<article id="table-{self.slug}".*?</article>', pages["/"], re.DOTALL)
        assert card is not None
        pages["/"] = card.group()
        return {self.alike(path): self.alike(page) for path, page in pages.items()}

    def alike(self, text: str) -> str:
        """Without what is another for every round: ids, times, and what was drawn by chance."""
        for slug in SLUGS:  # a page leads to the other table of the game
            text = text.replace(slug, "table").replace(slug.title(), "Table")
        text = re.sub(r'data-rank="\d+"', "(place in the lobby)", text)
        text = re.sub(r"\b[0-9a-f]{12,}\b…?", "(random)", text)
        text = re.sub(
            r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(\+\d\d:\d\d)?|\b\d\d:\d\d:\d\d\b|\d+:\d\d [ap]m|\b\d{13}\b",
            "(time)",
            text,
        )
        text = re.sub(r"\b(card|pack|throw):\d+:\d+", r"\1:(table):(number)", text)
        text = re.sub(r'data-sealed="\d+:', 'data-sealed="(table):', text)
        text = re.sub(r"\bp\d+\b", "(player)", text)
        text = re.sub(r'"(table|round|number)": \d+', r'"\1": (id)', text)
        text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text)
        text = re.sub(r"<b data-dealer>[^<]*</b>|(?<=Dealer <b>)[^<]*", "(the name of the table's dealer)", text)
        return re.sub(
            r"((?:rounds|shoes|shoe|leaves)[/-]|#|round[-_ =])\d+|\b\d+-ref-\d+|data-(?:round|version|shoe)=\S+",
            r"\1(id)",
            text,
        )


def difference(one: dict[str, str], other: dict[str, str]) -> list[str]:
    """Where two of them differ, with the first place at which they do."""
    found = []
    for path in one.keys() | other.keys():
        mine, his = one.get(path, ""), other.get(path, "")
        if mine != his:
            at = next(
                (at for at, (a, b) in enumerate(zip(mine, his, strict=False)) if a != b), min(len(mine), len(his))
            )
            found.append(f"{path}: …{mine[max(0, at - 80) : at + 80]!r} / …{his[max(0, at - 80) : at + 80]!r}")
    return found


# ── Nothing can be told ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("dealer", first(NOT_QUALIFIED, QUALIFIED), ids=first("not qualified", "qualified"))
@pytest.mark.in_full
def test_a_folded_hand_makes_no_difference_to_anybody_but_its_bettor(house: House, dealer: str) -> None:
    one = Evening(house, dealer=dealer, slug="amber")
    other = Evening(house, dealer=dealer, slug="coral", folded=OTHER_FOLDED)
    for name in ("rui", "lee", ""):
        assert difference(one.everything(name), other.everything(name)) == [], name or "nobody"
    seen = difference(one.everything("ana"), other.everything("ana"))
    assert any("opening.txt" in path for path in seen) and any("rounds" in path for path in seen), "it measures nothing"
    assert one.log.result == other.log.result


def test_a_hand_that_was_not_opened_makes_no_difference_to_anybody_but_its_bettor(house: House) -> None:
    one = Evening(house, slug="amber")
    other = Evening(house, slug="coral", raised=OTHER_RAISED)
    for name in ("ana", "lee", ""):
        assert difference(one.everything(name), other.everything(name)) == [], name or "nobody"
    assert difference(one.everything("rui"), other.everything("rui")), "it measures nothing"


@pytest.mark.in_full
def test_a_round_that_was_cancelled_tells_no_more_than_it_did(house: House) -> None:
    one = Evening(house, slug="amber", void=True)
    other = Evening(house, slug="coral", void=True, raised=OTHER_RAISED)
    for name in ("ana", "lee", ""):
        assert difference(one.everything(name), other.everything(name)) == [], name or "nobody"
    assert difference(one.everything("rui"), other.everything("rui")), "it measures nothing"
    opened = one.get("", f"/shoes/{one.log.shoe_id}/opening.txt").split("\n")[1:-1]
    assert [line.split(":")[-1] for line in opened] == NOT_QUALIFIED.split()[4:], "the dealer's open card"


def test_no_page_or_file_names_a_card_that_the_viewer_has_not_seen(house: House) -> None:
    """The same without a second round: the letters of the cards themselves."""
    evening = Evening(house, jackpot=True)
    both = f"{FOLDED} {RAISED}"
    for name, cards in {"ana": RAISED, "rui": FOLDED, "lee": both, "kai": both, "": both}.items():
        for path, text in evening.everything(name).items():
            if "tables" not in path:  # the sprite of a new round's felt names every card
                found = [card for card in cards.split() if re.search(rf"(?<!\w){card}(?!\w)", text)]
                assert not found, (name, path, found)


def test_a_hand_that_wins_of_the_jackpot_is_seen_by_everybody(house: House) -> None:
    """Though the dealer does not qualify; the folded one is not."""
    evening = Evening(house, jackpot=True, raised=FLUSH)
    assert evening.log.result is not None
    assert evening.log.result["boxes"] == {"1": "folded", "3": "flush"}
    for name in ("ana", "lee", ""):
        opened = evening.get(name, f"/shoes/{evening.log.shoe_id}/opening.txt")
        assert all(f":{card}\n" in opened for card in FLUSH.split()), name
    assert ":Jd\n" not in evening.get("rui", f"/shoes/{evening.log.shoe_id}/opening.txt")


def test_a_stake_that_is_in_the_pool_is_not_told_as_none(house: House) -> None:
    """The jackpot stake has left the layout before the end: its prize is told, and no stake of zero."""
    evening = Evening(house, jackpot=True, raised=FLUSH)
    told = "".join(
        evening.get("rui", f"/rounds/{evening.log.pk}/?step={step}") for step in range(evening.log.version + 1)
    )
    assert re.search(r"You get [1-9][0-9,]*[.][0-9]{2}", told)
    assert "You staked 0.00" not in told


@pytest.mark.parametrize(
    ("dealer", "boxes"),
    [(NOT_QUALIFIED, {"1": "folded", "3": "raised"}), (QUALIFIED, {"1": "folded", "3": "one_pair"})],
    ids=["not qualified", "qualified"],
)
def test_what_is_stored_as_the_result_names_no_hand_that_was_not_opened(
    house: House, dealer: str, boxes: dict[str, str]
) -> None:
    log = Evening(house, dealer=dealer).log
    assert log.result is not None
    assert log.result["boxes"] == boxes
    assert round_of(log).result()["boxes"]["3"] == "one_pair", "the log knows"
    assert table_state(log.table_id).results == lobby_cards()[0].results == ()


# ── Each bettor has their own ─────────────────────────────────────────────────────────────────────────────────


def test_a_bettor_sees_his_folded_hand_again(house: House) -> None:
    evening = Evening(house, dealer=QUALIFIED)
    last = evening.get("ana", f"/rounds/{evening.log.pk}/?step={evening.log.version}")
    assert set(re.findall(r'data-card="(\w+)"', last)) == {*FOLDED.split(), *RAISED.split(), *QUALIFIED.split()}
    his = evening.get("rui", f"/rounds/{evening.log.pk}/?step={evening.log.version}")
    assert re.findall(r'data-label="Bet">([^<]*)<', his) == ["Ante, box 3", "Raise, box 3"]
    assert set(re.findall(r'data-card="(\w+)"', his)) == {*RAISED.split(), *QUALIFIED.split()}


def test_nobody_sees_again_what_another_had_chosen_before_the_window_closed(house: House) -> None:
    evening = Evening(house)
    for line in log_entries(evening.log):
        if isinstance(line.action, Fold):
            html = evening.get("rui", f"/rounds/{evening.log.pk}/?step={line.seq}")
            found = re.search(r'<p class="replay__now".*?</p>', html, re.DOTALL)
            assert found is not None
            assert "Ana" in found.group() and "fold" not in found.group().lower()
            assert "FOLDED" not in html and "is-folded" not in html


# ── The record ──────────────────────────────────────────────────────────────────────────────────────────────


def test_only_who_saw_every_card_may_have_the_record(house: House) -> None:
    """A record holds them all. Where the dealer qualifies ana saw rui's hand and her own; rui did not see hers."""
    hidden, open_ = Evening(house), Evening(house, dealer=QUALIFIED, slug="coral")
    for evening, allowed in ((hidden, set[str]()), (open_, {"ana"})):
        for name in ("ana", "rui", "lee"):
            answer = evening.browser(name).get(f"/rounds/{evening.log.pk}/record.json")
            assert (answer.status_code == 200) is (name in allowed), name
            assert visibility.record_is_open(evening.log, evening.people[name].key) is (name in allowed)
            if name in allowed:
                assert outcome_of(json.loads(answer.content))["result"] == round_of(evening.log).result()
    page = hidden.get("rui", f"/rounds/{hidden.log.pk}/")
    assert "record.json" not in page
    assert "hands that you have not seen" in page
    assert hidden.browser("kai").get(f"/rounds/{hidden.log.pk}/record.json").status_code == 404


# ── The shoe ────────────────────────────────────────────────────────────────────────────────────────────────


def documented() -> str:
    """The script of docs/fairness.md."""
    found = re.search(r"```python\n(.*?)```", (ROOT / "docs/fairness.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found.group(1)


@pytest.mark.parametrize("method", ["shuffler", "manual_shoe"])
def test_everybody_can_check_what_he_saw_with_the_script_that_is_documented(
    house: House, tmp_path: Path, method: str
) -> None:
    """From the shoe the dealer has cut, so that place and order of dealing differ."""
    evening = Evening(house, dealer=QUALIFIED, shuffle_method=method)
    shoe = evening.shoe
    order = [line.action.card for line in log_entries(evening.log) if isinstance(line.action, DrawCard)]
    leaves, opened = tmp_path / "leaves.txt", tmp_path / "shoe.txt"
    (tmp_path / "check.py").write_text(documented())

    def check() -> list[str]:
        command = [sys.executable, "check.py", leaves.name, opened.name]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    for name in ("ana", "rui", ""):
        for path in (leaves, opened):
            answer = evening.browser(name).get(f"/shoes/{shoe.pk}/{'leaves' if path is leaves else 'opening'}.txt")
            path.write_bytes(answer.content)
        first, *cards = check()
        assert first == f"commitment {shoe.commitment}"
        seen = visibility.seen_by(evening.log, evening.people[name].key if name else None)
        assert cards == [
            f"{card} at place {((shoe.cut or 0) + at) % 52 + 1} was committed to"
            for at, card in enumerate(order)
            if card in seen
        ]
        assert len(cards) == (15 if name == "ana" else 10)
    text = opened.read_text()
    opened.write_text(text.replace(":As\n", ":Ac\n"))
    assert [line for line in check() if "NOT" in line] == [line for line in check() if line.startswith("Ac at")]
    assert len([line for line in check() if "NOT" in line]) == 1


def test_the_leaves_are_published_before_a_card_is_dealt(house: House) -> None:
    table = house.table(game="stud_poker")
    house.until(table, "betting")
    shoe = house.log(table).shoe
    assert shoe is not None and shoe.dealt == 0
    browser, leaves = Client(), leaves_of(shoe)
    assert leaves is not None and browser.get(f"/shoes/{shoe.pk}/leaves.txt").content.decode().split() == leaves
    page = browser.get(f"/shoes/{shoe.pk}/").content.decode()
    assert shoe.commitment in page and leaves[51] in page
    assert browser.get(f"/shoes/{shoe.pk}/opening.txt").status_code == 404


def test_the_page_of_the_shoe_checks_what_the_viewer_saw(house: House) -> None:
    evening = Evening(house)
    path = f"/shoes/{evening.log.shoe_id}/"
    for name in ("ana", ""):
        page = evening.get(name, path)
        assert page.count("True.") == 2 and "Not true." not in page
        assert page.count("face--back") == (5 if name else 10)
    shoe = evening.shoe
    honest = json.loads(json.dumps(shoe.opened))
    assert shoe.opened is not None
    shoe.opened["cards"][-1][0] = "00" * 16
    shoe.save()
    assert "Not true." in evening.get("", path)
    Shoe.objects.filter(pk=shoe.pk).update(opened=honest)


def test_what_opens_a_card_that_was_not_dealt_is_kept_nowhere(house: House) -> None:
    """Of 52 places 37 stay closed for ever: they would tell what the hidden hands are not."""
    shoe = Evening(house).shoe
    assert shoe.opened is not None and shoe.opened.keys() == {"cards"}
    assert len(shoe.opened["cards"]) == shoe.dealt == 15
    pack = opened_pack(shoe)
    kept = json.dumps(shoe.opened)
    assert isinstance(pack, MadePack)
    assert pack.seed not in kept and pack.seed not in repr(everything()), "the seed is never opened"
    assert [place for place in range(1, 53) if pack.salt_of(place) in kept] == list(range(1, 16))


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda shoe: shoe.seed.leaves.reverse(), "its leaves are not the ones that were committed to"),
        (lambda shoe: shoe.seed.leaves.__setitem__(40, "0" * 64), "its leaves are not the ones that were committed to"),
        (lambda shoe: shoe.opened["cards"][2].__setitem__(0, "0" * 32), "is not the one that was committed to"),
        (lambda shoe: shoe.opened["cards"][2].__setitem__(1, "Ah"), "are not the ones in the logs"),
        (lambda shoe: shoe.opened["cards"].pop(), "are not the ones in the logs"),
        (lambda shoe: shoe.opened.update(salt="0" * 32), "are not the ones in the logs"),
        (lambda shoe: shoe.opened.pop("cards"), "are not the ones in the logs"),
    ],
)
def test_the_audit_finds_a_leaf_or_an_opened_card_that_was_tampered_with(house: House, spoil: Any, fault: str) -> None:
    """Also without the dealers' key."""
    shoe = Evening(house).shoe
    assert shoe.seed is not None
    honest = json.loads(json.dumps([shoe.seed.leaves, shoe.opened]))
    spoil(shoe)
    without_guards()
    shoe.save()
    shoe.seed.save()
    for vault in (None, VAULT):
        assert any(fault in one for one in audit(vault).faults), audit(vault).faults
    PackSeed.objects.filter(pk=shoe.seed_id or 0).update(leaves=honest[0])
    Shoe.objects.filter(pk=shoe.pk).update(opened=honest[1])


# ── Conduct (12(1)) ─────────────────────────────────────────────────────────────────────────────────────────


@article("61/2004", "12(1)")
def test_who_plays_at_the_table_sees_none_of_its_rounds_again_until_he_leaves(house: House) -> None:
    evening = Evening(house, left=False)
    house.until(evening.table, "betting")
    evening.log.refresh_from_db()
    ana = evening.people["ana"]
    paths = [f"/rounds/{evening.log.pk}/", f"/rounds/{evening.log.pk}/?step=3", f"/rounds/{evening.log.pk}/record.json"]
    for path in paths:
        answer = evening.browser("ana").get(path)
        assert answer.status_code == 403
        page = answer.content.decode()
        assert "12(1)" in page and "data-card" not in page and "While you play at Amber" in page
    listed = evening.get("ana", "/history/")
    assert f"/rounds/{evening.log.pk}/" not in listed and "12(1)" in listed
    assert "100.00" in listed, "what it brought her is an account"
    shoe = evening.get("ana", f"/shoes/{evening.log.shoe_id}/")
    assert evening.shoe.commitment in shoe and "12(1)" in shoe and 'class="face' not in shoe
    assert evening.browser("ana").get(f"/shoes/{evening.log.shoe_id}/opening.txt").status_code == 404
    assert "100.00" in evening.get("ana", "/account/")
    assert evening.browser("kai").get(f"/shoes/{evening.log.shoe_id}/opening.txt").status_code == 200
    seating.stand_up(ana.pk, evening.table.pk, clock=house.clock)
    assert evening.browser("ana").get(paths[0]).status_code == 200
    assert f"/rounds/{evening.log.pk}/" in evening.get("ana", "/history/")


def test_who_leaves_with_a_stake_on_the_table_still_plays_there(house: House) -> None:
    evening = Evening(house, left=False)
    house.until(evening.table, "betting")
    ana = evening.people["ana"]
    house.bet(ana, evening.table, "ante", 100, 1)
    house.until(evening.table, "look_and_decide")
    seating.stand_up(ana.pk, evening.table.pk, clock=house.clock)
    assert evening.browser("ana").get(f"/rounds/{evening.log.pk}/").status_code == 403
    house.play_out(evening.table)
    assert evening.browser("ana").get(f"/rounds/{evening.log.pk}/").status_code == 200


def test_a_seat_at_another_table_forbids_nothing(house: House) -> None:
    evening = Evening(house)
    other = house.table("opal", game="stud_poker")
    seating.sit(evening.people["ana"].pk, other.pk, 1, clock=house.clock)
    assert evening.browser("ana").get(f"/rounds/{evening.log.pk}/").status_code == 200


@article("61/2004", "12(1)", "R23")
def test_the_table_shows_no_results_and_leads_to_none(house: House) -> None:
    evening = Evening(house, left=False)
    house.until(evening.table, "betting")
    for name in ("ana", "kai", ""):
        page = evening.get(name, "/tables/amber/")
        assert 'href="/history/"' not in page
        assert "/rounds/" not in page
        assert "No results" not in page
    assert 'href="/history/"' in evening.get("ana", "/account/")
