// @ts-check
// The last bets for several rounds: this page lays them each time bets open, by the message that a hand would send. Nobody
// bets for somebody whose page is gone. It stops by itself, and while it runs the button that repeats is the one that stops.
(function () {
  "use strict";
  const { floor } = window;
  const root = document.getElementById("floor");
  const sheet = /** @type {HTMLElement} */ (document.querySelector("[data-repeating]"));
  const button = root.querySelector("[data-deed=repeat]");
  if (!sheet || !button) return;
  const opens = /** @type {HTMLDetailsElement} */ (sheet.closest("details"));
  const label = /** @type {HTMLElement} */ (button.querySelector("span"));
  const called = label.textContent;
  const most = /** @type {HTMLInputElement} */ (sheet.querySelector("[name=loss]"));
  const CREDIT = 100; // cents
  /** @type {Repeating | null} */
  let now = null;
  let laying = false; // it is this page that presses the button

  const rail = () => document.getElementById("rail").dataset;
  const purse = () => document.getElementById("wallet").dataset;
  const credits = floor.arithmetic.creditsIn(document.documentElement.lang);
  /** @param {Stake[]} list */
  const cost = (list) => floor.arithmetic.sum(list.map((bet) => bet.amount));

  // As table.js keeps what was staked last, for the button that repeats.
  const last = () => `last.${root.dataset.slug}.${purse().me}`;
  /** @returns {Stake[]} */
  const lying = () => JSON.parse(purse().bets || "[]").filter((/** @type {Bet} */ bet) => !bet.carried);
  // What would be repeated: what lies there, else what lay there last.
  /** @returns {Stake[]} */
  const meant = () => lying().length ? lying() : JSON.parse(floor.recall(last(), "tab") || "null")?.bets ?? [];

  function show() {
    label.textContent = now ? sheet.dataset.stop.replace("{left}", String(now.left)) : called;
    button.style.borderColor = now ? "var(--attention)" : "";
    if (now) button.setAttribute("aria-disabled", "false");
    const sum = cost(meant());
    const says = sheet.querySelector("[data-repeats-sum]");
    const text = sum ? sheet.dataset.sum.replace("{credits}", credits(sum)) : sheet.dataset.nothing;
    if (says.textContent !== text) says.textContent = text;
    /** @type {NodeListOf<HTMLButtonElement>} */
    const choices = sheet.querySelectorAll("[data-rounds]");
    for (const one of choices) one.disabled = now !== null || !sum;
    if (!most.dataset.own && most !== document.activeElement) most.value = String(Math.ceil((5 * sum) / CREDIT) || "");
  }
  most.addEventListener("input", () => (most.dataset.own = most.value));
  if (most.value) most.dataset.own = most.value; // typed before this script was there

  // A refusal stands there already, with its reason.
  /** @param {string} [why] */
  function stop(why) {
    if (!now) return;
    now = null;
    show();
    if (why) floor.tell?.(sheet.dataset[why]);
  }

  // What the rounds have cost so far. A round counts as lost until it is seen what it has paid.
  /** @param {Repeating} running */
  const lost = (running) => -floor.arithmetic.sum([...running.nets.values()]);

  /** @param {Repeating} running */
  function lay(running) {
    const sum = cost(running.bets);
    const due = Number(/** @type {HTMLElement | null} */ (document.querySelector("[data-played]"))?.dataset.due);
    if (!floor.online()) return stop("offline");
    if (!running.bets.every(({ key }) => root.querySelector(`.spot[data-key="${CSS.escape(key)}"]`))) {
      return stop("gone");
    }
    if (due <= floor.now()) return stop("reality");
    if (lost(running) + sum > running.most) return stop("loss");
    if (sum > Number(purse().balance)) return stop("balance");
    running.round = rail().round;
    running.left -= 1;
    running.nets.set(running.round, -sum);
    if (lying().length) return;
    floor.remember(last(), JSON.stringify({ round: running.round, bets: running.bets }), "tab");
    laying = true;
    button.click();
    laying = false;
  }

  function follow() {
    if (now) {
      const { round, betting } = rail();
      const { paid } = purse();
      const nets = Object.values(JSON.parse(paid || "{}")).map(([net]) => net);
      if (nets.length && betting !== "1" && now.nets.has(round)) now.nets.set(round, floor.arithmetic.sum(nets));
      const notice = document.getElementById("notice");
      if (notice !== now.notice && notice.dataset.kind === "refused") return stop();
      now.notice = notice;
      if (betting === "1" && round !== now.round) {
        if (now.left === 0) return stop("done");
        lay(now);
      }
    }
    show();
  }

  sheet.addEventListener("click", (event) => {
    const choice = event.target.closest("[data-rounds]");
    if (!choice || now) return;
    const bets = meant();
    const limit = Number(most.value) * CREDIT;
    if (!bets.length || !most.reportValidity()) return;
    if (limit < cost(bets)) return floor.tell?.(sheet.dataset.loss);
    now = {
      bets: floor.arithmetic.perSpot(bets),
      left: Number(choice.dataset.rounds),
      most: limit,
      round: "",
      nets: new Map(),
      notice: document.getElementById("notice"),
    };
    opens.open = false;
    button.focus();
    follow();
  });

  // Before table.js hears of it: the same button, and its key, stop.
  root.addEventListener("click", (event) => {
    if (!now || laying || event.target.closest("[data-deed=repeat]") !== button) return;
    event.stopPropagation();
    stop("stopped");
  }, { capture: true });

  document.addEventListener("floor:news", follow);
  document.addEventListener("floor:line", (event) => event.detail.state === "open" || stop("offline"));
  show();
})();
