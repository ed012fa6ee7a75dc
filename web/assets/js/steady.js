// @ts-check
// The page stays still under a finger until the finger is lifted and the browser has sent the click. Updates from the
// server wait meanwhile; otherwise a button could move away and the tap would be lost or hit its neighbour. If the page
// moves anyway (a bar about a lost connection, or an update already being rendered), the element under the finger at
// the start gets the tap.
export {}; // makes this file a module with its own scope

const HELD = 5000; // ms after which a finger without an end event is dropped
const CLICK = 100; // ms within which the click follows
const LATE = 700; // ms after which a click belongs to no finger
const KEYS = "a, button, summary, label, input, select, textarea";

let lift = () => {};
/** @type {Promise<void>} */
let lifted = Promise.resolve();
/** the control that the finger came down on @type {Element | null} */
let touched = null;
let ended = -Infinity;

document.addEventListener(
  "pointerdown",
  (e) => {
    touched = e.isPrimary && e.pointerType !== "mouse" ? keyOf(e.target) : null;
    lift();
    lifted = new Promise((done) => {
      lift = done;
      setTimeout(done, HELD);
    });
  },
  true,
);
document.addEventListener(
  "pointerup",
  (e) => {
    ended = e.timeStamp;
    setTimeout(lift, CLICK);
  },
  true,
);
document.addEventListener(
  "pointercancel",
  () => {
    touched = null;
    setTimeout(lift, CLICK);
  },
  true,
);

document.addEventListener(
  "click",
  (e) => {
    const meant = e.timeStamp - ended < LATE ? touched : null;
    touched = null;
    if (!meant || keyOf(e.target) === meant) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    if (meant instanceof HTMLElement && meant.isConnected) meant.click();
  },
  true,
);

/** Returns the control at a point of the page. @param {EventTarget | null} at */
function keyOf(at) {
  return at instanceof Element ? at.closest(KEYS) : null;
}

document.getElementById("live")?.addEventListener("htmx:sse:before:message", (e) => {
  const { message, waitUntil } = /** @type {CustomEvent} */ (e).detail;
  if (!message.event) waitUntil(lifted);
});
