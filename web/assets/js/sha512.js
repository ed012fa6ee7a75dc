// @ts-check
// SHA-512 (FIPS 180-4), which pages without https lack.

const BITS = 64n, MASK = (1n << BITS) - 1n;

/** The integer part of a root. @param {bigint} x @param {bigint} n */
function root(x, n) {
  let low = 0n, high = 1n << 80n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle ** n <= x) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The first 64 bits of the fractional parts of the roots of the first primes.
 * @param {number} many @param {bigint} n
 */
function constants(many, n) {
  const found = [];
  for (let p = 2n; found.length < many; p++) {
    let prime = true;
    for (let d = 2n; d * d <= p && prime; d++) prime = p % d > 0n;
    if (prime) found.push(root(p << (BITS * n), n) & MASK);
  }
  return found;
}

const K = constants(80, 3n), START = constants(8, 2n);

/** @param {bigint} x @param {bigint} n */
const turn = (x, n) => (x >> n) | ((x << (BITS - n)) & MASK);

/** @param {Uint8Array} data @returns {Uint8Array} */
export function sha512(data) {
  const padded = new Uint8Array(((data.length + 16) >> 7 << 7) + 128);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, data.length * 8);
  const sum = START.slice(), w = new Array(80);
  for (let block = 0; block < padded.length; block += 128) {
    let [a, b, c, d, e, f, g, h] = sum;
    for (let i = 0; i < 80; i++) {
      const x = w[i - 15], y = w[i - 2];
      if (i < 16) w[i] = view.getBigUint64(block + i * 8);
      else {
        const low = turn(x, 1n) ^ turn(x, 8n) ^ (x >> 7n), high = turn(y, 19n) ^ turn(y, 61n) ^ (y >> 6n);
        w[i] = (w[i - 16] + w[i - 7] + low + high) & MASK;
      }
      const one = h + (turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n)) + ((e & f) ^ (~e & g)) + K[i] + w[i];
      const two = (turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) & MASK, c, b, a, (one + two) & MASK];
    }
    [a, b, c, d, e, f, g, h].forEach((v, i) => (sum[i] = (sum[i] + v) & MASK));
  }
  const out = new DataView(new ArrayBuffer(64));
  sum.forEach((v, i) => out.setBigUint64(i * 8, v));
  return new Uint8Array(out.buffer);
}
