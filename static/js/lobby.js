// @ts-check
// The lobby: seconds on the cards, and a filter that works at once. What is pushed moves no card: they are put in order
// when the page is made, and when somebody asks for it.
(function () {
  "use strict";
  const floor = window.floor;
  const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-filter]"));
  const cards = [...document.querySelectorAll("[data-game][data-least]")];

  function tick() {
    for (const card of document.querySelectorAll("[data-ends-at]")) {
      const seconds = card.querySelector("[data-seconds-left]");
      if (!seconds) continue;
      const left = floor.arithmetic.secondsLeft(Number(card.dataset.endsAt), floor.now());
      const text = left > 0 ? String(left) : "";
      if (seconds.textContent !== text) seconds.textContent = text;
    }
  }
  window.setInterval(tick, 250);
  document.addEventListener("floor:news", tick);
  tick();

  function filter() {
    const game = form.elements.game.value;
    const most = Number(form.elements.limit.selectedOptions[0].dataset.cents || Infinity);
    let shown = 0;
    for (const card of cards) {
      card.hidden = (game !== "" && card.dataset.game !== game) || Number(card.dataset.least) > most;
      shown += card.hidden ? 0 : 1;
    }
    document.querySelector("[data-none]").hidden = shown > 0;
    const query = new URLSearchParams();
    if (game) query.set("game", game);
    if (form.elements.limit.value) query.set("limit", form.elements.limit.value);
    window.history.replaceState(null, "", query.size ? `?${query}` : window.location.pathname);
  }
  // A card for which there is no place here: its table was not there yet when this page was made.
  document.addEventListener("htmx:oobErrorNoTarget", (event) => {
    if (event.detail.content.matches(".lobby-card")) window.location.reload();
  });
  form.addEventListener("change", filter);

  // ── In order: one's own first, then by what moves ──

  form.querySelector("[data-sort]").addEventListener("click", () => {
    /** @param {HTMLElement} card */
    const rank = (card) =>
      (card.querySelector("[data-mine]")?.textContent.trim() ? "0" : "1") +
      (card.querySelector(".lobby-card")?.dataset.rank ?? "");
    cards.sort((one, other) => rank(one).localeCompare(rank(other)));
    document.querySelector(".cards").prepend(...cards);
  });
  form.querySelector("[data-filter-button]").hidden = true;
})();
