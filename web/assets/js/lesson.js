// @ts-check
// The lesson at a practice table. The server decides which step comes next. This module shows its panel, announces each
// step once, and moves a hand to what the player taps next. It only reads the page, so it fits any way to play.
import { say, TURN } from "./say.js";

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const CALM = 120; // ms without changes after which the hand moves
const DOUBT = 700; // ms before it points to undo, as the server's verdict may still be on its way
const TIP = { x: 0.46, y: 0.06 }; // the finger's tip in the picture

const hand = document.createElement("div");
hand.className = "lesson-hand";
hand.setAttribute("aria-hidden", "true");
hand.hidden = true;
hand.innerHTML =
  '<svg viewBox="0 0 48 48"><path d="M18 27V6a4 4 0 0 1 8 0v14l11 2.4a5 5 0 0 1 4 5.6l-1.6 10.5A8 8 0 0 1 31.5 46h-7a8 8 0 0 1-6-2.700L8 31.500a3.700 3.700 0 0 1 5.300-5.100z"/></svg>';
document.body.append(hand);

/** @param {string} selector @returns {HTMLElement[]} */
const all = (selector) =>
  [...document.querySelectorAll(selector)].flatMap((el) => (el instanceof HTMLElement ? [el] : []));
/** @param {string} id */
const one = (id) => document.getElementById(id);
const panel = () => one("lesson");
const turn = () => one("game")?.dataset.turn;
/** Reports whether the page shows the table as a list. */
const listed = () => document.documentElement.dataset.view === "list";

let told = "";

/** @param {HTMLElement} el */
function sentence(el) {
  const text = el.lastChild?.textContent?.trim() || "";
  return /[.!?。！？]$/.test(text) ? text : text + ".";
}

/** Announces the step if it is new. */
function announce() {
  const step = panel()?.dataset.step || "";
  if (step && step !== told) say(all(".lesson-says > *").map(sentence).join(" "), TURN);
  told = step;
}

/**
 * @typedef {{ take: string[], to: string }} Move tiles from the rack, and the tile to lay them on, "" for a free place
 */

/** @returns {Move[]} */
function moves() {
  const text = panel()?.dataset.moves || "";
  return text.split(";").map((move) => {
    const [take, to = ""] = move.split(">");
    return { take: take.split(" ").filter(Boolean), to: to.trim() };
  });
}

/** @param {HTMLElement[]} tiles @returns {string[]} */
const faces = (tiles) => tiles.map((el) => el.dataset.face || "");

/** Returns what the player taps next. @returns {HTMLElement | undefined} */
function target() {
  if (one("game")?.dataset.mine !== "true" || panel()?.dataset.moves === undefined) return undefined;
  const laid = all("#table .tile.laid");
  const held = faces(all("#rack .tile.held"));
  const list = moves();
  const known = list.flatMap((m) => m.take);
  const strange = faces(laid).some((f) => !known.includes(f));
  if (strange && !held.length && document.querySelector("#table .tag.bad")) return undoKey();
  for (const { take, to } of list) {
    const left = take.filter((f) => !faces(laid).includes(f));
    if (!left.length) continue;
    const next = left.find((f) => !held.includes(f));
    if (next)
      return (
        all(listed() ? "#rack-list .tile" : "#rack .tile").find((el) => el.dataset.face === next)?.parentElement ||
        undefined
      );
    const on =
      laid.find((el) => take.includes(el.dataset.face || "")) ||
      all("#table .tile:not(.laid)").find((el) => el.dataset.face === to);
    return listed() ? rowKey(on) : on?.parentElement || freePlace();
  }
  const play = enabled("play");
  const ends = panel()?.dataset.closes === "true" && play && !play.classList.contains("unsure");
  return ends ? play : undoKey();
}

const undoKey = () => enabled(listed() ? "list-undo" : "undo");

/** Returns the key of the list that lays the held tiles on a tile of the table. @param {HTMLElement} [on] */
function rowKey(on) {
  const same = (/** @type {HTMLElement} */ el) =>
    el.dataset.face === on?.dataset.face && el.matches(".laid") === on?.matches(".laid");
  const row = all("#set-rows .tile").find(same)?.closest(".set-row");
  /** @type {HTMLElement | null | undefined} */
  const key = row?.querySelector("[name=free]:not([hidden])") || row?.querySelector("[name=add]:not([hidden])");
  return key || enabled("list-new");
}

/** @param {string} id */
function enabled(id) {
  const key = one(id);
  return key?.matches(":enabled") ? key : undefined;
}

/** Returns a place near the middle of the table that touches no set, with room for tiles beside it. */
function freePlace() {
  const table = one("table")?.getBoundingClientRect();
  const bare = (/** @type {Element | null} */ el) => !el?.querySelector(".tile");
  const free = all("#table .cell").filter(
    (el) => bare(el) && bare(el.previousElementSibling) && bare(el.nextElementSibling),
  );
  if (!table) return undefined;
  const far = (/** @type {HTMLElement} */ el) => {
    const box = el.getBoundingClientRect();
    return Math.hypot(box.x - table.x - table.width / 4, box.y - table.y - table.height / 2);
  };
  return free.sort((a, b) => far(a) - far(b))[0] || one("table");
}

/** @type {number | undefined} */
let timer;

/** Moves the hand once the page is calm. */
function later() {
  clearTimeout(timer);
  timer = setTimeout(aim, CALM);
}

/** @param {boolean} [sure] */
function aim(sure = false) {
  const el = document.querySelector("dialog[open], #moment:not([hidden])") ? undefined : target();
  if (el?.matches("[id$=undo]") && sure !== true) {
    clearTimeout(timer);
    timer = setTimeout(() => aim(true), DOUBT);
    return;
  }
  if (hand.hidden === !!el) hand.hidden = !el; // observed, so only a change
  hand.dataset.to = el?.id || "";
  if (!el) return;
  const box = el.getBoundingClientRect();
  const { offsetWidth: wide, offsetHeight: high } = hand;
  const down = box.top + box.height * 0.6 + high > innerHeight; // no room for the hand below its tip
  const x = box.left + box.width / 2;
  const y = Math.max(0, Math.min(box.top + box.height * (down ? 0.3 : 0.6), innerHeight - 8)); // off the screen: scroll
  hand.classList.toggle("down", down);
  hand.dataset.tip = `${x} ${y}`;
  const tip = down ? { x: 1 - TIP.x, y: 1 - TIP.y } : TIP;
  hand.style.transform = `translate(${x - wide * tip.x}px, ${y - high * tip.y}px)`;
}

/** The turn that ends as soon as the tiles of a skipped step are judged. @type {string | undefined} */
let ending;

/** Does the step for the player: lays its tiles and, if it ends the turn, ends the turn. */
function skip() {
  const { moves: needs, table, closes } = panel()?.dataset || {};
  const play = enabled("play");
  if (!needs && play && !play.classList.contains("unsure")) return play.click();
  ending = closes === "true" ? turn() : undefined;
  return document.dispatchEvent(new CustomEvent("lay", { detail: JSON.parse(table || "[]") }));
}

let shown = "";

document.addEventListener("judged", (e) => {
  const { lesson, legal } = /** @type {CustomEvent} */ (e).detail;
  const was = panel();
  if (was && lesson && lesson !== shown) {
    const focus = was.contains(document.activeElement) && document.activeElement?.id;
    const high = was.offsetHeight;
    was.outerHTML = shown = lesson;
    if (focus) one(focus)?.focus({ preventScroll: true });
    if (panel()?.offsetHeight !== high) dispatchEvent(new Event("resize"));
    announce();
  }
  if (ending && ending === turn() && legal) {
    ending = undefined;
    enabled("play")?.click();
  }
});
live.addEventListener("click", (e) => {
  if (e.target instanceof Element && e.target.closest("#lesson-skip")) skip();
});
live.addEventListener("htmx:after:swap", () => {
  shown = "";
  announce();
});
new MutationObserver(later).observe(document.body, {
  subtree: true,
  childList: true,
  attributeFilter: ["class", "disabled", "open", "hidden"],
});
addEventListener("resize", later);
document.addEventListener("scroll", later, true);
addEventListener("load", announce); // a screen reader that still reads the page in would miss it
later();
