// @ts-check
// Keys of the pit: a letter opens the place or does the deed that has it. They can be switched off in the menu.
(function () {
  "use strict";
  const floor = window.floor;

  document.addEventListener("keydown", (event) => {
    if (floor.keys === false || event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
    if (event.target.closest("select, textarea, input, dialog[open]")) return;
    const key = event.key.length === 1 ? event.key.toUpperCase() : "";
    if (!key) return;
    // On the floor a deed is of one tile among many: no key says of which.
    const meant = [...document.querySelectorAll(`[aria-keyshortcuts="${CSS.escape(key)}"]`)].filter(
      (one) => one.checkVisibility() && !one.closest(".pit-tables"),
    );
    if (!meant.length) return;
    event.preventDefault();
    meant[0].focus();
    meant[0].click();
  });
})();
