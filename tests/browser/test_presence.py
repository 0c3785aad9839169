"""That one is at a table: what has won is seen at its spot, the dealer's voice, being called when it is one's turn."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.extent import first

from .house import House
from .kit import People
from .test_playing import A_SHOE
from .test_roulette_playing import at_roulette

DEVICE_THAT_SPEAKS = """
  window.said = [];
  const voices = ["en-GB", "pt-PT", "zh-HK"].map((lang) =>
    ({ lang, localService: true, name: lang, voiceURI: lang, default: false }));
  speechSynthesis.getVoices = () => voices;
  speechSynthesis.speak = (words) => window.said.push([words.lang, words.volume, words.text]);
  Object.defineProperty(SpeechSynthesisUtterance.prototype, "voice", { set() {}, get: () => null });
"""
"""A browser under test has no voices: this one has three, and notes what they say. To be there before the page."""

DEVICE_THAT_SOUNDS = """
  window.heard = new Set();
  const sources = { OscillatorNode: (one) => one.frequency.value, AudioBufferSourceNode: (one) => one.loop };
  for (const [name, sound] of Object.entries(sources)) {
    const { start } = AudioScheduledSourceNode.prototype;
    window[name].prototype.start = function (...at) {
      window.heard.add(`${name} ${Math.round(sound(this))}`);
      return start.apply(this, at);
    };
  }
"""
"""Notes each kind of sound that is started: tones by their frequency, noise by whether it goes on. Before the page."""

CHIP, BELL, YOUR_TURN, WIN, DROP = (f"OscillatorNode {hertz}" for hertz in (3100, 880, 659, 523, 1900))
NOISE, ROLLING = "AudioBufferSourceNode 0", "AudioBufferSourceNode 1"


def _said(page: Page, what: str) -> None:
    """Expect that this becomes true of `window.said`. The policy of the page lets no text be evaluated later, so the
    page itself looks again."""
    page.evaluate(
        "new Promise((done, fail) => { const look = (left) =>"
        f" {what} ? done(null) : left ? setTimeout(look, 50, left - 1) : fail(new Error('never said')); look(600); }})"
    )


def test_what_has_won_stands_at_its_spot_and_no_paid_stake_lies_on_the_felt(people: People, house: House) -> None:
    """With little motion, at once; with motion the purse counts up to the same."""
    table = house.table()
    ana = people.at(table, "Ana")
    bea = people.at(table, "Bea", reduced_motion="no-preference")
    ana.betting()
    bea.betting()
    house.stack(table, "Ks 3c 2d Th 8s")
    ana.stakes(50, "player", "banker")
    bea.stakes(100, "banker")
    for one in (ana, bea):
        one.is_ready()
    for one, won in ((ana, "+47.50"), (bea, "+95")):
        one.phase("settled")
        expect(one.page.locator("#my-result[data-net]")).to_be_visible()
        expect(one.spot("banker").locator(".won")).to_have_text(won)
        expect(one.spot("banker").locator(".own")).to_be_hidden()
        one.agrees_with_the_ledger()
    expect(ana.page.locator(".won")).to_have_count(1)
    expect(ana.spot("player").locator(".own, .all__total").first).to_be_hidden()
    expect(ana.page.locator(".flying")).to_have_count(0)
    ana.betting(not_in=ana.rail.get_attribute("data-round"))
    expect(ana.page.locator(".won, .is-paid")).to_have_count(0)
    ana.stakes(5, "banker")
    expect(ana.spot("banker").locator(".own")).to_be_visible()


@pytest.mark.in_full
def test_a_bettor_who_looks_elsewhere_is_called_and_the_dealer_speaks_if_asked(people: People, house: House) -> None:
    table = house.table(**A_SHOE)
    ana = people.comes("Ana", language="pt-PT")
    ana.page.add_init_script(DEVICE_THAT_SPEAKS)
    ana.sits_down_at(table)
    ana.betting()
    scripts = ana.page.locator("script[src*='/voice'], script[src*='/sound']")
    expect(scripts).to_have_count(0)  # off, and not even there
    ana.page.locator(".menu summary").filter(visible=True).first.click()
    ana.page.get_by_label("Volume").fill("40")
    ana.page.get_by_role("button", name="Voz do croupier").click()
    expect(scripts).to_have_count(1)
    _said(ana.page, "window.said.length === 1")
    ana.page.keyboard.press("Escape")
    ana.sits(3)
    ana.stakes(50, "player")
    house.stack(table, "Ks 3c 2d Th 8s")
    title = ana.page.title()
    ana.page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })")
    ana.is_ready()
    ana.phase("open_player")
    expect(ana.page).to_have_title(re.compile(f"^● .+ · {re.escape(title)}$"))
    ana.page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    expect(ana.page).to_have_title(title)
    ana.turns_until_the_result()
    ana.phase("settled")
    _said(ana.page, "window.said.some(([, , text]) => text.includes('Ganha o grupo banqueiro, 3 a 0'))")
    said = ana.page.evaluate("window.said")
    assert all(lang == "pt-PT" and abs(volume - 0.4) < 0.01 for lang, volume, _ in said)
    texts = [text for _, _, text in said]
    assert len(set(texts[1:])) == len(texts[1:]), texts  # each call once, after that of the switch itself
    ana.page.evaluate(
        "document.querySelector('[data-dealer]').textContent = 'Nova';"  # as at the first round of another shift
        "document.dispatchEvent(new CustomEvent('floor:news'))"
    )
    expect(ana.notice).to_contain_text("Nova")
    _said(ana.page, "window.said.at(-1)[2].includes('Nova')")


CALLS = {
    "en-GB": ("Place your bets", "No more bets", r"^Number \d+, (Red|Black|Green)$"),
    "pt-PT": ("Façam as vossas apostas", "Apostas encerradas", r"^Número \d+, (Encarnado|Preto|Verde)$"),
    "zh-HK": ("請下注", "停止下注", r"\d+.*, (紅|黑|綠)$"),
}
"""What a dealer of Roulette says of the phases, and of the number."""


@pytest.mark.parametrize("language", first(*CALLS))
def test_the_dealer_calls_each_phase_and_the_number_in_the_language_of_the_page(
    people: People, house: House, language: str
) -> None:
    ana = people.comes("Ana", language=language)
    ana.page.add_init_script(DEVICE_THAT_SPEAKS)
    ana.page.add_init_script("localStorage.setItem('floor.voice', 'on')")
    ana.sits_down_at(at_roulette(house, times={"beat": 1_000}))  # each phase is pushed
    ana.betting()
    ana.stakes(1, "red")
    ana.is_ready()
    ana.phase("settled")
    opens, closes, number = CALLS[language]
    _said(ana.page, f"window.said.some(([, , text]) => /{number}/.test(text))")
    said = ana.page.evaluate("window.said")
    assert {lang for lang, _, _ in said} == {language}
    texts = [text for _, _, text in said]
    called = next(at for at, text in enumerate(texts) if re.search(number, text))
    texts = texts[: called + 1]  # the next round may have begun
    assert opens in texts
    assert any(closes in text for text in texts), texts
    assert len(set(texts)) == len(texts), texts


def test_what_is_heard_is_what_happens_and_nothing_before_sound_is_switched_on(people: People, house: House) -> None:
    table = house.table(**A_SHOE)
    ana = people.comes("Ana", reduced_motion="no-preference")
    ana.page.add_init_script(DEVICE_THAT_SOUNDS)
    ana.sits_down_at(table)
    ana.betting()
    ana.sits(3)
    ana.stakes(1, "banker")
    assert ana.page.evaluate("window.heard.size") == 0
    ana.page.locator(".menu summary").filter(visible=True).first.click()
    ana.page.get_by_role("button", name="Sound", exact=True).click()
    ana.page.keyboard.press("Escape")
    ana.stakes(50, "banker")
    _said(ana.page, f"window.heard.has('{CHIP}')")
    house.stack(table, "Ks 3c 2d Th 8s")
    ana.is_ready()
    ana.turns_until_the_result()
    ana.phase("settled")
    for sound in (BELL, NOISE, YOUR_TURN, WIN):
        _said(ana.page, f"window.heard.has('{sound}')")
    assert not ana.page.evaluate(f"window.heard.has('{ROLLING}')")


def test_the_ball_is_heard_to_roll_and_to_drop(people: People, house: House) -> None:
    ana = people.comes("Ana", reduced_motion="no-preference")
    ana.page.add_init_script(DEVICE_THAT_SOUNDS)
    ana.page.add_init_script("localStorage.setItem('floor.sound', 'on')")
    ana.sits_down_at(at_roulette(house))
    ana.betting()
    ana.stakes(1, "red")
    ana.is_ready()
    _said(ana.page, f"window.heard.has('{ROLLING}')")
    assert not ana.page.evaluate(f"window.heard.has('{DROP}')")
    ana.phase("settled")
    _said(ana.page, f"window.heard.has('{DROP}')")
