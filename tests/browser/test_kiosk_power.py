"""The power of a screen is cut, many times: its browser dies wherever it is, and the next one is its kiosk again."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, expect

from casino.bootstrap import find_browser
from tests.extent import nightly

from .conftest import ARGUMENTS
from .house import House, Table
from .kiosks import DOOR, Device
from .kit import KIOSK
from .test_kiosk_screen import KIOSKS

CUTS = nightly(50, otherwise=10)


@contextmanager
def switched_on(browser: Browser, profile: Path) -> Iterator[BrowserContext]:
    """A Chromium with this profile, as the device starts one."""
    chromium = find_browser()
    assert chromium is not None
    sandbox = () if os.geteuid() else ("--no-sandbox",)
    context = browser.browser_type.launch_persistent_context(
        profile, executable_path=chromium, args=[*ARGUMENTS, *sandbox], locale="en-GB", reduced_motion="reduce", **KIOSK
    )
    try:
        yield context
    finally:
        with suppress(Error):
            context.close()


def power_is_cut(profile: Path) -> None:
    """All that runs with this profile dies at once."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0")
            if f"--user-data-dir={profile}".encode() in words and not any(w.startswith(b"--type=") for w in words):
                os.kill(int(process.name), signal.SIGKILL)
                return
    raise AssertionError("no browser runs with this profile")


@pytest.mark.in_full
def test_a_screen_whose_power_is_cut_is_back_between_visitors_each_time(
    browser: Browser, house: House, tmp_path: Path
) -> None:
    """Cut between visitors, at a table, and before the first page is there; nobody touches it to bring it back."""
    table: Table = house.table(realm=KIOSKS)
    kiosk = house.kiosk(table)
    profile = tmp_path / "profile"
    with switched_on(browser, profile) as context:
        device = Device(context.pages[0], house, kiosk)
        device.opens()
        expect(device.code).not_to_be_empty()
        house.ask("confirms", kiosk=kiosk.id, code=device.code.inner_text())
        device.attracts()
    for cut in range(CUTS):
        with switched_on(browser, profile) as context:
            device = Device(context.pages[0], house, kiosk)
            if cut % 5 == 4:
                device.page.goto(house.url + DOOR, wait_until="commit")
            else:
                device.opens().attracts()
            if cut % 5 == 2:
                device.is_touched().is_at(table)
            power_is_cut(profile)
    with switched_on(browser, profile) as context:
        device = Device(context.pages[0], house, kiosk)
        device.opens().attracts()
        assert device.state["visitor"] is None
        assert device.state["alerts"] == []
