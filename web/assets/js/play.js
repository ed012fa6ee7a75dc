// @ts-check
// The player's tablet: its buttons and what they send, and updates from the server. The handling of tiles is in
// moves.js.
import "./bounce.js";
import "./awake.js";
import "./fingers.js";
import { scan } from "./clock.js";
import { leave } from "./device.js";
import { armed } from "./guard.js";
import { makeSlots, measure } from "./felt.js";
import { Hand } from "./hand.js";
import { ask, plan } from "./judge.js";
import { listen, refocus } from "./keys.js";
import { cancel, drop, keep, lift, move, press, sort, stretch, tap, undo } from "./moves.js";
import { quiet, readLine, tell } from "./line.js";
import { beginHold, endHold, mustHold } from "./press.js";
import { profile } from "./profile.js";
import { signal } from "./ring.js";
import { NEWS, say, TURN } from "./say.js";
import { sendUntilAnswered } from "./send.js";
import { draft, fill, live, root, spokenAll, state, words } from "./state.js";
import { sure } from "./sure.js";
import { draw, lookUp, pointOut } from "./view.js";

export { draft, move, tell };

const hand = new Hand(live, { tap, press, lift, drop, keep, cancel });
listen({ tap, press, cancel, stretch });

/** Actions that wait for the one under way: it may have ended the game already. */
const WAITS = ["agree", "call", "withdraw-call"];
let sending = Promise.resolve();

/** @param {string} action @param {object} [more] */
export async function act(action, more) {
  if (state.busy && WAITS.includes(action)) await sending;
  if (state.busy) return;
  state.busy = true;
  let done = () => {};
  sending = new Promise((resolve) => (done = resolve));
  const turn = draft.turn;
  const body = action.endsWith("call") ? {} : { turn: Number(turn), ...more };
  tell(words.sent, "sent");
  draw();
  const reply = await sendUntilAnswered(`${words.game}/${draft.game}/${action}`, body, (why) =>
    tell(words[why], "sent"),
  );
  state.busy = false;
  done();
  const text = reply.answer.message || "";
  const begun = draft.mine && turn !== draft.turn; // the player's own turn is the reply to the request
  if (begun && reply.ok) quiet();
  else if (reply.ok && "done" in reply.answer)
    tell(text || words.accepted, reply.answer.done === false ? "bad" : "good", 2500);
  else if (/stale_turn|not_your_turn/.test(reply.answer.code)) tell(words.late, "bad", 6000);
  else tell(words.refused + " " + text, "bad", turn === draft.turn ? 0 : 4000);
  draw();
}

/**
 * Ends the turn with the table as it is now. An illegal table is not sent: the problem is announced and shown. If
 * playing it would cost tiles, the player is asked to confirm.
 */
async function play() {
  if (state.busy) return;
  const { turn } = draft;
  const table = draft.laid();
  if (!state.verdicts.length) await check();
  if (turn !== draft.turn) return tell(words.late, "bad", 6000);
  const send = () => void act("play", { table });
  if (state.legal || !state.verdicts.length) return send();
  tell(state.message, state.costs ? "" : "bad", 0, state.costs ? "no" : "yes");
  if (state.costs) sure(state.costs, "play", send, standing);
  pointOut();
}

/** Asks for the verdict on the table. Until the reply, no other button acts and no tile moves. */
async function check() {
  state.busy = true;
  tell(words.checking, "sent");
  draw();
  await ask();
  state.busy = false;
  quiet();
  draw();
}

/** Describes the table that a question is about: its sets, wherever they lie. */
const standing = () =>
  draft
    .laid()
    .map((set) => set.tiles.join())
    .sort()
    .join(";");

/** The actions of the buttons, by id; other modules add theirs. @type {Record<string, () => void>} */
export const buttons = {
  undo,
  reset: () => move(() => draft.reset()),
  "by-number": () => sort("number"),
  "by-colour": () => sort("colour"),
  play: () => void play(),
  pass: () => void act("pass"),
  ready: () => void act("ready"),
  redeal: () => void act("redeal"),
  call: () => void act("call"),
  "withdraw-call": () => void act("withdraw-call"),
  draw: () => {
    if (draft.moved) sure(words.sure, "draw", () => void act("draw"), standing);
    else void act("draw");
  },
};

/**
 * The button under each finger, and where and when the finger came down. A finger rests once another one has come down.
 * @type {Map<number, { key: HTMLButtonElement, at: number, x: number, y: number, rests: boolean }>}
 */
const pressed = new Map();
let actedAt = -Infinity;
const RESTED = 700; // ms after which a finger that saw another one has pressed nothing
const LONGEST = 2000; // ms after which a hand lies on a button that ends a turn

/** @param {Event} e @returns {HTMLButtonElement | undefined} */
function keyOf(e) {
  const el = e.target instanceof Element ? e.target.closest("button") : null;
  return el && buttons[el.id] && !el.disabled ? el : undefined;
}

/** @param {HTMLButtonElement} el */
function use(el) {
  buttons[el.id]();
  draw();
  refocus();
}

// A finger acts when it is lifted from the button that it came down on, or trembled there. The click that may follow is
// ignored; browsers swallow it after a drag. Other clicks come from keyboards and screen readers.
live.addEventListener("pointerdown", (e) => {
  const key = keyOf(e);
  if (e.isPrimary) pressed.clear();
  for (const other of pressed.values()) other.rests = true;
  if (!key) return;
  pressed.set(e.pointerId, { key, at: e.timeStamp, x: e.clientX, y: e.clientY, rests: false });
  if (e.button === 0 && mustHold(key) && armed(key, e.timeStamp)) beginHold(key, () => use(key), e.pointerId);
});
live.addEventListener("pointercancel", (e) => pressed.delete(e.pointerId));
live.addEventListener("pointerup", (e) => {
  const down = pressed.get(e.pointerId);
  pressed.delete(e.pointerId);
  if (!down) return;
  const { key, at, rests } = down;
  const near = Math.hypot(e.clientX - down.x, e.clientY - down.y) < profile.slop;
  const on = near || document.elementFromPoint(e.clientX, e.clientY)?.closest("button") === key;
  const rested = e.timeStamp - at >= (rests ? RESTED : "ends" in key.dataset ? LONGEST : Infinity);
  const held = mustHold(key);
  if (!held && (!on || !armed(key, at))) return;
  actedAt = e.timeStamp;
  follows = key;
  e.preventDefault(); // stops fingers.js from clicking too
  if (held) endHold(e.pointerId);
  else if (!rested && key.isConnected && !key.disabled) use(key);
});
live.addEventListener("click", (e) => {
  const el = keyOf(e);
  const follow = e.detail && e.timeStamp - actedAt <= 700; // event time, because a busy page handles it late
  if (el && !follow) use(el);
});

// A keyboard holds a key down too.
live.addEventListener("keydown", (e) => {
  const key = keyOf(e);
  if (!key || (e.key !== "Enter" && e.key !== " ") || !mustHold(key)) return;
  e.preventDefault();
  if (!e.repeat && armed(key, e.timeStamp)) beginHold(key, () => use(key));
});
live.addEventListener("keyup", (e) => {
  const key = keyOf(e);
  if (key && mustHold(key)) e.preventDefault();
  endHold();
});

/**
 * The key that a finger just used: the browser's click for it may hit what the key opened.
 * @type {Element | undefined}
 */
let follows;
document.addEventListener("pointerdown", () => (follows = undefined), true);
document.addEventListener(
  "click",
  (e) => {
    if (!follows || !e.isTrusted || !e.detail || (e.target instanceof Node && follows.contains(e.target))) return;
    e.preventDefault();
    e.stopImmediatePropagation();
  },
  true,
);

// ---- updates from the server ----

live.addEventListener("htmx:sse:before:message", (e) => {
  const { message, waitUntil } = /** @type {CustomEvent} */ (e).detail;
  if (message.event || !hand.busy) return;
  const turn = /id="game"[^>]*?data-turn="(\d+)"/s.exec(message.data)?.[1];
  if (turn === draft.turn) waitUntil(hand.busy);
  else if (draft.mine) hand.cancel();
  else waitUntil(Promise.race([hand.busy, new Promise((done) => setTimeout(done, 1500))])); // the player is arranging the rack
});

let lastWords = "";

/** @param {string} id */
const textOf = (id) => document.getElementById(id)?.textContent?.trim() || "";

function redrawn() {
  if (!root()) return;
  readLine();
  hand.cancel();
  const { turn } = draft;
  const held = state.held.map((i) => draft.pieces[i]);
  const had = draft.game === root().dataset.game ? ownFaces() : undefined;
  const ledges = makeSlots();
  draft.rack.dealt(root().dataset.deal || "");
  if (!draft.read(root(), measure(), ledges)) {
    Object.assign(state, { held: stillHeld(held), holding: "", verdicts: [], fits: undefined });
    Object.assign(state, { legal: false, message: "", costs: "" });
    quiet(draft.mine);
    if (draft.mine && turn) signal([523, 784], 60, 0.1);
  }
  lookUp();
  const now = root().dataset;
  const title = textOf("result-title") || textOf("start-title");
  const last = title ? `${title} ${textOf("verdict")}` : textOf("last");
  if (last !== lastWords || turn !== draft.turn) {
    if (draft.mine) say(`${words.turn} ${secondsLeft()}`, TURN);
    say(last, NEWS);
  }
  lastWords = last;
  sayDrawn(had);
  if (draft.mine && draft.moved && !state.verdicts.length) void ask();
  document.title = document.title.replace(/^● /, "");
  if (now.mine === "true") document.title = "● " + document.title;
  draw();
  plan();
  refocus();
}

/** Returns the time of the player's turn in words, or "" without a clock. */
function secondsLeft() {
  const { due, stopped } = document.getElementById("clock")?.dataset || {};
  const n = document.querySelector("#clock .digits")?.textContent;
  return Number(due) && n && stopped !== "true" ? fill(words.seconds, { n }) + "." : "";
}

const ownFaces = () => draft.pieces.filter((p) => p.rack).map((p) => p.face);

/** Announces the tiles that the player has got since. @param {string[] | undefined} had */
function sayDrawn(had) {
  if (!had?.length) return;
  const fresh = draft.pieces.flatMap((p, i) => {
    const k = p.rack ? had.indexOf(p.face) : 0;
    if (k >= 0) had.splice(k, p.rack ? 1 : 0);
    return k < 0 ? [i] : [];
  });
  if (fresh.length) say(fill(words.drawn, { tiles: spokenAll(fresh) }));
}

/** Keeps rack tiles in the hand when another player's turn ends. @param {import("./draft.js").Piece[]} held */
function stillHeld(held) {
  const here = held.map((h) =>
    draft.pieces.findIndex((p) => p.rack && p.at < 0 && p.face === h.face && p.slot === h.slot),
  );
  return held.every((h) => h.rack && h.at < 0) && !here.includes(-1) ? here : [];
}

/** Handles a rotated tablet: the table and the rack have different rows. */
function turned() {
  if (!root()) return;
  const { cols, size } = makeSlots();
  const other = cols !== draft.rack.cols || size !== draft.rack.size;
  if (other) draft.turned(cols, size); // no read(): moved tiles are not where the server rendered them
  if (draft.resize(measure()) || other) draw();
}

live.addEventListener("htmx:after:swap", () => {
  scan();
  redrawn();
});
document.addEventListener("link", (e) => {
  const lost = /** @type {CustomEvent} */ (e).detail === "lost";
  const high = lost ? document.getElementById("link")?.offsetHeight || 0 : 0;
  document.body.style.setProperty("--lost", high + "px"); // announcements lie above it
  if (!lost && draft.mine && draft.moved) void ask(); // the server may have lost it
});
document.addEventListener("lapse", (e) => tell(/** @type {CustomEvent} */ (e).detail, "bad", 6000));
live.addEventListener("go", () => location.assign(words.room));
live.addEventListener("over", leave);
// In WebKit, media queries still match the old size during the browser's event. The page's own event is for a new
// layout.
addEventListener("resize", (e) => void (e.isTrusted ? requestAnimationFrame(turned) : turned()));
redrawn();
