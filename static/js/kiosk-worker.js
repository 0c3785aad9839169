// @ts-check
// Keeps the door of the kiosk, and what it is made of, for when the house is away: whichever of its pages is asked for
// then, the door is shown, and asks until the house answers.
(function () {
  "use strict";
  const worker = /** @type {KioskWorker} */ (/** @type {unknown} */ (self));
  const SHELL = "kiosk-shell";
  const DOOR = new URL("./", worker.location.href).pathname;
  const PATIENCE = 8000; // milliseconds that a page may take
  const QUICK = 2500; // … and what the door is made of

  // The door as the house has it now, with all files that it names.
  async function keep() {
    const door = await fetch(DOOR, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    if (!door.ok || door.redirected) return;
    const page = await door.clone().text();
    const named = page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg|webmanifest)(?:\?[^"]*)?)"/g);
    const files = [...named].map((found) => found[1]);
    const shell = await caches.open(SHELL);
    await Promise.all([shell.put(DOOR, door), ...[...new Set(files)].map((file) => shell.add(file))]);
    for (const kept of await shell.keys()) {
      const { pathname, search } = new URL(kept.url);
      if (pathname !== DOOR && !files.includes(pathname + search)) await shell.delete(kept);
    }
  }

  /**
   * @param {Request} request
   * @param {number} patience
   */
  const timely = (request, patience) =>
    Promise.race([
      fetch(request),
      new Promise((_, refuse) => setTimeout(() => refuse(new Error("late")), patience)),
    ]);

  /** @param {FetchEvent} event */
  async function page(event) {
    try {
      const answer = await timely(event.request, PATIENCE);
      if (answer.ok || answer.type === "opaqueredirect") {
        if (new URL(event.request.url).pathname === DOOR) event.waitUntil(keep().catch(() => {}));
        return answer;
      }
    } catch {
      // nobody answers
    }
    return (await caches.match(DOOR)) || fetch(event.request);
  }

  /** @param {Request} request */
  async function file(request) {
    const kept = await caches.match(request);
    if (!kept) return fetch(request);
    try {
      const answer = await timely(request, QUICK);
      return answer.ok ? answer : kept;
    } catch {
      return kept;
    }
  }

  worker.addEventListener("install", (event) => {
    worker.skipWaiting();
    event.waitUntil(keep());
  });
  worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
  worker.addEventListener("fetch", (event) => {
    const { request } = event;
    if (request.method !== "GET" || new URL(request.url).origin !== worker.location.origin) return;
    if (request.mode === "navigate") event.respondWith(page(event));
    else if (["script", "style", "image", "manifest"].includes(request.destination)) event.respondWith(file(request));
  });
})();
