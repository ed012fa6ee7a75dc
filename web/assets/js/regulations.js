// @ts-check
// The regulations of the tournament, over any of its pages. A page fetches them once while the network is available and
// opens them in place from then on. Halls use plain HTTP, where service workers are not available, and leaving a page
// without a network loses it.
import { seek } from "./seek.js";

const sheet = /** @type {HTMLDialogElement | null} */ (document.getElementById("regulations"));
const text = sheet?.querySelector("div"), away = /** @type {HTMLElement | null} */ (sheet?.querySelector("[data-away]"));

if (sheet && text && away) {
  const { from = "", path = "" } = sheet.dataset;

  /** Whether the text is loaded. */
  let kept = false, going = false;
  const keep = async () => {
    if (kept || going) return;
    going = true;
    try {
      const answer = await fetch(from); // cached for a day, so the tournament's next page has it at once
      if (answer.ok && !answer.redirected) {
        text.innerHTML = await answer.text();
        await styled();
        kept = true;
      }
    } catch {} // the server is unreachable: a later event tries again
    going = false;
  };

  /** Loads the style sheet, which a public page does not have before. @returns {Promise<unknown>} */
  const styled = () =>
    new Promise((done) => {
      const href = sheet.dataset.style;
      if (!href || document.querySelector(`link[href="${href}"]`)) return done(undefined);
      const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
      link.onload = link.onerror = done;
      document.head.append(link);
    });

  /** @param {string} hash the requested article; "" for all of them */
  const open = (hash) => {
    const input = text.querySelector("input");
    if (!input) return;
    away.textContent = "";
    input.value = "";
    seek(input);
    if (!sheet.open) sheet.showModal();
    show(hash || "#q");
    if (!hash) sheet.scrollTop = 0;
  };
  /** @param {string} hash */
  const show = (hash) => {
    const at = document.getElementById("kept-" + hash.slice(1));
    for (const other of text.querySelectorAll(".at")) other.classList.remove("at");
    if (!at) return;
    if (at.classList.contains("article")) at.classList.add("at");
    at.scrollIntoView({ block: "start" });
    const stop = at.matches("input") ? at : at.querySelector("a");
    if (stop instanceof HTMLElement) stop.focus({ preventScroll: true });
  };

  // Officials' pages fetch it when they are loaded, and when they are live again. The public's wait for a touch or a
  // key: their first view is small.
  for (const event of "early" in sheet.dataset ? ["load", "link"] : ["pointerdown", "keydown", "scroll"]) {
    window.addEventListener(event, keep, { capture: true, passive: true });
  }
  document.addEventListener("click", async (e) => {
    const link = e.target instanceof Element ? e.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement) || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey || link.target) return;
    if ("page" in link.dataset) {
      e.preventDefault();
      const there = await fetch(link.href).then((answer) => answer.ok, () => false);
      if (there) location.assign(link.href);
      else away.textContent = away.dataset.text || "";
      return;
    }
    const own = link.getAttribute("href") || "";
    if (own.startsWith("#kept-")) {
      e.preventDefault();
      show("#" + own.slice(6));
    } else if (kept && link.pathname === path && !link.search && link.host === location.host) {
      e.preventDefault();
      open(link.hash);
    }
  }, true);
  sheet.addEventListener("click", (e) => {
    if (e.target === sheet || (e.target instanceof Element && e.target.closest("[data-close]"))) sheet.close();
  });
}
