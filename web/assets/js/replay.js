// @ts-check
// Movement on the table's screen: a confirmed turn is replayed once, and sets glide when the scale or the rows change.
import { placesOf } from "./board.js";
import { SCALE, finish, glide, match, replay } from "./glide.js";

/** @typedef {{ el: Element, face: string, fresh: boolean }} Tile */

/**
 * What the screen showed last: began is the table at the beginning of the turn, empty if unknown; tiles are all tiles
 * and where they lay; laying reports whether the player had laid tiles of an unfinished turn.
 * @type {{ game?: string, turn?: string, seat?: string, laying: boolean, began: Tile[][], tiles:
 * import("./glide.js").Box[] }}
 */
let was = { laying: false, began: [], tiles: [] };

/** Returns the sets of the table. @returns {Tile[][]} */
function setsOf() {
  const sets = [...document.querySelectorAll("#table .set")];
  return sets.map((set) =>
    Array.from(set.querySelectorAll(".tile"), (el) => ({
      el,
      face: el.getAttribute("data-face") || "",
      fresh: el.classList.contains("new"),
    })),
  );
}

/** Returns where an element is, in px from the table's corner; the screen may be turned. @param {string} id */
function areaOf(id) {
  const el = document.getElementById(id);
  const from = (/** @type {HTMLElement | null} */ e) => {
    const at = { x: 0, y: 0 };
    for (; e; e = /** @type {HTMLElement | null} */ (e.offsetParent)) {
      at.x += e.offsetLeft;
      at.y += e.offsetTop;
    }
    return at;
  };
  const table = from(document.getElementById("table"));
  const at = from(el);
  return el ? { x: at.x - table.x, y: at.y - table.y, w: el.offsetWidth, h: el.offsetHeight } : undefined;
}

/** Follows the table after it was laid out anew. @param {boolean} [moving] false if it changes without a movement */
export function follow(moving = true) {
  const screen = document.getElementById("display");
  if (!screen) return;
  const { game, turn, seat } = screen.dataset;
  const laying = screen.classList.contains("laying");
  const sets = setsOf();
  const tiles = placesOf(sets);
  if (!moving || game !== was.game || !tiles.length) finish();
  else if (!laying && Number(turn) === Number(was.turn) + 1 && tiles.some((b) => b.fresh)) {
    replay(was.laying ? placesOf(was.began) : was.tiles, tiles, areaOf("seat" + was.seat));
  } else {
    const moved = match(was.tiles, tiles).filter((m) => m.was);
    if (moved.length || turn !== was.turn) glide(moved, SCALE);
  }
  const same = game === was.game && turn === was.turn;
  was = { game, turn, seat, laying, tiles, began: !laying ? sets : same ? was.began : [] };
}
