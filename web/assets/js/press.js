// @ts-check
// Keys that end a turn must be held down if the player has chosen that. A ring on the key fills meanwhile. A second
// touch, and a finger that leaves the key, cancel. Close to the deadline the server learns at once that the key is
// down: it then counts the time of the first touch.
import { timeLeft } from "./clock.js";
import { profile } from "./profile.js";
import { freshKey, post } from "./send.js";
import { draft, words } from "./state.js";

const HELD = 500; // ms, as engine.PressTime
const NEAR = 1000; // ms before the deadline from which the server is told
const KEYS = ["play", "draw", "pass"];
const RING = `<svg class="press-ring" viewBox="0 0 36 36" aria-hidden="true"><circle class="ring-all" cx="18" cy="18" r="15.5"></circle><circle class="ring-left" cx="18" cy="18" r="15.5" pathLength="100" transform="rotate(-90 18 18)"></circle></svg>`;

/** @type {{ key: HTMLButtonElement, timer: number, finger: number | undefined } | undefined} */
let now;

/** Reports whether a key must be held down. @param {HTMLElement} key */
export const mustHold = (key) => profile.ring && KEYS.includes(key.id);

/**
 * @param {HTMLButtonElement} key @param {() => void} act runs when the key was held long enough
 * @param {number} [finger] the pointer that holds it; undefined: the keyboard
 */
export function beginHold(key, act, finger) {
  endHold();
  key.insertAdjacentHTML("beforeend", RING);
  const timer = setTimeout(() => {
    endHold();
    if (key.isConnected && !key.disabled) act();
  }, HELD);
  now = { key, timer, finger };
  const body = { turn: Number(draft.turn), key: freshKey() };
  if (timeLeft() < NEAR) void post(`${words.game}/${draft.game}/press`, JSON.stringify(body), 2500);
}

/** @param {unknown} [finger] ends only the hold of this pointer */
export function endHold(finger) {
  if (typeof finger === "number" && now?.finger !== finger) return;
  clearTimeout(now?.timer);
  now?.key.querySelector(".press-ring")?.remove();
  now = undefined;
}

/** Cancels if the finger is beside its key. @param {PointerEvent} e */
function leaves(e) {
  if (now?.finger !== e.pointerId) return;
  const box = now.key.getBoundingClientRect();
  const far = Math.max(box.left - e.clientX, e.clientX - box.right, box.top - e.clientY, e.clientY - box.bottom);
  if (far > profile.slop) endHold();
}

addEventListener("pointermove", leaves);
addEventListener("pointercancel", (e) => endHold(e.pointerId));
addEventListener("blur", endHold);
document.addEventListener("pointerdown", endHold, true);
