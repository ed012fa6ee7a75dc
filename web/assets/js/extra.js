// @ts-check
// Loads what few players need when they ask for it: typed commands and the scanning for one switch. Each is a script of
// its own, which receives the tablet's functions.
import { ask, sayStand } from "./judge.js";
import { tell } from "./line.js";
import { laying, tap } from "./moves.js";
import { buttons } from "./play.js";
import { say } from "./say.js";
import { chosen, choose } from "./settings.js";
import { draft, fill, live, spokenAll, state, words } from "./state.js";
import { draw } from "./view.js";

const tools = { ask, buttons, choose, chosen, draft, draw, fill, laying, live, say, sayStand, spokenAll, state, tap, words };
/** @typedef {typeof tools} Tools */

document.addEventListener("extra", (e) => /** @type {CustomEvent} */ (e).detail(tools));

const base = document.querySelector("link[rel=icon]")?.getAttribute("href")?.replace(/[^/]*$/, "built/");
/** @type {Map<string, Promise<boolean>>} */
const loads = new Map();

/** Loads a script with its style sheet, once. @param {"commands" | "scan"} name @returns {Promise<boolean>} whether it is there */
function load(name) {
  const known = loads.get(name);
  if (known) return known;
  const script = document.createElement("script");
  const sheet = document.createElement("link");
  const made = new Promise((/** @type {(there: boolean) => void} */ done) => {
    script.onload = () => done(true);
    script.onerror = () => done(false);
  });
  loads.set(name, made);
  void made.then((there) => {
    if (there) return;
    loads.delete(name);
    tell(words.lost, "bad", 4000);
  });
  Object.assign(sheet, { rel: "stylesheet", href: `${base}${name}.css` });
  script.src = `${base}${name}.js`;
  document.head.append(sheet, script);
  return made;
}

async function openCommands() {
  if (await load("commands")) document.dispatchEvent(new Event("command"));
}

document.getElementById("settings-commands")?.addEventListener("click", () => {
  /** @type {HTMLDialogElement | null} */ (document.getElementById("settings-sheet"))?.close();
  void openCommands();
});
document.addEventListener("keydown", (e) => {
  const typing = e.target instanceof Element && e.target.closest("input, select, textarea");
  if (e.key !== "/" || !chosen.slash || typing || e.altKey || e.ctrlKey || e.metaKey || document.querySelector("dialog[open]")) return;
  e.preventDefault();
  void openCommands();
});

function follow() {
  if (chosen.scan) void load("scan");
}
document.addEventListener("settings", follow);
follow();
