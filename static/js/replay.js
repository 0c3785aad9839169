// @ts-check
// A round seen again: its steps come without loading the page, and play by themselves. Without this script each is a link.
(function () {
  "use strict";
  const floor = window.floor;
  const shown = document.querySelector("[data-replay]"); // what a step shows: the felt, and what it says
  const play = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-play]"));
  if (!shown || !play) return;

  const REST = 700; // milliseconds that a step stays at least,
  const READ = 28; // and as many for each letter that it says
  const FORGIVES = 2; // times that a house which is busy is asked again
  const PARTS = "[data-replay], [data-replay-step]";
  const THINGS = "a, button, input, label, select, summary, textarea, [role=radio], [data-rule]";

  let playing = false;
  let asked = 0; // steps asked for: only the newest is shown
  let timer = 0;

  const where = () => /** @type {HTMLProgressElement} */ (shown.querySelector(".steps progress"));
  /** @param {number} step */
  const address = (step) => `${window.location.pathname}?step=${step}`;

  // ── From one step to the next ──

  // Changes what differs and leaves the rest, so that focus, scrolling and a press that has begun stay where they are.
  /**
   * @param {Node} old
   * @param {Node} fresh
   */
  function become(old, fresh) {
    if (old === play || old.isEqualNode(fresh)) return; // the button says what goes on here, not what the step is
    if (old.nodeName !== fresh.nodeName) {
      /** @type {ChildNode} */ (old).replaceWith(fresh);
      return;
    }
    if (old instanceof Element && fresh instanceof Element) alike(old, fresh);
    else old.nodeValue = fresh.nodeValue;
    const [before, after] = [[...old.childNodes], [...fresh.childNodes]];
    after.forEach((one, place) => (place < before.length ? become(before[place], one) : old.appendChild(one)));
    before.slice(after.length).forEach((one) => one.remove());
  }

  /**
   * @param {Element} old
   * @param {Element} fresh
   */
  function alike(old, fresh) {
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
    }
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
  }

  /** @param {number} step */
  async function fetched(step) {
    for (let times = 0; times <= FORGIVES; times++) {
      const answer = await fetch(address(step), { redirect: "error" });
      if (answer.ok) return new DOMParser().parseFromString(await answer.text(), "text/html");
      if (answer.status !== 503) break;
      await new Promise((done) => window.setTimeout(done, 2000));
    }
    throw new Error("this step is not to be had so");
  }

  /** @param {number} step */
  async function go(step) {
    const mine = ++asked;
    window.clearTimeout(timer);
    try {
      const page = await fetched(step);
      if (mine !== asked) return;
      const fresh = [...page.querySelectorAll(PARTS)];
      const old = [...document.querySelectorAll(PARTS)];
      if (fresh.length !== old.length) throw new Error("another page");
      old.forEach((one, place) => become(one, fresh[place]));
    } catch {
      if (mine === asked) window.location.assign(address(step)); // as the link would; it says what is wrong
      return;
    }
    window.history.replaceState(null, "", address(step));
    if (playing && step >= where().max) playing = false;
    paint();
    if (playing) timer = window.setTimeout(() => go(step + 1), rest());
  }

  function rest() {
    return REST + READ * shown.querySelector(".replay__now").textContent.length;
  }

  // ── Playing ──

  function paint() {
    play.hidden = false;
    play.setAttribute("aria-pressed", String(playing));
    shown.querySelector(".steps").toggleAttribute("data-playing", playing);
  }

  function pause() {
    playing = false;
    asked++; // a step that is under way is not shown any more
    window.clearTimeout(timer);
    paint();
  }

  play.addEventListener("click", () => {
    if (playing) {
      pause();
      return;
    }
    playing = true;
    paint();
    go(where().value < where().max ? where().value + 1 : 0);
  });

  /** @param {number} step */
  function jump(step) {
    pause();
    go(step);
  }

  document.addEventListener("click", (event) => {
    if (event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = /** @type {HTMLAnchorElement | null} */ (event.target.closest("[data-replay] a[href*='?step=']"));
    if (!link || link.pathname !== window.location.pathname) return;
    event.preventDefault();
    jump(Number(new URLSearchParams(link.search).get("step")));
  });

  // The arrow keys are heard on every page with steps: page.js.
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest(THINGS)) return;
    if (event.key === " " && floor.keys) play.click();
    else if (event.key === "Home") jump(0);
    else if (event.key === "End") jump(where().max);
    else return;
    event.preventDefault();
  });

  paint();
})();
