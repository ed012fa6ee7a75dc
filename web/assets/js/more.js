// @ts-check
// Shows that a long rack scrolls: a sign on its edge with the number of tiles out of sight, and a button that scrolls
// on screens with a place for it (play.css).
import { buttons } from "./play.js";
import { fill } from "./state.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @returns {HTMLElement | null} */
const well = () => document.querySelector(".well");

/**
 * Returns whether the rack goes on above and below its visible part, with the number of tiles there.
 * @returns {{ above?: number, below?: number }}
 */
function beyond() {
  const box = well();
  if (!box?.querySelector(".slots.long")) return {};
  const [top, end] = [box.scrollTop, box.scrollTop + box.clientHeight];
  const middles = [.../** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll(".slot"))].flatMap((s) =>
    s.querySelector(".tile") ? [s.offsetTop + s.offsetHeight / 2] : [],
  );
  return {
    above: top > 1 ? middles.filter((y) => y < top).length : undefined,
    below: end < box.scrollHeight - 1 ? middles.filter((y) => y > end).length : undefined,
  };
}

let due = 0;

function show() {
  due = 0;
  const { above, below } = beyond();
  const long = above !== undefined || below !== undefined;
  document.documentElement.dataset.long = String(long);
  const sign = document.getElementById("beyond");
  if (sign) sign.hidden = !long;
  const [up, down] = /** @type {HTMLElement[]} */ ([...(sign?.children || [])]);
  write(up, above);
  write(down, below);
  const key = document.getElementById("more");
  if (!key || !long) return;
  key.classList.toggle("up", below === undefined);
  write(key, below ?? above);
  key.setAttribute(
    "aria-label",
    fill(below === undefined ? key.dataset.above : key.dataset.below, { tiles: String(below ?? above) }),
  );
}

/** @param {HTMLElement | undefined} el @param {number | undefined} n */
function write(el, n) {
  const digits = el?.querySelector("b");
  if (!el || !digits) return;
  el.hidden = n === undefined;
  const text = n ? String(n) : "";
  if (digits.textContent !== text) digits.textContent = text;
}

/** Shows it once, after the page is rendered. */
function soon() {
  due ||= requestAnimationFrame(show);
}

buttons.more = () => {
  const box = well();
  if (!box) return;
  const top = beyond().below === undefined ? 0 : box.scrollTop + box.clientHeight;
  box.scrollTo({ top, behavior: still.matches ? "auto" : "smooth" });
};

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
new MutationObserver(soon).observe(live, { subtree: true, childList: true });
live.addEventListener("scroll", soon, { capture: true, passive: true });
addEventListener("resize", soon);
soon();
