// @ts-check
// Several chips on several spots in one gesture: hold a spot, then draw over others; or draw with the mouse button down.
// Each spot that is drawn over gets one chip; they are laid together when the finger is lifted. Escape drops them.
//
// Where spots of several kinds lie over each other (`data-sweep` names the kind) a gesture is about the kind on which it
// began: over whatever else it is drawn, that is neither laid nor in the way.
(function () {
  "use strict";
  const floor = window.floor;
  const root = document.getElementById("floor");
  const HOLD = 450; // milliseconds, as long as a press that shows the limits
  const STEP = 4; // pixels: a quick finger is seen only here and there, and what it crosses between counts too
  const ENOUGH = 0.25; // of the smaller side: whoever cuts no more than a corner of a spot does not mean it
  const sum = document.createElement("div"); // what has been drawn over, and what it comes to
  /** @type {HTMLElement | null} */
  let first = null; // the spot where it began
  let armed = false; // a finger has rested on it: what follows is no scrolling
  let timer = 0;
  /** @type {Point | null} */
  let last = null; // where the finger was last seen,
  /** @type {HTMLElement | null} */
  let over = null; // on which spot,
  let way = 0; // and how far it has come on it
  /** @type {HTMLElement[]} */
  let swept = []; // the spots that get a chip, once it has left the first

  sum.className = "sweep";
  sum.setAttribute("aria-hidden", "true");

  // The spot there of the kind that the gesture is about, unless something else than spots lies over it.
  /**
   * @param {number} x
   * @param {number} y
   */
  function at(x, y) {
    const spots = document.elementsFromPoint(x, y).map((one) => one.closest(".spot[data-spot]"));
    return (spots[0] && spots.find((one) => one?.dataset.sweep === first.dataset.sweep)) || null;
  }

  /** @param {HTMLElement} spot */
  function add(spot) {
    if (swept.includes(spot)) return;
    swept.push(spot);
    spot.classList.add("is-swept");
  }

  // A piece of the way. The spot where it began joins in with the second: alone it is a click.
  /**
   * @param {number} x
   * @param {number} y
   * @param {number} far
   */
  function go(x, y, far) {
    const spot = at(x, y);
    way = spot === over ? way + far : 0;
    over = spot;
    if (!spot || (!swept.length && spot === first)) return;
    const { width, height } = spot.getBoundingClientRect();
    if (way < Math.min(width, height) * ENOUGH) return;
    if (!swept.length) {
      root.classList.add("is-sweeping");
      first.classList.remove("is-pressed", "is-held");
      add(first);
    }
    add(spot);
  }

  // Beside the mouse; what lies under a finger is not hidden even more, so there it stands above the felt.
  /** @param {PointerEvent} event */
  function tell(event) {
    if (!sum.isConnected) root.append(sum);
    const chip = Number(/** @type {HTMLInputElement} */ (root.querySelector("[name=chip]:checked"))?.value || 0);
    const amounts = swept.map((spot) => Number(spot.dataset.fixed || chip));
    sum.textContent = floor.arithmetic.tape(amounts, document.documentElement.lang);
    sum.classList.toggle("sweep--beside", event.pointerType === "mouse");
    if (event.pointerType !== "mouse") return;
    const { width, height } = sum.getBoundingClientRect();
    sum.style.left = `${Math.min(event.clientX + 18, window.innerWidth - width - 8)}px`;
    sum.style.top = `${Math.max(8, event.clientY - height - 18)}px`;
  }

  function end() {
    window.clearTimeout(timer);
    swept.forEach((spot) => spot.classList.remove("is-swept"));
    first?.classList.remove("is-held");
    root.classList.remove("is-sweeping");
    sum.remove();
    first = last = over = null;
    armed = false;
    way = 0;
    swept = [];
  }

  root.addEventListener("pointerdown", begin);
  /** @param {PointerEvent} event */
  function begin(event) {
    if (!event.isPrimary || event.button !== 0) return;
    end();
    first = event.target.closest(".spot[data-spot]");
    if (!first) return;
    last = { x: event.clientX, y: event.clientY };
    armed = event.pointerType === "mouse";
    if (armed) return;
    timer = window.setTimeout(() => {
      armed = true;
      first.classList.add("is-held");
    }, HOLD);
  }

  root.addEventListener("pointermove", (event) => {
    if (!first || !event.isPrimary) return;
    const now = { x: event.clientX, y: event.clientY };
    const far = Math.hypot(now.x - last.x, now.y - last.y);
    const pieces = armed ? floor.arithmetic.pieces(last, now, STEP) : [];
    for (const { x, y } of pieces) go(x, y, far / pieces.length);
    last = now;
    if (swept.length) tell(event);
  });

  // A finger that moved before it was armed scrolls, and its gesture is over; once it is armed nothing scrolls.
  root.addEventListener("touchmove", (event) => armed && event.cancelable && event.preventDefault(), {
    passive: false,
  });

  root.addEventListener("pointerup", (event) => {
    if (!first || !event.isPrimary) return;
    // a mouse that trembled from a spot onto an edge that lies on it is a click all the same
    const trembled = event.pointerType === "mouse" && !first.contains(/** @type {Node} */ (event.target)) &&
      at(event.clientX, event.clientY) === first;
    const keys = (swept.length || !trembled ? swept : [first]).map((spot) => spot.dataset.key);
    end();
    if (!keys.length) return;
    floor.lay(keys);
    root.addEventListener("click", swallow, { capture: true, once: true }); // of a mouse that came back to its spot
    window.setTimeout(() => root.removeEventListener("click", swallow, { capture: true }), 50);
  });
  root.addEventListener("pointercancel", end);
  document.addEventListener("keydown", (event) => event.key === "Escape" && end());
  root.addEventListener("dragstart", (event) => first && event.preventDefault());

  /** @param {Event} event */
  function swallow(event) {
    event.preventDefault();
    event.stopPropagation();
  }

  if (floor.held && root.contains(/** @type {Node} */ (floor.held.target))) begin(floor.held); // it brought this script
})();
