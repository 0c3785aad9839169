// @ts-check
// Before the first paint: what this browser prefers. Nothing else blocks the page.
(function () {
  "use strict";
  const floor = (window.floor = window.floor || /** @type {Floor} */ ({}));

  // A browser may refuse storage; then nothing is remembered, and nothing breaks.
  /**
   * @param {string} name
   * @param {Storage} [store]
   */
  floor.recall = function (name, store) {
    try {
      return (store || window.localStorage).getItem("floor." + name);
    } catch {
      return null;
    }
  };
  /**
   * @param {string} name
   * @param {string} value
   * @param {Storage} [store]
   */
  floor.remember = function (name, value, store) {
    try {
      (store || window.localStorage).setItem("floor." + name, value);
    } catch {
      // not remembered
    }
  };

  // A login has ended: what its tab remembers goes with it. What the browser prefers stays.
  floor.forget = function () {
    try {
      window.sessionStorage.clear();
    } catch {
      // there is nothing
    }
  };

  document.documentElement.dataset.suits = floor.recall("suits") === "on" ? "four" : "two";
})();
