"""A real house under real faults (H1): `python -m tests.torture.chaos [--seed N] [--seconds N] [--broken NAME]`.

Two processes serve and two deal, on a PostgreSQL and a Redis that are killed and started again; people bet at all six
games, and a watcher looks at everything in one snapshot every 200 ms. The seed says what happens, to whom and when.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import tempfile
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from math import ceil
from pathlib import Path
from random import Random  # noqa: TID251 (a run that can be repeated: no chance of the house)
from time import perf_counter
from typing import Any

from tests.bench.places import Child

from .bots import Bot, Felt, page
from .canaries import Canaries
from .faults import DECK, Chaos
from .topology import Topology, topology

PEOPLE, PROBERS = 36, 4

BROKEN = ("money-by-itself", "long-lease", "loose-tongue")

AIMS_S = {"web": 3.0, "Redis": 5.0, "database restarted": 10.0}
"""p99 until bets are taken again after one fault."""

ROLES = 4
"""So many roles must have looked at the surfaces."""

TAKEOVER_S, LONGEST_TAKEOVER_S, RESYNC_S = 5.0, 8.0, 2.0


def p(share: float, values: Sequence[float]) -> float:
    """The value below which this share of all lies."""
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def said(values: Sequence[float]) -> str:
    if not values:
        return "none"
    return f"p50 {p(0.5, values):.1f}, p99 {p(0.99, values):.1f}, max {max(values):.1f} s of {len(values):,}"


async def torment(house: Topology, seed: int, seconds: float, only: Collection[str]) -> dict[str, Any]:
    """Open it, torment it, close it, judge it."""
    chance, began = Random(f"{seed}"), perf_counter()
    clerk = Child("tests.torture.chaos.clerk", house.environment)
    watch: Child | None = None
    try:
        there = await asyncio.to_thread(clerk.ask, "prepare", within=300, people=PEOPLE + PROBERS)
        await house.open()
        bots, probers = await _people(house, there, chance)
        chaos = Chaos(house, clerk, bots, probers)
        playing = [asyncio.create_task(bot.run()) for bot in (*bots, *probers)]
        await chaos.whole()
        watch = Child("tests.torture.chaos.watch", house.environment)
        at_first = perf_counter()
        canaries = Canaries(house, chaos.ask, bots)
        sweeping = asyncio.create_task(canaries.run())
        await chaos.go_on(chance, seconds, only)
        sweeping.cancel()
        await asyncio.gather(sweeping, return_exceptions=True)
        await canaries.sweep()  # one that no fault disturbs
        under_chaos = perf_counter() - at_first
        for each in playing:
            each.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        with suppress(BrokenPipeError):
            watch.stop_asking()
        seen = await asyncio.to_thread(watch.answer, "watch", within=60)
        bets = [
            [bet.player, bet.ref, bet.sent, bet.connections, bet.answers]
            for bot in (*bots, *probers)
            for bet in bot.bets
        ]
        await house.close()  # what is judged as a whole stands still
        judged = await chaos.ask("judge", bets=bets, within=600)
    finally:
        if watch is not None:
            watch.end()
        clerk.end()
        await house.close()
    found = seen["violations"], judged["violations"], chaos.violations, canaries.violations, _complaints(house)
    violations = list(dict.fromkeys(text for each in found for text in each))
    return {
        "snapshots": seen["snapshots"],
        "faults": dict(chaos.done),
        "tried": chaos.tried(),
        "bets": judged["bets"],
        "violations": violations,
        "figures": [*_figures(chaos, seen, judged, violations), _secrecy(canaries, judged["rounds"])],
        "under_chaos": under_chaos,
        "load": os.getloadavg(),
        "seconds": perf_counter() - began,
    }


def _complaints(house: Topology) -> Iterable[str]:
    """What the processes complain of that no fault excuses."""
    for log in sorted(house.folder.glob("*.log")):
        if "a round failed and is void" in log.read_text(errors="replace"):
            yield f"a round failed and is void: {log.name}"


async def _people(house: Topology, there: dict[str, Any], chance: Random) -> tuple[list[Bot], list[Bot]]:
    felts = {
        slug: Felt.of(slug, await page(house.ports[0], f"/tables/{slug}/", "", within_s=60)) for slug in there["tables"]
    }
    probed = felts.pop("probed")
    probed.spots = [spot for spot in probed.spots if spot["spot"] in ("player", "banker")]
    people = [(int(player), str(cookie)) for player, cookie in there["people"]]
    tables = list(felts.values())

    def doors(first: int) -> list[int]:
        """The ports of all, beginning with somebody's own: as behind whatever shares out who comes."""
        return house.ports[first % 2 :] + house.ports[: first % 2]

    def bot(at: int, felt: Felt, *, probes: bool) -> Bot:
        player, cookie = people[at]
        return Bot(player, cookie, felt, lambda: doors(at), Random(chance.getrandbits(64)), probes=probes)

    bots = [bot(at, tables[at // 2 % len(tables)], probes=False) for at in range(PEOPLE)]
    return bots, [bot(PEOPLE + at, probed, probes=True) for at in range(PROBERS)]


def _figures(
    chaos: Chaos, seen: dict[str, Any], judged: dict[str, Any], violations: list[str]
) -> Iterable[dict[str, Any]]:
    """What was reached of figures 2, 6, 7 and 8."""
    load = f"load {os.getloadavg()[1]:.0f}"
    measured, faults = chaos.measured, sum(chaos.done.values())
    void = ", ".join(f"{times} void ({reason})" for reason, times in judged["void"].items()) or "none void"
    what = (
        f"{faults:,} faults, {judged['bets']:,} bets, {judged['rounds']:,} rounds, {void}; "
        f"{seen['unreadable']:,} times unreadable; {load}"
    )
    yield {"figure": 2, "count": seen["snapshots"], "violations": len(violations), "what": what}
    taken, slow = measured.takeover, 0
    if taken:
        slow = (p(0.99, taken) > TAKEOVER_S) + (max(taken) > LONGEST_TAKEOVER_S)
    what = f"{chaos.done['dealer-killed']} kills: {said(taken)}; stopped: {said(measured.stopped)}; {load}"
    yield {"figure": 6, "count": len(taken), "violations": slow, "what": what}
    back = measured.back
    slow = sum(bool(back[name]) and p(0.99, back[name]) > aim for name, aim in AIMS_S.items())
    what = "; ".join([*(f"{name}: {said(values)}" for name, values in back.items()), load])
    yield {"figure": 7, "count": sum(map(len, back.values())), "violations": slow, "what": what}
    slow = bool(measured.resync) and p(0.99, measured.resync) > RESYNC_S
    what = (
        f"{said(measured.resync)}; behind the newest page: {said(measured.lag)}; {measured.compared:,} compared, "
        f"for a moment unlike: {said(measured.unlike)}; {load}"
    )
    yield {"figure": 8, "count": len(measured.resync), "violations": int(slow), "what": what}


def _secrecy(canaries: Canaries, rounds: int) -> dict[str, Any]:
    """What was reached of figure 14."""
    texts, roles = sum(canaries.looked.values()), len(canaries.roles)
    what = (
        f"{canaries.sweeps} sweeps, {texts:,} texts, {roles} roles and the house's own; {rounds:,} rounds: "
        f"{', '.join(sorted(canaries.surfaces))}"
    )
    count = len(canaries.surfaces) if roles >= ROLES else 0
    return {"figure": 14, "count": count, "violations": len(canaries.violations), "what": what}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=120.0, help="of faults")
    parser.add_argument("--fault", choices=DECK, action="append", default=[], help="this alone (may be repeated)")
    parser.add_argument("--broken", choices=BROKEN, default="")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="floor-chaos-") as folder:
        with topology(Path(folder), os.environ.get("DATABASE_URL", ""), wanted.broken) as house:
            found = asyncio.run(torment(house, wanted.seed, wanted.seconds, wanted.fault))
        if keep := os.environ.get("KEEP_LOGS"):
            for log in Path(folder).glob("*.log"):
                shutil.copy(log, keep)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
