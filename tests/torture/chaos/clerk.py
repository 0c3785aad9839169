"""Who prepares the tormented house and judges it: a process that is asked over its standard input.

python -m tests.torture.chaos.clerk
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.models import Count, F, Min  # noqa: E402

from tables.base.clock import DATABASE_CLOCK  # noqa: E402
from tables.base.identity import DealerIdentity  # noqa: E402
from tables.base.refs import own_ref  # noqa: E402
from tables.base.transactions import DATABASE_AWAY  # noqa: E402
from tables.games import GAMES  # noqa: E402
from tables.games.contract.actions import HOUSE, Void  # noqa: E402
from tables.management.crowd import enlist  # noqa: E402
from tables.models import Lease, LoggedAction, RoundLog  # noqa: E402
from tables.models.bettors import bettor_of  # noqa: E402
from tables.services.dealing.enrolment import enrol  # noqa: E402
from tests.bench.answering import answer_all  # noqa: E402
from tests.house.kit import open_table  # noqa: E402
from tests.torture import invariants  # noqa: E402

from . import hidden  # noqa: E402

T = TypeVar("T")

TRIES = 5
"""So often a question is asked at most, whatever happens to the database meanwhile."""

CREDIT = 100
QUICK = {"cut": 300, "betting": 2_000, "decision": 1_200, "beat": 100, "result": 500, "hurry": 200}
"""Milliseconds: something is due at each table at any time within two seconds."""

OPTIONS: dict[str, dict[str, Any]] = {
    "baccarat": {"dealing_device": "auto_machine", "min_bet": CREDIT},
    "blackjack": {"dealing_device": "auto_shuffler", "min_bet": CREDIT, "initial_burn": "single"},
    "stud_poker": {"shuffle_method": "shuffler", "min_ante": CREDIT},
    "three_card_baccarat": {"min_bet": CREDIT},
    "roulette": {"min_bet": CREDIT, "betting_seconds": 2},
    "cussec": {"min_bet": CREDIT, "betting_seconds": 2},
}

PROBED = "probed"
"""The table at which betting stays open: whoever bets there needs no dealer."""


def prepare(people: int) -> dict[str, Any]:
    """Tables of all games with a quick pace, one at which betting stays open, and so many people who are logged in."""
    call_command("migrate", interactive=False, verbosity=0)
    enrol("chaos", DealerIdentity(settings.DEALER_KEY).public, "to be killed")
    tables = {}
    for game in GAMES:
        tables[game.replace("_", "-")] = open_table(
            game.replace("_", "-"), game.title(), game, OPTIONS[game], times=QUICK
        ).pk
    open_long = {**QUICK, "betting": 120_000, "hurry": 120_000}
    options = {**OPTIONS["baccarat"], "imbalance_limit": 1_000_000_00}
    tables[PROBED] = open_table(PROBED, "Probed", "baccarat", options, times=open_long).pk
    logins = enlist(people)
    connection.close()
    return {"tables": tables, "people": [[one.player, one.cookie] for one in logins]}


def whatever_happens(ask: Callable[..., T]) -> Callable[..., T]:
    """Ask again on a new connection: all that wait in the pool may have been cut off."""

    def asked(**what: Any) -> T:
        for _ in range(TRIES - 1):
            try:
                return ask(**what)
            except DATABASE_AWAY:
                connection.close()
                connection.close_pool()  # type: ignore[attr-defined]
            finally:
                connection.close()
        return ask(**what)

    return asked


def leases() -> list[list[Any]]:
    """Each table at which something is due: its id, who has it, and when that is."""
    rows = Lease.objects.filter(table__round__due_at__isnull=False).exclude(owner="")
    return [
        [table, owner, due.timestamp()]
        for table, owner, due in rows.values_list("table_id", "owner", "table__round__due_at")
        if due is not None
    ]


def now() -> float:
    return DATABASE_CLOCK.now().timestamp()


JUST_S = 1.0
"""What began so many seconds before a dealer was killed was done while it was found out what is due."""

HOUSE_ACTED = """
    SELECT extract(epoch FROM min(at)) - %s FROM (
        SELECT line.at FROM tables_loggedaction line JOIN tables_roundlog log ON log.id = line.log_id
        WHERE log.table_id = %s AND line.by = %s AND line.at > to_timestamp(%s)
        UNION ALL
        SELECT started_at FROM tables_roundlog WHERE table_id = %s AND started_at > to_timestamp(%s)
    ) deed (at)
"""
"""When the house next did something at a table: a line of its own, or a round that it opened, which has none yet."""


def takeovers(kills: list[list[Any]]) -> list[float | None]:
    """For each [table, moment]: seconds from there to the next action of the house at that table; None if none came."""
    took: list[float | None] = []
    for table, moment in kills:
        with connection.cursor() as cursor:
            cursor.execute(HOUSE_ACTED, (moment, table, HOUSE, moment, table, moment))
            (found,) = cursor.fetchone()
        took.append(None if found is None else float(found))
    return took


def had_just_acted(kills: list[list[Any]], idle_s: float) -> list[bool]:
    """For each [table, moment]: whether the house did what was due there right before that moment, though it may have
    been committed later, and has nothing to do within so many seconds from then on."""
    heads = {head.table_id: head for head in RoundLog.objects.filter(table__round=F("pk"), due_at__isnull=False)}
    found = []
    for table, moment in kills:
        head = heads.get(table)
        began = head.wait_began_at.timestamp() if head is not None else 0.0
        due = head.due_at.timestamp() if head is not None and head.due_at is not None else 0.0
        found.append(moment - JUST_S < began <= moment and due > moment + idle_s)
    return found


def judge(bets: list[list[Any]]) -> dict[str, Any]:
    """All that is wrong in the end: the books as a whole, and each [player, ref, times sent, connections, answers]."""
    violations = invariants.faults()
    found = LoggedAction.objects.filter(action__do="bet").exclude(ref=None)
    lines = dict(found.values_list("ref").annotate(lines=Count("id")).order_by())
    for player, ref, sent, connections, answers in bets:
        there = lines.get(own_ref(bettor_of(player), ref), 0)
        if there > 1:
            violations.append(f"I6: {ref} stands in {there} lines")
        if "ok" in answers and not there:
            violations.append(f"I6: {ref} was answered {answers} and lies nowhere")
        if there and answers == ["refused"] and sent == connections == 1:
            violations.append(f"I6: {ref} was refused, and lies there")
    late = _late()
    violations += [f"I7: {ref} lies behind the close of its round" for ref in late]
    void = LoggedAction.objects.filter(action__do=Void.do)
    rounds = RoundLog.objects.aggregate(rounds=Count("id"), first=Min("started_at"))
    return {
        "violations": violations,
        "bets": len(bets),
        "stakes": sum(lines.values()),
        "rounds": rounds["rounds"],
        "void": Counter(void.values_list("action__reason", flat=True)),
    }


def _late() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT bet.ref FROM tables_loggedaction bet JOIN tables_loggedaction close ON close.log_id = bet.log_id"
            " WHERE bet.action->>'do' = 'bet' AND close.action->>'do' = 'close' AND bet.seq > close.seq"
            " AND bet.ref IS NOT NULL"
        )
        return [ref for (ref,) in cursor.fetchall()]


ASKED = (
    leases, takeovers, had_just_acted, judge, now, hidden.secrets, hidden.places, hidden.dump, hidden.staff,
)  # fmt: skip
"""What is asked of it, whatever happens meanwhile."""


if __name__ == "__main__":
    answer_all({"prepare": prepare, **{each.__name__: whatever_happens(each) for each in ASKED}})
