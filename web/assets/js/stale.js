// @ts-check
// An official who looks at an old picture decides wrongly: a page that is not live any more says so as loudly as it can.
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

/** The time that the line of the connection names. */
function lostSince() {
  return document.getElementById("link")?.textContent?.match(/\d+[:.]\d\d[:.]\d\d/)?.[0] || new Date().toLocaleTimeString(document.documentElement.lang, { hour12: false });
}

/** A page that is not there would take the place of this one, with all that it shows. */
document.addEventListener("click", (e) => {
  const link = e.target instanceof Element ? e.target.closest("#live a[href]:not([data-rule])") : null;
  if (!link || e.defaultPrevented || !document.body.classList.contains("not-live")) return;
  e.preventDefault();
  const said = document.getElementById("said");
  if (said) said.textContent = document.getElementById("words")?.dataset.noPage || "";
});
