// @ts-check
// Staking at a table: chips, spots, undo and its kin, the ring, the keyboard. What is decided with cards is in deciding.js.
// What may be done is read from the data-* of #rail (the round) and #wallet (the bettor); the house decides anyway.
(function () {
  "use strict";
  const floor = window.floor;
  const root = document.getElementById("floor");
  const words = root.querySelector("[data-words]").dataset;
  const answer = root.querySelector("[data-answer]");
  const drawn = document.getElementById("rail").dataset.drawn;
  /** @type {Map<string, string[]>} */
  const pending = new Map(); // ref -> keys of the spots that wait for its answer
  let lastNotice = document.getElementById("notice");
  let lastPhase = "";

  // ── What is known ──

  const rail = () => document.getElementById("rail").dataset;
  const purse = () => document.getElementById("wallet").dataset;
  const me = () => purse().me || "";
  const seat = () => (purse().seat ? Number(purse().seat) : null);
  /** @type {() => Bet[]} */
  const bets = () => JSON.parse(purse().bets || "[]");
  const betting = () => rail().betting === "1";
  const chip = () => Number(/** @type {HTMLInputElement} */ (root.querySelector("[name=chip]:checked"))?.value || 0);
  /** @param {string} key */
  const spotOf = (key) => root.querySelector(`.spot[data-key="${CSS.escape(key)}"]`);
  /** @param {string} key */
  const fixed = (key) => Number(spotOf(key)?.dataset.fixed || 0); // a spot that takes one amount and no other
  /** @param {Stake} bet */
  const leans = (bet) => Number(spotOf(bet.key)?.hasAttribute("data-leans") || false);

  // ── Saying something here, without the house ──

  /**
   * @param {string | Node} what
   * @param {string} [spot]
   */
  function tell(what, spot) {
    const box = document.createElement("div");
    box.id = "notice";
    box.dataset.kind = "info";
    box.dataset.about = spot || "";
    const notice = document.createElement("div");
    notice.className = "notice notice--info";
    const line = document.createElement("p");
    line.append(what);
    notice.append(line);
    box.append(notice);
    document.getElementById("notice").replaceWith(box);
    lastNotice = box;
    place(box);
  }

  floor.tell = tell;

  let fading = 0;
  function hush() {
    window.clearTimeout(fading);
    document.getElementById("notice").replaceChildren();
    answer.classList.remove("is-placed");
    root.querySelectorAll(".is-refused").forEach((spot) => spot.classList.remove("is-refused"));
  }

  // What was said of another phase goes, once there was time to read it.
  const READ = 3000; // milliseconds
  let placed = -Infinity;
  function hushSoon() {
    window.clearTimeout(fading);
    fading = window.setTimeout(hush, Math.max(0, READ - (performance.now() - placed)));
  }

  // Next to the spot that it is about, where there is room; otherwise above the tray.
  /** @param {HTMLElement} box */
  function place(box) {
    window.clearTimeout(fading);
    answer.classList.remove("is-placed");
    answer.style.removeProperty("left");
    answer.style.removeProperty("top");
    const sheet = box.querySelector(".notice");
    if (!sheet) return;
    const spot = box.dataset.about && spotOf(box.dataset.about);
    if (spot) {
      if (box.dataset.kind === "refused") spot.classList.add("is-refused");
      answer.classList.add("is-placed");
      const there = spot.getBoundingClientRect();
      const here = sheet.getBoundingClientRect();
      const left = Math.min(
        Math.max(8, there.left + there.width / 2 - here.width / 2),
        window.innerWidth - here.width - 8,
      );
      const above = there.top - here.height - 6;
      answer.style.left = `${left}px`;
      answer.style.top = `${above > 60 ? above : Math.min(there.bottom + 6, window.innerHeight - here.height - 8)}px`;
    }
    placed = performance.now();
    fading = window.setTimeout(hush, 15_000);
  }

  // ── Sending ──

  /**
   * @param {Message} message
   * @param {string | string[]} [about]
   */
  function send(message, about) {
    const spots = [about || []].flat();
    if (!floor.online()) {
      tell(words.offline, spots[0]);
      return null;
    }
    const inRound = !["sit", "stand_up"].includes(message.do);
    const ref = floor.send(inRound ? { ...message, round: Number(rail().round) } : message);
    if (ref && spots.length) {
      pending.set(ref, spots);
      spots.forEach((spot) => spotOf(spot)?.classList.add("is-sending"));
      window.setTimeout(() => done(ref), 4000);
    }
    return ref;
  }

  /** @param {string} ref */
  function done(ref) {
    const spots = pending.get(ref);
    if (spots === undefined) return;
    pending.delete(ref);
    const left = [...pending.values()].flat();
    spots.forEach((spot) => left.includes(spot) || spotOf(spot)?.classList.remove("is-sending"));
  }

  // Some spots say more than that bets are closed: until when the article lets them be staked on.
  /** @param {string} spot */
  function whyClosed(spot) {
    const why = root.querySelector(`template[data-why-closed="${spotOf(spot)?.dataset.spot}"]`);
    return why instanceof HTMLTemplateElement ? why.content.cloneNode(true) : words.closed;
  }

  /** @param {string} spot */
  function mayStake(spot) {
    if (!me()) tell(words.watching, spot);
    else if (!floor.online()) tell(words.offline, spot);
    else if (!betting()) tell(whyClosed(spot), spot);
    else return true;
    return false;
  }

  // On a spot that belongs to a box it lies in that box, on any other in the box of one's own seat, unless it belongs
  // to the whole table.
  /**
   * @param {string} key
   * @param {number} amount
   */
  function stake(key, amount) {
    const { spot, box, common } = spotOf(key).dataset;
    send({ do: "bet", spot, box: box ? Number(box) : common === undefined ? seat() : null, amount }, key);
  }

  // Several bets in one message: each is answered by itself, and what is refused is named.
  const TOGETHER = 40;

  /** @param {Stake[]} list */
  function stakes(list) {
    for (let from = 0; from < list.length; from += TOGETHER) {
      const part = list.slice(from, from + TOGETHER);
      const bets = part.map(({ key, amount }) => {
        const { spot, box, common } = spotOf(key).dataset;
        return { spot, box: box ? Number(box) : common === undefined ? seat() : null, amount };
      });
      send({ do: "bets", bets }, part.map(({ key }) => key));
    }
  }

  // A chip on each of these spots, in one gesture.
  floor.lay = function (keys) {
    hush();
    if (mayStake(keys[0])) stakes(keys.map((key) => ({ key, amount: fixed(key) || chip() })));
  };

  // ── Deeds of the tray ──

  /** @type {() => { bets: Stake[] } | null} */
  const latest = () => JSON.parse(floor.recall(`last.${root.dataset.slug}.${me()}`, "tab") || "null");
  const fresh = () => bets().filter((bet) => !bet.carried);
  const removable = () => fresh().filter((bet) => bet.may);
  /** @param {Stake[]} list */
  const bySpot = (list) => floor.arithmetic.perSpot(list).sort((a, b) => leans(a) - leans(b));

  /** @param {Stake[]} list */
  function again(list) {
    const there = list.filter((bet) =>
      spotOf(bet.key) && !(fixed(bet.key) && bets().some((own) => own.key === bet.key))
    );
    const total = floor.arithmetic.sum(there.map((bet) => bet.amount));
    if (total > Number(purse().balance)) return tell(words.tooLittle);
    stakes(there);
  }

  /** @type {Record<string, { may(): boolean; run(): void }>} */
  const deeds = {
    undo: {
      may: () => betting() && removable().length > 0,
      run: () => send({ do: "undo" }), // a chip, or all that one gesture has laid: the house knows which
    },
    clear: {
      may: () => betting() && removable().length > 0,
      run: () => send({ do: "clear" }, removable().map((bet) => bet.key)),
    },
    repeat: {
      may: () => betting() && latest() !== null && latest().bets.length > 0,
      run: () => {
        const last = latest();
        if (!last) return tell(words.nothingToRepeat);
        again(last.bets);
      },
    },
    double: {
      may: () => betting() && bets().length > 0,
      run: () => again(bySpot(bets())),
    },
    ready: {
      may: () => betting() && purse().ready !== "1" && (seat() !== null || bets().length > 0),
      run: () => send({ do: "ready" }),
    },
  };

  /** @param {string} name */
  function run(name) {
    const deed = deeds[name];
    hush();
    if (!mayStake("")) return;
    if (deed.may()) deed.run();
    else if (name === "undo" || name === "clear") tell(words.nothingToUndo);
    else if (name === "repeat") tell(words.nothingToRepeat);
  }

  // ── Clicks ──

  // A long press shows the limits and stakes nothing. The events say how long it was: a page that was busy judges no
  // differently.
  const HOLD = 450; // milliseconds
  /** @type {{ spot: HTMLElement; timer: number; since: number; long: boolean } | null} */
  let pressed = null;
  root.addEventListener("pointerdown", (event) => {
    const spot = event.target.closest(".spot[data-spot]");
    if (!spot || event.pointerType === "mouse") return;
    const timer = window.setTimeout(() => spot.classList.add("is-pressed"), HOLD);
    pressed = { spot, timer, since: event.timeStamp, long: false };
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    root.addEventListener(name, (event) => {
      if (!pressed) return;
      const { spot, timer, since } = pressed;
      window.clearTimeout(timer);
      pressed.long = event.timeStamp - since >= HOLD;
      spot.classList.toggle("is-pressed", pressed.long);
      if (pressed.long) window.setTimeout(() => spot.classList.remove("is-pressed"), 1600);
      else pressed = null;
    });
  }
  root.addEventListener("contextmenu", (event) => {
    if (event.target.closest(".spot[data-spot]")) event.preventDefault();
  });

  // What has just come under a finger rests for a moment: that finger means what was there before. When it came, its event
  // says, too.
  const REST = 400; // milliseconds
  floor.rest = function (button, least = performance.now() + REST) {
    const until = Math.max(least, Number(button.dataset.restsUntil ?? least)); // never shorter than it was told before
    const left = until - performance.now();
    const rests = button.dataset.restsUntil = String(until);
    if (left > 0) {
      button.setAttribute("aria-disabled", "true");
      window.setTimeout(() => button.dataset.restsUntil === rests && button.removeAttribute("aria-disabled"), left);
    }
    return until;
  };
  floor.rests = (button, event) =>
    button.getAttribute("aria-disabled") === "true" || event.timeStamp < Number(button.dataset.restsUntil);

  root.addEventListener("click", (event) => {
    // a notice may lie over another spot: one tap, unless on what it offers, and it is out of the way
    if (event.target.closest("#notice") && !event.target.closest("[data-send]")) return hush();
    const target = event.target.closest(
      ".spot[data-spot], [data-deed], [data-send]:not([data-asks]), [data-seat].seat",
    );
    if (!target) return;
    if (target.matches(".spot[data-spot]")) {
      const wasLong = pressed && pressed.spot === target && pressed.long;
      pressed = null;
      if (wasLong) return;
      hush();
      const { key } = target.dataset;
      if (mayStake(key)) stake(key, fixed(key) || chip());
      return;
    }
    if (target.matches("[data-deed]")) return run(target.dataset.deed);
    hush();
    if (!me()) return tell(words.watching);
    const rests = floor.rests(target, event);
    const byFinger = event.detail > 0;
    if (rests && (byFinger ? target.matches("[data-send]") : target.matches("[data-sure]"))) return;
    if (target.matches("[data-send]")) {
      const message = JSON.parse(target.dataset.send);
      if (target.dataset.amount === "chip") message.amount = chip();
      send(message, target.dataset.about);
    } else if (!rests) {
      send({ do: "sit", seat: Number(target.dataset.seat) });
    }
  });

  root.addEventListener("change", (event) => {
    if (/** @type {HTMLInputElement} */ (event.target).name !== "chip") return;
    hush(); // what was refused is being put right
  });

  // ── Keys: digits stake, letters do; they can be switched off in the menu ──

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return hush();
    if (floor.keys === false || event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
    const typing = event.target.closest("select, textarea, input:not([type=radio])");
    if (typing) return;
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const onControl = event.target.closest("button, a, summary, [name=chip], [role=button]");
    if (key === "Enter" && onControl?.checkVisibility()) return;
    // a key means what is on the screen: while a decision is open the tray's own letters rest
    const meant = root.querySelectorAll(`[aria-keyshortcuts="${CSS.escape(key)}"]`);
    const there = [...meant].filter((one) => one.checkVisibility());
    const control = there.find((one) => one.dataset.box === purse().seat) || there[0]; // one's own box first
    if (control) {
      event.preventDefault();
      control.click();
    } else if (key === "+" || key === "-") {
      const chips = /** @type {HTMLInputElement[]} */ ([...root.querySelectorAll("[name=chip]")]);
      const next = chips[chips.findIndex((one) => one.checked) + (key === "+" ? 1 : -1)];
      if (next) next.checked = true;
      next?.dispatchEvent(new Event("change", { bubbles: true }));
    }
  });

  // ── The ring ──

  function ring() {
    const { endsAt, span, pace } = rail();
    const seconds = root.querySelector("[data-ring-seconds]");
    const circle = root.querySelector("[data-ring-left]");
    const round = root.querySelector("[data-ring]");
    if (!seconds || round.classList.contains("ring--still") || !endsAt) {
      if (seconds) seconds.textContent = "";
      return;
    }
    const now = floor.now();
    const text = String(floor.arithmetic.secondsLeft(Number(endsAt), now));
    if (seconds.textContent !== text) seconds.textContent = text;
    const share = floor.arithmetic.shareLeft(Number(endsAt), now, Number(span));
    // in steps of half a hundredth: what stays as it is need not be drawn anew
    const gone = String(Math.round(200 * (1 - share)) / 2);
    if (circle.getAttribute("stroke-dashoffset") !== gone) circle.setAttribute("stroke-dashoffset", gone);
    round.classList.toggle("is-short", pace !== "result" && Number(endsAt) - now < 5000);
  }
  window.setInterval(ring, 200);

  // ── After every message ──

  function follow() {
    const now = rail();
    if (now.drawn !== drawn) return window.location.reload();
    const open = betting() && me() !== "" && floor.online();
    for (const spot of root.querySelectorAll(".spot[data-spot]")) spot.setAttribute("aria-disabled", String(!open));
    for (const button of root.querySelectorAll("[data-deed]")) {
      button.setAttribute("aria-disabled", String(!floor.online() || !deeds[button.dataset.deed].may()));
    }
    root.querySelector("[data-deed=ready]")?.classList.toggle("is-ready", betting() && purse().ready === "1");
    for (const button of root.querySelectorAll(".seat")) {
      const taken = /** @type {HTMLElement} */ (button.firstElementChild).dataset.key !== "";
      button.setAttribute("aria-disabled", String(taken || seat() !== null));
      button.classList.toggle("is-mine", seat() === Number(button.dataset.seat));
    }
    document.body.dataset.phase = now.phase;

    if (now.phase !== lastPhase && lastPhase) hushSoon();
    const notice = document.getElementById("notice");
    if (notice !== lastNotice) {
      lastNotice = notice;
      if (notice.dataset.ref) done(notice.dataset.ref);
      mark(notice.dataset);
      place(notice);
    }
    if (now.phase !== lastPhase) {
      if (lastPhase && now.betting === "0" && wasBetting) floor.play("bell");
      lastPhase = now.phase;
    }
    if (wasBetting && now.betting === "0") keep(now.round);
    wasBetting = now.betting === "1";
    openRules();
    ring();
  }
  let wasBetting = betting();

  // Of several bets those that were refused are named.
  /** @param {{ refused?: string }} told */
  function mark({ refused }) {
    for (const key of (refused || "").split(" ").filter(Boolean)) spotOf(key)?.classList.add("is-refused");
  }

  // What was staked when betting closed can be repeated later.
  /** @param {string} round */
  function keep(round) {
    const list = bySpot(fresh());
    if (list.length) {
      floor.remember(`last.${root.dataset.slug}.${me()}`, JSON.stringify({ round, bets: list }), "tab");
    }
  }

  // Where there is room beside the felt, the house rules lie open.
  const roomy = window.matchMedia("(min-width: 75rem) and (min-height: 50rem)");
  let rules = /** @type {HTMLDetailsElement | null} */ (root.querySelector(".rules details:not(#checked)"));
  function openRules() {
    if (!rules?.checkVisibility() || !roomy.matches) return;
    rules.open = true;
    if (document.documentElement.scrollHeight > window.innerHeight) rules.open = false;
    rules = null; // from now on it is as its reader leaves it
  }

  document.addEventListener("floor:news", follow);
  document.addEventListener("floor:line", () => {
    follow();
    if (floor.online() && document.getElementById("notice").textContent === words.offline) hush();
  });
  follow();
  floor.staking = { rail, purse, seat, bets, betting, chip, spotOf, send, hush };
})();
