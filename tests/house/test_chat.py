"""The chat: what may be said, how much, when; whom one does not want to hear; what the pit gets to read."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.base import announce
from tables.base.transactions import unit_of_work
from tables.felt.public import public_fragments
from tables.games.contract.errors import Refused
from tables.games.stud_poker.phases import Fold, Raise
from tables.models import ChatLine, Mute, Player, Report, RoundLog, Table
from tables.proof.audit import audit
from tables.queries.chat import LINES_SHOWN, chat_of, said_in_silence
from tables.queries.folds import log_entries
from tables.queries.own import own_of
from tables.queries.table import table_state
from tables.services.players import chat
from tables.services.players.chat import AT_ONCE, KEPT_FOR, LINES_AT_ONCE, LONGEST_LINE, SAME_WITHIN, cleaned
from tables.services.rounds import seating
from tests.kit import article

from . import deeds
from .kit import VAULT, House, answer
from .processes import Flag, running, together, until, waiting_for_locks

ZWJ = "\u200d"


# ── What a line is ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Good evening", "Good evening"),
        ("  one \t two\n\nthree\u00a0four\u3000five  ", "one two three four five"),
        ("e\u0301", "é"),
        ("大家好！", "大家好！"),
        ("Olá, João", "Olá, João"),
        (f"👩{ZWJ}👩{ZWJ}👧 👍🏽 1\ufe0f\u20e3", f"👩{ZWJ}👩{ZWJ}👧 👍🏽 1\ufe0f\u20e3"),
        ("क्\u200dष", "क्\u200dष"),
        ("<b>&amp;</b>", "<b>&amp;</b>"),
        ("%(name)s {0}", "%(name)s {0}"),
        ("a\u202eb\u2066c\u200fd\ufeffe\u00adf", "abcdef"),
        ("a\x00b\x07c\x1b[2Jd", "abc[2Jd"),
        ("a\ud800b", "ab"),
        ("a\ue000b\U000f0000c\ufffed\ufdd0e", "abcde"),
        ("a" + "\u0301" * 30 + "b", "á" + "\u0301" * 3 + "b"),
        ("\u0301a", "a"),
        ("a \u0301b", "a b"),
        ("a\u2800\u3164b", "a b"),
        (f"a {ZWJ}{ZWJ}b", "a b"),
    ],
    ids=ascii,
)
def test_a_line_is_text_and_nothing_that_disturbs(text: str, line: str) -> None:
    assert cleaned(text) == line


@pytest.mark.parametrize("text", ["", "   ", "\n", "\u200b\u200b", "\u3164", "\u0301\u0301", "\x00", ZWJ], ids=ascii)
def test_a_line_with_nothing_to_read_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="nothing to read"):
        cleaned(text)


def test_a_line_is_as_long_as_it_is_when_it_is_cleaned() -> None:
    assert cleaned("  " + "長" * LONGEST_LINE + "\u200b" * 50) == "長" * LONGEST_LINE
    with pytest.raises(Refused, match="at most 200"):
        cleaned("x" * (LONGEST_LINE + 1))


@given(st.text(st.characters() | st.sampled_from(" \n\u0301\u200d\u202e\u3164\ud800é🙂"), max_size=240))
def test_whatever_is_said_is_clean_and_stays_as_it_is(text: str) -> None:
    try:
        line = cleaned(text)
    except Refused:
        return
    assert cleaned(line) == line
    assert 1 <= len(line) <= LONGEST_LINE and line == line.strip() and "  " not in line
    assert unicodedata.is_normalized("NFC", line)
    line.encode()
    strange = {char for char in line if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")}
    assert strange <= set("\u200c\u200d")


# ── Saying it ───────────────────────────────────────────────────────────────────────────────────────────────


def says(house: House, player: Player, table: Table, text: str, ref: str = "") -> None:
    chat.speak(player.pk, table.pk, ref or house.ref(), text, clock=house.clock)


def texts(table: Table) -> list[str]:
    return [line.text for line in chat_of(table.pk)]


def test_a_line_says_who_when_and_where_in_which_round(house: House) -> None:
    table, ana, rui = house.table(), house.player("ana"), house.player("rui")
    says(house, ana, table, "Is this table open?")
    house.until(table, "betting")
    house.bet(rui, table, "player", 50)
    house.clock.pass_(seconds=3)
    says(house, rui, table, " Good  luck ")
    before, during = ChatLine.objects.order_by("number")
    assert (before.number, before.name, before.text, before.log, before.version) == (
        1, "Ana", "Is this table open?", None, 0,
    )  # fmt: skip
    log = house.log(table)
    assert (during.number, during.player, during.text, during.at) == (2, rui, "Good luck", house.clock.at)
    assert (during.log, during.version) == (log, log.version)
    assert [(said.key, said.name) for said in chat_of(table.pk)] == [(ana.key, "Ana"), (rui.key, "Rui")]


def test_the_name_stays_what_it_was(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    says(house, ana, table, "hello")
    Player.objects.filter(pk=ana.pk).update(name="Somebody else")
    assert chat_of(table.pk)[0].name == "Ana"


def test_the_same_line_sent_twice_is_said_once(house: House) -> None:
    table, ana, rui = house.table(), house.player("ana"), house.player("rui")
    for _ in range(3):
        says(house, ana, table, "hello", "one-click")
    says(house, rui, table, "hello", "one-click")  # another's ref is another ref
    assert texts(table) == ["hello", "hello"]
    assert ChatLine.objects.filter(player=ana).count() == 1


def test_a_line_changes_the_tables_version_and_what_is_refused_does_not(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    versions = [table_state(table.pk).version]
    says(house, ana, table, "hello")
    versions.append(table_state(table.pk).version)
    assert versions[0] != versions[1]
    house.refused(lambda: says(house, ana, table, "x" * 201))
    assert table_state(table.pk).version == versions[1]
    assert texts(table) == ["hello"]


def test_a_state_read_after_another_has_the_new_lines(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    before = table_state(table.pk)
    says(house, ana, table, "hello")
    state = table_state(table.pk, before=before)
    assert [said.text for said in state.chat] == ["hello"]
    assert table_state(table.pk, before=state).chat == state.chat


def test_a_line_is_told_to_the_table_and_not_to_the_lobby(
    house: House, django_capture_on_commit_callbacks: Callable[[], Any]
) -> None:
    table, ana = house.table(), house.player("ana")
    with django_capture_on_commit_callbacks() as told:
        says(house, ana, table, "hello")
    groups = [deed.args for deed in told if isinstance(deed, partial) and deed.func is announce._send]
    said = announce.TableChanged(table.pk, players=(), version=Table.objects.get(pk=table.pk).version)
    assert groups == [(announce.group_of(table.pk), said.as_message())]


# ── Not too much ────────────────────────────────────────────────────────────────────────────────────────────


def test_who_says_much_at_once_is_asked_to_wait_wherever_he_says_it(house: House) -> None:
    jade, lotus, ana, rui = house.table("jade"), house.table("lotus"), house.player("ana"), house.player("rui")
    for number in range(LINES_AT_ONCE):
        says(house, ana, (jade, lotus)[number % 2], f"line {number}")
        house.clock.pass_(seconds=1)
    refusal = house.refused(lambda: says(house, ana, jade, "one more"))
    assert "Wait a few seconds" in str(refusal.words)
    says(house, rui, jade, "another may")
    house.clock.at += AT_ONCE - timedelta(seconds=LINES_AT_ONCE)
    says(house, ana, jade, "ten seconds after the first")
    house.refused(lambda: says(house, ana, jade, "and one more"))
    house.clock.at += AT_ONCE
    for number in range(LINES_AT_ONCE):
        says(house, ana, jade, f"again {number}")


def test_the_same_is_not_said_thrice_in_a_row(house: House) -> None:
    table, ana = house.table(), house.player("ana")

    def after_a_while(text: str) -> None:
        house.clock.at += AT_ONCE
        says(house, ana, table, text)

    after_a_while("Good luck")
    after_a_while("good  LUCK")
    assert "more than once" in str(house.refused(lambda: after_a_while("Good luck")).words)
    after_a_while("Well played")
    after_a_while("Good luck")
    after_a_while("Good luck")
    house.refused(lambda: after_a_while("Good luck"))
    house.clock.at += SAME_WITHIN
    after_a_while("Good luck")


# ── What is kept ────────────────────────────────────────────────────────────────────────────────────────────


def test_old_lines_are_forgotten_but_those_shown_and_those_of_the_day(house: House) -> None:
    table, lotus, ana = house.table("jade"), house.table("lotus"), house.player("ana")
    says(house, ana, lotus, "elsewhere")
    for number in range(LINES_SHOWN + 5):
        house.clock.at += AT_ONCE
        says(house, ana, table, f"line {number}")
    assert chat.prune(table.pk, clock=house.clock) == 0
    house.clock.at += KEPT_FOR - AT_ONCE * (LINES_SHOWN + 3)  # two are older than a day now
    assert chat.prune(table.pk, clock=house.clock) == 2
    house.clock.at += KEPT_FOR
    assert chat.prune(table.pk, clock=house.clock) == 3
    assert texts(table) == [f"line {number}" for number in range(5, LINES_SHOWN + 5)]
    assert chat.prune(table.pk, clock=house.clock) == 0
    assert texts(lotus) == ["elsewhere"]
    says(house, ana, table, "the next")
    assert ChatLine.objects.filter(table=table).latest("number").number == LINES_SHOWN + 6


def test_a_table_without_a_line_has_nothing_to_forget(house: House) -> None:
    assert chat.prune(house.table().pk, clock=house.clock) == 0


# ── Mute ────────────────────────────────────────────────────────────────────────────────────────────────────


def _met(house: House, table: Table, *players: Player) -> None:
    """These are known at the table: they have said something."""
    for player in players:
        chat.speak(player.pk, table.pk, house.ref(), "good evening", clock=house.clock)


def test_nobody_learns_the_name_of_whom_they_have_not_met(house: House) -> None:
    """Seated, staking or heard at this very table: everybody else is nobody, be they there or not."""
    table, other = house.table(), house.table("lotus")
    ana, rui, lee = house.player("ana"), house.player("rui"), house.player("lee")
    boss = Player.objects.create(username="boss", name="Boss", role="pit_boss")
    _met(house, other, lee)
    for who in (rui.key, lee.key, boss.key, "p999999"):
        for deed in (partial(chat.mute, clock=house.clock), chat.unmute):
            with pytest.raises(Refused) as why:
                deed(ana.pk, table.pk, who)
            assert str(why.value.words) == "There is nobody like that here."
    assert not Mute.objects.exists()
    seating.sit(rui.pk, table.pk, 3, clock=house.clock)
    assert chat.mute(ana.pk, table.pk, rui.key, clock=house.clock) == "Rui"
    seating.stand_up(rui.pk, table.pk, clock=house.clock)
    assert chat.unmute(ana.pk, other.pk, rui.key) == "Rui", "whom one has muted one knows, at every table"


def test_a_player_mutes_another_for_himself_and_hears_him_again(house: House) -> None:
    table, ana, rui, lee = house.table(), house.player("ana"), house.player("rui"), house.player("lee")
    _met(house, table, rui, lee)
    for _ in range(2):
        assert chat.mute(ana.pk, table.pk, rui.key, clock=house.clock) == "Rui"
    chat.mute(ana.pk, table.pk, lee.key, clock=house.clock)

    def heard_not_by() -> dict[int, object]:
        return {pk: own.muted for pk, own in own_of([ana.pk, rui.pk, lee.pk], table.game).items() if own.muted}

    assert heard_not_by() == {ana.pk: ((lee.key, "Lee"), (rui.key, "Rui"))}
    for _ in range(2):
        assert chat.unmute(ana.pk, table.pk, rui.key) == "Rui"
    assert heard_not_by() == {ana.pk: ((lee.key, "Lee"),)}


@pytest.mark.parametrize("who", ["", "p", "p0", "p999999999999", "px", "7", "house", "p1 ", "p-1", "p१"])
def test_nobody_is_nobody(house: House, who: str) -> None:
    table, ana = house.table(), house.player("ana")
    house.refused(lambda: chat.mute(ana.pk, table.pk, who, clock=house.clock))
    house.refused(lambda: chat.unmute(ana.pk, table.pk, who))
    assert not Mute.objects.exists()


def test_nobody_mutes_himself(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.refused(lambda: chat.mute(ana.pk, table.pk, ana.key, clock=house.clock))


def test_so_many_can_be_muted_and_no_more(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "MOST_MUTED", 2)
    table = house.table()
    ana, *others = (house.player(name) for name in ("ana", "rui", "lee", "mei"))
    _met(house, table, *others)
    for other in others[:2]:
        chat.mute(ana.pk, table.pk, other.key, clock=house.clock)
    house.refused(lambda: chat.mute(ana.pk, table.pk, others[2].key, clock=house.clock))
    chat.mute(ana.pk, table.pk, others[1].key, clock=house.clock)  # they are already
    chat.unmute(ana.pk, table.pk, others[0].key)
    chat.mute(ana.pk, table.pk, others[2].key, clock=house.clock)


# ── Report ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_report_keeps_the_line_as_it_was_said(house: House) -> None:
    table, ana, rui = house.table(), house.player("ana"), house.player("rui")
    house.until(table, "betting")
    says(house, rui, table, "draw, draw!")
    line = ChatLine.objects.get()
    house.clock.pass_(seconds=9)
    for reason in ("advice", "rude"):  # the second tap changes nothing
        chat.report(ana.pk, table.pk, line.pk, reason, clock=house.clock)
    ChatLine.objects.all().delete()
    report = Report.objects.get()
    assert (report.by, report.about, report.name, report.text) == (ana, rui, "Rui", "draw, draw!")
    assert (report.table, report.log, report.version) == (table, line.log, line.version)
    assert (report.said_at, report.at) == (line.at, house.clock.at)
    assert (report.line, report.reason) == (line.pk, "advice")


def test_what_cannot_be_reported_is_refused(house: House) -> None:
    table, lotus, ana, rui = house.table("jade"), house.table("lotus"), house.player("ana"), house.player("rui")
    says(house, rui, table, "hello")
    line = ChatLine.objects.get().pk
    for who, where, what, why in [
        (rui, table, line, "rude"),  # their own
        (ana, lotus, line, "rude"),  # said elsewhere
        (ana, table, line + 1, "rude"),
        (ana, table, 2**53 - 1, "rude"),
        (ana, table, line, "boring"),
        (ana, table, line, ""),
    ]:
        house.refused(lambda w=who, t=where, n=what, y=why: chat.report(w.pk, t.pk, n, y, clock=house.clock))  # type: ignore[misc]
    assert not Report.objects.exists()


def test_who_reports_everything_is_asked_to_wait(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "REPORTS_AT_ONCE", 2)
    table, ana, rui = house.table(), house.player("ana"), house.player("rui")
    for text in ("one", "two", "three"):
        says(house, rui, table, text)
    lines = list(ChatLine.objects.order_by("number").values_list("pk", flat=True))
    reports = [partial(chat.report, ana.pk, table.pk, line, "other", clock=house.clock) for line in lines]
    reports[0]()
    reports[1]()
    assert "The pit reads them first" in str(house.refused(reports[2]).words)
    reports[0]()  # that one it has
    house.clock.at += chat.REPORTED_WITHIN
    reports[2]()
    assert Report.objects.count() == 3


# ── Many at once ────────────────────────────────────────────────────────────────────────────────────────────


def test_lines_said_at_the_same_moment_are_numbered_one_after_the_other(hall: House) -> None:
    table = hall.table()
    people = [hall.player(name) for name in ("ana", "rui", "lee", "mei")]

    def talk(player: Player) -> list[str]:
        return [
            answer(partial(chat.speak, player.pk, table.pk, f"ref-{number:04}", f"line {number}", clock=hall.clock))
            for number in range(4)
        ]

    told = together(*[partial(talk, player) for player in people])
    assert told == [["done"] * 4] * 4
    lines = list(ChatLine.objects.filter(table=table).order_by("number"))
    assert [line.number for line in lines] == list(range(1, 17))
    for player in people:
        assert [line.text for line in lines if line.player_id == player.pk] == [f"line {number}" for number in range(4)]


def test_nobody_says_more_at_several_tables_at_the_same_moment(hall: House) -> None:
    tables = [hall.table(slug) for slug in ("jade", "lotus", "pearl", "harbour", "lantern", "guia")]
    ana = hall.player("ana")

    def talk(table: Table) -> int:
        said = 0
        for number in range(LINES_AT_ONCE):
            said += not refuses(
                partial(chat.speak, ana.pk, table.pk, f"{table.slug}-{number}", f"{number}", clock=hall.clock)
            )
        return said

    assert sum(together(*[partial(talk, table) for table in tables])) == LINES_AT_ONCE
    assert ChatLine.objects.count() == LINES_AT_ONCE


# ── From the first card to the last decision (20(2)) ────────────────────────────────────────────────────────


def at_blackjack(house: House, *people: Player, boxes: int = 2) -> Table:
    """A table of Blackjack whose first round has a stake of each on a box of their own; betting is still open."""
    table = house.table("taipa", game="blackjack")
    house.until(table, "betting")
    for box, player in enumerate(people[:boxes], start=1):
        house.bet(player, table, "main", 10, box)
    return table


@article("56/2004", "20(2)", "talk")
def test_nobody_talks_from_the_first_card_to_the_last_decision_of_blackjack(house: House) -> None:
    ana, rui, lee = house.player("ana"), house.player("rui"), house.player("lee")
    house.stack("2c 5s 6s 9d 4h 5h")
    table = at_blackjack(house, ana, rui)
    says(house, lee, table, "good luck to both")
    house.until(table, "deal")
    house.step(table)
    assert house.refused(lambda: says(house, ana, table, "I have a five")).article == "20(2)"
    house.until(table, "early_window")
    assert house.refused(lambda: says(house, rui, table, "give it up")).article == "20(2)"
    house.until(table, "player_turns")
    version = table_state(table.pk).table_version
    for player in (ana, rui, lee):
        refusal = house.refused(lambda player=player: says(house, player, table, "draw!"))  # type: ignore[misc]
        assert refusal.article == "20(2)"
    assert table_state(table.pk).table_version == version
    assert 'data-locked="1"' in public_fragments(table_state(table.pk))["chat-lock"]
    house.until(table, "bank_second")
    says(house, rui, table, "that was close")
    assert "data-locked" not in public_fragments(table_state(table.pk))["chat-lock"]
    assert texts(table) == ["good luck to both", "that was close"]


@article("61/2004", "12(2)", "R24")
def test_nobody_talks_from_the_first_card_to_the_last_decision_of_stud_poker(house: House) -> None:
    """Neither the bettors nor whoever looks on (61/2004, 12(2))."""
    ana, rui, lee = house.player("ana"), house.player("rui"), house.player("lee")
    table = house.table("lotus", game="stud_poker")
    for seat, player in ((1, ana), (2, rui)):
        seating.sit(player.pk, table.pk, seat, clock=house.clock)
    house.until(table, "betting")
    for seat, player in ((1, ana), (2, rui)):
        house.bet(player, table, "ante", 100, seat)
    says(house, lee, table, "good luck to both")
    heard: list[tuple[str, str]] = []
    while house.log(table).settled_at is None:
        phase = house.log(table).phase
        if phase == "look_and_decide":
            house.decide(ana, table, Raise)
        for player in (ana, rui, lee):
            deed = partial(says, house, player, table, f"{phase} {len(heard)}")
            if house.round(table).silence is not None:
                heard.append((phase, house.refused(deed).article))
            else:
                deed()
                heard.append((phase, ""))
                house.clock.at += AT_ONCE
        if phase == "look_and_decide":
            house.decide(rui, table, Fold)
            says(house, rui, table, "that was close")
        house.step(table)
    forbidden = {phase for phase, article in heard if article == "12(2)"}
    assert forbidden == {"deal", "look_and_decide"}
    assert [article for phase, article in heard if phase == "look_and_decide"] == ["12(2)"] * 3
    dealt = [article for phase, article in heard if phase == "deal"]
    assert dealt == [""] * 3 + ["12(2)"] * (len(dealt) - 3), "before the first card one may still talk"
    assert all(not article for phase, article in heard if phase not in forbidden)
    assert said_in_silence(house.log(table)) == []


def test_who_sits_where_nobody_may_talk_does_not_talk_elsewhere_either(house: House) -> None:
    """Whoever is at the other table is a third party here, or sits here too."""
    ana, lee = house.player("ana"), house.player("lee")
    house.stack("2c 5s 6s 9d 4h 5h")
    table, other = at_blackjack(house, ana, boxes=1), house.table()
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    says(house, ana, other, "back in a minute")
    house.until(table, "player_turns")
    refusal = house.refused(lambda: says(house, ana, other, "shall I draw?"))
    assert "You sit at Taipa" in str(refusal.words) and "article 20(2)" in str(refusal.words)
    says(house, lee, other, "I only watch there")
    house.until(table, "bank_second")
    says(house, ana, other, "that was close")
    assert texts(other) == ["back in a minute", "I only watch there", "that was close"]


@article("56/2004", "20(2)", "talk")
def test_who_stands_with_a_stake_where_nobody_may_talk_does_not_talk_elsewhere_either(house: House) -> None:
    ana, lee = house.player("ana"), house.player("lee")
    house.stack("2c 5s 6s 9d 4h 5h")
    table, other = at_blackjack(house, ana, boxes=1), house.table()
    house.bet(lee, table, "main", 10, 2)
    lying = next(stake.bet for stake in house.round(table).stakes() if stake.by == lee.key)
    deeds.withdraw(lee.pk, house.log(table).pk, house.ref(), lying, clock=house.clock)
    house.until(table, "deal")
    house.step(table)
    refusal = house.refused(lambda: says(house, ana, other, "I have a five"))
    assert "You have a stake at Taipa" in str(refusal.words) and "article 20(2)" in str(refusal.words)
    says(house, lee, other, "mine is back with me")
    house.until(table, "bank_second")
    says(house, ana, other, "that was close")


@article("61/2004", "12(2)", "R24")
def test_who_has_seen_cards_and_left_the_seat_is_silent_at_every_table(house: House) -> None:
    """61/2004, 12(2): leaving the table does not end it; a decision that has been taken does not either."""
    ana, rui = house.player("ana"), house.player("rui")
    table, other = house.table("lotus", game="stud_poker"), house.table()
    for seat, player in ((1, ana), (2, rui)):
        seating.sit(player.pk, table.pk, seat, clock=house.clock)
    house.until(table, "betting")
    for seat, player in ((1, ana), (2, rui)):
        house.bet(player, table, "ante", 100, seat)
    house.until(table, "look_and_decide")
    house.decide(rui, table, Raise)
    for player in (ana, rui):
        seating.stand_up(player.pk, table.pk, clock=house.clock)
    # ana's hand has folded, so nobody decides any more; as long as somebody does, both are silent
    says(house, ana, other, "it is over")
    house.play_out(table)
    house.until(table, "betting")
    for seat, player in ((1, ana), (2, rui)):
        seating.sit(player.pk, table.pk, seat, clock=house.clock)
        house.bet(player, table, "ante", 100, seat)
    house.until(table, "look_and_decide")
    seating.stand_up(ana.pk, table.pk, clock=house.clock)
    refusal = house.refused(lambda: says(house, ana, other, "I hold an ace"))
    assert "You have a stake at Lotus" in str(refusal.words) and "article 12(2)" in str(refusal.words)
    house.decide(rui, table, Raise)
    says(house, ana, other, "now it is")


def test_the_log_proves_that_no_line_was_said_in_silence(house: House) -> None:
    """Everybody tries to say something after every action of some rounds; what is kept lies where talk was allowed."""
    ana, rui, lee = people = house.player("ana"), house.player("rui"), house.player("lee")
    table = at_blackjack(house, ana, rui)
    kept: Counter[bool] = Counter()
    for number in range(150):
        silent = house.round(table).silence is not None
        for player in people:
            said = not refuses(lambda p=player, n=number: says(house, p, table, f"line {n}"))  # type: ignore[misc]
            assert said is not silent
            kept[said] += 1
        house.clock.at += AT_ONCE
        if house.round(table).over and house.log(table).number == 3:
            break
        phase = house.log(table).phase
        house.step(table)
        if phase != "betting" and house.log(table).phase == "betting":
            house.bet(ana, table, "main", 10, 1)
            house.bet(lee, table, "main", 10, 3)
    assert kept[True] > 20 and kept[False] > 3
    logs = list(RoundLog.objects.filter(table=table))
    assert len(logs) == 3
    for log in logs:
        silent_after = {line.seq for line in log_entries(log) if line.after.phase in ("early_window", "player_turns")}
        assert silent_after
        lines = ChatLine.objects.filter(log=log)
        assert lines and not silent_after & {line.version for line in lines}
        assert said_in_silence(log) == []


def test_a_line_that_was_said_in_silence_would_be_found(house: House) -> None:
    ana = house.player("ana")
    house.stack("2c 9d 3h")
    table = at_blackjack(house, ana, boxes=1)
    says(house, ana, table, "hello")
    house.until(table, "player_turns")
    log, line = house.log(table), ChatLine.objects.get()
    assert said_in_silence(log) == []
    ChatLine.objects.filter(pk=line.pk).update(version=log.version)
    assert said_in_silence(log) == [line]
    (fault,) = audit(VAULT).faults
    assert f"round {log.pk}: behind line {log.version} somebody talked" in fault
    ChatLine.objects.filter(pk=line.pk).update(version=line.version)


def test_a_line_that_comes_with_the_first_card_is_too_late(hall: House, on_postgresql: bool) -> None:
    """The first card is being written when rui talks."""
    ana, rui = hall.player("ana"), hall.player("rui")
    table = at_blackjack(hall, ana)
    hall.until(table, "deal")
    says(hall, rui, table, "good luck")
    acted, free, about_to = Flag(), Flag(), Flag()

    def deals() -> None:
        with unit_of_work():
            hall.step(table)
            acted.raise_()
            free.wait()

    def talks() -> str:
        about_to.raise_()
        return answer(partial(chat.speak, rui.pk, table.pk, "too-late", "too late", clock=hall.clock))

    with running(deals) as (dealer,):
        acted.wait()
        with running(talks) as (talker,):
            about_to.wait()
            if on_postgresql:
                until(lambda: waiting_for_locks(), "the line waits for the table")
            free.raise_()
            dealer.told()
            assert talker.told() == "20(2)"
    assert texts(table) == ["good luck"]
    assert said_in_silence(hall.log(table)) == []


@pytest.mark.in_full
def test_whoever_talks_while_the_dealer_deals_is_in_time_or_refused(
    hall: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They talk without a pause, in processes of their own, while rounds go by: the log proves each of their lines."""
    monkeypatch.setattr(chat, "LINES_AT_ONCE", 10_000)
    ana, rui = people = hall.player("ana"), hall.player("rui")
    table = at_blackjack(hall, ana, rui)
    over = Flag()

    def deal() -> Counter[str]:
        while True:
            if hall.log(table).phase == "betting" and not hall.round(table).stakes():
                hall.bet(ana, table, "main", 10, 1)
                hall.bet(rui, table, "main", 10, 2)
            hall.step(table)
            if hall.log(table).number == 2:
                over.raise_()
                return Counter()

    def talk(player: Player) -> Counter[str]:
        said: Counter[str] = Counter()
        while not over.up:
            number = said.total()
            speak = partial(chat.speak, player.pk, table.pk, f"r-{number:06}", f"line {number}", clock=hall.clock)
            said[answer(speak)] += 1
        return said

    said = sum(together(deal, *[partial(talk, player) for player in people]), Counter[str]())
    assert said.keys() == {"done", "20(2)"}
    lines = ChatLine.objects.filter(table=table)
    assert lines.count() == said["done"]
    for log in RoundLog.objects.filter(table=table):
        assert said_in_silence(log) == []


def refuses(deed: Callable[[], object]) -> bool:
    try:
        deed()
    except Refused:
        return True
    return False
