// @ts-check
// The reader's own arrangement of one turn: what the server drew, and where the tiles were moved since.
import { CELLS, blocks, lay, place } from "./layout.js";
import { Rack } from "./rack.js";
import { ascending, tidy } from "./tidy.js";

/**
 * @typedef {{ el: HTMLElement, face: string, rack: boolean, at: number, slot: number }} Piece
 * A tile: rack tells that it came from the rack in this turn; at is its cell, or -1 on the rack; slot is its
 * place on the rack.
 * @typedef {{ at: number, tiles: string[] }} Laid
 */

export class Draft {
  /** @type {Piece[]} */ pieces = [];
  /** where they stand on the rack */ rack = new Rack();
  /** @type {number[]} where each piece lay when the turn began */ start = [];
  /** @type {number[][]} earlier positions, newest last */ past = [];
  signature = "";
  game = "";
  turn = "";
  mine = false;

  /**
   * Reads what the server has drawn. True when it is the same turn with the same tiles, so that the
   * player's moves still hold.
   * @param {HTMLElement} root @param {number} [cols] how many slots of the rack stand in a row
   */
  read(root, cols = 14) {
    const { game = "", turn = "", mine } = root.dataset;
    /** @type {Piece[]} */
    const pieces = [];
    for (const el of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("#table .cell > .tile"))) {
      pieces.push({ el, face: el.dataset.face || "", rack: false, at: Number(el.parentElement?.dataset.at), slot: -1 });
    }
    for (const el of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("#rack .slot > .tile"))) {
      pieces.push({ el, face: el.dataset.face || "", rack: true, at: -1, slot: -1 });
    }
    const signature = [game, turn, ...pieces.map((p) => p.face + p.at)].join(" ");
    const same = signature === this.signature;
    const sameTurn = game === this.game && turn === this.turn;
    const laid = sameTurn ? this.laid() : undefined;
    if (same) pieces.forEach((p, i) => Object.assign(p, { at: this.pieces[i].at, slot: this.pieces[i].slot }));
    this.pieces = pieces;
    Object.assign(this, { game, turn, signature, mine: mine === "true" });
    if (same) this.rack.pieces = pieces;
    if (same && cols === this.rack.cols) return true;
    this.rack.read(game, pieces, root.querySelectorAll("#rack .slot").length, cols);
    if (same) return true;
    this.start = pieces.map((p) => p.at);
    this.past = [];
    this.apply(laid || this.known(root.dataset.draft));
    return sameTurn;
  }

  /** The rack has rows of another length, since the tablet was turned. @param {number} cols */
  turned(cols) {
    this.rack.read(this.game, this.pieces, this.rack.size, cols);
  }

  /** @returns {(number | undefined)[]} */
  board() {
    /** @type {(number | undefined)[]} */
    const board = lay([]);
    this.pieces.forEach((p, i) => p.at >= 0 && (board[p.at] = i));
    return board;
  }

  /** @returns {Laid[]} the whole table as it lies now */
  laid() {
    return blocks(this.board()).map((b) => ({ at: b.at, tiles: b.ids.map((i) => this.pieces[i].face) }));
  }

  /** The number of rack tiles that lie on the table. */
  get played() {
    return this.pieces.filter((p) => p.rack && p.at >= 0).length;
  }

  get moved() {
    return this.pieces.some((p, i) => p.at !== this.start[i]);
  }

  /** @param {number[]} list @returns {number[]} the tiles of a block in the order of their numbers, where they have one */
  ordered(list) {
    return ascending(list.map((i) => this.pieces[i].face)).map((k) => list[k]);
  }

  /**
   * Lays pieces at a cell. False when there is no room.
   * @param {number[]} ids @param {number} at @param {boolean} after @param {number} [reach]
   */
  put(ids, at, after, reach) {
    const order = (/** @type {number[]} */ list) => this.ordered(list);
    return this.become(place(this.board(), ids, at, after, { order, faceOf: (i) => this.pieces[i].face, reach }));
  }

  /** Lays the table out compactly. False when there is no room for that. */
  tidy() {
    return this.become(tidy(this.board(), (list) => this.ordered(list)));
  }

  /** One move: the table becomes a board. @param {import("./layout.js").Board | undefined} board */
  become(board) {
    if (!board) return false;
    this.remember();
    board.forEach((id, cell) => id !== undefined && (this.pieces[id].at = cell));
    this.forgetIfSame();
    return true;
  }

  /** Takes pieces back to the rack. False when one of them is the table's. @param {number[]} ids */
  back(ids) {
    if (ids.some((i) => !this.pieces[i].rack)) return false;
    this.remember();
    for (const i of ids) this.pieces[i].at = -1;
    this.forgetIfSame();
    return true;
  }

  undo() {
    this.restore(this.past.pop());
  }

  reset() {
    if (this.moved) this.remember();
    this.restore(this.start);
  }

  /** The pieces that touch a piece, in order. @param {number} id */
  setOf(id) {
    return blocks(this.board()).find((b) => b.ids.includes(id))?.ids || [id];
  }

  /** Whether a block is a set as it lay when the turn began. @param {{ at: number, ids: number[] }} b */
  setWas(b) {
    const { length } = b.ids;
    const beside = (/** @type {number} */ at, /** @type {number} */ lane) => Math.floor(at / CELLS) === lane && this.start.includes(at);
    const lane = Math.floor(b.at / CELLS);
    return b.ids.every((i, k) => this.start[i] === b.at + k) && !beside(b.at - 1, lane) && !beside(b.at + length, lane);
  }

  /** Keeps the arrangement over a reload. @param {boolean} [sent] the server has it too */
  keep(sent = false) {
    try {
      localStorage.setItem("draft", JSON.stringify({ game: this.game, turn: this.turn, laid: this.moved ? this.laid() : [], sent }));
    } catch {
      // a full or forbidden store: the server has the draft too
    }
    this.rack.keep();
  }

  /**
   * What was laid in this turn: as this device keeps it, unless the server has had that too. It may then have
   * a newer one, of another device at the seat.
   * @param {string | undefined} told the server's @returns {Laid[] | undefined}
   */
  known(told) {
    try {
      const kept = JSON.parse(localStorage.getItem("draft") || "null");
      if (kept && kept.game === this.game && kept.turn === this.turn && !(kept.sent && told)) return kept.laid;
    } catch {
      // no store, or a broken one
    }
    return readLaid(told);
  }

  /** Lays the pieces as an arrangement names them, the table's own first. @param {Laid[] | undefined} sets */
  apply(sets) {
    if (!sets?.length) return;
    const free = new Set(this.pieces.keys());
    /** @type {Map<number, number>} */
    const to = new Map();
    for (const set of sets) {
      for (const [k, face] of set.tiles.entries()) {
        const cell = set.at + k;
        const fits = [...free].filter((i) => this.pieces[i].face === face);
        const id = fits.find((i) => this.start[i] === cell) ?? fits.find((i) => !this.pieces[i].rack) ?? fits[0];
        if (id === undefined) return;
        free.delete(id);
        to.set(id, cell);
      }
    }
    if ([...free].some((i) => !this.pieces[i].rack)) return;
    for (const [id, cell] of to) this.pieces[id].at = cell;
    if (this.moved) this.past = [this.start];
  }

  /** Lays the whole table out as one move, which can be undone. @param {Laid[]} sets */
  layOut(sets) {
    this.remember();
    const past = this.past;
    this.restore(this.start);
    this.apply(sets);
    this.past = past;
    this.forgetIfSame();
  }

  remember() {
    this.past.push(this.pieces.map((p) => p.at));
  }

  forgetIfSame() {
    const last = this.past[this.past.length - 1];
    if (this.pieces.every((p, i) => p.at === last[i])) this.past.pop();
  }

  /** @param {number[] | undefined} positions */
  restore(positions) {
    positions?.forEach((at, i) => (this.pieces[i].at = at));
  }
}

/** @param {string | undefined} text @returns {Laid[] | undefined} */
function readLaid(text) {
  return text ? JSON.parse(text) : undefined;
}
