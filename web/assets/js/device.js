// @ts-check
// What a tablet tells the server of itself: that it is there, which page plays the seat, and its battery. An
// answer is also how a page finds out that the server can be reached.

const live = document.getElementById("live");
const words = document.getElementById("words")?.dataset;
const waiting = location.pathname === "/play"; // between two games
const address = words?.room ? words.room + "/device" : waiting ? "/play/device" : "";
const icon = document.querySelector("link[rel=icon]");
const cover = /** @type {HTMLDialogElement | null} */ (document.getElementById("elsewhere"));

/** @type {{ charge?: number, charging?: boolean }} what the browser tells of the battery, where it does */
let battery = {};

/** how long the last report took to be answered, in ms @type {number | undefined} */
let delay;
/** what the page was made with */
const build = (icon?.getAttribute("href") || "").replace(/\/[^/]*$/, "");

/** @param {any} b a BatteryManager */
function watch(b) {
  const read = () => (battery = { charge: Math.round(100 * b.level), charging: b.charging });
  b.addEventListener("levelchange", read);
  b.addEventListener("chargingchange", read);
  read();
}

/**
 * Whether the server answers, within so many ms. A device that holds no seat any more goes where one is taken.
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

/** Another device plays the seat now. The page where one is taken is asked for once: it says so once. */
export function leave() {
  if (!words?.enter || leaving) return;
  leaving = true;
  location.assign(words.enter);
}

if (address) /** @type {any} */ (navigator).getBattery?.().then(watch, () => {});

live?.addEventListener("elsewhere", () => cover?.open || cover?.showModal?.());
live?.addEventListener("here", () => cover?.close());
// A page that is closed gives the seat back to the one that played it before.
addEventListener("pagehide", () => {
  const tab = live?.dataset.tab;
  if (address && tab && !cover?.open) navigator.sendBeacon?.(address, new Blob([JSON.stringify({ tab, gone: true })], { type: "application/json" }));
});
if (waiting) setInterval(() => document.hidden || void reach(1500), 3000);
cover?.addEventListener("cancel", (e) => e.preventDefault());
document.getElementById("play-here")?.addEventListener("click", () => location.reload()); // the newest page plays
