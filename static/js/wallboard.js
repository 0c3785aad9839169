// @ts-check
// A wallboard: the house's time, tables as large as they can be shown together, and if they cannot, one screen of them
// after the other.
(function () {
  "use strict";
  const TURN = 15_000; // milliseconds that a part is shown
  const MOST = 1.3; // the largest that tiles are drawn
  const { floor, kiosk } = window;
  const tables = /** @type {HTMLElement} */ (document.querySelector("[data-wall-tables]"));
  const alerts = /** @type {HTMLElement} */ (document.querySelector("[data-wall-alerts]"));
  const clock = document.querySelector("[data-wall-clock]");
  const time = new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Macau", hour: "2-digit", minute: "2-digit" });

  kiosk.fit(tables, MOST);

  function tick() {
    const text = time.format(floor.now());
    if (clock.textContent !== text) clock.textContent = text;
  }

  // The next part of what is longer than its place, or the first again.
  /** @param {HTMLElement} part */
  function turn(part) {
    const end = part.scrollTop + part.clientHeight >= part.scrollHeight - 1;
    part.scrollTop = end ? 0 : part.scrollTop + part.clientHeight * 0.9;
  }

  tick();
  window.setInterval(tick, 1000);
  window.setInterval(() => [tables, alerts].forEach(turn), TURN);
})();
