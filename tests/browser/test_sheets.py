"""What the style sheets say is known to the browser: no property is misspelt, and no value."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from casino.checks.sheets import SHEETS, declarations
from casino.static_files import trimmed

pytestmark = pytest.mark.any_database

UNKNOWN = """
(said) => said.filter(([, name, value]) => {
    if (name.startsWith("--")) return false;
    return value.includes("var(") ? !(name in document.body.style) : !CSS.supports(name, value);
})
"""
OTHERS = ("-moz-", "-webkit-touch-callout")
"""What only other browsers know."""


def test_the_browser_knows_all_that_the_sheets_say(browser: Browser) -> None:
    said = [
        [f"{file.relative_to(SHEETS)}:{line}", name, value.removesuffix("!important").strip()]
        for file in sorted(SHEETS.rglob("*.css"))
        for line, _, heads, name, value in declarations(file.read_text())
        if not heads[-1].startswith(("@font-face", "@page", "@property")) and not name.startswith(OTHERS)
        if not value.startswith(OTHERS)
    ]
    page = browser.new_page()
    unknown = page.evaluate(UNKNOWN, said)
    page.close()
    assert len(said) > 1000
    assert unknown == []


READ = """(sheets) => sheets.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    // what has a var() in it is kept as it was written
    return [...sheet.cssRules].map((rule) => rule.cssText.replace(/\\s+/g, " ").replace(/ ?([,()/]) ?/g, "$1"));
})
"""


def test_the_sheets_mean_the_same_as_they_are_sent(browser: Browser) -> None:
    """Without comments and indents."""
    written = [file.read_text() for file in sorted(SHEETS.rglob("*.css"))]
    sent = [trimmed("one.css", text.encode()).decode() for text in written]
    page = browser.new_page()
    meant, understood = page.evaluate(READ, written), page.evaluate(READ, sent)
    page.close()
    assert meant == understood
    assert sum(map(len, sent)) < sum(map(len, written)) * 0.8
