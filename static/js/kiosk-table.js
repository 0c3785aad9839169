// @ts-check
// The chooser and the table of a kiosk: what is read on a sheet over the felt, and which touches are meant.
// Loaded before table.js, whose hand it holds back: a touch that is not meant never comes to it.
(function () {
  "use strict";
  const root = document.getElementById("main").closest(".floor") || document.getElementById("main");

  // ── Which touches are meant ──
  //
  // One finger, alone from the moment it comes down until it is lifted, and not within a moment after another was
  // lifted: a screen that bounces, a ghost beside a finger, a palm or several hands at once lay nothing. Times are the
  // events' own, so a page that was busy judges no differently.

  const BOUNCE = 80; // milliseconds
  const ACTS =
    ".spot, .seat, [data-send], [data-deed], [data-neighbours], [data-for], [data-cut-now], [data-asks], [data-unasks], " +
    "[data-stays]";
  const down = new Set(); // fingers on the screen
  let lifted = -Infinity;
  let meant = false; // what the present or the last finger does

  /** @param {PointerEvent} event */
  function press(event) {
    meant = down.size === 0 && event.timeStamp - lifted >= BOUNCE;
    down.add(event.pointerId);
  }
  /** @param {PointerEvent} event */
  function lift(event) {
    down.delete(event.pointerId);
    lifted = event.timeStamp;
  }
  window.addEventListener("pointerdown", press, { capture: true });
  window.addEventListener("pointerup", lift, { capture: true });
  window.addEventListener("pointercancel", lift, { capture: true });
  window.addEventListener("blur", () => down.clear());

  // A decision is taken once: there is no other until the house has answered, or for so long. What it offers then
  // rests for a moment, as each new choice does (table.js); a button that does not rest is heard.
  const PATIENCE = 4000;
  /** @type {{ decision: HTMLElement; notice: HTMLElement; at: number } | null} */
  let taken = null; // where and when the last decision was taken

  /** @param {Event & { target: EventTarget }} event */
  function decided(event) {
    const sends = event.target.closest(".tray__decision :is([data-send], [data-cut-now])");
    if (!sends) return false;
    if (window.floor.rests(sends, event)) return true; // nothing is taken while it rests
    const decision = document.getElementById("decision");
    const notice = document.getElementById("notice");
    const waits = taken?.decision === decision && taken.notice === notice && event.timeStamp - taken.at < PATIENCE;
    if (waits) return true;
    taken = { decision, notice, at: event.timeStamp };
    window.floor.restAnew?.();
    return false;
  }

  window.addEventListener(
    "click",
    (event) => {
      if (event.detail === 0 || !event.target.closest(ACTS)) return; // no finger, or nothing that counts
      const once = meant;
      meant = false; // one touch, one deed
      if (once && !decided(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );

  // ── Sheets: one at a time, over the felt and never over the tray ──

  const papers = [...root.querySelectorAll("[data-paper]")];
  const openers = [...root.querySelectorAll("[data-paper-open]")];

  /** @param {string} name */
  function show(name) {
    for (const paper of papers) paper.hidden = paper.id !== name;
    for (const opener of openers) opener.setAttribute("aria-expanded", String(opener.dataset.paperOpen === name));
  }

  window.floor.paper = show;

  // ── What covers a round that runs closes by itself ──

  const COVERS = 30_000; // milliseconds without a touch
  const card = document.getElementById("article-card");
  let touched = Date.now();

  /** Whether something on this page is decided, with or without whoever reads. */
  function runs() {
    const { round, phase } = document.getElementById("rail")?.dataset ?? {};
    return Boolean(round) && phase !== "settled";
  }

  for (const name of ["pointerdown", "keydown"]) {
    document.addEventListener(name, () => touched = Date.now(), { capture: true });
  }
  window.setInterval(() => {
    if (Date.now() - touched < COVERS || !runs()) return;
    if (papers.some((paper) => !paper.hidden)) show("");
    if (card?.matches(":popover-open")) card.hidePopover();
  }, 1000);

  root.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-paper-open]");
    const open = papers.find((paper) => !paper.hidden);
    if (opener) {
      const name = opener.dataset.paperOpen;
      show(open?.id === name ? "" : name);
      document.getElementById(name).querySelector("h2").focus();
    } else if (
      open && (event.target.closest("[data-paper-close]") || !event.target.closest("[data-paper], .dock, .rail"))
    ) {
      show("");
    }
  });

  // ── Nothing leads away: what is a link for players is a text here ──

  function unlink() {
    for (const link of root.querySelectorAll("a[target]")) {
      link.removeAttribute("href");
      link.removeAttribute("target");
    }
  }
  document.addEventListener("floor:news", unlink);
  unlink();
})();
