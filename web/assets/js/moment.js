// @ts-check
// "Rummikub!": the moment when a player empties the rack, shown large once on every screen of the table. It ends after
// 2.6 seconds or at a tap or key press. It takes no focus and delays nothing.

const SHOWN = 2600;

const moment = document.getElementById("moment");
/** @type {number | undefined} */
let timer;
let phase = phaseNow();

function phaseNow() {
  return document.querySelector("[data-phase]")?.getAttribute("data-phase") || "";
}

/** @param {string} who the sentence below the heading */
export function celebrate(who) {
  if (!moment) return;
  const line = document.getElementById("moment-who");
  if (line) line.textContent = who;
  moment.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(end, SHOWN);
  const alarm = document.getElementById("alarm");
  if (alarm) alarm.textContent = moment.querySelector(".moment-word")?.textContent + " " + who;
}

function end() {
  clearTimeout(timer);
  if (moment) moment.hidden = true;
}

moment?.addEventListener("click", end);
document.addEventListener("keydown", () => moment?.hidden === false && end());
document.getElementById("live")?.addEventListener("htmx:after:swap", () => {
  const before = phase;
  phase = phaseNow();
  const won = document.querySelector("[data-won]")?.getAttribute("data-won");
  if (before === "playing" && phase === "over" && won) celebrate(won);
  else if (phase !== "over") end();
});
