// @ts-check
// The page's one stream: shows whether it is connected, detects when it is not, and reconnects. Pages for playing
// (data-near) notice a loss within 3 s and keep trying to reach the server.
import { forget, scan, sync } from "./clock.js";
import { leave, reach } from "./device.js";
import "./news.js";

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const link = document.getElementById("link");
const quiet = Number(live.dataset.quiet || 20000);
const near = live.dataset.near === "true";

const BEAT = 3000; // ms between two requests of a page for playing
const SEEK = 600; // the same while the connection is lost
const DRAWN = 6000; // ms until an update is on the page; steady.js delays it by up to 5 s
const REACH = 1500; // ms after which a silent server is unreachable

let heard = performance.now();
let woken = heard;
let beaten = heard;
let reaching = false;
/** When the oldest state arrived that is not on the page yet; 0 if there is none. */
let undrawn = 0;
/** Whether rendering a state failed. */
let failed = false;
let lostAt = "";
let state = "";
/** @type {any} */
let connection = null;
/** whether the page's scripts and the server are of different releases */
let old = false;

/** @param {"live" | "lost"} now */
function show(now) {
  if (now === state) return;
  if (now === "lost" && near && state) cut();
  state = now;
  const since = new Date(Date.now() - performance.now() + heard);
  lostAt = link?.dataset.zone ? hallTime(since, link.dataset) : since.toLocaleTimeString(document.documentElement.lang, { hour12: false });
  const span = link?.querySelector("span");
  if (link && span) span.textContent = (link.dataset[now] || "").replace("{time}", lostAt);
  link?.classList.toggle("live", now === "live");
  link?.classList.toggle("lost", now === "lost");
  document.documentElement.dataset.link = now;
  document.dispatchEvent(new CustomEvent("link", { detail: now }));
}

/** Returns the local time in the hall, wherever the page is read. @param {Date} at @param {DOMStringMap} hall */
function hallTime(at, hall) {
  return `${new Date(at.getTime() + Number(hall.zone) * 60000).toISOString().slice(11, 19)} ${hall.zoneName}`;
}

/** Reports whether the page shows an old state although messages arrive. Only a dragging finger may delay an update. */
function frozen() {
  return undrawn > 0 && (failed || (performance.now() - undrawn > DRAWN && !document.querySelector(".ghost")));
}

function alive() {
  if (frozen()) return;
  heard = performance.now();
  show("live");
}

/** Ends a silent reader, so that a new one connects. */
function cut() {
  connection?.reader?.cancel();
}

/** Connects at once: cuts a waiting delay short and aborts an attempt that hangs. */
function connect() {
  if (connection?.delayCanceller) connection.delayCanceller();
  else if (connection && !connection.reader) connection.abortController?.abort();
  setTimeout(() => live.dispatchEvent(new Event("relink")));
}

/** Checks whether the server is reachable. */
async function beat() {
  if (reaching) return;
  reaching = true;
  beaten = performance.now();
  const began = heard;
  const there = await reach(REACH);
  reaching = false;
  if (document.hidden) return;
  if (there && state === "lost") connect();
  if (!there && heard === began) show("lost");
}

live.addEventListener("htmx:sse:before:connection", (e) => {
  const { connection: c } = /** @type {CustomEvent} */ (e).detail;
  if (near && c.attempt === 1) setTimeout(() => c.delayCanceller?.(), 100 * Math.random());
});
live.addEventListener("htmx:sse:after:connection", (e) => {
  connection = /** @type {CustomEvent} */ (e).detail.connection;
  if (state === "lost") forget();
  alive();
});
live.addEventListener("htmx:sse:before:message", (e) => {
  if (!(/** @type {CustomEvent} */ (e).detail.message.event)) undrawn ||= performance.now();
  alive();
});
live.addEventListener("htmx:sse:error", (e) => {
  failed = undrawn > 0;
  if (/** @type {CustomEvent} */ (e).detail.status === 401) leave();
  show("lost");
});
live.addEventListener("ping", (e) => {
  sync(Number(/** @type {CustomEvent} */ (e).detail?.data));
  alive();
});
live.addEventListener("build", (e) => {
  const [base, epoch = ""] = String(/** @type {CustomEvent} */ (e).detail?.data).trim().split(" ");
  // The server was restored from an older copy.
  if (epoch !== (document.documentElement.dataset.epoch || "")) location.reload();
  const own = document.querySelector("link[rel=icon]")?.getAttribute("href") || base;
  old = !own.startsWith(base) && recall("build") !== base;
  if (old) keep("build", base); // one reload per release
  renew();
});
/** Shows the event's state of the newest region: an event may begin or end while its page is open. */
function adopt() {
  const now = document.getElementById("state-now"), span = link?.querySelector("span");
  if (!now || !link || !span || link.dataset.state === now.dataset.state) return;
  link.dataset.state = now.dataset.state;
  link.dataset.live = now.textContent;
  if (state === "live") span.textContent = now.textContent;
}

live.addEventListener("htmx:after:swap", () => {
  undrawn = 0;
  failed = false;
  adopt();
  alive();
  scan();
  renew();
});

/** Reloads a page of an older release, but never during the player's own turn or while the player holds tiles. */
function renew() {
  const game = document.getElementById("game")?.dataset;
  if (!old || !near || game?.own === "true" || document.querySelector(".held, .ghost")) return;
  old = false;
  location.reload();
}

document.addEventListener("formdata", (e) => e.formData.set("epoch", document.documentElement.dataset.epoch || ""));

/** @param {string} name */
function recall(name) {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
function keep(name, value) {
  try {
    sessionStorage.setItem(name, value);
  } catch {
    old = false; // without storage it might reload forever
  }
}

setInterval(() => {
  if (document.hidden) return;
  const now = performance.now();
  const silent = now - heard;
  if (near && now - beaten > (state === "lost" ? SEEK : BEAT)) void beat();
  if (silent <= quiet && !frozen()) return;
  show("lost");
  if (silent > 3 * quiet && now - woken > 3 * quiet) {
    woken = now;
    cut();
  }
}, 200);

/** After a sleep, starts the stream again and counts the silence from now. */
function wake() {
  if (document.hidden) return;
  heard = performance.now();
  if (!near) return;
  cut();
  void beat();
}

document.documentElement.dataset.runs = "true"; // see older.js
// Firefox breaks a page's stream between the two events, and htmx would log an error.
for (const leaving of ["beforeunload", "pagehide"]) window.addEventListener(leaving, cut);
if (near) {
  document.addEventListener("visibilitychange", wake);
  document.addEventListener("resume", wake);
  window.addEventListener("online", () => void beat());
  window.addEventListener("offline", () => show("lost"));
  document.addEventListener("doubt", () => void beat()); // a request got no reply
}
