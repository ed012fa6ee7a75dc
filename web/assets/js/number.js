// @ts-check
// Numbers as people type them: in the digits of any script, with any of the minus signs that a page prints.

const DIGIT = /\p{Nd}/u;

/** The value of a decimal digit: Unicode has them in rows of ten, from 0 on. @param {string} digit */
function valueOf(digit) {
  const at = digit.codePointAt(0) || 0;
  let first = at;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first--;
  return (at - first) % 10;
}

/**
 * The number that a text is; undefined where it is none. Nothing but a sign, digits and a decimal mark is read.
 * @param {string} text
 */
export function readNumber(text) {
  const plain = text
    .replace(/[\s\u061c\u200e\u200f\u2066-\u2069]/g, "")
    .replace(/\p{Nd}/gu, (digit) => String(valueOf(digit)))
    .replace(/[\u2212\ufe63\uff0d]/g, "-")
    .replace(/[,\u066b\uff0c\uff0e]/g, ".");
  return /^-?\d{1,9}(\.\d{1,9})?$/.test(plain) ? Number(plain) : undefined;
}
