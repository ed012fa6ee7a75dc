// @ts-check
// The table as a list: a row for each set, and the rack, of plain buttons. It shows the draft that the table shows too.
// Rows and buttons keep their elements, so that the focus and screen readers stay where they are.
import { faceAt, jokerFor, kindOf, standFor } from "./sets.js";
import { draft, fill, free, helped, listed, live, opened, state } from "./state.js";

const words = { ...document.getElementById("list-words")?.dataset };

/** the button of each piece @type {HTMLButtonElement[]} */
let buttons = [];
/** the tiles that they are for */
let made = "";

/** @param {string} selector @returns {HTMLElement | null} */
const one = (selector) => document.querySelector(selector);

/** Returns the piece of a button, or -1. @param {Element} button */
export const pieceOf = (button) => buttons.findIndex((b) => b === button);

/** Returns the set of a row. @param {Element} el within the row */
export const setAt = (el) =>
  [...(el.closest("#set-rows")?.children || [])].indexOf(/** @type {Element} */ (el.closest(".set-row")));

/** Scrolls to the set that a piece lies in. @param {number} id */
export const reveal = (id) => buttons[id]?.closest(".set-row")?.scrollIntoView({ block: "nearest" });

/** Shows the draft if the page shows the table as a list. */
function drawRows() {
  const rack = one("#rack-list");
  const rows = one("#set-rows");
  if (!listed() || !rack || !rows) return;
  const focus = document.activeElement?.closest(".piece, .set-row button");
  if (made !== draft.signature) {
    for (const b of buttons) b.remove();
    buttons = [];
    made = draft.signature;
  }
  draft.sets.forEach((set, k) => {
    const row = rowOf(set) || newRow();
    if (rows.children[k] !== row) rows.insertBefore(row, rows.children[k] || null);
    fillIn(/** @type {HTMLElement} */ (row.querySelector(".set-tiles")), set);
    drawRow(row, set, k);
  });
  while (rows.children.length > draft.sets.length) rows.lastElementChild?.remove();
  const left = draft.pieces.flatMap((p, i) => (p.rack && p.at < 0 ? [i] : []));
  fillIn(
    rack,
    left.sort((a, b) => draft.pieces[a].slot - draft.pieces[b].slot),
  );
  drawKeys();
  watch(/** @type {HTMLElement} */ (rack.parentElement));
  if (focus instanceof HTMLElement && document.activeElement !== focus) stay(focus);
}

/** Gives the focus back after elements moved, or passes it on if its element is gone. @param {HTMLElement} focus */
function stay(focus) {
  const here = focus.isConnected && !focus.closest("[hidden]");
  const next = here ? focus : one("#rack-list .piece") || one("#set-rows .piece");
  next?.focus({ preventScroll: true });
}

/** Returns the row whose first tile is in a set. @param {number[]} set */
function rowOf(set) {
  const first = set.map((i) => buttons[i]).find((b) => b?.matches(".set-row :first-child"));
  return /** @type {HTMLElement | null | undefined} */ (first?.closest(".set-row"));
}

/** Copies the row that the server rendered as a template. */
function newRow() {
  const template = /** @type {HTMLTemplateElement} */ (one("#set-row"));
  return /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
}

/** Puts the buttons of pieces into an element, in order. @param {HTMLElement} into @param {number[]} ids */
function fillIn(into, ids) {
  ids.forEach((id, k) => {
    const button = buttonOf(id);
    if (into.children[k] !== button) into.insertBefore(button, into.children[k] || null);
  });
}

/** @param {number} id */
function buttonOf(id) {
  const { el, face, rack, at } = draft.pieces[id];
  const button = (buttons[id] ||= document.createElement("button"));
  if (!button.id) {
    Object.assign(button, { type: "button", className: "piece", id: `p${id}-${face}` });
    button.append(el.cloneNode(true));
  }
  const look = [...el.classList].filter((name) => !/held|gone|wrong/.test(name)).join(" ");
  const tile = /** @type {HTMLElement} */ (button.firstElementChild);
  if (tile.className !== look) tile.className = look;
  button.setAttribute("aria-pressed", String(state.held.includes(id)));
  button.disabled = at >= 0 && !(free() && (opened() || rack));
  return button;
}

/** @param {HTMLElement} row @param {number[]} set @param {number} k */
function drawRow(row, set, k) {
  const faces = set.map(draft.faceOf);
  const verdict = draft.setWas({ ids: set }) ? undefined : state.verdicts[k];
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (row.querySelector("." + name));
  const text = (/** @type {string} */ name, /** @type {string} */ now) => {
    if (part(name).textContent !== now) part(name).textContent = now;
  };
  const n = String(k + 1);
  const kind = kindOf(faces) || verdict ? describe(faces) : words.other || "";
  part("set-name").id = "set" + n;
  text("vh", fill(words.set, { n }) + (kind ? ": " : ""));
  text("set-no", n);
  text("set-kind", kind);
  text("tag", verdict ? (verdict.ok ? "✓ " + words.valid : "! " + verdict.word) : "");
  part("tag").className = "tag " + (verdict?.ok ? "good" : "bad");
  row.classList.toggle("fault", verdict?.ok === false);
  text("set-more", [jokerWords(faces), takes(k)].filter(Boolean).join(" "));
  const { held } = state;
  const [id] = held;
  const inside = held.filter((i) => set.includes(i)).length;
  const loose = free() && (opened() || set.every((i) => draft.pieces[i].rack));
  const single = held.length === 1;
  show(row, k, {
    add: loose && held.length > inside && inside < set.length,
    take: loose && held.length === inside,
    point: !held.length,
    split: loose && single && inside > 0 && set.indexOf(id) < set.length - 1,
    free:
      loose &&
      single &&
      !inside &&
      draft.pieces[id].rack &&
      jokerFor(set, draft.pieces[id].face, draft.faceOf) !== undefined,
  });
  row.querySelector("[name=take]")?.setAttribute("aria-pressed", String(inside === set.length));
}

/**
 * Shows the keys of a row that can do something.
 * @param {HTMLElement} row @param {number} k @param {Record<string, boolean>} use
 */
function show(row, k, use) {
  for (const key of row.querySelectorAll("button")) {
    if (!(key.name in use)) continue;
    key.hidden = !use[key.name];
    key.id = `set${k + 1}-${key.name}`;
    key.setAttribute("aria-labelledby", `${key.id} set${k + 1}`);
  }
}

/** @param {string} face */
const nameOf = (face) => fill(words[face[0].toLowerCase()], { n: face.slice(1) });

/** Says in words what a set is. @param {string[]} faces */
function describe(faces) {
  const kind = kindOf(faces);
  if (kind === "run")
    return fill(words.run, { from: nameOf(faceAt(faces, 0)), to: nameOf(faceAt(faces, faces.length - 1)) });
  const named = faces.filter((f) => f !== "J");
  const colours = named.map((f) => words["colour" + f[0]]).join(", ");
  return kind ? fill(words.group, { number: named[0].slice(1), colours }) : "";
}

/** Says what the jokers of a set stand for. @param {string[]} faces */
function jokerWords(faces) {
  const or = new Intl.ListFormat(document.documentElement.lang, { type: "disjunction" });
  const tiles = standFor(faces).map((list) => or.format(list.map(nameOf)));
  return tiles.length ? fill(words.joker, { tile: [...new Set(tiles)].join(", ") }) : "";
}

/** Says which tiles of the rack a set takes, if the rules allow that. @param {number} k */
function takes(k) {
  const fits = helped() && free() ? state.fits?.filter((f) => f.set === k && !f.joker && f.face !== "J") : undefined;
  return fits?.length ? fill(words.takes, { tiles: fits.map((f) => nameOf(f.face)).join(", ") }) : "";
}

function drawKeys() {
  const { held } = state;
  const enable = (/** @type {string} */ id, /** @type {boolean} */ on) => {
    const key = /** @type {HTMLButtonElement | null} */ (one("#list-" + id));
    if (key && key.disabled === on) key.disabled = !on;
  };
  enable("undo", free() && (draft.past.length > 0 || held.length > 0));
  enable("new", free() && held.length > 0);
  enable("back", free() && held.length > 0 && held.every((i) => draft.pieces[i].rack && draft.pieces[i].at >= 0));
}

/** the rack whose height the style sheet knows @type {Element | undefined} */
let known;
/** Tells the style sheet how high the rack is, above which the verdict stays. */
const high = new ResizeObserver(([{ target }]) => {
  document.body.style.setProperty("--well-high", /** @type {HTMLElement} */ (target).offsetHeight + "px");
});

/** @param {Element} well */
function watch(well) {
  if (well === known) return;
  high.disconnect();
  high.observe((known = well));
}

live.addEventListener("drawn", drawRows);
