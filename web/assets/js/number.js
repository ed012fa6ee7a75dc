// @ts-check
// Parses numbers with the digits of any script and any minus sign that a page prints.

const DIGIT = /\p{Nd}/u;

/** Returns the value of a decimal digit. Unicode lists the digits of a script in a row from 0. @param {string} digit */
function valueOf(digit) {
  const at = digit.codePointAt(0) || 0;
  let first = at;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first--;
  return (at - first) % 10;
}

/**
 * Parses a number made of a sign, digits and a decimal mark. It returns undefined for any other text.
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
