// @ts-check
// Lends the tablet's functions and state to the scripts that are loaded later (load.js), whose imports web/bundle
// replaces. It loads typed commands and scanning when the player asks for them, and pointing after the first view.
import { release } from "./assist.js";
import { ask, sayStand } from "./judge.js";
import { refocus } from "./keys.js";
import { tell } from "./line.js";
import { load } from "./load.js";
import { back, laying, letGo, move, pick, tap, toggle, undo } from "./moves.js";
import { buttons } from "./play.js";
import { profile } from "./profile.js";
import { say } from "./say.js";
import { choose, chosen } from "./settings.js";
import { draft, fill, free, helped, listed, live, moving, opened, spokenAll, state, words } from "./state.js";
import { draw } from "./view.js";

const lent = {
  ask,
  back,
  buttons,
  choose,
  chosen,
  draft,
  draw,
  fill,
  free,
  helped,
  laying,
  letGo,
  listed,
  live,
  move,
  moving,
  opened,
  pick,
  profile,
  refocus,
  release,
  say,
  sayStand,
  spokenAll,
  state,
  tap,
  tell,
  toggle,
  undo,
  words,
};
/** @typedef {typeof lent} Lent */
Object.assign(window, { lent });
setTimeout(() => void load("point"), 3000);

async function openCommands() {
  if (await load("commands")) document.dispatchEvent(new Event("command"));
}

document.getElementById("settings-commands")?.addEventListener("click", () => {
  /** @type {HTMLDialogElement | null} */ (document.getElementById("settings-sheet"))?.close();
  void openCommands();
});
document.addEventListener("keydown", (e) => {
  const typing = e.target instanceof Element && e.target.closest("input, select, textarea");
  if (
    e.key !== "/" ||
    !chosen.slash ||
    typing ||
    e.altKey ||
    e.ctrlKey ||
    e.metaKey ||
    document.querySelector("dialog[open]")
  )
    return;
  e.preventDefault();
  void openCommands();
});

function follow() {
  if (chosen.scan) void load("scan");
}
document.addEventListener("settings", follow);
follow();
