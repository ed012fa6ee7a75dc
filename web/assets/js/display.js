// @ts-check
// A screen at a table: shows a second clock for the other side and steps back through earlier turns. It sends nothing.
import { layOut } from "./board.js";
import { follow } from "./replay.js";
import { changed, shift, stage } from "./stage.js";

const live = document.getElementById("live");
const link = document.getElementById("link"); // missing on the page of an earlier turn
const past = document.getElementById("past") || document.createElement("section");
const build = display()?.dataset.build;

/** How long an earlier turn and the settings stay without a touch, in ms. */
const LOOK_BACK = 15_000;

function display() {
  return document.getElementById("display");
}

// ---- the clock on the other side ----

/** Copies the clock that clock.js updates to the one for the other side. */
function copyClock() {
  const from = document.getElementById("clock");
  const to = /** @type {HTMLElement | null} */ (document.querySelector(".d-twin .clock"));
  if (!from || !to) return;
  const digits = to.querySelector(".digits");
  const text = from.querySelector(".digits")?.textContent || "";
  if (digits && digits.textContent !== text) digits.textContent = text;
  to.style.setProperty("--left", from.style.getPropertyValue("--left"));
  for (const name of ["low", "last", "stopped"]) to.classList.toggle(name, from.classList.contains(name));
}

// ---- earlier turns ----

let touched = 0;
let asked = 0;

/** Shows an earlier turn, taken from its own page. @param {string} address */
async function lookBack(address) {
  const number = ++asked;
  touched = Date.now();
  const late = new AbortController();
  setTimeout(() => late.abort(), 5000);
  try {
    const reply = await fetch(address, { signal: late.signal });
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    const found = page.getElementById("past");
    if (number !== asked || !reply.ok || !found) return;
    past.replaceChildren(...found.childNodes);
    past.hidden = false;
    layOut();
    /** @type {HTMLElement | null} */ (past.querySelector("[rel='prev'], [rel='up']"))?.focus({ preventScroll: true });
  } catch {
    toLive();
  }
}

function toLive() {
  asked++;
  if (past.hidden) return;
  past.hidden = true;
  past.replaceChildren();
  stage.focus({ preventScroll: true });
}

document.addEventListener("click", (e) => {
  const a = e.target instanceof Element ? e.target.closest("a") : null;
  if (!a || !link || e.ctrlKey || e.metaKey || e.shiftKey) return;
  if (a.rel === "up") {
    e.preventDefault();
    toLive();
  } else if (a.closest(".d-turns, .past-nav")) {
    e.preventDefault();
    void lookBack(a.href);
  }
});

document.addEventListener("keydown", (e) => {
  touch();
  if (e.altKey || e.ctrlKey || e.metaKey || !link) return;
  if (e.key === "Escape") toLive();
  const forward = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  if (e.key !== "ArrowLeft" && e.key !== "ArrowRight") return;
  const to = past.hidden ? (e.key === forward ? null : document.querySelector(".d-turns li:last-child a")) : past.querySelector(`a[rel="${e.key === forward ? "next" : "prev"}"]`);
  if (to instanceof HTMLAnchorElement) void lookBack(to.href);
  else if (e.key === forward) toLive();
});

// ---- touches, and the idle screen ----

function touch() {
  touched = Date.now();
  stage.classList.remove("idle");
}

/** Opens the settings on a touch, a click or keyboard focus, but not for a mouse that rests there. */
function wake() {
  touch();
  stage.classList.add("awake");
}

document.addEventListener("pointermove", touch, { passive: true });
document.addEventListener("pointerdown", wake, { passive: true });

function rest() {
  const now = Date.now();
  if (link && now - touched > LOOK_BACK) {
    stage.classList.remove("awake");
    stage.classList.add("idle");
    toLive();
  }
  shift();
}

// ---- updates from the server ----

live?.addEventListener("htmx:after:swap", () => {
  changed();
  layOut();
  follow();
  copyClock();
  if (display()?.dataset.build !== build) location.reload(); // the server runs a newer release
});
live?.addEventListener("go", () => location.assign("/display"));

layOut();
follow();
copyClock();
addEventListener("resize", () => follow(false));
setInterval(copyClock, 100);
setInterval(rest, 1000);
