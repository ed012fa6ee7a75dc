// @ts-check
// The player's tablet: moves tiles at once, asks the server what it thinks of them, sends the turn.
import { scan } from "./clock.js";
import { Draft } from "./draft.js";
import { Hand } from "./hand.js";
import { CELLS, blocks } from "./layout.js";
import { before, settle } from "./motion.js";
import { post, sendUntilAnswered } from "./send.js";

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const words = /** @type {Record<string, string>} */ (document.getElementById("words")?.dataset || {});
export const draft = new Draft();

/** @type {number[]} the pieces in the hand */
let held = [];
/** @type {{ text: string, kind: string, turn: string, until: number } | undefined} */
let line;
/** @type {{ at: number, ok: boolean, word: string }[]} */
let verdicts = [];
/** whether the server would take the table as it lies */
let legal = false;
let busy = false;
let sureUntil = 0;
let asked = 0;
/** @type {number | undefined} */
let askTimer;
let lastWords = "";

const root = () => /** @type {HTMLElement} */ (document.getElementById("game"));
/** @param {string} id */
const button = (id) => /** @type {HTMLButtonElement | null} */ (document.getElementById(id));
/** @param {number} id */
const spoken = (id) => draft.pieces[id]?.el.querySelector(".vh")?.textContent || "";

// ---- what the player does ----

const hand = new Hand(live, { tap, lift, drop, cancel });

/** @param {import("./hand.js").Spot} spot */
function tap({ el, after }) {
  const at = Number(el.dataset.at ?? -1);
  const here = draft.pieces.findIndex((p) => p.el.parentElement === el);
  if (at >= 0) tapCell(at, here, after, el);
  else tapRack(el, here);
  draw();
}

/** @param {number} at @param {number} here @param {boolean} after @param {HTMLElement} el */
function tapCell(at, here, after, el) {
  if (!draft.mine || busy) return;
  if (!held.length) {
    const whole = here < 0 ? gripped(at) : undefined;
    if (whole) pick(whole, words.handle);
    else if (here >= 0) pick([here]);
  } else if (held.includes(here)) {
    held = [];
  } else {
    layHeld(at, after);
    if (document.activeElement === el || el.contains(document.activeElement)) focusPiece(el);
  }
}

/** @param {HTMLElement} el @param {number} here */
function tapRack(el, here) {
  const fromRack = held.every((i) => draft.pieces[i].at < 0);
  if (here >= 0 && fromRack) {
    held = held.includes(here) ? held.filter((i) => i !== here) : [...held, here];
    if (held.length) say(words.picked.replace("{tile}", held.map(spoken).join(", ")));
  } else if (held.length && fromRack) {
    draft.arrange(held, slotOf(el));
    held = [];
  } else if (held.length) {
    backToRack();
  }
}

/** @param {HTMLElement} el @returns {HTMLElement[]} */
function lift(el) {
  const here = draft.pieces.findIndex((p) => p.el.parentElement === el);
  const at = Number(el.dataset.at ?? -1);
  if (at >= 0 && (!draft.mine || busy)) return [];
  if (here < 0 && at < 0) return [];
  if (here < 0) held = gripped(at) || [];
  else if (!held.includes(here)) held = [here];
  draw();
  return held.map((i) => draft.pieces[i].el);
}

/** @param {import("./hand.js").Spot | undefined} spot */
function drop(spot) {
  const el = spot?.el;
  const at = Number(el?.dataset.at ?? -1);
  if (!spot || !el) say(words.back);
  else if (at >= 0 && held.some((i) => draft.pieces[i].at === at)) say(words.back);
  else if (at >= 0 && draft.mine && !busy) layHeld(at, spot.after);
  else if (at < 0 && held.every((i) => draft.pieces[i].at < 0)) draft.arrange(held, slotOf(el) + Number(spot.after && el.matches(".slot:not(.end)")));
  else if (at < 0) backToRack();
  held = [];
  draw();
}

function cancel() {
  held = [];
  draw();
}

/** @param {number[]} ids @param {string} [text] */
function pick(ids, text) {
  held = ids;
  say(text || words.picked.replace("{tile}", spoken(ids[0])));
}

/** @param {number} at @param {boolean} after */
function layHeld(at, after) {
  const ids = held;
  if (!draft.put(ids, at, after)) {
    tell(words.noroom, "bad");
    return;
  }
  say(words.putdown.replace("{tile}", ids.map(spoken).join(", ")));
  held = [];
  changed();
}

function backToRack() {
  if (!draft.back(held)) {
    tell(words.notrack, "bad");
    return;
  }
  held = [];
  changed();
}

/** @param {HTMLElement} el the cell that was chosen: the focus stays where the eye is */
function focusPiece(el) {
  requestAnimationFrame(() => el.focus());
}

/** The whole set whose handle is an empty cell: the one that ends before it, or begins after it at the lane's end. @param {number} at */
function gripped(at) {
  const board = draft.board();
  if (board[at] !== undefined) return undefined;
  const before = at % CELLS ? board[at - 1] : undefined;
  if (before !== undefined) return draft.setOf(before);
  const next = (at + 1) % CELLS ? board[at + 1] : undefined;
  if (next === undefined) return undefined;
  const set = draft.setOf(next);
  return (draft.pieces[set[set.length - 1]].at + 1) % CELLS === 0 ? set : undefined;
}

/** @param {HTMLElement} el */
function slotOf(el) {
  return Number(el.dataset.slot ?? draft.order.length);
}

function changed() {
  sureUntil = 0;
  verdicts = [];
  legal = false;
  draft.keep();
  clearTimeout(askTimer);
  askTimer = setTimeout(ask, 30);
}

// ---- what the server thinks ----

async function ask() {
  const number = ++asked;
  const body = { turn: Number(draft.turn), table: draft.laid() };
  const reply = await post(`${words.game}/${draft.game}/draft`, JSON.stringify(body), 2500);
  if (number !== asked) return;
  if (!reply || reply.status >= 500) {
    tell(words.lost, "bad");
    askTimer = setTimeout(ask, 1000);
    return;
  }
  if (!reply.ok || String(body.turn) !== draft.turn) return;
  const v = reply.answer;
  verdicts = v.sets || [];
  legal = v.legal;
  if (draft.moved && v.message) tell(v.message, v.legal ? "good" : "", 0, false);
  else line = undefined;
  draw();
}

/** @param {string} action @param {object} [more] */
async function act(action, more) {
  if (busy) return;
  busy = true;
  const turn = draft.turn;
  const body = action === "call" ? {} : { turn: Number(turn), ...more };
  tell(words.sent, "sent");
  draw();
  const reply = await sendUntilAnswered(`${words.game}/${draft.game}/${action}`, body, () => tell(words.again, "sent"));
  busy = false;
  const text = reply.answer.message || "";
  if (reply.ok) tell(text || words.accepted, reply.answer.done === false ? "bad" : "good", 2500);
  else tell(words.refused + " " + text, "bad", turn === draft.turn ? 0 : 4000);
  draw();
}

/** What the keys do, by id; hint.js adds its own. @type {Record<string, () => void>} */
export const buttons = {
  undo: () => move(() => draft.undo()),
  reset: () => move(() => draft.reset()),
  "by-number": () => draft.sort("number"),
  "by-colour": () => draft.sort("colour"),
  play: () => void act("play", { table: draft.laid() }),
  pass: () => void act("pass"),
  ready: () => void act("ready"),
  redeal: () => void act("redeal"),
  call: () => void act("call"),
  draw: () => {
    if (draft.moved && performance.now() > sureUntil) {
      sureUntil = performance.now() + 5000;
      tell(words.sure, "bad");
    } else void act("draw");
  },
};

/** @param {() => void} change */
export function move(change) {
  held = [];
  change();
  line = undefined;
  changed();
}

/** @type {HTMLButtonElement | undefined} */
let pressed;
let actedAt = -Infinity;

/** @param {Event} e @returns {HTMLButtonElement | undefined} */
function keyOf(e) {
  const el = e.target instanceof Element ? e.target.closest("button") : null;
  return el && buttons[el.id] && !el.disabled ? el : undefined;
}

/** @param {HTMLButtonElement} el */
function press(el) {
  buttons[el.id]();
  draw();
}

// A finger acts when it is lifted from the key that it came down on. The click that follows, or does not
// (browsers swallow the one after a drag), is then passed over; other clicks come from keys and readers.
live.addEventListener("pointerdown", (e) => (pressed = e.isPrimary ? keyOf(e) : undefined));
live.addEventListener("pointerup", (e) => {
  const el = document.elementFromPoint(e.clientX, e.clientY)?.closest("button");
  if (!pressed || el !== pressed) return;
  actedAt = performance.now();
  press(pressed);
});
live.addEventListener("click", (e) => {
  const el = keyOf(e);
  if (el && performance.now() - actedAt > 700) press(el);
});

// ---- what is shown ----

/** Says something to who cannot see it. @param {string} text */
function say(text) {
  const el = document.getElementById("say");
  if (el) el.textContent = text;
}

/** Writes the line above the buttons. @param {string} text @param {string} kind @param {number} [stay] ms that it outlives its turn @param {boolean} [aloud] */
export function tell(text, kind, stay = 0, aloud = true) {
  line = { text, kind, turn: draft.turn, until: stay ? performance.now() + stay : 0 };
  if (aloud || line.text !== document.getElementById("verdict")?.textContent) say(text);
  if (stay) setTimeout(draw, stay + 50);
  drawLine();
}

let serverLine = "";

function drawLine() {
  const el = document.getElementById("verdict");
  if (!el) return;
  const shown = line && (line.until ? performance.now() < line.until : line.turn === draft.turn) ? line : undefined;
  const text = shown ? shown.text : serverLine;
  if (el.textContent !== text) el.textContent = text;
  el.className = "verdict " + (shown?.kind || "");
}

function draw() {
  const was = before();
  const cells = document.querySelectorAll("#table .cell");
  const slots = document.querySelectorAll("#rack .slot");
  const board = draft.board();
  draft.order.forEach((id, k) => {
    if (draft.pieces[id].at < 0) settleIn(draft.pieces[id].el, slots[k]);
  });
  draft.pieces.forEach((p, i) => {
    if (p.at >= 0) settleIn(p.el, cells[p.at]);
    p.el.classList.toggle("held", held.includes(i));
    if (p.rack && p.at >= 0) p.el.classList.add("laid");
    else p.el.classList.remove("laid");
  });
  cells.forEach((cell, at) => {
    const grip = draft.mine && !held.length && board[at] === undefined && !!gripped(at);
    cell.classList.toggle("grip", grip);
    if (grip) cell.setAttribute("aria-label", words.grip);
    else cell.removeAttribute("aria-label");
  });
  root().classList.toggle("hand-full", held.length > 0);
  drawTags(board);
  drawButtons();
  drawLine();
  rest("#table .cell");
  rest("#rack .slot");
  settle(was);
}

/** @param {HTMLElement} el @param {Element | undefined} to */
function settleIn(el, to) {
  if (to && el.parentElement !== to) to.append(el);
}

/** Words under the sets that changed in this turn. @param {(number | undefined)[]} board */
function drawTags(board) {
  for (const old of document.querySelectorAll("#table .tag")) old.remove();
  const lanes = document.querySelectorAll("#table .lane");
  for (const b of blocks(board)) {
    const v = verdicts.find((w) => w.at === b.at);
    if (!v || draft.setWas(b)) continue;
    const tag = document.createElement("span");
    tag.className = "tag " + (v.ok ? "good" : "bad");
    tag.setAttribute("aria-hidden", "true");
    tag.textContent = (v.ok ? "✓ " : "! ") + v.word;
    tag.style.left = (((b.at % CELLS) + b.ids.length / 2) / CELLS) * 100 + "%";
    lanes[Math.floor(b.at / CELLS)]?.append(tag);
  }
}

function drawButtons() {
  /** @param {string} id @param {boolean} on */
  const enable = (id, on) => {
    const b = button(id);
    if (b && b.disabled === on) b.disabled = !on;
  };
  enable("undo", draft.mine && !busy && draft.past.length > 0);
  enable("reset", draft.mine && !busy && draft.moved);
  enable("play", draft.mine && !busy && draft.played > 0);
  button("play")?.classList.toggle("unsure", !legal);
  enable("draw", draft.mine && !busy);
  enable("pass", draft.mine && !busy);
}

/** One place to come in by the tab key. @param {string} selector */
function rest(selector) {
  if (document.querySelector(selector + "[tabindex='0']")) return;
  const first = document.querySelector(selector + ":has(.tile)") || document.querySelector(selector);
  first?.setAttribute("tabindex", "0");
}

// ---- what the server draws ----

live.addEventListener("htmx:sse:before:message", (e) => {
  const { message, waitUntil } = /** @type {CustomEvent} */ (e).detail;
  if (message.event || !hand.busy) return;
  const turn = /id="game"[^>]*?data-turn="(\d+)"/s.exec(message.data)?.[1];
  if (turn === draft.turn) waitUntil(hand.busy);
  else hand.cancel();
});

function redrawn() {
  if (!root()) return;
  serverLine = document.getElementById("verdict")?.textContent || "";
  const turn = draft.turn;
  if (!draft.read(root())) {
    held = [];
    verdicts = [];
    legal = false;
    sureUntil = 0;
    if (line && !line.until) line = undefined;
  }
  const last = document.getElementById("last")?.textContent || "";
  const now = root().dataset;
  if (last !== lastWords || turn !== draft.turn) say([last, draft.mine ? words.turn : ""].join(" "));
  lastWords = last;
  if (draft.mine && draft.moved && !verdicts.length) void ask();
  document.title = document.title.replace(/^● /, "");
  if (now.mine === "true") document.title = "● " + document.title;
  draw();
}

live.addEventListener("htmx:after:swap", () => {
  scan();
  redrawn();
});
live.addEventListener("go", () => location.assign(words.room));
live.addEventListener("over", () => location.assign(words.enter));
document.addEventListener("visibilitychange", awake);

/** Keeps the screen on while a game runs, where the browser lets a page ask for it. */
function awake() {
  if (!document.hidden) /** @type {any} */ (navigator).wakeLock?.request("screen").catch(() => {});
}

awake();
redrawn();
