// @ts-check
// The door of a kiosk: asks the house which kiosk this screen is, as often as it takes. The worker shows this page too,
// wherever the screen was, while the house is away.
(function () {
  "use strict";
  const AGAIN = 3000; // milliseconds
  const door = document.querySelector(".door");
  const waiting = door.querySelector("[data-waiting]");
  const code = door.querySelector("[data-code]");
  const soon = document.querySelector("[data-soon]");
  const local = window.localStorage;
  const session = window.sessionStorage;

  function newScreen() {
    const bytes = window.crypto.getRandomValues(new Uint8Array(16));
    const screen = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    local.setItem("kiosk.screen", screen);
    return screen;
  }
  const screen = local.getItem("kiosk.screen") || newScreen();

  /** @param {string} state */
  function show(state) {
    door.dataset.state = state;
    waiting.hidden = state !== "waiting";
    soon.hidden = state !== "away";
  }

  async function ask() {
    const last = session.getItem("kiosk.use");
    let told = null;
    try {
      const answer = await window.kiosk.asked(document.body.dataset.begin, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Kiosk": "1" },
        body: JSON.stringify({ screen, last_use: last === null ? null : Number(last) }),
      });
      told = await answer.json();
    } catch {
      told = null;
    }
    if (told?.state === "begun") {
      session.setItem("kiosk.use", String(told.use));
      session.setItem("kiosk.began", String(Date.now()));
      return window.location.replace(told.next);
    }
    if (told?.state === "waiting") {
      code.textContent = told.code;
      show("waiting");
    } else {
      show("away"); // nobody answers, or this kiosk is another screen now
    }
    window.setTimeout(ask, AGAIN);
  }

  // Not at once if it has just been through here: then something behind the door is not well yet.
  const since = Date.now() - Number(session.getItem("kiosk.began"));
  if (since >= 0 && since < AGAIN) {
    show("away");
    window.setTimeout(ask, AGAIN - since);
  } else {
    ask();
  }
})();
