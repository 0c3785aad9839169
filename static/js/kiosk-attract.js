// @ts-check
// Between visitors: one table after the other. What is written wanders, so that nothing is burnt into the screen.
(function () {
  "use strict";
  const STAY = 40_000; // milliseconds that a table is shown
  const PLACES = 8; // positions among which everything wanders (kiosk.css)
  const { next } = document.body.dataset;
  const { kiosk } = window;

  document.body.dataset.wander = String(Math.floor(Date.now() / STAY) % PLACES);

  const felt = document.querySelector("#floor .felt");
  if (felt) kiosk.fit(felt, 1);

  let due = Date.now() + STAY;
  window.setInterval(() => {
    if (Date.now() < due || !kiosk.online()) return;
    due += STAY;
    kiosk.go(next);
  }, 1000);
})();
