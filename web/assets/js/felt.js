// @ts-check
// The cells of the table and the slots of the rack: as many and as large as the screen allows.
import { FLOOR, ledges } from "./grid.js";
import { load, loaded } from "./load.js";
import { listed } from "./state.js";

const WORK = 48; // px, tile width in an enlarged part of a table too small for fingers

/** @param {string} selector @returns {HTMLElement | null} */
const one = (selector) => document.querySelector(selector);

const narrow = matchMedia("(max-width: 560px)");
const low = matchMedia("(max-height: 560px) and (orientation: landscape)");

const LARGE = 19; // px, the root font size from which texts take more room (large.css)

const LOW = 300; // px, the height of a screen that needs the same: the table would have no room
const WIDE = 616; // px, a row of the rack while it is not shown
/** the table's area while it is not shown */
const HIDDEN = { wide: 572, high: 952 };

/**
 * Chooses how the table is shown: as the player wishes (data-list), else as a list where text is large or the screen is
 * low. innerHeight would grow with a page that is too wide. Returns true if the view changed.
 */
export function chooseView() {
  const { clientHeight, dataset } = document.documentElement;
  const text =
    clientHeight < LOW || parseFloat(getComputedStyle(document.documentElement).fontSize) > LARGE ? "large" : "usual";
  if (dataset.text !== text) dataset.text = text;
  const wished = dataset.list ? dataset.list === "on" : text === "large";
  const list = wished && one("#set-list");
  if (list && !loaded("list")) void load("list").then((there) => there && dispatchEvent(new Event("resize")));
  const view = list && loaded("list") ? "list" : "table";
  if (dataset.view === view) return false;
  dataset.view = view;
  return true;
}

/** Creates the rack's slots for the tiles that the server rendered. @returns {import("./draft.js").Ledges} */
export function makeSlots() {
  chooseView();
  const slots = one("#rack .slots");
  if (!slots) return { cols: 14, size: 28 };
  const game = /** @type {HTMLElement} */ (one("#game"));
  const n = (game.dataset.rack || "").split(" ").filter(Boolean).length;
  const {
    cols,
    ledges: rows,
    seen,
    w,
  } = ledges(slots.clientWidth || WIDE, n, low.matches ? 3 : narrow.matches ? 4 : 0);
  const size = cols * rows;
  if (game.dataset.ledges !== String(seen)) game.dataset.ledges = String(seen);
  slots.classList.toggle("long", rows > seen);
  slots.style.setProperty("--cols", String(cols));
  slots.style.setProperty("--rows", String(rows));
  slots.style.setProperty("--seen", String(seen));
  slots.style.setProperty("--w", w + "px");
  while (slots.children.length > size && !slots.lastElementChild?.firstElementChild) slots.lastElementChild?.remove();
  while (slots.children.length < size) slots.append(place("slot", "r", slots.children.length));
  return { cols, size };
}

let below = -1;

/**
 * Returns the size of the table area in px. Also stores the foot's height in --below for layers above the page.
 * @returns {import("./grid.js").Felt}
 */
export function measure() {
  const felt = one(".felt");
  const foot = listed()
    ? innerHeight - (one("#verdict")?.getBoundingClientRect().top || 0)
    : one("#foot")?.offsetHeight || 0;
  if (foot !== below) document.body.style.setProperty("--below", (below = foot) + "px");
  if (!felt) return { wide: 1, high: 1 };
  if (listed()) return HIDDEN;
  const style = getComputedStyle(felt);
  const px = (/** @type {string} */ name) => parseFloat(style.getPropertyValue(name)) || 0;
  return {
    wide: Math.floor(felt.offsetWidth - px("padding-left") - px("padding-right")),
    high: Math.floor(felt.offsetHeight - px("padding-top") - px("padding-bottom")),
  };
}

/** Creates the cells of a grid unless they already exist. @param {import("./grid.js").Grid} grid */
export function makeCells(grid) {
  const table = one("#table");
  if (!table) return;
  const small = grid.w < FLOOR;
  table.classList.toggle("small", small);
  document.documentElement.dataset.small = String(small);
  const zoomed = small && document.documentElement.dataset.table === "large";
  const scale = zoomed ? WORK / grid.w : 1;
  for (const [name, px] of /** @type {[string, number][]} */ ([
    ["--w", grid.w],
    ["--h", grid.h],
    ["--gap", grid.gap],
  ]))
    table.style.setProperty(name, px * scale + "px");
  table.style.setProperty("--cols", String(grid.cols));
  const rows = table.querySelectorAll(".lane");
  if (rows.length === grid.rows && table.getAttribute("aria-colcount") === String(grid.cols) && !one("#table .set"))
    return;
  const kept = document.activeElement?.closest("#table .cell")?.id;
  table.setAttribute("aria-rowcount", String(grid.rows));
  table.setAttribute("aria-colcount", String(grid.cols));
  table.replaceChildren(...Array.from({ length: grid.rows }, (_, row) => lane(row, grid.cols)));
  if (kept) document.getElementById(kept)?.focus({ preventScroll: true });
}

/** @param {number} row @param {number} cols */
function lane(row, cols) {
  const made = document.createElement("div");
  made.className = "lane";
  made.setAttribute("role", "row");
  made.setAttribute("aria-rowindex", String(row + 1));
  made.append(...Array.from({ length: cols }, (_, col) => place("cell", "c", row * cols + col)));
  return made;
}

/** @param {"cell" | "slot"} kind @param {"c" | "r"} letter @param {number} n */
function place(kind, letter, n) {
  const made = document.createElement("div");
  made.className = kind;
  made.id = letter + n;
  made.setAttribute("role", "gridcell");
  made.dataset[kind === "cell" ? "at" : "slot"] = String(n);
  made.tabIndex = -1;
  return made;
}
