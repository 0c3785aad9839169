// @ts-check
// Several tables on one screen. Each is the page of its table in a frame, with its own line and scripts; what is common to
// them is here: the size of each, one purse, which of them wants a decision, switches that hold for all.
(function () {
  "use strict";
  const { floor } = window;
  const form = /** @type {HTMLFormElement} */ (document.querySelector(".chooser__form"));
  const shown = document.querySelector("[data-several]");
  const title = document.title;

  // ── Which tables: no more than so many ──

  function limit() {
    /** @type {NodeListOf<HTMLInputElement>} */
    const all = form.querySelectorAll("[name=t]");
    const full = form.querySelectorAll("[name=t]:checked").length >= Number(form.dataset.most);
    for (const one of all) one.disabled = full && !one.checked;
  }
  form.addEventListener("change", limit);
  limit();
  if (!shown) return;

  const purse = document.getElementById("wallet");
  const says = document.querySelector("[data-called]");
  /** @type {HTMLElement[]} */
  const tables = [...shown.querySelectorAll("[data-table]")];
  const credits = floor.arithmetic.creditsIn(document.documentElement.lang);
  /** @param {HTMLElement} table */
  const frameOf = (table) => /** @type {HTMLIFrameElement} */ (table.querySelector("iframe"));
  /** @param {HTMLElement} table */
  const inside = (table) => frameOf(table).contentDocument;
  /** @param {HTMLElement} table */
  const tabOf = (table) => document.querySelector(`[data-tab="${CSS.escape(table.dataset.table)}"]`);

  // ── How large: a felt in a low wide room is drawn as on a phone that lies, in a narrow one as on a tablet that stands,
  //    and shown as large as there is room. A room that is right already stays as it is ──

  const LYING = { least: 1.7, height: 479, width: 768, most: 640 }; // of width to height; pixels of the room
  const TABLET = { from: 480, width: 844 };

  /** @param {HTMLElement} table */
  function fit(table) {
    const room = /** @type {HTMLElement} */ (table.querySelector(".several__room"));
    const { clientWidth: width, clientHeight: height } = room;
    if (!width || !height) return;
    let scale = 1;
    if (width / height >= LYING.least && height < LYING.most) {
      if (height > LYING.height) scale = height / LYING.height;
      else if (width < LYING.width && width >= TABLET.from) scale = width / LYING.width;
    } else if (width >= TABLET.from && width < TABLET.width) scale = width / TABLET.width;
    const { style } = frameOf(table);
    style.width = `${width / scale}px`;
    style.height = `${height / scale}px`;
    style.transform = scale === 1 ? "" : `scale(${scale})`;
  }
  const sizes = new ResizeObserver(() => tables.forEach(fit));
  sizes.observe(shown);
  for (const table of tables) sizes.observe(table.querySelector(".several__room"));

  // ── One purse: what the table says whose balance has changed last ──

  /** @type {Map<HTMLElement, string>} */
  const balances = new Map();

  /** @param {HTMLElement} table */
  function count(table) {
    const wallet = inside(table)?.getElementById("wallet");
    const balance = wallet?.dataset.balance;
    if (!balance) return;
    if (balances.has(table) && balances.get(table) !== balance) purse.dataset.balance = balance;
    balances.set(table, balance);
    const text = credits(purse.dataset.balance);
    for (const one of document.querySelectorAll("[data-purse] .amount__number")) one.textContent = text;
    for (const other of tables) {
      const own = inside(other)?.getElementById("wallet");
      if (own && own.dataset.balance !== purse.dataset.balance) {
        own.dataset.balance = purse.dataset.balance;
        balances.set(other, purse.dataset.balance);
      }
    }
    const bets = tables.flatMap((one) => JSON.parse(inside(one)?.getElementById("wallet")?.dataset.bets || "[]"));
    purse.dataset.bets = JSON.stringify(bets);
    document.dispatchEvent(new CustomEvent("floor:news"));
  }

  // ── Which of them wants a decision: marked, said, and in the title; it sounds in its own frame ──

  /** @type {Set<HTMLElement>} */
  const calling = new Set();

  /** @param {HTMLElement} table */
  function asks(table) {
    const decision = inside(table)?.getElementById("decision");
    return Boolean(decision?.querySelector("[data-send]:not([data-sure])") || decision?.dataset.cutFrom);
  }

  /** @param {HTMLElement} table */
  function look(table) {
    const now = asks(table);
    if (now === calling.has(table)) return;
    if (now) calling.add(table);
    else calling.delete(table);
    for (const place of [table, tabOf(table)]) {
      place.classList.toggle("is-calling", now);
      place.querySelector("[data-calls]").hidden = !now;
    }
    const names = [...calling].map((one) => frameOf(one).title.split(",")[0]).join(" · ");
    document.title = names ? `● ${says.dataset.words.replace("{table}", names)}` : title;
    says.textContent = now ? says.dataset.words.replace("{table}", frameOf(table).title) : "";
  }

  // ── On a phone one of them lies in front ──

  document.querySelector("[data-tabs]").addEventListener("click", (event) => {
    const tab = event.target.closest("[data-tab]");
    if (!tab) return;
    for (const table of tables) {
      const front = table.dataset.table === tab.dataset.tab;
      table.classList.toggle("is-front", front);
      tabOf(table).setAttribute("aria-pressed", String(front));
    }
  });

  // ── What is switched in the menu holds in every frame ──

  for (const name of /** @type {const} */ (["floor:sound", "floor:voice"])) {
    document.addEventListener(name, ({ detail }) => {
      for (const table of tables) inside(table)?.dispatchEvent(new CustomEvent(name, { detail }));
    });
  }

  for (const table of tables) {
    const hear = () => {
      const felt = inside(table);
      if (!felt?.getElementById("floor")) return;
      const news = () => {
        count(table);
        look(table);
      };
      felt.addEventListener("floor:news", news);
      felt.addEventListener("floor:line", news);
      // a link leads out of the frame: the other tables stay
      felt.addEventListener("click", (event) => {
        const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("a[href]"));
        if (link && !link.target) link.target = "_top";
      }, { capture: true });
      // whoever comes in as a guest comes back to all of them
      felt.addEventListener("submit", (event) => {
        const form = /** @type {HTMLFormElement} */ (event.target);
        if (!form.elements.next) return;
        form.target = "_top";
        form.elements.next.value = window.location.pathname + window.location.search;
      }, { capture: true });
      news();
    };
    frameOf(table).addEventListener("load", hear);
    if (inside(table)?.readyState === "complete") hear();
  }
})();
