// @ts-check
// The check's game of taps: for 20 seconds a circle moves to another place after each tap. It measures how a finger
// meets the screen and proposes a profile, which the player may change before using it.
import { fit, handOf, measure } from "./fit.js";
import { adapt, changeOf, mark, profile, seat } from "./profile.js";

const SECONDS = 20;
const REACH = 24; // px beside the circle that still hit it
const AGAIN = 1000; // ms in which a second touch at the same place is unintended
const NEAR = 90; // px
const RESTS = 800; // ms after which a finger that saw another one rests
const LEAST = 5; // taps

const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const game = /** @type {HTMLDialogElement} */ ($("hand-game"));
const target = $("hand-target");
const form = /** @type {HTMLFormElement} */ ($("hand-form"));

/** @typedef {{ x: number, y: number, at: number, wobble: number, hit: boolean, others: boolean }} Down */
/** @type {Map<number, Down>} */
let downs = new Map();
/** @type {import("./fit.js").Tap[]} */
let taps = [];
/** @type {import("./fit.js").Rest[]} */
let rests = [];
/** @type {number | undefined} */
let timer;
let began = 0;

/** Moves the circle to a place away from its last one. */
function move() {
  const box = game.getBoundingClientRect();
  const [w, h] = [target.offsetWidth, target.offsetHeight];
  const top = 90;
  const bottom = 90;
  const was = { x: target.offsetLeft, y: target.offsetTop };
  for (let tries = 0; tries < 20; tries++) {
    const x = Math.random() * (box.width - w - 32) + 16;
    const y = top + Math.random() * Math.max(0, box.height - h - top - bottom);
    target.style.left = x + "px";
    target.style.top = y + "px";
    if (Math.hypot(x - was.x, y - was.y) > 2 * NEAR) return;
  }
}

function start() {
  [taps, rests, downs, began] = [[], [], new Map(), performance.now()];
  game.showModal();
  move();
  tick();
}

function tick() {
  const left = Math.max(0, SECONDS - (performance.now() - began) / 1000);
  $("hand-left").textContent = String(Math.ceil(left));
  if (left <= 0) game.close();
  else timer = setTimeout(tick, 200);
}

/** @param {PointerEvent} e */
function down(e) {
  if (e.target instanceof Element && e.target.closest("#hand-stop")) return;
  const box = target.getBoundingClientRect();
  const far = Math.hypot(e.clientX - (box.left + box.width / 2), e.clientY - (box.top + box.height / 2));
  for (const other of downs.values()) other.others = true;
  downs.set(e.pointerId, {
    x: e.clientX,
    y: e.clientY,
    at: e.timeStamp,
    wobble: 0,
    hit: far <= box.width / 2 + REACH,
    others: false,
  });
}

/** @param {PointerEvent} e */
function trembles(e) {
  const d = downs.get(e.pointerId);
  if (d) d.wobble = Math.max(d.wobble, Math.hypot(e.clientX - d.x, e.clientY - d.y));
}

/** @param {PointerEvent} e */
function up(e) {
  const d = downs.get(e.pointerId);
  downs.delete(e.pointerId);
  if (!d) return;
  const dwell = e.timeStamp - d.at;
  const last = taps[taps.length - 1];
  if (e.type === "pointercancel" || (d.others && dwell >= RESTS)) rests.push({ x: d.x, at: d.at });
  else if (d.hit) {
    taps.push({ x: d.x, y: d.y, at: d.at, dwell, wobble: d.wobble, gap: 0 });
    move();
  } else if (last && !last.gap && Math.hypot(d.x - last.x, d.y - last.y) < NEAR) {
    const gap = d.at - (last.at + last.dwell);
    if (gap > 0 && gap < AGAIN) last.gap = gap;
  }
}

/** Shows the measurements, and marks the proposed settings in the form. */
function end() {
  clearTimeout(timer);
  for (const d of downs.values()) if (d.others) rests.push({ x: d.x, at: d.at });
  const words = $("hand-result").dataset;
  const enough = taps.length >= LEAST;
  const list = /** @type {HTMLElement} */ (document.querySelector(".hand-found"));
  list.hidden = !enough;
  $("hand-word").textContent = (enough ? words.proposed : words.few) || "";
  if (!enough) return;
  const found = measure(taps, rests.length);
  for (const [name, value] of Object.entries(found))
    $("hand-" + name).textContent = value + (/wobble/.test(name) ? " px" : /dwell|gap/.test(name) ? " ms" : "");
  const hand = handOf(taps, rests, game.clientWidth || innerWidth);
  const flip = hand ? (hand === "left") !== (document.documentElement.dir === "rtl") : profile.flip;
  mark(form, { ...profile, ...fit(found), flip });
}

async function use() {
  const change = Object.assign(
    {},
    ...[...form.querySelectorAll("input")].filter((f) => f.type !== "radio" || f.checked).map(changeOf),
  );
  const kept = $("hand-kept");
  kept.textContent = "";
  const stored = await adapt(change);
  kept.textContent = kept.dataset[!stored ? "failed" : seat ? "seat" : "device"] || "";
}

mark(form);
$("hand-start").addEventListener("click", start);
$("hand-stop").addEventListener("click", () => game.close());
game.addEventListener("pointerdown", down);
game.addEventListener("pointermove", trembles);
game.addEventListener("pointerup", up);
game.addEventListener("pointercancel", up);
target.addEventListener("click", (e) => e.detail || move()); // a keyboard plays, but is not measured
game.addEventListener("contextmenu", (e) => e.preventDefault());
game.addEventListener("close", end);
addEventListener("resize", () => game.open && move());
form.addEventListener("submit", (e) => {
  e.preventDefault();
  void use();
});
