// @ts-check
// SHA-256 (FIPS 180-4) and HMAC (RFC 2104), which pages without https lack. Values are strings with one character a
// byte.

/**
 * The first 32 bits of the fractional parts of the roots of the first primes.
 * @param {number} n @param {number} root
 */
function constants(n, root) {
  const found = [];
  for (let p = 2; found.length < n; p++) {
    let prime = true;
    for (let d = 2; d * d <= p && prime; d++) prime = p % d > 0;
    const x = p ** (1 / root);
    if (prime) found.push(((x - Math.floor(x)) * 2 ** 32) | 0);
  }
  return found;
}

const K = constants(64, 3), START = constants(8, 2);

/** @param {string} text one character a byte */
export function sha256(text) {
  const at = text.length, words = new Array((((at + 8) >> 6) + 1) * 16).fill(0);
  for (let i = 0; i < at; i++) words[i >> 2] |= text.charCodeAt(i) << (24 - (i % 4) * 8);
  words[at >> 2] |= 0x80 << (24 - (at % 4) * 8);
  words[words.length - 1] = at * 8;
  const sum = START.slice(), w = new Array(64);
  /** @param {number} x @param {number} n */
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let block = 0; block < words.length; block += 16) {
    let [a, b, c, d, e, f, g, h] = sum;
    for (let i = 0; i < 64; i++) {
      const x = w[i - 15], y = w[i - 2];
      const low = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3), high = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
      w[i] = i < 16 ? words[block + i] : (w[i - 16] + w[i - 7] + low + high) | 0;
      const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i];
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((v, i) => (sum[i] = (sum[i] + v) | 0));
  }
  return sum.map((v) => String.fromCharCode(v >>> 24, (v >>> 16) & 255, (v >>> 8) & 255, v & 255)).join("");
}

/** @param {string} key at most 64 bytes @param {string} text */
export function hmac(key, text) {
  const block = key.padEnd(64, "\0");
  /** @param {number} pad */
  const padded = (pad) => Array.from(block, (c) => String.fromCharCode(c.charCodeAt(0) ^ pad)).join("");
  return sha256(padded(0x5c) + sha256(padded(0x36) + text));
}

/** @param {string} text one character a byte */
export const hex = (text) => Array.from(text, (c) => c.charCodeAt(0).toString(16).padStart(2, "0")).join("");

/** @param {string} text hexadecimal digits */
export const bytes = (text) => (text.match(/../g) || []).map((b) => String.fromCharCode(parseInt(b, 16))).join("");
