// @ts-check
// Keeps a reader's place on the public pages while they change. The row of the standings being read stays where it is
// on the screen: the row with the focus, else the one under the pointer, else the middle one of a scrolled list. The
// other rows glide to their places. Screen readers get one line with the changes, at most every 15 s.
export {}; // makes this file a module with its own scope

const APART = 15000; // ms between two sentences
const FAR = 3; // ranks; a row that moved further is followed only if chosen
const MOST = 6; // items in a sentence

/** @returns {HTMLElement[]} */
const rows = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#ranks tbody tr[data-player]:not([hidden])")]);
/** @param {Element} row */
const top = (row) => row.getBoundingClientRect().top;
/** @param {Element | null | undefined} el */
const words = (el) => (el?.textContent || "").trim().replace(/\s+/g, " ");

/**
 * The reader's place before the page changed.
 * @type {{ places: Map<string, { top: number, at: number }>, chosen: string, near: string[], link: number } | null}
 */
let held = null;

function hold() {
  const all = rows(), chosen = all.find((row) => row.contains(document.activeElement)) || (matchMedia("(hover: hover)").matches ? all.find((row) => row.matches(":hover")) : undefined);
  const places = new Map(all.map((row, at) => [row.dataset.player || "", { top: top(row), at }]));
  const middle = innerHeight * 0.4;
  const near = all.length && top(all[0]) < 0 ? all.filter((row) => top(row) > 0 && top(row) < innerHeight - 24) : [];
  near.sort((a, b) => Math.abs(top(a) - middle) - Math.abs(top(b) - middle));
  const link = chosen ? [...chosen.querySelectorAll("a, button")].indexOf(/** @type {Element} */ (document.activeElement)) : -1;
  held = { places, chosen: chosen?.dataset.player || "", near: near.map((row) => row.dataset.player || ""), link };
}

function keep() {
  if (!held) return;
  const { places, chosen, near, link } = held, all = rows(), now = new Map(all.map((row, at) => [row.dataset.player || "", { row, at }]));
  held = null;
  const focused = now.get(chosen)?.row;
  if (focused && link >= 0) /** @type {HTMLElement} */ ([...focused.querySelectorAll("a, button")][link])?.focus({ preventScroll: true });
  /** @param {string} player */
  const moved = (player) => Math.abs((now.get(player)?.at ?? Infinity) - (places.get(player)?.at ?? 0));
  const reading = focused ? chosen : near.find((player) => moved(player) <= FAR) || near.find((player) => now.has(player));
  const row = now.get(reading || "")?.row, was = places.get(reading || "");
  if (row && was) scrollBy({ top: top(row) - was.top, behavior: "instant" });
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const other of all) {
    const from = places.get(other.dataset.player || "")?.top, way = from === undefined ? 0 : from - top(other);
    if (Math.abs(way) > 1 && Math.abs(way) < innerHeight) other.animate([{ transform: `translateY(${way}px)` }, { transform: "none" }], { duration: 500, easing: "ease-out" });
  }
}

const told = document.getElementById("told");
/** @type {Map<string, string>} */
let known = new Map();
/** @type {Map<string, string>} */
const fresh = new Map();
let said = -APART;
let due = 0;

/** Returns the page's current facts, by subject. */
function facts() {
  const now = new Map(rows().map((row) => [`rank ${row.dataset.player}`, `${row.dataset.name} ${words(row.querySelector(".rank"))}`]));
  if (now.size) now.set("points", rows().map((row) => words(row.querySelector(".points b"))).join());
  for (const row of document.querySelectorAll(".public-rows > li")) now.set(row.id, `${words(row.querySelector(".table-no"))}: ${words(row.querySelector(".need"))}`);
  for (const last of document.querySelectorAll("#watch .last")) now.set("last", words(last));
  return now;
}

function notice() {
  const now = facts();
  for (const [about, text] of now) if (known.size && known.get(about) !== text) fresh.set(about, text);
  known = now;
  if (told && fresh.size && !due) due = window.setTimeout(tell, Math.max(0, said + APART - performance.now()));
}

function tell() {
  due = 0;
  said = performance.now();
  if (!told) return;
  const places = [...fresh].filter(([about]) => about.startsWith("rank ")).map(([, text]) => text);
  const others = [...fresh].filter(([about]) => !about.startsWith("rank ") && about !== "points").map(([, text]) => text);
  const parts = others.slice(0, MOST);
  if (places.length) parts.unshift(`${told.dataset.places} ${places.slice(0, MOST).join(", ")}${places.length > MOST ? " …" : ""}`);
  else if (fresh.has("points")) parts.unshift(told.dataset.points || "");
  fresh.clear();
  told.textContent = parts.join(" · ");
}

document.addEventListener("htmx:before:swap", hold);
document.addEventListener("htmx:after:swap", () => {
  keep();
  notice();
});
known = facts();
