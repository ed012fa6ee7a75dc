// @ts-check
// Tiles brought into order: the table laid out compactly, and the numbers of a set put in their places.
import { TABLE, blocks, lay } from "./layout.js";

/**
 * @typedef {import("./layout.js").Block} Block
 * @typedef {import("./layout.js").Grid} Grid
 */

/**
 * The table with its sets close together from the first lane on, in the order in which they lie; where that
 * needs more lanes than there are, a set goes back to the first lane with room. Undefined: no room.
 * @param {import("./layout.js").Board} board @param {(ids: number[]) => number[]} order puts the tiles of a set in order
 * @param {Grid} [grid] @returns {import("./layout.js").Board | undefined}
 */
export function tidy(board, order, grid = TABLE) {
  const sets = blocks(board, grid.cols).map((b) => order(b.ids));
  const longest = [...sets].sort((a, b) => b.length - a.length);
  const packed = pack(sets, grid, (ends) => ends.length - 1) || pack(sets, grid, () => 0) || pack(longest, grid, () => 0);
  return packed && lay(packed, grid.cols * grid.rows);
}

/**
 * @param {number[][]} sets @param {Grid} grid @param {(ends: number[]) => number} from the first lane to be tried for the next set
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
 * Tiles of one colour in ascending order, jokers into the gaps first; tiles that cannot be brought
 * into such an order, and those that are in one, stay as laid.
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
