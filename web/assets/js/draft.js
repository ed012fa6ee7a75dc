// @ts-check
// The reader's own arrangement of one turn: what the server drew, and where the tiles were moved since. The cells are
// those of this screen's grid; what is told to the server names places as the log does.
import { canonical, places } from "./canon.js";
import { arrange, gridOf, within } from "./grid.js";
import { CELLS, LANES, blocks, lay, place } from "./layout.js";
import { Rack } from "./rack.js";
import { ascending, tidy } from "./tidy.js";

/**
 * @typedef {{ el: HTMLElement, face: string, rack: boolean, at: number, slot: number, log: number }} Piece
 * A tile: rack tells that it came from the rack in this turn; at is its cell on this screen, or -1 on the rack; slot is
 * its place on the rack; log is its cell as the server has it, or -1.
 * @typedef {{ at: number, tiles: string[] }} Laid a set, at as the log names it
 * @typedef {import("./grid.js").Lying} Lying
 * @typedef {{ cols: number, size: number }} Ledges the slots of the rack
 */

const FELT = { wide: CELLS * 44, high: LANES * 68 };

export class Draft {
  /** @type {Piece[]} */ pieces = [];
  /** where they stand on the rack */ rack = new Rack();
  /** @type {number[]} where each piece lay when the turn began */ start = [];
  /** @type {number[][]} earlier positions, newest last */ past = [];
  /** @type {import("./grid.js").Felt} */ felt = FELT;
  /** @type {import("./grid.js").Grid} */ grid = gridOf(FELT, 44);
  /** @type {Map<string, number>} the log's place of each set, by its pieces */ log = new Map();
  /** what the server has drawn of the table @type {{ pieces: Piece[], sets: { at: number, ids: number[] }[] }} */ table = { pieces: [], sets: [] };
  signature = "";
  game = "";
  turn = "";
  mine = false;

  /**
   * Reads what the server has drawn. True when it is the same turn with the same tiles, so that the
   * player's moves still hold.
   * @param {HTMLElement} root @param {import("./grid.js").Felt} felt @param {Ledges} ledges
   */
  read(root, felt, { cols, size }) {
    const { game = "", turn = "", mine } = root.dataset;
    const table = root.querySelector("#table > .lane") ? this.table : tableOf(root); // cells: it was not drawn anew
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
   * Lays the server's sets out on this screen: the turn begins.
   * @param {{ at: number, ids: number[] }[]} sets @param {Seen | undefined} seen what this screen has shown of the game @param {boolean} grow
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

  /** The felt has another size: all sets go to places of its own grid. @param {import("./grid.js").Felt} felt @returns {boolean} */
  resize(felt) {
    if (felt.wide === this.felt.wide && felt.high === this.felt.high) return false;
    const sets = this.lying();
    const { grid, cells } = arrange(sets, felt, { felt: this.felt, grid: this.grid, sets });
    this.felt = felt;
    this.shift(sets, cells, grid);
    return true;
  }

  /**
   * Makes room for n tiles more near to a cell: gaps close, or all tiles get smaller. What that cell is called then, and
   * where there is room; undefined when nothing is gained.
   * @param {number} n @param {number} cell @returns {{ cell: number, free: number } | undefined}
   */
  makeRoom(n, cell) {
    const was = this.grid;
    const sets = this.lying();
    const { grid, cells } = arrange([...sets, { tiles: new Array(n).fill(-1), cell }], this.felt, { felt: this.felt, grid: was, sets }, false);
    if (grid.w === was.w && sets.every((s, k) => cells[k] === s.cell)) return undefined;
    this.shift(sets, cells, grid);
    return { cell: carried(cell, was, grid), free: cells[sets.length] };
  }

  /** The sets of this screen, by piece. @param {number[]} [positions] @returns {{ tiles: number[], cell: number }[]} */
  lying(positions) {
    return this.blocks(positions).map((b) => ({ tiles: b.ids, cell: b.at }));
  }

  /** Where sets of the log would lie on this screen as it is; undefined when they do not. @param {Laid[]} sets @returns {Lying[] | undefined} */
  shown(sets) {
    const { felt, grid, now, home } = this.seen();
    const cells = within(sets, grid, { felt, grid, sets: [...now, ...home] });
    return cells && sets.map((s, k) => ({ tiles: s.tiles, cell: cells[k] }));
  }

  /** The rack has rows of another length, since the tablet was turned. @param {number} cols @param {number} size */
  turned(cols, size) {
    this.rack.read(this.game, this.pieces, size, cols);
  }

  /** Sets lie elsewhere without a move, on another grid perhaps; earlier positions follow. @param {{ tiles: number[], cell: number }[]} sets @param {number[]} cells @param {import("./grid.js").Grid} grid */
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

  /** @param {{ tiles: number[], cell: number }[]} sets @returns {number[]} by piece, -1 on the rack */
  positions(sets) {
    const at = this.pieces.map(() => -1);
    for (const s of sets) s.tiles.forEach((id, k) => (at[id] = s.cell + k));
    return at;
  }

  /** The sets as they lie on this screen, or lay. @param {number[]} [positions] */
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

  /** @returns {Laid[]} the whole table as it lies now, as the log names places */
  laid() {
    const list = this.blocks();
    const sets = list.map((b) => ({ key: b.ids.join(), n: b.ids.length, near: this.near(b) }));
    const found = places(sets, this.log);
    return list.map((b, k) => ({ at: found[k], tiles: b.ids.map((i) => this.pieces[i].face) })).sort((a, b) => a.at - b.at);
  }

  /** The log's place that a set would like: that of the server's set that it begins with, or the one that is seen. @param {{ at: number, ids: number[] }} b */
  near(b) {
    const k = b.ids.findIndex((i) => this.pieces[i].log >= 0);
    return k < 0 ? canonical(b.at, this.grid) : Math.max(0, this.pieces[b.ids[k]].log - k);
  }

  /** The log's place of a set that was told to the server. @param {{ ids: number[] }} b */
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
    return this.become(place(this.board(), ids, at, after, { order, faceOf: (i) => this.pieces[i].face, reach, grid: this.grid, most: CELLS }));
  }

  /** Lays the table out compactly. False when there is no room for that. */
  tidy() {
    return this.become(tidy(this.board(), (list) => this.ordered(list), this.grid));
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
    return this.blocks().find((b) => b.ids.includes(id))?.ids || [id];
  }

  /** Whether a block is a set as it lay when the turn began. @param {{ ids: number[] }} b */
  setWas({ ids }) {
    const from = this.start[ids[0]];
    const { cols } = this.grid;
    if (from < 0 || !ids.every((i, k) => this.start[i] === from + k)) return false;
    const beside = (/** @type {number} */ at) => Math.floor(at / cols) === Math.floor(from / cols) && this.start.includes(at);
    return !beside(from - 1) && !beside(from + ids.length);
  }

  /** Keeps the arrangement over a reload. @param {boolean} [sent] the server has it too */
  keep(sent = false) {
    try {
      localStorage.setItem("draft", JSON.stringify({ game: this.game, turn: this.turn, laid: this.moved ? this.laid() : [], sent }));
    } catch {
      // a full or forbidden store: the server has the draft too
    }
    this.rack.keep();
    this.remark();
  }

  /** Keeps where the sets lie on this screen over a reload. */
  remark() {
    try {
      localStorage.setItem("felt", JSON.stringify({ game: this.game, ...this.seen() }));
    } catch {
      // places are a convenience
    }
  }

  /** What this screen shows of the game: now, and when the turn began. @returns {Seen} */
  seen() {
    const faces = (/** @type {number[]} */ positions) => this.lying(positions).map((s) => ({ tiles: s.tiles.map((i) => this.pieces[i].face), cell: s.cell }));
    return { felt: this.felt, grid: this.grid, now: faces(this.pieces.map((p) => p.at)), home: faces(this.start) };
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

  /**
   * Lays the pieces as an arrangement names them, the table's own first.
   * @param {Laid[] | undefined} sets @param {Lying[]} [known] where this screen showed sets of it
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

  /** The pieces of an arrangement; undefined when they are not those of this turn. @param {Laid[]} sets @returns {number[][] | undefined} */
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

/** @typedef {{ felt: import("./grid.js").Felt, grid: import("./grid.js").Grid, now: Lying[], home: Lying[] }} Seen */

/** What this screen has shown of a game. @param {string} game @returns {Seen | undefined} */
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

/** The cell of the same row and column of another grid, or of the last ones there. @param {number} cell @param {import("./layout.js").Grid} was @param {import("./layout.js").Grid} grid */
function carried(cell, was, grid) {
  return Math.min(Math.floor(cell / was.cols), grid.rows - 1) * grid.cols + Math.min(cell % was.cols, grid.cols - 1);
}

/** The tiles of the table as the server has drawn them, and its sets. @param {HTMLElement} root */
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
