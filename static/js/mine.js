// @ts-check
// In the lobby: what is the player's own there, asked for anew when the round goes on at a table at which they take part.
(function () {
  "use strict";
  const PAUSE = 2000; // milliseconds between two times at the least
  const places = () => [...document.querySelectorAll("#mine [data-place]")];
  const happening = () =>
    places().map(({ dataset }) =>
      document.querySelector(`#table-${CSS.escape(dataset.place)} .lobby-card__phase span`)?.textContent
    ).join();
  let known = happening();
  let asking = false;

  function own() {
    const mine = document.getElementById("mine");
    if (!mine || asking || document.hidden || happening() === known) return;
    asking = true;
    known = happening();
    window.htmx.ajax("GET", "/mine/", { target: mine, swap: "outerHTML" });
    window.setTimeout(() => {
      asking = false;
      own();
    }, PAUSE);
  }
  document.addEventListener("floor:news", own);
  document.addEventListener("visibilitychange", own);
  document.addEventListener("htmx:afterSwap", () => {
    const words = new Map(places().map((place) => [place.dataset.place, place.textContent]));
    for (const mark of document.querySelectorAll("[data-mine]")) {
      mark.textContent = words.get(mark.dataset.mine) ?? "";
    }
  });
})();
