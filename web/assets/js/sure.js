// @ts-check
// Asks before a slip costs something. The answer is in a sheet of its own, away from the key that asked, and guard.js
// keeps it from being given by the tap that opened it.

const sheet = /** @type {HTMLDialogElement | null} */ (document.getElementById("sure"));
const yes = document.getElementById("sure-yes");
/** @type {(() => void) | undefined} */
let wanted;
/** @type {HTMLElement | null} */
let asker = null;
let turn = "";

const turnNow = () => document.getElementById("game")?.dataset.turn || "";

/**
 * Asks a question whose answer is what the key says, or its data-yes.
 * @param {string} text @param {string} id the key that asks @param {() => void} act what a yes does
 */
export function sure(text, id, act) {
  const words = document.getElementById("sure-text");
  asker = document.getElementById(id);
  if (!sheet || !yes || !words) return act();
  words.textContent = text;
  yes.textContent = asker?.dataset.yes || asker?.textContent?.trim() || "";
  yes.dataset.ends = id;
  wanted = act;
  turn = turnNow();
  sheet.showModal();
}

yes?.addEventListener("click", () => {
  const act = wanted;
  sheet?.close();
  act?.();
});
document.getElementById("sure-no")?.addEventListener("click", () => sheet?.close());
sheet?.addEventListener("close", () => {
  wanted = undefined;
  document.getElementById(asker?.id || "")?.focus({ preventScroll: true });
  if (document.activeElement !== document.body && !sheet?.contains(document.activeElement)) return;
  const rest = /** @type {HTMLElement | null} */ (document.querySelector("#rack [tabindex='0']") || document.getElementById("main"));
  rest?.focus({ preventScroll: true });
});
// A question about a turn that is over is none.
document.getElementById("live")?.addEventListener("htmx:after:swap", () => {
  if (sheet?.open && (turnNow() !== turn || !document.getElementById(asker?.id || ""))) sheet.close();
});
