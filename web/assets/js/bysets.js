// @ts-check
// What the buttons of the table as a list do. They change the draft as taps and drags on the table do.
import { release } from "./assist.js";
import { ask } from "./judge.js";
import { refocus } from "./keys.js";
import { back, letGo, laying, move, pick, toggle, undo } from "./moves.js";
import { buttons } from "./play.js";
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

/** What a key of a row does to its set, by the name of the key. @type {Record<string, (set: number[]) => void>} */
const deeds = {
  add(set) {
    const { held } = state;
    const beside = set.find((i) => !held.includes(i));
    if (beside === undefined) return;
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
    const joker = jokerFor(set, draft.faceOf(id), draft.faceOf);
    if (joker !== undefined) release(joker, id);
  },
};

live.addEventListener("click", (e) => {
  const key = e.target instanceof Element ? e.target.closest("#set-list button, #rack-list button") : null;
  if (!(key instanceof HTMLButtonElement) || key.disabled) return;
  const id = pieceOf(key);
  if (id >= 0) toggle(id);
  else deeds[key.name]?.(draft.sets[setAt(key)]);
  draw();
  refocus();
});

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
