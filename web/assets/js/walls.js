// @ts-check
// The clocks of a screen in front of a hall: the time in the server's zone, and the time until something begins.
import { serverTime } from "./clock.js";
import { stage } from "./stage.js";

const two = (/** @type {number} */ n) => String(n).padStart(2, "0");

/** @param {Element} el @param {string} text */
function write(el, text) {
  if (el.textContent !== text) el.textContent = text;
}

/** Updates the clocks. They are empty while the server's time is unknown or the connection is lost. */
export function tick() {
  const now = stage.classList.contains("lost") ? 0 : serverTime();
  const here = new Date(now + Number(document.getElementById("board")?.dataset.zone) * 60_000);
  for (const el of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".b.on [data-wall]"))) {
    const time = two(here.getUTCHours()) + ":" + two(here.getUTCMinutes());
    write(el, !now ? "" : el.dataset.wall === "seconds" ? time + ":" + two(here.getUTCSeconds()) : time);
  }
  for (const el of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".b.on [data-until]"))) {
    const left = Math.ceil((Number(el.dataset.until) - now) / 1000);
    const hours = Math.floor(left / 3600);
    const clock = (hours ? hours + ":" + two(Math.floor(left / 60) % 60) : String(Math.floor(left / 60))) + ":" + two(left % 60);
    write(el, !now ? "" : left > 0 ? clock : el.dataset.late || "");
    el.classList.toggle("b-soon", now > 0 && left <= 0);
  }
}
