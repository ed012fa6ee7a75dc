// @ts-check
// Animates moved tiles. The tiles themselves are in their new places at once, so input never waits. The gliding copies
// are in a layer above that takes no input. All boxes are read before anything is written.
import { SCALE, match, moves } from "./glide.js";

/** Duration in ms of the player's own move, and of one from the server. */
const OWN = 180;
const THEIRS = 320;
const STEP = 12;
const AT_MOST = 560;
const EASE = "cubic-bezier(.2, .7, .2, 1)";

/** @typedef {import("./glide.js").Box & { num: string }} Box with the font size of its digits */

/**
 * The gliding tiles, each with its visible copy and the animation that hides the tile.
 * @type {Map<Element, { copy: HTMLElement, hide: Animation }>}
 */
const flights = new Map();
/** @type {Box[] | undefined} */
let swapped;
/** where the finger released tiles, which glide from there @type {Box[]} */
let dropped = [];

/** Returns where all tiles are visible now; undefined if nothing may be animated. @returns {Box[] | undefined} */
function boxes() {
  if (!moves()) return undefined;
  /** @type {Box[]} */
  const list = [];
  for (const grid of document.querySelectorAll("#table, #rack")) {
    let num = "";
    for (const el of /** @type {NodeListOf<HTMLElement>} */ (grid.querySelectorAll(".tile"))) {
      num ||= getComputedStyle(el).fontSize;
      const { x, y, width: w, height: h } = el.getBoundingClientRect();
      list.push({ el, face: el.dataset.face || "", x, y, w, h, num });
    }
  }
  return list;
}

/** Lets tiles glide from where they are carried. Call it before they are released. @param {Iterable<Element>} tiles */
export function letGo(tiles) {
  dropped = [];
  if (!moves()) return;
  for (const el of tiles) {
    const { x, y, width: w, height: h } = el.getBoundingClientRect();
    dropped.push({ el, face: /** @type {HTMLElement} */ (el).dataset.face || "", x, y, w, h, num: "" });
  }
}

/** @typedef {{ boxes: Box[] | undefined, time: number }} Before */

/** Returns where all tiles were before the next change, whether by the player or by the server. @returns {Before} */
export function before() {
  const was = swapped ? { boxes: swapped, time: THEIRS } : { boxes: boxes(), time: OWN };
  swapped = undefined;
  return was;
}

/**
 * Animates every tile that changed its place. If the player moved none, the page is not measured.
 * @param {Before} was @param {boolean} moved @param {boolean} [scaled] whether the tiles changed their size
 */
export function settle({ boxes: old, time }, moved, scaled = false) {
  const from = dropped;
  dropped = [];
  for (const [el, { copy }] of flights) if (!el.isConnected || copy.dataset.face !== /** @type {HTMLElement} */ (el).dataset.face) land(el);
  if (!old || (time === OWN && !moved)) return;
  const after = boxes();
  if (!after) return;
  const theirs = time > OWN && !scaled;
  for (const [k, { to, was }] of match(old, after).entries()) {
    const held = from.findIndex((b) => b.face === to.face);
    const start = held < 0 ? was : from.splice(held, 1)[0];
    fly(to, start, scaled ? SCALE : time, theirs ? Math.min(k * STEP, AT_MOST - time) : 0);
  }
}

/** Returns the layer above everything, in which copies glide. */
function layer() {
  const there = document.querySelector(".flight");
  if (there) return there;
  const made = document.createElement("div");
  made.className = "flight";
  made.setAttribute("aria-hidden", "true");
  document.body.append(made);
  return made;
}

/** Ends a tile's glide: removes the copy and shows the tile. @param {Element} el */
function land(el) {
  const flight = flights.get(el);
  if (!flight) return;
  flights.delete(el);
  flight.copy.remove();
  flight.hide.cancel();
  if (!flights.size) document.querySelector(".flight")?.remove();
}

/** @param {Box} to @param {Box | undefined} was @param {number} time @param {number} delay */
function fly(to, was, time, delay) {
  const { el } = to;
  const options = { duration: time, delay, easing: EASE, fill: /** @type {FillMode} */ ("backwards") };
  if (!was) {
    el.animate([{ opacity: 0, transform: "translateY(-8px)" }, { opacity: 1, transform: "none" }], options);
    return;
  }
  land(el);
  const copy = /** @type {HTMLElement} */ (el.cloneNode(true));
  copy.classList.remove("held", "gone");
  Object.assign(copy.style, { width: to.w + "px", height: to.h + "px", transformOrigin: "0 0" });
  copy.style.setProperty("--num", to.num);
  const end = `translate(${to.x}px, ${to.y}px)`;
  const start = `translate(${was.x}px, ${was.y}px) scale(${was.w / to.w}, ${was.h / to.h})`;
  copy.style.transform = end;
  layer().append(copy);
  const hide = el.animate([{ opacity: 0 }, { opacity: 0 }], { duration: time + delay + 50 });
  flights.set(el, { copy, hide });
  copy.animate([{ transform: start }, { transform: end }], options).onfinish = () => flights.get(el)?.copy === copy && land(el);
}

// For changes by the server, boxes are read before the swap. play.js uses them once the draft's tiles are in place.
document.getElementById("live")?.addEventListener("htmx:before:swap", () => (swapped = boxes()));
