// @ts-check
// Raising and folding at Stud Poker, beside staking (table.js): what a raise costs, and a hand that is asked once more
// whether it is thrown away.
(function () {
  "use strict";
  const floor = window.floor;
  if (!floor.staking) return; // a guided round decides nothing
  const { rail, purse, seat, bets, betting, chip, spotOf, hush } = floor.staking;
  const root = document.getElementById("floor");
  const credits = floor.arithmetic.creditsIn(document.documentElement.lang);

  // ── A raise that the balance does not cover: said beside the ante before it is placed, and where it is decided ──

  const raising = root.querySelector("[data-raise-words]")?.dataset;
  const times = Number(raising?.times); // the ante
  /** @type {Raise} */
  const NO_RAISE = { says: "", ante: 0, rest: 0 };

  function cover() {
    const left = Number(purse().balance);
    for (const button of root.querySelectorAll("#decision [data-needs]")) {
      button.hidden = Number(button.dataset.needs) > left;
      root.querySelector("#decision [data-too-little]").hidden = !button.hidden;
    }
    for (const line of raising ? root.querySelectorAll("[data-costs]") : []) {
      const { says, ante, rest } = Number(line.dataset.costs) === seat() && betting() ? raiseAfter(left) : NO_RAISE;
      const words = says ? raising[says] : "";
      const text = words.replace("{raise}", credits(ante * times)).replace("{left}", credits(rest));
      if (line.textContent !== text) line.textContent = text;
      line.classList.toggle("is-short", says !== "" && says !== "costs");
    }
  }

  // What is to be said of the raise, on which ante, and what would be left for it.
  /** @param {number} balance */
  function raiseAfter(balance) {
    const ante = floor.arithmetic.sum(bets().filter((bet) => bet.spot === "ante").map((bet) => bet.amount));
    const most = Number(spotOf(`ante-${seat()}`).dataset.most);
    return floor.arithmetic.raiseAfter({ ante, chip: chip(), most, times, balance });
  }

  // ── What would be thrown away is asked once more, where it was chosen; the time runs on ──

  let asking = ""; // the round in which it is asked

  /** @param {boolean} open */
  function sure(open) {
    const doubtful = root.querySelector("#decision [data-asks]");
    if (!doubtful) return false;
    doubtful.hidden = open;
    for (const part of root.querySelectorAll("#decision [data-sure]")) part.hidden = !open;
    return true;
  }

  function ask() {
    asking = rail().round;
    sure(true);
    floor.rest(root.querySelector("#decision [data-send][data-sure]"));
    root.querySelector("#decision [data-unasks]").focus();
  }

  function unask() {
    asking = "";
    if (sure(false)) root.querySelector("#decision [data-asks]").focus();
  }

  // ── Clicks, keys, and after every message ──

  root.addEventListener("click", (event) => {
    const target = event.target.closest("[data-asks], [data-unasks]");
    if (!target) return;
    hush();
    if (target.matches("[data-unasks]")) return unask();
    if (!(floor.rests(target, event) && event.detail > 0)) ask(); // a key is meant at once, a finger may have been coming down before
  });
  root.addEventListener("change", (event) => {
    if (/** @type {HTMLInputElement} */ (event.target).name === "chip") cover();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && asking) unask();
  });

  function follow() {
    cover();
    if (asking && !(asking === rail().round && sure(true))) asking = "";
  }

  document.addEventListener("floor:news", follow);
  document.addEventListener("floor:line", follow);
  follow();
})();
