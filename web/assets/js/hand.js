// @ts-check
// What fingers and mouse do: they end as one of four wishes, tap, press, lift and drop. A tap is decided when
// the finger is lifted without having moved; a press is one that stays; a drag starts after 6 px.
import { Field } from "./field.js";
import { letGo } from "./motion.js";

const SLOP = 6;
const LONG = 350;
const SHOWN = 8; // frames that a press lasts at least: where the tablet is slow, a tap is not taken for one
const GAP = 2; // between tiles that are carried

/**
 * @typedef {{ el: HTMLElement, after: boolean, time?: number }} Spot a cell or a slot of the rack, the half of it, and when a finger tapped it
 * @typedef {{ tiles: HTMLElement[], index: number }} Load what a drag takes along, and which of it the finger
 * has; -1 before the first, or as many as there are, behind the last
 * @typedef {{
 *   tap: (spot: Spot) => void,
 *   press: (spot: Spot) => boolean,
 *   lift: (el: HTMLElement) => Load | undefined,
 *   drop: (spot: Spot | undefined, index: number) => void,
 *   cancel: () => void,
 * }} Wishes press tells whether it has done something, lift gives nothing for no drag, cancel lets go
 */

export class Hand {
  /** @type {{ id: number, x: number, y: number, el: HTMLElement, long: boolean, swipes: boolean } | undefined} */ down;
  /** @type {{ el: HTMLElement, dx: number, dy: number, index: number } | undefined} */ ghost;
  /** @type {HTMLElement | undefined} */ aimed;
  /** @type {PointerEvent | undefined} a finger that came down beside all places */ beside;
  /** @type {Promise<void> | undefined} settled when the finger is up */ busy;
  /** @type {() => void} */ release = () => {};
  /** @type {number | undefined} */ timer;
  frame = 0;
  shown = 0;
  x = 0;
  y = 0;
  field = new Field();

  /** @param {HTMLElement} root @param {Wishes} wishes */
  constructor(root, wishes) {
    this.wishes = wishes;
    root.addEventListener("pointerdown", (e) => this.press(e));
    window.addEventListener("pointermove", (e) => this.move(e));
    window.addEventListener("pointerup", (e) => this.lift(e));
    window.addEventListener("pointercancel", () => this.cancel());
    window.addEventListener("resize", () => this.cancel());
    root.addEventListener("touchmove", (e) => (this.ghost || this.down?.long) && e.cancelable && e.preventDefault(), { passive: false });
    root.addEventListener("contextmenu", (e) => this.down && e.preventDefault());
  }

  /** @param {PointerEvent} e */
  press(e) {
    if (!e.isPrimary || e.button !== 0 || !(e.target instanceof Element)) return;
    this.cancel();
    const el = e.target.closest(".cell, .slot");
    this.beside = !el && e.target.closest(".felt, .well") ? e : undefined;
    if (!(el instanceof HTMLElement) || !e.target.closest("#table, #rack")) return;
    this.down = { id: e.pointerId, x: e.clientX, y: e.clientY, el, long: false, swipes: e.pointerType === "touch" && !!el.closest(".long") };
    this.x = e.clientX;
    this.y = e.clientY;
    this.busy = new Promise((done) => (this.release = done));
    this.shown = 0;
    this.timer = setTimeout(() => this.stay(), LONG);
    requestAnimationFrame(() => this.count());
  }

  /** Counts the frames while the finger stays. */
  count() {
    if (!this.down || this.ghost || ++this.shown > SHOWN) return;
    requestAnimationFrame(() => this.count());
  }

  /** The finger has stayed where it came down. */
  stay() {
    const { down } = this;
    if (!down || this.ghost) return;
    if (this.shown < SHOWN) {
      this.timer = setTimeout(() => this.stay(), 50);
      return;
    }
    this.field.measure();
    const spot = this.field.at(down.x, down.y);
    down.long = !!spot && spot.el === down.el && this.wishes.press(spot);
  }

  /** @param {PointerEvent} e */
  move(e) {
    const { down } = this;
    if (!down || e.pointerId !== down.id) return;
    if (e.pointerType === "mouse" && !e.buttons) return this.cancel();
    this.x = e.clientX;
    this.y = e.clientY;
    if (!this.ghost && !this.begin(down)) return;
    this.frame ||= requestAnimationFrame(() => this.follow());
  }

  /** @param {NonNullable<Hand["down"]>} down @returns {boolean} whether it is a drag by now */
  begin(down) {
    if (Math.hypot(this.x - down.x, this.y - down.y) < SLOP) return false;
    clearTimeout(this.timer);
    // A rack with more ledges than are in sight is swiped up and down: there a tile is lifted sideways, or after a press.
    const swiped = down.swipes && !down.long && Math.abs(this.y - down.y) > Math.abs(this.x - down.x);
    const load = swiped ? undefined : this.wishes.lift(down.el);
    if (!load) {
      this.end();
      return false;
    }
    down.el.setPointerCapture(down.id);
    this.field.measure();
    this.carry(load);
    return true;
  }

  /** Once a frame: the tiles go where the finger is, and the place below them is marked. */
  follow() {
    this.frame = 0;
    if (!this.ghost) return;
    this.ghost.el.style.transform = `translate(${this.x + this.ghost.dx}px, ${this.y + this.ghost.dy}px)`;
    this.aim(this.field.at(this.x, this.y)?.el);
  }

  /** @param {PointerEvent} e */
  lift(e) {
    const { beside, down, ghost } = this;
    if (beside && Math.hypot(e.clientX - beside.clientX, e.clientY - beside.clientY) < SLOP) this.wishes.cancel();
    this.beside = undefined;
    if (!down || e.pointerId !== down.id) return;
    const moved = Math.hypot(e.clientX - down.x, e.clientY - down.y) >= SLOP;
    if (!ghost && !moved) this.field.measure();
    const spot = ghost || !moved ? this.field.at(e.clientX, e.clientY) : undefined;
    if (ghost) letGo(ghost.el.children);
    this.end();
    if (ghost) this.wishes.drop(spot, ghost.index);
    else if (spot && !down.long) this.wishes.tap({ ...spot, time: e.timeStamp });
  }

  cancel() {
    const { ghost } = this;
    if (this.down) this.end();
    if (ghost) this.wishes.cancel();
  }

  /** Shows the tiles under the finger. @param {Load} load */
  carry({ tiles, index }) {
    const box = tiles[0].getBoundingClientRect();
    const el = document.createElement("div");
    el.className = "ghost";
    el.setAttribute("aria-hidden", "true");
    el.style.setProperty("--num", getComputedStyle(tiles[0]).fontSize);
    for (const tile of tiles) {
      const copy = /** @type {HTMLElement} */ (tile.cloneNode(true));
      copy.style.width = box.width + "px";
      copy.style.height = box.height + "px";
      el.append(copy);
      tile.classList.add("gone");
    }
    document.body.append(el);
    this.ghost = { el, dx: -(index * (box.width + GAP) + box.width / 2), dy: -0.62 * box.height, index };
  }

  /** The finger is up, or nothing comes of it. */
  end() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.down = undefined;
    this.ghost?.el.remove();
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
}
