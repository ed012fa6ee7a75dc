// @ts-check
// What a player chose on this tablet: kept here, seen as attributes of the page by the style sheets, and asked by
// the clock. The sheet is outside the part that the server redraws, so it stays open while the game goes on.
import { buttons } from "./play.js";
import { say } from "./say.js";
import { lookUp } from "./view.js";

const KEY = "settings";
const words = document.getElementById("words")?.dataset || {};
const sheet = /** @type {HTMLDialogElement | null} */ (document.getElementById("settings-sheet"));

/**
 * @typedef {{
 *   sound: boolean, buzz: boolean, light: boolean, shapes: boolean, zoom: boolean, hold: boolean, sort: string,
 * }} Choices
 */

/** @type {Choices} */
const usual = { sound: true, buzz: true, light: true, shapes: false, zoom: false, hold: true, sort: "hand" };
const chosen = { ...usual, ...kept() };

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
    // a full or forbidden store: the choice holds until the page is left
  }
}

/** Lets the page look and sound as chosen. */
function apply() {
  const { dataset } = document.documentElement;
  dataset.table = chosen.zoom ? "large" : "whole";
  dataset.shapes = chosen.shapes ? "large" : "plain";
  dataset.sound = chosen.sound ? "on" : "off";
  dataset.buzz = chosen.buzz ? "on" : "off";
  dataset.light = chosen.light ? "on" : "off";
  dataset.hold = chosen.hold ? "on" : "off";
  document.getElementById("zoom")?.setAttribute("aria-pressed", String(chosen.zoom));
}

/** @returns {NodeListOf<HTMLInputElement>} */
const fields = () => /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("#settings-sheet input[name^='set-']"));

/** @param {HTMLInputElement} field */
const nameOf = (field) => /** @type {keyof Choices} */ (field.name.slice("set-".length));

function fill() {
  for (const field of fields()) {
    const value = chosen[nameOf(field)];
    field.checked = field.type === "radio" ? field.value === value : value === true;
  }
}

/** @param {Partial<Choices>} change */
function choose(change) {
  Object.assign(chosen, change);
  keep();
  apply();
}

sheet?.addEventListener("change", (e) => {
  const field = e.target;
  if (!(field instanceof HTMLInputElement) || !field.name.startsWith("set-")) return;
  choose({ [nameOf(field)]: field.type === "radio" ? field.value : field.checked });
  if (nameOf(field) === "sort") sortAsChosen();
});

// A tap beside the sheet closes it, as its key and Escape do; the browser gives the focus back. Only one that began
// there: the tap that opened the sheet ends on what is below the finger by then.
let beside = false;
sheet?.addEventListener("pointerdown", (e) => (beside = e.target === sheet));
sheet?.addEventListener("click", (e) => {
  if ((beside && e.target === sheet) || (e.target instanceof Element && e.target.closest("#settings-close"))) sheet.close();
});
sheet?.addEventListener("close", () => document.getElementById("settings")?.focus());

// The hall changes at once; the language needs the page anew, and the draft outlives that.
document.getElementById("settings-look")?.addEventListener("submit", (e) => {
  const by = /** @type {SubmitEvent} */ (e).submitter;
  if (!(by instanceof HTMLButtonElement) || by.name !== "theme") return;
  e.preventDefault();
  document.documentElement.dataset.theme = by.value === "auto" ? "" : by.value;
  for (const b of document.querySelectorAll("#settings-look [name=theme]")) b.setAttribute("aria-pressed", String(b === by));
  void fetch("/look", { method: "POST", body: new URLSearchParams({ theme: by.value, back: location.pathname }), redirect: "manual" }).catch(() => {});
});

let sortedGame = "";

/** Sorts a rack that is new as the player likes it; arranged by hand it stays so. */
function sortNewRack() {
  const game = document.getElementById("game")?.dataset.game || "";
  if (!game || game === sortedGame || !document.querySelector("#rack .tile")) return;
  sortedGame = game;
  try {
    if (localStorage.getItem("sorted") === game) return;
    localStorage.setItem("sorted", game);
  } catch {
    return; // without a store nothing tells a new rack from one that was arranged
  }
  sortAsChosen();
}

function sortAsChosen() {
  if (chosen.sort !== "hand") document.getElementById("by-" + chosen.sort)?.click();
}

buttons.settings = () => {
  fill();
  if (!sheet?.open) sheet?.showModal();
};
buttons.zoom = () => zoom(!chosen.zoom);

/** Opens the table at a size to work in, around a cell, or shows it whole. @param {boolean} on @param {string} [cell] */
function zoom(on, cell) {
  choose({ zoom: on });
  lookUp();
  document.getElementById(cell || "")?.scrollIntoView({ block: "center", inline: "center" });
  say((on ? words.zoomed : words.whole) || "");
}

document.addEventListener("part", (e) => zoom(true, /** @type {CustomEvent} */ (e).detail));

document.getElementById("live")?.addEventListener("htmx:after:swap", () => {
  apply();
  sortNewRack();
});
apply();
lookUp();
sortNewRack();
