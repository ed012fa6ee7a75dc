// @ts-check
// What is under a finger stays there until the finger is lifted and the browser has said what was tapped: news that the
// server draws meanwhile waits, or a key moves away under the tap, which is then lost or meant for its neighbour.
export {}; // a module: its names are its own

const HELD = 5000; // ms after which a finger whose end nobody told is forgotten
const CLICK = 100; // ms in which the click follows

let lift = () => {};
/** @type {Promise<void>} */
let lifted = Promise.resolve();

document.addEventListener(
  "pointerdown",
  () => {
    lift();
    lifted = new Promise((done) => {
      lift = done;
      setTimeout(done, HELD);
    });
  },
  true,
);
for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => setTimeout(lift, CLICK), true);

document.getElementById("live")?.addEventListener("htmx:sse:before:message", (e) => {
  const { message, waitUntil } = /** @type {CustomEvent} */ (e).detail;
  if (!message.event) waitUntil(lifted);
});
