// @ts-check
// A round dealt for nobody: its moments come one after the other, each with the pieces of the felt that it changes, and
// it begins again when it is over. It rests while nobody can see it. What moves on the felt is fly.js's and the
// stylesheets', which rest with reduced motion; then moments that would pass quickly stay for as long as it takes to see
// what has changed. Guided rounds (kiosk-guide.js) put their pieces in place in the same way.
(function () {
  "use strict";
  const { floor } = window;

  // Put in its place whatever this template has.
  floor.put = function (template) {
    for (const fresh of template.content.children) {
      document.getElementById(fresh.id)?.replaceWith(document.importNode(fresh, true));
    }
    document.dispatchEvent(new CustomEvent("floor:news"));
  };

  const root = document.querySelector("#floor[data-demonstration]");
  if (!root) return;
  const LEAST = window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 1200 : 0;
  const frames = /** @type {HTMLTemplateElement[]} */ ([...root.querySelectorAll("template[data-frame]")]);
  let at = 0;
  let timer = 0;

  function wait() {
    window.clearTimeout(timer);
    if (!document.hidden) timer = window.setTimeout(next, Math.max(LEAST, Number(frames[at].dataset.milliseconds)));
  }

  function next() {
    at = (at + 1) % frames.length;
    floor.put(frames[at]);
    wait();
  }

  document.addEventListener("visibilitychange", wait);
  wait();
})();
