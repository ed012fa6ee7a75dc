// @ts-check
// Ignores the second tap of a double tap: a tap at the place of the last one within the player's dead time. It must be
// imported before the modules that read taps.
import { profile } from "./profile.js";

const NEAR = 32; // px
const CLICK = 100; // ms between the end of a tap and its click
const PLACES = "button, a, label, summary, input, select, .cell, .slot";

/** the last tap that counted @type {{ x: number, y: number, at: number, el: Element | null }} */
let last = { x: 0, y: 0, at: -Infinity, el: null };
/** the fingers that count for nothing @type {Set<number>} */
const ignored = new Set();
let ended = -Infinity;
let keyAt = -Infinity;
let key = "";

/** @param {Event} e */
const placeOf = (e) => (e.target instanceof Element ? e.target.closest(PLACES) : null);

/** @param {PointerEvent} e */
function again(e) {
  if (e.timeStamp - last.at >= profile.dead) return false;
  const place = placeOf(e);
  return Math.hypot(e.clientX - last.x, e.clientY - last.y) < NEAR || (!!place && place === last.el);
}

/** @param {Event} e */
function stop(e) {
  e.stopImmediatePropagation();
  if (e.type === "click" || e.type === "keydown") e.preventDefault();
}

document.addEventListener(
  "pointerdown",
  (e) => {
    ignored.delete(e.pointerId);
    if (!again(e)) return;
    ignored.add(e.pointerId);
    stop(e);
  },
  true,
);
document.addEventListener(
  "pointerup",
  (e) => {
    if (ignored.delete(e.pointerId)) {
      ended = e.timeStamp;
      stop(e);
    } else last = { x: e.clientX, y: e.clientY, at: e.timeStamp, el: placeOf(e) };
  },
  true,
);
document.addEventListener("pointercancel", (e) => ignored.delete(e.pointerId) && stop(e), true);
document.addEventListener("click", (e) => e.detail > 0 && e.timeStamp - ended < CLICK && stop(e), true);
document.addEventListener(
  "keydown",
  (e) => {
    if ((e.key === "Enter" || e.key === " ") && !e.repeat && e.key === key && e.timeStamp - keyAt < profile.dead)
      stop(e);
  },
  true,
);
document.addEventListener(
  "keyup",
  (e) => {
    key = e.key;
    keyAt = e.timeStamp;
  },
  true,
);
