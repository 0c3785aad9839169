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

  // How bets are repeated for several rounds comes when the sheet is opened for the first time.
  let there = false;
  async function come() {
    if (!root.open || there) return;
    there = true;
    try {
      const answer = await fetch("/repeating/");
      if (!answer.ok || answer.redirected) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const part = /** @type {HTMLElement} */ (document.importNode(page.querySelector("[data-repeating]"), true));
      form.after(part);
      document.head.append(Object.assign(document.createElement("script"), { src: part.dataset.script }));
    } catch {
      there = false; // asked for again when it is opened again
    }
  }
  root.addEventListener("toggle", come);
  come();

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = field.value;
    const sent = renamed === null
      ? floor.send({ do: "save_favourite", name })
      : floor.send({ do: "rename_favourite", favourite: renamed, name });
    if (sent) rename(null, "");
  });
})();
