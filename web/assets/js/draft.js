// @ts-check
// The player's own arrangement in one turn: the sets that the server rendered and the moves since. The sets have an
// order, which all screens share; this screen lays them out in rows of its own grid.
import { flow, gridOf, largest } from "./grid.js";
import { Rack } from "./rack.js";
import { between, insert, ordered, without } from "./sets.js";

/**
 * @typedef {{ el: HTMLElement, face: string, rack: boolean, at: number, slot: number, log: number }} Piece
 * A tile: rack is true if it came from the rack in this turn; at is its cell on this screen, or -1 on the rack; slot is
 * its place on the rack; log is its place in the log, or -1.
 * @typedef {{ at: number, tiles: string[] }} Laid a set; at is its place in the log
 * @typedef {import("./sets.js").Sets} Sets
 * @typedef {{ sets: Sets, cells?: number[], grid?: import("./grid.js").Grid }} Step an earlier arrangement, and the
 * cells of its sets on a grid
 * @typedef {{ cols: number, size: number }} Ledges the slots of the rack
 * @typedef {{ game: string, turn: string, signature: string, sets: Sets, cells: number[],
 *   grid: import("./grid.js").Grid,
 *   past: Sets[], laid: Laid[], sent: boolean }} Kept
 */

const FELT = { wide: 572, high: 952 };

export class Draft {
  /** @type {Piece[]} */ pieces = [];
  /** the places on the rack */ rack = new Rack();
  /** the table in its order, by piece @type {Sets} */ sets = [];
  /** the table when the turn began @type {Sets} */ home = [];
  /** earlier arrangements, newest last @type {Step[]} */ past = [];
  /** the first cell of each set @type {number[]} */ cells = [];
  /** @type {import("./grid.js").Felt} */ felt = FELT;
  /** @type {import("./grid.js").Grid} */ grid = gridOf(FELT, 44);
  /** the table as the server rendered it @type {{ pieces: Piece[], sets: Sets }} */ table = { pieces: [], sets: [] };
  signature = "";
  game = "";
  turn = "";
  mine = false;
  opened = false;

  /**
   * Reads what the server rendered. Returns true if the turn and its tiles are unchanged, so that the player's moves
   * still hold.
   * @param {HTMLElement} root @param {import("./grid.js").Felt} felt @param {Ledges} ledges
   */
  read(root, felt, { cols, size }) {
    const { game = "", turn = "", mine } = root.dataset;
    // With cells, the table is the one on the page: the server did not render it again.
    const table = root.querySelector("#table > .lane") ? this.table : tableOf(root);
    const pieces = [...table.pieces.map((p) => ({ ...p })), ...rackOf(root)];
    const signature = [game, turn, ...pieces.map((p) => p.face + p.log)].join(" ");
    const same = signature === this.signature;
    const sameTurn = game === this.game && turn === this.turn;
    const laid = sameTurn ? this.laid() : undefined;
    this.table = table;
    if (same) pieces.forEach((p, i) => Object.assign(p, { at: this.pieces[i].at, slot: this.pieces[i].slot }));
    this.pieces = pieces;
    this.opened = /** @type {HTMLElement | null} */ (root.querySelector("#rack"))?.dataset.opened === "true";
    Object.assign(this, { game, turn, signature, mine: mine === "true" });
    if (same) this.rack.pieces = pieces;
    if (!same || cols !== this.rack.cols || size !== this.rack.size) this.rack.read(game, pieces, size, cols);
    if (same) {
      this.resize(felt);
      return true;
    }
    this.felt = felt;
    this.open(table.sets);
    if (laid) this.apply(laid);
    else this.recall(root.dataset.draft);
    return sameTurn;
  }

  /** Lays out the server's sets at the start of the turn. @param {Sets} sets */
  open(sets) {
    Object.assign(this, { sets, home: sets, past: [] });
    this.rescale();
  }

  /** Chooses the scale of the tiles anew, and lays out all sets. @param {number} [most] px, the widest tile */
  rescale(most) {
    const lengths = this.sets.map((s) => s.length);
    const grid = largest(lengths, this.felt, most);
    if (!sameGrid(grid, this.grid)) this.grid = grid;
    const cells = flow(lengths, this.grid);
    return !!cells && this.seat(cells);
  }

  /**
   * Lays out the sets after a move. A set stays where it is if there is room, else in its row; tiles shrink only if the
   * sets fit in no other way. Returns false if they never fit.
   * @param {number} [moved] the index of a set with a chosen cell @param {number} [cell]
   */
  settle(moved = -1, cell = 0) {
    const { cols } = this.grid;
    const lengths = this.sets.map((s) => s.length);
    const wants = this.sets.map((s) => {
      const k = s.findIndex((i) => this.pieces[i].at >= 0);
      return k < 0 ? -1 : Math.max(0, this.pieces[s[k]].at - k);
    });
    if (moved >= 0) wants[moved] = Math.min(cell, cell - (cell % cols) + Math.max(0, cols - lengths[moved]));
    let least = Infinity; // a set that was carried up or down does not pull its neighbours along
    for (let i = wants.length - 1; i >= 0; i--) {
      if (wants[i] > least) wants[i] = -1;
      else if (wants[i] >= 0) least = wants[i];
    }
    const rows = wants.map((want) => (want < 0 ? -1 : want - (want % cols)));
    const cells = flow(lengths, this.grid, wants, true) || flow(lengths, this.grid, rows) || flow(lengths, this.grid);
    return cells ? this.seat(cells) : this.rescale(this.grid.w);
  }

  /** Puts each piece into its cell. @param {number[]} cells */
  seat(cells) {
    this.cells = cells;
    for (const p of this.pieces) p.at = -1;
    this.sets.forEach((set, k) => set.forEach((id, i) => (this.pieces[id].at = cells[k] + i)));
    return true;
  }

  /** Fits all sets to a table area of another size. @param {import("./grid.js").Felt} felt @returns {boolean} */
  resize(felt) {
    if (felt.wide === this.felt.wide && felt.high === this.felt.high) return false;
    this.felt = felt;
    this.rescale();
    return true;
  }

  /** Fits the rack to rows of another length after the tablet was rotated. @param {number} cols @param {number} size */
  turned(cols, size) {
    this.rack.read(this.game, this.pieces, size, cols);
  }

  /** Returns the sets with their cells. @returns {import("./layout.js").Block[]} */
  blocks() {
    return this.sets.map((ids, k) => ({ at: this.cells[k], ids }));
  }

  /**
   * Returns the whole current table with places for the log, which ascend. A set keeps the place that its first tile
   * had unless it was carried past others; a new set has the place of the set before it.
   * @returns {Laid[]}
   */
  laid() {
    const places = this.sets.map((s) => {
      const k = s.findIndex((i) => this.pieces[i].log >= 0);
      return k < 0 ? -1 : Math.max(0, this.pieces[s[k]].log - k);
    });
    const kept = ascent(places);
    let at = 0;
    return this.sets.map((s, k) => {
      if (kept.has(k)) at = places[k];
      return { at, tiles: s.map((i) => this.pieces[i].face) };
    });
  }

  /** The number of rack tiles that lie on the table. */
  get played() {
    return this.pieces.filter((p) => p.rack && p.at >= 0).length;
  }

  get moved() {
    return !sameSets(this.sets, this.home);
  }

  /** @param {number} id */
  faceOf = (id) => this.pieces[id].face;

  /** Reports whether the rules let a set change: any set, or before opening one of own tiles. @param {number[]} set */
  free(set) {
    return this.opened || set.every((i) => this.pieces[i].rack);
  }

  /** @param {number[]} list @returns {number[]} the tiles of a set, ordered by number if possible */
  ordered(list) {
    return ordered(list, this.faceOf);
  }

  /**
   * Lays pieces at a cell: into the set whose tile lies there, beside the tiles around it, or as a new set in the order
   * of the cells. Returns false if the set would be too long.
   * @param {number[]} ids @param {number} cell @param {boolean} after to the right of the cell's middle
   * @param {number} [reach] how many cells from the cell on are covered: a set that begins there is joined
   */
  put(ids, cell, after, reach = 1) {
    const { cols } = this.grid;
    const row = Math.floor(cell / cols);
    const lies = (/** @type {number} */ at) => this.pieces.findIndex((p, i) => p.at === at && !ids.includes(i));
    const beside = (/** @type {number} */ at) =>
      Math.floor(at / cols) === row && lies(at) >= 0 ? lies(at) : undefined;
    const rest = without(this.sets, ids, this.faceOf);
    const here = lies(cell);
    const index = (/** @type {number} */ at) => rest.filter((s) => this.pieces[s[0]].at < at).length;
    const target = here < 0 ? undefined : rest.find((s) => s.includes(here));
    // Before opening, three or more tiles are a set of their own beside the sets of others. Fewer join them, so that
    // the verdict says why they may not.
    const open = (/** @type {number[]} */ set) => ids.length < 3 || this.free(set);
    let next;
    if (target && open(target)) next = insert(rest, ids, here, after, this.faceOf);
    else if (target)
      next = between(rest, ids, undefined, undefined, after, index(cell + Number(after)), this.faceOf, open);
    else {
      let right;
      for (let k = 1; k <= reach && right === undefined; k++) right = beside(cell + k);
      next = between(rest, ids, beside(cell - 1), right, after, index(cell), this.faceOf, open);
    }
    return !!next && this.become(next, ids, cell);
  }

  /** Lays pieces as a new set, before the set at an index or last. @param {number[]} ids @param {number} [index] */
  add(ids, index) {
    const rest = without(this.sets, ids, this.faceOf);
    const at = index ?? rest.length;
    return this.become([...rest.slice(0, at), this.ordered(ids), ...rest.slice(at)]);
  }

  /**
   * Replaces the table as one move. Returns false if the sets do not fit.
   * @param {Sets} sets @param {number[]} [ids] pieces that were carried to a cell @param {number} [cell]
   */
  become(sets, ids = [], cell = 0) {
    const was = this.now();
    this.sets = sets;
    if (
      !this.settle(
        sets.findIndex((s) => s.every((i) => ids.includes(i))),
        cell,
      )
    ) {
      this.restore(was);
      return false;
    }
    if (!sameSets(sets, was.sets)) this.past.push(was);
    return true;
  }

  /** Takes pieces back to the rack. Returns false if one of them belongs to the table. @param {number[]} ids */
  back(ids) {
    return ids.every((i) => this.pieces[i].rack) && this.become(without(this.sets, ids, this.faceOf));
  }

  /** @returns {Step} the current arrangement */
  now() {
    return { sets: this.sets, cells: this.cells, grid: this.grid };
  }

  /** @param {Step | undefined} step */
  restore(step) {
    if (!step) return;
    this.sets = step.sets;
    const cells =
      step.grid === this.grid
        ? step.cells
        : flow(
            this.sets.map((s) => s.length),
            this.grid,
          );
    if (cells) this.seat(cells);
    else this.rescale(this.grid.w);
  }

  undo() {
    this.restore(this.past.pop());
  }

  reset() {
    if (this.moved) this.past.push(this.now());
    this.restore({ sets: this.home });
  }

  /** Returns the pieces of a piece's set, in order. @param {number} id */
  setOf(id) {
    return this.sets.find((s) => s.includes(id)) || [id];
  }

  /** Reports whether a set is unchanged since the beginning of the turn. @param {{ ids: number[] }} set */
  setWas({ ids }) {
    return this.home.some((s) => sameTiles(s, ids));
  }

  /** Stores the arrangement for a reload. @param {boolean} [sent] whether the server has it too */
  keep(sent = false) {
    const { game, turn, signature, sets, cells, grid } = this;
    /** @type {Kept} */
    const kept = {
      game,
      turn,
      signature,
      sets,
      cells,
      grid,
      past: this.past.map((s) => s.sets),
      laid: this.moved ? this.laid() : [],
      sent,
    };
    try {
      localStorage.setItem("draft", JSON.stringify(kept));
    } catch {
      // the storage is full or blocked; the server has the draft too
    }
    this.rack.keep();
  }

  /**
   * Restores the draft of this turn and its steps: this device's copy, unless the server received that copy too. The
   * server may then have a newer draft from another device at the seat.
   * @param {string | undefined} told the server's draft
   */
  recall(told) {
    const kept = this.kept();
    const theirs = told ? /** @type {Laid[]} */ (JSON.parse(told)) : undefined;
    if (!kept || kept.game !== this.game || kept.turn !== this.turn) return this.apply(theirs);
    const current = !kept.sent || !theirs || JSON.stringify(theirs) === JSON.stringify(kept.laid);
    if (!current || kept.signature !== this.signature) return this.apply(current ? kept.laid : theirs);
    this.sets = kept.sets;
    this.past = kept.past.map((sets) => ({ sets }));
    if (sameGrid(kept.grid, this.grid)) this.seat(kept.cells);
    else this.settle();
  }

  /** @returns {Kept | undefined} what this device stored */
  kept() {
    try {
      const kept = JSON.parse(localStorage.getItem("draft") || "null");
      return Array.isArray(kept?.sets) && Array.isArray(kept.past) ? kept : undefined;
    } catch {
      return undefined; // no storage, or invalid contents
    }
  }

  /** Lays the pieces of an arrangement, using the table's own pieces first. @param {Laid[] | undefined} sets */
  apply(sets) {
    const chosen = sets?.length ? this.choose(sets) : undefined;
    if (!chosen) return;
    const was = this.now();
    this.sets = chosen;
    if (!this.settle()) this.restore(was);
    else if (this.moved) this.past = [was];
  }

  /**
   * Returns the pieces of an arrangement; undefined if they are not the pieces of this turn.
   * @param {Laid[]} sets @returns {number[][] | undefined}
   */
  choose(sets) {
    const free = new Set(this.pieces.keys());
    const chosen = sets.map((set) =>
      set.tiles.map((face, k) => {
        const fits = [...free].filter((i) => this.pieces[i].face === face);
        const id =
          fits.find((i) => this.pieces[i].log === set.at + k) ??
          fits.find((i) => !this.pieces[i].rack) ??
          fits[0] ??
          -1;
        free.delete(id);
        return id;
      }),
    );
    return chosen.flat().includes(-1) || [...free].some((i) => !this.pieces[i].rack) ? undefined : chosen;
  }

  /** Lays out the whole table as one move that can be undone. @param {Laid[]} sets */
  layOut(sets) {
    const chosen = this.choose(sets);
    if (chosen) this.become(chosen);
  }
}

/** @param {import("./grid.js").Grid} a @param {import("./grid.js").Grid} b */
const sameGrid = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** @param {number[]} a @param {number[]} b */
const sameTiles = (a, b) => a.length === b.length && a.every((id, i) => id === b[i]);

/** @param {Sets} a @param {Sets} b */
const sameSets = (a, b) => a.length === b.length && a.every((set, i) => sameTiles(set, b[i]));

/**
 * Returns the indexes of a longest ascending selection of numbers, without those below 0.
 * @param {number[]} list @returns {Set<number>}
 */
function ascent(list) {
  /** @type {number[][]} the longest selection that ends at each index */
  const best = [];
  list.forEach((n, i) => {
    const before =
      best.filter((b, k) => n >= 0 && b.length && list[k] < n).sort((a, b) => b.length - a.length)[0] || [];
    best.push(n < 0 ? [] : [...before, i]);
  });
  return new Set(best.sort((a, b) => b.length - a.length)[0]);
}

/**
 * Reads the table that the server rendered. The page keeps the tiles when it replaces the sets by cells.
 * @param {HTMLElement} root
 */
function tableOf(root) {
  /** @type {Piece[]} */
  const pieces = [];
  /** @type {Sets} */
  const sets = [];
  for (const set of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("#table .set"))) {
    const at = Number(set.dataset.at);
    const tiles = /** @type {NodeListOf<HTMLElement>} */ (set.querySelectorAll(".tile"));
    sets.push(
      [...tiles].map(
        (el, k) => pieces.push({ el, face: el.dataset.face || "", rack: false, at: -1, slot: -1, log: at + k }) - 1,
      ),
    );
  }
  return { pieces, sets };
}

/** @param {HTMLElement} root @returns {Piece[]} */
function rackOf(root) {
  const tiles = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("#rack .slot > .tile"));
  return [...tiles].map((el) => ({ el, face: el.dataset.face || "", rack: true, at: -1, slot: -1, log: -1 }));
}
