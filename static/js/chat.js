// @ts-check
// The chat of a table. What was said arrives in hidden fragments (#chat-earlier, #chat) and is brought into the log
// line by line, so that focus, scroll and whoever listens are left alone. Whom the reader has muted is hidden here.
(function () {
  "use strict";
  const floor = window.floor;
  const root = document.querySelector("[data-chat]");
  if (!root) return;
  /** @param {string} name */
  const part = (name) => root.querySelector(`[data-chat-${name}]`);
  const words = part("words").dataset;
  const [toggle, log, lines, menu, status] = ["toggle", "log", "lines", "menu", "status"].map(part);
  const [badge, unreadWords] = ["unread", "unread-words"].map(part);
  const form = /** @type {HTMLFormElement | null} */ (part("form"));
  const input = form && form.elements.text;
  const SEEN = `chat.${root.dataset.slug}`;
  const STATUS_STAYS = 12_000;
  const clock = new Intl.DateTimeFormat(document.documentElement.lang, {
    timeZone: "Asia/Macau",
    hour: "numeric",
    minute: "2-digit",
  });
  const asked = new Map(); // ref -> what is to happen once it is done
  let seen = Number(floor.recall(SEEN, "tab")) || 0;
  let newest = 0;
  /** @type {HTMLElement | null} */
  let about = null; // the line that the menu is about
  /** @type {HTMLElement | null} */
  let lastNotice = null;
  let fading = 0;

  const mine = () => document.getElementById("chat-mine").dataset;
  const muted = () => new Set(mine().muted.split(" ").filter(Boolean));
  const locked = () => document.getElementById("chat-lock").dataset.locked === "1";
  const allLines = () => /** @type {HTMLElement[]} */ ([...lines.children]);
  const isShown = () => log.offsetHeight > 0 && !document.hidden;
  const atEnd = () => log.scrollHeight - log.scrollTop - log.clientHeight < 24;

  /** @param {string} text */
  function tell(text) {
    window.clearTimeout(fading);
    status.textContent = text;
    if (text) fading = window.setTimeout(() => (status.textContent = ""), STATUS_STAYS);
  }

  /**
   * @param {Message} message
   * @param {(done: boolean) => void} [then]
   */
  function send(message, then) {
    const ref = floor.send(message);
    if (ref === null) tell(words.offline);
    else asked.set(ref, then || (() => {}));
    return ref;
  }

  // ── The log ──

  /** @param {HTMLElement} line */
  function copied(line) {
    const copy = line.cloneNode(true);
    const time = /** @type {HTMLTimeElement} */ (copy.querySelector("time"));
    const at = new Date(Number(time.dataset.at));
    time.dateTime = at.toISOString();
    time.textContent = clock.format(at);
    if (mine().me && copy.dataset.by !== mine().me) {
      const more = document.createElement("button");
      more.type = "button";
      more.className = "chat__more";
      more.setAttribute("aria-expanded", "false");
      more.setAttribute("aria-label", `${words.more}: ${copy.querySelector(".chat__name").textContent}`);
      more.textContent = "⋯";
      copy.append(more);
    }
    copy.classList.toggle("is-mine", mine().me !== "" && copy.dataset.by === mine().me);
    return copy;
  }

  function merge() {
    const wasAtEnd = atEnd();
    const there = [...document.querySelectorAll("#chat-earlier > li, #chat > li")];
    const ids = new Set(there.map((line) => line.dataset.line));
    const known = new Map(allLines().map((line) => [line.dataset.line, line]));
    for (const [id, line] of known) {
      if (!ids.has(id)) {
        if (line === about) closeMenu();
        line.remove();
      }
    }
    const fresh = there.filter((line) => !known.has(line.dataset.line)).map(copied);
    lines.append(...fresh);
    newest = Math.max(newest, ...there.map((line) => Number(line.dataset.number)));
    const silent = muted();
    for (const line of allLines()) line.hidden = silent.has(line.dataset.by);
    part("none").hidden = lines.querySelector("li:not([hidden])") !== null;
    if (wasAtEnd || fresh.some((line) => line.classList.contains("is-mine"))) toEnd();
    else if (fresh.some((line) => !line.hidden)) part("newer").hidden = false;
    log.setAttribute("aria-live", "polite"); // what lay here already when the page came is not read out
  }

  function toEnd() {
    log.scrollTop = log.scrollHeight;
    part("newer").hidden = true;
  }

  function count() {
    if (isShown() && newest > seen) {
      seen = newest;
      floor.remember(SEEN, String(seen), "tab");
    }
    const unread = allLines().filter(
      (line) => Number(line.dataset.number) > seen && !line.hidden && !line.classList.contains("is-mine"),
    ).length;
    badge.textContent = unread > 9 ? "9+" : String(unread);
    badge.hidden = unreadWords.hidden = unread === 0;
  }

  // ── On a phone it opens and closes; on the narrowest its button would lie over a spot, and stands in the dock ──

  const purse = document.querySelector(".dock .tray__purse");
  const narrow = window.matchMedia("(max-width: 22.39rem)");
  const place = () => (purse && narrow.matches ? purse.append(toggle) : root.prepend(toggle));
  narrow.addEventListener("change", place);
  place();

  /** @param {boolean} on */
  function open(on) {
    root.classList.toggle("is-open", on);
    toggle.setAttribute("aria-expanded", String(on));
    if (!on) closeMenu();
    else toEnd();
    count();
  }

  toggle.addEventListener("click", () => {
    const on = !root.classList.contains("is-open");
    open(on);
    if (on) (input || log).focus({ preventScroll: true });
  });
  part("close").addEventListener("click", () => {
    open(false);
    toggle.focus();
  });
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (!menu.hidden) closeMenu(true);
    else if (root.classList.contains("is-open")) {
      open(false);
      toggle.focus();
    } else return;
    event.stopPropagation();
  });

  // ── Mute and report ──

  /** @param {HTMLElement} line */
  function openMenu(line) {
    closeMenu();
    about = line;
    part("about-name").textContent = line.querySelector(".chat__name").textContent;
    part("about-text").textContent = line.querySelector(".chat__text").textContent;
    line.querySelector(".chat__more").setAttribute("aria-expanded", "true");
    menu.hidden = false;
    menu.focus({ preventScroll: true });
  }

  /** @param {boolean} [back] */
  function closeMenu(back) {
    if (menu.hidden) return;
    const more = about && about.querySelector(".chat__more");
    if (more) more.setAttribute("aria-expanded", "false");
    const within = menu.contains(document.activeElement);
    menu.hidden = true;
    about = null;
    if (back || within) (more && more.offsetHeight > 0 ? more : log).focus({ preventScroll: true });
  }

  root.addEventListener("click", (event) => {
    const target = event.target.closest("button");
    if (!target) return;
    if (target.matches(".chat__more")) {
      if (about === target.closest("li")) closeMenu(true);
      else openMenu(target.closest("li"));
    } else if (target.matches("[data-chat-back]")) {
      closeMenu(true);
    } else if (target.matches("[data-chat-mute]")) {
      send({ do: "mute", who: about.dataset.by }, () => closeMenu());
    } else if (target.matches("[data-chat-report]")) {
      send(
        { do: "report", line: Number(about.dataset.line), reason: target.dataset.chatReport },
        () => closeMenu(true),
      );
    } else if (target.matches("[data-unmute]")) {
      send({ do: "unmute", who: target.dataset.unmute }, () => log.focus({ preventScroll: true }));
    } else if (target.matches("[data-chat-newer]")) {
      toEnd();
    }
  });

  // ── Saying something ──

  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (!text) return;
    if (locked()) return tell(words.locked);
    tell("");
    const said = input.value;
    send({ do: "say", text }, (done) => {
      if (done && input.value === said) input.value = "";
    });
  });

  // The house's answer to what was asked here is shown here, not on the felt.
  function hear() {
    const notice = document.getElementById("notice");
    if (notice === lastNotice) return;
    lastNotice = notice;
    const then = asked.get(notice.dataset.ref);
    if (!then) return;
    const done = notice.dataset.kind !== "refused";
    const answer = notice.querySelector("p, .sr");
    if (answer) tell(answer.textContent);
    notice.replaceChildren();
    then(done);
  }

  // Whom the player has muted lies open or closed as they left it, whoever is added.
  let mutedOpen = false;
  root.addEventListener("toggle", (event) => {
    if (event.target.matches("[data-chat-muted]")) mutedOpen = /** @type {HTMLDetailsElement} */ (event.target).open;
  }, true);

  function follow() {
    hear();
    merge();
    const list = /** @type {HTMLDetailsElement | null} */ (part("muted"));
    if (list && list.open !== mutedOpen) list.open = mutedOpen;
    if (form) form.classList.toggle("is-locked", locked());
    part("send")?.setAttribute("aria-disabled", String(locked() || !floor.online()));
    count();
  }

  log.addEventListener("scroll", () => {
    if (atEnd()) part("newer").hidden = true;
  });
  document.addEventListener("visibilitychange", count);
  window.addEventListener("resize", count);
  const dock = document.querySelector(".dock");
  if (dock) {
    new ResizeObserver(() => root.style.setProperty("--dock", `${dock.offsetHeight}px`)).observe(dock);
  }

  document.addEventListener("floor:news", follow);
  document.addEventListener("floor:line", follow);
  follow();
  toEnd();
})();
