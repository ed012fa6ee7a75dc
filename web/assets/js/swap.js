// @ts-check
// Drags a player of a draft pairing onto another one. The page of that exchange shows its cost before it is made. The
// links do the same with two taps or the keyboard.
const SLOP = 6;
const HOLD = 250; // ms to lift a player; a finger that moves first scrolls

/** @type {{ el: HTMLAnchorElement, id: number, x: number, y: number, timer: number, ghost?: HTMLElement, aimed?: HTMLAnchorElement } | undefined} */
let held;

/** @param {EventTarget | null} target */
const seatOf = (target) => /** @type {HTMLAnchorElement | null} */ (target instanceof Element ? target.closest(".swap-seat[data-player]") : null);

function end() {
  if (!held) return;
  clearTimeout(held.timer);
  held.ghost?.remove();
  held.el.classList.remove("is-lifted");
  held.aimed?.classList.remove("is-aimed");
  held = undefined;
}

function lift() {
  if (!held || held.ghost) return;
  held.ghost = document.createElement("div");
  held.ghost.className = "swap-ghost";
  held.ghost.textContent = held.el.querySelector(".name")?.textContent || held.el.textContent;
  document.body.append(held.ghost);
  held.el.classList.add("is-lifted");
  move(held.x, held.y);
}

/** @param {number} x @param {number} y */
function move(x, y) {
  if (!held?.ghost) return;
  held.ghost.style.left = `${x + 10}px`;
  held.ghost.style.top = `${y - 20}px`;
  const over = seatOf(document.elementFromPoint(x, y));
  if (over === held.aimed) return;
  held.aimed?.classList.remove("is-aimed");
  held.aimed = over && over !== held.el ? over : undefined;
  held.aimed?.classList.add("is-aimed");
}

document.addEventListener("pointerdown", (e) => {
  const el = seatOf(e.target);
  if (held?.ghost && !e.isPrimary) return; // only one hand carries
  end();
  if (!el || e.button !== 0) return;
  held = { el, id: e.pointerId, x: e.clientX, y: e.clientY, timer: e.pointerType === "mouse" ? 0 : setTimeout(lift, HOLD) };
});
document.addEventListener("pointermove", (e) => {
  if (!held || e.pointerId !== held.id) return;
  if (!held.ghost && Math.hypot(e.clientX - held.x, e.clientY - held.y) > SLOP) {
    if (e.pointerType === "mouse") lift();
    else end();
  }
  move(e.clientX, e.clientY);
});
document.addEventListener("pointerup", (e) => {
  if (!held || e.pointerId !== held.id) return;
  const { el, ghost, aimed } = held;
  end();
  if (!ghost || seatOf(document.elementFromPoint(e.clientX, e.clientY)) === el) return; // the tap only trembled
  suppress = performance.now() + 300; // the click after a drag is not a tap
  if (aimed) location.assign(`${location.pathname}/swap?a=${el.dataset.player}&b=${aimed.dataset.player}`);
});
document.addEventListener("pointercancel", end);
// A finger that has lifted a player moves the player instead of the page.
document.addEventListener("touchmove", (e) => held?.ghost && e.preventDefault(), { passive: false });
document.addEventListener("contextmenu", (e) => held?.ghost && e.preventDefault());
document.addEventListener("dragstart", (e) => seatOf(e.target) && e.preventDefault());

let suppress = 0;
document.addEventListener("click", (e) => {
  if (performance.now() < suppress && seatOf(e.target)) e.preventDefault();
}, true);
