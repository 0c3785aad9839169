"""What is ready for those who watch the house: each figure in it is one that the house tells."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.test import Client
from prometheus_client import REGISTRY

from tables.base import metrics
from tests.house.kit import House

FOLDER = Path(__file__).parents[2] / "docs" / "monitoring"


def told() -> set[str]:
    """The names of all figures, as a query may use them."""
    return {sample.name for family in REGISTRY.collect() for sample in family.samples} | {
        family.name + ending for family in REGISTRY.collect() for ending in ("", "_total", "_bucket")
    }


def named(text: str) -> set[str]:
    return set(re.findall(r"\b(?:floor|process|django)_[a-z_]+", text))


@pytest.mark.parametrize("file", ["alerts.yaml", "dashboard.json"])
def test_rules_and_dashboard_ask_for_figures_that_there_are(file: str) -> None:
    asked = named((FOLDER / file).read_text())
    assert asked and asked <= told()


def test_each_figure_of_ours_is_on_the_dashboard() -> None:
    dashboard = (FOLDER / "dashboard.json").read_text()
    json.loads(dashboard)
    ours = {family.name for family in REGISTRY.collect() if family.name.startswith("floor_")}
    assert not {name for name in ours if name not in dashboard}


@pytest.mark.django_db
def test_the_page_of_figures_has_ours(house: House) -> None:
    page = Client().get("/metrics").content.decode()
    assert re.search(r"^floor_sockets \d", page, re.MULTILINE)
    assert re.search(r"^floor_push_seconds_count \d", page, re.MULTILINE)
    assert metrics.value_of("floor_nothing") == 0
