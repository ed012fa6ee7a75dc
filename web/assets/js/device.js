// @ts-check
// Reports the tablet to the server: that it is connected, which page plays the seat, and its battery. The reply also
// shows the page that the server is reachable.

const live = document.getElementById("live");
const words = document.getElementById("words")?.dataset;
const waiting = location.pathname === "/play"; // between two games
const address = words?.room ? words.room + "/device" : waiting ? "/play/device" : "";
const icon = document.querySelector("link[rel=icon]");
const cover = /** @type {HTMLDialogElement | null} */ (document.getElementById("elsewhere"));

/** @type {{ charge?: number, charging?: boolean }} the battery, if the browser reports it */
let battery = {};

/** the round-trip time of the last report, in ms @type {number | undefined} */
let delay;
/** the release that rendered the page */
const build = (icon?.getAttribute("href") || "").replace(/\/[^/]*$/, "");

/** @param {any} b a BatteryManager */
function watch(b) {
  const read = () => (battery = { charge: Math.round(100 * b.level), charging: b.charging });
  b.addEventListener("levelchange", read);
  b.addEventListener("chargingchange", read);
  read();
}

/**
 * Reports whether the server replies within patience ms. A device without a seat goes to the page for taking one.
 * @param {number} patience @returns {Promise<boolean>}
 */
export async function reach(patience) {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), patience);
  try {
    const body = JSON.stringify({ tab: live?.dataset.tab || "", here: !cover?.open, delay, build, ...battery });
    const asked = performance.now();
    const r = address
      ? await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body, signal: giveUp.signal })
      : await fetch(icon instanceof HTMLLinkElement ? icon.href : "/", { method: "HEAD", cache: "no-store", signal: giveUp.signal });
    if (address) delay = Math.round(performance.now() - asked);
    if (r.status === 401) leave();
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

let leaving = false;

/**
 * Leaves because another device plays the seat now. It opens the page for taking a seat only once, because that page
 * explains the reason once.
 */
export function leave() {
  if (!words?.enter || leaving) return;
  leaving = true;
  location.assign(words.enter);
}

if (address) /** @type {any} */ (navigator).getBattery?.().then(watch, () => {});

live?.addEventListener("elsewhere", () => cover?.open || cover?.showModal?.());
live?.addEventListener("here", () => cover?.close());
// A closed page gives the seat back to the page that played it before.
addEventListener("pagehide", () => {
  const tab = live?.dataset.tab;
  if (address && tab && !cover?.open) navigator.sendBeacon?.(address, new Blob([JSON.stringify({ tab, gone: true })], { type: "application/json" }));
});
if (waiting) setInterval(() => document.hidden || void reach(1500), 3000);
cover?.addEventListener("cancel", (e) => e.preventDefault());
document.getElementById("play-here")?.addEventListener("click", () => location.reload()); // the newest page takes over the seat
