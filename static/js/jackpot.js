// @ts-check
// The page of a jackpot looks after itself: it shows one language after the other, keeps the screen awake, and is
// loaded anew when the house has come back, which may be a newer one.
(function () {
  "use strict";
  const board = document.querySelector("[data-board]");
  if (!board) return;

  const EACH_LANGUAGE = 12_000;
  const languages = [...new Set([...board.querySelectorAll("[data-in]")].map((part) => part.dataset.in))];

  if (languages.length > 1) {
    window.setInterval(() => {
      const next = languages.indexOf(board.dataset.shown) + 1;
      board.dataset.shown = languages[next % languages.length];
    }, EACH_LANGUAGE);
  }

  let wasDown = false;
  document.addEventListener("floor:line", (event) => {
    const { state } = event.detail;
    if (state === "open" && wasDown) comeBack();
    wasDown ||= state === "closed";
  });
  document.addEventListener("floor:news", () => board.classList.add("is-live"), { once: true });

  // Only a page that the house can give takes the place of this one.
  function comeBack() {
    wasDown = false;
    window
      .fetch(window.location.href, { cache: "no-store" })
      .then((answer) => {
        if (answer.ok) window.location.reload();
      })
      .catch(() => {});
  }

  async function stayAwake() {
    if (document.hidden || !navigator.wakeLock) return;
    try {
      await navigator.wakeLock.request("screen");
    } catch {
      // the screen has a will of its own
    }
  }
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();
})();
