// @ts-check
// What the tablet's scripts share: the draft, what is in the hand, what the server last said of the table.
import { Draft } from "./draft.js";

export const live = /** @type {HTMLElement} */ (document.getElementById("live"));
export const words = /** @type {Record<string, string>} */ ({
  ...document.getElementById("words")?.dataset,
});
/** Texts of moving tiles. */
export const moving = /** @type {Record<string, string>} */ ({ ...document.getElementById("hand-words")?.dataset });
export const draft = new Draft();

export const state = {
  /** the pieces in the hand @type {number[]} */
  held: [],
  /** what the hand holds, in words, where that is not plain to see */
  holding: "",
  /** what was laid last, to say how its set stands @type {number | undefined} */
  laid: undefined,
  /** @type {{ at: number, ok: boolean, word: string }[]} */
  verdicts: [],
  /** whether the server would take the table as it lies */
  legal: false,
  /** what the server says of the table as it lies */
  message: "",
  /** what ending the turn so would cost, in words; empty for nothing */
  costs: "",
  /** a command is on its way */
  busy: false,
  /** planned sets that are good, by the first slot @type {Map<number, { word: string, points: number }>} */
  plans: new Map(),
  /** what the tiles of the rack fit, where the rules let the player be helped and it was asked @type {{ face: string, set: number, at: number, joker?: boolean }[] | undefined} */
  fits: undefined,
  /** likewise: the sets that stand on the rack @type {number[][]} */
  standing: [],
  /** the places where the keys were last, by the letter of their grid's ids @type {Record<string, string>} */
  at: {},
  /** the sum of the planned sets in words */
  plan: "",
};

export const root = () => /** @type {HTMLElement} */ (document.getElementById("game"));

/** May tiles of the table be moved? */
export const free = () => draft.mine && !state.busy;

/** Has the player opened? Until then the table's sets stay as they are. */
export const opened = () => document.getElementById("rack")?.dataset.opened === "true";

/** Do the rules let the player be told what fits? */
export const helped = () => root()?.dataset.assist === "true";

/** @param {number} id */
export const spoken = (id) => draft.pieces[id]?.el.querySelector(".vh")?.textContent || "";

/** @param {number[]} ids */
export const spokenAll = (ids) => ids.map(spoken).join(", ");

/** @param {string | undefined} text @param {Record<string, string>} values */
export function fill(text, values) {
  return (text || "").replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
