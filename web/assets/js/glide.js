// @ts-check
// Lets tiles glide from where they were to where they are. The tiles themselves are in their new places at once, and
// only their transforms move, so nothing waits for them.

/** ms for the replay of a turn, in all */
export const TURN = 800;
/** ms for all tiles together, when their size or the ends of the rows change */
export const SCALE = 200;

/**
 * @typedef {{ el: Element, face: string, x: number, y: number, w: number, h: number, fresh?: boolean }} Box a tile and
 * where it was visible; fresh: it came from a rack in the last turn
 * @typedef {{ x: number, y: number, w: number, h: number }} Area
 */

const still = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {Animation[]} */
let running = [];

/** Reports whether anything may move. */
export const moves = () => !still.matches && !document.hidden && !!Element.prototype.animate;

/** @param {Area} a @param {Area} b */
function near(a, b) {
  return Math.abs(a.x - b.x) < 1 && Math.abs(a.y - b.y) < 1;
}

/**
 * Matches tiles before and after a change, and returns those that moved. An element stays the same tile unless the
 * server rendered it again; then a tile of the same face that is gone from its place counts as the same.
 * @template {Box} B
 * @param {B[]} old @param {B[]} after @returns {{ to: B, was: B | undefined }[]} was is undefined for a new tile
 */
export function match(old, after) {
  /** @type {Map<string, B[]>} */
  const left = new Map();
  for (const b of old) {
    const list = left.get(b.face);
    if (list) list.push(b);
    else left.set(b.face, [b]);
  }
  /** @param {B} to @param {(b: B) => boolean} fits */
  const take = (to, fits) => {
    const list = left.get(to.face) || [];
    const k = list.findIndex(fits);
    return k < 0 ? undefined : list.splice(k, 1)[0];
  };
  const rest = after.filter((to) => !take(to, (b) => near(b, to)));
  const moved = rest.map((to) => ({ to, was: take(to, (b) => b.el === to.el) }));
  for (const move of moved) move.was ||= take(move.to, () => true);
  return moved;
}

/** Ends all movement at once: every tile is seen in its place. */
export function finish() {
  for (const a of running) a.finish();
  running = [];
}

/**
 * Lets tiles glide; it ends any earlier movement.
 * @param {{ to: Box, was: Area | undefined }[]} moved @param {number} time ms @returns {Animation[]}
 */
export function glide(moved, time) {
  finish();
  running = moved.flatMap(({ to, was }) => {
    if (!was || !moves()) return [];
    const x = was.x + was.w / 2 - to.x - to.w / 2;
    const y = was.y + was.h / 2 - to.y - to.h / 2;
    const from = { transform: `translate(${x}px, ${y}px) scale(${was.w / to.w}, ${was.h / to.h})`, zIndex: 3 };
    return [
      to.el.animate([from, { transform: "none", zIndex: 3 }], {
        duration: time,
        easing: "cubic-bezier(.35, .1, .2, 1)",
      }),
    ];
  });
  return running;
}

/**
 * Replays a turn: tiles of the table glide from their places before it, those from a rack from its player's seat.
 * @param {Box[]} before @param {Box[]} after @param {Area | undefined} seat
 */
export function replay(before, after, seat) {
  const laid = after.filter((b) => b.fresh);
  const from = (/** @type {Box} */ to) =>
    seat && { ...to, x: seat.x + (seat.w - to.w) / 2, y: seat.y + (seat.h - to.h) / 2 };
  return glide(
    [
      ...match(
        before,
        after.filter((b) => !b.fresh),
      ),
      ...laid.map((to) => ({ to, was: from(to) })),
    ],
    TURN,
  );
}
