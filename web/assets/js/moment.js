// @ts-check
// "Rummikub!": the moment in which a rack is emptied, shown large once on every screen of the table. A tap, a key
// or 2.6 seconds end it; it takes no focus and holds nothing up.

const SHOWN = 2600;

const moment = document.getElementById("moment");
/** @type {number | undefined} */
let timer;
let phase = phaseNow();

function phaseNow() {
  return document.querySelector("[data-phase]")?.getAttribute("data-phase") || "";
}

/** @param {string} who the sentence below the word */
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
