// @ts-check
// Every page of a kiosk: nothing on it scrolls, zooms, selects or leads away; it stays awake; it knows at once when the
// line to the house is down, says so quietly, and begins anew at the door when the house answers again; and it lets go
// of a visitor who has gone.
//
// Pages follow each other by location.replace() alone: there is never a page to go back to.
(function () {
  "use strict";
  const body = document.body;
  const page = body.dataset.kioskPage; // door, attract or play
  const farewellForm = /** @type {HTMLFormElement | null} */ (document.querySelector("[data-farewell-form]"));
  const kiosk = (window.kiosk = /** @type {Kiosk} */ ({}));

  // ── Guards ──

  /** @param {Event} event */
  const never = (event) => event.cancelable && event.preventDefault();
  for (const name of ["contextmenu", "selectstart", "dragstart", "gesturestart", "gesturechange", "dblclick"]) {
    document.addEventListener(name, never);
  }
  document.addEventListener("touchmove", (event) => event.touches.length > 1 && never(event), { passive: false });
  document.addEventListener("wheel", never, { passive: false });
  document.addEventListener("keydown", (event) => {
    const zooms = (event.ctrlKey || event.metaKey) && ["+", "-", "=", "0"].includes(event.key);
    if (zooms || (event.altKey && event.key.startsWith("Arrow"))) event.preventDefault();
  });

  // ── From page to page ──

  let leaving = false;

  // To another page of the kiosk; if it does not come, to the door.
  /** @param {string} url */
  kiosk.go = function (url) {
    if (leaving) return;
    leaving = true;
    window.location.replace(url);
    window.setTimeout(() => {
      leaving = false;
      kiosk.begin();
    }, 15_000);
  };

  // Without a worker that keeps the door nothing is left before the house answers: the browser's own error page would
  // stay for ever.
  kiosk.begin = async function () {
    if (leaving) return;
    try {
      if (!navigator.serviceWorker?.controller) await asked(body.dataset.door, {});
      kiosk.go(body.dataset.door);
    } catch {
      window.setTimeout(kiosk.begin, 3000);
    }
  };

  // An answer of the house. Throws if it does not come in time, or is none.
  /**
   * @param {string} url
   * @param {RequestInit} about
   */
  async function asked(url, about) {
    const answer = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout(8000), ...about });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer;
  }
  kiosk.asked = asked;

  let sending = false;

  // Say what a form says, and go where the house says. However often it is touched, it is said once.
  /**
   * @param {HTMLFormElement} form
   * @param {HTMLElement} button
   */
  kiosk.send = async function (form, button) {
    if (sending || leaving) return;
    sending = true;
    try {
      const said = new URLSearchParams(/** @type {any} */ (new FormData(form, button)));
      const answer = await asked(form.action, { method: "POST", body: said, headers: { "X-Kiosk": "1" } });
      kiosk.go((await answer.json()).next);
    } catch {
      kiosk.begin();
    } finally {
      sending = false;
    }
  };

  document.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.action === farewellForm?.action) farewell();
    else kiosk.send(form, event.submitter);
  });

  document.addEventListener("click", (event) => {
    const link = /** @type {HTMLAnchorElement | null} */ (event.target.closest("a[href]"));
    if (!link) return;
    event.preventDefault();
    const { origin, pathname, hash } = new URL(link.href);
    const part = pathname === window.location.pathname && document.getElementById(hash.slice(1));
    if (part) {
      part.scrollIntoView();
      part.focus({ preventScroll: true });
    } else if (origin === window.location.origin && pathname.startsWith(body.dataset.door)) kiosk.go(link.href);
  });

  // What a visitor left in this browser. What the device itself keeps is not theirs: which screen it is, and which use
  // of the kiosk.
  function forget() {
    for (const kept of [window.localStorage, window.sessionStorage]) {
      for (const name of Object.keys(kept)) if (!name.startsWith("kiosk.")) kept.removeItem(name);
    }
  }
  if (page !== "play") forget();

  // How they want to see the screen: page.js has the switches, kiosk-comfort.css what they do.
  function showAsChosen() {
    for (const name of ["large", "contrast", "lower"]) {
      const on = document.querySelector(`[data-toggle="${name}"]`)?.getAttribute("aria-pressed") === "true";
      document.documentElement.toggleAttribute(`data-${name}`, on);
    }
  }
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-toggle]")) return;
    showAsChosen();
    window.dispatchEvent(new Event("resize")); // what is placed by its neighbours moves with them
  });
  showAsChosen();

  // ── Awake, and as large as the screen ──

  async function stayAwake() {
    try {
      if (!document.hidden) await navigator.wakeLock?.request("screen");
    } catch {
      // the device decides; its own settings can keep it awake too
    }
  }
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();

  function fillTheScreen() {
    if (document.fullscreenElement || window.matchMedia("(display-mode: fullscreen)").matches) return;
    document.documentElement.requestFullscreen?.({ navigationUI: "hide" }).catch(() => {});
  }
  if (page === "play") document.addEventListener("pointerup", fillTheScreen, { once: true });

  navigator.serviceWorker?.register(body.dataset.worker, { scope: body.dataset.door }).catch(() => {});

  if (page === "door") return;

  // Make the felt as large as its place allows, within `most`. While it is shown it may get smaller, when more is written
  // on it, and never larger (nothing jumps), unless its place changes.
  /**
   * @param {HTMLElement} felt
   * @param {number} most
   */
  kiosk.fit = function (felt, most) {
    const LEAST = 0.6;
    const STEP = 0.05;
    let size = most;
    const fits = () => felt.scrollHeight <= felt.clientHeight + 1 && felt.scrollWidth <= felt.clientWidth + 1;
    function fit() {
      while (size > LEAST && !fits()) {
        size -= STEP;
        felt.style.zoom = String(size);
      }
    }
    function fitAnew() {
      size = most;
      felt.style.zoom = String(size);
      fit();
    }
    fitAnew();
    document.addEventListener("floor:news", fit);
    window.addEventListener("load", fitAnew);
    document.fonts.addEventListener("loadingdone", fit);
    window.addEventListener("resize", fitAnew);
  };

  // ── The line ──

  const HERE = 5000; // how often the house is told that the screen is there; it answers each time
  const SILENCE = 12_000; // so long without an answer, from its opening on, and the line counts as lost
  const AGAIN = 1500;
  const SPREAD = 1000;
  const SLEPT = 20_000; // a second that took so long was a sleep
  const A_MINUTE = 60_000;
  const soon = document.querySelector("[data-soon]");
  /** @type {WebSocket | null} */
  let line = null;
  let heard = Date.now();
  let lost = false;

  kiosk.online = () => !lost && line?.readyState === WebSocket.OPEN;
  window.sessionStorage.setItem("kiosk.use", body.dataset.use);

  function listen() {
    const mine = new WebSocket(`${window.location.origin.replace("http", "ws")}/ws/kiosk/`);
    line = mine;
    const patience = window.setTimeout(() => drop(mine), SILENCE);
    mine.onopen = () => {
      window.clearTimeout(patience);
      heard = Date.now();
      here();
    };
    mine.onmessage = (event) => {
      heard = Date.now();
      if (lost) kiosk.begin(); // the line is back
      else hear(JSON.parse(event.data));
    };
    mine.onclose = ({ code }) => {
      window.clearTimeout(patience);
      if (code === 4401 || code === 4403) over();
      else drop(mine);
    };
  }

  // This use of the kiosk is over. If another screen has begun one it is heard of first: then it is not taken back.
  function over() {
    line = null;
    gone();
    window.setTimeout(kiosk.begin, 2 * HERE);
  }

  // What this page says of itself, for the pit: words, not pixels, and nothing of whoever plays.
  const { sessionStorage } = window;
  const trouble = (/** @type {unknown} */ what) =>
    sessionStorage.setItem("kiosk.error", String(what).replace(/[^ -~]+/g, " ").slice(0, 200));
  window.addEventListener("error", (event) => trouble(event.message));
  window.addEventListener("unhandledrejection", (event) => trouble(event.reason));

  function health() {
    const sheet = document.querySelector("[data-paper]:not([hidden])");
    return {
      version: body.dataset.version,
      began: sessionStorage.getItem("kiosk.began") ?? "",
      size: `${window.innerWidth} × ${window.innerHeight} @ ${window.devicePixelRatio}`.slice(0, 30),
      error: sessionStorage.getItem("kiosk.error") ?? "",
      page: window.location.pathname.split("/")[2] ?? "",
      game: body.dataset.game,
      phase: document.getElementById("rail")?.dataset.phase ?? "",
      sheet: sheet?.id ?? "",
      language: document.documentElement.lang,
    };
  }

  function here() {
    if (line?.readyState !== WebSocket.OPEN) return;
    line.send(JSON.stringify({ type: "here", showing: page, health: health() }));
  }

  /** @param {WebSocket} mine */
  function drop(mine) {
    if (mine !== line) return;
    mine.onopen = mine.onmessage = mine.onclose = null;
    mine.close();
    line = null;
    gone();
    window.setTimeout(listen, AGAIN + SPREAD * Math.random()); // all screens lose their lines at once
  }

  function gone() {
    if (leaving) return;
    lost = true;
    soon.hidden = false;
    still?.close();
  }

  /**
   * @typedef {object} Told
   * @property {number} use
   * @property {number} restarts
   * @property {boolean} visitor
   * @property {boolean} locked
   * @property {boolean} closed
   * @property {number} dim
   * @property {string} version
   * @property {string} message
   * @property {Record<string, string>} messages
   */
  /** @param {Told} told */
  function hear(told) {
    const { use, restarts, locked, closed } = body.dataset;
    if (told.use !== Number(use) || told.restarts > Number(restarts)) return kiosk.begin();
    if (page === "play" && !told.visitor) {
      forget();
      return kiosk.go(body.dataset.attract);
    }
    if (told.locked !== (locked !== undefined)) return kiosk.go(body.dataset.attract);
    if (page === "attract" && told.closed !== (closed !== undefined)) return kiosk.go(body.dataset.attract);
    // A page that stays takes up a new version; while old and new ones answer side by side, once a minute at most.
    const old = told.version !== body.dataset.version && performance.now() > A_MINUTE;
    if (page === "attract" && old) return kiosk.go(body.dataset.attract);
    document.documentElement.style.setProperty("--dim", String(told.dim / 100));
    const message = told.messages[document.documentElement.lang] ?? told.message;
    for (const place of document.querySelectorAll("[data-message]")) {
      if (place.textContent !== message) place.textContent = message;
      place.hidden = !message;
    }
  }

  let ticked = Date.now();
  function tick() {
    const now = Date.now();
    const slept = now - ticked > SLEPT && !document.hidden;
    ticked = now;
    if (line && !leaving && (slept || now - heard > SILENCE)) drop(line);
    else if (!lost && idle) wait(now);
  }

  window.addEventListener("offline", () => line && drop(line));
  window.addEventListener("pageshow", (event) => event.persisted && kiosk.begin());
  window.setInterval(here, HERE);

  // ── Whoever does not touch the screen is asked, and then let go ──

  const LEFT = 15; // seconds that a visitor has to answer
  const idle = Number(body.dataset.idle) * 1000;
  const still = /** @type {HTMLDialogElement | null} */ (document.querySelector("[data-still]")); // none on a wallboard
  const left = document.querySelector("[data-still-left]");
  let touched = Date.now();

  function touch() {
    touched = Date.now();
  }
  kiosk.touch = touch; // for pages that show the visitor something meanwhile
  for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, touch, { capture: true });
  still?.addEventListener("click", () => still.close());

  /** @param {number} now */
  function wait(now) {
    const seconds = window.floor.arithmetic.secondsLeft(touched + idle + LEFT * 1000, now);
    if (seconds <= 0) farewell();
    else if (seconds > LEFT) still.close();
    else {
      left.textContent = String(seconds);
      if (!still.open) still.showModal();
    }
  }

  let going = false;

  // The visitor goes: what the house knows of them, and then what this browser does.
  async function farewell() {
    if (going || leaving) return;
    going = true;
    let next = body.dataset.door;
    try {
      const said = new URLSearchParams(/** @type {any} */ (new FormData(farewellForm)));
      next =
        (await (await asked(farewellForm.action, { method: "POST", body: said, headers: { "X-Kiosk": "1" } })).json())
          .next;
    } catch {
      // the door ends the visit
    }
    forget();
    kiosk.go(next);
    going = false;
  }
  kiosk.farewell = farewell;

  window.setInterval(tick, 1000);
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  if (visit?.type === "reload") kiosk.begin();
  else listen();
})();
