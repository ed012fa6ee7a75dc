// @ts-check
// A hand that holds the tablet may rest a finger on it. Browsers then send no click for any other finger, so this
// module sends it.

import { profile } from "./profile.js";

const KEYS = "a, button, summary, label, input, select";
const TWICE = 500; // ms in which the browser's own click counts as a duplicate

/**
 * The control under each finger except the first, and where it came down.
 * @type {Map<number, [HTMLElement, PointerEvent]>}
 */
const downs = new Map();
/** @type {{ key: HTMLElement, at: number } | undefined} */
let made;

/** @param {EventTarget | null} at @returns {HTMLElement | null} */
const keyOf = (at) => (at instanceof Element ? at.closest(KEYS) : null);

document.addEventListener("pointerdown", (e) => {
  const key = e.isPrimary || e.pointerType === "mouse" ? null : keyOf(e.target);
  if (key) downs.set(e.pointerId, [key, e]);
});
document.addEventListener("pointercancel", (e) => downs.delete(e.pointerId));
document.addEventListener("pointerup", (e) => {
  const [key, down] = downs.get(e.pointerId) || [];
  downs.delete(e.pointerId);
  if (!key || !down || e.defaultPrevented) return;
  const near = Math.hypot(e.clientX - down.clientX, e.clientY - down.clientY) < profile.slop;
  if (!near && keyOf(document.elementFromPoint(e.clientX, e.clientY)) !== key) return;
  made = { key, at: e.timeStamp };
  key.click();
});
document.addEventListener(
  "click",
  (e) => {
    if (!e.isTrusted || !made || keyOf(e.target) !== made.key || e.timeStamp - made.at > TWICE) return;
    made = undefined;
    e.preventDefault();
    e.stopImmediatePropagation();
  },
  true,
);
