// @ts-check
// Keyboard control of the table and the rack. One place of each is in the tab order, and arrows move from there. Enter
// or Space is a tap, with Shift a press. The focus is never lost: if its element disappears, the nearest remaining one
// gets it.
import { draft, listed, live, state } from "./state.js";

/**
 * @typedef {{
 *   tap: (spot: import("./hand.js").Spot) => void,
 *   press: (spot: import("./hand.js").Spot) => boolean,
 *   cancel: () => void,
 *   stretch: (el: HTMLElement, step: number) => HTMLElement | undefined,
 * }} Wishes
 */

const GRID = ".cell, .slot";
/** @type {Element | undefined} the element that had the focus last */
let last;

/** @param {Wishes} wishes */
export function listen(wishes) {
  live.addEventListener("keydown", (e) => key(e, wishes));
  document.addEventListener("focusin", (e) => {
    last = e.target instanceof Element ? e.target : undefined;
    rove(last);
  });
  document.addEventListener("pointerdown", () => (last = undefined), true);
}

/** @param {KeyboardEvent} e @param {Wishes} wishes */
function key(e, wishes) {
  if (e.key === "Escape") wishes.cancel();
  const el = e.target;
  if (!(el instanceof HTMLElement) || !el.matches(GRID) || e.altKey || e.metaKey) return;
  const row = rowOf(el);
  // Left to right in every language.
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -row, ArrowDown: row }[e.key];
  if (e.key === "Enter" || e.key === " ") wishes[e.shiftKey ? "press" : "tap"]({ el, after: false });
  else if (step && e.shiftKey && Math.abs(step) === 1) wishes.stretch(el, step)?.focus();
  else if (step && e.ctrlKey) jump(el, Math.sign(step));
  else if (step) go(el, step);
  else if (e.key === "Home" || e.key === "End") edge(el, e.key === "End", e.ctrlKey);
  else return;
  e.preventDefault();
}

/** @param {HTMLElement} el @returns {HTMLElement[]} the cells of the table, or the slots of the rack */
const grid = (el) => /** @type {HTMLElement[]} */ ([...(el.closest("[role=grid]")?.querySelectorAll("[role=gridcell]") || [])]);

/** Returns the number of places in a row. @param {HTMLElement} el */
const rowOf = (el) => (el.matches(".slot") ? draft.rack.cols : draft.grid.cols);

/** @param {HTMLElement} el @param {number} step */
function go(el, step) {
  const all = grid(el);
  all[all.indexOf(el) + step]?.focus();
}

/** Moves to the next place where a set begins. @param {HTMLElement} el @param {number} step */
function jump(el, step) {
  const all = grid(el);
  const full = (/** @type {number} */ i) => !!all[i]?.querySelector(".tile");
  for (let i = all.indexOf(el) + step; all[i]; i += step) {
    if (full(i) && (!full(i - 1) || i % rowOf(el) === 0)) return all[i].focus();
  }
  return undefined;
}

/**
 * Moves to the end of the row, or of the whole grid if far.
 * @param {HTMLElement} el @param {boolean} end @param {boolean} far
 */
function edge(el, end, far) {
  const all = grid(el);
  const cols = far ? all.length : rowOf(el);
  const from = Math.floor(all.indexOf(el) / cols) * cols;
  all[end ? Math.min(all.length, from + cols) - 1 : from]?.focus();
}

/** Keeps one place of the table and one of the rack in the tab order. @param {Element | undefined} target */
function rove(target) {
  if (!(target instanceof HTMLElement) || !target.matches(GRID)) return;
  for (const el of target.closest("[role=grid]")?.querySelectorAll("[tabindex='0']") || []) el.setAttribute("tabindex", "-1");
  target.tabIndex = 0;
  state.at[target.id[0]] = target.id;
}

/** Restores the focus if its element is gone or disabled. */
export function refocus() {
  const now = document.activeElement;
  const lost = !now || now === document.body || now.matches(":disabled");
  if (!lost || !last || (last.isConnected && !last.matches(":disabled"))) return;
  successor(last)?.focus({ preventScroll: true });
}

/** @param {Element} gone @returns {HTMLElement | null} */
function successor(gone) {
  const same = document.getElementById(gone.id);
  if (gone.id && same && !same.matches(":disabled")) return same;
  /** @param {string} grid @returns {HTMLElement | null} */
  const resting = (grid) => document.querySelector(listed() ? "#rack-list .piece" : grid + " [tabindex='0']");
  const main = /** @type {HTMLElement | null} */ (document.querySelector("#result-title, main"));
  if (main?.matches("h1, h2, h3") && !main.hasAttribute("tabindex")) main.tabIndex = -1;
  if (gone.matches(".cell")) return resting("#table") || main;
  if (gone.matches("#undo, #reset")) return resting("#table") || resting("#rack") || main;
  return resting("#rack") || main;
}
