// @ts-check
// How the tablet reads this player's hand. The server stores it for the player's seat and sends it with the page, so
// that a spare tablet behaves the same. A device without a seat stores it itself and hands it to its first seat.
import { choices } from "./fit.js";

/**
 * @typedef {object} Profile
 * @property {number} slop px that a finger may move in a tap
 * @property {number} press ms after which a finger that stays takes the rest of a set; 0: never
 * @property {number} dead ms after a tap in which another one at the same place is ignored
 * @property {boolean} flip the keys that end a turn are on the other side
 * @property {boolean} one all keys are on that side, for one hand
 * @property {boolean} ring keys that end a turn must be held down
 */

/** @type {Profile} */
export const usual = { slop: 6, press: 700, dead: 0, flip: false, one: false, ring: false };

const KEY = "hand";
const page = /** @type {HTMLElement | null} */ (document.querySelector("[data-hand]"))?.dataset;
/** where the server stores the profile of the page's seat; empty without a seat */
export const seat = page?.handAt || "";

/** @param {string | null | undefined} text @returns {Partial<Profile> | undefined} */
function read(text) {
  try {
    return text ? JSON.parse(text) || undefined : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} [text] stores it; without one, returns what is stored */
function stored(text) {
  try {
    if (text === undefined) return localStorage.getItem(KEY);
    if (text) localStorage.setItem(KEY, text);
    else localStorage.removeItem(KEY);
  } catch {
    // the storage is full or blocked: the profile holds until the page is left
  }
  return null;
}

const own = read(page?.hand);
const brought = read(stored());

/** @type {Profile} */
export const profile = { ...usual, ...(own || brought) };

/** Sends the profile to the seat, or stores it on the device. @returns {Promise<boolean>} whether it is stored */
export async function keep() {
  const body = JSON.stringify(profile);
  if (!seat) {
    stored(body);
    return stored() === body;
  }
  try {
    const reply = await fetch(seat, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
      keepalive: true,
    });
    if (!reply.ok) throw new Error(String(reply.status));
    unsent = false;
    stored("");
    return true;
  } catch {
    unsent = true;
    return false;
  }
}

let unsent = false;

/** @param {Partial<Profile>} change @returns {Promise<boolean>} whether it is stored */
export function adapt(change) {
  Object.assign(profile, change);
  show();
  return keep();
}

/** Marks the choices of a form that come closest to the profile. @param {ParentNode} form @param {Profile} [of] */
export function mark(form, of = profile) {
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[name^='set-']"))) {
    const name = field.name.slice("set-".length);
    const value = of[/** @type {keyof Profile} */ (name)];
    const all = choices[/** @type {keyof choices} */ (name)];
    if (!all) {
      if (typeof value === "boolean") field.checked = value;
      continue;
    }
    // 0 is a choice of its own.
    const off = (/** @type {number} */ n) => Math.abs(n - Number(value)) + (!n !== !value ? 1e6 : 0);
    field.checked = Number(field.value) === all.reduce((a, b) => (off(b) < off(a) ? b : a));
  }
}

/** Returns the change that a field of such a form makes; undefined: none. @param {HTMLInputElement} field */
export function changeOf({ name, value, checked }) {
  const of = name.slice("set-".length);
  if (!(of in profile)) return undefined;
  return { [of]: of in choices ? Number(value) : checked };
}

/** Style sheets read the layout as attributes of the page. */
function show() {
  const { dataset } = document.documentElement;
  dataset.side = profile.flip ? "other" : "usual";
  dataset.reach = profile.one ? "one" : "both";
}

document.addEventListener("link", (e) => {
  if (unsent && /** @type {CustomEvent} */ (e).detail === "live") void keep();
});
show();
if (seat && brought) {
  if (own) stored("");
  else void keep();
}
