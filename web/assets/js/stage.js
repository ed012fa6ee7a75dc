// @ts-check
// Common behaviour of all screens of a hall: a screen shows when it is not live, stays awake, and moves slightly when
// nothing else changes.
import "./awake.js";

/** How long a screen must stay unchanged before it moves, in ms. */
const STATIC = 600_000;
const MINUTE = 60_000;

export const stage = /** @type {HTMLElement} */ (document.querySelector(".stage"));
const live = document.getElementById("live");
const link = document.getElementById("link"); // missing on a static page

/** The open stream. @type {any} */
let connection;
live?.addEventListener("htmx:sse:after:connection", (e) => (connection = /** @type {CustomEvent} */ (e).detail.connection));

/**
 * Hides the clocks while the link is lost, because they would be wrong. A silent stream is cancelled at once, so that a
 * new one can start.
 */
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

/** Records that the screen changed. */
export function changed() {
  changedAt = Date.now();
}

/**
 * Returns the screen's offset after some minutes without a change: 2 px a minute, back and forth within the margin.
 * @param {number} minutes
 */
function shifted(minutes) {
  const wave = (/** @type {number} */ m, /** @type {number} */ least) => 2 * (Math.abs(((m + 3 * least) % (4 * least)) - 2 * least) - least);
  return { x: wave(minutes, 6), y: wave(minutes, 4) };
}

/** Moves a screen that has been unchanged for long, to prevent burn-in. */
export function shift() {
  const still = Date.now() - changedAt;
  const at = still > STATIC ? shifted(Math.max(0, Math.floor((still - STATIC) / MINUTE) + 1)) : { x: 0, y: 0 };
  stage.style.setProperty("--shift-x", String(at.x));
  stage.style.setProperty("--shift-y", String(at.y));
}

watchLink();
