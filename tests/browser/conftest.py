"""One house and one Chromium for all tests of this folder; for each test its own people and tables."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from casino.bootstrap import BROWSER, find_browser

from . import fonts
from . import house as houses
from .house import House
from .kit import WITHIN, People, Windows

UNSEEN = (
    # what Playwright switches off itself: of this switch only the last counts
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable"),
    *("HttpsUpgrades", "LensOverlay", "MediaRouter", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
    # two more pages that each window would draw for its address bar, which nobody sees
    *("AimEnabled", "WebUIOmniboxAimPopup", "WebUIOmniboxPopup"),
    # a process that each new window would start for a page that may come
    "SpareRendererForSitePerProcess",
)
ARGUMENTS = (
    f"--disable-features={','.join(UNSEEN)}",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)


@pytest.fixture(scope="package")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A headless Chromium with the chosen fonts. Without both these tests fail: they are never skipped.

    It goes when the last test of this folder has run: while it is there, no other test could have an event loop.
    """
    chromium = find_browser()
    if chromium is None:
        pytest.fail(
            "The browser tests need a Chromium, and there is none. `make test` installs one; or install one yourself "
            f"(Debian: apt-get install {BROWSER}), or say where one is with CHROMIUM=/path/to/it.",
            pytrace=False,
        )
    environment, trouble = {}, ""
    try:
        environment = fonts.environment(tmp_path_factory.mktemp("fonts"))
    except fonts.FontsError as reason:
        trouble = str(reason)
    if trouble:
        pytest.fail(trouble, pytrace=False)  # out here, so that it is one line
    expect.set_options(timeout=WITHIN)
    sandbox = () if os.geteuid() else ("--no-sandbox",)  # root has none in Chromium
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(
            executable_path=chromium,
            args=[*ARGUMENTS, "--process-per-site", *sandbox],  # the tabs of one window: see KeptWindow
            env={**environment},
        )
        yield chrome
        chrome.close()


@pytest.fixture(scope="package")
def open_house(migrated: Path | None) -> Iterator[House]:
    """The house of all tests here. Its books are audited when they are done."""
    with houses.house(migrated) as house:
        yield house
        house.close()
        audit = house.manage("audit")
        assert audit.returncode == 0 and "in order" in audit.stdout, audit.stdout + audit.stderr
        assert "Traceback" not in house.troubles(), house.troubles()


@pytest.fixture
def house(open_house: House) -> House:
    """The house, open whatever the test before has done to it, and without the tables that were played at.

    Each would be a card in the lobby for all who come later.
    """
    open_house.open()
    open_house.ask("closes_the_tables")
    return open_house


@pytest.fixture(scope="package")
def windows(browser: Browser) -> Windows:
    """The windows of that Chromium."""
    return Windows(browser)


@pytest.fixture
def people(windows: Windows, house: House) -> Iterator[People]:
    """Whoever comes during this test. At its end no screen may have had an error it did not expect."""
    people = People(windows, house)
    yield people
    people.leave()
    assert not people.watch.complaints, "\n".join(people.watch.complaints)
