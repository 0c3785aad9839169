// @ts-check
// Leaving a seat is asked first where it costs something: what, the house says with the button. On the page of a table
// it is asked in a dialog, on a kiosk on a sheet. Loaded before table.js, which sends what is meant.
(function () {
  "use strict";
  const floor = window.floor;
  const root = document.getElementById("floor");
  const sheet = root.querySelector("[data-leaving]");
  const says = sheet.querySelector("[data-leaving-says]");
  const stays = /** @type {HTMLElement} */ (sheet.querySelector("[data-stays]"));
  const goes = sheet.querySelector("[data-goes]");

  const modal = sheet instanceof HTMLDialogElement ? sheet : null;
  const isOpen = () => modal ? modal.open : !sheet.hidden;
  const standsUp = () => /** @type {HTMLElement} */ (root.querySelector("#my-seat [data-send]"));

  function tell() {
    const text = root.querySelector("[data-leaving-costs]")?.textContent;
    if (text && says.textContent !== text) says.textContent = text;
    return Boolean(text);
  }

  function ask() {
    tell();
    if (modal) modal.showModal();
    else floor.paper("leaving");
    floor.rest(goes); // a finger that comes down a second time means the first button
    stays.focus();
  }

  function close() {
    if (modal) modal.close();
    else floor.paper("");
  }

  document.addEventListener(
    "click",
    (event) => {
      if (event.target.closest("[data-leaves]")) {
        event.stopPropagation();
        ask();
      } else if (event.target.closest("[data-stays]") || event.target === modal) { // beside it, too
        close();
        standsUp()?.focus();
      }
    },
    { capture: true },
  );
  goes.addEventListener("click", (event) => floor.rests(goes, event) || close());

  // While it is asked no key stakes or decides.
  document.addEventListener("keydown", (event) => {
    if (!isOpen()) return;
    event.stopPropagation();
    if (event.key === "Escape" && !modal) close();
  }, { capture: true });

  // What it costs may change meanwhile; when it costs nothing any more, nothing is asked.
  document.addEventListener("floor:news", () => {
    if (isOpen() && !tell()) close();
  });
})();
