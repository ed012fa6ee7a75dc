// @ts-check
// Puts the tiles where the draft has them, and renders what belongs to them: handles, labels under sets, buttons.
import { makeCells } from "./felt.js";
import { grips } from "./layout.js";
import { before, settle } from "./motion.js";
import { drawLine } from "./line.js";
import { draft, free, live, opened, root, state, words } from "./state.js";

/** @type {HTMLElement[]} */
let cells = [];
/** @type {HTMLElement[]} */
let slots = [];
/** the sets that an empty cell or slot picks up whole @type {Map<number, number[]>} */
let handles = new Map();
/** @type {Map<number, number[]>} */
let planHandles = new Map();

/** the visible grid @type {import("./grid.js").Grid | undefined} */
let drawn;

/** places whose contents are raised @type {HTMLElement[]} */
let raised = [];

/** @param {string} selector @returns {HTMLElement[]} */
const all = (selector) => [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector))];

/** Creates and looks up the places of the draft's grid, after the server rendered the page or the scale changed. */
export function lookUp() {
  makeCells(draft.grid);
  drawn = draft.grid;
  cells = all("#table .cell");
  slots = all("#rack .slot");
}

/** Returns the set that an empty place picks up whole. @param {HTMLElement} el @returns {number[] | undefined} */
export function gripped(el) {
  return el.matches(".slot") ? planHandles.get(Number(el.dataset.slot)) : handles.get(Number(el.dataset.at));
}

export function draw() {
  if (!root()) return;
  draft.rack.settle();
  const was = before();
  const scaled = drawn !== draft.grid;
  if (scaled) lookUp();
  const table = draft.blocks();
  const rack = draft.rack.blocks();
  const moved = drawTiles();
  const loose = opened() ? table : table.filter((b) => b.ids.every((i) => draft.pieces[i].rack));
  handles = grips(loose, draft.grid.cols);
  planHandles = grips(rack.filter((b, k) => planned(b, rack[k - 1])), draft.rack.cols);
  drawGrips(cells, draft.mine && !state.held.length ? handles : undefined);
  drawGrips(slots, state.held.length ? undefined : planHandles);
  root().classList.toggle("hand-full", state.held.length > 0);
  drawTags(table);
  drawPlans();
  drawButtons();
  drawLine();
  live.dispatchEvent(new Event("drawn"));
  rest(cells);
  rest(slots);
  settle(was, moved || scaled, scaled);
}

/**
 * Reports whether rack tiles are a set, or the beginning of one, that can be picked up whole. Long groups, such as
 * tiles as dealt, are not.
 * @param {import("./layout.js").Block} b @param {import("./layout.js").Block | undefined} before
 */
function planned(b, before) {
  const goesOn = !!before && before.at + before.ids.length === b.at; // continued from the row above
  return state.plans.has(b.at) || (b.ids.length > 1 && b.ids.length < 5 && !goesOn);
}

/** @returns {boolean} whether a tile moved */
function drawTiles() {
  let moved = false;
  const held = new Set(state.held);
  for (const el of raised) el.classList.remove("up");
  raised = state.held.flatMap((i) => placeOf(draft.pieces[i]) || []);
  draft.pieces.forEach((p, i) => {
    const to = placeOf(p);
    if (to && p.el.parentElement !== to) {
      to.append(p.el);
      moved = true;
    }
    p.el.classList.toggle("held", held.has(i));
    p.el.classList.toggle("laid", p.rack && p.at >= 0);
  });
  raise(raised);
  return moved;
}

/** @param {import("./draft.js").Piece} p @returns {HTMLElement | undefined} */
const placeOf = (p) => (p.at >= 0 ? cells[p.at] : slots[p.slot]);

/** Lets raised contents overlap neighbouring places. @param {HTMLElement[]} places */
function raise(places) {
  for (const el of places) el.classList.add("up");
}

/** @param {HTMLElement[]} places @param {Map<number, number[]> | undefined} map */
function drawGrips(places, map) {
  places.forEach((el, at) => {
    const grip = !!map?.has(at);
    if (grip === el.classList.contains("grip")) return;
    el.classList.toggle("grip", grip);
    if (grip) el.setAttribute("aria-label", words.grip);
    else el.removeAttribute("aria-label");
  });
}

/** Labels the sets that changed in this turn. @param {import("./layout.js").Block[]} table */
function drawTags(table) {
  const lanes = document.querySelectorAll("#table .lane");
  const old = all("#table .tag");
  for (const [k, b] of table.entries()) {
    const v = state.verdicts[k];
    if (!v || draft.setWas(b) || b.ids.every((i) => state.held.includes(i))) continue;
    const tag = old.shift() || newTag();
    tag.className = "tag " + (v.ok ? "good" : "bad");
    tag.textContent = (v.ok ? "✓ " : "! ") + v.word;
    tag.style.left = (((b.at % draft.grid.cols) + b.ids.length / 2) / draft.grid.cols) * 100 + "%";
    lanes[Math.floor(b.at / draft.grid.cols)]?.append(tag);
  }
  for (const tag of old) tag.remove();
}

/** Highlights the invalid sets for a while. */
export function pointOut() {
  const bad = draft.blocks().filter((_, k) => state.verdicts[k]?.ok === false);
  for (const { el } of bad.flatMap((b) => b.ids.map((i) => draft.pieces[i]))) {
    el.classList.add("wrong");
    setTimeout(() => el.classList.remove("wrong"), 2500);
  }
}

/** Shows a label and the points under each valid planned set, and their total. */
function drawPlans() {
  const old = all("#rack .tag");
  for (const b of draft.rack.blocks()) {
    const plan = state.plans.get(b.at);
    if (!plan) continue;
    const tag = old.shift() || newTag();
    tag.className = "tag good";
    tag.textContent = `${plan.word} ✓ ${plan.points}`;
    tag.style.setProperty("--of", String(b.ids.length));
    slots[b.at]?.append(tag);
    raise([slots[b.at]]);
    raised.push(slots[b.at]);
  }
  for (const tag of old) tag.remove();
  const sum = document.getElementById("plan");
  if (!sum) return;
  if (sum.textContent !== state.plan) sum.textContent = state.plan;
  sum.hidden = !state.plan;
}

function newTag() {
  const tag = document.createElement("span");
  tag.setAttribute("aria-hidden", "true");
  return tag;
}

function drawButtons() {
  /** @param {string} id @param {boolean} on */
  const enable = (id, on) => {
    const b = /** @type {HTMLButtonElement | null} */ (document.getElementById(id));
    if (b && b.disabled === on) b.disabled = !on;
  };
  enable("undo", free() && (draft.past.length > 0 || state.held.length > 0));
  enable("reset", free() && draft.moved);
  enable("play", free() && draft.played > 0);
  document.getElementById("play")?.classList.toggle("unsure", !state.legal);
  enable("draw", free());
  enable("pass", free());
}

/** Sets one place in the tab order: the last one focused, or the first tile. @param {HTMLElement[]} places */
function rest(places) {
  if (!places.length || places.some((el) => el.tabIndex === 0)) return;
  const first = places.find((el) => el.id === (state.at[el.id[0]] ?? "")) || places.find((el) => el.firstElementChild) || places[0];
  first.tabIndex = 0;
}
