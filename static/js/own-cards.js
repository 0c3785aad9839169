// @ts-check
// A hand that its bettor alone sees (Stud Poker, 3-Card Baccarat), squeezed: where that is switched on, the cards come face
// down and are peeled by the same gesture as at Baccarat (squeeze.js). They are the bettor's to see, so the page has their
// faces, and nobody hears of it. What tells of them (name and points of the hand) waits with them.
(function () {
  "use strict";
  const { floor } = window;
  const words = /** @type {HTMLElement | null} */ (document.querySelector("[data-own-cards]"))?.dataset;
  const button = document.querySelector("[data-toggle=squeeze]");
  if (!words || !button) return;
  const SVG = "http://www.w3.org/2000/svg";
  const TELLS = "h3 b, .my-cards__why, .points";

  const rail = () => document.getElementById("rail").dataset;
  let on = floor.recall("squeeze") === "on";
  let ready = false; // what folds a card, and hears the hand, is there
  let when = ""; // round and phase in which they are peeled
  /** @type {Map<number, { edge: string; step: number }>} */
  let bends = new Map();
  /** @type {Set<number>} */
  let turned = new Set();

  /** @type {WeakMap<Element, Node[]>} */
  const kept = new WeakMap(); // what is told of the hand -> its words
  /** @type {WeakMap<Element, Element>} */
  const faces = new WeakMap(); // a card that is peeled -> as it was drawn

  /** @param {HTMLElement} hand @param {boolean} closed */
  function hush(hand, closed) {
    for (const told of hand.querySelectorAll(TELLS)) {
      if (closed && !kept.has(told)) {
        kept.set(told, [...told.childNodes]);
        told.replaceChildren();
      } else if (!closed && kept.has(told)) {
        told.replaceChildren(...kept.get(told));
        kept.delete(told);
      }
    }
  }

  // The card as it lies: its back, over it what is bent of its face; the fingers lie on its index.
  /** @param {HTMLElement} card @param {number} place */
  function cover(card, place) {
    const face = card.querySelector("use").getAttribute("href");
    const peeler = document.createElement("button");
    Object.assign(peeler, { type: "button", className: "peeler" });
    Object.assign(peeler.dataset, { peel: "own", hand: "mine", card: String(place) });
    peeler.setAttribute("aria-describedby", "own-cards-help");
    const peel = document.createElement("span");
    peel.className = "peel";
    const back = /** @type {HTMLElement} */ (card.cloneNode(false));
    back.setAttribute("aria-label", words.closed);
    back.removeAttribute("data-card");
    back.append(drawn("use", { href: `${face.split("#")[0]}#back` }));
    const bend = document.createElement("span");
    bend.className = "bend";
    const paper = drawn("svg", { viewBox: "0 0 100 140", "aria-hidden": "true" });
    paper.append(
      drawn("use", { href: face }),
      drawn("rect", { class: "bend__finger", x: "79", y: "86", width: "44", height: "46", rx: "17" }),
      drawn("rect", { class: "bend__nail", x: "83", y: "99", width: "13", height: "20", rx: "6" }),
    );
    bend.append(paper);
    peel.append(back, bend);
    peeler.append(peel);
    show(peel, place);
    faces.set(peeler, card);
    card.replaceWith(peeler);
  }

  /** @param {string} name @param {Record<string, string>} about */
  function drawn(name, about) {
    const one = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(about)) one.setAttribute(key, value);
    return one;
  }

  /** @param {HTMLElement} peel @param {number} place */
  function show(peel, place) {
    const { edge, step } = bends.get(place) ?? { edge: "short", step: 0 };
    Object.assign(peel.dataset, { edge, step: String(step) });
  }

  // Before anything else looks at the felt: what is to be peeled is not seen, read out or flown face up.
  function follow() {
    const hand = document.querySelector("#my-cards .my-cards__hand");
    if (!hand) return;
    if (on && !ready) {
      ready = true;
      const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: words.sheet });
      document.head.append(sheet, Object.assign(document.createElement("script"), { src: words.script }));
    }
    const decides = document.querySelector("#decision [data-send]") !== null;
    const now = `${rail().round} ${rail().phase}`;
    if (decides && now.split(" ")[0] !== when.split(" ")[0]) {
      when = now;
      bends = new Map();
      turned = new Set();
    }
    const folded = hand.parentElement.classList.contains("is-folded");
    if (!on || now !== when || folded) return open(hand);
    const cards = [...hand.querySelectorAll(".my-cards__faces > :is(.card, .peeler)")];
    cards.forEach((card, place) => card.matches(".peeler") || turned.has(place) || cover(card, place));
    hush(hand, hand.querySelector(".peeler") !== null);
  }

  /** @param {HTMLElement} hand */
  function open(hand) {
    for (const peeler of hand.querySelectorAll(".peeler")) peeler.replaceWith(faces.get(peeler));
    hush(hand, false);
  }

  document.addEventListener("floor:own-card", ({ detail }) => {
    const peeler = document.querySelector(`[data-peel=own][data-card="${detail.card}"]`);
    if (!peeler) return;
    if (detail.do === "peel") {
      bends.set(detail.card, { edge: detail.edge, step: detail.step });
      show(peeler.querySelector(".peel"), detail.card);
      return;
    }
    turned.add(detail.card);
    const next = peeler.parentElement.querySelector(".peeler:not(:focus)");
    peeler.replaceWith(faces.get(peeler));
    next?.focus({ preventScroll: true });
    document.dispatchEvent(new CustomEvent("floor:news")); // it is seen now: read out, and turned
  });

  button.addEventListener("click", () => { // page.js has heard of it
    on = button.getAttribute("aria-pressed") === "true";
    follow();
  });

  document.addEventListener("floor:news", follow, { capture: true });
  follow();
})();
