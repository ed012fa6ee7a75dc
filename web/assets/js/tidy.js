// @ts-check
// Arranges tiles: compacts the table, and puts the numbers of a set in order.
import { TABLE, blocks, lay } from "./layout.js";

/**
 * @typedef {import("./layout.js").Block} Block
 * @typedef {import("./layout.js").Grid} Grid
 */

/**
 * Returns the table with its sets close together from the first lane on, in their current order. If that needs too many
 * lanes, a set goes back to the first lane with room. Returns undefined if there is no room.
 * @param {import("./layout.js").Board} board @param {(ids: number[]) => number[]} order sorts the tiles of a set
 * @param {Grid} [grid] @returns {import("./layout.js").Board | undefined}
 */
export function tidy(board, order, grid = TABLE) {
  const sets = blocks(board, grid.cols).map((b) => order(b.ids));
  const longest = [...sets].sort((a, b) => b.length - a.length);
  const packed = pack(sets, grid, (ends) => ends.length - 1) || pack(sets, grid, () => 0) || pack(longest, grid, () => 0);
  return packed && lay(packed, grid.cols * grid.rows);
}

/**
 * @param {number[][]} sets @param {Grid} grid @param {(ends: number[]) => number} from the first lane to try for a set
 * @returns {Block[] | undefined}
 */
function pack(sets, { cols, rows }, from) {
  const ends = [0]; // the first free cell of each lane
  /** @type {Block[]} */
  const laid = [];
  for (const ids of sets) {
    let lane = Math.max(0, from(ends));
    while ((ends[lane] ?? 0) + ids.length > cols) lane++;
    if (lane >= rows) return undefined;
    const cell = ends[lane] ?? 0;
    laid.push({ at: lane * cols + cell, ids });
    ends[lane] = cell + ids.length + 1;
  }
  return laid;
}

/**
 * Sorts tiles of one colour in ascending order; jokers fill gaps first. Tiles that cannot be sorted in this way, or
 * that already are, keep their order.
 * @param {string[]} faces @returns {number[]} the order as indexes into faces
 */
export function ascending(faces) {
  const asLaid = faces.map((_, i) => i);
  const numbered = asLaid.filter((i) => faces[i] !== "J");
  const jokers = asLaid.filter((i) => faces[i] === "J");
  /** @param {number} i */
  const number = (i) => Number(faces[i].slice(1));
  if (numbered.length < 2 || numbered.some((i) => faces[i][0] !== faces[numbered[0]][0])) return asLaid;
  const steps = numbered.every((i, k) => k === 0 || number(i) - number(numbered[k - 1]) === i - numbered[k - 1]);
  if (steps) return asLaid;
  const sorted = [...numbered].sort((a, b) => number(a) - number(b));
  /** @type {number[]} */
  const out = [];
  for (const [k, i] of sorted.entries()) {
    const gap = k ? number(i) - number(sorted[k - 1]) - 1 : 0;
    if (gap < 0 || (jokers.length && gap > jokers.length)) return asLaid;
    out.push(...jokers.splice(0, gap), i);
  }
  return number(sorted[sorted.length - 1]) + jokers.length > 13 ? [...jokers, ...out] : [...out, ...jokers];
}
