// @ts-check
// The pit: a login locks itself when nobody is at it. What counts is what the house hears of its owner: pages that they
// open, and a word now and then while they type or point. The house decides; this only takes the page away when its time is
// over, in all tabs of a browser together. What the page says by itself over its socket is no word from them.
(function () {
  "use strict";
  const floor = window.floor;
  const limit = document.querySelector("[data-idle]"); // the bar; in the administration, which is not ours, a part
  const IDLE = limit ? Number(limit.dataset.idle) * 1000 : 0;
  if (!IDLE) return;

  const A_WORD = 30_000; // so often at most the house is told that somebody types or points
  const GRACE = 1_500; // the house must have come to the same conclusion
  let told = Date.now();
  let gone = false;

  function heard() {
    told = Date.now();
    floor.remember("pit.seen", String(told));
  }

  function leave() {
    if (gone) return;
    gone = true;
    const here = window.location.pathname + window.location.search;
    window.location.assign("/pit/locked/?next=" + encodeURIComponent(here));
  }

  function look() {
    const last = Math.max(told, Number(floor.recall("pit.seen")) || 0);
    if (Date.now() - last >= IDLE + GRACE) leave();
  }

  async function tell() {
    const token = /** @type {HTMLInputElement} */ (document.querySelector("input[name=csrfmiddlewaretoken]"));
    if (!token || gone || Date.now() - told < A_WORD) return;
    told = Date.now(); // one word at a time
    try {
      const answer = await fetch("/pit/seen/", { method: "POST", headers: { "X-CSRFToken": token.value } });
      if (answer.status === 204) heard();
      else if (answer.status === 409 || answer.redirected) leave();
    } catch {
      // the line is down; the next word may come through
    }
  }

  for (const kind of ["pointerdown", "keydown", "wheel"]) document.addEventListener(kind, tell, { passive: true });
  document.addEventListener("htmx:afterRequest", heard);
  document.addEventListener("visibilitychange", look);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) look(); // a page out of the browser's memory is no word from them
  });
  window.setInterval(look, 1000);
  heard();
  if (document.querySelector("[data-print]")) window.print(); // a slip that was asked to be printed
})();
