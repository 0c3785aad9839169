// @ts-check
// Roulette: the numbers that what is pointed at covers, and arrow keys over the layout and round the racetrack.
(function () {
  "use strict";
  const floor = window.floor;
  const root = document.getElementById("floor");
  const print = root.querySelector("[data-layout]");
  const words = print.querySelector("[data-wheel-words]").dataset;
  const pockets = [...root.querySelectorAll("[data-pocket]")].map((one) => Number(one.dataset.pocket));
  const credits = floor.arithmetic.creditsIn(document.documentElement.lang);
  const chip = () => Number(/** @type {HTMLInputElement} */ (root.querySelector("[name=chip]:checked"))?.value || 0);
  /** @param {(number | string)[]} numbers */
  const list = (numbers) => numbers.join(words.comma);
  /** @param {number | string} value */
  const neighboursOf = (value) => floor.arithmetic.neighbours(pockets, value);
  /**
   * @param {string} text
   * @param {Record<string, string>} values
   */
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  // ── What is pointed at: the numbers that it covers ──

  document.addEventListener("floor:pointed", ({ detail: { target, tell } }) => {
    const { neighbours, covers, family } = target ? target.dataset : {};
    const covered = new Set(neighbours ? neighboursOf(neighbours).map(String) : (covers || "").split(" "));
    for (const cell of print.querySelectorAll("[data-cell]")) {
      cell.classList.toggle("is-covered", covered.size < 37 && covered.has(cell.dataset.cell));
    }
    if (neighbours) {
      tell(fill(words.neighbours, { number: neighbours, numbers: list(neighboursOf(neighbours)) }), "title");
      tell(fill(words.cost, { credits: credits(5 * chip()) }));
    } else if (["sector9", "sector12", "column", "red_black"].includes(family)) {
      tell(fill(words.covers, { numbers: list(covers.split(" ")) }), "covers");
    }
  });

  // ── Arrow keys walk over the numbers, and round the racetrack; Tab comes to each of them once ──

  const board = print.querySelector("[data-board]");
  const race = print.querySelector("[data-race]");
  const lies = window.matchMedia("(min-width: 48rem)");
  /** @type {Record<string, number[]>} */
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  /** @param {HTMLElement} spot */
  function at(spot) {
    const style = getComputedStyle(spot);
    const [across, along] = ["--c", "--r"].map((name) => Number(style.getPropertyValue(name)));
    return lies.matches ? [along, -across] : [across, along];
  }

  // The nearest place in that direction; what lies aside counts twice.
  /**
   * @param {HTMLElement} spot
   * @param {number[]} way
   */
  function nextFrom(spot, [dx, dy]) {
    const [x, y] = at(spot);
    let best = null;
    let least = Infinity;
    for (const other of board.querySelectorAll(".spot")) {
      const [ox, oy] = at(other);
      const ahead = (ox - x) * dx + (oy - y) * dy;
      const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      const far = ahead + 2 * aside;
      if (other !== spot && ahead > 0 && aside <= ahead && far < least) [best, least] = [other, far];
    }
    return best;
  }

  /**
   * @param {HTMLElement} group
   * @param {HTMLElement} next
   */
  function moveTo(group, next) {
    if (!next) return;
    for (const one of group.querySelectorAll('[tabindex="0"]')) one.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  print.addEventListener("keydown", (event) => {
    const way = ARROWS[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
    const spot = event.target.closest("[data-board] .spot");
    const neighbour = event.target.closest("[data-neighbours]");
    if (spot) moveTo(board, nextFrom(spot, way));
    else if (neighbour) {
      const place = pockets.indexOf(Number(neighbour.dataset.neighbours)) + (way[0] + way[1]);
      const next = pockets[(place + pockets.length) % pockets.length];
      moveTo(race, race.querySelector(`[data-neighbours="${next}"]`));
    } else return;
    event.preventDefault();
  });
})();
