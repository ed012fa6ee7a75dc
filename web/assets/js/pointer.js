// @ts-check
// Shows for a few seconds at which sets people point: a frame around the set, and the person's name.

/** @typedef {{ faces: string[], els: Element[] }} Shown a set on this page: its tiles, and the elements that show it */
/** @typedef {{ who: number, name: string, text: string, tiles: string[], at: number }} Pointer as play.Pointer */

export const SHOWN = 4000; // ms
const LOOK = 100; // ms between two looks at where the sets are now
const TIP = 14; // px between a set and the name

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const stage = document.querySelector(".stage");

/** @param {ParentNode} el */
export const facesIn = (el) =>
  [.../** @type {NodeListOf<HTMLElement>} */ (el.querySelectorAll(".tile"))].map((t) => t.dataset.face || "");

/** What depends on the kind of page; the tablet has its own. */
export const page = {
  /** Returns the sets that the page shows, in their order. @returns {Shown[]} */
  sets: () =>
    [...document.querySelectorAll("#table > .set, #table .sets > li")].map((el) => ({ faces: facesIn(el), els: [el] })),
  /** Announces a pointer. @param {string} text */
  announce(text) {
    status.textContent = text;
  },
};

const layer = document.createElement("div");
layer.className = "pointers";
const status = document.createElement("p");
status.className = "vh";
status.setAttribute("role", "status");
layer.append(status);
(stage || document.body).append(layer);

/**
 * The pointers that are shown, by person.
 * @type {Map<number, { of: Pointer, label: HTMLElement, rings: HTMLElement[], until: number }>}
 */
const pointers = new Map();
/** @type {number | undefined} */
let looking;

/**
 * Finds the sets that hold some tiles: first the one with most of them, of several the shortest one, of equal ones the
 * one at that index.
 * @param {string[]} tiles @param {number} at @returns {Shown[]}
 */
function find(tiles, at) {
  const sets = page.sets();
  /** @type {Shown[]} */
  const found = [];
  for (let left = tiles; left.length; ) {
    const rest = sets.map(({ faces }) => without(left, faces));
    const score = (/** @type {number} */ k) =>
      (left.length - rest[k].length) * 1e4 - sets[k].faces.length * 100 - Math.abs(k - at);
    let best = 0;
    for (const k of sets.keys()) if (score(k) > score(best)) best = k;
    if (!sets.length || rest[best].length === left.length) break;
    found.push(sets[best]);
    left = rest[best];
  }
  return found;
}

/** Returns a list without some of its members, each taken once. @param {string[]} list @param {string[]} gone */
function without(list, gone) {
  const left = [...list];
  for (const face of gone) if (left.includes(face)) left.splice(left.indexOf(face), 1);
  return left;
}

/** @param {string} kind */
function made(kind) {
  const el = document.createElement("div");
  el.className = kind;
  el.setAttribute("aria-hidden", "true");
  layer.append(el);
  return el;
}

/** Removes a person's pointer. @param {number} who */
function drop(who) {
  const old = pointers.get(who);
  pointers.delete(who);
  for (const el of old ? [old.label, ...old.rings] : []) el.remove();
}

/** Shows and announces a pointer, once if it arrives twice. @param {Pointer} of */
export function show(of) {
  const until = performance.now() + SHOWN;
  const old = pointers.get(of.who);
  if (old && JSON.stringify(old.of) === JSON.stringify(of)) old.until = until;
  else {
    drop(of.who);
    const label = made("pointer-name");
    label.append(document.createElement("bdi"));
    pointers.set(of.who, { of, label, rings: [], until });
    page.announce(of.text);
  }
  look();
}

live.addEventListener("point", (e) => show(JSON.parse(/** @type {CustomEvent} */ (e).detail.data)));

/** Puts all pointers to where their sets are now, until the last one is over. */
function look() {
  clearTimeout(looking);
  layer.hidden = !!document.querySelector("#past:not([hidden])");
  for (const [who, p] of pointers)
    if (performance.now() < p.until) put(p);
    else drop(who);
  if (pointers.size) looking = setTimeout(look, LOOK);
}

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** Returns the box around a set; undefined if it is not shown. @param {Shown} set @returns {Box | undefined} */
function boxOf({ els }) {
  const all = els.map((el) => el.getBoundingClientRect()).filter((b) => b.width);
  const least = (/** @type {"left" | "top"} */ side) => Math.min(...all.map((b) => b[side]));
  const most = (/** @type {"right" | "bottom"} */ side) => Math.max(...all.map((b) => b[side]));
  return all.length
    ? { left: least("left"), top: least("top"), right: most("right"), bottom: most("bottom") }
    : undefined;
}

/** @param {{ of: Pointer, label: HTMLElement, rings: HTMLElement[] }} pointer */
function put({ of, label, rings }) {
  const boxes = find(of.tiles, of.at).flatMap((set) => boxOf(set) || []);
  while (rings.length > boxes.length) rings.pop()?.remove();
  while (rings.length < boxes.length) rings.push(made("pointer"));
  boxes.forEach((box, k) => place(rings[k], box.left, box.top, box.right - box.left, box.bottom - box.top));
  label.hidden = !boxes.length;
  if (boxes.length) name(label, of, boxes[0]);
}

/**
 * Puts the person's name beside a set: where it covers nothing, or no tiles, or only tiles of other sets. At a set that
 * is not in sight, it says in words which one that is.
 * @param {HTMLElement} label @param {Pointer} of @param {Box} box
 */
function name(label, of, box) {
  const low = [...document.querySelectorAll("[data-view=list] :is(#verdict, .well, .large)")]; // may cover the list
  const end = Math.min(innerHeight, ...low.map((el) => el.getBoundingClientRect().top));
  const seen = box.bottom > TIP && box.top < end - TIP;
  const text = seen ? of.name : of.text;
  const inner = /** @type {HTMLElement} */ (label.firstChild);
  if (inner.textContent !== text) inner.textContent = text;
  label.classList.toggle("unseen", !seen);
  const { offsetWidth: wide, offsetHeight: high } = label;
  const [x, y] = [(box.left + box.right - wide) / 2, (box.top + box.bottom - high) / 2];
  const sets = page.sets().flatMap((set) => boxOf(set) || []);
  const frames = [...document.querySelectorAll("#head, #foot, .d-foot")].map((el) => el.getBoundingClientRect());
  /** @type {[number, number, string][]} */
  const ways = [
    [x, box.top - high - TIP, "above"],
    [x, box.bottom + TIP, "below"],
    [box.right + TIP, y, ""],
    [box.left - wide - TIP, y, ""],
  ];
  const free = (/** @type {Box[]} */ others) =>
    ways.find(([left, top]) => {
      const covers = (/** @type {Box} */ o) =>
        left < o.right && o.left < left + wide && top < o.bottom && o.top < top + high;
      return left > 0 && top > 0 && left + wide < innerWidth && top + high < end && !others.some(covers);
    });
  // At the end of a row of the list, where it says least.
  const side = document.documentElement.dir === "rtl" ? box.left + TIP : box.right - wide - TIP;
  const edge = box.bottom - box.top > 2.5 * high ? /** @type {const} */ ([side, box.top - high / 2, ""]) : ways[0];
  const [wantX, wantY, way] = free([...sets, ...frames]) || free(sets) || edge;
  const left = Math.min(Math.max(wantX, 4), innerWidth - wide - 4);
  const tip = Math.min(Math.max((box.left + box.right) / 2 - left, 20), wide - 20);
  label.classList.toggle("above", way === "above");
  label.classList.toggle("below", way === "below");
  label.style.setProperty("--tip", (stage?.matches(".turned") ? wide - tip : tip) + "px");
  place(label, left, Math.min(Math.max(wantY, 4), end - high - 4));
}

/**
 * Places an element on the page. A screen that is turned upside down turns its contents, too.
 * @param {HTMLElement} el @param {number} left @param {number} top @param {number} [wide] @param {number} [high]
 */
function place(el, left, top, wide, high) {
  const page = stage?.matches(".turned") ? stage.getBoundingClientRect() : undefined;
  el.style.left = (page ? page.right - left - (wide ?? el.offsetWidth) : left) + "px";
  el.style.top = (page ? page.bottom - top - (high ?? el.offsetHeight) : top) + "px";
  if (wide !== undefined) el.style.width = wide + "px";
  if (high !== undefined) el.style.height = high + "px";
}

live.addEventListener("htmx:after:swap", look);
addEventListener("resize", look);
document.addEventListener("scroll", look, true);
