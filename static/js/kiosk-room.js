// @ts-check
// A result on the felt of a kiosk is told as fully as its room allows: nothing there is cut off, and nothing scrolls.
// Each step leaves something away that is said elsewhere too (kiosk-table.css); the sum and its headline always stay.
(function () {
  "use strict";
  const STEPS = ["reasons", "notes", "lost", "apart", "articles", "words"];
  const felt = /** @type {HTMLElement | null} */ (document.querySelector(".felt"));
  const outcome = /** @type {HTMLElement | null} */ (felt?.querySelector(".outcome"));
  if (!outcome) return;

  /** How many pixels of the felt and its parts are cut off. */
  function cut() {
    let pixels = 0;
    for (const part of [felt, outcome, ...felt.querySelectorAll(".layout, .result, .my-result")]) {
      pixels += Math.max(0, part.scrollHeight - part.clientHeight) + Math.max(0, part.scrollWidth - part.clientWidth);
    }
    return pixels;
  }

  /** @param {Element} line */
  const won = (line) => line.classList.contains("is-won");

  /** @param {number} steps */
  function shortened(steps) {
    outcome.dataset.shorter = STEPS.slice(0, steps).join(" ");
    return cut();
  }

  function fit() {
    for (const line of outcome.querySelectorAll(".my-result__line[hidden]")) line.hidden = false;
    const least = shortened(STEPS.length);
    let steps = 0;
    while (shortened(steps) > least + 1) steps++;
    // of very many bets as many as there is room for, those that won before others; the sum has all
    const result = /** @type {HTMLElement | null} */ (document.getElementById("my-result"));
    const lines = /** @type {HTMLElement[]} */ ([...(result?.querySelectorAll(".my-result__line") ?? [])]);
    lines.sort((one, other) => Number(won(other)) - Number(won(one)));
    while (lines.length > 1 && result.scrollHeight > result.clientHeight + 1) lines.pop().hidden = true;
  }

  fit();
  document.addEventListener("floor:news", fit);
  felt.addEventListener("change", fit); // another way to lay bets may show a higher layout
  document.fonts.addEventListener("loadingdone", fit);
  for (const name of ["load", "resize"]) window.addEventListener(name, fit);
})();
