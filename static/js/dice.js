// @ts-check
// Cussec: the shaker jumps when the lever is pressed, and arrow keys walk over the layout.
(function () {
  "use strict";
  const floor = window.floor;
  const root = document.getElementById("floor");
  const shaker = root.querySelector(".dealing");
  const walk = root.querySelector("[data-walk]");
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const SHOWN = 1150; // milliseconds until the lid is off and the last die lies open (cussec.css)
  let shaken = ""; // the throw for which it has jumped
  let open = document.getElementById("cards").matches(".is-open");

  // ── The shaker ──

  const state = () => document.getElementById("cards").dataset;

  /** @param {Event | null} event */
  function follow(event) {
    const cards = document.getElementById("cards");
    const opens = cards.matches(".is-open") && !open;
    open = cards.matches(".is-open");
    if (opens && event && !still.matches && !document.hidden) {
      cards.classList.add("is-revealing");
      floor.holds?.(SHOWN);
    }
    const { throw: now, shakes } = state();
    if (shakes !== "1" || shaken === now) return;
    shaken = now;
    if (!event) return; // it is shaken already when the page comes
    shaker.classList.add("is-shaking");
    floor.play("dice");
  }
  shaker.addEventListener("animationend", (event) => {
    if (event.animationName === "jump") shaker.classList.remove("is-shaking");
  });

  // ── Arrow keys: to the nearest spot in that direction; Tab comes to each field once ──

  /** @type {Record<string, number[]>} */
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  /** @param {HTMLElement} spot */
  const middle = (spot) => {
    const box = spot.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };

  /**
   * @param {HTMLElement} spot
   * @param {number[]} way
   */
  function nextFrom(spot, [dx, dy]) {
    const [x, y] = middle(spot);
    let best = null;
    let least = Infinity;
    for (const other of walk.querySelectorAll(".spot")) {
      const [ox, oy] = middle(other);
      const ahead = (ox - x) * dx + (oy - y) * dy;
      const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      const far = ahead + 2 * aside;
      if (other !== spot && ahead > 2 && far < least) [best, least] = [other, far];
    }
    return best;
  }

  walk.addEventListener("keydown", (event) => {
    const way = ARROWS[event.key];
    const spot = event.target.closest(".spot");
    if (!way || !spot || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    nextFrom(spot, way)?.focus();
  });
  walk.addEventListener("focusin", (event) => {
    const spot = event.target.closest(".spot");
    if (!spot) return;
    for (const one of spot.closest(".field").querySelectorAll('[tabindex="0"]')) one.tabIndex = -1;
    spot.tabIndex = 0;
  });

  document.addEventListener("floor:news", follow);
  follow(null);
})();
