// @ts-check
// The squeeze: a card that one holds is peeled with a finger, a mouse or the arrow keys, and everybody sees the bend.
// Said is only how far; which pips that uncovers the house answers. Pulled right across, or by Enter, a card is turned.
// Of a hand that lies before its bettor alone nothing is said to anybody: own-cards.js hears it here.
(function () {
  "use strict";
  const floor = window.floor;
  const root = document.getElementById("floor");
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const STEPS = 10;
  const LIFTED = 1.3; // so far a card is pulled that is turned: 1 is the last step
  const BETWEEN = 120; // milliseconds between two messages
  const DRAWN = 6; // pixels until it is clear from which edge
  const KEYS = /** @type {Record<string, string>} */ ({
    ArrowUp: "short",
    ArrowLeft: "long",
    ArrowRight: "corner",
    " ": "short",
  });

  // ── What is said ──

  const round = () => Number(document.getElementById("rail").dataset.round);
  /** @type {Map<string, number>} */
  const said = new Map(); // round, card and edge -> the furthest step
  /** @type {Bent | null} */
  let wanted = null; // the newest that has not been said
  let timer = 0;

  /** @param {HTMLElement} peeler @returns {Held} */
  const held = (peeler) => ({ round: round(), hand: peeler.dataset.hand, card: Number(peeler.dataset.card) });
  /** @param {Held} card @param {string} edge */
  const named = (card, edge) => [card.round, card.hand, card.card, edge].join();
  /** @param {HTMLElement} peeler @param {string} edge */
  function furthest(peeler, edge) {
    const shown = peeler.querySelector(`.peel[data-edge="${edge}"]`);
    return Math.max(said.get(named(held(peeler), edge)) || 0, Number(shown?.dataset.step || 0));
  }

  /** @param {Held} card @param {string} edge @param {number} step */
  function bend(card, edge, step) {
    if (step < 1 || step <= (said.get(named(card, edge)) || 0)) return;
    wanted = { ...card, edge, step: Math.min(step, STEPS) };
    if (!timer) speak();
  }

  function speak() {
    timer = 0;
    if (!wanted) return;
    const { edge, step } = wanted;
    if (tell({ do: "peel", ...wanted })) said.set(named(wanted, edge), step);
    wanted = null;
    timer = window.setTimeout(speak, BETWEEN);
  }

  /** @param {Held} card */
  function turn(card) {
    wanted = null;
    tell({ do: "turn", ...card });
  }

  /** @param {Message & Held} message */
  function tell(message) {
    if (peelerOf(message)?.dataset.peel !== "own") return floor.send(message);
    document.dispatchEvent(new CustomEvent("floor:own-card", { detail: message }));
    follow();
    return "own";
  }

  // ── With a finger or a mouse. What one has gripped may come anew while one pulls: the floor itself hears the pointer ──

  /** @type {Grip | null} */
  let grip = null;

  root.addEventListener("pointerdown", (event) => {
    const peeler = event.target.closest("[data-peel]");
    if (!peeler || event.button !== 0 || grip) return;
    event.preventDefault();
    peeler.focus({ preventScroll: true });
    const { width, height } = peeler.getBoundingClientRect();
    grip = {
      pointer: event.pointerId,
      card: held(peeler),
      edge: "",
      x: event.clientX,
      y: event.clientY,
      width,
      height,
    };
    root.setPointerCapture(event.pointerId);
  });

  root.addEventListener("pointermove", (event) => {
    if (grip?.pointer !== event.pointerId) return;
    const [across, along] = [Math.abs(event.clientX - grip.x), Math.abs(event.clientY - grip.y)];
    if (!grip.edge && Math.hypot(across, along) < DRAWN) return;
    grip.edge ||= across > 2 * along ? "long" : along > 2 * across ? "short" : "corner";
    const pulled = {
      short: along / grip.height,
      long: across / grip.width,
      corner: (across + along) / 2 / grip.width,
    }[grip.edge];
    bend(grip.card, grip.edge, Math.floor(pulled * STEPS));
    if (pulled < LIFTED) return;
    turn(grip.card);
    grip = null;
  });

  for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
    root.addEventListener(name, (event) => {
      if (grip?.pointer !== event.pointerId) return;
      const peeler = grip.edge || name === "pointercancel" ? null : peelerOf(grip.card);
      grip = null;
      if (peeler) further(peeler, "short"); // a touch bends it a little
    });
  }

  // ── With keys ──

  /** @param {HTMLElement} peeler @param {string} edge */
  function further(peeler, edge) {
    bend(held(peeler), edge, furthest(peeler, edge) + 1);
  }

  root.addEventListener("keydown", (event) => {
    const peeler = event.target.closest("[data-peel]");
    if (!peeler || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" && !event.repeat) turn(held(peeler));
    else if (KEYS[event.key]) further(peeler, KEYS[event.key]);
    else if (event.key !== "Enter") return;
    event.preventDefault();
  });
  root.addEventListener("click", (event) => { // of a screen reader: no finger has pressed
    const peeler = event.target.closest("[data-peel]");
    if (peeler && event.detail === 0) further(peeler, "short");
  });

  // ── A card that comes anew keeps the focus, and bends from where it was ──

  /** @param {Held} card */
  const peelerOf = ({ hand, card }) => root.querySelector(`[data-peel][data-hand="${hand}"][data-card="${card}"]`);
  /** @type {Held | null} */
  let focused = null;
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const peeler = event.detail.target.id === "my-cards" && document.activeElement?.closest("[data-peel]");
    if (peeler) focused = held(peeler);
  });

  /** @type {Map<string, { edge: string; bent: number }>} */
  let bends = new Map();
  let first = true;

  function follow() {
    if (focused) (peelerOf(focused) || root.querySelector("[data-peel]"))?.focus({ preventScroll: true });
    focused = null;
    const seen = new Map();
    for (const peel of root.querySelectorAll(".peel")) {
      const { edge, step } = peel.dataset;
      const { key } = peel.querySelector(".card").dataset;
      const bent = Number(step) / STEPS;
      const before = bends.get(key);
      const from = before?.edge === edge ? before.bent : 0;
      seen.set(key, { edge, bent });
      if (first || still.matches || from === bent) continue;
      peel.animate([{ "--bent": from }, { "--bent": bent }], { duration: 160, easing: "ease-out" });
    }
    bends = seen;
    first = false;
  }

  document.addEventListener("floor:news", follow);
  follow();
})();
