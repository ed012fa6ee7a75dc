// @ts-check
// Signs the player's commands with the tablet's key. The tablet keeps what it has signed, so that the server can
// neither add a command to the signed ones nor drop one unnoticed.
import { content, publicKey, signature, statement } from "./statement.js";
import { hex } from "./sha256.js";

/** @typedef {{ player: number, key: string, seen: number, history: string, last: string, statement: string }} Sign */
/** @typedef {{ player: number, seed: string, game: number, accepted: string, sent: string[] }} Kept */

const NAME = "keys";
const MOST = 8; // players

/** without storage, or with a full one @type {Kept[]} */
let here = [];

/** @returns {Kept[]} */
function all() {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) || "[]");
    return Array.isArray(kept) ? kept : here;
  } catch {
    return here;
  }
}

/** @param {Kept} one */
function keep(one) {
  here = [...all().filter((k) => k.player !== one.player), one].slice(-MOST);
  try {
    localStorage.setItem(NAME, JSON.stringify(here));
  } catch {
    // kept on this page only
  }
}

/** @type {Record<string, string>} */
const publicKeys = {};

/** @param {string} seed */
const keyOf = (seed) => (publicKeys[seed] ||= publicKey(seed));

const root = () => document.getElementById("game")?.dataset || {};

/** @returns {Sign | undefined} */
const shown = () => JSON.parse(root().sign || "null") || undefined;

/** Returns the tablet's key for the player and what it has signed in this game. @param {Sign} told */
function own(told) {
  const game = Number(root().game);
  let one = all().find((k) => k.player === told.player);
  if (!one) {
    const seed = hex(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
    one = { player: told.player, seed, game, accepted: "", sent: [] };
    keep(one);
  }
  if (one.game !== game) one = { ...one, game, accepted: "", sent: [] };
  if (told.last === keyOf(one.seed) && told.statement !== one.accepted && one.sent.includes(told.statement)) {
    one = { ...one, accepted: told.statement, sent: [] };
    keep(one);
  }
  return one;
}

/** the key that the server has taken from this page, and the one that is on its way */
let bound = "", sent = "";

/** Tells the server the tablet's key, unless it has it. */
async function bind() {
  const told = shown();
  if (!told) return;
  const key = keyOf(own(told).seed);
  if (told.key === key || bound === key || sent === key) return;
  sent = key;
  const reply = await fetch("/play/key", { method: "POST", body: new URLSearchParams({ key }) }).catch(() => undefined);
  if (reply?.ok) bound = key;
  else sent = "";
}

/** @param {string} url @param {object} body @returns {string} the signature's header; "" for none */
function sign(url, body) {
  const told = shown();
  const what = content(url.replace(/.*\//, ""), body);
  if (!told || !what) return "";
  const one = own(told);
  const key = keyOf(one.seed);
  if (told.key !== key && bound !== key) return "";
  const before = told.last === key ? told.statement : "";
  if (before !== one.accepted) return ""; // the server shows another command than this tablet's last one
  const next = statement(before, one.game, Number(root().seat), told.seen, told.history, what);
  keep({ ...one, sent: [...one.sent, next].slice(-MOST) });
  return `${told.seen} ${signature(next, one.seed)}`;
}

document.addEventListener("sign", (e) => {
  const { url, body, done } = /** @type {CustomEvent} */ (e).detail;
  try {
    done(sign(url, body));
  } catch {
    done(""); // a command is never lost for want of a signature
  }
  e.preventDefault();
});
document.addEventListener("htmx:after:swap", () => void bind());
void bind();
