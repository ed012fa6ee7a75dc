// @ts-check
// Clocks. The server sends a deadline and its own time; this counts on between two messages. An element
// with data-due shows what is left in its .digits; #clock is the reader's own and is also spoken.

/** What the server's clock is ahead of performance.now(), in ms. The largest sample was the least delayed. */
let ahead = -Infinity;

/** @param {number} now the server's time when it wrote a message, in ms since the epoch */
export function sync(now) {
  if (now > 0) ahead = Math.max(ahead, now - performance.now());
}

/** Takes the server's time from what it has just drawn. */
export function scan() {
  for (const el of document.querySelectorAll("[data-now]")) sync(Number(/** @type {HTMLElement} */ (el).dataset.now));
  tick();
}

/** @param {HTMLElement} el */
function leftOf(el) {
  const { due, left, stopped } = el.dataset;
  if (stopped === "true") return Number(left);
  return Math.max(0, Number(due) - (performance.now() + ahead));
}

/** What was last spoken, as "deadline seconds", so that nothing is said twice. */
let spoken = "";

/** @param {HTMLElement} el @param {number} seconds */
function speak(el, seconds) {
  const words = document.getElementById("words")?.dataset;
  const alarm = document.getElementById("alarm");
  if (!words || !alarm || el.dataset.mine !== "true" || el.dataset.stopped === "true") return;
  const mark = [0, 5, 10, 30].find((s) => seconds <= s);
  if (mark === undefined || spoken === el.dataset.due + " " + mark) return;
  spoken = el.dataset.due + " " + mark;
  alarm.textContent = mark === 0 ? words.over || "" : (words.seconds || "").replace("{n}", String(seconds));
  if ((mark === 10 || mark === 5) && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(mark === 5 ? [120, 80, 120] : 120);
}

export function tick() {
  for (const el of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-due]"))) {
    const digits = el.querySelector(".digits");
    if (!digits) continue;
    const left = leftOf(el);
    const seconds = Math.ceil(left / 1000);
    if (digits.textContent !== String(seconds)) digits.textContent = String(seconds);
    const runs = el.dataset.stopped !== "true";
    el.classList.toggle("low", runs && seconds <= 10 && seconds > (el.id === "clock" ? 5 : -1));
    if (el.id !== "clock") continue;
    el.classList.toggle("last", runs && seconds <= 5);
    el.style.setProperty("--left", String(Math.min(100, left / 10 / Number(el.dataset.limit || 60))));
    speak(el, seconds);
  }
}

scan();
setInterval(tick, 100);
document.addEventListener("visibilitychange", tick);
