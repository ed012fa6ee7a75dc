// @ts-check
// The pages of a list: as many columns as the longest row allows, and whole rows only. Rows move closer together if
// that makes all pages fit into a minute.

/** How long a page stays, in ms, and how many pages fit into a minute. */
export const PAGE = 10_000;
const MINUTE = 6;
const COLUMNS = 4;

/** The line height relative to the text: normal, and close for long lists. */
const USUAL = 1.24;
const CLOSE = 1.06;

/** @typedef {{ columns: number, rows: number, pages: number, count: number }} Plan */

/**
 * The measured size of each list's rows, by the list's contents.
 * @type {WeakMap<Element, Map<string, { width: number, height: number }>>}
 */
let measured = new WeakMap();
const KEPT = 4;

/** Discards the measurements: the loaded font may be wider than its fallback. */
export function measureAgain() {
  measured = new WeakMap();
}

/** @param {Element} part @returns {HTMLElement[]} */
const namesIn = (part) => [...part.querySelectorAll(".name")].map((n) => /** @type {HTMLElement} */ (n));

/**
 * Returns how far a name may shrink to fit. East Asian characters are then as high as other scripts' small letters.
 * @param {Element} name
 */
const leastOf = (name) => (/[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/.test(name.textContent || "") ? 0.6 : 1);

/** Shrinks a name to fit its box, within its limit. @param {HTMLElement} name */
function fitName(name) {
  const least = leastOf(name);
  name.style.fontSize = "";
  if (least === 1 || name.scrollWidth <= name.clientWidth) return;
  const size = Math.max(least, (0.98 * name.clientWidth) / name.scrollWidth);
  name.style.fontSize = size + "em";
  // With text positioned on whole pixels, small letters are wider than their share of the large ones measured before.
  if (name.scrollWidth > name.clientWidth) name.style.fontSize = (size * name.clientWidth) / name.scrollWidth + "em";
}

/** Returns the size of the widest and the highest row of a list. @param {HTMLElement} list @param {string} key */
function measure(list, key) {
  const all = measured.get(list) || new Map();
  const known = all.get(key);
  if (known) return known;
  for (const row of list.children) /** @type {HTMLElement} */ (row).hidden = false;
  for (const name of namesIn(list)) name.style.fontSize = "";
  list.classList.add("measure");
  let width = 0;
  let height = 0;
  for (const row of list.children) {
    const box = row.getBoundingClientRect();
    let name = 0;
    let least = 0;
    for (const n of namesIn(row)) {
      const wide = n.getBoundingClientRect().width;
      name = Math.max(name, wide);
      least = Math.max(least, wide * leastOf(n));
    }
    width = Math.max(width, box.width - name + least);
    height = Math.max(height, box.height);
  }
  list.classList.remove("measure");
  if (all.size >= KEPT) all.clear();
  measured.set(list, all.set(key, { width, height }));
  return { width, height };
}

/**
 * Distributes the remaining room among close lines.
 * @param {HTMLElement} list @param {number} line @param {number} left the available height relative to the used one
 */
function spread(list, line, left) {
  if (line < USUAL) list.style.setProperty("--line", String(Math.max(line, Math.min(USUAL, line * left * 0.985))));
}

/**
 * Computes a list's layout at a line height.
 * @param {HTMLElement} list @param {number} font @param {number} line @param {DOMRect} room
 */
function tryLine(list, font, line, room) {
  list.style.setProperty("--line", String(line));
  const count = list.children.length;
  const need = measure(list, [list.textContent?.length, count, font, room.width, line].join(" "));
  const columns = Math.max(1, Math.min(COLUMNS, Math.floor((room.width + font + 1) / (need.width + font))));
  const rows = Math.max(1, Math.floor((room.height + 1) / need.height));
  return { columns: Math.min(columns, Math.max(1, Math.ceil(count / rows))), rows, pages: Math.max(1, Math.ceil(count / (rows * columns))), count, high: rows * need.height };
}

/**
 * Lays out a list and returns its plan.
 * @param {HTMLElement} list @param {number} font its size in px @returns {Plan}
 */
export function planOf(list, font) {
  const room = list.getBoundingClientRect();
  let plan = tryLine(list, font, USUAL, room);
  if (plan.pages > MINUTE) {
    const close = tryLine(list, font, CLOSE, room);
    if (close.pages <= MINUTE) {
      plan = close;
      spread(list, CLOSE, room.height / plan.high);
    } else plan = tryLine(list, font, USUAL, room);
  }
  list.style.setProperty("--columns", String(plan.columns));
  list.style.setProperty("--rows", String(Math.min(plan.rows, Math.ceil(plan.count / plan.columns) || 1)));
  if (list.parentElement) {
    list.parentElement.style.setProperty("--columns", String(plan.columns));
    list.parentElement.dataset.columns = String(plan.columns);
  }
  return plan;
}

/**
 * Shows one page of a list and returns its first and last row, counted from 1.
 * @param {HTMLElement} list @param {Plan} plan @param {number} page
 */
export function showPage(list, plan, page) {
  const each = plan.rows * plan.columns;
  const from = page * each;
  [...list.children].forEach((row, i) => (/** @type {HTMLElement} */ (row).hidden = i < from || i >= from + each));
  for (const name of namesIn(list)) if (name.offsetParent) fitName(name);
  return { from: Math.min(from + 1, plan.count), to: Math.min(from + each, plan.count) };
}
