// @ts-check
// Keeps the newest checkpoint of the event's transparency log on this device, and warns if the server contradicts it
// later. The reader can then copy both checkpoints, which the server has signed, and give them to others.
import { continues } from "./merkle.js";

const place = /** @type {HTMLElement | null} */ (document.getElementById("forked"));
const from = place?.dataset.log || "", key = "log " + from;

/** @param {string} path */
async function ask(path) {
  const answer = await fetch(from + path);
  return answer.ok && !answer.redirected ? await answer.text() : undefined;
}

/** @param {string} note @returns {[origin: string, size: number, root: string]} */
function read(note) {
  const [origin, size, root] = note.split("\n");
  return [origin, Number(size), atob(root)];
}

/**
 * Reports whether a checkpoint continues the known one. It returns undefined if the server does not show the proof.
 * @param {string} known @param {string} told
 */
async function agrees(known, told) {
  const was = read(known), is = read(told);
  if (was[0] !== is[0]) { // a copy of the database was restored: the first leaf refers to the earlier log
    const leaf = await ask("tile/entries/000.p/1");
    if (leaf === undefined) return undefined;
    const [kind, size, hash] = leaf.slice(2).split(" ");
    const root = [...was[2]].map((c) => c.charCodeAt(0).toString(16).padStart(2, "0")).join("");
    return kind === "log" && (Number(size) !== was[1] || hash === root);
  }
  const [a, b] = was[1] <= is[1] ? [was, is] : [is, was];
  if (a[1] === b[1]) return a[2] === b[2];
  const proof = await ask(`consistency?from=${a[1]}&to=${b[1]}`);
  return proof === undefined ? undefined : continues(a[1], a[2], b[1], b[2], proof.trim().split("\n").map(atob));
}

async function look() {
  const told = await ask("checkpoint");
  if (!told || !place) return;
  const known = localStorage.getItem(key), same = !known || (await agrees(known, told));
  if (same === false && known) {
    place.hidden = false;
    /** @type {HTMLTextAreaElement} */ (place.querySelector("textarea")).value = known + "\n" + told;
  } else if (same && (!known || read(known)[0] !== read(told)[0] || read(known)[1] <= read(told)[1])) {
    localStorage.setItem(key, told);
  }
}

/** Looks without disturbing the page: the network or the storage may be missing. */
const quietly = () => void look().catch(() => {});
if (place) {
  quietly();
  setInterval(quietly, 300_000);
}
