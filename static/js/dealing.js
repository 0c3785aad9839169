// @ts-check
// Cards come from the shoe or from the hand that was split, and turn; stakes on hands go to the bank, or are paid from it.
// What a card decides waits until it has landed (fly.js).
(function () {
  "use strict";
  const floor = window.floor;
  const { centre, slide } = floor;
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const EASE = "cubic-bezier(.2,.7,.2,1)";
  const FLIGHT = 340; // milliseconds, as are the next
  const NEXT_CARD = 70;
  const HALF = 140; // of a turn, until the card stands on its edge
  const REST = 180;
  const NEXT_TURN = 60;
  let cards = new Map(); // where a card lies -> which it is ("" face down), and where on the screen
  let ends = new Map(); // how each stake on a hand ended
  let first = true;

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
      { duration: FLIGHT, delay: order * NEXT_CARD, easing: EASE, fill: "backwards" },
    );
  }

  // The back lies over the face, on the card itself, until it stands on its edge.
  /**
   * @param {HTMLElement} card
   * @param {number} order
   */
  function turn(card, order) {
    const back = document.createElementNS("http://www.w3.org/2000/svg", "use");
    back.setAttribute("href", card.querySelector("use").getAttribute("href").replace(/#.*/, "#back"));
    back.setAttribute("class", "card__back");
    card.append(back);
    const bare = () => back.remove();
    card.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], {
      duration: HALF,
      delay: order * NEXT_TURN,
      easing: "ease-in",
    }).finished.then(bare, bare);
    card.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], {
      duration: REST,
      delay: order * NEXT_TURN + HALF,
      easing: "ease-out",
    });
  }

  function follow() {
    const moving = !first && !still.matches && !document.hidden;
    let lasts = 0;
    /** @param {HTMLElement} card */
    const hides = (card) => card.closest(".hand, .bank, .my-cards__hand")?.classList.add("is-revealing");
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
      } else continue;
      if (moving) hides(card);
    }
    cards = seen;
    if (dealt) lasts = FLIGHT + (dealt - 1) * NEXT_CARD;
    if (turned) lasts = Math.max(lasts, HALF + REST + (turned - 1) * NEXT_TURN);
    if (moving && lasts) floor.holds(lasts);
    if (dealt) floor.play("card");
    if (turned) floor.play("turn");

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
    first = false;
  }

  document.addEventListener("floor:news", follow);
  follow();
})();
