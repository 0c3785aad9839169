// @ts-check
// Deciding at a table with cards, beside staking (table.js): the cut, how much of what is offered, what is done beforehand;
// and one's own cards and box, shown and read.
(function () {
  "use strict";
  const floor = window.floor;
  const { rail, send, hush } = floor.staking;
  const root = document.getElementById("floor");
  const words = root.querySelector("[data-words]").dataset;
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");

  // ── The cut ──

  const cutAt = /** @type {HTMLInputElement | null} */ (root.querySelector("[data-cut-at]"));
  function sayCut() {
    root.querySelector("[data-cut-says]").textContent = cutAt.value;
  }
  cutAt?.addEventListener("input", sayCut);

  // ── How much of what is offered: a part of the stake, chosen beside the decision ──

  const share = /** @type {HTMLInputElement | null} */ (root.querySelector("[data-share]"));
  const percent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" });
  const credits = floor.arithmetic.creditsIn(document.documentElement.lang);

  function choose() {
    if (!share) return;
    share.closest("[data-chooser]").hidden = !document.getElementById("decision").hasAttribute("data-chosen");
    root.querySelector("[data-share-says]").textContent = percent.format(Number(share.value) / 100);
    for (const button of root.querySelectorAll("#decision [data-least]")) {
      const least = Number(button.dataset.least);
      const most = Number(button.dataset.most);
      const amount = floor.arithmetic.partOf(least, most, Number(share.value), Number(share.min));
      button.dataset.send = JSON.stringify({ ...JSON.parse(button.dataset.send), amount });
      button.querySelector(".amount__number").textContent = credits(amount);
    }
  }
  share?.addEventListener("input", choose);

  // ── A choice that has just taken another's place is not meant by a finger that is already coming down ──

  let resting = new Map(); // choice -> when it may be pressed
  floor.restAnew = () => resting.clear(); // choices that come next rest, whichever they are

  function rest() {
    const before = resting;
    resting = new Map();
    for (const button of root.querySelectorAll("#decision [data-send]")) {
      const { do: name, box, hand } = JSON.parse(button.dataset.send);
      const choice = [name, box, hand].join();
      resting.set(choice, floor.rest(button, before.get(choice)));
    }
  }

  // ── What the bettor alone sees is read to them alone ──

  const reader = root.querySelector("[data-reads-own]");

  function readOwn() {
    const hands = [...root.querySelectorAll("#my-cards .my-cards__hand")].map((hand) => {
      const cards = [...hand.querySelectorAll(".card")].map((card) => card.getAttribute("aria-label"));
      return [hand.querySelector("h3").textContent.trim(), ...cards].join(words.comma);
    });
    const text = hands.join(words.semicolon);
    if (reader.textContent !== text) reader.textContent = text;
  }

  // ── What is done for one beforehand: remembered here, said to the house once a round ──

  const presets = root.querySelector("[data-presets]");
  const wanted = () => new Set((floor.recall("follow") || "").split(" ").filter(Boolean));
  let told = "";

  function follows() {
    if (!presets) return;
    const wish = wanted();
    for (const button of presets.querySelectorAll("[data-preset]")) {
      button.setAttribute("aria-pressed", String(wish.has(button.dataset.preset)));
    }
    presets.classList.toggle("is-on", wish.size > 0);
    const { follows: known, mayFollow } = document.getElementById("decision").dataset;
    if (mayFollow === undefined || !floor.online()) return;
    const names = [...presets.querySelectorAll("[data-preset]")].map((button) => button.dataset.preset);
    const asked = names.filter((name) => wish.has(name)).join(" ");
    const saying = `${rail().round} ${asked}`;
    if (saying === told || known === asked) return;
    told = saying;
    send({ do: presets.dataset.presets, ...Object.fromEntries(names.map((name) => [name, wish.has(name)])) });
  }
  presets?.addEventListener("click", (event) => {
    const button = event.target.closest("[data-preset]");
    if (!button) return;
    const wish = wanted();
    if (!wish.delete(button.dataset.preset)) wish.add(button.dataset.preset);
    floor.remember("follow", [...wish].join(" "));
    follows();
  });

  // ── A strip of boxes that is wider than the screen shows the one that acts, or one's own ──

  const strip = root.querySelector("[data-strip]");
  let looked = "";
  let touched = -Infinity;
  for (const name of ["pointerdown", "wheel", "keydown"]) {
    strip?.addEventListener(name, () => (touched = performance.now()), { passive: true });
  }

  /** @returns {void} */
  function look() {
    if (!strip || strip.scrollWidth <= strip.clientWidth) return;
    const box = strip.querySelector("[data-box]:has(.is-acting)") ||
      strip.querySelector("[data-box]:has(.own.is-staked)") ||
      strip.querySelector("[data-box]:has(.seat.is-mine)");
    if (!box) return;
    const hands = box.querySelector("[data-hands]")?.dataset.hands;
    const now = `${rail().round} ${rail().phase} ${box.dataset.box} ${hands}`;
    if (now === looked) return;
    const rests = performance.now() - touched;
    if (rests < 4000) return void window.setTimeout(look, 4100 - rests); // a hand is on it
    looked = now;
    const here = box.getBoundingClientRect();
    const room = strip.getBoundingClientRect();
    const left = here.left + here.width / 2 - room.left - room.width / 2;
    strip.scrollBy({ left, behavior: still.matches ? "auto" : "smooth" });
  }
  window.addEventListener("resize", () => { // a phone is turned: the strip begins at its start again
    looked = "";
    look();
  });

  // ── Clicks, and after every message ──

  root.addEventListener("click", (event) => {
    if (!event.target.closest("[data-cut-now]")) return;
    hush();
    send({ do: "cut", position: Number(cutAt.value) });
  });

  function follow() {
    const cutter = root.querySelector("[data-cutter]");
    if (cutter) cutter.hidden = !document.getElementById("decision").dataset.cutFrom;
    choose();
    rest();
    readOwn();
    follows();
    look();
  }

  document.addEventListener("floor:news", follow);
  document.addEventListener("floor:line", follow);
  if (cutAt) sayCut();
  follow();
})();
