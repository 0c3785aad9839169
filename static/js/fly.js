// @ts-check
// Motion tells where things came from: chips slide from the tray; cards fly in dealing.js, balls and dice in their games'.
// Nothing is told before it is seen: while a card, a ball or a lid moves, what it decides is still shown as it was
// before. What is spoken never waits; with reduced motion nothing moves, and nothing waits.
(function () {
  "use strict";
  const floor = window.floor;
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const EASE = "cubic-bezier(.2,.7,.2,1)";
  const totals = new Map(); // own and everybody's stakes
  let first = true;

  // ── What waits for the motion: results, marks on spots, roads, and the balance ──

  const WAIT = "#result, #my-result, #roads, [id^=all-]";
  /** @type {Map<string, Element>} */
  const before = new Map(); // what the last message took away, by its id
  /** @type {Map<string, { shown: Element; comes: Element }>} */
  const waiting = new Map(); // what is shown as it was, and what comes in its place
  let until = 0; // by the browser's clock
  let timer = 0;
  /** @type {{ dd: Element; comes: ChildNode[] } | null} */
  let owed = null; // the balance that is not shown yet
  let purse = { cents: 0, shows: /** @type {Element | null} */ (null) }; // the last one that was

  document.addEventListener("htmx:wsBeforeMessage", () => before.clear());
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target } = event.detail;
    if (!event.defaultPrevented && target.matches(WAIT)) before.set(target.id, target);
  });

  function hold() {
    for (const [id, shown] of before) {
      const comes = document.getElementById(id);
      if (!comes || comes === shown) continue;
      comes.replaceWith(shown);
      waiting.set(id, { shown, comes });
    }
    before.clear();
    const dd = document.querySelector("#wallet dd");
    if (dd && dd !== owed?.dd && purse.shows && cents() > purse.cents) {
      owed = { dd, comes: [...dd.childNodes] };
      dd.replaceChildren(...purse.shows.cloneNode(true).childNodes);
    }
  }

  const cents = () => Number(document.getElementById("wallet")?.dataset.balance || 0);

  function release() {
    window.clearTimeout(timer);
    until = 0;
    for (const { shown, comes } of waiting.values()) if (shown.isConnected) shown.replaceWith(comes);
    waiting.clear();
    if (owed?.dd.isConnected) owed.dd.replaceChildren(...owed.comes);
    owed = null;
    for (const one of document.querySelectorAll(".is-revealing")) one.classList.remove("is-revealing");
    document.dispatchEvent(new CustomEvent("floor:revealed"));
  }

  floor.holds = function (milliseconds) {
    const end = performance.now() + milliseconds;
    if (end <= until) return;
    until = end;
    window.clearTimeout(timer);
    timer = window.setTimeout(release, milliseconds);
    hold();
  };

  floor.shows = () => until && release();

  // ── A strip that one has swiped stays where it is when it comes anew ──

  let swiped = 0;
  document.addEventListener("scroll", (event) => {
    if (event.target instanceof HTMLElement && event.target.matches("[data-swipe]")) swiped = event.target.scrollLeft;
  }, { capture: true, passive: true });
  function swipe() {
    const strip = document.querySelector("[data-swipe]");
    if (strip && strip.scrollLeft !== swiped) strip.scrollTo({ left: swiped, behavior: "instant" });
  }

  // ── Chips ──

  /** @param {Element} element */
  function centre(element) {
    const box = element.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2, width: box.width };
  }

  /**
   * @param {Element} from
   * @param {Element} to
   * @param {Element} drawing
   * @param {number} [lasts]
   */
  function slide(from, to, drawing, lasts = 300) {
    if (!from || !to || !drawing) return;
    const start = centre(from);
    const end = centre(to);
    const chip = drawing.cloneNode(true);
    const holder = document.createElement("div");
    holder.className = "flying";
    holder.setAttribute("aria-hidden", "true");
    holder.append(chip);
    document.body.append(holder);
    const size = 36;
    holder.style.width = holder.style.height = `${size}px`;
    holder
      .animate(
        [
          { transform: `translate(${start.x - size / 2}px, ${start.y - size / 2}px)`, opacity: 1 },
          { transform: `translate(${end.x - size / 2}px, ${end.y - size / 2}px) scale(.8)`, opacity: 0.85 },
        ],
        { duration: lasts, easing: lasts > 300 ? "cubic-bezier(.45, .05, .4, 1)" : EASE },
      )
      .finished.then(
        () => holder.remove(),
        () => holder.remove(),
      );
  }

  floor.slide = slide;
  floor.centre = centre;

  function follow() {
    const moving = !first && !still.matches && !document.hidden;
    if (until) hold();

    for (const stake of document.querySelectorAll(".own, .all")) {
      const total = Number(stake.dataset.total) || 0;
      const before = totals.get(stake.id) || 0;
      totals.set(stake.id, total);
      if (first || total <= before) continue;
      if (stake.classList.contains("own")) {
        floor.play("chip");
        const chip = document.querySelector(".chip:has(input:checked) svg");
        if (moving) slide(chip, stake.querySelector(".own__total"), chip);
      } else if (moving) {
        stake.querySelector(".all__sum")?.animate([{ scale: 1.18 }, { scale: 1 }], { duration: 220, easing: EASE });
      }
    }

    first = false;
    queueMicrotask(tell); // when every script has seen what has come, and held what it must
  }

  // What nothing waits for any more: who has won is heard of, and the stakes move.
  function tell() {
    swipe();
    if (until) return;
    const { phase } = document.getElementById("rail")?.dataset || {};
    document.getElementById("floor")?.classList.toggle("is-settled", phase === "settled" || phase === "void");
    document.dispatchEvent(new CustomEvent("floor:told", { detail: { before: purse.cents } }));
    purse = { cents: cents(), shows: document.querySelector("#wallet dd")?.cloneNode(true) };
  }

  document.addEventListener("floor:revealed", tell);
  document.addEventListener("floor:news", follow);
  follow();
})();
