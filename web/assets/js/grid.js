// @ts-check
// The table area of one screen as a grid: how large its tiles are, and in which cell each set lies. It does not depend
// on a page. A set keeps its place as long as most of its tiles are the same. A new set goes to the free place nearest
// to the one in the log, where `at` is lane * 13 + cell, read row by row as a grid of 26 x 7.

export const MOST = 96; // px, the widest tile
export const FLOOR = 44; // px, the narrowest tile that a finger can hit
const STEP = 4;
const LEAST = 8;
const SPARE = 5; // free cells in a row kept for the next set when a scale is chosen
const LEFT = 3; // how many of them are enough to keep a scale
const CANON = { cols: 26, rows: 7 };

/**
 * The height of a tile for a width of 1. At the narrowest width for a finger, taller tiles are tried first and flatter
 * ones last.
 */
const HIGH = 1.4;
const AT_FLOOR = [1.5, HIGH, 1.25];

/**
 * @typedef {{ w: number, h: number, gap: number, high: number, cols: number, rows: number }} Grid w and h of a tile and
 * the gap between rows, in px; high is the lowest ratio of h to w
 */
/** @typedef {{ wide: number, high: number }} Felt in px */
/** @typedef {string | number} Tile a face or a number, whichever the caller compares tiles by */
/**
 * @typedef {{ tiles: Tile[], at?: number, cell?: number }} Wanted a set: its place in the log, or a chosen cell
 * @typedef {{ tiles: Tile[], cell: number }} Lying a set and the cell of its first tile
 * @typedef {{ felt: Felt, grid: Grid, sets: Lying[] }} Memory what a screen showed last
 * @typedef {{ n: number, row: number, col: number, rank: number }} Wish the length of a set, its preferred place, and
 * the rank of that wish: 0 the set lies there unchanged, 1 it changed there, 2 it is new
 */

/**
 * Returns the grid for tiles of one width.
 * @param {Felt} felt @param {number} w @param {number} [high] @returns {Grid}
 */
export function gridOf(felt, w, high = HIGH) {
  const gap = high < HIGH || w < FLOOR ? 3 : 6;
  const rows = Math.floor((felt.high + gap) / (high * w + gap));
  const h = Math.max(high * w, Math.min(HIGH * w, (felt.high + gap) / Math.max(1, rows) - gap));
  const air = rows > 1 ? (felt.high - rows * h) / (rows - 1) : gap;
  return { w, h: Math.floor(h), gap: Math.max(gap, Math.min(14, Math.floor(air))), high, cols: Math.floor(felt.wide / w), rows };
}

/**
 * Returns the grid with the widest tiles at which sets of these lengths fit, with room for the next one. That room is
 * given up before tiles become too narrow for a finger.
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

/**
 * Puts each length into the first row with room.
 * @param {number[]} lengths @param {Grid} grid @returns {number[] | undefined} the cells
 */
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
 * Returns the cells of sets on this table area. The scale stays the same unless there is no room, or grow lets it
 * follow the current possibilities.
 * @param {Wanted[]} sets @param {Felt} felt @param {Memory} [memory] @param {boolean} [grow]
 * @returns {{ grid: Grid, cells: number[], closed: boolean }} closed is true if gaps were closed
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
 * Returns a smaller scale that fits the sets without closing gaps, if it is at least nine tenths of the best one and
 * not too narrow for a finger. Otherwise it returns the best one, if that is wider.
 * @param {Wanted[]} sets @param {Felt} felt @param {Memory | undefined} memory
 * @param {Grid} now @param {Grid & { spare: boolean }} best
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

/**
 * Returns the cells of sets on a given grid; undefined if they do not fit.
 * @param {Wanted[]} sets @param {Grid} grid @param {Memory} memory
 */
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

/**
 * Carries a place over from another grid: the same row and column if they exist here.
 * @param {Grid} grid @param {Grid} was @param {number} n @param {number} row @param {number} col @param {number} rank
 * @returns {Wish}
 */
function seat(grid, was, n, row, col, rank) {
  const fits = row < grid.rows && col >= 0 && col + n <= grid.cols;
  if (fits) return { n, row, col, rank };
  const r = row < grid.rows ? row : Math.floor((row * grid.rows) / was.rows);
  return { n, row: r, col: Math.max(0, Math.min(col, grid.cols - n)), rank: Math.max(rank, 1) };
}

/** @param {Tile[]} a @param {Tile[]} b */
const equal = (a, b) => a.length === b.length && a.every((t, i) => t === b[i]);

/**
 * Matches each set with the remembered set that it continues. More than half of its tiles come from that set, and the
 * best matches are taken first.
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
 * Finds a cell for each set as near to its wish as possible. If there is not enough room, it closes gaps row by row,
 * and finally lays all sets again in their current order.
 * @param {Wish[]} list @param {Grid} grid @param {boolean} spare
 * @returns {{ cells: number[], closed: boolean } | undefined}
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

/**
 * Finds cells for all sets, one after the other in the given order.
 * @param {Wish[]} list @param {number[]} order @param {Grid} grid @param {boolean} spare
 */
function anew(list, order, grid, spare) {
  const lengths = order.map((i) => list[i].n);
  const cells = first(lengths, grid);
  if (!cells || (spare && !first([...lengths, SPARE], grid))) return undefined;
  /** @type {number[]} */
  const found = [];
  order.forEach((i, k) => (found[i] = cells[k]));
  return found;
}

/** The rows of a grid while sets are placed. */
class Rows {
  /** @param {Wish[]} list @param {Grid} grid */
  constructor(list, { cols, rows }) {
    this.list = list;
    this.cols = cols;
    /** @type {{ i: number, col: number, n: number }[][]} */
    this.rows = Array.from({ length: rows }, () => []);
  }

  /**
   * Reports whether n cells are free, with an empty cell on either side.
   * @param {number} row @param {number} col @param {number} n
   */
  free(row, col, n) {
    return row >= 0 && row < this.rows.length && col >= 0 && col + n <= this.cols && this.rows[row].every((s) => s.col + s.n < col || col + n < s.col);
  }

  /** @param {number} i @param {number} row @param {number} col */
  put(i, row, col) {
    return this.rows[row].push({ i, col, n: this.list[i].n });
  }

  /** Puts a set in the free place nearest to its wish. @param {number} i @returns {boolean} */
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

  /**
   * Reports whether a set would lie beside another set or at an end of the row, so that no room is lost.
   * @param {number} row @param {number} col @param {number} n
   */
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

  /** Returns the rows, starting with those that gain most by closing their gaps. @returns {number[]} */
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
 * Returns the ledges of a rack of n tiles: two for up to 20 tiles, then three; on a phone as many as needed, of which
 * at most phone are visible. Gaps are given up before tiles become narrower.
 * @param {number} wide px @param {number} n @param {number} phone the most visible ledges; 0 for a tablet
 * @returns {{ cols: number, ledges: number, seen: number, w: number }}
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
