// @ts-check
// Asks for confirmation before an action with a cost. The dialog lies away from the button that opened it, and guard.js
// ignores the tap that opened it. A question belongs to one situation. If that changes before the reply, the dialog
// closes, nothing is sent, and the page shows why (event "lapse").
import { ignoreAt } from "./guard.js";

const sheet = /** @type {HTMLDialogElement | null} */ (document.getElementById("sure"));
const yes = document.getElementById("sure-yes");
const offline = document.getElementById("sure-offline");

/**
 * @typedef {object} Question
 * @property {string} id the button that asks
 * @property {() => void} act runs on yes
 * @property {() => string} about describes what the action would change
 * @property {string} asked the situation when it was asked
 */
/** the open question @type {Question | undefined} */
let question;
/** the button that asked last */
let asker = "";

const online = () => document.documentElement.dataset.link !== "lost";

/** @param {string} id @param {() => string} about */
function situation(id, about) {
  const { game, turn, phase, mine, own, rack } = document.getElementById("game")?.dataset || {};
  const key = /** @type {HTMLButtonElement | null} */ (document.getElementById(id));
  return JSON.stringify([online(), game, turn, phase, mine, own, rack, key?.disabled, about()]);
}

/**
 * Asks a question, unless another one is open. The yes button has the label of the button that asks, or its data-yes.
 * @param {string} text
 * @param {string} id the button that asks
 * @param {() => void} act runs on yes
 * @param {() => string} [about] describes what the action would change; the question lapses with it
 */
export function sure(text, id, act, about = () => "") {
  const words = document.getElementById("sure-text");
  const key = document.getElementById(id);
  if (!sheet || !yes || !words) return act();
  if (sheet.open) return;
  words.textContent = text;
  yes.textContent = key?.dataset.yes || key?.textContent?.trim() || "";
  yes.dataset.ends = asker = id;
  question = { id, act, about, asked: situation(id, about) };
  if (offline) offline.hidden = online();
  document.body.classList.add("asked");
  sheet.showModal();
}

function close() {
  question = undefined;
  sheet?.close();
}

/** Closes a question that has lapsed, and ignores the tap that a finger may already have aimed at it. */
function check() {
  if (!sheet?.open || !question || situation(question.id, question.about) === question.asked) return;
  ignoreAt(sheet.getBoundingClientRect());
  close();
  document.dispatchEvent(
    new CustomEvent("lapse", { detail: (online() ? sheet.dataset.lapsed : sheet.dataset.lost) || "" }),
  );
}

yes?.addEventListener("click", () => {
  check();
  const act = question?.act;
  close();
  act?.();
});
document.getElementById("sure-no")?.addEventListener("click", close);
sheet?.addEventListener("close", () => {
  if (sheet.open) return; // the next question is open already
  question = undefined; // closed with Escape
  document.body.classList.remove("asked");
  document.getElementById(asker)?.focus({ preventScroll: true });
  if (document.activeElement !== document.body && !sheet?.contains(document.activeElement)) return;
  /** @type {HTMLElement | null} */
  const rest = document.querySelector("#rack [tabindex='0']") || document.getElementById("main");
  rest?.focus({ preventScroll: true });
});

const later = () => setTimeout(check); // after the page has handled the change
document.getElementById("live")?.addEventListener("htmx:after:swap", later);
document.getElementById("live")?.addEventListener("elsewhere", close);
document.addEventListener("link", later);
