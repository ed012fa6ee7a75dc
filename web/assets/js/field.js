// @ts-check
// Finds the cell or slot at a point. The page is measured when a finger comes down or a drag begins, so that a move
// needs no measuring.

export const REACH = 16; // px beyond the visible area

/** @typedef {{ left: number, top: number, right: number, bottom: number, els: HTMLElement[] }} Strip a lane with its cells, or one slot */

export class Field {
  /** @type {Strip[]} */ strips = [];

  measure() {
    const lanes = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#table .lane")]);
    const slots = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#rack .slot")]);
    const felt = document.querySelector(".felt")?.getBoundingClientRect();
    const well = document.querySelector(".well")?.getBoundingClientRect();
    this.strips = [
      ...lanes.map((lane) => strip(lane, /** @type {HTMLElement[]} */ ([...lane.querySelectorAll(".cell")]), felt)),
      ...slots.map((slot) => strip(slot, [slot], well)),
    ].filter((s) => s.bottom > s.top && s.els.length);
  }

  /** @param {number} x @param {number} y @returns {import("./hand.js").Spot | undefined} */
  at(x, y) {
    /** @type {Strip | undefined} */
    let best;
    let least = REACH + 0.01;
    for (const s of this.strips) {
      const far = Math.max(s.left - x, x - s.right, s.top - y, y - s.bottom, 0);
      if (far < least) {
        best = s;
        least = far;
      }
    }
    if (!best) return undefined;
    const wide = (best.right - best.left) / best.els.length;
    const k = Math.min(best.els.length - 1, Math.max(0, Math.floor((x - best.left) / wide)));
    return { el: best.els[k], after: x > best.left + (k + 0.5) * wide };
  }
}

/**
 * @param {HTMLElement} el @param {HTMLElement[]} els @param {DOMRect | undefined} within the visible area
 * @returns {Strip}
 */
function strip(el, els, within) {
  const box = el.getBoundingClientRect();
  const top = Math.max(box.top, within?.top ?? box.top);
  return { left: box.left, right: box.right, top, bottom: Math.min(box.bottom, within?.bottom ?? box.bottom), els };
}
