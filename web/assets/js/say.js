// @ts-check
// Announcements for screen readers. One lasts two seconds at most, for a listener who hears 750 words a minute; a
// longer text is announced in parts. While one is spoken, the others wait, the most important first.

/**
 * Number of sentences that stay. A verdict comes a few milliseconds after the text about the hand, and a screen reader
 * reads both.
 */
const KEPT = 3;
const WORD = 80; // ms
const MOST = 25; // words

/** The ranks of announcements: news of others, replies to the player, the player's own turn. */
export const NEWS = 0;
const REPLY = 1;
export const TURN = 2;

/** @type {{ text: string, rank: number }[]} */
let waiting = [];
let until = -Infinity;
/** @type {number | undefined} */
let timer;

/** @param {string} text */
const lengthOf = (text) => text.trim().split(/\s+/).length;

/** Splits a text between sentences or, if those are too long, at commas. @param {string} text @returns {string[]} */
function parts(text) {
  /** @type {string[]} */
  const out = [];
  for (const piece of text.match(/[^.,;!?]+[.,;!?]*\s*/g) || [text]) {
    const last = out[out.length - 1];
    if (last !== undefined && lengthOf(last + piece) <= MOST) out[out.length - 1] += piece;
    else out.push(piece);
  }
  return out;
}

/** Announces a sentence, even if it repeats the previous one. @param {string} text @param {number} [rank] */
export function say(text, rank = REPLY) {
  if (!text.trim()) return;
  waiting.push(...parts(text).map((part) => ({ text: part.trim(), rank })));
  waiting.sort((a, b) => b.rank - a.rank);
  next();
}

/** Drops the replies that wait, because the player has gone on: screen readers fall silent at each key and touch. */
function hush() {
  waiting = waiting.filter((w) => w.rank !== REPLY);
  until = -Infinity;
}

for (const type of ["keydown", "pointerdown"]) document.addEventListener(type, hush, true);
document.addEventListener("click", (e) => e.detail || hush(), true); // of assistive technology

function next() {
  clearTimeout(timer);
  const log = document.getElementById("say");
  const left = until - performance.now();
  if (!waiting.length || !log) return;
  if (left > 0) {
    timer = setTimeout(next, left);
    return;
  }
  const { text } = /** @type {{ text: string }} */ (waiting.shift());
  const sentence = document.createElement("p");
  sentence.textContent = text;
  log.append(sentence);
  while (log.children.length > KEPT) log.firstElementChild?.remove();
  until = performance.now() + WORD * lengthOf(text);
  next();
}
