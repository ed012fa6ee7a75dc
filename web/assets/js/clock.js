// @ts-check
// Clocks. The server sends a deadline and its own time. Between two messages this module counts with the device's
// monotonic clock and never uses its date. An element with data-due shows the time left in its .digits. #clock is the
// player's own and also uses speech, sound and vibration.
import { signal, unlock } from "./ring.js";

/** How long a sample of the server's time counts, in ms: long enough to keep a fast one, short enough for drift. */
const HELD = 180_000;

/** @type {{ at: number, ahead: number }[]} */
let samples = [];
/** By how much the server's clock is ahead of performance.now(), in ms. The largest sample was delayed least. */
let ahead = 0;

/** Whether the server's time is known. Until then, a clock stays as the server rendered it. */
let known = false;

/**
 * @param {number} now the server's time when it wrote a message, in ms since the epoch
 * @param {number} [at] when the message arrived
 */
export function sync(now, at = performance.now()) {
  if (!(now > 0)) return;
  known = true;
  samples = [...samples.filter((s) => at - s.at < HELD), { at, ahead: now - at }];
  ahead = Math.max(...samples.map((s) => s.ahead));
}

/** Returns the server's time in ms since the epoch; 0 before the first message. */
export function serverTime() {
  return samples.length ? performance.now() + ahead : 0;
}

/** Discards the samples of the server's time: a server that was suspended is behind its earlier times. */
export function forget() {
  samples = [];
}

/** Reads the server's time from newly rendered elements. @param {number} [at] when they arrived */
export function scan(at) {
  for (const el of document.querySelectorAll("[data-now]")) {
    const { now } = /** @type {HTMLElement} */ (el).dataset;
    if (now !== drawn.get(el)) sync(Number(now), at);
    drawn.set(el, now || "");
  }
  tick();
}

/**
 * The server's time with which each element was rendered. An element that was not rendered again gives no new sample.
 * @type {WeakMap<Element, string>}
 */
const drawn = new WeakMap();

/** @param {HTMLElement} el */
function leftOf(el) {
  const { due, left, stopped } = el.dataset;
  if (stopped === "true") return Number(left);
  return Math.max(0, Number(due) - (performance.now() + ahead));
}

/** Returns the time that the player's turn has left, in ms; Infinity without a limit. */
export function timeLeft() {
  const el = document.getElementById("clock");
  return el && Number(el.dataset.due) ? leftOf(el) : Infinity;
}

/** The last announcement, as "deadline seconds", so that nothing is announced twice. */
let spoken = "";

/** @param {HTMLElement} el @param {number} seconds */
function speak(el, seconds) {
  const words = document.getElementById("words")?.dataset;
  const alarm = document.getElementById("alarm");
  if (!words || !alarm || el.dataset.mine !== "true" || el.dataset.stopped === "true") return;
  const mark = [0, 5, 10, 15, 30].find((s) => seconds <= s);
  if (mark === undefined || spoken === el.dataset.due + " " + mark) return;
  spoken = el.dataset.due + " " + mark;
  alarm.textContent = mark === 0 ? words.over || "" : (words.seconds || "").replace("{n}", String(seconds));
  if (mark === 30) signal([520], 60);
  if (mark === 10) signal([660], 120);
  if (mark === 5) signal([880, 880], [120, 80, 120]);
}

function allowSound() {
  if (document.getElementById("clock")) unlock();
}

/** Shows one clock. @param {HTMLElement} el @returns {number} ms until its number changes */
function show(el) {
  const digits = el.querySelector(".digits");
  if (!digits || (!known && el.dataset.stopped !== "true")) return Infinity;
  const left = leftOf(el);
  const seconds = Math.ceil(left / 1000);
  if (digits.textContent !== String(seconds)) digits.textContent = String(seconds);
  const runs = el.dataset.stopped !== "true";
  el.classList.toggle("low", runs && seconds <= 10 && seconds > (el.id === "clock" ? 5 : -1));
  if (el.id === "clock") {
    el.classList.toggle("soon", runs && seconds <= 30 && seconds > 10);
    el.classList.toggle("last", runs && seconds <= 5);
    el.style.setProperty("--left", String(Math.min(100, left / 10 / Number(el.dataset.limit || 60))));
    speak(el, seconds);
  }
  return runs && left > 0 ? left - 1000 * (seconds - 1) : Infinity;
}

/** @type {number | undefined} */
let timer;

/** Updates all clocks, and again as soon as one of them changes. */
export function tick() {
  let next = 250;
  for (const el of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-due]"))) next = Math.min(next, show(el));
  clearTimeout(timer);
  timer = setTimeout(tick, Math.max(next + 1, 4));
}

/** The page contains the time at which the server sent it, so its arrival is the first sample. */
const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
scan(navigation?.responseStart || undefined);
document.addEventListener("visibilitychange", tick);
document.addEventListener("pointerup", allowSound);
document.addEventListener("keydown", allowSound);
