// @ts-check
// What every screen of a hall has: it says when it is not live, stays awake, and moves a little when nothing else does.
import "./awake.js";

/** How long nothing must change until the screen moves, in ms. */
const STATIC = 600_000;
const MINUTE = 60_000;

export const stage = /** @type {HTMLElement} */ (document.querySelector(".stage"));
const live = document.getElementById("live");
const link = document.getElementById("link"); // none on a page that does not change

/** The stream that is open. @type {any} */
let connection;
live?.addEventListener("htmx:sse:after:connection", (e) => (connection = /** @type {CustomEvent} */ (e).detail.connection));

/** A clock that hears nothing is wrong: it is hidden while the link is lost. A stream that is silent is given up at once, for a new one. */
function watchLink() {
  if (!link) return;
  const mirror = () => {
    const lost = link.classList.contains("lost");
    stage.classList.toggle("lost", lost);
    if (!lost) return;
    connection?.reader?.cancel();
    connection = undefined;
  };
  new MutationObserver(mirror).observe(link, { attributes: true, attributeFilter: ["class"] });
  mirror();
}

let changedAt = Date.now();

/** Says that the screen shows something else now. */
export function changed() {
  changedAt = Date.now();
}

/** Where the screen is after so many minutes without a change: 2 px a minute, there and back, inside the free edge. @param {number} minutes */
function shifted(minutes) {
  const wave = (/** @type {number} */ m, /** @type {number} */ least) => 2 * (Math.abs(((m + 3 * least) % (4 * least)) - 2 * least) - least);
  return { x: wave(minutes, 6), y: wave(minutes, 4) };
}

/** Moves a screen that has long been the same, so that nothing burns in. */
export function shift() {
  const still = Date.now() - changedAt;
  const at = still > STATIC ? shifted(Math.max(0, Math.floor((still - STATIC) / MINUTE) + 1)) : { x: 0, y: 0 };
  stage.style.setProperty("--shift-x", String(at.x));
  stage.style.setProperty("--shift-y", String(at.y));
}

watchLink();
