// @ts-check
// Moves tiles by taps, drags and keys: picks up single tiles or parts of a set, and puts them down.
import { overJoker, swap, twice } from "./assist.js";
import { changed, plan } from "./judge.js";
import { spans } from "./layout.js";
import { hold, tell } from "./line.js";
import { say } from "./say.js";
import { draft, fill, free, listed, moving, opened, spoken, spokenAll, state, words } from "./state.js";
import { draw, gripped } from "./view.js";

/** @typedef {import("./hand.js").Spot} Spot */

/** @param {HTMLElement} el */
const pieceIn = (el) => draft.pieces.findIndex((p) => p.el.parentElement === el);
/** @param {HTMLElement} el */
const onTable = (el) => el.matches(".cell");
/** @param {number[]} ids */
const ofRack = (ids) => ids.every((i) => draft.pieces[i].at < 0);
/** @param {HTMLElement} el */
const numberOf = (el) => Number(el.dataset.at ?? el.dataset.slot);

/** Returns the group of adjacent tiles around a tile, on the table or on the rack. @param {number} id */
function setOf(id) {
  const list = draft.pieces[id].at >= 0 ? draft.blocks() : draft.rack.blocks();
  return list.find((b) => b.ids.includes(id))?.ids || [id];
}

/** @param {number[]} ids @param {string} [what] */
export function pick(ids, what = "one") {
  state.held = ids;
  state.holding = "";
  const text = { one: words.picked, after: moving.after, before: moving.before, all: moving.all }[what] || "";
  const tile = what === "one" ? spokenAll(ids) : spoken(what === "before" ? ids[ids.length - 1] : ids[0]);
  if (what === "one") say(fill(text, { tile }));
  else hold(fill(text, { tile }));
}

/** Reports whether the rules fix a tile: a tile of the table until the player has opened. @param {number} id */
export const fixed = (id) => !opened() && !draft.pieces[id].rack;

function putDown() {
  state.held = [];
  state.holding = "";
}

/** @param {Spot} spot */
export function tap({ el, after, time }) {
  const here = pieceIn(el);
  if (onTable(el)) tapTable(el, here, after);
  else if (here < 0 || !twice(here, time)) tapRack(el, here);
  draw();
}

/** @param {HTMLElement} el @param {number} here @param {boolean} after */
function tapTable(el, here, after) {
  if (tooSmall()) document.dispatchEvent(new CustomEvent("part", { detail: el.id }));
  else if (!free()) return;
  else if (!state.held.length) {
    const whole = here < 0 ? gripped(el) : undefined;
    if (whole) pick(whole, "all");
    else if (here >= 0 && fixed(here)) tell(words.fixed, "bad");
    else if (here >= 0) pick([here]);
  } else if (state.held.includes(here)) {
    letGo();
  } else {
    layOrSwap(numberOf(el), after);
  }
}

/** Reports whether the table is an overview, whose parts must be enlarged before tiles can be moved. */
const tooSmall = () => !!document.querySelector("#table.small") && document.documentElement.dataset.table !== "large";

export function letGo() {
  putDown();
  say(moving.none);
}

/**
 * Selects more of a set than is held: all after a tile, all before it, the whole set, then the tile alone.
 * @param {number} id
 */
function widen(id) {
  const ways = spans(setOf(id), id);
  const now = ways.findIndex((w) => w.ids.length === state.held.length && w.ids.every((i) => state.held.includes(i)));
  const next = ways[state.held.length ? now + 1 : 1] || ways[0];
  pick(next.ids, next.what);
}

/**
 * Adds a tile to those in the hand, or takes it away from them.
 * @param {number} id @param {number[]} [more] tiles to add before it
 */
export function toggle(id, more = []) {
  const { held } = state;
  state.held = held.includes(id) ? held.filter((i) => i !== id) : [...new Set([...held, ...more, id])];
  state.holding = "";
  const text = listed() ? moving.choose : words.picked;
  say(state.held.length ? fill(text, { tile: spokenAll(state.held) }) : moving.none);
}

/** @param {HTMLElement} el @param {number} here */
function tapRack(el, here) {
  const { held } = state;
  if (held.length && !ofRack(held)) return here < 0 ? back(el) : pick([here]);
  const whole = here < 0 && !held.length ? gripped(el) : undefined;
  if (whole) pick(whole, "all");
  else if (here >= 0) toggle(here);
  else if (held.length && el.matches(".slot")) arrange(numberOf(el), false);
}

/**
 * Handles a press. With an empty hand it selects the tile and all after it; on a held tile it selects more of the set.
 * With rack tiles in the hand it puts them before or after the pressed tile. Returns true if it did something.
 * @param {Spot} spot
 */
export function press({ el, after }) {
  const here = pieceIn(el);
  if (here < 0 || (onTable(el) && (!free() || fixed(here)))) return false;
  if (!state.held.length || state.held.includes(here)) widen(here);
  else if (!onTable(el) && ofRack(state.held) && !state.held.includes(here)) arrange(numberOf(el), after);
  else return false;
  if (document.documentElement.dataset.buzz !== "off") /** @type {any} */ (navigator).vibrate?.(10);
  draw();
  return true;
}

/** The selection before the hand lifted something. */
let unlifted = { held: state.held, holding: "" };

/** @param {HTMLElement} el @returns {import("./hand.js").Load | undefined} */
export function lift(el) {
  const here = pieceIn(el);
  unlifted = { held: state.held, holding: state.holding };
  if (onTable(el) && !free()) return undefined;
  if (here < 0) {
    const whole = gripped(el);
    if (!whole) return undefined;
    pick(whole, "all");
  } else if (onTable(el) && fixed(here)) return void tell(words.fixed, "bad");
  else if (!state.held.includes(here)) pick([here]);
  draw();
  const { held } = state;
  const before = here < 0 && numberOf(el) < placeOf(held[0]);
  return { tiles: held.map((i) => draft.pieces[i].el), index: here >= 0 ? held.indexOf(here) : before ? -1 : held.length };
}

/** @param {number} id */
const placeOf = (id) => (draft.pieces[id].at >= 0 ? draft.pieces[id].at : draft.pieces[id].slot);

/**
 * Returns the cell of the first tile when the tile at index is over cell at.
 * @param {number} at @param {number} index @param {number} cols
 */
function startOf(at, index, cols) {
  const lane = Math.floor(at / cols) * cols;
  return Math.min(Math.max(lane, at - index), lane + cols - 1);
}

/** @param {Spot | undefined} spot @param {number} index the held tile under the finger */
export function drop(spot, index) {
  const { held } = state;
  if (spot && held.length) {
    const cols = onTable(spot.el) ? draft.grid.cols : draft.rack.cols;
    const at = startOf(numberOf(spot.el), index, cols);
    const rack = !onTable(spot.el);
    const stays = rack === ofRack(held) && held.every((i, k) => placeOf(i) === at + k);
    if (stays) say(words.back);
    else if (!rack && free()) layOrSwap(at, spot.after, held.length);
    else if (rack && ofRack(held)) arrange(at, spot.after, held.length);
    else if (rack) back(spot.el, index);
    else say(words.back);
  } else say(words.back);
  putDown();
  draw();
}

/**
 * Undoes a lift that ended where it began. It was a tap, or a press that has already taken effect.
 * @param {Spot | undefined} spot where it tapped; undefined after a press
 */
export function keep(spot) {
  Object.assign(state, unlifted);
  if (spot) tap(spot);
  else draw();
}

export function cancel() {
  if (state.held.length) letGo();
  draw();
}

/** Releases the held tiles, or undoes the last move. */
export function undo() {
  if (state.held.length) cancel();
  else move(() => draft.undo());
}

/** @param {number} at @param {boolean} after @param {number} [reach] */
function layOrSwap(at, after, reach) {
  if (overJoker(state.held, at)) void swap(state.held[0], at, after);
  else lay(at, after, reach);
}

/** Lays the held tiles at a cell. @param {number} at @param {boolean} after @param {number} [reach] */
export function lay(at, after, reach) {
  laying(() => draft.put(state.held, at, after, reach));
}

/**
 * Lays the held tiles by a change of the draft, which reports whether it was possible.
 * @param {() => boolean} change @param {boolean} [aloud] whether to announce where they are now
 */
export function laying(change, aloud = true) {
  const ids = state.held;
  const moves = draft.past.length;
  if (!change()) return tell(words.noroom, "bad");
  if (draft.past.length === moves) say(words.back);
  else if (aloud) say(fill(words.putdown, { tile: spokenAll(ids) }) + " " + where(ids));
  state.laid = aloud ? ids[0] : undefined;
  putDown();
  changed();
}

/** Describes where tiles are now. @param {number[]} ids */
function where(ids) {
  const lane = String(Math.floor(draft.pieces[ids[0]].at / draft.grid.cols) + 1);
  const n = String(draft.sets.findIndex((s) => s.includes(ids[0])) + 1);
  return fill(listed() ? moving.inSet : moving.at, { lane, n, beside: beside(ids) });
}

/** @param {number[]} ids */
function beside(ids) {
  const set = setOf(ids[0]);
  const left = set[set.indexOf(ids[0]) - 1];
  const right = set[set.indexOf(ids[ids.length - 1]) + 1];
  if (left !== undefined) return fill(moving.besideAfter, { tile: spoken(left) });
  return right === undefined ? moving.besideNone : fill(moving.besideBefore, { tile: spoken(right) });
}

/** @param {number} slot @param {boolean} after @param {number} [reach] */
function arrange(slot, after, reach) {
  const ids = state.held;
  if (!draft.rack.move(ids, slot, after, reach)) return tell(words.noroom, "bad");
  say(fill(moving.onRack, { tile: spokenAll(ids), beside: beside(ids) }));
  putDown();
  plan();
}

/** @param {HTMLElement} [el] the chosen slot @param {number} [index] */
export function back(el, index = 0) {
  const ids = state.held;
  if (!draft.back(ids)) return tell(words.notrack, "bad");
  draft.rack.settle();
  if (el) draft.rack.move(ids, startOf(numberOf(el), index, draft.rack.cols), false, ids.length);
  putDown();
  say(fill(moving.onRack, { tile: spokenAll(ids), beside: beside(ids) }));
  changed();
}

/**
 * Extends the selection by one tile to the left or right, from the keyboard.
 * @param {HTMLElement} el @param {number} step @returns {HTMLElement | undefined} where the focus goes
 */
export function stretch(el, step) {
  const here = pieceIn(el);
  if (here < 0 || (onTable(el) && (!free() || fixed(here)))) return undefined;
  const set = setOf(here);
  const next = set[set.indexOf(here) + step];
  const held = set.filter((i) => i === here || i === next || state.held.includes(i));
  state.held = held;
  hold(fill(words.picked, { tile: spokenAll(held) }));
  draw();
  return next === undefined ? undefined : draft.pieces[next].el.parentElement || undefined;
}

/** Applies a change of the whole table, such as undo. @param {() => void} change @param {string} [text] */
export function move(change, text) {
  putDown();
  change();
  state.laid = undefined;
  changed();
  if (text) say(text);
}

/** @param {"number" | "colour"} by */
export function sort(by) {
  draft.rack.sort(by);
  plan();
  draw();
}
