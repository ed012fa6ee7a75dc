// @ts-check
// Loads what not every player needs: the table as a list, typed commands, scanning for one switch, and pointing. Each
// is a script with a style sheet. They share the tablet's modules (extra.js).
import { tell } from "./line.js";
import { words } from "./state.js";

const base = document
  .querySelector("link[rel=icon]")
  ?.getAttribute("href")
  ?.replace(/[^/]*$/, "built/");
/** @type {Map<string, Promise<boolean>>} */
const loads = new Map();
/** @type {Set<string>} */
const there = new Set();

/** @typedef {"list" | "commands" | "scan" | "point"} Extra */

/** Reports whether a script and its style sheet are there. @param {Extra} name */
export const loaded = (name) => there.has(name);

/** Loads a script with its style sheet, once. @param {Extra} name @returns {Promise<boolean>} whether they are there */
export function load(name) {
  const known = loads.get(name);
  if (known) return known;
  const script = document.createElement("script");
  const sheet = document.createElement("link");
  const comes = (/** @type {HTMLElement} */ el) =>
    new Promise((/** @type {(there: boolean) => void} */ done) => {
      el.onload = () => done(true);
      el.onerror = () => done(false);
    });
  const made = Promise.all([comes(script), comes(sheet)]).then(([code, style]) => {
    if (code && style) there.add(name);
    else {
      loads.delete(name);
      if (name !== "point") tell(words.lost, "bad", 4000); // pointing loads by itself
    }
    return there.has(name);
  });
  loads.set(name, made);
  Object.assign(sheet, { rel: "stylesheet", href: `${base}${name}.css` });
  script.src = `${base}${name}.js`;
  document.head.append(sheet, script);
  return made;
}
