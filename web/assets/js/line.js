// @ts-check
// The line above the large buttons.
import { say } from "./say.js";
import { draft, state } from "./state.js";

/** @type {{ text: string, kind: string, turn: string, until: number } | undefined} */
let line;
/** the text that the server rendered there */
let serverLine = "";

/**
 * Writes the line. An unrequested text (aloud is not "yes") waits until the hand is empty; with "new" it is announced
 * if it differs from the line.
 * @param {string} text @param {string} kind
 * @param {number} [stay] ms that it outlives its turn @param {"yes" | "new" | "no"} [aloud]
 */
export function tell(text, kind, stay = 0, aloud = "yes") {
  if (aloud === "yes") state.holding = "";
  const was = document.getElementById("verdict")?.textContent;
  line = { text, kind, turn: draft.turn, until: stay ? performance.now() + stay : 0 };
  if (aloud === "yes" || (aloud === "new" && text !== was)) say(text);
  if (stay) setTimeout(drawLine, stay + 50);
  drawLine();
}

/** Shows what the hand holds until the hand is empty or another text replaces it. @param {string} text */
export function hold(text) {
  state.holding = text;
  say(text);
  drawLine();
}

/** Restores the server's text. @param {boolean} [all] also replaces a text that was to stay for a while */
export function quiet(all = true) {
  if (line && (all || !line.until)) line = undefined;
}

/** Stores the text that the server rendered. */
export function readLine() {
  serverLine = document.getElementById("verdict")?.textContent || "";
}

export function drawLine() {
  const el = document.getElementById("verdict");
  if (!el) return;
  const shown = line && (line.until ? performance.now() < line.until : line.turn === draft.turn) ? line : undefined;
  const holding = state.busy ? "" : state.holding; // the message about sending stays visible
  const text = holding || (shown ? shown.text : serverLine);
  if (el.textContent !== text) el.textContent = text;
  const kind = "verdict " + (holding ? "" : shown?.kind || "");
  if (el.className !== kind) el.className = kind;
}
