// @ts-check
// The player's own tiles on the rack: in rows of slots, with gaps where the player wants them. Adjacent tiles are a
// planned set. The only thing sent is the question whether planned sets are valid. The player's choice of an order
// holds for all racks: a new rack is sorted, and new tiles are put where the order has them.
import { blocks, place } from "./layout.js";

/**
 * @typedef {{ face: string, rack: boolean, at: number, slot: number }} Standing
 * A tile of the game: slot is its place on the rack, kept while it lies on the table (at >= 0); -1 for none.
 * @typedef {{ game: string, deal: string, cols: number, slots: [string, number][] }} Kept
 * @typedef {"hand" | "number" | "colour"} Order by hand: as dealt, and new tiles come last
 */

/** @param {string} face */
const colour = (face) => "KRBOJ".indexOf(face[0]);
/** @param {string} face */
const number = (face) => (face === "J" ? 99 : Number(face.slice(1)));

/** Compares two faces in the order. @param {string} by @param {string} a @param {string} b */
const compare = (by, a, b) =>
  by === "number" ? number(a) - number(b) || colour(a) - colour(b) : colour(a) - colour(b) || number(a) - number(b);

export class Rack {
  /** @type {Standing[]} */ pieces = [];
  /** @type {Set<number>} the tiles on the rack after the last settle() */ stood = new Set();
  cols = 14;
  size = 28;
  game = "";
  deal = "";
  /** @type {Order} */ by = chosenOrder();

  /** Sets the number of the deal. The places of an earlier deal mean nothing for its tiles. @param {string} deal */
  dealt(deal) {
    if (deal !== this.deal) this.game = "";
    this.deal = deal;
  }

  /**
   * Reads the tiles that the server rendered and puts them back in their places, from the current state of the same
   * deal or from the tablet's storage. A new rack, and new tiles, are put in the chosen order.
   * @param {string} game @param {Standing[]} pieces @param {number} size in slots @param {number} cols slots in a row
   */
  read(game, pieces, size, cols) {
    const kept = this.game === game ? this.memory() : recall(game, this.deal);
    const other = kept && (kept.cols !== cols || kept.slots.some(([, slot]) => slot >= size));
    Object.assign(this, {
      game,
      pieces,
      cols: other ? kept.cols : cols,
      size: other ? Math.max(size, ...kept.slots.map(([, slot]) => slot + 1)) : size,
      stood: new Set(),
    });
    const left = pieces.flatMap((p, i) => (p.rack ? [i] : []));
    for (const [face, slot] of kept?.slots || []) {
      const k = left.findIndex((i) => pieces[i].face === face);
      if (k >= 0) pieces[left.splice(k, 1)[0]].slot = slot;
    }
    if (!kept && this.by !== "hand") this.order();
    this.settle();
    if (!other) return;
    const list = this.blocks();
    Object.assign(this, { size, cols });
    this.reflow(list);
  }

  /** Returns the tiles on the rack, by slot. */
  board() {
    /** @type {import("./layout.js").Board} */
    const board = new Array(this.size).fill(undefined);
    this.pieces.forEach((p, i) => p.rack && p.at < 0 && p.slot >= 0 && (board[p.slot] = i));
    return board;
  }

  blocks() {
    return blocks(this.board(), this.cols);
  }

  /** Gives every tile on the rack its own slot. Tiles that were there before keep theirs. */
  settle() {
    /** @type {import("./layout.js").Board} */
    const taken = new Array(this.size).fill(undefined);
    const here = this.pieces.flatMap((p, i) => (p.rack && p.at < 0 ? [i] : []));
    const back = here.filter((i) => !this.stood.has(i));
    /** @type {number[]} */
    const homeless = [];
    for (const i of [...here.filter((i) => this.stood.has(i)), ...back]) {
      const { slot } = this.pieces[i];
      if (slot >= 0 && slot < this.size && taken[slot] === undefined) taken[slot] = i;
      else homeless.push(i);
    }
    for (const i of homeless) {
      const { slot } = this.pieces[i];
      if (slot < 0 && this.sortIn(taken, i)) continue;
      const to = slot < 0 ? fresh(taken, this.cols) : nearest(taken, slot);
      taken[to] = i;
      this.pieces[i].slot = to;
    }
    this.stood = new Set(here);
  }

  /**
   * Puts a new tile where the order has it: with the fewest tiles out of order around it, because the player may have
   * moved some. Returns false if that is behind all others, or if the order is by hand.
   * @param {import("./layout.js").Board} board changes @param {number} id
   */
  sortIn(board, id) {
    if (this.by === "hand") return false;
    const here = board.flatMap((i, slot) =>
      i === undefined ? [] : [{ slot, than: compare(this.by, this.pieces[i].face, this.pieces[id].face) }],
    );
    let wrong = here.filter((t) => t.than < 0).length;
    let [least, k] = [wrong, 0];
    here.forEach((t, i) => {
      wrong += Math.sign(t.than);
      if (wrong <= least) [least, k] = [wrong, i + 1];
    });
    if (k === here.length) return false;
    const [left, right] = [k ? here[k - 1].slot : -1, here[k].slot];
    const near = right - left < 4 ? left : left + 2; // in a wide gap it joins neither side
    const next = push(board, [id], k ? near : right, k > 0);
    if (!next) return false;
    next.forEach((i, slot) => {
      board[slot] = i;
      if (i !== undefined) this.pieces[i].slot = slot;
    });
    return true;
  }

  /**
   * Puts tiles at a slot, before or after the tile there; the others make room. Returns false if they cannot.
   * @param {number[]} ids @param {number} slot @param {boolean} after @param {number} [reach]
   */
  move(ids, slot, after, reach = 1) {
    const board = this.board();
    const home = blocks(board, this.cols).find(
      (b) => b.at <= slot && slot < b.at + b.ids.length && ids.every((i) => b.ids.includes(i)),
    );
    const grid = { cols: this.cols, rows: this.size / this.cols };
    const next =
      (home && reorder(board, home, ids, slot, after)) ||
      place(board, ids, slot, after, grid, reach) ||
      push(board, ids, slot, after);
    if (!next) return false;
    next.forEach((id, to) => id !== undefined && (this.pieces[id].slot = to));
    this.keep();
    return true;
  }

  /** Chooses an order and sorts the tiles on the rack, without gaps. @param {"number" | "colour"} by */
  sort(by) {
    this.by = by;
    this.order();
    this.keep();
  }

  order() {
    const here = this.pieces.filter((p) => p.rack && p.at < 0);
    here.sort((a, b) => compare(this.by, a.face, b.face)).forEach((p, slot) => (p.slot = slot));
  }

  /** Moves the blocks of another rack into rows of this one. @param {import("./layout.js").Block[]} list */
  reflow(list) {
    let to = 0;
    let end = -1; // behind the last block, on the other rack
    for (const b of list) {
      const space = this.cols - (to % this.cols);
      if (b.at === end)
        to--; // it continues the row above
      else if (b.ids.length > space && b.ids.length <= this.cols) to += space;
      end = b.at + b.ids.length;
      b.at = to;
      to += b.ids.length + 1;
    }
    const fits = to <= this.size + 1;
    list
      .flatMap((b) => b.ids.map((id, k) => ({ id, to: b.at + k })))
      .forEach((s, k) => (this.pieces[s.id].slot = fits ? s.to : k));
  }

  /** @returns {Kept} the tiles on the rack first, so that a laid duplicate does not take their place */
  memory() {
    const mine = this.pieces.filter((p) => p.rack).sort((a, b) => Number(a.at >= 0) - Number(b.at >= 0));
    return { game: this.game, deal: this.deal, cols: this.cols, slots: mine.map((p) => [p.face, p.slot]) };
  }

  keep() {
    try {
      localStorage.setItem("rack", JSON.stringify(this.memory()));
    } catch {
      // losing the order does no harm
    }
  }
}

/** Returns the order that the player has chosen on this tablet (settings.js). @returns {Order} */
function chosenOrder() {
  try {
    return JSON.parse(localStorage.getItem("settings") || "null")?.sort || "hand";
  } catch {
    return "hand";
  }
}

/** @param {string} game @param {string} deal @returns {Kept | undefined} */
function recall(game, deal) {
  try {
    const kept = JSON.parse(localStorage.getItem("rack") || "null");
    return kept?.game === game && kept.deal === deal && Array.isArray(kept.slots) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the slot of a new tile: behind the last one, and apart from a planned set.
 * @param {import("./layout.js").Board} board @param {number} cols
 */
function fresh(board, cols) {
  const list = blocks(board, cols);
  const last = list[list.length - 1];
  if (!last) return 0;
  const end = last.at + last.ids.length;
  const apart = last.at > list.slice(0, -1).reduce((n, b) => n + b.ids.length, 0) && last.ids.length > 2 && end % cols;
  const to = apart ? end + 1 : end;
  return to < board.length ? to : nearest(board, board.length - 1);
}

/**
 * Returns the free slot nearest to a slot; of two equally near slots, the later one.
 * @param {import("./layout.js").Board} board @param {number} slot
 */
function nearest(board, slot) {
  for (let d = 0; d < board.length; d++) {
    for (const to of [slot + d, slot - d]) if (to >= 0 && to < board.length && board[to] === undefined) return to;
  }
  return -1;
}

/**
 * Moves tiles within their own block.
 * @param {import("./layout.js").Board} board @param {import("./layout.js").Block} home
 * @param {number[]} ids @param {number} slot @param {boolean} after
 */
function reorder(board, home, ids, slot, after) {
  const over = home.ids[slot - home.at];
  if (ids.includes(over)) return board;
  const rest = home.ids.filter((i) => !ids.includes(i));
  rest.splice(rest.indexOf(over) + Number(after), 0, ...ids);
  const next = [...board];
  rest.forEach((id, k) => (next[home.at + k] = id));
  return next;
}

/**
 * Inserts tiles into a full row: neighbours move to the nearest gap, which closes.
 * @param {import("./layout.js").Board} board @param {number[]} ids @param {number} slot @param {boolean} after
 */
function push(board, ids, slot, after) {
  const next = board.map((id) => (id !== undefined && ids.includes(id) ? undefined : id));
  let to = slot + Number(after && next[slot] !== undefined);
  for (const id of ids) {
    let right = to;
    let left = to - 1;
    while (right < next.length && next[right] !== undefined) right++;
    while (left >= 0 && next[left] !== undefined) left--;
    if (right < next.length && (left < 0 || right - to <= to - 1 - left)) {
      next.copyWithin(to + 1, to, right);
      next[to++] = id;
    } else if (left >= 0) {
      next.copyWithin(left, left + 1, to);
      next[to - 1] = id;
    } else return undefined;
  }
  return next;
}
