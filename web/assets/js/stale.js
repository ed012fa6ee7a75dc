// @ts-check
// An official who looks at an outdated page decides wrongly. A page that is no longer live therefore warns as clearly
// as it can.
import { alarm } from "./alarm.js";

const bar = document.getElementById("stale");
const title = document.title;

document.addEventListener("link", (e) => {
  const lost = /** @type {CustomEvent} */ (e).detail === "lost";
  if (!bar || bar.hidden === !lost) return;
  bar.hidden = !lost;
  bar.textContent = lost ? (bar.dataset.text || "").replace("{time}", lostSince()) : "";
  document.body.classList.toggle("not-live", lost);
  document.title = lost ? (bar.dataset.title || "!") + " · " + title : title;
  if (lost) alarm("lost");
});

/** Returns the time shown in the connection line. */
function lostSince() {
  return document.getElementById("link")?.textContent?.match(/\d+[:.]\d\d[:.]\d\d/)?.[0] || new Date().toLocaleTimeString(document.documentElement.lang, { hour12: false });
}

/** Blocks links while the page is not live: an error page would replace everything that this page shows. */
document.addEventListener("click", (e) => {
  const link = e.target instanceof Element ? e.target.closest("#live a[href]:not([data-rule])") : null;
  if (!link || e.defaultPrevented || !document.body.classList.contains("not-live")) return;
  e.preventDefault();
  const said = document.getElementById("said");
  if (said) said.textContent = document.getElementById("words")?.dataset.noPage || "";
});
