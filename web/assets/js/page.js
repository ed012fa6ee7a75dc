// @ts-check
// Small helpers for the pages other than a game; every page works without them.
import "./ask.js";
import { fold } from "./fold.js";
import "./leave.js";
import "./next.js";
import "./unreachable.js";

/** Hides the rows of a list that do not contain the typed text. @param {HTMLInputElement} input */
function filter(input) {
  const wanted = fold(input.value);
  let found = 0;
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`#${input.dataset.filter} [data-name]`))) {
    row.hidden = !fold(row.dataset.name || "").includes(wanted);
    if (!row.hidden) found++;
  }
  const hint = document.getElementById("find-hint");
  if (hint) hint.textContent = found ? "" : input.dataset.none || "";
}

function refresh() {
  const input = document.querySelector("input[data-filter]");
  if (input instanceof HTMLInputElement && input.value) filter(input);
  const go = document.querySelector("a[data-go]");
  if (go instanceof HTMLAnchorElement) location.assign(go.href);
}

document.addEventListener("input", (e) => {
  if (e.target instanceof HTMLInputElement && e.target.dataset.filter) filter(e.target);
});
document.addEventListener("click", (e) => {
  if (e.target instanceof Element && e.target.closest("[data-print]")) window.print();
});
document.addEventListener("keydown", (e) => {
  if (e.altKey || e.ctrlKey || e.metaKey || e.shiftKey || (e.target instanceof Element && e.target.closest("input, select, textarea"))) return;
  const forward = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  if (e.key !== "ArrowLeft" && e.key !== "ArrowRight") return;
  const link = document.querySelector(`.turn-nav a[rel="${e.key === forward ? "next" : "prev"}"]`);
  if (link instanceof HTMLAnchorElement) location.assign(link.href);
});
/** On narrow screens, closes the details below a list, except those with the link's target or a message. */
function foldBelow() {
  if (matchMedia("(min-width: 1041px)").matches) return;
  for (const part of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details[data-beside]"))) {
    part.open = !!part.querySelector(":target, .flash");
  }
}

document.addEventListener("htmx:after:swap", refresh);
foldBelow();
document.getElementById("live")?.addEventListener("go", () => location.assign("/play/game"));
if (location.pathname === "/play") document.getElementById("live")?.addEventListener("over", () => location.assign("/join"));
refresh();
