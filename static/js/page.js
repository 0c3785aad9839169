// @ts-check
// On every page: menus, switches, the clock of Macau, and arrow keys where a log is stepped through.
(function () {
  "use strict";
  const floor = window.floor;

  // ── Time: the house's, as the last message said it ──

  let offset = 0;
  floor.now = () => Date.now() + offset;
  floor.setNow = (epoch) => {
    if (epoch > 0) offset = epoch - Date.now();
  };

  // ── Switches: a button with aria-pressed, remembered in this browser ──

  /** @type {Record<string, (on: boolean, asked: boolean) => void>} */
  const effects = {
    /** @param {boolean} on */
    suits: (on) => {
      document.documentElement.dataset.suits = on ? "four" : "two";
    },
    sound: (on, asked) => document.dispatchEvent(new CustomEvent("floor:sound", { detail: { on, asked } })),
    voice: (on, asked) => document.dispatchEvent(new CustomEvent("floor:voice", { detail: { on, asked } })),
    /** @param {boolean} on */
    keys: (on) => {
      floor.keys = on;
    },
  };
  /** @type {Record<string, string>} */
  const standard = { keys: "on" };

  function setUpSwitches() {
    for (const button of document.querySelectorAll("[data-toggle]")) {
      const name = button.dataset.toggle;
      const on = (floor.recall(name) || standard[name]) === "on";
      button.setAttribute("aria-pressed", String(on));
      effects[name]?.(on, false);
      button.addEventListener("click", () => {
        const now = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(now));
        floor.remember(name, now ? "on" : "off");
        effects[name]?.(now, true);
      });
    }
  }

  // ── Menus close when the eye goes elsewhere ──

  /** @param {Node} except */
  function closeMenus(except) {
    /** @type {NodeListOf<HTMLDetailsElement>} */
    const open = document.querySelectorAll("details[data-menu][open]");
    for (const menu of open) {
      if (menu !== except && !menu.contains(except)) menu.open = false;
    }
  }
  document.addEventListener("pointerdown", (event) => closeMenus(/** @type {Node} */ (event.target)));
  document.addEventListener("focusin", (event) => closeMenus(/** @type {Node} */ (event.target)));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const open = /** @type {HTMLDetailsElement} */ (document.querySelector("details[data-menu][open]"));
    if (open) {
      open.open = false;
      open.querySelector("summary").focus();
    }
  });

  // ── A citation says its article, and leads to the page of the rules ──

  const card = document.getElementById("article-card");
  const more = /** @type {HTMLAnchorElement | null} */ (card?.querySelector("[data-more]"));
  const fingers = document.documentElement.classList.contains("kiosk");
  const REACH = 32; // pixels from its middle at which a finger still means a citation that is smaller than itself
  const ACTS = "a, button, input, label, summary, select, .spot, .seat, .article-card";
  /** @type {HTMLElement | null} */
  let citation = null; // the one that is open

  /** @param {HTMLElement} chosen */
  function cite(chosen) {
    closed(); // another that is still open
    citation = chosen;
    card.querySelector("[data-cited]").textContent = chosen.textContent;
    card.querySelector("[data-says]").textContent = chosen.title;
    card.querySelector("[data-ours]").hidden = !chosen.closest(".article--ours");
    const [game, article] = chosen.dataset.rule.split("/");
    more.href = `${more.dataset.rules}${game}/${more.dataset.query}${article}`;
    more.target = fingers || more.pathname === window.location.pathname ? "" : "_blank";
    chosen.setAttribute("aria-expanded", "true");
    chosen.setAttribute("aria-controls", card.id);
    card.togglePopover(true);
    card.querySelector("button").focus();
  }

  // Whoever came from a citation goes on there, even if what it stands in has been drawn anew meanwhile.
  function closed() {
    if (!citation) return;
    const from = citation;
    citation = null;
    from.removeAttribute("aria-expanded");
    from.removeAttribute("aria-controls");
    const lost = !document.activeElement || document.activeElement === document.body ||
      card.contains(document.activeElement);
    if (lost) (from.isConnected ? from : document.getElementById("main"))?.focus({ preventScroll: true });
  }

  // At a kiosk a citation is smaller than a finger: a touch beside it that means nothing else means the nearest.
  /** @param {MouseEvent & { target: EventTarget }} event */
  function meant(event) {
    const own = /** @type {HTMLElement | null} */ (event.target.closest("[data-rule]"));
    if (own || !fingers || event.target.closest(ACTS)) return own;
    let nearest = null;
    let least = REACH;
    /** @type {NodeListOf<HTMLElement>} */
    const all = document.querySelectorAll("[data-rule]");
    for (const one of all) {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const aside = Math.max(left - event.clientX, event.clientX - right, 0);
      const away = Math.hypot(aside, event.clientY - y);
      // what lies over it, or has scrolled it away, is meant itself
      if (away <= least && !one.closest("[inert]") && document.elementFromPoint(x, y)?.contains(one)) {
        [nearest, least] = [one, away];
      }
    }
    return nearest;
  }

  if (card) {
    let closes = false; // whether the touch that now begins only closes the card
    window.addEventListener("pointerdown", (event) => {
      closes = citation !== null && !card.contains(/** @type {Node} */ (event.target));
    }, { capture: true });
    window.addEventListener("click", (event) => {
      if (!closes || event.detail === 0 || event.target.closest("[data-rule]")) return;
      closes = false;
      event.preventDefault();
      event.stopImmediatePropagation();
    }, { capture: true });
    card.addEventListener("toggle", (event) => {
      if (/** @type {ToggleEvent} */ (event).newState === "closed") closed();
    });
    more.addEventListener("click", () => more.target || card.hidePopover());
    window.addEventListener("click", (event) => {
      const chosen = meant(event);
      if (!chosen) return;
      if (fingers) event.stopPropagation(); // the touch means nothing else
      cite(chosen);
    }, { capture: true });
    document.addEventListener("keydown", (event) => {
      if ((event.key !== "Enter" && event.key !== " ") || !event.target.matches("[data-rule]")) return;
      event.preventDefault();
      cite(/** @type {HTMLElement} */ (event.target));
    });
  }

  // ── The clock: strikes when a session starts, every ten minutes of it, and when it has ended ──

  function setUpClock() {
    const clock = document.querySelector("[data-clock]");
    if (!clock) return;
    const face = /** @type {HTMLTimeElement} */ (clock.querySelector("[data-clock-time]"));
    const format = new Intl.DateTimeFormat(document.documentElement.lang, {
      timeZone: "Asia/Macau",
      hour: "numeric",
      minute: "2-digit",
    });
    let began = Number(floor.recall("session", "tab")) || 0;
    let struck = 0;

    function strike() {
      clock.classList.remove("is-striking");
      void clock.offsetWidth; // begins the animation anew
      clock.classList.add("is-striking");
      window.setTimeout(() => clock.classList.remove("is-striking"), 4000);
    }

    const ended = floor.recall("ended", "tab") === "yes";
    if (!began || ended) {
      began = floor.now();
      floor.remember("session", String(began), "tab");
      floor.remember("ended", "no", "tab");
      strike();
    }
    struck = floor.arithmetic.strikes(began, floor.now());

    function tick() {
      const now = floor.now();
      const text = format.format(now);
      if (face.textContent !== text) {
        face.textContent = text;
        face.dateTime = new Date(now).toISOString();
      }
      const due = floor.arithmetic.strikes(began, now);
      if (due > struck) {
        struck = due;
        strike();
      }
    }
    tick();
    window.setInterval(tick, 1000);
  }

  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-session-end]")) return;
    floor.forget();
    floor.remember("ended", "yes", "tab");
  });

  // ── Stepping through a log with the arrow keys ──

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, [role=radio]")) return;
    const step = { ArrowLeft: "back", ArrowRight: "on" }[event.key];
    const link = step && document.querySelector(`[data-steps] [data-step="${step}"]`);
    if (link) link.click();
  });

  setUpSwitches();
  setUpClock();
})();
