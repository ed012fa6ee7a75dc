// @ts-check
// State shared by the tablet's scripts: the draft, the held tiles, and the server's last verdicts on the table.
import { Draft } from "./draft.js";

export const live = /** @type {HTMLElement} */ (document.getElementById("live"));
export const words = /** @type {Record<string, string>} */ ({
  ...document.getElementById("words")?.dataset,
});
/** Texts about moving tiles. */
export const moving = /** @type {Record<string, string>} */ ({ ...document.getElementById("hand-words")?.dataset });
export const draft = new Draft();

export const state = {
  /** the pieces in the hand @type {number[]} */
  held: [],
  /** a description of the held tiles, where it is not obvious */
  holding: "",
  /** the tile laid last, for announcing the verdict on its set @type {number | undefined} */
  laid: undefined,
  /** announces the verdicts instead of judge.js @type {((message: string) => boolean) | undefined} */
  stand: undefined,
  /** on each set of the draft, in order @type {{ ok: boolean, word: string }[]} */
  verdicts: [],
  /** whether the server would accept the current table */
  legal: false,
  /** the server's message about the current table */
  message: "",
  /** what ending the turn with this table would cost, in words; empty for nothing */
  costs: "",
  /** whether a command is being sent */
  busy: false,
  /** valid planned sets, by their first slot @type {Map<number, { word: string, points: number }>} */
  plans: new Map(),
  /**
   * where the rack's tiles fit, if the rules allow help; undefined before the server's reply
   * @type {{ face: string, set: number, at: number, joker?: boolean }[] | undefined}
   */
  fits: undefined,
  /** the sets on the rack, likewise @type {number[][]} */
  standing: [],
  /** the last place of the keyboard focus, by the letter of its grid's ids @type {Record<string, string>} */
  at: {},
  /** the total of the planned sets, in words */
  plan: "",
};

export const root = () => /** @type {HTMLElement} */ (document.getElementById("game"));

/** Reports whether the player may move tiles of the table. */
export const free = () => draft.mine && !state.busy;

/** Reports whether the player has opened. Until then, the table's sets cannot be changed. */
export const opened = () => document.getElementById("rack")?.dataset.opened === "true";

/** Reports whether the rules allow showing the player what fits. */
export const helped = () => root()?.dataset.assist === "true";

/** Reports whether the page shows the table as a list of sets. */
export const listed = () => document.documentElement.dataset.view === "list";

/** @param {number} id */
export const spoken = (id) => draft.pieces[id]?.el.querySelector(".vh")?.textContent || "";

/** @param {number[]} ids */
export const spokenAll = (ids) => ids.map(spoken).join(", ");

/** @param {string | undefined} text @param {Record<string, string>} values */
export function fill(text, values) {
  return (text || "").replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
