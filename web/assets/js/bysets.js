// @ts-check
// What the buttons of the table as a list do. They change the draft as taps and drags on the table do.
import { release } from "./assist.js";
import { ask } from "./judge.js";
import { refocus } from "./keys.js";
import { back, letGo, laying, move, pick, toggle, undo } from "./moves.js";
import { buttons } from "./play.js";
import { profile } from "./profile.js";
import { pieceOf, reveal, setAt } from "./rows.js";
import { joined, jokerFor, splitAfter, without } from "./sets.js";
import { draft, free, helped, listed, live, moving, state } from "./state.js";
import { draw } from "./view.js";

/** Lays the held tiles and shows where they are. @param {() => boolean} change */
function lay(change) {
  const [id] = state.held;
  laying(change);
  draw();
  reveal(id);
}

/**
 * What a key of a row does to its set, by the name of the key. rows.js shows it only if it can.
 * @type {Record<string, (set: number[]) => void>}
 */
const deeds = {
  add(set) {
    const { held } = state;
    const beside = /** @type {number} */ (set.find((i) => !held.includes(i)));
    const next = joined(without(draft.sets, held, draft.faceOf), held, beside, draft.faceOf);
    lay(() => !!next && draft.become(next));
  },
  take(set) {
    if (state.held.length === set.length) letGo();
    else pick(set, "all");
  },
  split() {
    const [id] = state.held;
    move(() => draft.become(splitAfter(draft.sets, id)), moving.split);
  },
  free(set) {
    const [id] = state.held;
    release(/** @type {number} */ (jokerFor(set, draft.faceOf(id), draft.faceOf)), id);
  },
};

/** Returns the tiles between the one that was chosen last and another of the same list. @param {Element} key */
function between(key) {
  const list = [...(key.parentElement?.children || [])].map(pieceOf);
  const [from, to] = [state.held[state.held.length - 1], pieceOf(key)]
    .map((id) => list.indexOf(id))
    .sort((a, b) => a - b);
  return from < 0 ? [] : list.slice(from, to);
}

/** @param {MouseEvent} e a click; or a long press on a tile, which takes all tiles up to it */
function press(e) {
  const key = e.target instanceof Element ? e.target.closest(".piece, .set-row button") : null;
  if (!(key instanceof HTMLButtonElement) || key.disabled) return;
  const id = pieceOf(key);
  const long = e.type !== "click";
  if (id >= 0) toggle(id, e.shiftKey || (long && profile.press) ? between(key) : []);
  else if (!long) deeds[key.name]?.(draft.sets[setAt(key)]);
  e.preventDefault();
  draw();
  refocus();
}

live.addEventListener("click", press);
live.addEventListener("contextmenu", press);

/** Asks what the sets take, if the list shows it. */
function seek() {
  if (listed() && helped() && free() && !state.fits) void ask();
}

live.addEventListener("htmx:after:swap", seek);
addEventListener("resize", seek);
seek();

buttons["list-undo"] = undo;
buttons["list-new"] = () => lay(() => draft.add(state.held));
buttons["list-back"] = () => back();
