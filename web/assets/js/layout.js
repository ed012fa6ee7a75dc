// @ts-check
// Where tiles lie in the 14 lanes of 13 cells. Only room and order are decided here; whether neighbours
// make a set is the server's to say.

export const CELLS = 13;
export const LANES = 14;

/** @typedef {{ at: number, ids: number[] }} Block tiles that touch, from the cell `at` on */
/** @typedef {(number | undefined)[]} Board the tile in each of the 182 cells */

/** @param {Board} board @returns {Block[]} */
export function blocks(board) {
  /** @type {Block[]} */
  const found = [];
  for (let at = 0; at < LANES * CELLS; at++) {
    const id = board[at];
    if (id === undefined) continue;
    const last = found[found.length - 1];
    if (last && at % CELLS && last.at + last.ids.length === at) last.ids.push(id);
    else found.push({ at, ids: [id] });
  }
  return found;
}

/**
 * The board after tiles were laid at a cell: between two tiles they are inserted, beside a block they join
 * it, the rest of the lane makes room; a block that finds none moves to another lane. Undefined: no room.
 * @param {Board} board @param {number[]} ids @param {number} at
 * @param {boolean} after to the right of the cell's middle
 * @param {(ids: number[]) => number[]} order puts the tiles of a block in order
 * @returns {Board | undefined}
 */
export function place(board, ids, at, after, order) {
  const bare = board.map((id) => (id !== undefined && ids.includes(id) ? undefined : id));
  const lane = Math.floor(at / CELLS);
  const all = blocks(bare);
  const others = all.filter((b) => Math.floor(b.at / CELLS) !== lane);
  const here = all.filter((b) => Math.floor(b.at / CELLS) === lane);
  const target = join(here, ids, at, after);
  target.ids = order(target.ids);
  if (settle(here, lane)) return lay([...others, ...here]);
  const rest = here.filter((b) => b !== target);
  settle(rest, lane);
  const free = room(lay([...others, ...rest]), target.ids.length, lane);
  return free < 0 ? undefined : lay([...others, ...rest, { at: free, ids: target.ids }]);
}

/** @param {Block[]} here @param {number[]} ids @param {number} at @param {boolean} after @returns {Block} the block that the tiles are in now */
function join(here, ids, at, after) {
  const inside = here.find((b) => b.at <= at && at < b.at + b.ids.length);
  if (inside) {
    inside.ids.splice(at - inside.at + (after ? 1 : 0), 0, ...ids);
    return inside;
  }
  const left = here.find((b) => b.at + b.ids.length === at);
  const right = here.find((b) => b.at === at + 1);
  if (left && !(right && after)) {
    left.ids.push(...ids);
    return left;
  }
  if (right) {
    right.ids.unshift(...ids);
    right.at -= ids.length;
    return right;
  }
  const made = { at, ids: [...ids] };
  here.push(made);
  return made;
}

/** Moves the blocks of a lane apart until each has an empty cell beside it. @param {Block[]} here @param {number} lane */
function settle(here, lane) {
  const from = lane * CELLS;
  here.sort((a, b) => a.at - b.at);
  let edge = from;
  for (const b of here) {
    b.at = Math.max(b.at, edge);
    edge = b.at + b.ids.length + 1;
  }
  edge = from + CELLS;
  for (const b of [...here].reverse()) {
    b.at = Math.min(b.at, edge - b.ids.length);
    edge = b.at - 1;
  }
  return here.every((b) => b.at >= from);
}

/** The nearest lane's first place for n tiles with an empty cell on either side, or -1. @param {Board} board @param {number} n @param {number} near */
function room(board, n, near) {
  const lanes = Array.from({ length: LANES }, (_, i) => i).sort((a, b) => Math.abs(a - near) - Math.abs(b - near));
  for (const lane of lanes) {
    for (let cell = 0; cell + n <= CELLS; cell++) {
      const at = lane * CELLS + cell;
      const lo = cell > 0 ? at - 1 : at;
      const hi = cell + n < CELLS ? at + n : at + n - 1;
      if (board.slice(lo, hi + 1).every((id) => id === undefined)) return at;
    }
  }
  return -1;
}

/** @param {Block[]} list @returns {Board} */
export function lay(list) {
  /** @type {Board} */
  const board = new Array(LANES * CELLS).fill(undefined);
  for (const b of list) b.ids.forEach((id, i) => (board[b.at + i] = id));
  return board;
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
  for (const i of sorted) {
    const gap = out.length ? number(i) - number(sorted[sorted.indexOf(i) - 1]) - 1 : 0;
    if (gap < 0 || (jokers.length && gap > jokers.length)) return asLaid;
    out.push(...jokers.splice(0, gap), i);
  }
  return number(sorted[sorted.length - 1]) + jokers.length > 13 ? [...jokers, ...out] : [...out, ...jokers];
}
