// @ts-check
// Announcements to the whole tournament: the stream sends all of them whenever one is added or withdrawn. An item
// disappears when its time is over or, on this device, when it is closed. Urgent items sound and vibrate on the
// players' tablets and the officials' devices, if enabled there and allowed by the browser, which requires a first
// touch of the page.
import { ring, unlock } from "./ring.js";

const news = document.getElementById("news");

/** @returns {string[]} the items closed on this device */
function shut() {
  try {
    return JSON.parse(sessionStorage.getItem("news") || "[]");
  } catch {
    return [];
  }
}

/** @param {string} id */
function close(id) {
  try {
    sessionStorage.setItem("news", JSON.stringify([...shut().slice(-50), id]));
  } catch {
    // without storage it reappears on the next page
  }
}

/** Removes closed items and schedules the removal of the others. */
function arrange() {
  const gone = shut();
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-news]"))) {
    if (gone.includes(item.dataset.news || "")) item.remove();
    else setTimeout(() => item.remove(), Math.min(Number(item.dataset.left), 2 ** 31 - 1));
  }
}

const official = document.getElementById("alert-switches");
const sounding = official || location.pathname.startsWith("/play");

/** Signals an urgent item by sound and vibration, according to the settings of this device. */
function alarm() {
  if (!sounding) return;
  let chosen = { sound: true, buzz: true };
  try {
    chosen = { ...chosen, ...JSON.parse(localStorage.getItem(official ? "alerts" : "settings") || "{}") };
  } catch {
    // nothing was chosen
  }
  if (chosen.sound) ring([880, 660, 880], 0.4);
  if (chosen.buzz && navigator.userActivation?.hasBeenActive) navigator.vibrate?.([250, 100, 250, 100, 250]);
}

/** @param {string} html */
function tell(html) {
  if (!news) return;
  const next = document.createElement("div");
  next.innerHTML = html;
  const kept = new Set([...next.querySelectorAll("[data-news]")].map((item) => /** @type {HTMLElement} */ (item).dataset.news));
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (news.querySelectorAll("[data-news]"))) {
    if (!kept.has(item.dataset.news)) item.remove();
    else kept.delete(item.dataset.news); // already shown: not announced again
  }
  const copies = next.querySelector("#copies-now"); // state of the database copies, in the bar for organizers
  if (copies) document.getElementById("copies-now")?.replaceWith(copies);
  let urgent = false;
  const gone = shut();
  for (const item of /** @type {HTMLElement[]} */ ([...next.querySelectorAll("[data-news]")].reverse())) {
    if (!kept.has(item.dataset.news)) continue;
    news.prepend(item);
    urgent ||= item.classList.contains("news-urgent") && !gone.includes(item.dataset.news || "");
  }
  if (urgent) alarm();
  arrange();
}

document.getElementById("live")?.addEventListener("news", (e) => tell(String(/** @type {CustomEvent} */ (e).detail?.data || "")));
news?.addEventListener("click", (e) => {
  const item = e.target instanceof Element && e.target.closest(".news-close") ? e.target.closest("[data-news]") : null;
  if (!(item instanceof HTMLElement)) return;
  close(item.dataset.news || "");
  item.remove();
});
arrange();
if (sounding) for (const name of ["pointerup", "keydown"]) document.addEventListener(name, unlock);
