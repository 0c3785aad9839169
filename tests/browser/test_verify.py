"""The verifier in the browser: it finds what `verify.py` finds, claim by claim, and says it to people."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import FilePayload, Page, expect

from tests.fairness import verifier
from tests.fairness.bundles import HOUSE, good, mutants
from tests.fairness.test_verifier import BAD

from .house import House
from .kit import PHONE, People
from .test_access import is_accessible

verify = verifier.load()


def found_by_the_page(page: Page, texts: list[str]) -> list[Any]:
    found: list[Any] = page.evaluate(
        """async ([texts, house]) => {
            const found = [];
            for (const text of texts) {
                const claims = await window.floor.proof.verify(text, house, "");
                found.push(claims.map((claim) => [claim.code, claim.of, claim.state]));
            }
            return found;
        }""",
        [texts, HOUSE],
    )
    return found


def found_by_the_program(text: str) -> list[Any]:
    return [[code, of, state] for code, of, state, _detail in verify.verify(text.encode(), HOUSE)]


def test_the_page_finds_what_the_program_finds_and_says_it(people: People, house: House) -> None:
    ana = people.comes("Ana", screen=PHONE).goes("/verify/")
    page = ana.page
    # the same claims of good bundles, and of those in which any single value has been changed (of the leaves three)
    seen: set[object] = set()
    texts = [json.dumps(bundle) for bundle in good().values()]
    for bundle in good().values():
        for path, _other, changed in mutants(bundle):
            if (id(bundle), path) not in seen and not ("leaves" in path and int(path[-1]) > 2):
                texts.append(json.dumps(changed))
            seen.add((id(bundle), path))
    texts += [data.decode() for data, *_ in BAD if data != b"\xff\xfe"]
    for text, by_page in zip(texts, found_by_the_page(page, texts), strict=True):
        assert by_page == found_by_the_program(text), text[:3000]

    # pasted, with one that was kept
    mine = {**good()["blackjack"], "house": house.url}
    page.locator("#bundle").fill(json.dumps(mine))
    page.locator("#noted").fill(json.dumps(mine))
    page.get_by_role("button", name="Check").click()
    lines = page.locator("[data-list] li")
    expect(page.get_by_role("heading", name="What your browser found")).to_be_focused()
    expect(
        lines.filter(has_text="Pack 31 · The house’s seed is the one that it had committed to. Proven.")
    ).to_be_visible()
    expect(lines.filter(has_text="Not checked here.")).to_have_count(1)  # the stakes
    expect(lines.filter(has_text="Broken.")).to_have_count(0)
    is_accessible(ana, "a round that was checked")

    # chosen as a file
    mine["cards"][0]["card"] = "Qs" if mine["cards"][0]["card"] != "Qs" else "Qh"
    spoilt = json.dumps(mine).encode()
    file = page.locator("[data-file]")
    file.set_input_files(FilePayload(name="proof.json", mimeType="application/json", buffer=spoilt))
    expect(lines.filter(has_text="Broken.").filter(has_text="Card 5 ·")).to_be_visible()
    huge = b" " * (verify.MOST_BYTES + 1)
    file.set_input_files(FilePayload(name="huge.json", mimeType="application/json", buffer=huge))
    expect(lines).to_have_text(["This is too large for a proof. Broken."])

    # dropped
    page.evaluate(
        """(text) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], "proof.json"));
            const about = { dataTransfer, bubbles: true, cancelable: true };
            document.getElementById("bundle").dispatchEvent(new DragEvent("drop", about));
        }""",
        json.dumps(good()["cussec"]),
    )
    expect(lines).to_have_text([f"{HOUSE} · This is the proof of another house. Broken."])
