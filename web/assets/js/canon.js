// @ts-check
// The places that the log uses: `at` is a cell of 14 lanes of 13. The server judges sets and ignores places, so any
// place with room will do. A place close to the visible one makes other screens look much the same.
import { CELLS, LANES } from "./layout.js";

/** @typedef {{ key: string, n: number, near: number }} Set key names its tiles; near is its preferred cell */

/**
 * Returns an `at` for each set, known sets first; -1, which lets the server choose, if no place is left.
 * @param {Set[]} sets @param {Map<string, number>} known by key; new places are added @returns {number[]}
 */
export function places(sets, known) {
  const taken = new Array(CELLS * LANES).fill(false);
  const found = sets.map(() => -1);
  const take = (/** @type {number} */ i, /** @type {number} */ at) => {
    taken.fill(true, at, at + sets[i].n);
    found[i] = at;
    known.set(sets[i].key, at);
  };
  for (const [i, s] of sets.entries()) {
    const at = known.get(s.key);
    if (at !== undefined && fits(taken, at, s.n)) take(i, at);
  }
  for (const [i, s] of sets.entries()) {
    if (found[i] >= 0) continue;
    const at = nearest(taken, s);
    if (at >= 0) take(i, at);
  }
  return found;
}

/** @param {boolean[]} taken @param {number} at @param {number} n */
function fits(taken, at, n) {
  const cell = at % CELLS;
  if (at < 0 || cell + n > CELLS) return false;
  return !taken.slice(cell ? at - 1 : at, cell + n < CELLS ? at + n + 1 : at + n).includes(true);
}

/** @param {boolean[]} taken @param {Set} set */
function nearest(taken, { n, near }) {
  for (let d = 0; d < taken.length; d++) {
    for (const at of [near + d, near - d]) if (at >= 0 && at < taken.length && fits(taken, at, n)) return at;
  }
  return -1;
}

/**
 * Returns the cell of the 14 lanes that corresponds to a cell of a screen's grid.
 * @param {number} cell @param {{ cols: number, rows: number }} grid
 */
export function canonical(cell, { cols, rows }) {
  const row = Math.min(LANES / 2 - 1, Math.ceil((Math.floor(cell / cols) * LANES) / 2 / rows));
  return row * 2 * CELLS + Math.min(2 * CELLS - 1, Math.round(((cell % cols) * 2 * CELLS) / cols));
}
