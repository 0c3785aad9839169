// @ts-check
// Every page of the pit: seconds that run, a filter that goes on with what is pushed, the open alerts in the title, their
// column with what stands open there, tables that are opened meanwhile, and the deeds that go with how a table stands.
(function () {
  "use strict";
  const floor = window.floor;
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("[data-pit-filter]"));
  const title = document.title.replace(/^\(\d+\) /, "");

  function tick() {
    for (const table of document.querySelectorAll("[data-ends-at]")) {
      const seconds = table.querySelector("[data-seconds-left]");
      if (!seconds) continue;
      const left = floor.arithmetic.secondsLeft(Number(table.dataset.endsAt), floor.now());
      const text = left > 0 ? String(left) : "";
      if (seconds.textContent !== text) seconds.textContent = text;
    }
  }

  function count() {
    const open = Number(document.getElementById("pit-count-alerts")?.dataset.count || 0);
    document.title = open > 0 ? `(${open}) ${title}` : title;
  }

  // What is urgent rings once, where sound is switched on.
  let urgent = Number.POSITIVE_INFINITY;
  function ring() {
    const now = Number(document.getElementById("pit-alerts")?.dataset.urgent || 0);
    if (now > urgent) floor.play("bell");
    urgent = now;
  }

  // The alerts come anew whenever one changes: what somebody has opened or folded stays so.
  /** @type {Map<string, boolean>} */
  const folded = new Map();
  function keepFolds() {
    for (const one of document.querySelectorAll(".pit-alarm")) {
      const group = /** @type {HTMLDetailsElement} */ (/** @type {unknown} */ (one));
      if (folded.has(group.id)) group.open = folded.get(group.id);
    }
  }
  document.addEventListener("click", (event) => {
    const line = event.target.closest(".pit-alarm > summary");
    const group = /** @type {HTMLDetailsElement | undefined} */ (line?.parentElement);
    if (group) folded.set(group.id, !group.open);
    const fold = event.target.closest("[data-alarms-fold]");
    if (fold) {
      const shown = fold.closest("[data-alarms]").classList.toggle("is-shown");
      fold.setAttribute("aria-expanded", String(shown));
    }
  });

  function filter() {
    if (!form) return;
    const game = form.elements.game.value;
    const calling = form.elements.attention.checked;
    let shown = 0;
    for (const place of document.querySelectorAll(".pit-tables > [data-game]")) {
      const calls = place.querySelector(".is-calling") !== null;
      place.hidden = (game !== "" && place.dataset.game !== game) || (calling && !calls);
      shown += place.hidden ? 0 : 1;
    }
    document.querySelector("[data-none]").hidden = shown > 0;
  }

  // A tile whose table was not there when the page was made gets a place at the end, and then comes in like the others.
  /** @param {CustomEvent<{ message: string }>} event */
  function makeRoom(event) {
    const places = document.querySelector(".pit-tables");
    if (!places) return;
    const tiles = new DOMParser().parseFromString(event.detail.message, "text/html").querySelectorAll(".pit-table");
    for (const tile of tiles) {
      if (document.getElementById(tile.id)) continue;
      const place = document.createElement("li");
      place.dataset.game = tile.dataset.game;
      place.appendChild(document.createElement("article")).id = tile.id;
      places.appendChild(place);
    }
  }

  // What is pushed takes the place of what has the focus: whoever goes by the keyboard stays where they are.
  let focused = "";
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const here = /** @type {HTMLButtonElement} */ (document.activeElement);
    if (!event.detail.target.contains(here)) return;
    const named = here.name && `[name="${here.name}"][value="${CSS.escape(here.value)}"]`;
    focused = here.id ? `#${CSS.escape(here.id)}` : named || "";
  });
  function focusAgain() {
    const lost = focused && document.activeElement === document.body;
    if (lost) /** @type {HTMLElement | null} */ (document.querySelector(focused))?.focus({ preventScroll: true });
    focused = "";
  }

  // What can be done with a table, or a kiosk: data-if and data-unless name how it must stand, or must not.
  function fit() {
    const stands = document.querySelector("[data-is]")?.dataset.is.split(" ");
    if (!stands) return;
    /** @param {string} names */
    const so = (names) => names.split(" ").some((name) => stands.includes(name));
    for (const deed of document.querySelectorAll("[data-if], [data-unless]")) {
      deed.hidden = ("if" in deed.dataset && !so(deed.dataset.if)) || so(deed.dataset.unless || "");
    }
  }

  function remember() {
    const query = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    for (const [name, value] of [...query]) if (!value) query.delete(name);
    window.history.replaceState(null, "", query.size ? `?${query}` : window.location.pathname);
    const back = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-next]"));
    if (back) back.value = window.location.pathname + window.location.search;
  }

  function news() {
    focusAgain();
    tick();
    count();
    ring();
    keepFolds();
    filter();
    fit();
  }

  window.setInterval(tick, 250);
  document.addEventListener("htmx:wsBeforeMessage", makeRoom);
  document.addEventListener("floor:news", news);
  if (form) {
    form.querySelector("[data-filter-button]").hidden = true;
    form.addEventListener("change", (event) => {
      if (event.target.matches("[data-order]")) form.submit();
      const view = /** @type {HTMLSelectElement} */ (form.elements.view).value;
      document.querySelector("[data-floor]").classList.toggle("is-list", view === "list");
      remember();
      filter();
    });
  }
  news();
})();
