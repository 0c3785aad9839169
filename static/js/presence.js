// @ts-check
// That one is at a table: sounds, the dealer's voice, and being called when it is one's turn. Sound, voice and squeezing
// one's own cards are off until switched on, and so are their scripts: they come when they are wanted, as the sheet of
// keys does. What only a player needs who touches the felt (what a spot is, drawing over spots, links, favourites, a win)
// comes with the first gesture, its sheet too.
(function () {
  "use strict";
  const floor = window.floor;
  const files = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
  const root = document.getElementById("floor");
  const words = root?.querySelector("[data-words]")?.dataset;
  const title = document.title;
  /** @type {Set<string>} */
  const loaded = new Set();
  let sounding = false;

  /** @param {"sound" | "voice" | "squeeze" | "hands" | "lists"} name */
  function load(name) {
    const src = files[name];
    if (!src || loaded.has(name)) return null;
    loaded.add(name);
    const script = document.createElement("script");
    script.src = src;
    document.head.append(script);
    return script;
  }

  floor.play = () => {}; // until its script is there
  floor.volume = Number(floor.recall("volume") ?? 70) / 100;

  for (const name of /** @type {("sound" | "voice")[]} */ (["sound", "voice"])) {
    if (floor.recall(name) === "on") load(name);
    document.addEventListener(`floor:${name}`, (event) => {
      if (name === "sound") sounding = event.detail.on;
      if (event.detail.on) load(name);
    });
  }
  sounding = floor.recall("sound") === "on";
  if (floor.recall("squeeze") === "on") load("squeeze");
  document.querySelector("[data-toggle=squeeze]")?.addEventListener("click", () => load("squeeze"));

  const slider = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-volume]"));
  if (slider) slider.value = String(Math.round(floor.volume * 100));
  slider?.addEventListener("input", () => {
    floor.volume = Number(slider.value) / 100;
    floor.remember("volume", slider.value);
  });
  slider?.addEventListener("change", () => floor.play("chip")); // so loud
  const speaks = document.querySelector("[data-toggle=voice]");
  if (speaks) speaks.hidden = !("speechSynthesis" in window);

  if (!root || !words) return;

  const utf8 = new TextEncoder();
  floor.sha256 = async (text) => {
    const bytes = new Uint8Array(await window.crypto.subtle.digest("SHA-256", utf8.encode(text)));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  };

  // ── The first gesture; or what was done before this page came ──

  const GESTURES = ["pointermove", "pointerdown", "keydown", "focusin"];
  /** @param {Event} event */
  function touched(event) {
    if (event.type === "pointerdown") floor.held = /** @type {PointerEvent} */ (event);
    handle();
  }
  function handle() {
    if (load("hands") && files.sheet) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: files.sheet }));
    }
    for (const name of GESTURES) window.removeEventListener(name, touched, { capture: true });
  }
  for (const name of GESTURES) window.addEventListener(name, touched, { capture: true, passive: true });
  for (const name of ["pointerup", "pointercancel"]) {
    window.addEventListener(name, () => (floor.held = null), { capture: true, passive: true });
  }
  function takesPart() {
    const { seat, bets, paid } = document.getElementById("wallet").dataset;
    return Boolean(seat || paid) || JSON.parse(bets || "[]").length > 0;
  }

  // ── The sheet of keys: asked for by "?", or in the menu ──

  window.addEventListener("keydown", (event) => {
    if (event.key !== "?") return;
    load("lists")?.addEventListener("load", () => event.target.dispatchEvent(new KeyboardEvent("keydown", event)));
  }, { capture: true });
  document.querySelector("[data-menu]:has([data-keys-open])")?.addEventListener("toggle", () => load("lists"));

  // ── One's turn: heard, felt in the hand, and read on the tab while that is hidden ──

  let asked = ""; // what is to be decided
  function turn() {
    const { round, phase } = document.getElementById("rail").dataset;
    const decision = document.getElementById("decision");
    const one = decision?.querySelector("[data-send]:not([data-sure])");
    const now = one || decision?.dataset.cutFrom ? `${round} ${phase} ${floor.arithmetic.asks(one?.dataset.send)}` : "";
    if (now && now !== asked && floor.online()) call();
    if (!now) back();
    asked = now;
  }

  function call() {
    floor.play("turn_is_yours");
    if (sounding && navigator.userActivation?.hasBeenActive) navigator.vibrate?.([120, 80, 120]);
    if (document.hidden) document.title = words.yourTurn.replace("{table}", title);
  }
  function back() {
    if (document.title !== title) document.title = title;
  }
  document.addEventListener("visibilitychange", () => document.hidden || back());

  // ── The last three seconds of betting, or of one's decision ──

  let second = Infinity;
  window.setInterval(() => {
    const { endsAt, pace, betting } = document.getElementById("rail").dataset;
    const left = endsAt ? floor.arithmetic.secondsLeft(Number(endsAt), floor.now()) : Infinity;
    const mine = betting === "1" || (pace === "decision" && asked);
    if (mine && left < second && left > 0 && left <= 3) floor.play("tick");
    second = left;
  }, 200);

  // ── The dealer's shift is over: said once, on the felt ──

  let dealer = document.querySelector("[data-dealer]")?.textContent;
  function relieved() {
    const now = document.querySelector("[data-dealer]")?.textContent;
    if (now && dealer && now !== dealer) {
      const says = words.dealerChanges.replace("{dealer}", now);
      floor.tell?.(says);
      document.dispatchEvent(new CustomEvent("floor:call", { detail: says }));
    }
    dealer = now;
  }

  document.addEventListener("floor:news", () => {
    if (takesPart()) handle();
    turn();
    relieved();
  });
})();
