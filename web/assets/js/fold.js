// @ts-check
// Normalizes text for searches in the same way as the server (spelling.Search).
import { readNumber } from "./number.js";

/** @type {Record<string, string>} */
const LETTERS = {
  ł: "l", ø: "o", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ı: "i", ħ: "h", ŧ: "t", ŋ: "n", ß: "ss", ς: "σ",
};

/**
 * Removes accents, case and invisible characters, and makes letters, digits, dashes and apostrophes plain.
 * @param {string} text
 */
export function fold(text) {
  return text
    .replace(/[‘-‛′´`ʹʻ-ʽ׳ꞌ＇]/g, "'")
    .normalize("NFKD")
    .replace(/\p{M}|\p{Cf}|[\u115f\u1160\u3164]/gu, "")
    .replace(/[\u2010-\u2015\u2212\u05be]/g, "-")
    .replace(/\p{Nd}/gu, (d) => String(readNumber(d)))
    .toLowerCase()
    .replace(/[^\x00-\x7f]/g, (c) => LETTERS[c] || c)
    .replace(/\s+/g, " ")
    .trim();
}
