// @ts-check
// Verifies the proof of a round in this browser, by docs/proof.md alone: the same claims, in the same order, as
// static/verify/verify.py. The hashes are WebCrypto's, which browsers have on https and on localhost only.
(function () {
  "use strict";
  const floor = (window.floor = window.floor || /** @type {Floor} */ ({}));
  const FORMAT = "macau-floor-proof/2";
  const MOST_BYTES = 4 * 2 ** 20;
  const MOST_DEPTH = 12;
  const MOST_LINKS = 16;
  const RANKS = "A23456789TJQK";

  // What a bundle looks like: a text is a pattern, a list of two numbers are bounds, "?" is what may be left out.
  const HASH = "[0-9a-f]{64}";
  const ID = [1, 2 ** 53];
  const LINKS = [[".{1,64}", HASH]];
  const SOURCE = { number: ID, seed_commitment: HASH, offered: LINKS, revealed: LINKS, "seed?": HASH };
  const PACK = { ...SOURCE, decks: [1, 8], leaves: [HASH], root: HASH, cut: [0, 415] };
  const CARD = {
    deal: [1, 416],
    place: [1, 416],
    salt: "[0-9a-f]{32}",
    card: `[${RANKS}][shdc]`,
    to: ".{1,64}",
  };
  const THROW = { ...SOURCE, leaf: HASH, "salt?": "[0-9a-f]{32}", "value?": "[0-9]+( [0-9]+)*", counts: true };
  const ROUND = { house: ".{1,200}", table: ID, round: ID, "record?": {}, "outcome?": { result: {} } };
  const HANDS = {
    baccarat: "(player|banker) [123]",
    blackjack: "(box [1-9]|bank) [0-9]{1,2}",
    stud_poker: "(box [1-9]|dealer) [1-5]",
    three_card_baccarat: "(place [1-9]|banker) [123]",
  };
  const THROWN = { roulette: [1, 37, 0], cussec: [3, 6, 1] }; // how many numbers, out of how many, the least

  class Unreadable extends Error {}

  /** @typedef {{ [name: string]: any }} Json */

  /** @param {unknown} one @param {unknown} two */
  const same = (one, two) => JSON.stringify(one) === JSON.stringify(two);
  /** @param {unknown} value @returns {value is Json} */
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

  // ── Hashes ──

  const utf8 = new TextEncoder();
  /** @param {ArrayBuffer} bytes */
  const hex = (bytes) => [...new Uint8Array(bytes)].map((one) => one.toString(16).padStart(2, "0")).join("");
  /** @param {string} text */
  const sha256 = async (text) => hex(await window.crypto.subtle.digest("SHA-256", utf8.encode(text)));

  /** An HMAC-SHA-256 with this key, in hexadecimal. @param {string} key */
  async function hmac(key) {
    const bytes = Uint8Array.from(key.match(/../g), (two) => parseInt(two, 16));
    const how = { name: "HMAC", hash: "SHA-256" };
    const imported = await window.crypto.subtle.importKey("raw", bytes, how, false, ["sign"]);
    return async (/** @type {string} */ text) =>
      hex(await window.crypto.subtle.sign("HMAC", imported, utf8.encode(text)));
  }

  /** @param {Json} source */
  async function madeFrom(source) {
    const mixed = await sha256("mix:" + source.revealed.map((/** @type {string[]} */ [, link]) => link).join(":"));
    return await hmac(await (await hmac(source.seed))(mixed));
  }

  /** Draws below a bound, each number as likely. @param {(text: string) => Promise<string>} made @param {string} of */
  function drawing(made, of) {
    /** @type {number[]} */
    let words = [];
    let block = 0;
    return async (/** @type {number} */ bound) => {
      for (;;) {
        if (!words.length) words = (await made(`${of}:${block++}`)).match(/.{8}/g).map((word) => parseInt(word, 16));
        const word = words.shift();
        if (word < 2 ** 32 - (2 ** 32 % bound)) return word % bound;
      }
    };
  }

  // ── Reading ──

  /** @param {string} text @param {string} house */
  function read(text, house) {
    if (text.length > MOST_BYTES) throw new Unreadable("too large");
    let bundle;
    try {
      bundle = JSON.parse(text.replace(/^\uFEFF/, ""));
    } catch (error) {
      throw new Unreadable(error instanceof RangeError ? "nested too deep" : "no JSON");
    }
    let level = [bundle];
    for (let depth = 0; depth < MOST_DEPTH; depth++) {
      level = level.flatMap((part) => (typeof part === "object" && part !== null ? Object.values(part) : []));
    }
    if (level.length) throw new Unreadable("nested too deep");
    if (!isObject(bundle) || bundle.format !== FORMAT) throw new Unreadable("another version");
    if (!Object.hasOwn(HANDS, bundle.game) && !Object.hasOwn(THROWN, bundle.game)) throw wrongType("game");
    const thrown = Object.hasOwn(THROWN, bundle.game);
    checkShape(bundle, { ...ROUND, ...(thrown ? { throws: [THROW] } : { pack: PACK, cards: [CARD] }) }, "");
    if ((thrown ? bundle.throws : [bundle.pack]).some((/** @type {Json} */ one) => one.offered.length > MOST_LINKS)) {
      throw new Unreadable("too many links");
    }
    if (bundle.house !== house) throw new Unreadable("another house", { cause: bundle.house });
    return bundle;
  }

  /** @param {string} where */
  const wrongType = (where) => new Unreadable("wrong type", { cause: where });

  /** @param {any} value @param {any} shape @param {string} where */
  function checkShape(value, shape, where) {
    let good = typeof value === typeof shape && Array.isArray(value) === Array.isArray(shape) && value !== null;
    if (typeof shape === "string") good = good && new RegExp(`^(?:${shape})$`).test(value);
    const bounds = Array.isArray(shape) && typeof shape[0] === "number";
    if (bounds) good = Number.isInteger(value) && shape[0] <= value && value <= shape[1];
    if (!good || (Array.isArray(shape) && !bounds && shape.length === 2 && value.length !== 2)) {
      throw wrongType(where.slice(1));
    }
    if (isObject(shape)) {
      for (const [named, inner] of Object.entries(shape)) {
        const name = named.replace("?", "");
        if (name === named || Object.hasOwn(value, name)) checkShape(value[name], inner, `${where}.${name}`);
      }
    } else if (Array.isArray(shape) && !bounds) {
      for (const [at, each] of value.entries()) checkShape(each, shape[at % shape.length], `${where}.${at + 1}`);
    }
  }

  // ── Claims ──

  /**
   * @param {string} code
   * @param {string} of
   * @param {boolean | null} good
   * @param {string} [detail]
   * @returns {Claim}
   */
  const judged = (code, of, good, detail = "") => {
    const state = good === null ? "not opened yet" : good ? "proven" : "BROKEN";
    return { code, of, state, detail };
  };

  /** @param {Json} source @param {number} table @param {string} of */
  async function claimsOfSeed(source, table, of) {
    const fits = "seed" in source
      ? (await sha256(`seed:${table}:${source.number}:${source.seed}`)) === source.seed_commitment
      : null;
    const offered = new Map(source.offered);
    const revealed = new Map(source.revealed);
    const below = await Promise.all(
      [...revealed].map(async ([who, link]) => (await sha256(link)) === offered.get(who)),
    );
    const inOrder = same([...revealed.keys()], [...offered.keys()].filter((who) => revealed.has(who)));
    const once = offered.size === source.offered.length && revealed.size === source.revealed.length;
    const silent = [...offered.keys()].filter((who) => !revealed.has(who));
    const told = `${revealed.size}/${offered.size}${silent.length ? ` − ${silent.join(", ")}` : ""}`;
    return [judged("seed", of, fits), judged("links", of, below.every(Boolean) && inOrder && once, told)];
  }

  /** @param {Json} bundle */
  async function claimsOfPack(bundle) {
    const { pack, table, cards } = bundle;
    const of = `pack ${pack.number}`;
    const size = 52 * pack.decks;
    const claims = await claimsOfSeed(pack, table, of);
    const root = await sha256(pack.leaves.map((/** @type {string} */ leaf) => `${leaf}\n`).join(""));
    claims.push(judged("root", of, pack.leaves.length === size && root === pack.root));
    /** @param {number} place @param {string} salt @param {string} card */
    const leafOf = (place, salt, card) => sha256(`card:${table}:${pack.number}:${place}:${salt}:${card}`);
    let fits = null;
    if ("seed" in pack) {
      const made = await madeFrom(pack);
      const order = await orderOf(drawing(made, "order"), pack.decks);
      const leaves = order.map(async (card, at) => {
        return leafOf(at + 1, (await made(`salt:${at + 1}`)).slice(0, 32), card);
      });
      fits = same(await Promise.all(leaves), pack.leaves);
    }
    claims.push(judged("order", of, fits));
    for (const { deal, place, salt, card, to } of cards) {
      const there = pack.cut < size && place === (pack.cut + deal - 1) % size + 1;
      const leaf = await leafOf(place, salt, card);
      claims.push(judged("card", `card ${deal}`, there && leaf === pack.leaves[place - 1], `${card} → ${to}`));
    }
    const pattern = new RegExp(`^(?:${HANDS[/** @type {keyof HANDS} */ (bundle.game)]}|burn [0-9]+)$`);
    const known = cards.map((/** @type {Json} */ card) => pattern.test(card.to));
    if (known.some(Boolean)) claims.push(judged("hands", "", known.every(Boolean) && counted(bundle)));
    else claims.push({ code: "hands", of: "", state: "not checked", detail: "" });
    return claims;
  }

  /** @param {(bound: number) => Promise<number>} draw @param {number} decks */
  async function orderOf(draw, decks) {
    const deck = [..."shdc"].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
    const order = Array.from({ length: decks }, () => deck).flat();
    for (let size = order.length; size > 1; size--) {
      const chosen = await draw(size);
      [order[size - 1], order[chosen]] = [order[chosen], order[size - 1]];
    }
    return order;
  }

  /** The cards of each hand by their numbers. @param {Json} bundle */
  function handsOf(bundle) {
    /** @type {Map<string, Map<number, string>>} */
    const hands = new Map();
    for (const { to, card } of bundle.cards) {
      const [, hand, number] = /** @type {string} */ (to).match(/^(?:(.*) )?([^ ]*)$/);
      if (!hands.has(hand)) hands.set(hand, new Map());
      hands.get(hand).set(/^[0-9]+$/.test(number) ? Number(number) : 0, card);
    }
    return hands;
  }

  // The deal goes on and on, and each hand is counted from 1; without a record some of its cards may be all that was
  // seen, and with one a single card.
  /** @param {Json} bundle */
  function counted(bundle) {
    const deals = bundle.cards.map((/** @type {Json} */ card) => card.deal);
    const numbers = [...handsOf(bundle).values()].map((hand) => [...hand.keys()]);
    const rising = deals.every((/** @type {number} */ deal, /** @type {number} */ at) => !at || deals[at - 1] < deal);
    return rising && numbers.flat().length === deals.length &&
      numbers.every((each) =>
        each.every((number, at) => !at || each[at - 1] < number) &&
        (!bundle.record || each.length === 1 || each.at(-1) === each.length)
      );
  }

  /** @param {Json} bundle */
  async function claimsOfThrows(bundle) {
    const [count, bound, least] = THROWN[/** @type {keyof THROWN} */ (bundle.game)];
    const claims = [];
    for (const thrown of bundle.throws) {
      const of = `throw ${thrown.number}`;
      claims.push(...(await claimsOfSeed(thrown, bundle.table, of)));
      const leaf = await sha256(`throw:${bundle.table}:${thrown.number}:${thrown.salt}:${thrown.value}`);
      const opened = "salt" in thrown || "value" in thrown;
      claims.push(judged("leaf", of, opened ? leaf === thrown.leaf : null, thrown.value));
      let fits = null;
      if ("seed" in thrown) {
        const made = await madeFrom(thrown);
        const draw = drawing(made, "throw");
        const numbers = [];
        for (let at = 0; at < count; at++) numbers.push(least + (await draw(bound)));
        fits = thrown.value === numbers.join(" ") && thrown.salt === (await made("salt:1")).slice(0, 32);
      }
      claims.push(judged("numbers", of, fits));
    }
    const numbers = bundle.throws.map((/** @type {Json} */ one) => one.number);
    const counts = bundle.throws.map((/** @type {Json} */ one) => one.counts);
    const rising = numbers.every((/** @type {number} */ one, /** @type {number} */ at) => !at || numbers[at - 1] < one);
    const decided = !("outcome" in bundle) || counts.includes(true) !== ("void" in bundle.outcome.result);
    claims.push(judged("counts", "", rising && !counts.slice(0, -1).includes(true) && decided));
    return claims;
  }

  /** The numbers that the round was decided by, sorted. @param {Json} bundle @returns {number[]} */
  function whatCounts(bundle) {
    const values = bundle.throws.map((/** @type {Json} */ one) => (one.counts && one.value ? one.value : ""));
    return values.join(" ").split(" ").filter(Boolean).map(Number).sort((
      /** @type {number} */ a,
      /** @type {number} */ b,
    ) => a - b);
  }

  /** @param {Json} bundle */
  function recordFits(bundle) {
    const { game, chance } = bundle.record;
    if (game !== bundle.game || !Array.isArray(chance)) return false;
    if ("throws" in bundle) {
      const numbers = chance.filter((one) => one !== null);
      const nulls = chance.length - numbers.length;
      const asMany = game !== "roulette" || !numbers.length || nulls === bundle.throws.length - 1;
      return same([...numbers].sort((a, b) => a - b), whatCounts(bundle)) && asMany;
    }
    const seen = bundle.cards.filter((/** @type {Json} */ card) => !card.to.startsWith("burn"));
    if (!seen.length) return true;
    for (let start = 0; start < seen[0].deal; start++) {
      if (seen.every((/** @type {Json} */ one) => chance[one.deal - 1 - start] === one.card)) return true;
    }
    return false;
  }

  /** @param {Json} bundle */
  function outcomeFits(bundle) {
    const { result } = bundle.outcome;
    if ("void" in result) return true;
    if (bundle.game === "roulette") return same(whatCounts(bundle), [result.number]);
    if (bundle.game === "cussec") return same(whatCounts(bundle), result.dice);
    const hands = [...handsOf(bundle)].filter(([hand]) => hand !== "burn");
    if (bundle.game === "baccarat") {
      return hands.every(([hand, cards]) => {
        const points = [...cards.values()].map((card) => Math.min(RANKS.indexOf(card[0]) + 1, 10));
        return !(hand in result) || points.reduce((one, two) => one + two, 0) % 10 === result[hand];
      });
    }
    if (bundle.game === "blackjack") {
      const boxes = Object.entries(result.boxes).map(([box, held]) => [`box ${box}`, held.flat()]);
      const said = new Map([["bank", result.bank], .../** @type {[string, string[]][]} */ (boxes)]);
      return hands.every(([hand, cards]) => {
        const left = [...(said.get(hand) || [])];
        return [...cards.values()].every((card) => left.includes(card) && left.splice(left.indexOf(card), 1));
      });
    }
    return true;
  }

  /** @param {string} code @param {Json} bundle @param {(bundle: Json) => boolean} fits */
  function told(code, bundle, fits) {
    if (!(code in bundle)) return judged(code, "", null);
    try {
      return judged(code, "", fits(bundle));
    } catch {
      return judged(code, "", false);
    }
  }

  // ── What was kept from earlier ──

  /**
   * Each single value and where it stands; a card stands at its place in the deal.
   * @param {any} part
   * @returns {Map<string, any>}
   */
  function flat(part, where = "") {
    if (typeof part !== "object" || part === null) return new Map([[where, part]]);
    const parts = Object.entries(part).map(([name, inner]) => {
      const at = where === ".cards" ? inner.deal : Array.isArray(part) ? Number(name) + 1 : name;
      return [...flat(inner, `${where}.${at}`)];
    });
    return new Map(parts.flat());
  }

  /** @param {Json} kept @param {Json} bundle */
  function differences(kept, bundle) {
    const closed = (kept.throws || []).map((/** @type {Json} */ one, /** @type {number} */ at) =>
      "seed" in one ? "" : `.throws.${at + 1}.counts`
    );
    const now = flat(bundle);
    return [...flat(kept)].filter(([where, value]) => !closed.includes(where) && now.get(where) !== value);
  }

  floor.proof = {
    // All claims of a bundle, as text, of the house at this address. `noted` is one that was kept, or nothing.
    async verify(text, house, noted) {
      try {
        const bundle = read(text, house);
        const kept = noted ? read(noted, house) : null;
        const claims = await ("pack" in bundle ? claimsOfPack(bundle) : claimsOfThrows(bundle));
        claims.push(told("record", bundle, recordFits), told("outcome", bundle, outcomeFits));
        claims.push({ code: "stakes", of: "", state: "not checked", detail: "" });
        if (kept) {
          const gone = differences(kept, bundle);
          claims.push(judged("noted", "", !gone.length, gone.slice(0, 3).map(([where]) => where.slice(1)).join(", ")));
        }
        claims.push(judged("house", "", true, bundle.house));
        const round = kept ? "proven" : "not checked";
        claims.push({ code: "round", of: "", state: round, detail: String(bundle.round) });
        return claims;
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        return [judged(error.message, "", false, /** @type {string} */ (error.cause) || "")];
      }
    },
  };
})();
