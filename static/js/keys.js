// @ts-check
// The sheet of keys of a table, or of the pit: "?" opens it, or the menu. It is written from what has a key on the page.
(function () {
  "use strict";
  const floor = window.floor;
  const sheet = /** @type {HTMLDialogElement} */ (document.querySelector("[data-keys]"));
  const opens = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-keys-open]"));
  if (!sheet) return;

  /** @type {Record<string, string>} */
  const GROUPS = { // data-keys-of -> what is listed there
    spots: ".spot[aria-keyshortcuts]",
    decision: "#decision [aria-keyshortcuts]",
    deeds: "[data-deed][aria-keyshortcuts], .finder__open[aria-keyshortcuts]",
    work: ".pit-frame [aria-keyshortcuts]", // in the pit
    places: ".bar [aria-keyshortcuts]",
  };

  // A spot is called as it is read out, a button by what is written on it.
  /** @param {HTMLElement} one */
  function called(one) {
    const name = document.getElementById(`name-${one.dataset.key}`) || one;
    const words = /** @type {HTMLElement} */ ((name.querySelector(".sr") || name).cloneNode(true));
    for (const other of words.querySelectorAll("kbd, .choice__key, .choice__cost, .choice__means")) other.remove();
    return words.textContent.replace(/\s+/g, " ").trim();
  }

  function write() {
    for (const [group, which] of Object.entries(GROUPS)) {
      const list = sheet.querySelector(`[data-keys-of=${group}]`);
      if (!list) continue;
      const seen = new Map();
      /** @type {NodeListOf<HTMLElement>} */
      const all = document.querySelectorAll(which);
      for (const one of all) {
        const key = one.getAttribute("aria-keyshortcuts");
        if (one.checkVisibility() && !seen.has(key)) seen.set(key, called(one));
      }
      const sorted = group === "spots" ? [...seen].sort(([one], [other]) => one.localeCompare(other)) : [...seen];
      list.replaceChildren(...sorted.map(([key, name]) => row(key, name)));
      /** @type {HTMLElement} */ (list.closest("section")).hidden = !list.children.length;
    }
    /** @type {HTMLElement} */ (sheet.querySelector("[data-keys-off]")).hidden = floor.keys !== false;
  }

  /**
   * @param {string} key
   * @param {string} name
   */
  function row(key, name) {
    const line = document.createElement("div");
    const [term, says] = [document.createElement("dt"), document.createElement("dd")];
    term.append(Object.assign(document.createElement("kbd"), { textContent: key }));
    says.textContent = name;
    line.append(term, says);
    return line;
  }

  let styled = false; // its style comes with the first look at it

  function open() {
    write();
    /** @type {HTMLDetailsElement | null} */ (document.querySelector("details[data-menu][open]"))?.removeAttribute(
      "open",
    );
    if (styled) return sheet.showModal();
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: sheet.dataset.keys });
    style.addEventListener("load", () => {
      styled = true;
      if (!sheet.open) sheet.showModal();
    });
    document.head.append(style);
  }

  if (opens) {
    opens.hidden = false;
    opens.addEventListener("click", open);
  }
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet || event.target.closest("[data-keys-close]")) sheet.close();
  });

  // While the sheet is read no key stakes.
  window.addEventListener("keydown", (event) => {
    if (sheet.open) {
      if (event.key !== "Escape") event.stopPropagation();
      return;
    }
    if (event.key !== "?" || floor.keys === false || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest("select, textarea, input:not([type=radio]), dialog")) return;
    event.preventDefault();
    event.stopPropagation();
    open();
  }, { capture: true });
})();
