// @ts-check
// Favourite bets: saved under a name, renamed, deleted. To lay one is a button of the felt like any other; then the sheet
// closes, so that what lies there can be seen.
(function () {
  "use strict";
  const floor = window.floor;
  const root = /** @type {HTMLDetailsElement | null} */ (document.querySelector("[data-favourites]"));
  if (!root) return;
  const form = /** @type {HTMLFormElement} */ (root.querySelector("[data-favourite-form]"));
  const field = form.elements.name;
  /** @type {number | null} */
  let renamed = null; // id of the one that gets another name

  /**
   * @param {number | null} id
   * @param {string} name
   */
  function rename(id, name) {
    renamed = id;
    field.value = name;
    form.querySelector("[data-saves]").hidden = id !== null;
    for (const part of form.querySelectorAll("[data-renames], [data-renames-not]")) part.hidden = id === null;
    if (id !== null) field.focus();
  }

  root.addEventListener("click", (event) => {
    const button = event.target.closest("[data-lays], [data-rename], [data-drop], [data-renames-not]");
    if (!button) return;
    if (button.matches("[data-lays]")) {
      root.open = false;
      root.querySelector("summary").focus();
    } else if (button.matches("[data-rename]")) rename(Number(button.dataset.rename), button.dataset.name);
    else if (button.matches("[data-drop]")) {
      floor.send({ do: "drop_favourite", favourite: Number(button.dataset.drop) });
    } else rename(null, "");
  });

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = field.value;
    const sent = renamed === null
      ? floor.send({ do: "save_favourite", name })
      : floor.send({ do: "rename_favourite", favourite: renamed, name });
    if (sent) rename(null, "");
  });
})();
