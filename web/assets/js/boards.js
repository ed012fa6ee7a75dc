// @ts-check
// A screen in front of a hall. Its text is as large as the farthest reader needs. Its boards and their pages take
// turns, and its clocks show the server's time or none. It sends nothing.
import { measureAgain, PAGE, planOf, showPage } from "./pages.js";
import { ring, unlock } from "./ring.js";
import { changed, shift, stage } from "./stage.js";
import { tick } from "./walls.js";
import { celebrate } from "./winner.js";

/** How long a screen stays paused, and how long its buttons stay visible without a touch, in ms. */
const PAUSED = 300_000;
const KEYS = 8_000;

/** The size of the smallest text, in diagonals of the screen. */
const LEAST = 34 / Math.hypot(1920, 1080);

const live = document.getElementById("live");
const root = document.documentElement;

const screen = () => document.getElementById("board");
/** @returns {HTMLElement[]} the boards that have something to show; the first board if none has */
function boards() {
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".b")]);
  const full = all.filter((b) => b.dataset.empty !== "true");
  return full.length ? full : all.slice(0, 1);
}

// ---- text size ----

/** Returns the x-height of the font as a fraction of its size. */
function exHeight() {
  const probe = document.createElement("span");
  probe.className = "b-probe";
  document.body.append(probe);
  const high = probe.getBoundingClientRect().height / 100;
  probe.remove();
  return high || 0.48;
}

/**
 * Returns the size of the smallest text in px: the x-height is a five-hundredth of the viewing distance, and the text
 * is at least as large as 34 px on a screen of 1920 × 1080.
 */
function fit() {
  const own = screen()?.dataset;
  if (!own) return 0;
  const diagonal = Math.hypot(innerWidth, innerHeight);
  const across = Number(own.inches) * 25.4;
  const high = (Number(own.metres) * 1000) / 500;
  const px = Math.max((high * diagonal) / across / exHeight(), LEAST * diagonal);
  stage.style.setProperty("--u", px + "px");
  root.dataset.theme = own.theme || "dark";
  return px;
}

/** Enlarges a text as far as its box allows. @param {HTMLElement} text @param {number} least */
function grow(text, least) {
  const box = /** @type {HTMLElement} */ (text.parentElement);
  const fits = (/** @type {number} */ size) => {
    text.style.fontSize = size + "px";
    return text.scrollWidth <= box.clientWidth + 1 && text.scrollHeight <= box.clientHeight + 1;
  };
  let low = least;
  let high = Math.max(least, box.clientHeight / 2);
  while (high - low > 2) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  fits(low);
}

// ---- boards and pages in turn ----

let kind = "";
let page = 0;
let pages = 1;
let until = performance.now() + PAGE;
/** When the screen was paused, in ms since the epoch; 0 if it runs. */
let pausedAt = 0;

/** Shows the current page as the server last rendered it. */
function draw() {
  const font = fit();
  const all = boards();
  const at = Math.max(0, all.findIndex((b) => b.dataset.board === kind));
  const on = all[at];
  if (!on) return;
  kind = on.dataset.board || "";
  for (const b of document.querySelectorAll(".b")) b.classList.toggle("on", b === on);
  const list = /** @type {HTMLElement | null} */ (on.querySelector("[data-list]"));
  const text = /** @type {HTMLElement | null} */ (on.querySelector("[data-grow]"));
  let rows = { from: 0, to: 0 };
  let count = 0;
  pages = 1;
  if (list) {
    const plan = planOf(list, font);
    pages = plan.pages;
    count = list.children.length;
    page = Math.min(page, pages - 1);
    rows = showPage(list, plan, page);
  } else page = 0;
  if (text) grow(text, font);
  const said = /** @type {HTMLElement | null} */ (document.querySelector(".b-page"));
  if (said) {
    const words = (said.dataset.text || "").replace("{x}", String(page + 1)).replace("{y}", String(pages));
    const which = (said.dataset.rows || "").replace("{x}", String(rows.from)).replace("{y}", String(rows.to)).replace("{n}", String(count));
    said.textContent = pages > 1 ? which + " · " + words : "";
  }
  stage.classList.toggle("paused", pausedAt > 0);
  document.querySelector("[data-turn='0']")?.setAttribute("aria-pressed", String(pausedAt > 0));
  tick();
}

/** Turns to the next or previous page, and past the last one to the next board. @param {number} by 1 or -1 */
function turn(by) {
  const all = boards();
  page += by;
  if (page < 0 || page >= pages) {
    const at = all.findIndex((b) => b.dataset.board === kind);
    kind = all[(at + by + all.length) % all.length]?.dataset.board || "";
    page = by > 0 ? 0 : Number.MAX_SAFE_INTEGER;
  }
  until = performance.now() + PAGE;
  if (all.length > 1 || pages > 1) changed();
  draw();
}

/** @param {boolean} stop */
function pause(stop) {
  pausedAt = stop ? Date.now() : 0;
  until = performance.now() + PAGE;
  draw();
}

// ---- the gong, and the champion's celebration ----

let rings = screen()?.dataset.rings;
/** @type {string | undefined} */
let told;

/** Sounds when a round begins or ends, if enabled and if the browser allows sound on a page without a touch. */
function gong() {
  const own = screen()?.dataset;
  if (!own || own.rings === rings) return;
  rings = own.rings;
  if (own.gong === "true") ring([392, 523, 659], 0.5);
}

function reveal() {
  const now = /** @type {HTMLElement | null} */ (document.querySelector("[data-told]"))?.dataset.told;
  if (told !== undefined && now !== undefined && now !== told && now.startsWith("1")) celebrate(stage);
  told = now;
}

// ---- buttons and keyboard ----

let touched = 0;

function touch() {
  touched = Date.now();
  stage.classList.remove("idle");
}

document.addEventListener(
  "pointermove",
  (e) => {
    if (e.movementX || e.movementY) touch(); // a page that changes under a resting pointer sends the event too
  },
  { passive: true },
);
document.addEventListener("pointerdown", () => {
  touch();
  unlock();
});
document.addEventListener("click", (e) => {
  const key = e.target instanceof Element ? /** @type {HTMLElement | null} */ (e.target.closest("[data-turn]")) : null;
  if (!key) return;
  if (key.dataset.turn === "0") pause(!pausedAt);
  else turn(Number(key.dataset.turn));
});
document.addEventListener("keydown", (e) => {
  if (e.altKey || e.ctrlKey || e.metaKey) return;
  unlock();
  const forward = root.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  if (e.key === "ArrowLeft" || e.key === "ArrowRight") turn(e.key === forward ? 1 : -1);
  else if (e.key === "MediaPlayPause" || (e.key === " " && !(e.target instanceof HTMLButtonElement))) pause(!pausedAt);
  else return;
  e.preventDefault();
});

// ---- updates from the server ----

const build = screen()?.dataset.build;
live?.addEventListener("htmx:after:swap", () => {
  if (screen()?.dataset.build !== build) location.reload(); // the server runs a newer release
  draw();
  gong();
  reveal();
});
live?.addEventListener("go", () => location.assign("/board"));

function rest() {
  const now = Date.now();
  if (now - touched > KEYS) stage.classList.add("idle");
  if (pausedAt && now - pausedAt > PAUSED && now - touched > PAUSED) pause(false);
  shift();
}

root.classList.add("paged"); // without this script, the boards stand below each other
draw();
reveal();
document.fonts?.addEventListener("loadingdone", () => {
  measureAgain();
  draw();
});
new ResizeObserver(draw).observe(stage); // the window, or an announcement above the stage, changes its size
setInterval(() => {
  if (!pausedAt && performance.now() >= until) turn(1);
  tick();
}, 100);
setInterval(rest, 1000);
