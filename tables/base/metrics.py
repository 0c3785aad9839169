"""The house's own figures for Prometheus, beside those of requests: of this process, and of nobody by name.

`docs/monitoring/` has a dashboard and alert rules for them.
"""

from __future__ import annotations

from prometheus_client import REGISTRY, Counter, Gauge, Histogram

_WAITS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

SOCKETS = Gauge("floor_sockets", "Open sockets of pages")
PUSH_SECONDS = Histogram(
    "floor_push_seconds",
    "From reading the state of a table until the last of its sockets was handed it",
    buckets=_WAITS,
)
PUSHES_FAILED = Counter("floor_pushes_failed", "Pushes that failed and were tried again")
BETS = Counter("floor_bets", "Bets that were asked for, taken or refused")
BETS_WAITING = Gauge("floor_bets_waiting", "Bets that wait to be placed")
TABLES_DEALT = Gauge("floor_tables_dealt", "Tables whose lease this dealer holds")
TABLES_TAKEN = Counter("floor_tables_taken", "Tables that this dealer has taken, at its start or from another")
STEPS = Counter("floor_steps", "Steps of rounds: what dealers have shuffled, opened, dealt, closed, settled and paid")
STEP_LATE_SECONDS = Histogram("floor_step_late_seconds", "How late a step was begun after it was due", buckets=_WAITS)
ROUNDS_FAILED = Counter("floor_rounds_failed", "Rounds that are void because of an error of the program")


def value_of(name: str) -> float:
    """What a figure is now in this process; 0 for one that nothing was counted of."""
    return REGISTRY.get_sample_value(name) or 0.0
