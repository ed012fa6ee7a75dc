// @ts-check
// The player's choices on this tablet. They are stored here, style sheets read them as attributes of the page, and the
// clock reads them too. Those about the player's hand go to the seat (profile.js). The sheet is outside the part that
// the server renders, so it stays open during updates.
import { chooseView } from "./felt.js";
import { buttons, draft } from "./play.js";
import { adapt, changeOf, mark } from "./profile.js";
import { say } from "./say.js";
import { listed } from "./state.js";
import { draw, lookUp } from "./view.js";

const KEY = "settings";
const words = document.getElementById("words")?.dataset || {};
const sheet = /** @type {HTMLDialogElement | null} */ (document.getElementById("settings-sheet"));

/**
 * @typedef {{
 *   sound: boolean, buzz: boolean, light: boolean, shapes: boolean, zoom: boolean,
 *   sort: import("./rack.js").Order, list?: boolean,
 *   slash: boolean, verbose: boolean, scan: boolean, dwell: boolean, pace: string,
 * }} Choices list is undefined while the page chooses itself
 */

/** @type {Choices} */
const usual = {
  sound: true,
  buzz: true,
  light: true,
  shapes: false,
  zoom: false,
  sort: "hand",
  slash: true,
  verbose: false,
  scan: false,
  dwell: false,
  pace: "1",
};
export const chosen = { ...usual, ...kept() };

/** @returns {Partial<Choices>} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) || "{}") || {};
  } catch {
    return {};
  }
}

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify(chosen));
  } catch {
    // the storage is full or blocked: the choice holds until the page is left
  }
}

const orders = /** @type {const} */ (["number", "colour"]);

/** Applies the choices to the page. */
function apply() {
  const { dataset } = document.documentElement;
  dataset.table = chosen.zoom ? "large" : "whole";
  dataset.shapes = chosen.shapes ? "large" : "plain";
  dataset.sound = chosen.sound ? "on" : "off";
  dataset.buzz = chosen.buzz ? "on" : "off";
  dataset.light = chosen.light ? "on" : "off";
  dataset.list = chosen.list === undefined ? "" : chosen.list ? "on" : "off";
  document.getElementById("zoom")?.setAttribute("aria-pressed", String(chosen.zoom));
  for (const by of orders)
    document.getElementById("by-" + by)?.setAttribute("aria-pressed", String(chosen.sort === by));
  draft.rack.by = chosen.sort;
  if (chooseView()) {
    dispatchEvent(new Event("resize"));
    draw();
  }
  document.getElementById("list")?.setAttribute("aria-pressed", String(listed()));
}

/** @returns {NodeListOf<HTMLInputElement>} */
const fields = () =>
  /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("#settings-sheet input[name^='set-']"));

/** @param {HTMLInputElement} field */
const nameOf = (field) => /** @type {keyof Choices} */ (field.name.slice("set-".length));

function fill() {
  for (const field of fields()) {
    const value = nameOf(field) === "list" ? listed() : chosen[nameOf(field)];
    field.checked = field.type === "radio" ? field.value === value : value === true;
  }
  if (sheet) mark(sheet);
}

/** @param {Partial<Choices>} change */
export function choose(change) {
  Object.assign(chosen, change);
  keep();
  apply();
  document.dispatchEvent(new Event("settings"));
}

sheet?.addEventListener("change", (e) => {
  const field = e.target;
  if (!(field instanceof HTMLInputElement) || !field.name.startsWith("set-")) return;
  const change = changeOf(field);
  if (change) {
    void adapt(change);
    dispatchEvent(new Event("resize")); // the layout may differ
    return;
  }
  choose({ [nameOf(field)]: field.type === "radio" ? field.value : field.checked });
  if (nameOf(field) === "sort") document.getElementById("by-" + field.value)?.click();
});

// A tap beside the sheet closes it, as do its button and Escape; the browser then restores the focus. The tap must have
// begun there, because the tap that opened the sheet ends on the control then below the finger.
let beside = false;
sheet?.addEventListener("pointerdown", (e) => (beside = e.target === sheet));
sheet?.addEventListener("click", (e) => {
  if ((beside && e.target === sheet) || (e.target instanceof Element && e.target.closest("#settings-close")))
    sheet.close();
});
sheet?.addEventListener("close", () => document.getElementById("settings")?.focus());

// A new theme applies at once. A new language reloads the page, and the draft survives that.
document.getElementById("settings-look")?.addEventListener("submit", (e) => {
  const by = /** @type {SubmitEvent} */ (e).submitter;
  if (!(by instanceof HTMLButtonElement) || by.name !== "theme") return;
  e.preventDefault();
  document.documentElement.dataset.theme = by.value === "auto" ? "" : by.value;
  for (const b of document.querySelectorAll("#settings-look [name=theme]"))
    b.setAttribute("aria-pressed", String(b === by));
  void fetch("/look", {
    method: "POST",
    body: new URLSearchParams({ theme: by.value, back: location.pathname }),
    redirect: "manual",
  }).catch(() => {});
});

// A button that sorts the rack also chooses the order of new tiles and racks.
for (const by of orders) {
  const sort = buttons["by-" + by];
  buttons["by-" + by] = () => {
    choose({ sort: by });
    sort();
  };
}

buttons.settings = () => {
  fill();
  if (!sheet?.open) sheet?.showModal();
};
buttons.zoom = () => zoom(!chosen.zoom);
buttons.list = () => choose({ list: !listed() });

/**
 * Enlarges the table around a cell, or shows it whole.
 * @param {boolean} on @param {string} [cell]
 */
function zoom(on, cell) {
  choose({ zoom: on });
  lookUp();
  document.getElementById(cell || "")?.scrollIntoView({ block: "center", inline: "center" });
  say((on ? words.zoomed : words.whole) || "");
}

document.addEventListener("part", (e) => zoom(true, /** @type {CustomEvent} */ (e).detail));

document.getElementById("live")?.addEventListener("htmx:after:swap", apply);
apply();
lookUp();
