// @ts-check
// The page /verify/: takes the proof of a round, has it checked in this browser (proof.js) and says what was found.
(function () {
  "use strict";
  const floor = window.floor;
  const page = document.querySelector("[data-verify]");
  const form = /** @type {HTMLFormElement} */ (page.querySelector("form"));
  const found = page.querySelector("[data-found]");
  const list = page.querySelector("[data-list]");
  const MOST_BYTES = 4 * 2 ** 20;
  const words = new Map([...page.querySelectorAll("[data-code]")].map((one) => [one.dataset.code, one.textContent]));

  /** @param {Claim} claim */
  function lineOf({ code, of, state, detail }) {
    const template = /** @type {HTMLTemplateElement} */ (page.querySelector(`[data-state="${state}"]`));
    const line = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
    const [kind, number] = of.split(" ");
    const what = of && words.get(kind).replace("{number}", number);
    const says = words.get(code === "card" ? "card:" : code);
    line.querySelector("[data-says]").textContent = [what, detail, says].filter(Boolean).join(" · ");
    return line;
  }

  /** @param {Claim[]} claims */
  function show(claims) {
    list.replaceChildren(...claims.map(lineOf));
    found.hidden = false;
    found.querySelector("h2").focus();
  }

  /** @param {string} code @returns {Claim} */
  const broken = (code) => ({ code, of: "", state: "BROKEN", detail: "" });

  async function check() {
    const { bundle, noted } = form.elements;
    if (!window.crypto.subtle) show([broken("insecure")]);
    else show(await floor.proof.verify(bundle.value, window.location.origin, noted.value.trim()));
  }

  /** @param {File | undefined} file */
  async function take(file) {
    if (!file) return;
    if (file.size > MOST_BYTES) return show([broken("too large")]);
    form.elements.bundle.value = await file.text();
    await check();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    check();
  });
  const chosen = /** @type {HTMLInputElement} */ (form.querySelector("[data-file]"));
  chosen.addEventListener("change", () => take(chosen.files[0]));
  form.addEventListener("dragover", (event) => event.preventDefault());
  form.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return; // text goes where it is dropped
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
})();
