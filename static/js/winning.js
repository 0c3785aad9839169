// @ts-check
// A round has paid, and it is seen: what each spot of one's own has won stands there and flies to the purse, which
// counts up; what is lost goes to the bank. The felt shows no stake that has left it (fly.js). With reduced motion all
// of it is there at once. Spoken is nothing of it: the result says it already.
(function () {
  "use strict";
  const floor = window.floor;
  const root = document.getElementById("floor");
  if (!root) return; // an attract screen that has no table
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const credits = floor.arithmetic.creditsIn(document.documentElement.lang);
  const exact = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 2 });
  const FLIGHT = 750; // milliseconds, as are the next
  const COUNTS = 700;
  const SMALL = 90; // pixels
  const WITHIN = ["88%", "12%"]; // in a small spot: below its print and the marker, or above
  const BESIDE = ["-30%", "130%", "-80%", "180%"];
  const MOST = 16; // so many fly at once
  let shown = /** @type {string | null} */ (null); // what is paid, of which round

  const purse = () => document.querySelector("#wallet dd");

  /**
   * @param {HTMLElement} spot
   * @param {number} net
   */
  function label(spot, net) {
    const one = document.createElement("span");
    one.className = "won";
    one.dataset.net = String(net);
    one.append("+", credits(net));
    one.setAttribute("aria-hidden", "true");
    spot.append(one);
  }

  // All that stand there: none over another, nor over what is printed beside it. Where one has no room, two are one.
  function place() {
    const labels = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(".spot > .won")]);
    const shown = (/** @type {Element} */ one) => one.checkVisibility({ visibilityProperty: true });
    const printed = labels.length ? [...root.querySelectorAll(".print :is(.spot__print, b)")].filter(shown) : [];
    const taken = printed.flatMap(lines);
    for (const one of labels) {
      one.style.animation = "none"; // which begins small
      lay(one);
    }
    const isSmall = (/** @type {HTMLElement} */ one) => one.parentElement.offsetWidth < SMALL;
    const placed = labels.filter((one) => !isSmall(one));
    for (const one of labels.filter(isSmall)) {
      const places = clips(one.parentElement) ? WITHIN : [...WITHIN, ...BESIDE];
      const isFree = places.some((top) => {
        one.style.top = top;
        return !meets(one, [...taken, ...placed.map(box)]);
      });
      if (isFree || !placed.length) {
        if (!isFree) one.style.top = WITHIN[0];
        placed.push(one);
        continue;
      }
      one.style.top = WITHIN[0];
      const nearest = placed.reduce((best, each) => apart(one, each) < apart(one, best) ? each : best);
      nearest.dataset.net = String(Number(nearest.dataset.net) + Number(one.dataset.net));
      nearest.replaceChildren("+", credits(Number(nearest.dataset.net)));
      one.remove();
    }
    for (const one of placed) one.style.animation = "";
  }

  // Where one's own stake lay, if it has left. A field that clips has it whole: smaller if it must be, and away from the
  // edge; one that is low has it on its edge, if it would cover what is printed there.
  /** @param {HTMLElement} one */
  function lay(one) {
    const spot = one.parentElement;
    const room = spot.getBoundingClientRect();
    const own = spot.querySelector(".own__total")?.getBoundingClientRect();
    const there = spot.classList.contains("is-paid") && own?.width > 0 && room.width >= SMALL;
    let across = there ? (own.left + own.width / 2 - room.left) / room.width : 1 / 2;
    one.style.fontSize = "";
    if (clips(spot)) {
      const share = one.offsetWidth / (spot.clientWidth - 4);
      if (share > 1) one.style.fontSize = `${parseFloat(getComputedStyle(one).fontSize) / share}px`;
      const half = one.offsetWidth / 2 / spot.clientWidth;
      across = Math.min(Math.max(across, half), 1 - half);
    }
    one.style.left = `${100 * across}%`;
    one.style.top = there ? `${100 * (own.top + own.height / 2 - room.top) / room.height}%` : "";
    const print = spot.querySelector(".spot__print");
    if (print && !clips(spot) && room.height < 3 * one.offsetHeight && meets(one, lines(print))) one.style.top = "0";
  }

  /** @param {Element} spot */
  const clips = (spot) => getComputedStyle(spot).overflowX !== "visible";

  /** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */

  /** @param {Element} one @returns {Box} */
  const box = (one) => one.getBoundingClientRect();

  /** The lines of what is written there, as high as letters are. @param {Element} print @returns {Box[]} */
  function lines(print) {
    const text = document.createRange();
    text.selectNodeContents(print);
    return [...text.getClientRects()].map(({ left, right, top, bottom }) => {
      const margin = (bottom - top) / 6;
      return { left, right, top: top + margin, bottom: bottom - margin };
    });
  }

  /** How far it is from one to the other. @param {Element} one @param {Element} other */
  function apart(one, other) {
    const [a, b] = [box(one), box(other)];
    return Math.hypot((a.left + a.right - b.left - b.right) / 2, (a.top + a.bottom - b.top - b.bottom) / 2);
  }

  /** @param {Element} one @param {Box[]} boxes */
  function meets(one, boxes) {
    const own = box(one);
    return boxes.some((each) =>
      each.left < own.right && each.right > own.left && each.top < own.bottom && each.bottom > own.top
    );
  }

  function clear() {
    for (const one of root.querySelectorAll(".won")) one.remove();
    for (const spot of root.querySelectorAll(".is-paid")) spot.classList.remove("is-paid");
  }

  // The purse shows the old balance until what was won has come, and then counts.
  /**
   * @param {number} from
   * @param {number} waits
   */
  function count(from, waits) {
    const dd = purse();
    const number = dd?.querySelector(".amount__number");
    const to = Number(document.getElementById("wallet").dataset.balance);
    if (!number || to <= from) return;
    const says = number.textContent;
    const begun = performance.now() + waits;
    dd.classList.add("is-counting");
    function step() {
      if (!number.isConnected) return; // drawn anew: with the true balance
      const share = (performance.now() - begun) / COUNTS;
      number.textContent = share < 1 ? exact.format(floor.arithmetic.counts(from, to, share) / 100) : says;
      if (share < 1) window.requestAnimationFrame(step);
      else dd.classList.remove("is-counting");
    }
    step();
  }

  /** @param {CustomEvent<{ before: number }> | null} event */
  function follow(event) {
    const { round } = document.getElementById("rail").dataset;
    const result = document.getElementById("my-result")?.dataset;
    const wallet = document.getElementById("wallet").dataset;
    const paid = result?.net !== undefined ? wallet.paid || "" : "";
    const now = paid && `${round} ${paid}`;
    if (now === shown) return;
    const known = shown === null; // the page has come with it: nothing moves
    shown = now;
    clear();
    if (!paid) return;
    const moving = !known && !still.matches && !document.hidden;
    const bank = document.querySelector("[data-shoe]") || document.querySelector(".dealing");
    let flies = 0;
    const paidSpots = Object.entries(/** @type {Record<string, number[]>} */ (JSON.parse(paid))).flatMap(
      ([key, [net, carried]]) => {
        const spot = root.querySelector(`.spot[data-key="${CSS.escape(key)}"]`);
        if (!spot) return [];
        const stays = Boolean(carried || spot.querySelector(".all.is-carried"));
        if (!stays) spot.classList.add("is-paid");
        if (net > 0) label(spot, net);
        return [{ spot, net, stays }];
      },
    );
    place();
    for (const { spot, net, stays } of paidSpots) {
      const stack = spot.querySelector(".own .stack");
      if (!moving || flies >= MOST || (stays && net <= 0)) continue;
      flies += 1;
      if (net < 0) floor.slide(spot, bank, stack, FLIGHT / 2);
      else {
        if (!stays) floor.slide(spot, purse(), stack, FLIGHT);
        if (net > 0) floor.slide(spot, purse(), spot.querySelector(".won"), FLIGHT);
      }
    }
    if (moving && event) count(event.detail.before, FLIGHT * 0.8);
    if (!known && Number(result.net) > 0) floor.play("win");
  }

  document.addEventListener("floor:told", follow);
  // and anew when they get another room: a screen is turned, or the numbers come back from behind the racetrack
  const room = new ResizeObserver(place);
  for (const one of root.querySelectorAll(".print, .board")) room.observe(one);
  follow(null);
})();
