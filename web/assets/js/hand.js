// @ts-check
// What fingers, mouse and keys do: they end as one of four wishes, pick, lay, back, or none. A tap is
// decided when the finger is lifted without having moved; a drag starts after 6 px.

const SLOP = 6;
const REACH = 16;

/**
 * @typedef {{ el: HTMLElement, after: boolean }} Spot a cell, a rack slot or the rack, and the half of it
 * @typedef {{
 *   tap: (spot: Spot) => void,
 *   lift: (el: HTMLElement) => HTMLElement[],
 *   drop: (spot: Spot | undefined) => void,
 *   cancel: () => void,
 * }} Wishes lift gives the tiles that a drag from there takes along, none for no drag
 */

/** @param {number} x @param {number} y @returns {Spot | undefined} */
function spotAt(x, y) {
  for (const [dx, dy] of [[0, 0], [0, -REACH], [0, REACH], [-REACH, 0], [REACH, 0]]) {
    const el = document.elementFromPoint(x + dx, y + dy)?.closest(".cell, .slot, .well");
    if (!(el instanceof HTMLElement)) continue;
    const box = el.getBoundingClientRect();
    return { el, after: x > box.left + box.width / 2 };
  }
  return undefined;
}

export class Hand {
  /** @type {{ id: number, x: number, y: number, el: HTMLElement } | undefined} */ down;
  /** @type {HTMLElement | undefined} */ ghost;
  /** @type {HTMLElement | undefined} */ aimed;
  /** @type {Promise<void> | undefined} settled when the drag is over */ busy;
  /** @type {() => void} */ release = () => {};

  /** @param {HTMLElement} root @param {Wishes} wishes */
  constructor(root, wishes) {
    this.wishes = wishes;
    root.addEventListener("pointerdown", (e) => this.press(e));
    root.addEventListener("pointermove", (e) => this.move(e));
    root.addEventListener("pointerup", (e) => this.lift(e));
    root.addEventListener("pointercancel", () => this.cancel());
    root.addEventListener("keydown", (e) => this.key(e));
    root.addEventListener("focusin", (e) => this.rove(e.target));
    root.addEventListener("contextmenu", (e) => this.down && e.preventDefault());
  }

  /** @param {PointerEvent} e */
  press(e) {
    if (!e.isPrimary || e.button !== 0 || !(e.target instanceof Element)) return;
    const el = e.target.closest(".cell, .slot, .well");
    if (el instanceof HTMLElement) this.down = { id: e.pointerId, x: e.clientX, y: e.clientY, el };
  }

  /** @param {PointerEvent} e */
  move(e) {
    const down = this.down;
    if (!down || e.pointerId !== down.id) return;
    if (!this.ghost) {
      if (Math.hypot(e.clientX - down.x, e.clientY - down.y) < SLOP) return;
      const tiles = this.wishes.lift(down.el);
      if (!tiles.length) {
        this.down = undefined;
        return;
      }
      down.el.setPointerCapture(down.id);
      this.carry(tiles);
    }
    this.ghost?.style.setProperty("transform", `translate(${e.clientX}px, ${e.clientY}px) translate(-50%, -62%)`);
    this.aim(spotAt(e.clientX, e.clientY)?.el);
  }

  /** @param {PointerEvent} e */
  lift(e) {
    const down = this.down;
    if (!down || e.pointerId !== down.id) return;
    this.down = undefined;
    const spot = spotAt(e.clientX, e.clientY);
    if (this.ghost) {
      this.end();
      this.wishes.drop(spot);
    } else if (spot) {
      this.wishes.tap(spot);
    }
  }

  cancel() {
    this.down = undefined;
    if (!this.ghost) return;
    this.end();
    this.wishes.cancel();
  }

  /** Shows the tiles under the finger. @param {HTMLElement[]} tiles */
  carry(tiles) {
    const box = tiles[0].getBoundingClientRect();
    const ghost = document.createElement("div");
    ghost.className = "ghost";
    ghost.setAttribute("aria-hidden", "true");
    ghost.style.setProperty("--num", getComputedStyle(tiles[0]).fontSize);
    for (const tile of tiles) {
      const copy = /** @type {HTMLElement} */ (tile.cloneNode(true));
      copy.style.width = box.width + "px";
      copy.style.height = box.height + "px";
      ghost.append(copy);
      tile.classList.add("gone");
    }
    document.body.append(ghost);
    this.ghost = ghost;
    this.busy = new Promise((done) => (this.release = done));
  }

  end() {
    this.ghost?.remove();
    this.ghost = undefined;
    this.aim(undefined);
    for (const tile of document.querySelectorAll(".tile.gone")) tile.classList.remove("gone");
    this.busy = undefined;
    this.release();
  }

  /** @param {HTMLElement | undefined} el */
  aim(el) {
    if (el === this.aimed) return;
    this.aimed?.classList.remove("aim");
    el?.classList.add("aim");
    this.aimed = el;
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    const el = e.target;
    if (e.key === "Escape") this.wishes.cancel();
    if (!(el instanceof HTMLElement) || !el.matches(".cell, .slot")) return;
    const wide = matchMedia("(orientation: landscape)").matches;
    const rtl = false; // lanes and rack run left to right in every language
    const step = { ArrowLeft: rtl ? 1 : -1, ArrowRight: rtl ? -1 : 1, ArrowUp: -rowOf(el, wide), ArrowDown: rowOf(el, wide) }[e.key];
    if (e.key === "Enter" || e.key === " ") this.wishes.tap({ el, after: false });
    else if (step) go(el, step);
    else if (e.key === "Home" || e.key === "End") go(el, e.key === "Home" ? -999 : 999);
    else return;
    e.preventDefault();
  }

  /** Keeps one cell of the table and one of the rack in the order of the tab key. @param {EventTarget | null} target */
  rove(target) {
    if (!(target instanceof HTMLElement) || !target.matches(".cell, .slot")) return;
    const grid = target.closest("[role=grid]");
    for (const el of grid?.querySelectorAll("[tabindex='0']") || []) el.setAttribute("tabindex", "-1");
    target.tabIndex = 0;
  }
}

/** @param {HTMLElement} el @param {boolean} wide how many cells one row further is */
function rowOf(el, wide) {
  if (el.matches(".cell")) return wide ? 26 : 13;
  const slots = [...(el.parentElement?.children || [])];
  const top = slots[0]?.getBoundingClientRect().top;
  return slots.filter((s) => s.getBoundingClientRect().top === top).length;
}

/** @param {HTMLElement} el @param {number} step */
function go(el, step) {
  const all = /** @type {HTMLElement[]} */ ([...(el.closest("[role=grid]")?.querySelectorAll("[role=gridcell]") || [])]);
  const to = all.indexOf(el) + step;
  all[Math.abs(step) > 100 ? Math.min(all.length - 1, Math.max(0, to)) : to]?.focus();
}
