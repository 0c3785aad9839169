// Before the first paint: what this browser prefers. Nothing else blocks the page.
(function () {
  "use strict";
  const floor = (window.floor = window.floor || {});

  // A browser may refuse storage; then nothing is remembered, and nothing breaks.
  floor.recall = function (name, store) {
    try {
      return (store || window.localStorage).getItem("floor." + name);
    } catch {
      return null;
    }
  };
  floor.remember = function (name, value, store) {
    try {
      (store || window.localStorage).setItem("floor." + name, value);
    } catch {
      // not remembered
    }
  };

  document.documentElement.dataset.suits = floor.recall("suits") === "on" ? "four" : "two";
})();
