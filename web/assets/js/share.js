// @ts-check
// Takes part in the shuffle of the player's game: sends a hash, then the nonce, and checks the deal of a finished game.
// What the tablet has sent and seen is kept on the tablet, so that the server cannot change it unnoticed.
import { commitment, follows, nonceOf, pool } from "./deal.js";
import { hex } from "./sha256.js";
import { post } from "./send.js";

/** @typedef {{ commitment?: string, hashes?: (string | null)[] }} Seen */
/** @typedef {Seen & { game: number, seat: number, deal: number, sent: number }} Ask */
/** @typedef {Seen & { game: number, seat: number, root: string, taken?: boolean, sent?: number }} Kept */

const NAME = "shares";
const MOST = 12; // games
const PATIENCE = 5000;

/** @returns {Kept[]} the newest last */
function all() {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) || "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return here;
  }
}

/** without storage, or with a full one @type {Kept[]} */
let here = [];

/** @param {Kept} one */
function keep(one) {
  here = [...all().filter((k) => k.game !== one.game || k.seat !== one.seat), one].slice(-MOST);
  try {
    localStorage.setItem(NAME, JSON.stringify(here));
  } catch {
    // kept on this page only
  }
}

/** @param {number} game @param {number} seat */
const find = (game, seat) => all().find((k) => k.game === game && k.seat === seat);

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
let busy = false;

/** @param {Ask} ask @param {object} body @returns {Promise<Ask | undefined>} */
async function send(ask, body) {
  const reply = await post(`/play/game/${ask.game}/share`, JSON.stringify(body), PATIENCE);
  return reply?.ok ? reply.answer : undefined;
}

/**
 * Sends what the server asks for, if anything, and returns what it asks for next.
 * @param {Ask} ask @returns {Promise<Ask | undefined>}
 */
async function serve(ask) {
  let own = find(ask.game, ask.seat);
  if (ask.sent < 0) {
    if (ask.deal > 0) return undefined; // too late for this game
    const random = crypto.getRandomValues(new Uint8Array(32));
    own = { game: ask.game, seat: ask.seat, root: hex(String.fromCharCode(...random)) };
    keep(own);
    const next = await send(ask, { hash: nonceOf(ask.game, ask.seat, own.root, 0) });
    if (next) keep({ ...own, taken: true });
    return next;
  }
  if (!own || !ask.commitment || ask.deal <= ask.sent) return undefined;
  const hash = nonceOf(ask.game, ask.seat, own.root, 0);
  // A nonce goes out only while the server keeps what it said before, and one deal after the other.
  if (ask.hashes?.[ask.seat] !== hash || ask.deal > (own.sent || 0) + 1) return undefined;
  const seen = { commitment: own.commitment || ask.commitment, hashes: own.hashes || ask.hashes };
  if (seen.commitment !== ask.commitment || String(seen.hashes) !== String(ask.hashes)) return undefined;
  keep({ ...own, ...seen, sent: ask.deal });
  return send(ask, { deal: ask.deal, nonce: nonceOf(ask.game, ask.seat, own.root, ask.deal) });
}

async function answer() {
  if (busy || !live.dataset.shuffle) return;
  busy = true;
  const asked = live.dataset.shuffle;
  /** @type {Ask | undefined} */
  let ask = JSON.parse(asked);
  for (let tries = 0; ask && tries < 3; tries++) ask = await serve(ask);
  busy = false;
  if (live.dataset.shuffle !== asked) void answer();
}

/** Shows on the page of a finished game whether its deal follows from the shuffle that this tablet took part in. */
function check() {
  const said = document.getElementById("fair");
  if (!said || said.dataset.checked) return;
  said.dataset.checked = "true";
  const joint = JSON.parse(said.dataset.joint || "null");
  const seat = Number(said.dataset.seat);
  const own = joint && find(joint.game, seat);
  const share = joint?.shares[seat];
  let verdict = "without";
  if (joint && (!follows(joint) || pool(joint) !== said.dataset.order)) verdict = "bad";
  else if (own?.taken) {
    const nonce = nonceOf(joint.game, seat, own.root, joint.deal);
    const same = own.commitment === commitment(joint.game, joint.secret) && share?.nonce === nonce;
    const hashes = joint.shares.map((/** @type {{ hash?: string }} */ s) => s.hash || null);
    verdict = same && String(hashes) === String(own.hashes) ? "good" : "bad";
  }
  said.textContent = said.dataset[verdict] || "";
  said.classList.add(verdict);
  said.hidden = false;
}

document.addEventListener("shuffle", () => void answer());
document.addEventListener("htmx:after:swap", check);
void answer();
check();
