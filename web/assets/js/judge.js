// @ts-check
// Asks the server to judge the current table and the sets planned on the rack.
import { quiet, tell } from "./line.js";
import { say } from "./say.js";
import { freshKey, post } from "./send.js";
import { draft, fill, helped, moving, spokenAll, state, words } from "./state.js";
import { draw } from "./view.js";

let asked = 0;
/** The latest question, whose answer also settles the earlier ones. */
let asking = Promise.resolve();
let count = 0;
const device = deviceName();
/** @type {number | undefined} */
let askTimer;

/**
 * Handles a change of the table: asks the server at once, so that it judges while the page renders. Also stores the
 * draft.
 */
export function changed() {
  Object.assign(state, { verdicts: [], legal: false, message: "", costs: "", fits: undefined });
  clearTimeout(askTimer);
  void ask();
  draft.keep();
  plan();
}

export function ask() {
  return (asking = askOnce(++asked));
}

/** @param {number} number @returns {Promise<void>} */
async function askOnce(number) {
  count = Math.max(count + 1, Date.now());
  const body = { turn: Number(draft.turn), table: draft.laid(), from: { device, count } };
  const reply = await post(`${words.game}/${draft.game}/draft`, JSON.stringify(body), 2500);
  if (number !== asked) return asking;
  if (!reply || reply.status >= 500) {
    if (!state.busy) tell(words.lost, "bad");
    askTimer = setTimeout(ask, 1000);
    return;
  }
  if (!reply.ok || String(body.turn) !== draft.turn) return;
  const v = reply.answer;
  state.verdicts = v.sets || [];
  Object.assign(state, { legal: v.legal, message: v.message || "", costs: v.costs || "", fits: v.fits || [] });
  if (JSON.stringify(body.table) === JSON.stringify(draft.laid())) draft.keep(true);
  if (state.busy) return;
  const said = (state.stand || sayStand)(v.message || "");
  if (draft.moved && v.message) tell(v.message, v.legal ? "good" : "", 0, said ? "no" : "new");
  else quiet();
  draw();
  document.dispatchEvent(new CustomEvent("judged", { detail: v })); // lesson.js
}

/** Returns this device's name, by which the server orders drafts that a bad network delivers late. */
function deviceName() {
  try {
    const name = localStorage.getItem("device") || freshKey();
    localStorage.setItem("device", name);
    return name;
  } catch {
    return freshKey(); // no storage: a name for this page only
  }
}

/** Announces the verdict on the set laid last. @param {string} message @returns {boolean} whether it announced one */
export function sayStand(message) {
  const id = state.laid;
  state.laid = undefined;
  const k = id === undefined ? -1 : draft.sets.findIndex((s) => s.includes(id));
  const v = state.verdicts[k];
  if (!v) return false;
  say(fill(moving.planned, { tiles: spokenAll(draft.sets[k]), word: v.word }) + " " + message);
  return true;
}

/** @type {number | undefined} */
let planTimer;
let planned = "";
let planAsked = 0;
let planning = Promise.resolve(true);

/** Asks about the sets on the rack after a short pause, if they changed. */
export function plan() {
  clearTimeout(planTimer);
  planTimer = setTimeout(askPlan, 60);
}

/** Reports whether the verdicts on the rack's current sets are available, asking at once if a request is still due. */
export function planKnown() {
  clearTimeout(planTimer);
  return askPlan();
}

function askPlan() {
  const list = draft.rack.blocks().filter((b) => b.ids.length > 2 && (b.ids.length <= 13 || helped()));
  const body = JSON.stringify({ sets: list.map((b) => b.ids.map((i) => draft.pieces[i].face)) });
  const key = draft.game + draft.turn + body + list.map((b) => b.at);
  if (key === planned) return planning;
  planned = key;
  return (planning = askPlanOnce(list, body, ++planAsked));
}

/**
 * @param {import("./layout.js").Block[]} list @param {string} body @param {number} number @returns {Promise<boolean>}
 */
async function askPlanOnce(list, body, number) {
  const before = state.plans.size;
  const reply = list.length ? await post(`${words.game}/${draft.game}/plan`, body, 2500) : undefined;
  if (number !== planAsked) return planning;
  const known = !list.length || !!reply?.ok;
  if (!known) planned = "";
  const sets = /** @type {{ ok: boolean, word: string, points: number, holds?: [number, number][] }[]} */ (reply?.ok ? reply.answer.sets : []);
  state.standing = sets.flatMap((s, k) => (s.holds || []).map(([from, to]) => list[k].ids.slice(from, to)));
  state.plans = new Map(sets.flatMap((s, k) => (s.ok ? [[list[k].at, s]] : [])));
  state.plan = state.plans.size ? reply?.answer.message || "" : "";
  if (state.plans.size > before) sayPlans(list);
  draw();
  return known;
}

/** @param {import("./layout.js").Block[]} list */
function sayPlans(list) {
  const said = list.flatMap((b) => {
    const p = state.plans.get(b.at);
    return p ? [fill(moving.planned, { tiles: spokenAll(b.ids), word: `${p.word} ${p.points}` })] : [];
  });
  say([...said, state.plan].join(" "));
}
