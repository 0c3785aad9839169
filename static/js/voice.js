// @ts-check
// The dealer's calls, said aloud by the browser: how the phase is called, and how the round has ended once that is seen.
// Only voices of the device speak: one that lives elsewhere would be told what is said here.
(function () {
  "use strict";
  const floor = window.floor;
  const synthesis = window.speechSynthesis;
  const language = document.documentElement.lang;
  let on = true; // it is loaded when it is switched on

  /**
   * @param {string} text
   */
  function say(text) {
    if (!on || !text || document.hidden) return;
    const voice = floor.arithmetic.voiceFor(language, synthesis.getVoices());
    if (!voice) return;
    const words = new SpeechSynthesisUtterance(text);
    words.voice = /** @type {SpeechSynthesisVoice} */ (voice);
    words.lang = voice.lang;
    words.volume = floor.volume;
    if (synthesis.pending) synthesis.cancel(); // what is late is not said any more
    synthesis.speak(words);
  }

  /** @param {string} selector */
  function read(selector) {
    const found = document.querySelector(selector);
    if (!found) return "";
    const copy = found.cloneNode(true);
    for (const one of copy.querySelectorAll(".article, [aria-hidden=true]")) one.remove();
    return copy.textContent.replace(/\s+/g, " ").trim();
  }

  function now() {
    const { round, phase, pace } = document.getElementById("rail").dataset;
    const result = [read("#result .result__headline"), read(".spin__words")].filter(Boolean).join(", ");
    return { round, phase, pace, words: read(".rail__words"), result };
  }

  let before = now();
  document.addEventListener("floor:told", () => {
    const here = now();
    say(floor.arithmetic.calls(before, here));
    before = here;
  });
  document.addEventListener("floor:call", (event) => say(event.detail));
  document.addEventListener("floor:voice", (event) => {
    on = event.detail.on;
    if (!on) synthesis.cancel();
    else if (event.detail.asked) say(before.words);
  });
  synthesis.getVoices(); // a browser lists them when it is asked, and a little later
  say(before.words);
})();
