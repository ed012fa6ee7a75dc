// @ts-check
// Names tiles and sets in few words: "red 4 to 6", "7 black red blue", "red 9 10 joker 12".
import { isRun } from "./sets.js";

/**
 * @typedef {Record<string, string>} Words of each colour: black names a tile with {number}, someBlack several tiles
 * with their numbers, colourBlack the colour; joker; range has {from} and {to}; group has {number} and {colours}
 */

const COLOURS = { K: "Black", R: "Red", B: "Blue", O: "Orange" };
/** the colours in the order in which a rack is read */
const ORDER = /** @type {("K" | "R" | "B" | "O")[]} */ (Object.keys(COLOURS));

/** @param {string | undefined} text @param {Record<string, string | number>} values */
export function fill(text, values) {
  return (text || "").replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? "")).trim();
}

/** @param {string} face */
const number = (face) => Number(face.slice(1));

/** Returns the colour of a face as the names of words have it. @param {string} face */
const colour = (face) => COLOURS[/** @type {"K"} */ (face[0])];

/** Names a tile. @param {string} face @param {Words} words */
export function named(face, words) {
  return face === "J" ? words.joker : fill(words[colour(face).toLowerCase()], { number: face.slice(1) });
}

/** Names the colour of a tile. @param {string} face @param {Words} words */
export const colourNamed = (face, words) => (face === "J" ? words.joker : words["colour" + colour(face)]);

/** Names tiles of one colour. @param {string[]} faces the first is no joker @param {Words} words */
function someNamed(faces, words) {
  return fill(words[faces.length > 1 ? "some" + colour(faces[0]) : colour(faces[0]).toLowerCase()], {
    number: numbers(faces, words),
  });
}

/**
 * Names consecutive numbers by the first and the last.
 * @param {string[]} faces of one colour, and jokers @param {Words} words
 */
function numbers(faces, words) {
  /** @type {string[]} */
  const out = [];
  for (let i = 0; i < faces.length; i++) {
    let end = i;
    while (faces[end + 1] && faces[end + 1] !== "J" && number(faces[end + 1]) === number(faces[end]) + 1) end++;
    if (end - i > 1) {
      out.push(fill(words.range, { from: number(faces[i]), to: number(faces[end]) }));
      i = end;
    } else out.push(faces[i] === "J" ? words.joker : String(number(faces[i])));
  }
  return out.join(" ");
}

/** Names tiles in their order. @param {string[]} faces @param {Words} words */
export function tilesText(faces, words) {
  const plain = faces.filter((f) => f !== "J");
  const one = plain.every((f) => f[0] === plain[0][0]);
  if (plain.length > 1 && one)
    return fill(words["some" + colour(plain[0])], { number: numbers(faces, words) });
  if (plain.length > 1 && plain.every((f) => number(f) === number(plain[0])))
    return fill(words.group, {
      number: number(plain[0]),
      colours: faces.map((f) => colourNamed(f, words)).join(" "),
    });
  return faces.map((f) => named(f, words)).join(", ");
}

/** Names the tiles of a rack by colour. @param {string[]} faces @param {Words} words */
export function rackText(faces, words) {
  const rows = ORDER.map((c) => faces.filter((f) => f[0] === c).sort((a, b) => number(a) - number(b)));
  const texts = rows.filter((row) => row.length).map((row) => someNamed(row, words));
  return [...texts, ...faces.filter((f) => f === "J").map(() => words.joker)].join(", ");
}

/** Reports whether tiles are a group. @param {string[]} faces */
const isGroup = (faces) => {
  const plain = faces.filter((f) => f !== "J");
  return (
    faces.length < 5 && new Set(plain.map((f) => f[0])).size === plain.length && new Set(plain.map(number)).size < 2
  );
};

/** Reports whether tiles could lie as one set. @param {string[]} faces */
export const isSet = (faces) => faces.length > 2 && (isRun(faces) || isGroup(faces));
