// @ts-check
// Roulette: the wheel that turns and comes to rest, and neighbours.
// The ball rolls by the house's clock, the same on every screen, and knows nothing of the number before it is announced.
(function () {
  "use strict";
  const floor = window.floor;
  const root = document.getElementById("floor");
  const print = root.querySelector("[data-layout]");
  const words = print.querySelector("[data-wheel-words]").dataset;
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const credits = floor.arithmetic.creditsIn(document.documentElement.lang);
  const chip = () => Number(/** @type {HTMLInputElement} */ (root.querySelector("[name=chip]:checked"))?.value || 0);
  /**
   * @param {string} text
   * @param {Record<string, string>} values
   */
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  // ── The wheel ──

  const wheel = root.querySelector("[data-wheel]");
  const plate = wheel.querySelector("[data-plate]");
  const resting = wheel.querySelector("[data-ball-rests]");
  const rolling = wheel.querySelector("[data-ball-rolls]");
  const pockets = [...wheel.querySelectorAll("[data-pocket]")].map((one) => Number(one.dataset.pocket));
  const RIM = 99; // where the ball rolls, and where it rests, from the middle of the drawing
  const BED = 65.5;
  let spin = ""; // which throw is on the screen
  let thrown = 0; // when, by the house's clock
  let falling = 0; // since when, by the browser's clock
  let falls = 0; // for so long
  let from = { plate: 0, ball: 0 };
  let frame = 0;

  const state = () => document.getElementById("cards").dataset;
  /** @param {number | string} value */
  const onPocket = (value) => floor.arithmetic.pocketAngle(pockets, value);

  /**
   * @param {number} plateAt
   * @param {number} ballAt
   * @param {number} out
   */
  function draw(plateAt, ballAt, out) {
    plate.setAttribute("transform", `rotate(${plateAt.toFixed(2)})`);
    rolling.setAttribute("transform", `rotate(${ballAt.toFixed(2)}) translate(0 ${-out.toFixed(2)})`);
  }

  // The ball lies in the pocket of this number, and turns with it; nowhere if there is none.
  /** @param {string} value */
  function rests(value) {
    rolling.setAttribute("hidden", "");
    resting.toggleAttribute("hidden", value === "");
    if (value !== "") resting.setAttribute("transform", `rotate(${onPocket(value).toFixed(2)})`);
  }

  function step() {
    frame = 0;
    const now = state();
    const turns = Number(now.turns);
    if (now.rolls === "1") {
      const { plate: plateAt, ball } = floor.arithmetic.spin(floor.now() - thrown, turns);
      draw(plateAt, ball, RIM);
      frame = window.requestAnimationFrame(step);
    } else if (falling) {
      const share = Math.min(1, (performance.now() - falling) / falls);
      const eased = 1 - (1 - share) ** 3;
      const to = floor.arithmetic.rest(from, onPocket(now.number), turns);
      const drop = Math.max(0, (share - 0.45) / 0.55);
      const bounce = drop < 1 ? Math.abs(Math.cos(drop * 7)) * (1 - drop) ** 2 : 0;
      draw(
        from.plate + (to.plate - from.plate) * eased,
        from.ball + (to.ball - from.ball) * eased,
        BED + (RIM - BED) * (drop > 0 ? bounce : 1),
      );
      if (share < 1) frame = window.requestAnimationFrame(step);
      else land(now.number);
    }
  }

  /** @param {string} value */
  function land(value) {
    const fell = falling > 0;
    falling = 0;
    mark();
    plate.setAttribute("transform", "rotate(0)");
    rests(value);
    for (const one of wheel.querySelectorAll(".pocket")) {
      one.classList.toggle("is-won", one.dataset.pocket === value && value !== "");
    }
    if (fell) floor.play("drop");
    if (fell) floor.shows?.();
  }

  function turn() {
    const now = state();
    const rolls = now.rolls === "1";
    if (rolls && spin !== now.spin) {
      const { endsAt, span } = document.getElementById("rail").dataset;
      spin = now.spin;
      thrown = endsAt && Number(span) ? Number(endsAt) - Number(span) : floor.now();
      falling = 0;
    }
    if (still.matches || document.hidden) {
      window.cancelAnimationFrame(frame);
      frame = 0;
      land(rolls ? "" : now.number || now.last);
      if (now.number === "") wheel.querySelectorAll(".is-won").forEach((one) => one.classList.remove("is-won"));
      return;
    }
    if (rolls) {
      if (frame) return;
      land("");
      rolling.removeAttribute("hidden");
      floor.play("roll");
      step();
    } else if (now.number !== "" && spin === now.spin && !rolling.hasAttribute("hidden")) {
      if (falling) return;
      const rolled = floor.now() - thrown;
      from = floor.arithmetic.spin(rolled, Number(now.turns));
      falling = performance.now();
      falls = floor.arithmetic.fall(rolled);
      floor.holds?.(2 * falls); // until it lies there
      if (!frame) step();
    } else if (!falling) {
      land(now.number || now.last);
      if (now.number === "") wheel.querySelectorAll(".is-won").forEach((one) => one.classList.remove("is-won"));
    }
  }

  // ── Neighbours: a number of the racetrack with two on either side, one bet each ──

  /** @param {number | string} value */
  const neighboursOf = (value) => floor.arithmetic.neighbours(pockets, value);

  const cost = print.querySelector("[data-cost]");
  function sayCost() {
    if (cost) cost.textContent = fill(words.cost, { credits: credits(5 * chip()) });
  }
  root.addEventListener("change", (event) => {
    if (/** @type {HTMLInputElement} */ (event.target).name !== "chip") return;
    sayCost();
  });
  print.addEventListener("click", (event) => {
    const target = event.target.closest("[data-neighbours]");
    if (!target) return;
    floor.point?.(target);
    floor.lay(neighboursOf(target.dataset.neighbours).map((one) => `straight_${one}`));
  });

  // ── What a touch lays: with a finger one kind alone, as edges and corners are too small for it ──

  const reach = print.querySelector("[data-reach]");
  const kept = floor.recall("reach", "tab");
  const first = kept || (window.matchMedia("(pointer: coarse)").matches ? "straight" : "all");
  const chosen = /** @type {HTMLInputElement | null} */ (reach.querySelector(`[value="${CSS.escape(first)}"]`));
  if (chosen) chosen.checked = true;
  reach.addEventListener("change", () => {
    floor.remember(
      "reach",
      /** @type {HTMLInputElement} */ (reach.querySelector("input:checked")).value,
      "tab",
    );
    floor.point?.(null);
  });

  // ── After every message ──

  // The number is told once the ball lies in its pocket.
  function mark() {
    const { number: came } = state();
    document.getElementById("cards").classList.toggle("is-revealing", falling > 0);
    for (const cell of print.querySelectorAll("[data-cell]")) {
      cell.classList.toggle("is-number", !falling && came !== "" && cell.dataset.cell === came);
    }
  }

  function follow() {
    turn();
    mark();
  }

  document.addEventListener("floor:news", follow);
  document.addEventListener("visibilitychange", turn);
  sayCost();
  follow();
})();
