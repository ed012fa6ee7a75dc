// @ts-check
// The felt of one screen as a grid: how large its tiles are, and in which cell each set lies. It knows no page. A set
// keeps its place as long as most of its tiles are the same; what is new goes to the free place nearest to the one
// that the log names, where `at` is lane * 13 + cell, read row by row as a grid of 26 x 7.

export const MOST = 96; // px, the widest tile
export const FLOOR = 44; // px, the narrowest that a finger shall have to touch
const STEP = 4;
const LEAST = 8;
const SPARE = 5; // cells in a row that are free for the next set where a scale is chosen
const LEFT = 3; // of them where it stays
const CANON = { cols: 26, rows: 7 };

/** How high a tile is for its width. Where it is as narrow as it may be, it is first taller, and flatter before there is no room. */
const HIGH = 1.4;
const AT_FLOOR = [1.5, HIGH, 1.25];

/** @typedef {{ w: number, h: number, gap: number, high: number, cols: number, rows: number }} Grid w and h of a tile and the gap between rows in px; high is the least of h to w */
/** @typedef {{ wide: number, high: number }} Felt in px */
/** @typedef {string | number} Tile a face or a number: whatever tells tiles apart where they are compared */
/**
 * @typedef {{ tiles: Tile[], at?: number, cell?: number }} Wanted a set: where the log has it, or the cell that it was put to
 * @typedef {{ tiles: Tile[], cell: number }} Lying a set and the cell of its first tile
 * @typedef {{ felt: Felt, grid: Grid, sets: Lying[] }} Memory what a screen has shown
 * @typedef {{ n: number, row: number, col: number, rank: number }} Wish how long a set is, the place that it shall have, and
 * how much that counts: 0 it lies there untouched, 1 it has changed there, 2 it is new
 */

/** The grid of tiles of one width. @param {Felt} felt @param {number} w @param {number} [high] @returns {Grid} */
export function gridOf(felt, w, high = HIGH) {
  const gap = high < HIGH || w < FLOOR ? 3 : 6;
  const rows = Math.floor((felt.high + gap) / (high * w + gap));
  const h = Math.max(high * w, Math.min(HIGH * w, (felt.high + gap) / Math.max(1, rows) - gap));
  const air = rows > 1 ? (felt.high - rows * h) / (rows - 1) : gap;
  return { w, h: Math.floor(h), gap: Math.max(gap, Math.min(14, Math.floor(air))), high, cols: Math.floor(felt.wide / w), rows };
}

/**
 * The grid with the widest tiles at which sets of these lengths all lie, with room for the next one; room is given up
 * before tiles get narrower than a finger needs.
 * @param {number[]} lengths @param {Felt} felt @param {number} [most] @returns {Grid & { spare: boolean }}
 */
export function largest(lengths, felt, most = MOST) {
  for (let w = most; w >= LEAST; w -= STEP) {
    for (const spare of w === FLOOR ? [true, false] : [true]) {
      for (const high of w === FLOOR ? AT_FLOOR : [HIGH]) {
        const grid = gridOf(felt, w, high);
        if (packs(lengths, grid, spare)) return { ...grid, spare };
      }
    }
  }
  return { ...gridOf(felt, LEAST), spare: false };
}

/** @param {number[]} lengths @param {Grid} grid @param {boolean} spare */
function packs(lengths, grid, spare) {
  const more = spare ? [SPARE] : [];
  return !!first([...lengths, ...more], grid) || !!first([...lengths].sort((a, b) => b - a).concat(more), grid);
}

/** Each length into the first row with room. @param {number[]} lengths @param {Grid} grid @returns {number[] | undefined} the cells */
function first(lengths, { cols, rows }) {
  const ends = new Array(rows).fill(0);
  /** @type {number[]} */
  const cells = [];
  for (const n of lengths) {
    const row = ends.findIndex((end) => end + n <= cols);
    if (row < 0) return undefined;
    cells.push(row * cols + ends[row]);
    ends[row] += n + 1;
  }
  return cells;
}

/**
 * Where sets lie on this felt. The scale stays, unless there is no room, or grow lets it follow what is possible by now.
 * @param {Wanted[]} sets @param {Felt} felt @param {Memory} [memory] @param {boolean} [grow]
 * @returns {{ grid: Grid, cells: number[], closed: boolean }} closed tells that gaps have closed
 */
export function arrange(sets, felt, memory, grow = true) {
  const lengths = sets.map((s) => s.tiles.length);
  const same = memory && memory.felt.wide === felt.wide && memory.felt.high === felt.high;
  const now = same ? memory.grid : undefined;
  const best = largest(lengths, felt);
  if (now && !(grow && (now.w < 0.9 * best.w || (now.w < FLOOR && best.w >= FLOOR)))) {
    const found = fit(wishes(sets, now, memory), now, now.w !== FLOOR || best.w !== FLOOR || best.spare);
    const other = found?.closed && grow && instead(sets, felt, memory, now, best);
    if (other) return other;
    if (found) return { grid: now, ...found };
  }
  for (let most = now && !grow ? Math.min(now.w, best.w) : best.w; ; most -= STEP) {
    const { spare, ...grid } = largest(lengths, felt, most);
    const found = fit(wishes(sets, grid, memory), grid, spare);
    if (found || most <= LEAST) return { grid, ...(found || { cells: sets.map(() => 0), closed: true }) };
  }
}

/**
 * Another scale at which sets lie without gaps closing, where one of nine tenths of what is possible has room for them, and
 * is no narrower than a finger needs; else the best one, if that is wider.
 * @param {Wanted[]} sets @param {Felt} felt @param {Memory | undefined} memory @param {Grid} now @param {Grid & { spare: boolean }} best
 */
function instead(sets, felt, memory, now, best) {
  const lower = now.w === FLOOR ? AT_FLOOR.filter((high) => high < now.high).map((high) => gridOf(felt, FLOOR, high)) : [];
  for (let w = now.w - STEP; w >= 0.9 * best.w && (w >= FLOOR || now.w < FLOOR); w -= STEP) lower.push(gridOf(felt, w));
  for (const grid of lower) {
    const found = fit(wishes(sets, grid, memory), grid, true);
    if (found && !found.closed) return { grid, ...found };
  }
  if (now.w >= best.w || now.w === FLOOR) return undefined;
  const { spare, ...grid } = best;
  const found = fit(wishes(sets, grid, memory), grid, spare);
  return found && { grid, ...found };
}

/** Where sets lie on a grid that is given; undefined when they do not. @param {Wanted[]} sets @param {Grid} grid @param {Memory} memory */
export const within = (sets, grid, memory) => fit(wishes(sets, grid, memory), grid, false)?.cells;

/** @param {Wanted[]} sets @param {Grid} grid @param {Memory} [memory] @returns {Wish[]} */
function wishes(sets, grid, memory) {
  const heirs = memory ? inherit(sets, memory.sets) : new Map();
  return sets.map((s, i) => {
    const n = s.tiles.length;
    const old = heirs.get(i);
    if (old && memory) {
      const { cols } = memory.grid;
      const k = s.tiles.findIndex((t) => old.tiles.includes(t));
      const shift = old.tiles.indexOf(s.tiles[k]) - k;
      return seat(grid, memory.grid, n, Math.floor(old.cell / cols), (old.cell % cols) + shift, equal(old.tiles, s.tiles) ? 0 : 1);
    }
    if (s.cell !== undefined) return seat(grid, memory?.grid || grid, n, Math.floor(s.cell / (memory?.grid || grid).cols), s.cell % (memory?.grid || grid).cols, 1);
    const at = s.at ?? 0;
    const row = Math.floor(at / CANON.cols);
    const col = at % CANON.cols;
    const to = { row: Math.floor((row * grid.rows) / CANON.rows), col: Math.round((col * grid.cols) / CANON.cols) };
    return { n, row: to.row, col: Math.min(to.col, Math.max(0, grid.cols - n)), rank: 2 };
  });
}

/** A place of another grid on this one: the same row and column, where there are such. @param {Grid} grid @param {Grid} was @param {number} n @param {number} row @param {number} col @param {number} rank @returns {Wish} */
function seat(grid, was, n, row, col, rank) {
  const fits = row < grid.rows && col >= 0 && col + n <= grid.cols;
  if (fits) return { n, row, col, rank };
  const r = row < grid.rows ? row : Math.floor((row * grid.rows) / was.rows);
  return { n, row: r, col: Math.max(0, Math.min(col, grid.cols - n)), rank: Math.max(rank, 1) };
}

/** @param {Tile[]} a @param {Tile[]} b */
const equal = (a, b) => a.length === b.length && a.every((t, i) => t === b[i]);

/**
 * Which remembered set each set goes on: the one that most of its tiles were in, and that no other has more of.
 * @param {Wanted[]} sets @param {Lying[]} known @returns {Map<number, Lying>}
 */
function inherit(sets, known) {
  /** @type {{ i: number, k: number, score: number }[]} */
  const pairs = [];
  for (const [i, s] of sets.entries()) {
    for (const [k, old] of known.entries()) {
      const both = common(s.tiles, old.tiles);
      if (2 * both <= s.tiles.length) continue;
      pairs.push({ i, k, score: both * 4 + (equal(s.tiles, old.tiles) ? 2 : 0) - k / known.length });
    }
  }
  pairs.sort((a, b) => b.score - a.score);
  /** @type {Map<number, Lying>} */
  const heirs = new Map();
  const gone = new Set();
  for (const { i, k } of pairs) {
    if (heirs.has(i) || gone.has(k)) continue;
    heirs.set(i, known[k]);
    gone.add(k);
  }
  return heirs;
}

/** @param {Tile[]} a @param {Tile[]} b */
function common(a, b) {
  const left = [...b];
  let n = 0;
  for (const t of a) {
    const k = left.indexOf(t);
    if (k < 0) continue;
    left.splice(k, 1);
    n++;
  }
  return n;
}

/**
 * Cells for all: each as near to its wish as there is room; where that is not enough, gaps close, row after row, and at
 * last all are laid anew in the order in which they lie.
 * @param {Wish[]} list @param {Grid} grid @param {boolean} spare @returns {{ cells: number[], closed: boolean } | undefined}
 */
function fit(list, grid, spare) {
  if (grid.rows < 1) return undefined;
  const rows = new Rows(list, grid);
  const order = list.map((_, i) => i).sort((a, b) => list[a].rank - list[b].rank || list[b].n - list[a].n || a - b);
  let homeless = order.filter((i) => !(list[i].rank < 2 && rows.free(list[i].row, list[i].col, list[i].n) && rows.put(i, list[i].row, list[i].col)));
  homeless = homeless.filter((i) => !rows.near(i));
  const done = () => homeless.length === 0 && (!spare || rows.room(SPARE));
  if (homeless.length === 0 && (!spare || rows.room(LEFT))) return { cells: rows.cells(), closed: false };
  for (const row of rows.loosest()) {
    rows.close(row);
    homeless = homeless.filter((i) => !rows.near(i));
    if (done()) return { cells: rows.cells(), closed: true };
  }
  const lying = list.map((_, i) => i).sort((a, b) => list[a].row - list[b].row || list[a].col - list[b].col);
  const longest = [...lying].sort((a, b) => list[b].n - list[a].n);
  const cells = anew(list, lying, grid, spare) || anew(list, longest, grid, spare) || anew(list, [...list.keys()], grid, spare);
  return cells && { cells, closed: true };
}

/** Cells for all, one after the other in an order. @param {Wish[]} list @param {number[]} order @param {Grid} grid @param {boolean} spare */
function anew(list, order, grid, spare) {
  const lengths = order.map((i) => list[i].n);
  const cells = first(lengths, grid);
  if (!cells || (spare && !first([...lengths, SPARE], grid))) return undefined;
  /** @type {number[]} */
  const found = [];
  order.forEach((i, k) => (found[i] = cells[k]));
  return found;
}

/** The rows of a grid while they are filled. */
class Rows {
  /** @param {Wish[]} list @param {Grid} grid */
  constructor(list, { cols, rows }) {
    this.list = list;
    this.cols = cols;
    /** @type {{ i: number, col: number, n: number }[][]} */
    this.rows = Array.from({ length: rows }, () => []);
  }

  /** Whether n cells are free with an empty one on either side. @param {number} row @param {number} col @param {number} n */
  free(row, col, n) {
    return row >= 0 && row < this.rows.length && col >= 0 && col + n <= this.cols && this.rows[row].every((s) => s.col + s.n < col || col + n < s.col);
  }

  /** @param {number} i @param {number} row @param {number} col */
  put(i, row, col) {
    return this.rows[row].push({ i, col, n: this.list[i].n });
  }

  /** Lays a set at the free place nearest to its wish. @param {number} i @returns {boolean} */
  near(i) {
    const { n, row, col } = this.list[i];
    let best = { far: Infinity, row: 0, col: 0 };
    for (let r = 0; r < this.rows.length; r++) {
      const down = 2 * (r - row) ** 2;
      if (down >= best.far) continue;
      for (let c = 0; c + n <= this.cols; c++) {
        const far = down + (c - col) ** 2;
        if (far < best.far && this.free(r, c, n) && this.snug(r, c, n)) best = { far, row: r, col: c };
      }
    }
    if (best.far < Infinity) this.put(i, best.row, best.col);
    return best.far < Infinity;
  }

  /** Whether a set would lie beside another one or at an end, so that no room is lost. @param {number} row @param {number} col @param {number} n */
  snug(row, col, n) {
    if (col === 0 || col + n === this.cols) return true;
    return this.rows[row].some((s) => s.col + s.n + 1 === col || col + n + 1 === s.col);
  }

  /** @param {number} n */
  room(n) {
    return this.rows.some((_, row) => {
      for (let c = 0; c + n <= this.cols; c++) if (this.free(row, c, n)) return true;
      return false;
    });
  }

  /** The rows, those first that gain most by closing their gaps. @returns {number[]} */
  loosest() {
    const left = this.rows.map((row) => this.cols - row.reduce((sum, s) => sum + s.n + 1, -1));
    return left.map((_, row) => row).sort((a, b) => left[b] - left[a]);
  }

  /** @param {number} row */
  close(row) {
    let col = 0;
    for (const s of this.rows[row].sort((a, b) => a.col - b.col)) {
      s.col = col;
      col += s.n + 1;
    }
  }

  cells() {
    /** @type {number[]} */
    const found = [];
    this.rows.forEach((row, r) => row.forEach((s) => (found[s.i] = r * this.cols + s.col)));
    return found;
  }
}

/**
 * The ledges of a rack of n tiles: two up to 20, then three; on a phone as many as it needs, so many of them in sight. Gaps
 * are given up before tiles get narrower.
 * @param {number} wide px @param {number} n @param {number} phone how many are in sight at most; 0 for a tablet @returns {{ cols: number, ledges: number, seen: number, w: number }}
 */
export function ledges(wide, n, phone) {
  if (phone) {
    const cols = Math.max(1, Math.floor(wide / FLOOR));
    const all = Math.max(2, Math.ceil((n + 1) / cols));
    const w = wide / cols;
    return { cols, ledges: all, seen: Math.min(all, phone), w };
  }
  const seen = n > 20 ? 3 : 2;
  const most = seen === 3 ? 50 : 68;
  const cols = Math.max(Math.ceil((n + 1) / seen), Math.floor(wide / most));
  const fits = Math.min(cols, Math.floor(wide / FLOOR));
  return { cols: fits, ledges: Math.max(seen, Math.ceil((n + 1) / fits)), seen, w: wide / fits };
}
