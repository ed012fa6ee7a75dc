// @ts-check
// The page's one stream: says whether it is alive, and wakes it when a dead network gives no sign.
import { scan, sync } from "./clock.js";

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const link = document.getElementById("link");
const quiet = 1000 * Number(live.dataset.quiet || 20);

let heard = performance.now();
let woken = heard;
let lostAt = "";
/** @type {any} */
let connection = null;

/** @param {"live" | "wait" | "lost"} state */
function show(state) {
  if (!link) return;
  if (state === "lost" && !lostAt) lostAt = new Date().toLocaleTimeString(document.documentElement.lang, { hour12: false });
  if (state === "live") lostAt = "";
  const text = (link.dataset[state] || "").replace("{time}", lostAt);
  const span = link.querySelector("span");
  if (span && span.textContent !== text) span.textContent = text;
  link.classList.toggle("live", state === "live");
  link.classList.toggle("lost", state === "lost");
}

function alive() {
  heard = performance.now();
  show("live");
}

live.addEventListener("htmx:sse:after:connection", (e) => {
  connection = /** @type {CustomEvent} */ (e).detail.connection;
  alive();
});
live.addEventListener("htmx:sse:before:message", alive);
live.addEventListener("htmx:sse:error", () => show("lost"));
live.addEventListener("ping", (e) => {
  sync(Number(/** @type {CustomEvent} */ (e).detail?.data));
  alive();
});
live.addEventListener("htmx:after:swap", scan);

setInterval(() => {
  if (document.hidden) return;
  const silent = performance.now() - heard;
  if (silent <= quiet) return;
  show("lost");
  if (silent > 3 * quiet && performance.now() - woken > 3 * quiet) {
    woken = performance.now();
    connection?.reader?.cancel();
  }
}, 500);
