"""What the style sheets say is known to the browser: no property is misspelt, and no value."""

from __future__ import annotations

from playwright.sync_api import Browser

from casino.checks.sheets import SHEETS, declarations

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
        if not heads[-1].startswith(("@font-face", "@page")) and not name.startswith(OTHERS)
        if not value.startswith(OTHERS)
    ]
    page = browser.new_page()
    unknown = page.evaluate(UNKNOWN, said)
    page.close()
    assert len(said) > 1000
    assert unknown == []
