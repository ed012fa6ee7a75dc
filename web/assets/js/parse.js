// @ts-check
// Parses typed commands, such as "lay R4-6", "add K7 3" or "free joker 2 with R11". Words may be English or in the
// language of the page; each may be shortened as long as it stays unique.
import { fold } from "./fold.js";

/**
 * @typedef {{
 *   verb: string, tiles: string[], colours: string[], from?: number, to?: number, fresh: boolean, strange: string,
 * }} Command
 * verb is "" if it is unknown. tiles are faces, such as R4 and J. colours were given without a
 * number. from and to count sets from 1; from is also the set of a command about one set. fresh asks for a new set.
 * strange is the first word that was not understood.
 * @typedef {{ verbs: Map<string, string>, terms: Map<string, string> }} Lexicon words with what they mean
 */

/** What each command and each other word is called in English: its name, then shorter and other names. */
const VERBS = [
  "rack r hand",
  "sets s table list",
  "read",
  "lay l put new",
  "add a",
  "move m",
  "take t",
  "point",
  "free f",
  "undo u",
  "reset",
  "check c",
  "clock time",
  "draw",
  "pass",
  "done end",
  "ready",
  "redeal",
  "referee call",
  "last",
  "players",
  "help h ?",
  "terse",
  "verbose",
  "agree",
];
const TERMS = ["black k", "red r", "blue b", "orange o", "joker j *", "on in", "to into", "from", "with", "set", "new"];

/** @type {Record<string, string>} */
const LETTER = { black: "K", red: "R", blue: "B", orange: "O" };

/**
 * Returns the words of all commands.
 * @param {string} [more] words in the page's language: an English name and what it is called, for each; "red rosso; …"
 * @returns {Lexicon}
 */
export function lexicon(more = "") {
  const verbs = new Map();
  const terms = new Map();
  for (const [map, list] of /** @type {[Map<string, string>, string[]][]} */ ([
    [verbs, VERBS],
    [terms, TERMS],
  ])) {
    const names = list.map((line) => line.split(" ")[0]);
    for (const line of [...list, ...more.split(";")]) {
      const [name, ...others] = fold(line).split(/\s+/);
      if (!names.includes(name)) continue;
      for (const word of [name, ...others]) if (!map.has(word)) map.set(word, name);
    }
  }
  return { verbs, terms };
}

/**
 * Returns what a word means, or the only meaning that it may begin.
 * @param {Map<string, string>} map @param {string} word
 */
function meaning(map, word) {
  const found = map.get(word);
  if (found || word.length < 2) return found;
  const all = new Set([...map].filter(([w]) => w.startsWith(word)).map(([, name]) => name));
  return all.size === 1 ? [...all][0] : undefined;
}

/**
 * Splits a row of digits into numbers of tiles, consecutive ones if possible: 456 is 4, 5, 6 and 91011 is 9, 10, 11.
 * @param {string} digits @returns {number[]}
 */
export function numbersIn(digits) {
  if (Number(digits) <= 13) return [Number(digits)];
  for (const size of [1, 2]) {
    /** @type {number[]} */
    const run = [Number(digits.slice(0, size))];
    let text = digits.slice(0, size);
    while (text.length < digits.length) {
      run.push(run[run.length - 1] + 1);
      text += run[run.length - 1];
    }
    if (text === digits && run[run.length - 1] <= 13) return run;
  }
  return [...digits].map(Number);
}

/**
 * @typedef {{ kind: "colour" | "number" | "joker" | "word", value: string, numbers: number[], glued: boolean }} Part
 * glued: it stands in one word with other parts
 */

/** @param {string} word @param {Lexicon} words @returns {Part[] | undefined} */
function partsOf(word, { terms }) {
  const whole = meaning(terms, word);
  if (whole) return [part(whole, false)];
  const pieces = word.match(/[^\d*-]+|\d+|[*-]/g) || [];
  /** @type {Part[]} */
  const parts = [];
  const glued = pieces.length > 1;
  for (let i = 0; i < pieces.length; i++) {
    const before = parts[parts.length - 1];
    if (pieces[i] === "-") {
      while (pieces[i + 1] && !/\d/.test(pieces[i + 1])) i++; // R4-R6
      const end = Number(pieces[++i]);
      if (!before?.numbers.length || !(end <= 13)) return undefined;
      for (let n = before.numbers[before.numbers.length - 1] + 1; n <= end; n++) before.numbers.push(n);
    } else if (/\d/.test(pieces[i])) {
      parts.push({ kind: "number", value: pieces[i], numbers: numbersIn(pieces[i]), glued });
    } else {
      const name = meaning(terms, pieces[i]);
      const names = name ? [name] : [...pieces[i]].map((letter) => terms.get(letter) || "");
      if (names.includes("")) return undefined;
      parts.push(...names.map((n) => part(n, glued)));
    }
  }
  return parts;
}

/** @param {string} name @param {boolean} glued @returns {Part} */
function part(name, glued) {
  const kind = LETTER[name] ? "colour" : name === "joker" ? "joker" : "word";
  return { kind, value: name, numbers: [], glued };
}

/**
 * Collects tiles from colours and numbers in either order: "red 4 5", "4 5 red", "7 black red blue", "4 joker 6 red".
 */
class Tiles {
  /** @type {string[]} */ faces = [];
  /** @type {string[]} */ colours = [];
  /** numbers of tiles; 0 for a joker @type {number[]} */ numbers = [];
  colourFirst = false;

  /** @param {string} name */
  colour(name) {
    const begins = !this.colours.length && !this.numbers.some((n) => n);
    if (begins) this.colourFirst = true;
    else if (this.colourFirst && this.numbers.length) (this.end(), (this.colourFirst = true));
    this.colours.push(LETTER[name]);
  }

  /** @param {number[]} list */
  number(list) {
    if (!this.colourFirst && this.colours.length) this.end();
    this.numbers.push(...list);
  }

  /** Combines the colours with the numbers. Returns false if one of them is missing. */
  end() {
    const colours = this.colours.length ? this.colours : [""];
    colours.forEach((c, k) => {
      for (const n of this.numbers)
        if (n && c) this.faces.push(c + n);
        else if (!n && !k) this.faces.push("J");
    });
    const whole = this.colours.length > 0 === this.numbers.some((n) => n);
    Object.assign(this, { colours: [], numbers: [], colourFirst: false });
    return whole;
  }
}

const ONE_SET = ["read", "take", "check", "free", "point"];

/**
 * Returns how many numbers at the end count sets, not tiles: "add K7 3", "move B7 3 5".
 * @param {Part[]} parts @param {string} verb
 */
function setsAtEnd(parts, verb) {
  const most = { add: 1, move: 2 }[verb] || 0;
  if (!most || parts.some((p) => p.kind === "word" && /on|to|from|set|new/.test(p.value))) return 0;
  let n = 0;
  while (n < parts.length && parts[parts.length - 1 - n].kind === "number" && !parts[parts.length - 1 - n].glued) n++;
  const last = parts[parts.length - 1 - n];
  if (last?.glued || last?.kind === "joker") return Math.min(n, most);
  return n > 1 || (n && parts.slice(0, -1).some((p) => p.kind === "number")) ? 1 : 0;
}

/** Parses a command. @param {string} text @param {Lexicon} words @returns {Command} */
export function parse(text, words) {
  const plain = fold(text).replace(/\s*-\s*/g, "-");
  const [first = "", ...rest] = plain.split(/[\s,;.+]+/).filter(Boolean);
  /** @type {Command} */
  const command = { verb: meaning(words.verbs, first) || "", tiles: [], colours: [], fresh: false, strange: "" };
  if (!command.verb && Number(first) > 0 && !rest.length) return { ...command, verb: "read", from: Number(first) };
  if (!command.verb) return { ...command, strange: first };
  /** @type {Part[]} */
  const parts = [];
  for (const word of rest) {
    const found = partsOf(word, words);
    if (!found) return { ...command, strange: word };
    parts.push(...found);
  }
  const ends = setsAtEnd(parts, command.verb);
  const numbers = parts.splice(parts.length - ends, ends).map((p) => Number(p.value));
  command.to = numbers.pop();
  command.from = numbers.pop();
  readParts(command, parts);
  return command;
}

/** @param {Command} command @param {Part[]} parts */
function readParts(command, parts) {
  const tiles = new Tiles();
  /** the set that the next number counts @type {"from" | "to" | undefined} */
  let next = ONE_SET.includes(command.verb) && parts.some((p) => p.kind === "number") ? "from" : undefined;
  for (const p of parts) {
    const counts = p.kind === "number" && next;
    if (counts) {
      command[counts] = Number(p.value);
      next = undefined;
    } else if (p.kind === "number") tiles.number(p.numbers);
    else if (p.kind === "colour") {
      tiles.colour(p.value);
      command.colours.push(LETTER[p.value]);
      if (command.verb !== "free") next = undefined; // "take red 4"
    } else if (p.kind === "joker") {
      if (command.verb !== "free") tiles.number([0]);
    } else if (p.value === "new") command.fresh = true;
    else if (p.value === "from") next = "from";
    else if (p.value === "to" || p.value === "on") next = "to";
    else if (p.value === "set") next ||= ONE_SET.includes(command.verb) ? "from" : "to";
  }
  const whole = tiles.end();
  command.tiles = tiles.faces;
  if (!whole && command.verb !== "rack") command.strange ||= parts.map((p) => p.value).join(" ");
}
