// @ts-check
// The player's own arrangement in one turn: what the server rendered and the moves since. Cells are those of this
// screen's grid; places sent to the server are those of the log.
import { canonical, places } from "./canon.js";
import { arrange, gridOf, within } from "./grid.js";
import { CELLS, LANES, blocks, lay, place } from "./layout.js";
import { Rack } from "./rack.js";
import { ascending, tidy } from "./tidy.js";

/**
 * @typedef {{ el: HTMLElement, face: string, rack: boolean, at: number, slot: number, log: number }} Piece
 * A tile: rack is true if it came from the rack in this turn; at is its cell on this screen, or -1 on the rack; slot is
 * its place on the rack; log is its cell at the server, or -1.
 * @typedef {{ at: number, tiles: string[] }} Laid a set; at is its place in the log
 * @typedef {import("./grid.js").Lying} Lying
 * @typedef {{ cols: number, size: number }} Ledges the slots of the rack
 */

const FELT = { wide: CELLS * 44, high: LANES * 68 };

export class Draft {
  /** @type {Piece[]} */ pieces = [];
  /** the places on the rack */ rack = new Rack();
  /** @type {number[]} where each piece lay when the turn began */ start = [];
  /** @type {number[][]} earlier positions, newest last */ past = [];
  /** @type {import("./grid.js").Felt} */ felt = FELT;
  /** @type {import("./grid.js").Grid} */ grid = gridOf(FELT, 44);
  /** @type {Map<string, number>} the log's place of each set, by its pieces */ log = new Map();
  /**
   * the table as the server rendered it
   * @type {{ pieces: Piece[], sets: { at: number, ids: number[] }[] }}
   */ table = { pieces: [], sets: [] };
  signature = "";
  game = "";
  turn = "";
  mine = false;

  /**
   * Reads what the server rendered. Returns true if the turn and its tiles are unchanged, so that the player's moves
   * still hold.
   * @param {HTMLElement} root @param {import("./grid.js").Felt} felt @param {Ledges} ledges
   */
  read(root, felt, { cols, size }) {
    const { game = "", turn = "", mine } = root.dataset;
    const table = root.querySelector("#table > .lane") ? this.table : tableOf(root); // cells: the server did not render it again
    const { sets } = table;
    const pieces = [...table.pieces.map((p) => ({ ...p })), ...rackOf(root)];
    const signature = [game, turn, ...pieces.map((p) => p.face + p.log)].join(" ");
    const same = signature === this.signature;
    const sameTurn = game === this.game && turn === this.turn;
    const laid = sameTurn ? this.laid() : undefined;
    const seen = this.game === game ? this.seen() : recall(game);
    this.table = table;
    if (same) pieces.forEach((p, i) => Object.assign(p, { at: this.pieces[i].at, slot: this.pieces[i].slot }));
    this.pieces = pieces;
    Object.assign(this, { game, turn, signature, mine: mine === "true" });
    if (same) this.rack.pieces = pieces;
    if (!same || cols !== this.rack.cols || size !== this.rack.size) this.rack.read(game, pieces, size, cols);
    if (same) {
      this.resize(felt);
      return true;
    }
    this.felt = felt;
    this.open(sets, seen, !sameTurn);
    this.apply(laid || this.known(root.dataset.draft), seen && sameShape(seen.grid, this.grid) ? seen.now : []);
    this.remark();
    return sameTurn;
  }

  /**
   * Lays out the server's sets on this screen at the start of the turn.
   * @param {{ at: number, ids: number[] }[]} sets @param {Seen | undefined} seen what this screen showed of the game
   * @param {boolean} grow
   */
  open(sets, seen, grow) {
    const faces = (/** @type {number[]} */ ids) => ids.map((i) => this.pieces[i].face);
    const memory = seen && { felt: seen.felt, grid: seen.grid, sets: [...seen.now, ...seen.home] };
    const { grid, cells } = arrange(sets.map((s) => ({ at: s.at, tiles: faces(s.ids) })), this.felt, memory, grow);
    this.grid = grid;
    this.past = [];
    this.log = new Map(sets.map((s) => [s.ids.join(), s.at]));
    sets.forEach((s, k) => s.ids.forEach((id, i) => (this.pieces[id].at = cells[k] + i)));
    this.start = this.pieces.map((p) => p.at);
  }

  /**
   * Moves all sets to a new grid when the table area has changed its size.
   * @param {import("./grid.js").Felt} felt @returns {boolean}
   */
  resize(felt) {
    if (felt.wide === this.felt.wide && felt.high === this.felt.high) return false;
    const sets = this.lying();
    const { grid, cells } = arrange(sets, felt, { felt: this.felt, grid: this.grid, sets });
    this.felt = felt;
    this.shift(sets, cells, grid);
    return true;
  }

  /**
   * Makes room for n more tiles by closing gaps or shrinking all tiles: in the set at a cell, or near that cell if no
   * set is there. Returns the new number of that cell and the cell with room; undefined if nothing is gained.
   * @param {number} n @param {number} cell @returns {{ cell: number, free: number } | undefined}
   */
  makeRoom(n, cell) {
    const was = this.grid;
    const sets = this.lying();
    const k = sets.findIndex((s) => s.cell <= cell && cell < s.cell + s.tiles.length);
    const more = new Array(n).fill(-1);
    const wanted = [...sets];
    if (k < 0) wanted.push({ tiles: more, cell });
    else wanted[k] = { tiles: [...sets[k].tiles, ...more], cell: sets[k].cell };
    const { grid, cells } = arrange(wanted, this.felt, { felt: this.felt, grid: was, sets }, false);
    if (grid.w === was.w && sets.every((s, i) => cells[i] === s.cell)) return undefined;
    this.shift(sets, cells.slice(0, sets.length), grid);
    if (k < 0) return { cell: carried(cell, was, grid), free: cells[sets.length] };
    return { cell: cells[k] + cell - sets[k].cell, free: -1 };
  }

  /**
   * Returns the sets on this screen, by piece.
   * @param {number[]} [positions] @returns {{ tiles: number[], cell: number }[]}
   */
  lying(positions) {
    return this.blocks(positions).map((b) => ({ tiles: b.ids, cell: b.at }));
  }

  /**
   * Returns where sets of the log would lie on this screen's grid; undefined if they do not fit.
   * @param {Laid[]} sets @returns {Lying[] | undefined}
   */
  shown(sets) {
    const { felt, grid, now, home } = this.seen();
    const cells = within(sets, grid, { felt, grid, sets: [...now, ...home] });
    return cells && sets.map((s, k) => ({ tiles: s.tiles, cell: cells[k] }));
  }

  /** Fits the rack to rows of another length after the tablet was rotated. @param {number} cols @param {number} size */
  turned(cols, size) {
    this.rack.read(this.game, this.pieces, size, cols);
  }

  /**
   * Moves sets to other cells, possibly of another grid, without counting it as a move. Earlier positions follow.
   * @param {{ tiles: number[], cell: number }[]} sets @param {number[]} cells @param {import("./grid.js").Grid} grid
   */
  shift(sets, cells, grid) {
    const earlier = [this.start, ...this.past].map((p) => this.lying(p));
    const was = this.grid;
    const now = sets.map((s, k) => ({ tiles: s.tiles, cell: cells[k] }));
    const memory = { felt: this.felt, grid, sets: now };
    this.grid = grid;
    this.restore(this.positions(now));
    const [start, ...past] = earlier.map((old) => {
      const there = old.map((s) => ({ tiles: s.tiles, cell: carried(s.cell, was, grid) }));
      const found = within(there, grid, memory);
      return found && this.positions(there.map((s, k) => ({ tiles: s.tiles, cell: found[k] })));
    });
    this.start = start || this.pieces.map((p) => (p.rack ? -1 : p.at));
    this.past = past.flatMap((p) => (p ? [p] : []));
  }

  /** @param {{ tiles: number[], cell: number }[]} sets @returns {number[]} cells by piece, -1 on the rack */
  positions(sets) {
    const at = this.pieces.map(() => -1);
    for (const s of sets) s.tiles.forEach((id, k) => (at[id] = s.cell + k));
    return at;
  }

  /** Returns the sets on this screen, now or at earlier positions. @param {number[]} [positions] */
  blocks(positions) {
    return blocks(this.board(positions), this.grid.cols);
  }

  /** @param {number[]} [positions] @returns {(number | undefined)[]} */
  board(positions) {
    /** @type {(number | undefined)[]} */
    const board = lay([], this.grid.cols * this.grid.rows);
    this.pieces.forEach((p, i) => {
      const at = positions ? positions[i] : p.at;
      if (at >= 0) board[at] = i;
    });
    return board;
  }

  /** @returns {Laid[]} the whole current table, with the log's places */
  laid() {
    const list = this.blocks();
    const sets = list.map((b) => ({ key: b.ids.join(), n: b.ids.length, near: this.near(b) }));
    const found = places(sets, this.log);
    return list.map((b, k) => ({ at: found[k], tiles: b.ids.map((i) => this.pieces[i].face) })).sort((a, b) => a.at - b.at);
  }

  /**
   * Returns the log's place that a set prefers: the place of its first tile in the log, or else the
   * visible place.
   * @param {{ at: number, ids: number[] }} b
   */
  near(b) {
    const k = b.ids.findIndex((i) => this.pieces[i].log >= 0);
    return k < 0 ? canonical(b.at, this.grid) : Math.max(0, this.pieces[b.ids[k]].log - k);
  }

  /** Returns the log's place of a set that was sent to the server. @param {{ ids: number[] }} b */
  logOf(b) {
    return this.log.get(b.ids.join());
  }

  /** The number of rack tiles that lie on the table. */
  get played() {
    return this.pieces.filter((p) => p.rack && p.at >= 0).length;
  }

  get moved() {
    return this.pieces.some((p, i) => p.at !== this.start[i]);
  }

  /** @param {number[]} list @returns {number[]} the tiles of a block, ordered by number if possible */
  ordered(list) {
    return ascending(list.map((i) => this.pieces[i].face)).map((k) => list[k]);
  }

  /**
   * Lays pieces at a cell. Returns false if there is no room.
   * @param {number[]} ids @param {number} at @param {boolean} after @param {number} [reach]
   */
  put(ids, at, after, reach) {
    const order = (/** @type {number[]} */ list) => this.ordered(list);
    return this.become(place(this.board(), ids, at, after, { order, faceOf: (i) => this.pieces[i].face, reach, grid: this.grid, most: CELLS }));
  }

  /**
   * Lays pieces for which there was no room, by closing gaps or shrinking all tiles. Returns false if that does not
   * help.
   * @param {number[]} ids @param {number} at @param {boolean} after @param {number} [reach]
   */
  squeeze(ids, at, after, reach) {
    const room = this.makeRoom(ids.length, at);
    return !!room && (this.put(ids, room.cell, after, reach) || (room.free >= 0 && this.put(ids, room.free, false)));
  }

  /** Lays out the table compactly. Returns false if there is no room for that. */
  tidy() {
    return this.become(tidy(this.board(), (list) => this.ordered(list), this.grid));
  }

  /** Replaces the table with a board as one move. @param {import("./layout.js").Board | undefined} board */
  become(board) {
    if (!board) return false;
    this.remember();
    board.forEach((id, cell) => id !== undefined && (this.pieces[id].at = cell));
    this.forgetIfSame();
    return true;
  }

  /** Takes pieces back to the rack. Returns false if one of them belongs to the table. @param {number[]} ids */
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

  /** Returns the pieces that touch a piece, in order. @param {number} id */
  setOf(id) {
    return this.blocks().find((b) => b.ids.includes(id))?.ids || [id];
  }

  /** Reports whether a block is an unchanged set from the beginning of the turn. @param {{ ids: number[] }} b */
  setWas({ ids }) {
    const from = this.start[ids[0]];
    const { cols } = this.grid;
    if (from < 0 || !ids.every((i, k) => this.start[i] === from + k)) return false;
    const beside = (/** @type {number} */ at) => Math.floor(at / cols) === Math.floor(from / cols) && this.start.includes(at);
    return !beside(from - 1) && !beside(from + ids.length);
  }

  /** Stores the arrangement for a reload. @param {boolean} [sent] whether the server has it too */
  keep(sent = false) {
    try {
      localStorage.setItem("draft", JSON.stringify({ game: this.game, turn: this.turn, laid: this.moved ? this.laid() : [], sent }));
    } catch {
      // the storage is full or blocked; the server has the draft too
    }
    this.rack.keep();
    this.remark();
  }

  /** Stores where the sets lie on this screen, for a reload. */
  remark() {
    try {
      localStorage.setItem("felt", JSON.stringify({ game: this.game, ...this.seen() }));
    } catch {
      // losing the places does no harm
    }
  }

  /** Returns what this screen shows of the game, now and at the beginning of the turn. @returns {Seen} */
  seen() {
    const faces = (/** @type {number[]} */ positions) => this.lying(positions).map((s) => ({ tiles: s.tiles.map((i) => this.pieces[i].face), cell: s.cell }));
    return { felt: this.felt, grid: this.grid, now: faces(this.pieces.map((p) => p.at)), home: faces(this.start) };
  }

  /**
   * Returns the draft of this turn: this device's copy, unless the server received that copy too. The server may then
   * have a newer draft from another device at the seat.
   * @param {string | undefined} told the server's @returns {Laid[] | undefined}
   */
  known(told) {
    try {
      const kept = JSON.parse(localStorage.getItem("draft") || "null");
      if (kept && kept.game === this.game && kept.turn === this.turn && !(kept.sent && told)) return kept.laid;
    } catch {
      // no storage, or invalid contents
    }
    return readLaid(told);
  }

  /**
   * Lays the pieces of an arrangement, using the table's own pieces first.
   * @param {Laid[] | undefined} sets @param {Lying[]} [known] where this screen showed its sets
   */
  apply(sets, known = []) {
    if (!sets?.length) return;
    const chosen = this.choose(sets);
    if (!chosen) return;
    const start = this.lying().map((s) => ({ tiles: s.tiles.map((i) => this.pieces[i].face), cell: s.cell }));
    const memory = { felt: this.felt, grid: this.grid, sets: [...known, ...start] };
    const { grid, cells } = arrange(sets, this.felt, memory, false);
    if (grid.w !== this.grid.w) {
      const lying = this.lying();
      this.shift(lying, lying.map((s) => carried(s.cell, this.grid, grid)), grid);
    }
    sets.forEach((s, k) => this.log.set(chosen[k].join(), s.at));
    this.restore(this.positions(chosen.map((tiles, k) => ({ tiles, cell: cells[k] }))));
    if (this.moved) this.past = [this.start];
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
        const id = fits.find((i) => this.pieces[i].log === set.at + k) ?? fits.find((i) => !this.pieces[i].rack) ?? fits[0] ?? -1;
        free.delete(id);
        return id;
      }),
    );
    return chosen.flat().includes(-1) || [...free].some((i) => !this.pieces[i].rack) ? undefined : chosen;
  }

  /** Lays out the whole table as one move that can be undone. @param {Laid[]} sets */
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

/** @typedef {{ felt: import("./grid.js").Felt, grid: import("./grid.js").Grid, now: Lying[], home: Lying[] }} Seen */

/** Returns what this screen showed of a game. @param {string} game @returns {Seen | undefined} */
function recall(game) {
  try {
    const kept = JSON.parse(localStorage.getItem("felt") || "null");
    return kept?.game === game && kept.grid && Array.isArray(kept.now) && Array.isArray(kept.home) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** @param {import("./layout.js").Grid} a @param {import("./layout.js").Grid} b */
const sameShape = (a, b) => a.cols === b.cols && a.rows === b.rows;

/**
 * Returns the cell in the same row and column of another grid, or in its last row or column.
 * @param {number} cell @param {import("./layout.js").Grid} was @param {import("./layout.js").Grid} grid
 */
function carried(cell, was, grid) {
  return Math.min(Math.floor(cell / was.cols), grid.rows - 1) * grid.cols + Math.min(cell % was.cols, grid.cols - 1);
}

/** Returns the tiles and sets of the table as the server rendered them. @param {HTMLElement} root */
function tableOf(root) {
  /** @type {Piece[]} */
  const pieces = [];
  /** @type {{ at: number, ids: number[] }[]} */
  const sets = [];
  for (const set of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("#table .set"))) {
    const at = Number(set.dataset.at);
    const tiles = /** @type {NodeListOf<HTMLElement>} */ (set.querySelectorAll(".tile"));
    sets.push({ at, ids: [...tiles].map((el, k) => pieces.push({ el, face: el.dataset.face || "", rack: false, at: -1, slot: -1, log: at + k }) - 1) });
  }
  return { pieces, sets };
}

/** @param {HTMLElement} root @returns {Piece[]} */
function rackOf(root) {
  const tiles = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("#rack .slot > .tile"));
  return [...tiles].map((el) => ({ el, face: el.dataset.face || "", rack: true, at: -1, slot: -1, log: -1 }));
}
