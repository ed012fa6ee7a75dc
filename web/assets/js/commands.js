// @ts-check
// The line for typed commands, for players who play by ear.
import { changesText, execute, faultsText } from "./execute.js";
import { ask, sayStand } from "./judge.js";
import { laying } from "./moves.js";
import { lexicon, parse } from "./parse.js";
import { buttons } from "./play.js";
import { say } from "./say.js";
import { choose, chosen } from "./settings.js";
import { draft, fill, state, words as texts } from "./state.js";
import { draw } from "./view.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("command"));
const input = /** @type {HTMLInputElement} */ (document.getElementById("command-text"));
const shown = /** @type {HTMLElement} */ (document.getElementById("command-answer"));

/** @param {string} selector */
const textOf = (selector) => document.querySelector(selector)?.textContent?.replace(/\s+/g, " ").trim() || "";

/** Returns what the racks of a finished game count. */
function counted() {
  const rows = [...document.querySelectorAll(".counted > li")];
  return rows
    .map(
      (li) =>
        [...li.querySelectorAll("h3, .sum")].map((el) => el.textContent?.replace(/\s+/g, " ").trim()).join(" ") + ".",
    )
    .join(" ");
}

function start() {
  const words = /** @type {Record<string, string>} */ ({ ...document.getElementById("command-words")?.dataset });
  const known = lexicon(words.words);
  /** the table before the command that waits for its verdict @type {number[][] | undefined} */
  let was;

  /** @param {string} text */
  function answer(text) {
    shown.textContent = text;
    say(text);
  }

  state.stand = (message) => {
    if (!was) return sayStand(message);
    const text = [changesText(was, game), message].join(" ").trim();
    was = undefined;
    answer(text || words.undone);
    return true;
  };

  async function check() {
    if (state.verdicts.length !== draft.sets.length) await ask();
    answer([faultsText(game) || words.valid, draft.moved ? state.message : ""].join(" "));
  }

  /** @type {import("./execute.js").Game} */
  const game = {
    draft,
    words,
    verbose: chosen.verbose,
    mine: () => draft.mine && !state.busy,
    verdicts: () => state.verdicts,
    lay(ids, change) {
      const before = draft.sets;
      state.held = ids;
      was = before;
      laying(change, false);
      if (draft.sets === before) was = undefined; // no room
      state.held = [];
      draw();
    },
    press(id) {
      const key = /** @type {HTMLButtonElement | null} */ (document.getElementById(id));
      if (!key || key.disabled || key.hidden || !buttons[id]) return false;
      if (id === "play" && !state.legal) say(faultsText(game));
      buttons[id]();
      draw();
      return true;
    },
    point: (set) => void document.dispatchEvent(new CustomEvent("pointat", { detail: set })),
    tell: {
      check: () => (void check(), ""),
      clock: () => {
        const n = textOf("#clock .digits");
        const seat = draft.mine ? "" : textOf("#head .seat.turn .name");
        const paused = document.querySelector("#clock.stopped") ? textOf("#verdict") : "";
        return [seat && seat + ":", n ? fill(texts.seconds, { n }) + "." : words.off, paused].join(" ").trim();
      },
      last: () =>
        [textOf("#result-title"), textOf("#told"), textOf(".since") || textOf("#last"), counted()].join(" ").trim() ||
        words.off,
      players: () => {
        const seats = [...document.querySelectorAll("#head .seat")];
        const part = (/** @type {Element} */ el, /** @type {string} */ s) =>
          el.querySelector(s)?.textContent?.trim() || "";
        return (
          seats.map((el) => `${part(el, ".name")}: ${part(el, ".vh")} ${part(el, ".state")}.`).join(" ") +
          " " +
          textOf("#place span:last-child")
        );
      },
    },
  };

  /** @type {string[]} */
  const typed = [];

  form.addEventListener("submit", (e) => {
    e.preventDefault();
    const text = input.value.trim();
    input.value = "";
    if (!text) return;
    typed.push(text);
    const reply = execute(parse(text, known), game);
    if (reply) answer(reply);
    else shown.textContent = "";
    if (game.verbose !== chosen.verbose) choose({ verbose: game.verbose });
  });
  listen(typed);
}

/** Opens and closes the line, and recalls what was typed. @param {string[]} typed */
function listen(typed) {
  /** @type {Element | null} */
  let before = null;
  const open = () => {
    if (form.hidden) {
      before = document.activeElement;
      form.hidden = false;
      dispatchEvent(new Event("resize")); // the table has less room
    }
    input.focus();
  };
  const close = () => {
    form.hidden = true;
    dispatchEvent(new Event("resize"));
    const to =
      before?.isConnected && before !== document.body ? before : document.querySelector("#rack [tabindex='0']");
    if (to instanceof HTMLElement) to.focus();
  };
  document.addEventListener("command", open);
  document.getElementById("command-close")?.addEventListener("click", close);
  form.addEventListener("keydown", (e) => {
    if (e.key === "Escape") close();
    else if (e.key === "ArrowUp" && typed.length) input.value = typed[typed.length - 1];
    else return;
    e.preventDefault();
  });
  // The question whether to go on takes the focus; after it, the line has it again.
  document.getElementById("sure")?.addEventListener("close", () => form.hidden || input.focus());
}

start();
