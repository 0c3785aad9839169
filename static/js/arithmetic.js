// @ts-check
// What the scripts calculate: amounts, times, angles and ways. Nothing here looks at the page or at a clock, so that
// tests can hold each function against a table (tests/browser/test_scripts.py). What each does: casino/checks/scripts.d.ts.
(function () {
  "use strict";
  const CREDIT = 100; // cents
  const SECOND = 1000;
  const TEN_MINUTES = 600_000;
  const PLATE = 40; // degrees a second
  const BALL = 300;
  const ROLLS = 4000; // milliseconds that a ball rolls at least, with its fall
  const FALLS = 1800;

  /** @type {Arithmetic} */
  const arithmetic = {
    // ── Amounts ──

    creditsIn(language) {
      const whole = new Intl.NumberFormat(language);
      const broken = new Intl.NumberFormat(language, { minimumFractionDigits: 2 });
      return (cents) => (Number(cents) % CREDIT ? broken : whole).format(Number(cents) / CREDIT);
    },

    sum(amounts) {
      return amounts.reduce((all, one) => all + one, 0);
    },

    tape(amounts, language) {
      const credits = arithmetic.creditsIn(language);
      const sum = credits(arithmetic.sum(amounts));
      const alike = amounts.every((one) => one === amounts[0]);
      if (!alike) return sum;
      return `${new Intl.NumberFormat(language).format(amounts.length)} × ${credits(amounts[0])} = ${sum}`;
    },

    perSpot(bets) {
      const sums = new Map();
      for (const bet of bets) sums.set(bet.key, (sums.get(bet.key) || 0) + bet.amount);
      return [...sums].map(([key, amount]) => ({ key, amount }));
    },

    counts(from, to, share) {
      if (share >= 1) return to;
      return from + Math.floor(((to - from) * (1 - (1 - Math.max(0, share)) ** 3)) / CREDIT) * CREDIT;
    },

    partOf(least, most, share, leastShare) {
      const wanted = Math.floor((least * share) / leastShare / CREDIT) * CREDIT;
      return Math.max(least, Math.min(most, wanted));
    },

    raiseAfter({ ante, chip, most, times, balance }) {
      if (ante && balance < ante * times) return { says: "cannot", ante, rest: balance };
      const more = ante + chip;
      const fits = more <= most && chip <= balance;
      if (fits && balance - chip < more * times) return { says: "would", ante: more, rest: balance - chip };
      return ante ? { says: "costs", ante, rest: balance } : { says: "", ante: 0, rest: 0 };
    },

    // ── What is called ──

    asks(message) {
      const { do: name = "", box = "", hand = "" } = JSON.parse(message || "{}");
      return [name, box, hand].join();
    },

    calls(before, now) {
      const ended = now.result && (now.result !== before.result || now.round !== before.round);
      if (ended) return now.result;
      const same = now.phase === before.phase && now.round === before.round;
      return same || now.pace === "result" ? "" : now.words;
    },

    voiceFor(language, voices) {
      const wanted = { "zh-hant": ["zh-hk", "yue", "zh-mo", "zh-tw"], pt: ["pt-pt", "pt"] }[language.toLowerCase()] ||
        ["en-gb", "en"];
      for (const one of wanted) {
        const voice = voices.find(({ lang, localService }) =>
          localService && `${lang.replace("_", "-").toLowerCase()}-`.startsWith(`${one}-`)
        );
        if (voice) return voice;
      }
      return null;
    },

    // ── Times ──

    secondsLeft(end, now) {
      return Math.max(0, Math.ceil((end - now) / 1000));
    },

    shareLeft(end, now, span) {
      return span > 0 ? Math.min(1, Math.max(0, end - now) / span) : 1;
    },

    comeBackAfter(attempt, chance) {
      return attempt ? Math.min(8000, 300 * 2 ** attempt) * (0.5 + chance / 2) : SECOND * chance;
    },

    strikes(began, now) {
      return Math.floor((now - began) / TEN_MINUTES);
    },

    // ── The wheel ──

    pocketAngle(pockets, number) {
      return pockets.indexOf(Number(number)) * (360 / pockets.length);
    },

    neighbours(pockets, number) {
      const at = pockets.indexOf(Number(number));
      return [-2, -1, 0, 1, 2].map((step) => pockets[(at + step + pockets.length) % pockets.length]);
    },

    spin(milliseconds, turns) {
      const seconds = Math.max(0, milliseconds) / 1000;
      const begins = Math.min(1, seconds); // it gathers way in the first second
      /** @param {number} speed */
      const way = (speed) => speed * (seconds - begins + (begins * begins) / 2);
      return { plate: turns * way(PLATE), ball: -turns * way(BALL) };
    },

    fall(rolled) {
      return Math.max(FALLS, ROLLS - Math.max(0, rolled));
    },

    rest(from, pocket, turns) {
      const rounds = turns > 0
        ? Math.floor((from.ball - 360 - pocket) / 360)
        : Math.ceil((from.ball + 360 - pocket) / 360);
      return { plate: turns * 360 * Math.ceil((turns * from.plate + 90) / 360), ball: pocket + 360 * rounds };
    },

    // ── Ways over the felt ──

    pieces(from, to, length) {
      const count = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / length);
      return Array.from({ length: count }, (_, piece) => {
        const share = (piece + 1) / count;
        return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
      });
    },
  };

  window.floor.arithmetic = arithmetic;
})();
