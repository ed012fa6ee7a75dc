// @ts-check
// Turns finger and mouse input into four requests: tap, press, lift and drop. A finger lifted over the place where it
// came down has tapped. A finger that stays there has pressed. A drag starts when a finger has left its slop. How far
// and how long that is depends on the player's hand (profile.js). A click without a finger, as assistive technology
// sends it, is a tap.
import { Field } from "./field.js";
import { letGo } from "./motion.js";
import { profile } from "./profile.js";
import { listed } from "./state.js";

const RESTED = 700; // ms after which a finger that saw another one play has not tapped
const CLICKED = 700; // ms after a finger in which a click belongs to that finger
const REST = 800; // ms after which an idle finger no longer holds back the server's updates
const SHOWN = 8; // least number of frames in a press, so that a slow tablet keeps taps
const GAP = 2; // px between carried tiles
const PLACES = "#table .cell, #rack .slot";

/**
 * @typedef {{ el: HTMLElement, after: boolean, time?: number }} Spot a cell or a slot of the rack, whether the finger
 * is on its second half, and when a finger tapped it
 * @typedef {{ tiles: HTMLElement[], index: number }} Load the tiles of a drag, and the index of the tile under the
 * finger; -1 before the first, or their number behind the last
 * @typedef {{
 *   tap: (spot: Spot) => void,
 *   press: (spot: Spot) => boolean,
 *   lift: (el: HTMLElement) => Load | undefined,
 *   drop: (spot: Spot | undefined, index: number) => void,
 *   keep: (spot: Spot | undefined) => void,
 *   cancel: () => void,
 * }} Wishes press reports whether it did something; lift returns undefined to refuse a drag; keep undoes a
 * lift and taps; cancel lets go
 */

/**
 * @typedef {{
 *   id: number, x: number, y: number, el: HTMLElement, at: number, timer?: number, shown: number,
 *   swipes: boolean,
 *   long: boolean,
 *   bare: boolean,
 *   dull: boolean,
 *   rests: boolean,
 * }} Down a finger that came down on el at a time: long after a press, bare if it lifts nothing, dull once another
 * finger plays, and rests while it is idle
 */

export class Hand {
  /** Every finger on a place, by its id. A resting finger does not stop others. @type {Map<number, Down>} */
  downs = new Map();
  /** @type {{ el: HTMLElement, dx: number, dy: number, index: number, down: Down } | undefined} */ ghost;
  /** @type {HTMLElement | undefined} */ aimed;
  /** @type {PointerEvent | undefined} a finger that came down beside all places */ beside;
  /** @type {Promise<void> | undefined} settled when all fingers are idle */ busy;
  /** @type {() => void} */ release = () => {};
  touched = -Infinity;
  frame = 0;
  x = 0;
  y = 0;
  field = new Field();

  /** @param {HTMLElement} root @param {Wishes} wishes */
  constructor(root, wishes) {
    this.wishes = wishes;
    root.addEventListener("pointerdown", (e) => this.press(e));
    root.addEventListener("click", (e) => this.click(e));
    window.addEventListener("pointermove", (e) => this.move(e));
    window.addEventListener("pointerup", (e) => this.lift(e));
    window.addEventListener("pointercancel", (e) => this.lose(e.pointerId));
    window.addEventListener("resize", () => this.cancel());
    const hold = (/** @type {TouchEvent} */ e) => {
      if (e.cancelable && (e.touches.length > 1 || this.scrolls())) e.preventDefault();
    };
    root.addEventListener("touchmove", hold, { passive: false });
    document.addEventListener(
      "gesturestart",
      (e) => document.querySelector(".game:not(.phase-over)") && e.preventDefault(),
    ); // WebKit's pinch zoom
    root.addEventListener("contextmenu", (e) => this.downs.size && e.preventDefault());
  }

  /** Reports whether a finger that moves tiles would scroll the page. */
  scrolls() {
    return !!this.ghost || [...this.downs.values()].some((d) => d.long);
  }

  /** Handles a click that no finger or mouse made. @param {MouseEvent} e */
  click(e) {
    const el = e.target instanceof Element ? e.target.closest(PLACES) : null;
    if (!(el instanceof HTMLElement) || (e.detail && e.timeStamp - this.touched < CLICKED)) return;
    this.wishes.tap({ el, after: false });
  }

  /** @param {PointerEvent} e */
  press(e) {
    this.touched = e.timeStamp;
    if (e.button !== 0 || !(e.target instanceof Element)) return;
    if (e.isPrimary) this.cancel();
    else if (this.ghost && this.field.at(this.x, this.y)?.el !== this.ghost.down.el)
      return; // only one hand carries tiles
    else if (this.ghost) this.lose(this.ghost.down.id); // a resting finger only trembled
    for (const other of this.downs.values()) this.dull(other);
    const el = e.target.closest(PLACES);
    if (!el && e.target.closest(".felt, .well") && !listed()) this.beside = e;
    if (!(el instanceof HTMLElement)) return;
    /** @type {Down} */
    const down = {
      id: e.pointerId,
      x: e.clientX,
      y: e.clientY,
      el,
      at: e.timeStamp,
      shown: 0,
      swipes: e.pointerType === "touch" && !!el.closest(".long"),
      long: false,
      bare: false,
      dull: false,
      rests: false,
    };
    this.downs.set(down.id, down);
    this.work();
    down.timer = setTimeout(() => this.stay(down), profile.press || RESTED);
    requestAnimationFrame(() => this.count(down));
  }

  /** Disables a finger's press because another finger plays. @param {Down} down */
  dull(down) {
    if (down.dull) return;
    down.dull = true;
    clearTimeout(down.timer);
    this.expectNothing(down);
  }

  /** @param {Down} down */
  expectNothing(down) {
    down.timer = setTimeout(() => {
      down.rests = true;
      this.rest();
    }, REST);
  }

  /** Counts the frames that a finger stays. @param {Down} down */
  count(down) {
    if (!this.waits(down) || ++down.shown > SHOWN) return;
    requestAnimationFrame(() => this.count(down));
  }

  /** @param {Down} down */
  waits(down) {
    return this.downs.get(down.id) === down && this.ghost?.down !== down;
  }

  /** Handles a finger that stayed where it came down. @param {Down} down */
  stay(down) {
    if (!this.waits(down)) return;
    if (down.shown < SHOWN) {
      down.timer = setTimeout(() => this.stay(down), 50);
      return;
    }
    this.field.measure();
    const spot = profile.press ? this.field.at(down.x, down.y) : undefined;
    down.long = !!spot && spot.el === down.el && this.wishes.press(spot);
    this.expectNothing(down);
  }

  /** @param {PointerEvent} e */
  move(e) {
    const down = this.downs.get(e.pointerId);
    if (!down) return;
    if (e.pointerType === "mouse" && !e.buttons) return this.cancel();
    if (this.ghost ? this.ghost.down !== down : !this.begin(down, e)) return;
    this.x = e.clientX;
    this.y = e.clientY;
    this.frame ||= requestAnimationFrame(() => this.follow());
  }

  /** Starts a drag once the finger has moved far enough. @param {Down} down @param {PointerEvent} e */
  begin(down, e) {
    const [x, y] = [Math.abs(e.clientX - down.x), Math.abs(e.clientY - down.y)];
    if (down.bare || Math.hypot(x, y) < profile.slop) return false;
    clearTimeout(down.timer);
    // A rack with more ledges than are visible is swiped up and down. There, a tile is lifted sideways or after a
    // press.
    const load = down.swipes && !down.long && y > x ? undefined : this.wishes.lift(down.el);
    down.bare = !load;
    if (!load) return false;
    down.el.setPointerCapture(down.id);
    this.field.measure();
    down.rests = false;
    this.work();
    this.carry(load, down);
    return true;
  }

  /** Once a frame, moves the carried tiles to the finger and marks the place below them. */
  follow() {
    this.frame = 0;
    if (!this.ghost) return;
    this.ghost.el.style.transform = `translate(${this.x + this.ghost.dx}px, ${this.y + this.ghost.dy}px)`;
    this.aim(this.field.at(this.x, this.y)?.el);
  }

  /**
   * Ends a finger's input. A finger that trembled, or was lifted over the place where it came down, has tapped that
   * place.
   * @param {PointerEvent} e
   */
  lift(e) {
    const { beside, ghost } = this;
    this.touched = e.timeStamp;
    const moved = (/** @type {{ x: number, y: number }} */ from) =>
      Math.hypot(e.clientX - from.x, e.clientY - from.y) >= profile.slop;
    if (beside?.pointerId === e.pointerId) {
      this.beside = undefined;
      if (!moved(beside) && e.timeStamp - beside.timeStamp < RESTED) this.wishes.cancel();
    }
    const down = this.downs.get(e.pointerId);
    if (!down) return;
    const carried = ghost?.down === down ? ghost : undefined;
    if (!carried) this.field.measure();
    const spot = this.field.at(e.clientX, e.clientY);
    const home = spot?.el === down.el;
    if (carried) letGo(carried.el.children);
    this.end(down);
    const rested = down.long || (down.dull && e.timeStamp - down.at >= RESTED);
    const place = home ? spot : moved(down) ? undefined : this.field.at(down.x, down.y);
    const tapped = place && !rested ? { ...place, time: e.timeStamp } : undefined;
    if (carried && home) this.wishes.keep(tapped);
    else if (carried) this.wishes.drop(spot, carried.index);
    else if (tapped) this.wishes.tap(tapped);
  }

  cancel() {
    this.beside = undefined;
    for (const id of this.downs.keys()) this.lose(id);
  }

  /** Discards a finger's input. @param {number} id */
  lose(id) {
    const down = this.downs.get(id);
    const carried = this.ghost?.down === down;
    if (down) this.end(down);
    if (down && carried) this.wishes.cancel();
  }

  /** Shows the carried tiles under the finger. @param {Load} load @param {Down} down */
  carry({ tiles, index }, down) {
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
    this.ghost = { el, dx: -(index * (box.width + GAP) + box.width / 2), dy: -0.62 * box.height, index, down };
  }

  /** Forgets a finger. @param {Down} down */
  end(down) {
    clearTimeout(down.timer);
    this.downs.delete(down.id);
    if (this.ghost?.down === down) this.putDown();
    this.rest();
  }

  putDown() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.ghost?.el.remove();
    this.ghost = undefined;
    this.aim(undefined);
    for (const tile of document.querySelectorAll(".tile.gone")) tile.classList.remove("gone");
  }

  /** Holds back the server's updates while a finger is active. */
  work() {
    this.busy ||= new Promise((done) => (this.release = done));
  }

  /** Releases the server's updates unless another finger is active. */
  rest() {
    if ([...this.downs.values()].some((d) => !d.rests)) return;
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
