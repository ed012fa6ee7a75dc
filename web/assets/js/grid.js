// @ts-check
// The table area of one screen as a grid: how large its tiles are, and in which cell each set lies. It does not depend
// on a page. Every screen lays the sets in the same order, left to right and top to bottom; only the size of the tiles
// and the ends of the rows differ.

export const MOST = 96; // px, the widest tile
export const FLOOR = 44; // px, the narrowest tile that a finger can hit
const STEP = 4;
const LEAST = 8;

/** The height of a tile for a width of 1. */
const HIGH = 1.4;
/** px, the widest tile of a screen that gives up the size of its sign: its digits are 8 mm high on a 10-inch tablet */
const DIGITS = 76;
/**
 * The least height of a screen's tile: the digits take 0.65 of the width, the sign and its margins 19 px.
 * @param {number} w px
 */
const least = (w) => Math.max(0.938, 0.65 + 19 / w);

/**
 * @typedef {object} Shape how a screen uses its area: the usual shape is that of a tablet
 * @property {number} per columns for the width of a tile, so that the gap between sets can be a part of it
 * @property {(w: number) => number[]} highs heights of a tile for a width of 1, the preferred one first
 * @property {number} spare free columns at the end, kept for the next set
 */

/**
 * At the narrowest width for a finger, taller tiles are tried first and flatter ones last.
 * @type {Shape}
 */
const TABLET = { per: 1, highs: (w) => (w === FLOOR ? [1.5, HIGH, 1.25] : [HIGH]), spare: 5 };
/** A screen without a player shows tiles as large as possible. @type {Shape} */
export const SCREEN = { per: 2, highs: (w) => [HIGH, 1.25, 1.1, ...(w > DIGITS ? [] : [1, least(w)])], spare: 0 };

/**
 * @typedef {{ w: number, h: number, gap: number, cols: number, rows: number }} Grid w and h of a tile and the gap
 * between rows, in px
 */
/** @typedef {{ wide: number, high: number }} Felt in px */

/**
 * Returns the grid for tiles of one width.
 * @param {Felt} felt @param {number} w @param {number} [high] @param {number} [per] columns for the width of a tile
 * @returns {Grid}
 */
export function gridOf(felt, w, high = HIGH, per = 1) {
  const gap = high < HIGH || w < FLOOR ? 3 : 6;
  const rows = Math.floor((felt.high + gap) / (high * w + gap));
  const h = Math.max(high * w, Math.min(HIGH * w, (felt.high + gap) / Math.max(1, rows) - gap));
  const air = rows > 1 ? (felt.high - rows * h) / (rows - 1) : gap;
  return {
    w,
    h: Math.floor(h),
    gap: Math.max(gap, Math.min(14, Math.floor(air))),
    cols: Math.floor((per * felt.wide) / w),
    rows,
  };
}

/**
 * Returns the grid with the widest tiles at which sets of these lengths fit in their order, with room for the next one.
 * That room is given up before tiles become too narrow for a finger.
 * @param {number[]} lengths in columns @param {Felt} felt @param {number} [most] @param {Shape} [shape] @returns {Grid}
 */
export function largest(lengths, felt, most = MOST, { per, highs, spare } = TABLET) {
  for (let w = most; w >= LEAST; w -= STEP) {
    for (const more of w === FLOOR ? [[spare], []] : [[spare]]) {
      for (const high of highs(w)) {
        const grid = gridOf(felt, w, high, per);
        if (flow([...lengths, ...more.filter(Boolean)], grid)) return grid;
      }
    }
  }
  return gridOf(felt, LEAST, HIGH, per);
}

/**
 * Returns the first cell of each set: the sets one after the other, with an empty cell between them, none across the
 * end of a row. A set may want a later cell than the next free one.
 * @param {number[]} lengths @param {Grid} grid @param {number[]} [wants] -1 for none
 * @param {boolean} [strict] whether every set must stay in the row that it wants
 * @returns {number[] | undefined} undefined if they do not fit
 */
export function flow(lengths, { cols, rows }, wants = [], strict = false) {
  let next = 0;
  /** @type {number[]} */
  const cells = [];
  for (const [i, n] of lengths.entries()) {
    const want = wants[i] ?? -1;
    const rest = cols - (next % cols);
    let at = n > rest ? next + rest : next;
    if (want > at && (want % cols) + n <= cols) at = want;
    if (n > cols || at + n > cols * rows) return undefined;
    if (strict && want >= 0 && Math.floor(at / cols) !== Math.floor(want / cols)) return undefined;
    cells.push(at);
    next = at + n;
    if (next % cols) next++;
  }
  return cells;
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
