// @ts-check
// The pages of a list. The browser flows whole rows into columns; this module chooses how many columns there are and
// how large the text is, and shows one page's columns at a time. A name that is too long for its column shrinks to the
// size that the farthest reader needs, and is then broken. It is never cut.

/** How long a page stays, in ms. */
export const PAGE = 10_000;
const COLUMNS = 4;
const THIRDS = 3;

/** With more pages than this, rows move closer together. */
const MANY = 4;

/** The line height relative to the text: normal, close for long lists, and the widest to fill a page. */
const USUAL = 1.26;
const CLOSE = 1.06;
const WIDE = 1.7;

/** The share of names that may be smaller or broken, and how often a larger size is tried for each layout. */
const SHRUNK = 1 / 8;
const TRIES = 4;

/**
 * A layout: the columns of a page, the text size in px, the line height, the column of each row counted from the first
 * page, and how many names are broken or smaller than the others.
 * @typedef {{ columns: number, size: number, line: number, at: number[], pages: number, broken: number,
 *   shrunk: number }} Plan
 */

/**
 * The chosen layout of each list, with what it was chosen for.
 * @type {WeakMap<Element, { key: string, plan: Plan }>}
 */
let plans = new WeakMap();

/** Discards the layouts: a font was loaded. */
export function measureAgain() {
  plans = new WeakMap();
}

/** @param {Element} part @returns {HTMLElement[]} */
const namesIn = (part) => [...part.querySelectorAll(".name")].map((n) => /** @type {HTMLElement} */ (n));

/** @param {HTMLElement} list @returns {HTMLElement | null | undefined} the headings of its columns */
const capsOf = (list) => list.parentElement?.querySelector(".b-caps");

/**
 * Lays all rows out, fits the names, and returns the resulting plan.
 * @param {HTMLElement} list @param {number} columns @param {number} size @param {number} least the smallest size in px
 * @param {number} line @returns {Plan}
 */
function tryOut(list, columns, size, least, line) {
  const rows = /** @type {HTMLElement[]} */ ([...list.children]);
  const names = namesIn(list);
  list.style.setProperty("--columns", String(columns));
  list.style.setProperty("--line", String(line));
  list.style.fontSize = size + "px";
  const caps = capsOf(list);
  if (caps) {
    caps.style.setProperty("--columns", String(columns));
    caps.style.fontSize = size + "px";
    [...caps.children].forEach((cap, i) => (/** @type {HTMLElement} */ (cap).hidden = i >= columns));
  }
  list.classList.remove("one");
  list.classList.add("measure");
  for (const row of rows) row.hidden = false;
  for (const name of names) {
    name.style.fontSize = "";
    name.classList.remove("broken");
  }
  const room = names.map((n) => [n.clientWidth, n.scrollWidth]);
  list.classList.remove("measure");
  let broken = 0;
  let shrunk = 0;
  names.forEach((name, i) => {
    const [has, needs] = room[i];
    if (needs <= has) return;
    const fits = (0.985 * has) / needs;
    if (fits * size < least) {
      name.classList.add("broken");
      broken++;
    } else shrunk++;
    name.style.fontSize = Math.max(least / size, fits) + "em";
  });
  const box = list.getBoundingClientRect();
  const gap = parseFloat(getComputedStyle(list).columnGap) || 0;
  const step = (box.width + gap) / columns;
  const rtl = document.documentElement.dir === "rtl";
  const at = rows.map((row) => {
    const own = row.getBoundingClientRect();
    return Math.round((rtl ? box.right - own.right : own.left - box.left) / step);
  });
  return { columns, size, line, at, pages: Math.floor(Math.max(0, ...at) / columns) + 1, broken, shrunk };
}

/**
 * Returns the layouts at the smallest size, the best first: few pages, few broken names unless they are exceptions, and
 * about three columns.
 * @param {HTMLElement} list @param {number} least
 */
function smallest(list, least) {
  const few = namesIn(list).length * SHRUNK;
  const broken = (/** @type {Plan} */ p) => (p.broken > few ? p.broken : 0);
  const order = (/** @type {Plan} */ a, /** @type {Plan} */ b) =>
    a.pages - b.pages || broken(a) - broken(b) || Math.abs(a.columns - THIRDS) - Math.abs(b.columns - THIRDS);
  const all = (/** @type {number} */ line) =>
    Array.from({ length: COLUMNS }, (_, i) => tryOut(list, i + 1, least, least, line));
  let best = all(USUAL).sort(order);
  if (best[0].pages === 1) return best;
  const close = all(CLOSE).sort(order);
  return close[0].pages === 1 || (best[0].pages > MANY && close[0].pages < best[0].pages) ? close : best;
}

/**
 * Returns the layout with the largest text that needs no more pages and breaks no more names.
 * @param {HTMLElement} list @param {number} least @param {number} most the largest size in px
 */
function largest(list, least, most) {
  const tried = smallest(list, least);
  let best = tried[0];
  const names = namesIn(list).length;
  for (const { columns, line } of tried) {
    let low = best.size;
    let high = most;
    for (let i = 0; i < TRIES && high - low > 0.04 * least; i++) {
      const size = i ? (low + high) / 2 : most;
      const plan = tryOut(list, columns, size, least, line);
      if (plan.pages <= best.pages && plan.broken <= best.broken && plan.shrunk + plan.broken <= names * SHRUNK) {
        [best, low] = [plan, size];
      } else high = size;
    }
  }
  return spread(list, least, best);
}

/**
 * Returns a plan with its lines as far apart as its pages allow.
 * @param {HTMLElement} list @param {number} least @param {Plan} plan
 */
function spread(list, least, plan) {
  let low = plan.line;
  let high = plan.pages === 1 ? WIDE : USUAL;
  for (let i = 0; i < TRIES && high - low > 0.01; i++) {
    const line = (low + high) / 2;
    if (tryOut(list, plan.columns, plan.size, least, line).pages > plan.pages) high = line;
    else low = line;
  }
  return tryOut(list, plan.columns, plan.size, least, low);
}

/**
 * Lays out a list and returns its plan.
 * @param {HTMLElement} list @param {number} least the smallest text in px @returns {Plan}
 */
export function planOf(list, least) {
  const room = /** @type {HTMLElement} */ (list.parentElement).getBoundingClientRect();
  const key = [room.width, room.height, least, list.textContent].join(" ");
  const known = plans.get(list);
  let plan = known?.plan;
  if (!plan || known?.key !== key) {
    plan = largest(list, least, least * (Number(list.dataset.most) || 1));
  } else if (!list.style.fontSize) {
    plan = tryOut(list, plan.columns, plan.size, least, plan.line); // an update from the server removed the layout
  }
  plans.set(list, { key, plan });
  return plan;
}

/**
 * Shows one page of a list and returns its first and last row, counted from 1.
 * @param {HTMLElement} list @param {Plan} plan @param {number} page
 */
export function showPage(list, plan, page) {
  const rows = /** @type {HTMLElement[]} */ ([...list.children]);
  const first = page * plan.columns;
  const shown = (/** @type {number} */ i) => plan.at[i] >= first && plan.at[i] < first + plan.columns;
  rows.forEach((row, i) => (row.hidden = !shown(i)));
  list.classList.toggle("one", plan.pages === 1);
  head(list, plan, first);
  const from = rows.findIndex((_, i) => shown(i));
  return { from: from + 1, to: from + rows.filter((_, i) => shown(i)).length };
}

/**
 * Sets the headings of the columns. Those of names are the letters from which to which a column goes.
 * @param {HTMLElement} list @param {Plan} plan @param {number} first the page's first column
 */
function head(list, plan, first) {
  const caps = capsOf(list);
  if (!caps) return;
  const names = caps.matches(".b-letters") ? namesIn(list).map((n) => n.textContent || "") : [];
  [...caps.children].forEach((cap, i) => {
    const rows = plan.at.flatMap((column, row) => (column === first + i ? [row] : []));
    /** @type {HTMLElement} */ (cap).hidden = i >= plan.columns || !rows.length;
    if (names.length && rows.length) cap.textContent = letters(names, rows[0], rows[rows.length - 1]);
  });
}

/**
 * The letters of a name that distinguish it from a neighbour, at most three.
 * @param {string} name @param {string} [other]
 */
function start(name, other = "") {
  const own = [...name];
  const its = [...other];
  let n = 1;
  while (n < 3 && its.length && own.slice(0, n).join("") === its.slice(0, n).join("")) n++;
  return own.slice(0, n).join("").trim();
}

/** @param {string[]} names @param {number} from @param {number} to */
function letters(names, from, to) {
  const [low, high] = [start(names[from], names[from - 1]), start(names[to], names[to + 1])];
  return low === high ? low : low + " – " + high;
}
