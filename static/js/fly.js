// @ts-check
// Motion tells where things came from: a card flies from the shoe and turns, chips slide to and from the tray.
// It follows what has already been swapped in, so it never delays or hides anything; with reduced motion it rests.
(function () {
  "use strict";
  const floor = window.floor;
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const EASE = "cubic-bezier(.2,.7,.2,1)";
  let cards = new Map(); // where a card lies -> which it is ("" face down), and where on the screen
  const totals = new Map(); // own and everybody's stakes
  let ends = new Map(); // how each stake on a hand ended
  let paid = "";
  let first = true;

  /** @param {Element} element */
  function centre(element) {
    const box = element.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2, width: box.width };
  }

  // From where a hand was split, or from the shoe.
  /**
   * @param {HTMLElement} card
   * @param {number} order
   * @param {Point} [from]
   */
  function comes(card, order, from) {
    const shoe = document.querySelector("[data-shoe]");
    if (!shoe) return;
    const here = centre(card);
    if (from) {
      card.animate([{ transform: `translate(${from.x - here.x}px, ${from.y - here.y}px)` }, { transform: "none" }], {
        duration: 260,
        easing: EASE,
      });
      return;
    }
    const there = centre(shoe);
    card.animate(
      [
        { transform: `translate(${there.x - here.x}px, ${there.y - here.y}px) rotate(18deg) scale(.75)`, opacity: 0.2 },
        { transform: "none", opacity: 1 },
      ],
      { duration: 340, delay: order * 70, easing: EASE, fill: "backwards" },
    );
  }

  /**
   * @param {HTMLElement} card
   * @param {number} order
   */
  function turn(card, order) {
    const back = card.cloneNode(false);
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", card.querySelector("use").getAttribute("href").replace(/#.*/, "#back"));
    back.append(use);
    back.removeAttribute("data-key");
    back.setAttribute("aria-hidden", "true");
    back.classList.add("card--leaving");
    card.parentNode.append(back);
    /** @type {KeyframeAnimationOptions} */
    const half = { duration: 140, delay: order * 60, easing: "ease-in", fill: "both" };
    back.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], half).finished.then(
      () => back.remove(),
      () => back.remove(),
    );
    card.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], {
      duration: 180,
      delay: order * 60 + 140,
      easing: "ease-out",
      fill: "backwards",
    });
  }

  /**
   * @param {Element} from
   * @param {Element} to
   * @param {Element} drawing
   */
  function slide(from, to, drawing) {
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
        { duration: 300, easing: EASE },
      )
      .finished.then(
        () => holder.remove(),
        () => holder.remove(),
      );
  }

  function follow() {
    const moving = !first && !still.matches && !document.hidden;
    const seen = new Map();
    let dealt = 0;
    let turned = 0;
    const felt = document.querySelectorAll(".floor .card[data-key]:not([data-key=''])");
    for (const card of felt) seen.set(card.dataset.key, { card: card.dataset.card, ...centre(card) });
    const gone = [...cards].filter(([key, was]) => was.card && seen.get(key)?.card !== was.card).map(([, was]) => was);
    for (const card of felt) {
      const { key } = card.dataset;
      const before = cards.get(key);
      if (first || before?.card === card.dataset.card) continue;
      if (before === undefined) {
        const split = gone.find((was) => was.card === card.dataset.card);
        if (moving) comes(card, dealt, split);
        if (!split) dealt += 1;
      } else if (card.dataset.card && !before.card) {
        if (moving) turn(card, turned);
        turned += 1;
      } else if (card.dataset.card) {
        if (moving) comes(card, dealt);
        dealt += 1;
      }
    }
    cards = seen;
    if (dealt) floor.play("card");
    if (turned) floor.play("turn");

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

    // Stakes on hands: what is lost goes to the bank, what is won comes from it.
    const ended = new Map();
    for (const stake of document.querySelectorAll("[data-stake]")) {
      const { end } = stake.dataset;
      ended.set(stake.dataset.stake, end);
      if (first || !end || ends.get(stake.dataset.stake) !== "") continue;
      const bank = document.querySelector("[data-shoe]");
      const chip = stake.closest("[data-box]")?.querySelector(".spot--main .stack") ||
        document.querySelector(".chip svg");
      const [from, to] = end === "lost" ? [stake, bank] : [bank, stake];
      if (moving) slide(from, to, chip);
      floor.play("chip");
    }
    ends = ended;

    const result = document.getElementById("my-result");
    const now = result ? result.dataset.returned || "" : "";
    if (!first && now !== paid && Number(now) > 0) {
      if (Number(result.dataset.net) > 0) floor.play("win");
      const purse = document.querySelector("#wallet dd");
      if (moving) {
        for (const own of document.querySelectorAll(".spot:has(.all.is-won) .own.is-staked")) {
          slide(own, purse, own.querySelector(".stack")); // the stack itself may not be drawn there
        }
      }
    }
    paid = now;
    first = false;
  }

  document.addEventListener("floor:news", follow);
  follow();
})();
