// @ts-check
// What is under a finger stays there until the finger is lifted and the browser has said what was tapped: news that the
// server draws meanwhile waits, or a key moves away under the tap, which is then lost or meant for its neighbour. Where the page
// moves all the same (a bar that says that the hall is out of reach, news that was being drawn), what the finger was put on is tapped.
export {}; // a module: its names are its own

const HELD = 5000; // ms after which a finger whose end nobody told is forgotten
const CLICK = 100; // ms in which the click follows
const KEYS = "a, button, summary, label, input, select, textarea";

let lift = () => {};
/** @type {Promise<void>} */
let lifted = Promise.resolve();
/** what the finger was put on @type {Element | null} */
let touched = null;

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
document.addEventListener("pointerup", () => setTimeout(lift, CLICK), true);
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
    const meant = touched;
    touched = null;
    if (!meant || keyOf(e.target) === meant) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    if (meant instanceof HTMLElement && meant.isConnected) meant.click();
  },
  true,
);

/** The key that a point of the page belongs to. @param {EventTarget | null} at */
function keyOf(at) {
  return at instanceof Element ? at.closest(KEYS) : null;
}

document.getElementById("live")?.addEventListener("htmx:sse:before:message", (e) => {
  const { message, waitUntil } = /** @type {CustomEvent} */ (e).detail;
  if (!message.event) waitUntil(lifted);
});
