// @ts-check
// The table on a screen, on its own grid. Names and sentences grow to fill their boxes.
import { MOST, SCREEN, flow, largest } from "./grid.js";

const LOW = 800; // px, shorter side of a screen whose widest tiles match a tablet's
const NUMERAL = 0.985; // of a tile's width, the font size of its digits, as in display.css
const SMALLER = 0.95; // each size tried, as a fraction of the previous one

/**
 * Where the sets of the table lie, given their lengths; undefined if they do not fit.
 * @type {(lengths: number[]) => Place[] | undefined}
 */
let places = () => undefined;

/** @typedef {{ x: number, y: number, w: number, h: number }} Place of a set's first tile, in px on the table */

/**
 * Returns where the tiles of the table lie if they form these sets, at its present scale. It returns none if they do
 * not fit.
 * @template T @param {T[][]} sets @returns {(T & Place)[]}
 */
export function placesOf(sets) {
  const first = places(sets.map((s) => s.length)) || [];
  return first.flatMap((place, k) => sets[k].map((tile, i) => ({ ...tile, ...place, x: place.x + i * place.w })));
}

/** Lays out the sets of a table as large as they fit. @param {HTMLElement} table */
function lay(table) {
  const scale = Math.max(1, Math.min(innerWidth, innerHeight) / LOW);
  const felt = { wide: Math.floor(table.clientWidth / scale), high: Math.floor(table.clientHeight / scale) };
  if (!felt.wide || !felt.high) return;
  const sets = [.../** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll(".set"))];
  const columns = (/** @type {number} */ n) => SCREEN.per * n;
  const lengths = sets.map((el) => el.querySelectorAll(".tile").length);
  const grid = largest(lengths.map(columns), felt, MOST, SCREEN);
  const w = grid.w * scale;
  const h = grid.h * scale;
  table.style.setProperty("--w", w + "px");
  table.style.setProperty("--h", h + "px");
  const column = w / SCREEN.per;
  const side = (table.clientWidth - column * grid.cols) / 2;
  const place = (/** @type {number} */ cell) => ({
    x: side + (cell % grid.cols) * column,
    y: Math.floor(cell / grid.cols) * (h + grid.gap * scale),
    w,
    h,
  });
  const all = (/** @type {number[]} */ tiles) => flow(tiles.map(columns), grid)?.map(place);
  all(lengths)?.forEach(({ x, y }, i) => Object.assign(sets[i].style, { left: x + "px", top: y + "px" }));
  if (table.id === "table") places = all;
  table.classList.add("laid");
  /** @type {HTMLElement} */ (table.closest(".stage")).style.setProperty("--numeral", NUMERAL * w + "px");
}

/**
 * Ways to break a text, each with the smallest fraction of its full size before the next one is tried: one line, two
 * lines of whole words, two lines.
 * @type {[string, string, number][]}
 */
const WAYS = [
  ["nowrap", "normal", 0.7],
  ["normal", "keep-all", 0.6],
  ["normal", "normal", 0.3],
];

/** sizes found so far @type {Map<string, [string, string, number]>} */
const known = new Map();

/** Sets a text to the largest size that fits its box. @param {HTMLElement} box */
function fit(box) {
  const text = /** @type {HTMLElement | null} */ (box.querySelector(":scope > span"));
  if (!text || !box.clientWidth) return;
  text.removeAttribute("style");
  const full = parseFloat(getComputedStyle(text).fontSize);
  const key = [text.textContent, box.clientWidth, box.clientHeight, full].join("|");
  let found = known.get(key);
  if (!found) {
    found = search(text, box, full);
    if (document.fonts.status === "loaded") known.set(key, found);
  }
  set(text, found);
}

/** @param {HTMLElement} text @param {HTMLElement} box @param {number} full @returns {[string, string, number]} */
function search(text, box, full) {
  for (const [space, words, least] of WAYS) {
    for (let size = full; size >= least * full; size *= SMALLER) {
      for (const way of [
        ["nowrap", "normal"],
        [space, words],
      ]) {
        // one line, if it is as large
        const found = /** @type {[string, string, number]} */ ([...way, size]);
        set(text, found);
        const lines = Math.round(text.offsetHeight / parseFloat(getComputedStyle(text).lineHeight));
        if (lines <= 2 && text.scrollWidth <= box.clientWidth && text.offsetHeight <= box.clientHeight) return found;
      }
    }
  }
  return ["normal", "normal", WAYS[2][2] * full];
}

/** @param {HTMLElement} text @param {[string, string, number]} found */
function set(text, [space, words, size]) {
  text.style.whiteSpace = space;
  text.style.wordBreak = words;
  text.style.fontSize = size + "px";
}

/** Lays out the visible tables and texts, after the server rendered them or the screen or its fonts changed. */
export function layOut() {
  for (const table of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".board"))) lay(table);
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".fit"))) fit(box);
}

addEventListener("resize", layOut);
document.fonts.addEventListener("loadingdone", () => {
  known.clear();
  layOut();
});
