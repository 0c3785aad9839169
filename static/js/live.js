// @ts-check
// The line to the house. It says when it is down, sends nothing then, comes back by itself, and asks for the
// whole felt when it has missed something. htmx and its ws extension do the swapping.
(function () {
  "use strict";
  const floor = window.floor;
  const root = document.querySelector("[data-live]");
  if (!root || !window.htmx) return;

  const SILENCE = 26_000; // the house says something every ten seconds
  /** @type {WebSocket | null} */
  let socket = null; // the newest WebSocket
  /** @type {SocketWrapper | null} */
  let wrapper = null; // the extension's handle to it
  let heard = performance.now();
  let fresh = false; // the felt is the house's own, not one from before the line went down
  let live = document.getElementById("live");
  let version = live ? live.dataset.version : "";
  let asked = 0;
  let refused = false;

  if (live) floor.setNow(Number(live.dataset.now));

  // A whole felt comes whenever the line opens, and nearly all of it is on the page already: that stays as it is.
  root.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target, fragment } = event.detail;
    if (target.id === "live") return;
    target.removeAttribute("hx-swap-oob"); // htmx takes it away from what it puts there
    if (fragment.firstElementChild?.isEqualNode(target)) event.preventDefault();
  });

  htmx.createWebSocket = (url) => (socket = new WebSocket(url, []));
  htmx.config.wsReconnectDelay = (retries) => floor.arithmetic.comeBackAfter(retries, Math.random());

  /** @param {string} state */
  function show(state) {
    for (const light of root.querySelectorAll("[data-line]")) light.dataset.line = state;
    for (const words of root.querySelectorAll("[data-line-words]")) words.textContent = words.dataset[state] || "";
    root.classList.toggle("is-down", state === "closed");
    const lost = root.querySelector("[data-lost]");
    if (lost) lost.hidden = state !== "closed";
    document.dispatchEvent(new CustomEvent("floor:line", { detail: { state } }));
  }

  function lost() {
    fresh = false;
    if (wrapper) wrapper.queue.length = 0; // what was said while the line was down is not said later
    show("closed");
  }

  function comeBack() {
    if (!wrapper || refused) return;
    if (socket) socket.onclose = null; // its end is no news any more
    if (socket) socket.close();
    wrapper.reconnect();
  }

  root.addEventListener("htmx:wsOpen", (event) => {
    wrapper = event.detail.socketWrapper;
    heard = performance.now();
  });

  root.addEventListener("htmx:wsClose", (event) => {
    const { code, target } = event.detail.event;
    if (target !== socket) return;
    wrapper = event.detail.socketWrapper;
    lost();
    if (code === 4401 && window.kiosk) {
      refused = true; // whether its use is over or only its visitor has gone, a kiosk hears on its own line (kiosk.js)
    } else if (code === 4401) {
      refused = true;
      // Logged out elsewhere, or logged in anew: what this browser is now. Not before the tab that did it has its cookie.
      window.setTimeout(() => {
        floor.forget();
        window.location.reload();
      }, 700);
    } else if (code === 4403) {
      refused = true;
      if (window.kiosk) window.kiosk.begin();
      else window.location.assign("/");
    } else if (![1006, 1011, 1012, 1013].includes(code)) {
      // the extension comes back after these by itself, after others we do
      window.setTimeout(comeBack, (code === 4008 ? 15_000 : 800) * (0.75 + Math.random() / 2));
    }
  });

  root.addEventListener("htmx:wsBeforeSend", (event) => {
    if (!socket || socket.readyState !== WebSocket.OPEN) event.preventDefault();
  });
  root.addEventListener("htmx:wsConfigSend", (event) => event.preventDefault()); // only send() speaks

  root.addEventListener("htmx:wsAfterMessage", () => {
    heard = performance.now();
    const newest = document.getElementById("live");
    if (newest && newest !== live) {
      live = newest;
      floor.setNow(Number(live.dataset.now));
      const { base } = live.dataset;
      if (base === "*" || base === version) {
        version = live.dataset.version;
        if (!fresh) {
          fresh = true;
          show("open");
        }
      } else if (performance.now() - asked > 1500) {
        asked = performance.now();
        say({ do: "resync" });
      }
    }
    document.dispatchEvent(new CustomEvent("floor:news"));
  });

  /** @param {Message} message */
  function say(message) {
    if (!wrapper || !socket || socket.readyState !== WebSocket.OPEN) return false;
    wrapper.sendImmediately(JSON.stringify(message), root);
    return true;
  }

  function newRef() {
    const bytes = window.crypto.getRandomValues(new Uint8Array(12));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // Says something to the house; the ref under which it will answer, or null while the line is down.
  floor.send = function (message) {
    if (!fresh) return null;
    const ref = newRef();
    return say({ ...message, ref }) ? ref : null;
  };
  floor.online = () => fresh;

  window.addEventListener("offline", lost);
  window.addEventListener("online", comeBack);
  window.setInterval(() => {
    if (fresh && performance.now() - heard > SILENCE) {
      lost();
      comeBack();
    }
  }, 2000);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && wrapper && performance.now() - heard > SILENCE) comeBack();
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) comeBack();
  });

  show("connecting");
})();
