// @ts-check
// Hints at a practice table: one button first shows how many tiles can be played, then how, and then lays them.
import "./next.js";
import { buttons, draft, move, tell } from "./play.js";
import { draw } from "./view.js";

/**
 * @typedef {{ turn: number, tiles: number, message: string, played?: string[], table?: import("./draft.js").Laid[],
 * panel?: string }} Hint
 */

const address = document.getElementById("words")?.dataset.game || "";
/** @type {Hint | undefined} the hint of this turn */
let told;
/** Whether the hint panel is open. An update renders the foot again, so the panel is then restored. */
let open = false;

const key = () => /** @type {HTMLButtonElement} */ (document.getElementById("hint"));
const panel = () => document.getElementById("hints");

/** Returns the hint of the current turn, if it was requested. */
function known() {
  return told && String(told.turn) === draft.turn ? told : undefined;
}

/** @param {string} query @returns {Promise<Hint | undefined>} */
async function ask(query) {
  try {
    const r = await fetch(`${address}/${draft.game}/hint${query}`, { headers: { Accept: "application/json" } });
    const answer = await r.json();
    if (r.ok) return answer;
    tell(answer.message, "bad", 4000);
  } catch {
    // the line above already reports the lost connection
  }
  return undefined;
}

/** Labels the button with its next action. */
function label() {
  const now = known();
  const next = now?.table ? "lay" : now?.tiles ? "show" : "ask";
  const span = key()?.querySelector("span");
  if (span) span.textContent = key().dataset[next] || "";
}

async function next() {
  const now = known();
  if (now?.table) return lay();
  const hint = await ask(now?.tiles ? "?way=yes" : "");
  if (!hint || String(hint.turn) !== draft.turn) return;
  told = hint;
  label();
  if (hint.panel) show(hint);
  else tell(hint.message, hint.tiles ? "good" : "");
}

/** @param {Hint} hint */
function show(hint) {
  close();
  put(hint);
  panel()?.focus();
}

/** @param {Hint} hint */
function put(hint) {
  document.getElementById("foot")?.insertAdjacentHTML("afterbegin", hint.panel || "");
  mark(hint.played || []);
  open = true;
}

/** Marks the rack tiles that the hint plays. @param {string[]} faces */
function mark(faces) {
  const left = [...faces];
  for (const p of draft.pieces) {
    const k = p.rack ? left.indexOf(p.face) : -1;
    p.el.classList.toggle("hinted", k >= 0);
    if (k >= 0) left.splice(k, 1);
  }
  draw();
}

function close() {
  open = false;
  mark([]);
  if (panel()?.contains(document.activeElement)) key()?.focus();
  panel()?.remove();
}

function lay() {
  const table = known()?.table;
  close();
  if (table) move(() => draft.layOut(table));
}

buttons.hint = () => void next();
buttons["hint-lay"] = lay;
buttons["hint-close"] = close;
document.addEventListener("lay", (e) => move(() => draft.layOut(/** @type {CustomEvent} */ (e).detail))); // lesson.js
document.addEventListener("keydown", (e) => {
  if (e.key === "Escape" && panel()) close();
});
document.getElementById("live")?.addEventListener("htmx:after:swap", () => {
  const now = known();
  if (!now) told = undefined;
  if (now && open && !panel()) put(now);
  if (!now) open = false;
  label();
});
