// @ts-check
// Replays the last player's turn on request: every tile glides from its place before the turn to the one after it. The
// replay runs in a layer above the table that takes no input. It ends at any touch or update and does not change the
// draft.
import { TURN, finish, moves, replay } from "./glide.js";
import { flow } from "./grid.js";
import { buttons, draft } from "./play.js";
import { say } from "./say.js";

/**
 * @typedef {{ at: number, tiles: string[], new?: number[] }} Laid
 * @typedef {{ seat: number, kind: string, before: Laid[], after: Laid[] }} Turn
 */

/** @type {HTMLElement | undefined} */
let layer;
let asked = 0;
let timer = 0;

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
  made.className = "again-layer phase-playing";
  made.setAttribute("aria-hidden", "true");
  Object.assign(made.style, {
    left: box.left + "px",
    top: box.top + "px",
    width: box.width + "px",
    height: box.height + "px",
  });
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

/** Puts tiles into the cells that their sets have on this screen, and returns where they are. @param {Laid[]} table */
function fill(table) {
  const cells = layer?.querySelectorAll(".cell") || [];
  const at =
    flow(
      table.map((s) => s.tiles.length),
      draft.grid,
    ) || [];
  const tiles = at.flatMap((cell, k) =>
    table[k].tiles.map((face, i) => {
      const el = newTile(face);
      const fresh = !!table[k].new?.includes(i);
      el.classList.toggle("new", fresh);
      cells[cell + i]?.append(el);
      return { el, face, fresh };
    }),
  );
  return tiles.map((t) => {
    const { x, y, width: w, height: h } = t.el.getBoundingClientRect();
    return { ...t, x, y, w, h };
  });
}

export function stop() {
  asked++;
  clearTimeout(timer);
  if (!layer) return;
  finish();
  layer.remove();
  layer = undefined;
}

async function again() {
  stop();
  const number = asked;
  const game = document.getElementById("game")?.dataset.game;
  const late = new AbortController();
  const wait = setTimeout(() => late.abort(), 2500);
  /** @type {Turn | undefined} */
  let turn;
  try {
    const reply = await fetch(`/api/v1/games/${game}/turns/0`, { signal: late.signal });
    if (reply.ok) turn = await reply.json();
  } catch {
    // the line beside the button still describes the turn
  }
  clearTimeout(wait);
  say(document.getElementById("last")?.textContent || "");
  const table = document.getElementById("table");
  if (turn && number === asked && table) show(turn, table);
}

/**
 * Shows the turn. Where nothing may move, the table before it is shown for that time.
 * @param {Turn} turn @param {HTMLElement} table
 */
function show(turn, table) {
  const on = (layer = cover(table));
  const before = fill(turn.before);
  if (!moves()) {
    timer = window.setTimeout(stop, TURN);
    return;
  }
  for (const { el } of before) el.remove();
  const seat = document.getElementById("seat" + turn.seat)?.getBoundingClientRect();
  const run = replay(before, fill(turn.after), seat && { x: seat.x, y: seat.y, w: seat.width, h: seat.height });
  if (run.length) run[0].onfinish = () => layer === on && stop();
  else stop();
}

buttons.again = () => void again();
for (const name of ["pointerdown", "keydown", "wheel"])
  document.addEventListener(name, () => layer && stop(), { capture: true, passive: true });
window.addEventListener("resize", stop);
document.getElementById("live")?.addEventListener("htmx:sse:before:message", (e) => {
  if (!(/** @type {CustomEvent} */ (e).detail.message.event)) stop();
});
