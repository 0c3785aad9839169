// @ts-check
// Playing safely at a table: how long its player is here and the net result, beside the clock; and the reality check,
// which comes between rounds and stays until it has been read. The house takes no bet before, whatever runs here.
(function () {
  "use strict";
  const floor = window.floor;
  const strip = /** @type {HTMLElement | null} */ (document.querySelector("[data-played]"));
  const dialog = /** @type {HTMLDialogElement | null} */ (document.querySelector("[data-check]"));
  if (!strip || !dialog) return;

  const time = strip.querySelector("[data-played-time]");
  const net = strip.querySelector("[data-played-net]");
  const credits = floor.arithmetic.creditsIn(document.documentElement.lang);
  const EVERY = 300_000; // milliseconds: what moves outside of rounds (a comp) counts as won no longer than that
  const AGAIN = 3000; // milliseconds until a check that is due is asked for again
  let asked = performance.now();
  let asking = false;

  const purse = () => document.getElementById("wallet").dataset;
  /** @type {() => Bet[]} */
  const bets = () => JSON.parse(purse().bets || "[]");

  function tell() {
    const minutes = Math.max(0, Math.floor((floor.now() - Number(strip.dataset.since)) / 60_000));
    const said = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
    if (time.textContent !== said) time.textContent = said;
    const cents = Number(purse().balance || 0) - Number(strip.dataset.base);
    const sum = `${cents > 0 ? "+" : cents < 0 ? "−" : ""}${credits(Math.abs(cents))}`;
    if (net.textContent !== sum) net.textContent = sum;
  }

  // Nothing of the player's lies in the round, and nothing is theirs to decide.
  function between() {
    const decides = document.querySelector("#decision button:not([disabled]), #my-cards button:not([disabled])");
    return !decides && !bets().some((bet) => !bet.carried) && !document.querySelector("dialog[open]");
  }

  // Whether the house has answered; what it says stands in the dialog then.
  /** @param {RequestInit} [about] */
  async function ask(about) {
    if (asking) return false;
    asking = true;
    asked = performance.now();
    try {
      const answer = await fetch(strip.dataset.url, { cache: "no-store", ...about });
      if (!answer.ok || answer.redirected) return false; // the line to the house says why
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const says = /** @type {HTMLElement} */ (page.querySelector("[data-check-says]"));
      Object.assign(strip.dataset, { ...says.dataset, checkSays: undefined });
      dialog.replaceChildren(document.importNode(says, true));
      return true;
    } catch {
      return false; // asked again a little later
    } finally {
      asking = false;
    }
  }

  const due = () => floor.now() >= Number(strip.dataset.due);

  async function tick() {
    tell();
    if (dialog.open || document.hidden) return;
    const since = performance.now() - asked;
    if (due() && between()) {
      if (since > AGAIN && await ask() && due() && between()) dialog.showModal();
    } else if (since > EVERY) await ask();
  }

  dialog.addEventListener("cancel", (event) => event.preventDefault()); // only reading it closes it
  dialog.addEventListener("keydown", (event) => event.stopPropagation()); // no key stakes meanwhile
  dialog.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    await ask({ method: "POST", body: new URLSearchParams(/** @type {any} */ (new FormData(form))) });
    if (!due()) dialog.close();
    tell();
  });

  document.addEventListener("floor:news", tell);
  window.setInterval(tick, 1000);
  if (due()) asked = -Infinity; // asked for at once, if nothing lies
  tick();
})();
