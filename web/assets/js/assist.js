// @ts-check
// Help that a rule set allows (assist: on). The server decides what fits, in its replies to a draft and to a plan. A
// second tap on a tile of the rack sends it to the only set that takes it, or sends its planned set to the table. A
// tile laid on a joker that it can replace puts the joker in the hand.
import { ask, changed, planKnown } from "./judge.js";
import { hold, tell } from "./line.js";
import { lay, laying } from "./moves.js";
import { post } from "./send.js";
import { exchanged } from "./sets.js";
import { draft, fill, free, helped, moving, spoken, state, words } from "./state.js";
import { draw } from "./view.js";

const TWICE = 500; // longest time between the two taps of a double tap, in ms

/** the previous tap @type {{ id: number, time: number }} */
let before = { id: -1, time: -Infinity };

/**
 * Reports whether a tap is the second one on a tile. If so, it also sends the tile to the table.
 * @param {number} id @param {number} [time]
 */
export function twice(id, time = NaN) {
  const again = helped() && free() && before.id === id && time - before.time < TWICE;
  before = again ? { id: -1, time } : { id, time };
  if (again) void send(id);
  return again;
}

/** @param {number} id */
async function send(id) {
  const held = state.held.includes(id) ? state.held : [...state.held, id];
  const { turn } = draft;
  const ids = held.length > 2 ? await whole(held) : held.length === 1 ? await standing(id) : undefined;
  const fit = ids ? undefined : held.length === 1 && fitOf(id);
  if (!free() || turn !== draft.turn) return;
  if (fit) {
    const to = blockOf(fit.set);
    state.held = held;
    if (to) lay(to.at + Math.min(fit.at, to.ids.length - 1), fit.at >= to.ids.length);
  } else if (ids) {
    layFree(ids);
  } else {
    state.held = held.filter((i) => i !== id);
    if (ids === null) tell(words.lost, "bad");
    else tell(moving.fitsNone, "");
  }
  draw();
}

/**
 * Returns the planned set on the rack that goes to the table with a tile, if no set on the table takes that tile;
 * null if the server did not reply.
 * @param {number} id
 */
async function standing(id) {
  if (!(await know())) return null;
  const sets = fitOf(id)
    ? []
    : state.standing.filter((ids) => ids.includes(id) && ids.every((i) => draft.pieces[i].at < 0));
  return sets.sort((a, b) => b.length - a.length)[0];
}

/** Returns the held tiles if they form a set; null if the server did not reply. @param {number[]} held */
async function whole(held) {
  const ids = draft.ordered(held);
  const reply = await post(
    `${words.game}/${draft.game}/plan`,
    JSON.stringify({ sets: [ids.map((i) => draft.pieces[i].face)] }),
    2500,
  );
  if (!reply?.ok) return null;
  return reply.answer.sets[0].ok ? ids : undefined;
}

/**
 * Asks the server what fits and which sets stand on the rack, unless the replies are current. Returns false if the
 * server did not reply.
 */
async function know() {
  if (!state.fits) await ask();
  return (await planKnown()) && !!state.fits;
}

/** @param {number} id */
const fitOf = (id) => state.fits?.find((f) => !f.joker && f.face === draft.pieces[id].face);

/** Returns the block of a set on the table, given the set's number at the server. @param {number} set */
const blockOf = (set) => /** @type {import("./layout.js").Block | undefined} */ (draft.blocks()[set]);

/** Lays tiles as the last set. @param {number[]} ids */
function layFree(ids) {
  state.held = ids;
  laying(() => draft.add(ids));
}

/**
 * Reports whether a single rack tile lies over a joker that it might replace.
 * @param {number[]} ids @param {number} at
 */
export function overJoker(ids, at) {
  const over = draft.pieces.find((p) => p.at === at);
  return helped() && free() && ids.length === 1 && draft.pieces[ids[0]].at < 0 && over?.face === "J";
}

/**
 * Replaces a joker with a tile and puts the joker in the hand. If the tile does not fit there, lays it as without help.
 * @param {number} id @param {number} at @param {boolean} after
 */
export async function swap(id, at, after) {
  const { turn } = draft;
  await know();
  if (!free() || turn !== draft.turn) return;
  const joker = draft.pieces.findIndex((p) => p.at === at);
  const fits = state.fits?.some(
    (f) => f.joker && f.face === draft.pieces[id].face && draft.sets[f.set]?.[f.at] === joker,
  );
  state.held = [id];
  if (fits) release(joker, id);
  else lay(at, after);
  draw();
}

/** Lays a tile in the place of a joker, which goes to the hand. @param {number} joker @param {number} id */
export function release(joker, id) {
  if (!draft.become(exchanged(draft.sets, joker, id))) return tell(words.noroom, "bad");
  state.laid = id;
  changed();
  state.held = [joker];
  hold(fill(moving.swapped, { tile: spoken(id) }));
}
