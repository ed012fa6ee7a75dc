// @ts-check
// The tablet of a table with real tiles: its buttons, and the sound and vibration at the end of a turn.
import "./awake.js";
import "./fingers.js";
import "./guard.js";
import { scan } from "./clock.js";
import { leave } from "./device.js";
import { signal } from "./ring.js";
import { say } from "./say.js";
import { sendUntilAnswered } from "./send.js";
import { sure } from "./sure.js";

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const words = document.getElementById("words")?.dataset || {};
const root = () => /** @type {HTMLElement} */ (document.getElementById("game"));

let busy = false;
/** @type {{ text: string, kind: string, until: number } | undefined} */
let told;
/** the text that the server rendered in the line */
let served = "";

/**
 * Writes the line above the buttons for a while.
 * @param {string} text @param {string} kind @param {number} [stay] ms
 */
export function tell(text, kind, stay = 6000) {
  told = { text, kind, until: performance.now() + stay };
  say(text);
  setTimeout(line, stay + 50);
  line();
}

function line() {
  const el = document.getElementById("verdict");
  if (!el || document.getElementById("sheet")) return; // the sheet has its own text
  const shown = told && performance.now() < told.until ? told : undefined;
  el.textContent = shown ? shown.text : served;
  el.className = "verdict " + (shown?.kind || "");
}

/** @param {string} action @param {object} more */
async function act(action, more) {
  if (busy) return;
  busy = true;
  const turn = root().dataset.turn;
  tell(words.sent || "", "sent", 10_000);
  const reply = await sendUntilAnswered(`${words.game}/${root().dataset.game}/${action}`, more, (why) => tell(words[why] || "", "sent", 10_000));
  busy = false;
  const text = reply.answer.message || "";
  if (reply.ok && "done" in reply.answer) tell(text || words.accepted || "", reply.answer.done === false ? "bad" : "good", 2500);
  else if (/stale_turn|not_your_turn/.test(reply.answer.code)) tell(words.late || "", "bad");
  else if (turn === root().dataset.turn) tell(words.refused + " " + text, "bad");
}

/** Ends the running turn. @param {object} [more] */
function endTurn(more) {
  const opened = /** @type {HTMLInputElement | null} */ (document.querySelector(".r-opened input"));
  const { turn, seat } = root().dataset;
  void act("end-turn", { turn: Number(turn), seat: Number(seat), ...(opened?.checked && !more ? { opened: true } : {}), ...more });
}

/** @param {string} action @param {HTMLElement} key of the seat, on the tablet of a whole table */
const call = (action, key) => void act(action, key.dataset.seat ? { seat: Number(key.dataset.seat) } : {});

/** @type {Record<string, (key: HTMLElement) => unknown>} */
const keys = {
  starter: (key) => void act("starter", { seat: Number(key.dataset.seat) }),
  ready: () => void act("ready", { turn: Number(root().dataset.turn) }),
  "end-turn": () => endTurn(),
  pass: () => endTurn({ passed: true }),
  out: (key) => busy || sure(key.dataset.sure || "", "out", () => endTurn({ out: true })),
  "pool-empty": (key) => void act("pool-empty", { seat: Number(key.dataset.seat) }),
  call: (key) => call("call", key),
  "withdraw-call": (key) => call("withdraw-call", key),
  agree: (key) => void act("agree", { rev: Number(key.dataset.rev), seat: Number(key.dataset.seat) }),
  settings: () => sheet?.showModal(),
};

live.addEventListener("click", (e) => {
  const key = e.target instanceof Element ? e.target.closest("button") : null;
  if (!key || key.disabled || !keys[key.dataset.act || ""]) return;
  const choice = key.closest("details");
  if (choice) choice.open = false;
  keys[key.dataset.act || ""](key);
});

/** Signals an expired turn once, by sound and vibration. */
function expired() {
  signal([523, 392, 262], [300, 120, 300]);
  const alarm = document.getElementById("alarm");
  if (alarm) alarm.textContent = document.getElementById("last")?.textContent || "";
}

let seen = root()?.dataset.seq;

function redrawn() {
  served = document.getElementById("verdict")?.textContent || "";
  line();
  const { seq, last, phase } = root().dataset;
  if (seq !== seen && last === "turn_expired" && phase === "playing") expired();
  seen = seq;
  document.title = document.title.replace(/^● /, "");
  if (root().dataset.own === "true") document.title = "● " + document.title;
}

live.addEventListener("htmx:after:swap", () => {
  scan();
  redrawn();
});
document.addEventListener("lapse", (e) => tell(/** @type {CustomEvent} */ (e).detail, "bad"));
live.addEventListener("go", () => location.assign(words.room || "/"));
live.addEventListener("over", leave);

// ---- the settings of this tablet: sound and vibration are shared with the other kind of tablet ----

const sheet = /** @type {HTMLDialogElement | null} */ (document.getElementById("settings-sheet"));

/** @returns {Record<string, any>} */
function chosen() {
  try {
    return JSON.parse(localStorage.getItem("settings") || "{}") || {};
  } catch {
    return {};
  }
}

function apply() {
  const all = chosen();
  for (const name of ["sound", "buzz"]) {
    document.documentElement.dataset[name] = all[name] === false ? "off" : "on";
    const field = /** @type {HTMLInputElement | null} */ (document.querySelector(`#settings-sheet [name=set-${name}]`));
    if (field) field.checked = all[name] !== false;
  }
}

sheet?.addEventListener("change", (e) => {
  const field = /** @type {HTMLInputElement} */ (e.target);
  try {
    localStorage.setItem("settings", JSON.stringify({ ...chosen(), [field.name.slice("set-".length)]: field.checked }));
  } catch {
    // the storage is full or blocked: the setting stays unchanged
  }
  apply();
});
sheet?.addEventListener("click", (e) => {
  if (e.target instanceof Element && (e.target === sheet || e.target.closest("#settings-close"))) sheet.close();
});

apply();
if (root()) redrawn();
