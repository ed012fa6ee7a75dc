// @ts-check
// Consistency proofs of transparency logs (RFC 9162, 2.1.4.2). Hashes are strings with one character a byte, as atob
// returns them.
import { sha256 } from "./sha256.js";

/** @param {string} left @param {string} right */
const node = (left, right) => sha256("\x01" + left + right);

/**
 * Reports whether the tree of n leaves continues that of m leaves.
 * @param {number} m @param {string} older its root @param {number} n @param {string} newer its root
 * @param {string[]} proof
 */
export function continues(m, older, n, newer, proof) {
  if (m === n) return !proof.length && older === newer;
  if (m > n || m < 1) return m === 0;
  let from = m - 1, to = n - 1;
  while (from & 1) [from, to] = [from >>> 1, to >>> 1];
  const [first, ...rest] = from ? proof : [older, ...proof];
  let a = first, b = first;
  for (const hash of rest) {
    if (!to) return false;
    if (from & 1 || from === to) {
      [a, b] = [node(hash, a), node(hash, b)];
      while (from && !(from & 1)) [from, to] = [from >>> 1, to >>> 1];
    } else b = node(b, hash);
    [from, to] = [from >>> 1, to >>> 1];
  }
  return !to && a === older && b === newer;
}
