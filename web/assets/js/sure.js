// @ts-check
// Asks for confirmation before an action with a cost. The dialog lies away from the button that opened it, and guard.js
// ignores the tap that opened it.

const sheet = /** @type {HTMLDialogElement | null} */ (document.getElementById("sure"));
const yes = document.getElementById("sure-yes");
/** @type {(() => void) | undefined} */
let wanted;
/** @type {HTMLElement | null} */
let asker = null;
let turn = "";

const turnNow = () => document.getElementById("game")?.dataset.turn || "";

/**
 * Asks a question. The yes button has the label of the button that asks, or its data-yes.
 * @param {string} text
 * @param {string} id the button that asks
 * @param {() => void} act runs on yes
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
  /** @type {HTMLElement | null} */
  const rest = document.querySelector("#rack [tabindex='0']") || document.getElementById("main");
  rest?.focus({ preventScroll: true });
});
// The question ends with its turn.
document.getElementById("live")?.addEventListener("htmx:after:swap", () => {
  if (sheet?.open && (turnNow() !== turn || !document.getElementById(asker?.id || ""))) sheet.close();
});
