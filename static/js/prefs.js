// @ts-check
// Before the first paint: what this browser prefers. Nothing else blocks the page.
(function () {
  "use strict";
  const floor = (window.floor = window.floor || /** @type {Floor} */ ({}));

  // What this browser remembers, or with "tab" this tab alone. A browser may refuse storage: to ask for it throws then,
  // and what was to be remembered is, for as long as the page is there.
  /** @type {Map<string, string>} */
  const refused = new Map();
  /** @param {"tab"} [where] */
  const storage = (where) => (where ? window.sessionStorage : window.localStorage);
  /**
   * @param {string} name
   * @param {"tab"} [where]
   */
  floor.recall = function (name, where) {
    const kept = refused.get(`${where}.${name}`);
    if (kept !== undefined) return kept;
    try {
      return storage(where).getItem("floor." + name);
    } catch {
      return null;
    }
  };
  /**
   * @param {string} name
   * @param {string} value
   * @param {"tab"} [where]
   */
  floor.remember = function (name, value, where) {
    try {
      storage(where).setItem("floor." + name, value);
      refused.delete(`${where}.${name}`);
    } catch {
      refused.set(`${where}.${name}`, value);
    }
  };

  // A login has ended: what its tab remembers goes with it. What the browser prefers stays.
  floor.forget = function () {
    for (const name of refused.keys()) if (name.startsWith("tab.")) refused.delete(name);
    try {
      window.sessionStorage.clear();
    } catch {
      // there is nothing
    }
  };

  document.documentElement.dataset.suits = floor.recall("suits") === "on" ? "four" : "two";
})();
