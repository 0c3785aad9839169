// @ts-check
// Checks on this device that every card, and every throw, that is opened on the felt is the one that the house had
// committed to before (docs/proof.md, 5 to 7), and marks it; what does not fit the pit hears of at once. A commitment
// counts as this device saw it first, whatever the felt says later.
(function () {
  "use strict";
  const floor = window.floor;
  const legend = document.getElementById("checked");
  const warning = document.getElementById("misfit");
  if (!legend || !warning) return;

  const KEPT = 12; // commitments of a table that this tab remembers
  const SPREAD = 3000; // milliseconds over which a crowd fetches the leaves of a fresh pack
  const AGAIN = 5000;
  const SVG = "http://www.w3.org/2000/svg";
  /** @type {Map<string, Pack>} */
  const packs = new Map(); // by shoe
  /** @type {Map<string, boolean>} */
  const found = new Map(); // what was opened -> whether it fits
  /** @type {Set<string>} */
  const looking = new Set();
  const format = new Intl.NumberFormat(document.documentElement.lang);
  let told = ""; // the round of which the pit has heard
  let ref = /** @type {string | null} */ (null);

  /** What this device saw first of a pack or a throw. @param {string} name @param {string} commitment */
  function first(name, commitment) {
    const [, table] = name.split(":");
    /** @type {[string, string][]} */
    const kept = JSON.parse(floor.recall(`sealed.${table}`, "tab") || "[]");
    const known = kept.find(([one]) => one === name);
    if (known) return known[1];
    if (!commitment) return "";
    floor.remember(`sealed.${table}`, JSON.stringify([...kept, [name, commitment]].slice(-KEPT)), "tab");
    return commitment;
  }

  // What the felt has published: the leaves of a fresh pack are pushed; a device that has come later fetches them, once.
  function learn() {
    const { sealed, shoe } = document.getElementById("shoe").dataset;
    if (!sealed) return;
    const [table, number, commitment] = sealed.split(":");
    const root = first(`${shoe ? "card" : "throw"}:${table}:${number}`, commitment);
    if (!shoe) return;
    const named = `card:${table}:${number}`;
    if (commitment && root !== commitment) {
      packs.set(shoe, { named, leaves: [] }); // the felt says another one now: no card of this pack fits
      return look();
    }
    if (packs.has(shoe)) return;
    packs.set(shoe, { named, leaves: null });
    const pushed = document.getElementById("leaves").dataset;
    if (pushed.root === root) return believe(shoe, root, unpacked(pushed.packed));
    window.setTimeout(() => fetchLeaves(shoe, root), Math.random() * SPREAD);
  }

  /** @param {string} shoe @param {string} root */
  async function fetchLeaves(shoe, root) {
    if (packs.get(shoe).leaves) return;
    try {
      const answer = await fetch(legend.dataset.leaves.replace("root", root), { redirect: "error" });
      if (!answer.ok && answer.status !== 404) throw new Error(String(answer.status));
      await believe(shoe, root, answer.ok ? await answer.text() : "");
    } catch {
      window.setTimeout(() => fetchLeaves(shoe, root), AGAIN * (1 + Math.random()));
    }
  }

  // Leaves that do not give the root open nothing, nor do leaves that the house has no longer: no card fits.
  /** @param {string} shoe @param {string} root @param {string} text */
  async function believe(shoe, root, text) {
    packs.get(shoe).leaves = (await floor.sha256(text)) === root ? text.trim().split("\n") : [];
    look();
  }

  /** The text that the root is the hash of: each leaf in hex, and a line break. @param {string} packed */
  function unpacked(packed) {
    const hex = Array.from(window.atob(packed), (sign) => sign.charCodeAt(0).toString(16).padStart(2, "0")).join("");
    return hex.replace(/.{64}/g, "$&\n");
  }

  /** All that is opened on the felt now, as `shoe place:salt:card`, or ` number:salt:value` of a throw. */
  function opened() {
    return ["seals", "my-seals"].flatMap((id) => {
      const { shoe, cards, throw: thrown } = document.getElementById(id)?.dataset || {};
      return [...(cards ? cards.split(" ").map((one) => `${shoe} ${one}`) : []), ...(thrown ? [` ${thrown}`] : [])];
    });
  }

  /** Whether it is what was committed to; null if this device cannot tell. @param {string} one */
  async function fits(one) {
    const shoe = one.slice(0, one.indexOf(" "));
    const [place, salt, value] = one.slice(shoe.length + 1).split(":");
    if (!shoe) {
      const name = `throw:${document.getElementById("shoe").dataset.sealed?.split(":")[0]}:${place}`;
      const leaf = first(name, "");
      return leaf ? (await floor.sha256(`${name}:${salt}:${value}`)) === leaf : null;
    }
    const pack = packs.get(shoe);
    if (!pack?.leaves) return null;
    return (await floor.sha256(`${pack.named}:${place}:${salt}:${value}`)) === pack.leaves[Number(place) - 1];
  }

  function look() {
    for (const one of opened()) {
      if (found.has(one) || looking.has(one)) continue;
      looking.add(one);
      fits(one).then((good) => {
        looking.delete(one);
        if (good === null) return;
        found.set(one, good);
        show();
      });
    }
  }

  // Equal cards of several decks bear the same mark: if one of them does not fit, all are doubted.
  function show() {
    const now = opened();
    /** @type {Map<string, boolean>} */
    const marks = new Map();
    for (const one of now) {
      const value = one.split(":")[2];
      if (found.has(one)) marks.set(value, found.get(one) && marks.get(value) !== false);
    }
    for (const card of document.querySelectorAll(".felt .card, .tray .card, .dock .card")) mark(card, marks);
    const thrown = now.find((one) => one.startsWith(" "));
    for (const seal of document.querySelectorAll(".felt .seal.is-opened")) {
      if (thrown && found.has(thrown)) seal.setAttribute("data-checked", found.get(thrown) ? "fits" : "misfit");
    }
    const good = now.filter((one) => found.get(one)).length;
    legend.hidden = !good;
    legend.querySelector("[data-checked-count]").textContent = format.format(good);
    tell(now.find((one) => found.get(one) === false));
  }

  /** @param {Element} card @param {Map<string, boolean>} marks */
  function mark(card, marks) {
    const good = marks.get(card.getAttribute("data-card"));
    const state = good === undefined ? "" : good ? "fits" : "misfit";
    if ((card.getAttribute("data-checked") || "") === state) return;
    card.querySelector(".card__seal")?.remove();
    card.setAttribute("data-checked", state);
    if (!state) return card.removeAttribute("data-checked");
    const seal = document.createElementNS(SVG, "g");
    seal.setAttribute("class", "card__seal");
    // of a fanned card only its left edge is free
    if (card.querySelector('[href$="-corner"]')) seal.setAttribute("transform", "translate(-66 102)");
    for (const d of ["M84 31a13 13 0 1 1 .1 0z", good ? "m77 18 5 5 9-10" : "m78 12 12 12m0-12-12 12"]) {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("d", d);
      seal.append(path);
    }
    card.append(seal);
  }

  /** @param {string | undefined} misfit */
  function tell(misfit) {
    const { round } = document.getElementById("rail").dataset;
    warning.hidden = !misfit;
    if (!misfit || told === round || !document.getElementById("wallet").dataset.me) return;
    const place = misfit.startsWith(" ") ? 0 : Number(misfit.split(/[ :]/)[1]);
    ref = floor.send({ do: "doubt", round: Number(round), place });
    if (ref) told = round;
  }

  function news() {
    const notice = document.getElementById("notice");
    if (ref && notice?.dataset.ref === ref) notice.replaceChildren(); // it was nothing that a person did
    learn();
    look();
    show();
  }

  document.addEventListener("floor:news", news);
  document.addEventListener("floor:line", news);
  news();
})();
