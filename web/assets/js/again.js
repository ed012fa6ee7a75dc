// @ts-check
// Replays the last player's turn: the table before it, then every tile gliding to its new place. The replay runs in a
// layer above the table that takes no input. It ends at any touch or update and does not change the draft.
import { flow } from "./grid.js";
import { buttons, draft } from "./play.js";
import { say } from "./say.js";

/** In ms: the time before the tiles glide, the glide, and the time after it. */
const BEFORE = 400;
const GLIDE = 800;
const AFTER = 1000;

/**
 * @typedef {{ at: number, tiles: string[], new?: number[] }} Laid
 * @typedef {{ seat: number, kind: string, before: Laid[], after: Laid[] }} Turn
 * @typedef {{ at: number, face: string, fresh: boolean }} Spot
 */

const still = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {HTMLElement | undefined} */
let layer;
let asked = 0;
/** @type {number[]} */
let timers = [];

/** @param {Laid[]} table @returns {Spot[]} */
function spots(table) {
  return table.flatMap((set) => set.tiles.map((face, i) => ({ at: set.at + i, face, fresh: (set.new || []).includes(i) })));
}

/** Returns the sets with their cells on this screen. @param {Laid[]} table @returns {Laid[]} */
function seen(table) {
  const cells = flow(table.map((s) => s.tiles.length), draft.grid) || [];
  return cells.map((at, k) => ({ ...table[k], at }));
}

/**
 * Returns where each tile of the table after the turn lay before it; -1 for a tile from the rack.
 * @param {Spot[]} before @param {Spot[]} after @returns {number[]}
 */
export function origins(before, after) {
  const left = [...before];
  const take = (/** @type {(s: Spot) => boolean} */ fits) => {
    const k = left.findIndex(fits);
    return k < 0 ? -1 : left.splice(k, 1)[0].at;
  };
  const from = after.map((s) => (s.fresh ? -1 : take((b) => b.at === s.at && b.face === s.face)));
  return after.map((s, i) => (s.fresh || from[i] >= 0 ? from[i] : take((b) => b.face === s.face)));
}

/** Adds an empty copy of the table exactly above it. @param {HTMLElement} table */
function cover(table) {
  const box = table.getBoundingClientRect();
  const copy = /** @type {HTMLElement} */ (table.cloneNode(true));
  for (const el of copy.querySelectorAll(".tile, .tag")) el.remove();
  for (const el of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of ["id", "role", "tabindex", "data-at", "aria-label"]) el.removeAttribute(name);
    el.classList.remove("aim", "grip");
  }
  const made = document.createElement("div");
  made.className = "again-layer";
  made.setAttribute("aria-hidden", "true");
  Object.assign(made.style, { left: box.left + "px", top: box.top + "px", width: box.width + "px", height: box.height + "px" });
  made.append(copy);
  document.body.append(made);
  return made;
}

/** @param {string} face */
function newTile(face) {
  const like = document.querySelector(`.tile[data-face="${face}"]`);
  const tile = /** @type {HTMLElement} */ (like ? like.cloneNode(true) : document.createElement("span"));
  tile.className = `tile ${face[0]}`;
  return tile;
}

/** @param {HTMLElement} on @param {string} text */
function title(on, text) {
  let p = on.querySelector("p");
  if (!p) on.prepend((p = document.createElement("p")));
  p.textContent = text;
}

export function stop() {
  asked++;
  for (const t of timers) clearTimeout(t);
  timers = [];
  layer?.remove();
  layer = undefined;
}

async function again() {
  stop();
  const number = asked;
  const game = document.getElementById("game")?.dataset.game;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), 2500);
  /** @type {Turn | undefined} */
  let turn;
  try {
    const reply = await fetch(`/api/v1/games/${game}/turns/0`, { signal: late.signal });
    if (reply.ok) turn = await reply.json();
  } catch {
    // the line beside the button still describes the turn
  }
  clearTimeout(timer);
  say(document.getElementById("last")?.textContent || "");
  const table = document.getElementById("table");
  if (!turn || number !== asked || !table) return;
  show(turn, table);
}

/** @param {Turn} turn @param {HTMLElement} table */
function show(turn, table) {
  const words = document.getElementById("words")?.dataset || {};
  const before = spots(seen(turn.before));
  const after = spots(seen(turn.after));
  const on = (layer = cover(table));
  const cells = on.querySelectorAll(".cell");
  /** @type {Map<number, HTMLElement>} */
  const lying = new Map();
  for (const s of before) {
    const tile = newTile(s.face);
    cells[s.at]?.append(tile);
    lying.set(s.at, tile);
  }
  title(on, words.was || "");
  const goOn = () => {
    const from = origins(before, after);
    const seat = document.getElementById("seat" + turn.seat)?.getBoundingClientRect();
    const moved = after.map((s, i) => ({ s, tile: (from[i] >= 0 && lying.get(from[i])) || newTile(s.face), from: from[i] }));
    const boxes = moved.map((m) => (m.from >= 0 ? m.tile.getBoundingClientRect() : seat));
    for (const m of moved) {
      m.tile.classList.toggle("new", m.s.fresh);
      cells[m.s.at]?.append(m.tile);
    }
    title(on, words.is || "");
    if (!still.matches) moved.forEach((m, i) => glide(m.tile, boxes[i]));
  };
  timers = [window.setTimeout(goOn, still.matches ? 2 * BEFORE : BEFORE), window.setTimeout(stop, BEFORE + GLIDE + AFTER)];
}

/** @param {HTMLElement} tile @param {DOMRect | undefined} from */
function glide(tile, from) {
  const to = tile.getBoundingClientRect();
  if (!from || !tile.animate || (Math.abs(from.x - to.x) < 1 && Math.abs(from.y - to.y) < 1)) return;
  tile.style.zIndex = "5";
  const x = from.x + from.width / 2 - to.x - to.width / 2;
  const y = from.y + from.height / 2 - to.y - to.height / 2;
  tile.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: GLIDE, easing: "cubic-bezier(.3, .6, .2, 1)" });
}

buttons.again = () => void again();
for (const name of ["pointerdown", "keydown", "wheel"]) document.addEventListener(name, () => layer && stop(), { capture: true, passive: true });
window.addEventListener("resize", stop);
document.getElementById("live")?.addEventListener("htmx:sse:before:message", (e) => {
  if (!(/** @type {CustomEvent} */ (e).detail.message.event)) stop();
});
