// @ts-check
// The menu of a tile on the pit's floor: what can be done with that table as it stands now.
(function () {
  "use strict";
  const menu = /** @type {HTMLDialogElement | null} */ (document.querySelector("[data-tile-menu]"));
  if (!menu) return;
  let slug = "";
  const tile = () => document.getElementById(`pit-table-${slug}`);

  // A push may change how the table stands while the menu is open.
  function fit() {
    const shown = tile();
    if (!menu.open || !shown) return;
    for (const deed of menu.querySelectorAll("[data-when]")) {
      deed.hidden = !deed.dataset.when.split(" ").some((state) => shown.classList.contains(`is-${state}`));
    }
  }

  function open() {
    const link = /** @type {HTMLAnchorElement | null} */ (tile()?.querySelector("h2 a"));
    if (!link) return;
    menu.querySelector("[data-tile-name]").textContent = link.textContent.trim();
    for (const deed of menu.querySelectorAll("[data-deed]")) {
      const address = link.href + deed.dataset.deed;
      if (deed.matches("a")) deed.setAttribute("href", address);
      else deed.setAttribute("formaction", address);
    }
    for (const button of menu.querySelectorAll("[data-tile-slug]")) button.setAttribute("value", slug);
    for (const next of menu.querySelectorAll("[data-tile-next]")) {
      next.setAttribute("value", window.location.pathname + window.location.search);
    }
    for (const form of menu.querySelectorAll("form")) /** @type {any} */ (form).reset();
    menu.showModal();
    fit();
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-tile-deeds]");
    if (button) {
      slug = button.dataset.tileDeeds;
      open();
    } else if (event.target.closest("[data-tile-close]")) menu.close();
  });
  menu.addEventListener("close", () => document.getElementById(`pit-deeds-${slug}`)?.focus());
  document.addEventListener("floor:news", fit);
})();
