// @ts-check
// Placement of tiles in the rows of the rack, and what a set's tiles and the cell behind it select. This module decides
// only room and order. The server decides whether neighbours form a set.

/** @typedef {{ at: number, ids: number[] }} Block adjacent tiles, starting at the cell `at` */
/** @typedef {(number | undefined)[]} Board the tile in each cell, lane by lane */
/** @typedef {{ cols: number, rows: number }} Grid */

/** @param {Board} board @param {number} cols @returns {Block[]} */
export function blocks(board, cols) {
  /** @type {Block[]} */
  const found = [];
  /** @type {Block | undefined} */
  let last;
  for (let at = 0; at < board.length; at++) {
    const id = board[at];
    if (id === undefined) continue;
    if (last && at % cols && last.at + last.ids.length === at) last.ids.push(id);
    else found.push((last = { at, ids: [id] }));
  }
  return found;
}

/**
 * Maps empty cells to the sets that they pick up whole: the set that ends before the cell, or the one that begins after
 * it if that set reaches the end of its lane.
 * @param {Block[]} list @param {number} cols @returns {Map<number, number[]>} by the empty cell
 */
export function grips(list, cols) {
  /** @type {Map<number, number[]>} */
  const found = new Map();
  for (const b of list) {
    const end = b.at + b.ids.length;
    if (end % cols === 0 && b.at % cols) found.set(b.at - 1, b.ids);
  }
  for (const b of list) {
    const end = b.at + b.ids.length;
    if (end % cols) found.set(end, b.ids);
  }
  return found;
}

/**
 * Returns what successive taps on a tile select from its set: the tile, all from it on, all up to it, the whole set.
 * @param {number[]} set @param {number} id
 * @returns {{ ids: number[], what: "one" | "after" | "before" | "all" }[]} without duplicates
 */
export function spans(set, id) {
  const k = set.indexOf(id);
  /** @type {{ ids: number[], what: "one" | "after" | "before" | "all" }[]} */
  const all = [
    { ids: [id], what: "one" },
    { ids: set.slice(k), what: k ? "after" : "all" },
    { ids: set.slice(0, k + 1), what: k < set.length - 1 ? "before" : "all" },
    { ids: set, what: "all" },
  ];
  return all.filter((s, i) => all.findIndex((t) => t.ids.length === s.ids.length && t.ids[0] === s.ids[0]) === i);
}

/**
 * Returns the board after tiles are laid at a cell. Between two tiles they are inserted; beside a block they join it.
 * The rest of the row makes room, or the block moves to another row. Returns undefined if there is no room.
 * @param {Board} board @param {number[]} ids @param {number} at
 * @param {boolean} after to the right of the cell's middle
 * @param {Grid} grid @param {number} [reach] how many cells from `at` are covered: a block that begins there is joined
 * @returns {Board | undefined}
 */
export function place(board, ids, at, after, grid, reach = 1) {
  const bare = board.map((id) => (id !== undefined && ids.includes(id) ? undefined : id));
  const lane = Math.floor(at / grid.cols);
  const all = blocks(bare, grid.cols);
  const others = all.filter((b) => Math.floor(b.at / grid.cols) !== lane);
  const here = all.filter((b) => Math.floor(b.at / grid.cols) === lane);
  const target = join(here, ids, at, after, reach);
  if (settle(here, lane, grid.cols)) return lay([...others, ...here], board.length);
  const rest = here.filter((b) => b !== target);
  if (!settle(rest, lane, grid.cols)) return undefined;
  const free = room(lay([...others, ...rest], board.length), target.ids.length, lane, grid);
  return free < 0 ? undefined : lay([...others, ...rest, { at: free, ids: target.ids }], board.length);
}

/** @param {Block} b @param {number} at */
const within = (b, at) => b.at <= at && at < b.at + b.ids.length;

/**
 * @param {Block[]} here @param {number[]} ids @param {number} at @param {boolean} after @param {number} reach
 * @returns {Block} the block that now contains the tiles
 */
function join(here, ids, at, after, reach) {
  const inside = here.find((b) => within(b, at));
  if (inside) {
    inside.ids.splice(at - inside.at + (after ? 1 : 0), 0, ...ids);
    return inside;
  }
  const left = here.find((b) => b.at + b.ids.length === at);
  const right = here.find((b) => b.at > at && b.at <= at + reach);
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

/**
 * Moves the blocks of a lane apart until an empty cell separates them.
 * @param {Block[]} here @param {number} lane @param {number} cols
 */
function settle(here, lane, cols) {
  const from = lane * cols;
  here.sort((a, b) => a.at - b.at);
  let edge = from;
  for (const b of here) {
    b.at = Math.max(b.at, edge);
    edge = b.at + b.ids.length + 1;
  }
  edge = from + cols;
  for (const b of [...here].reverse()) {
    b.at = Math.min(b.at, edge - b.ids.length);
    edge = b.at - 1;
  }
  return here.every((b) => b.at >= from);
}

/**
 * Returns the first place for n tiles, with an empty cell on either side, in the nearest lane that has one; or -1.
 * @param {Board} board @param {number} n @param {number} near @param {Grid} grid
 */
function room(board, n, near, { cols, rows }) {
  const lanes = Array.from({ length: rows }, (_, i) => i).sort((a, b) => Math.abs(a - near) - Math.abs(b - near));
  for (const lane of lanes) {
    for (let cell = 0; cell + n <= cols; cell++) {
      const at = lane * cols + cell;
      const lo = cell > 0 ? at - 1 : at;
      const hi = cell + n < cols ? at + n : at + n - 1;
      if (board.slice(lo, hi + 1).every((id) => id === undefined)) return at;
    }
  }
  return -1;
}

/** @param {Block[]} list @param {number} size @returns {Board} */
function lay(list, size) {
  /** @type {Board} */
  const board = new Array(size).fill(undefined);
  for (const b of list) b.ids.forEach((id, i) => (board[b.at + i] = id));
  return board;
}
