// @ts-check
// A guided first round: one step after the other, by itself or at a touch anywhere. Each puts its pieces of the felt in
// place, says its sentence, and points at what that speaks of. The last one waits: the table comes with a touch.
(function () {
  "use strict";
  const { floor, kiosk } = window;
  const root = document.querySelector("[data-guide]");
  const steps = /** @type {HTMLTemplateElement[]} */ ([...root.querySelectorAll("template[data-step]")]);
  const way = [...root.querySelectorAll(".guided__way li")];
  const ring = root.querySelector("[data-ring-at]");
  const on = root.querySelector("[data-on]");
  const begin = root.querySelector("[data-begin]");
  const AROUND = 8; // pixels between what is pointed at and the ring
  const SETTLES = 500; // milliseconds after which whatever flies has come to rest
  let at = -1;
  let timer = 0;

  // The first that is drawn of what the step points at.
  function shown() {
    return [...root.querySelectorAll(steps[at].dataset.at)].find((one) => {
      const { width, height } = one.getBoundingClientRect();
      return width && height;
    });
  }

  // Round it, and never beyond the screen.
  function point() {
    if (at < 0) return;
    const place = shown()?.getBoundingClientRect();
    ring.hidden = !place;
    if (!place) return;
    const left = Math.max(2, place.left - AROUND);
    const top = Math.max(2, place.top - AROUND);
    ring.style.left = `${left}px`;
    ring.style.top = `${top}px`;
    ring.style.width = `${Math.min(window.innerWidth - 2, place.right + AROUND) - left}px`;
    ring.style.height = `${Math.min(window.innerHeight - 2, place.bottom + AROUND) - top}px`;
  }

  function wait() {
    window.clearTimeout(timer);
    if (!document.hidden && at < steps.length - 1) {
      timer = window.setTimeout(next, Number(steps[at].dataset.milliseconds));
    }
  }

  function next() {
    if (at >= steps.length - 1) return;
    at += 1;
    floor.put(steps[at]);
    way.forEach((one, place) => {
      one.classList.toggle("is-done", place < at);
      one.classList.toggle("is-now", place === at);
    });
    /** @type {HTMLElement} */ (way[at].firstElementChild).style.animationDuration = `${
      steps[at].dataset.milliseconds
    }ms`;
    if (!kiosk) shown()?.scrollIntoView({ block: "center", inline: "center" });
    point();
    window.setTimeout(point, SETTLES);
    kiosk?.touch?.(); // whoever is shown something is there
    const last = at === steps.length - 1;
    on.hidden = last;
    begin.hidden = !last;
    if (last) begin.focus({ preventScroll: true });
    wait();
  }

  root.addEventListener("click", (event) => {
    if (!event.target.closest("a")) next();
  });
  window.addEventListener("resize", point);
  window.addEventListener("scroll", point, { capture: true, passive: true });
  document.addEventListener("visibilitychange", wait);
  kiosk?.fit(root.querySelector(".felt"), 1); // a page of the web scrolls instead
  next();
})();
