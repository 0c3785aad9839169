// Staking at a table: chips, spots, undo and its kin, the decision, the ring, the keyboard.
// What may be done is read from the data-* of #rail (the round) and #wallet (the bettor); the house decides anyway.
(function () {
  "use strict";
  const floor = window.floor;
  const root = document.getElementById("floor");
  const words = root.querySelector("[data-words]").dataset;
  const answer = root.querySelector("[data-answer]");
  const drawn = document.getElementById("rail").dataset.drawn;
  const pending = new Map(); // ref -> spot that waits for its answer
  let lastNotice = document.getElementById("notice");
  let lastPhase = "";

  // ── What is known ──

  const rail = () => document.getElementById("rail").dataset;
  const purse = () => document.getElementById("wallet").dataset;
  const me = () => purse().me || "";
  const seat = () => (purse().seat ? Number(purse().seat) : null);
  const bets = () => JSON.parse(purse().bets || "[]");
  const betting = () => rail().betting === "1";
  const chip = () => Number(root.querySelector("[name=chip]:checked")?.value || 0);
  const spotOf = (name) => root.querySelector(`.spot[data-spot="${CSS.escape(name)}"]`);
  const leans = (bet) => Number(spotOf(bet.spot)?.hasAttribute("data-leans") || false);

  // ── Saying something here, without the house ──

  function tell(text, spot) {
    const box = document.createElement("div");
    box.id = "notice";
    box.dataset.kind = "info";
    box.dataset.about = spot || "";
    const notice = document.createElement("div");
    notice.className = "notice notice--info";
    const line = document.createElement("p");
    line.textContent = text;
    notice.append(line);
    box.append(notice);
    document.getElementById("notice").replaceWith(box);
    lastNotice = box;
    place(box);
  }

  let fading = 0;
  function hush() {
    window.clearTimeout(fading);
    document.getElementById("notice").replaceChildren();
    answer.classList.remove("is-placed");
    root.querySelectorAll(".is-refused").forEach((spot) => spot.classList.remove("is-refused"));
  }

  // Next to the spot that it is about, where there is room; otherwise above the tray.
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
      const left = Math.min(Math.max(8, there.left + there.width / 2 - here.width / 2), window.innerWidth - here.width - 8);
      const above = there.top - here.height - 6;
      answer.style.left = `${left}px`;
      answer.style.top = `${above > 60 ? above : Math.min(there.bottom + 6, window.innerHeight - here.height - 8)}px`;
    }
    fading = window.setTimeout(hush, 15_000);
  }

  // ── Sending ──

  function send(message, spot) {
    if (!floor.online()) {
      tell(words.offline, spot);
      return null;
    }
    const inRound = !["sit", "stand_up"].includes(message.do);
    const ref = floor.send(inRound ? { ...message, round: Number(rail().round) } : message);
    if (ref && spot) {
      pending.set(ref, spot);
      spotOf(spot)?.classList.add("is-sending");
      window.setTimeout(() => done(ref), 4000);
    }
    return ref;
  }

  function done(ref) {
    const spot = pending.get(ref);
    if (spot === undefined) return;
    pending.delete(ref);
    if (![...pending.values()].includes(spot)) spotOf(spot)?.classList.remove("is-sending");
  }

  function mayStake(spot) {
    if (!me()) tell(words.watching, spot);
    else if (!floor.online()) tell(words.offline, spot);
    else if (!betting()) tell(words.closed, spot);
    else return true;
    return false;
  }

  function stake(spot, amount) {
    send({ do: "bet", spot, box: seat(), amount }, spot);
  }

  // ── Deeds of the tray ──

  const latest = () => JSON.parse(floor.recall(`last.${root.dataset.slug}.${me()}`, window.sessionStorage) || "null");
  const fresh = () => bets().filter((bet) => !bet.carried);
  const removable = () => fresh().filter((bet) => bet.may);
  const bySpot = (list) => {
    const sums = new Map();
    for (const bet of list) sums.set(bet.spot, (sums.get(bet.spot) || 0) + bet.amount);
    return [...sums].map(([spot, amount]) => ({ spot, amount })).sort((a, b) => leans(a) - leans(b));
  };

  function again(list) {
    const total = list.reduce((sum, bet) => sum + bet.amount, 0);
    if (total > Number(purse().balance)) return tell(words.tooLittle);
    list.forEach((bet) => stake(bet.spot, bet.amount));
  }

  const deeds = {
    undo: {
      may: () => betting() && removable().length > 0,
      run: () => {
        const last = removable().at(-1);
        if (!last) return tell(words.nothingToUndo);
        send({ do: "withdraw", bet: last.bet }, last.spot);
      },
    },
    clear: {
      may: () => betting() && removable().length > 0,
      // what leans on another bet goes first: it would go with it, and could not be withdrawn any more
      run: () => removable().sort((a, b) => leans(b) - leans(a)).forEach((bet) => send({ do: "withdraw", bet: bet.bet }, bet.spot)),
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

  function run(name) {
    const deed = deeds[name];
    hush();
    if (!mayStake("")) return;
    if (deed.may()) deed.run();
    else if (name === "undo" || name === "clear") tell(words.nothingToUndo);
    else if (name === "repeat") tell(words.nothingToRepeat);
  }

  // ── Clicks ──

  let pressed = null; // a long press shows the limits and stakes nothing
  root.addEventListener("pointerdown", (event) => {
    const spot = event.target.closest(".spot[data-spot]");
    if (!spot || event.pointerType === "mouse") return;
    const timer = window.setTimeout(() => {
      spot.classList.add("is-pressed");
      if (pressed) pressed.long = true;
    }, 450);
    pressed = { spot, timer, long: false };
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    root.addEventListener(name, () => {
      if (!pressed) return;
      window.clearTimeout(pressed.timer);
      const { spot, long } = pressed;
      if (long) window.setTimeout(() => spot.classList.remove("is-pressed"), 1600);
      else pressed = null;
    });
  }
  root.addEventListener("contextmenu", (event) => {
    if (event.target.closest(".spot[data-spot]")) event.preventDefault();
  });

  root.addEventListener("click", (event) => {
    if (event.target.closest("#notice")) return hush(); // it may lie over another spot: one tap, and it is out of the way
    const target = event.target.closest(".spot[data-spot], [data-deed], [data-send], [data-seat].seat, [data-cut-now]");
    if (!target) return;
    if (target.matches(".spot[data-spot]")) {
      const wasLong = pressed && pressed.spot === target && pressed.long;
      pressed = null;
      if (wasLong) return;
      hush();
      const { spot } = target.dataset;
      if (mayStake(spot)) stake(spot, chip());
      return;
    }
    if (target.matches("[data-deed]")) return run(target.dataset.deed);
    hush();
    if (!me()) return tell(words.watching);
    if (target.matches("[data-cut-now]")) {
      send({ do: "cut", position: Number(root.querySelector("[data-cut-at]").value) });
    } else if (target.matches("[data-send]")) {
      const message = JSON.parse(target.dataset.send);
      if (target.dataset.amount === "chip") message.amount = chip();
      send(message);
    } else if (target.getAttribute("aria-disabled") !== "true") {
      send({ do: "sit", seat: Number(target.dataset.seat) });
    }
  });

  root.addEventListener("change", (event) => {
    if (event.target.name === "chip") hush(); // what was refused is being put right
  });

  const cutAt = root.querySelector("[data-cut-at]");
  function sayCut() {
    root.querySelector("[data-cut-says]").textContent = cutAt.value;
  }
  cutAt?.addEventListener("input", sayCut);

  // ── Keys: digits stake, letters do; they can be switched off in the menu ──

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return hush();
    if (floor.keys === false || event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
    const typing = event.target.closest("select, textarea, input:not([type=radio])");
    if (typing) return;
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const onControl = event.target.closest("button, a, summary, [name=chip]");
    if (key === "Enter" && onControl) return;
    const control = root.querySelector(`[aria-keyshortcuts="${CSS.escape(key)}"]`);
    if (control) {
      event.preventDefault();
      control.click();
    } else if (key === "+" || key === "-") {
      const chips = [...root.querySelectorAll("[name=chip]")];
      const next = chips[chips.findIndex((one) => one.checked) + (key === "+" ? 1 : -1)];
      if (next) next.checked = true;
    }
  });

  // ── The ring ──

  function ring() {
    const { endsAt, span, tempo } = rail();
    const seconds = root.querySelector("[data-ring-seconds]");
    const circle = root.querySelector("[data-ring-left]");
    const round = root.querySelector("[data-ring]");
    if (!seconds || round.classList.contains("ring--still") || !endsAt) {
      if (seconds) seconds.textContent = "";
      return;
    }
    const left = Math.max(0, Number(endsAt) - floor.now());
    const text = String(Math.ceil(left / 1000));
    if (seconds.textContent !== text) seconds.textContent = text;
    const share = Number(span) > 0 ? Math.min(1, left / Number(span)) : 1;
    circle.setAttribute("stroke-dashoffset", String(100 - 100 * share));
    round.classList.toggle("is-short", tempo !== "result" && left < 5000);
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
      const taken = button.firstElementChild.dataset.key !== "";
      button.setAttribute("aria-disabled", String(taken || seat() !== null));
      button.classList.toggle("is-mine", seat() === Number(button.dataset.seat));
    }
    document.body.dataset.phase = now.phase;

    const decision = document.getElementById("decision").dataset;
    const cutter = root.querySelector("[data-cutter]");
    if (cutter) cutter.hidden = !decision.cutFrom;

    const notice = document.getElementById("notice");
    if (notice !== lastNotice) {
      lastNotice = notice;
      if (notice.dataset.ref) done(notice.dataset.ref);
      place(notice);
    }
    if (now.phase !== lastPhase) {
      if (lastPhase && betting()) hush();
      if (lastPhase && now.betting === "0" && wasBetting) floor.play("bell");
      lastPhase = now.phase;
    }
    if (wasBetting && now.betting === "0") keep(now.round);
    wasBetting = now.betting === "1";
    ring();
  }
  let wasBetting = betting();

  // What was staked when betting closed can be repeated later.
  function keep(round) {
    const list = bySpot(fresh());
    if (list.length) {
      floor.remember(`last.${root.dataset.slug}.${me()}`, JSON.stringify({ round, bets: list }), window.sessionStorage);
    }
  }

  // Where there is room beside the felt, the house rules lie open.
  if (window.matchMedia("(min-width: 75rem) and (min-height: 50rem)").matches) {
    root.querySelector(".rules details").open = true;
  }

  document.addEventListener("floor:news", follow);
  document.addEventListener("floor:line", follow);
  if (cutAt) sayCut();
  follow();
})();
