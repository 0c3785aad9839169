"""What the house shows is the same, byte for byte, in each of its processes: a page of one and a push of another meet
on one screen."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from django.conf import settings

from tests.extent import first

FELTS = ("baccarat", "blackjack", "cussec", "roulette", "stud_poker", "three_card_baccarat")

WHAT_IS_SHOWN = """
import hashlib, importlib, json
import django
django.setup()
from django.utils import translation
told = {}
for game in FELTS:
    tests = importlib.import_module(f"tests.floor.test_felt_{game}")
    for language in LANGUAGES:
        with translation.override(language):
            for name, round_ in tests.ROUNDS.items():
                for who, viewer in tests.VIEWERS.items():
                    for fragment, html in tests.whole(tests.state(round_()), viewer).items():
                        where = f"{game}, {name}, {who}, {language}: {fragment}"
                        told[where] = hashlib.sha256(html.encode()).hexdigest()
print(json.dumps(told))
"""


def begun(seed: str) -> subprocess.Popen[str]:
    """A process of its own, in which sets have this order, that says what it shows of each game, phase and viewer."""
    code = WHAT_IS_SHOWN.replace("FELTS", repr(FELTS)).replace("LANGUAGES", repr(first("en", "zh-hant", "pt")))
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONHASHSEED": seed},
        cwd=settings.BASE_DIR, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.mark.in_full
def test_two_processes_show_the_same_bytes() -> None:
    processes = [begun(seed) for seed in ("1", "2")]
    one, other = (json.loads(process.communicate()[0]) for process in processes)
    assert len({name.split(",")[0] for name in one}) == len(FELTS)
    assert [name for name in one if one[name] != other.get(name)] == []
    assert one.keys() == other.keys()
