// @ts-check
// What this browser adds to packs and throws: links of a chain of its own (docs/proof.md, 2 and 3). With a seat or a
// stake it offers one, and when the house has published its commitment it reveals the one beneath. Nobody sees any of
// it but on the page of the proof; without WebCrypto, or if anything fails, this browser adds nothing.
(function () {
  "use strict";
  const floor = window.floor;
  const root = document.getElementById("floor");
  if (!root || !window.crypto.subtle) return;

  const LENGTH = 1000; // links of a chain
  const MOST = 16; // links in a list
  /** @type {{ innermost: string; links: string[] } | null} */
  let made = null;
  let offered = ""; // the link that the house has from this connection
  let looked = ""; // the list that was looked at last
  let busy = false;
  let restsUntil = -Infinity; // sixteen others offer links here
  const REST = 300_000; // milliseconds, at least
  /** @type {Map<string, string>} */
  const unanswered = new Map(); // ref -> what was said: the house's answer is for nobody to read

  const me = () => document.getElementById("wallet").dataset.me || "";
  const name = () => `links.${root.dataset.slug}.${me()}`;
  /** @param {Uint8Array} bytes */
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const sha256 = floor.sha256;

  // Which link of which chain is offered, and for which list the one before was revealed. This tab remembers it: the
  // chain ends with the login or the visit, and nobody finds it afterwards.
  /** @returns {Chain} */
  function chain() {
    const kept = JSON.parse(floor.recall(name(), "tab") || "null");
    return kept && kept.at + 1 < LENGTH ? kept : begin(kept);
  }

  /** @param {Chain | null} before */
  function begin(before) {
    const innermost = hex(window.crypto.getRandomValues(new Uint8Array(32)));
    return keep({ innermost, at: 0, number: before?.number ?? 0, commitment: before?.commitment ?? "" });
  }

  /** @param {Chain} now */
  function keep(now) {
    floor.remember(name(), JSON.stringify(now), "tab");
    return now;
  }

  /** @param {string} innermost */
  async function linksOf(innermost) {
    if (made?.innermost !== innermost) {
      const links = [innermost];
      while (links.length < LENGTH) links.push(await sha256(links[links.length - 1]));
      made = { innermost, links: links.reverse() };
    }
    return made.links;
  }

  // The list that the house has published with its commitment to what comes next.
  function list() {
    const { number, commitment, offered } = document.getElementById("shoe").dataset;
    if (!number) return null;
    const all = (offered || "").trim().split(" ");
    const own = all.find((one) => one.startsWith(`${me()}:`));
    return { number: Number(number), commitment, own: own?.split(":")[1], full: all.length >= MOST };
  }

  function takesPart() {
    const { seat, bets } = document.getElementById("wallet").dataset;
    return Boolean(seat) || JSON.parse(bets || "[]").length > 0;
  }

  /** @param {Message} message */
  function say(message) {
    const ref = floor.send(message);
    if (ref) unanswered.set(ref, message.do);
    return ref !== null;
  }

  // A link is revealed once, for one commitment: said again only if the house may not have heard it.
  /** @param {{ number: number; commitment: string; own?: string }} published */
  async function reveal({ number, commitment, own }) {
    const now = chain();
    const links = await linksOf(now.innermost);
    const again = now.number === number && now.commitment === commitment && own === links[now.at - 1];
    if (!again && own !== links[now.at]) return; // of another device
    const at = again ? now.at : now.at + 1;
    keep({ ...now, at, number, commitment });
    if (say({ do: "reveal", number, link: links[at] })) offered = links[at];
  }

  async function offer() {
    const now = chain();
    const links = await linksOf(now.innermost);
    if (offered === links[now.at] || performance.now() < restsUntil) return;
    if (say({ do: "offer", link: links[now.at] })) offered = links[now.at];
  }

  // There is no place in the list, and many others who would ask: not again for a while.
  const rest = () => (restsUntil = performance.now() + REST * (1 + Math.random()));

  async function look() {
    const published = list();
    const key = published ? `${published.number} ${published.commitment}` : "";
    if (published && key !== looked) {
      looked = key;
      if (published.own) return await reveal(published);
      if (published.full && !document.getElementById("wallet").dataset.seat) rest(); // seats stand first
      offered = ""; // whoever stayed silent once is in no list until they offer a link again
    }
    if (takesPart()) await offer();
  }

  function news() {
    const notice = document.getElementById("notice");
    const refused = unanswered.get(notice.dataset.ref); // only what was refused is answered
    if (refused && unanswered.delete(notice.dataset.ref)) {
      notice.replaceChildren();
      offered = "";
      if (refused === "offer") rest();
    }
    if (busy || !me() || !floor.online()) return;
    busy = true;
    look().catch(() => {}).finally(() => (busy = false));
  }

  document.addEventListener("floor:news", news);
  document.addEventListener("floor:line", (event) => {
    if (event.detail.state === "open") return news();
    offered = ""; // the house may have forgotten it
    looked = "";
  });
  news();
})();
