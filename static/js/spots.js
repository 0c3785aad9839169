// @ts-check
// A layout with many spots: what the one that is pointed at is and pays, and the list of all bets.
// Whoever knows more of a spot listens for "floor:pointed" and tells it.
(function () {
  "use strict";
  const floor = window.floor;
  const root = document.getElementById("floor");
  const print = root.querySelector("[data-layout]");
  const words = print.querySelector("[data-spot-words]").dataset;
  const number = new Intl.NumberFormat(document.documentElement.lang);
  const credits = floor.arithmetic.creditsIn(document.documentElement.lang);
  /** @param {string} key */
  const spotOf = (key) => root.querySelector(`.spot[data-key="${CSS.escape(key)}"]`);
  /** Its name, which its label says before what it pays. @param {HTMLElement} spot */
  function titleOf(spot) {
    const label = spot.getAttribute("aria-label");
    return label.slice(0, label.lastIndexOf(spot.dataset.odds)).replace(/[,，、]\s*$/, "");
  }
  /**
   * @param {string} text
   * @param {Record<string, string>} values
   */
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  // ── What is pointed at: its name, what it pays, its limits, what lies there ──

  const about = print.querySelector("[data-about]");
  const empty = about.textContent.trim();
  /** @type {HTMLElement | null} */
  let pointed = null;

  /**
   * @param {string} text
   * @param {string} [css]
   */
  function tell(text, css) {
    const part = document.createElement(css === "title" ? "b" : "span");
    if (css) part.className = `about__${css}`;
    part.textContent = text;
    about.append(part, " ");
  }

  function tellAbout() {
    about.textContent = "";
    const { odds, limits, key } = pointed ? pointed.dataset : {};
    if (!pointed) tell(empty);
    if (key) {
      tell(titleOf(pointed), "title");
      tell(odds);
    }
    document.dispatchEvent(new CustomEvent("floor:pointed", { detail: { target: pointed, tell } }));
    if (!key) return;
    tell(fill(words.limits, { limits }));
    const own = Number(document.getElementById(`own-${key}`)?.dataset.total || 0);
    const all = document.getElementById(`all-${key}`)?.dataset;
    if (own) tell(fill(words.own, { credits: credits(own) }), "own");
    if (all && Number(all.total) > own) {
      tell(fill(words.all, { credits: credits(all.total), bettors: number.format(Number(all.bettors)) }));
    }
  }

  floor.point = function (target) {
    pointed = target;
    tellAbout();
  };

  /** @param {{ target: EventTarget }} event */
  const pointable = (event) => event.target.closest?.(".print .spot[data-covers], .print [data-neighbours]");
  for (const name of ["pointerover", "focusin", "pointerdown"]) {
    print.addEventListener(name, (event) => {
      const target = pointable(event);
      if (target && target !== pointed) floor.point(target);
    });
  }
  print.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse") floor.point(pointable({ target: document.activeElement }) || null);
  });

  // ── The list of all bets: by numbers that they cover, or by name ──

  /** @param {HTMLDetailsElement} finder */
  function lists(finder) {
    const wanted = /** @type {HTMLInputElement} */ (finder.querySelector("[data-find]"));
    const found = finder.querySelector("[data-found]");
    /** @type {HTMLElement[]} written when the list is first opened */
    const entries = [];

    function list() {
      const entry = /** @type {HTMLTemplateElement} */ (finder.querySelector("[data-entry]")).content;
      for (const group of finder.querySelectorAll("[data-group]")) {
        const kind = group.dataset.group;
        for (const spot of print.querySelectorAll(`.spot:is([data-family="${kind}"], [data-sweep="${kind}"])`)) {
          const item = entry.cloneNode(true);
          const button = /** @type {DocumentFragment} */ (item).querySelector("button");
          button.dataset.for = spot.dataset.key;
          button.firstElementChild.textContent = titleOf(spot);
          entries.push(button);
          group.querySelector("ul").append(item);
        }
      }
    }

    function find() {
      const asked = wanted.value.toLowerCase().split(/[\s,;–-]+/).filter(Boolean);
      let count = 0;
      for (const entry of entries) {
        const spot = spotOf(entry.dataset.for);
        const covers = spot.dataset.covers.split(" ");
        const title = titleOf(spot).toLowerCase();
        const fits = asked.every((one) => (/^\d+$/.test(one) ? covers.includes(one) : title.includes(one)));
        entry.parentElement.hidden = !fits;
        count += fits ? 1 : 0;
      }
      for (const group of finder.querySelectorAll("[data-group]")) {
        group.hidden = !group.querySelector("li:not([hidden])");
      }
      const text = fill(words.found, { count: number.format(count) });
      if (found.textContent !== text) found.textContent = text;
    }

    wanted.addEventListener("input", find);
    wanted.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== "ArrowDown") return;
      event.preventDefault();
      entries.find((entry) => entry.checkVisibility())?.focus();
    });
    finder.addEventListener("click", (event) => {
      const entry = event.target.closest("[data-for]");
      if (!entry) return;
      floor.point(spotOf(entry.dataset.for));
      spotOf(entry.dataset.for).click();
    });
    finder.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !finder.open) return;
      finder.open = false;
      finder.querySelector("summary").focus();
    });
    function opened() {
      if (!finder.open) return;
      if (!entries.length) list();
      find();
      listOwn();
      wanted.focus();
    }
    finder.addEventListener("toggle", opened);

    function listOwn() {
      if (!finder.open) return;
      for (const entry of entries) {
        const total = Number(document.getElementById(`own-${entry.dataset.for}`)?.dataset.total || 0);
        const text = total ? credits(total) : "";
        const place = entry.querySelector("[data-own]");
        if (place.textContent !== text) place.textContent = text;
      }
    }

    document.addEventListener("floor:news", listOwn);
    opened(); // before this script was there
  }
  const finder = /** @type {HTMLDetailsElement | null} */ (print.querySelector("[data-finder]"));
  if (finder) lists(finder); // a kiosk has none

  // ── After every message ──

  root.addEventListener(
    "change",
    (event) => /** @type {HTMLInputElement} */ (event.target).name === "chip" && tellAbout(),
  );
  document.addEventListener("floor:news", tellAbout);
  floor.point(pointable({ target: floor.held?.target || document.activeElement }) || null); // before this script was there
})();
