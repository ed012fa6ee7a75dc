// @ts-check
// What a tablet signs: data/record/signature.md.
import { etc, getPublicKey, sign } from "../vendor/noble-ed25519.js";
import { bytes, hex, sha256 } from "./sha256.js";
import { sha512 } from "./sha512.js";

etc.sha512Sync = (...parts) => sha512(etc.concatBytes(...parts));

/** @typedef {{ at?: number, tiles: string[] }} Laid */

/**
 * Returns the content of a command, or "" for one that is not signed.
 * @param {string} action the last part of its address @param {{ turn?: number, table?: Laid[] }} body
 */
export function content(action, { turn = 0, table = [] }) {
  const sets = table.map((set) => set.tiles.join(" ")).sort();
  if (action === "play") return `play ${turn} ${sets.join(";")}`;
  if (["draw", "pass", "redeal"].includes(action)) return `${action} ${turn}`;
  return ["ready", "call", "withdraw-call"].includes(action) ? action : "";
}

/**
 * @param {string} before the statement before; "" for the first one @param {number} game @param {number} seat
 * @param {number} seen the seq of the last event that the tablet has seen @param {string} history @param {string} what
 */
export const statement = (before, game, seat, seen, history, what) =>
  hex(sha256(["meldhall command v1", before, game, seat, seen, history, what].map((v) => v + "\0").join("")));

/** @param {Uint8Array} data */
const base64 = (data) => btoa(String.fromCharCode(...data)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

/** @param {string} text one character a byte */
const array = (text) => new Uint8Array(Array.from(text, (c) => c.charCodeAt(0)));

/** @param {string} seed 32 bytes in hex */
export const publicKey = (seed) => base64(getPublicKey(array(bytes(seed))));

/** @param {string} text ASCII @param {string} seed */
export const signature = (text, seed) => base64(sign(array(text), array(bytes(seed))));
