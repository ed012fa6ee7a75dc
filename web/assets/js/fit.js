// @ts-check
// Proposes a profile from the taps of the check's game.

/** The choices for each number of a profile, weakest first. */
export const choices = { slop: [6, 12, 18, 24], press: [350, 500, 700, 900, 0], dead: [0, 250, 450, 700] };

/**
 * @typedef {{ x: number, y: number, at: number, dwell: number, wobble: number, gap: number }} Tap one that hit its
 * target: where and when the finger came down, ms that it stayed, px that it moved, and ms to an unintended second tap
 * there; 0: none
 */
/** @typedef {{ x: number, at: number }} Rest a finger or palm that rested, from when */

/**
 * @param {number[]} values
 * @param {number} least
 * @returns {number} the first value that is at least that, or the last one
 */
const atLeast = (values, least) => values.find((v) => v >= least) ?? values[values.length - 1];

/**
 * Returns the part of values below which the given share of them lies.
 * @param {number[]} values @param {number} share
 */
function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] || 0;
}

/** @param {Tap[]} taps @param {number} rests */
export function measure(taps, rests) {
  return {
    wobble: Math.round(
      quantile(
        taps.map((t) => t.wobble),
        0.95,
      ),
    ),
    dwell: Math.round(
      quantile(
        taps.map((t) => t.dwell),
        0.95,
      ),
    ),
    twice: taps.filter((t) => t.gap > 0).length,
    gap: Math.round(Math.max(0, ...taps.map((t) => t.gap))),
    rests,
  };
}

/**
 * Adds a margin to each measure, because a game is longer than twenty seconds. A finger that often stays longer than
 * the longest press has none. Few double taps are seen in that time, so one of them, or a finger that trembles or
 * stays, calls for the longest dead time.
 * @param {ReturnType<typeof measure>} found @returns {{ slop: number, press: number, dead: number }}
 */
export function fit({ wobble, dwell, twice }) {
  const slop = atLeast(choices.slop, 1.3 * wobble + 1);
  const press = atLeast([...choices.press.filter(Boolean), 0], 1.25 * dwell + 50);
  const steady = !twice && slop === choices.slop[0] && press > 0 && press <= 500;
  return { slop, press, dead: choices.dead[steady ? 1 : choices.dead.length - 1] };
}

/**
 * Returns the hand that plays, from the side on which something rested: the palm of the playing hand rests beside its
 * taps, the other hand holds an edge of the tablet. Undefined: nothing rested.
 * @param {Tap[]} taps @param {Rest[]} rests @param {number} wide
 * @returns {"left" | "right" | undefined}
 */
export function handOf(taps, rests, wide) {
  let right = 0;
  for (const rest of rests) {
    const edge = rest.x < 0.1 * wide ? 1 : rest.x > 0.9 * wide ? -1 : 0; // the other hand holds it
    const beside = taps
      .filter((t) => Math.abs(t.at - rest.at) < 3000)
      .reduce((sum, t) => sum + Math.sign(rest.x - t.x), 0);
    right += edge || Math.sign(beside);
  }
  return right ? (right > 0 ? "right" : "left") : undefined;
}
