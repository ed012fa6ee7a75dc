// @ts-check
// Buttons that end a turn or answer a question (data-ends) ignore all input for a moment after they appear or change
// their meaning. Otherwise the second tap of a double tap would hit the button that the first tap put under the finger.
// A button that is held down acts once.

const ARMED = 700; // ms

/** When each button on the page got its present meaning. @type {Map<string, number>} */
let since = new Map();
/** @type {number | undefined} */
let timer;

/** Returns a text that changes when a press of the button would do something else. @param {HTMLElement} key */
function meaning(key) {
  const { turn, mine, own, phase } = document.getElementById("game")?.dataset || {};
  const { ends, act, seat } = key.dataset;
  return [key.id, ends, act, seat, key.textContent?.trim(), turn, mine, own, phase].join("|");
}

const keys = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-ends]")]);

/** Records when new buttons appeared and marks the buttons that ignore input. */
function refresh() {
  const now = performance.now();
  const was = since;
  since = new Map();
  let next = Infinity;
  for (const key of keys()) {
    const waits = key.matches(".news-close") && getComputedStyle(key).visibility === "hidden"; // behind another item
    const shown = !waits && !key.closest("[hidden], dialog:not([open]), details:not([open])");
    const what = meaning(key);
    if (shown) since.set(what, was.get(what) ?? now);
    const left = shown ? ARMED - now + Number(since.get(what)) : 0;
    if (key.hasAttribute("data-fresh") !== left > 0) key.toggleAttribute("data-fresh", left > 0);
    if (left > 0) next = Math.min(next, left);
  }
  clearTimeout(timer);
  if (next < Infinity) timer = setTimeout(refresh, next);
}

/**
 * Reports whether a press counts.
 * @param {HTMLElement} key
 * @param {number} at the timeStamp of the event that began the press
 */
export function armed(key, at) {
  return !("ends" in key.dataset) || at - (since.get(meaning(key)) ?? Infinity) >= ARMED;
}

/** When the last pointer press began. A click right after its end counts from then. */
let began = -Infinity;
let ended = -Infinity;
const CLICK = 100; // ms between the end of a press and its click

/** Where a dialog closed by itself, and when. @type {{ box: DOMRect, at: number } | undefined} */
let gap;

/** Ignores fingers and clicks in a part of the screen for a moment. @param {DOMRect} box */
export function ignoreAt(box) {
  gap = { box, at: performance.now() };
}

/** Reports whether an event is to be ignored. @param {MouseEvent} e @param {number} [at] when its press began */
function ignored({ clientX: x, clientY: y, timeStamp }, at = timeStamp) {
  return (
    !!gap && at - gap.at < ARMED && x >= gap.box.left && x <= gap.box.right && y >= gap.box.top && y <= gap.box.bottom
  );
}

/** @param {Event} e */
function stop(e) {
  e.preventDefault();
  e.stopImmediatePropagation();
}

/** @param {Event} e @returns {HTMLElement | null} */
const keyAt = (e) => (e.target instanceof Element ? e.target.closest("[data-ends]") : null);

document.addEventListener(
  "pointerdown",
  (e) => {
    began = e.timeStamp;
    if (ignored(e)) stop(e);
  },
  true,
);
document.addEventListener("pointerup", (e) => (ended = e.timeStamp), true);
document.addEventListener(
  "click",
  (e) => {
    const key = keyAt(e);
    const at = e.timeStamp - ended < CLICK ? began : e.timeStamp;
    if (ignored(e, at) || (key && !armed(key, at))) stop(e);
  },
  true,
);
document.addEventListener(
  "keydown",
  (e) => {
    const held = e.repeat && (e.key === "Enter" || e.key === " ");
    if (held && e.target instanceof Element && e.target.closest("button, summary, a")) e.preventDefault();
  },
  true,
);

new MutationObserver(refresh).observe(document.body, {
  subtree: true,
  childList: true,
  characterData: true,
  attributeFilter: ["hidden", "open", "data-ends", "data-fresh", "data-turn", "data-mine", "data-own", "data-phase"],
});
refresh();
