// @ts-check
// The tablet's part in the shuffle, and the check of a finished game's deal: data/record/deal.md.
import { bytes, hex, hmac, sha256 } from "./sha256.js";

/** How many deals of a game the nonces last for. */
export const DEALS = 16;

/** @typedef {{ hash?: string, nonce?: string }} Share */
/** @typedef {{ game: number, deal: number, secret: string, shares: Share[] }} Joint */

/** A number as bytes, the highest first. @param {number} n @param {number} size */
const number = (n, size) =>
  Array.from({ length: size }, (_, i) => String.fromCharCode(Math.floor(n / 256 ** (size - 1 - i)) % 256)).join("");

/** @param {string} label @param {number} game @param {string} rest */
const hashed = (label, game, rest) => sha256(label + number(game, 8) + rest);

/** @param {number} game @param {string} secret */
export const commitment = (game, secret) => hex(hashed("meldhall deal v1", game, bytes(secret)));

/**
 * Returns the nonce so many deals before another one.
 * @param {number} game @param {number} seat @param {string} nonce @param {number} steps
 */
export function before(game, seat, nonce, steps) {
  let value = bytes(nonce);
  for (; steps > 0; steps--) value = hashed("meldhall nonce v1", game, number(seat, 1) + value);
  return hex(value);
}

/**
 * Returns the nonce for a deal, or the hash for deal 0.
 * @param {number} game @param {number} seat @param {string} root @param {number} deal
 */
export const nonceOf = (game, seat, root, deal) => before(game, seat, root, DEALS - deal);

/** @param {Joint} j */
function keyOf(j) {
  const deal = number(j.deal, 1);
  const secret = bytes(j.secret);
  const values = j.shares.map((s, seat) =>
    s.nonce ? bytes(s.nonce) : hashed("meldhall fallback v1", j.game, number(seat, 1) + deal + secret));
  return hashed("meldhall key v1", j.game, deal + secret + values.join(""));
}

/** The tiles in their standard order. */
export function tiles() {
  const first = ["K", "R", "B", "O"].flatMap((c) => Array.from({ length: 13 }, (_, i) => c + (i + 1)));
  return [...first, ...first.map((t) => t + "'"), "J", "J'"];
}

/** @param {Joint} j @param {string} label @returns {string} the shuffled tiles */
export function order(j, label) {
  const key = keyOf(j);
  const list = tiles();
  for (let i = list.length - 1, block = "", blocks = 0; i > 0; i--) {
    const places = i + 1;
    const most = 2 ** 32 - (2 ** 32 % places);
    let x = most;
    while (x >= most) {
      block ||= hmac(key, label + number(blocks++, 4));
      x = Array.from(block.slice(0, 4)).reduce((n, c) => n * 256 + c.charCodeAt(0), 0);
      block = block.slice(4);
    }
    const k = x % places;
    [list[i], list[k]] = [list[k], list[i]];
  }
  return list.join(" ");
}

/** @param {Joint} j @returns {string} the order in which the tiles were dealt and drawn */
export const pool = (j) => order(j, "meldhall pool v1");

/** Reports whether every nonce leads to its hash. @param {Joint} j */
export const follows = (j) =>
  j.deal > 0 &&
  j.deal <= DEALS &&
  j.shares.every((s, seat) => !s.nonce || (!!s.hash && before(j.game, seat, s.nonce, j.deal) === s.hash));
