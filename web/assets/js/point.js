// @ts-check
// Pointing at a set without a word: a finger rests on it for a second, and all screens of the table show it
// (pointer.js). A key of the list and a typed command do the same. The hand and the table stay as they were.
import { SHOWN, facesIn, page, show } from "./pointer.js";
import { post } from "./send.js";

const HELD = 1000; // ms that a finger rests
const AFTER = 600; // ms at least after a press has taken tiles, in which the finger may still drag or let go of them
const CLICK = 100; // ms between the end of a touch and its click
const SLOP = 10; // px

const words = /** @type {HTMLElement} */ (document.currentScript).dataset;
const live = /** @type {HTMLElement} */ (document.getElementById("live"));

/**
 * The finger that rests on a set: what it does after a while, when, and whether it has done it.
 * @type {{ id: number, x: number, y: number, slop: number, timer: number, act: () => void, done: boolean } | undefined}
 */
let finger;
/** Lets go of what a finger has taken meanwhile. @type {(finger: number) => void} */
let putBack = () => {};
let lifted = -Infinity;

/**
 * Makes a finger that rests at a place do something.
 * @param {PointerEvent} e @param {number} slop @param {() => void} act @param {() => number} [more] ms that it must
 * still rest
 */
function rest(e, slop, act, more = () => 0) {
  const due = () => {
    if (finger !== own) return;
    const wait = more();
    if (wait > 0) own.timer = setTimeout(due, wait);
    else {
      own.done = true;
      if (document.documentElement.dataset.buzz !== "off" && navigator.userActivation?.hasBeenActive)
        /** @type {any} */ (navigator).vibrate?.(10);
      act();
    }
  };
  const own = { id: e.pointerId, x: e.clientX, y: e.clientY, slop, timer: setTimeout(due, HELD), act, done: false };
  finger = own;
}

function forget() {
  clearTimeout(finger?.timer);
  finger = undefined;
}

document.addEventListener("pointerdown", forget, true);
addEventListener("pointermove", (e) => {
  if (finger?.id === e.pointerId && Math.hypot(e.clientX - finger.x, e.clientY - finger.y) >= finger.slop) forget();
});
addEventListener("pointercancel", forget);
addEventListener(
  "pointerup",
  (e) => {
    const done = finger?.id === e.pointerId && finger.done;
    forget();
    if (!done) return;
    lifted = e.timeStamp;
    putBack(e.pointerId);
  },
  true,
);
document.addEventListener("contextmenu", (e) => finger && e.preventDefault());
addEventListener(
  "click",
  (e) => {
    if (e.timeStamp - lifted > CLICK) return;
    e.preventDefault();
    e.stopImmediatePropagation();
  },
  true,
);

/**
 * Sends a pointer.
 * @param {string} url @param {string[]} tiles @param {number} at @param {(problem: string) => void} tell
 */
async function send(url, tiles, at, tell) {
  const reply = await post(url, JSON.stringify({ tiles, at }), 2500);
  if (reply?.ok)
    show(reply.answer); // the stream may be late while the finger rests
  else tell(reply?.answer.message || words.lost || lent?.words.lost || "");
}

/** @param {import("./extra.js").Lent} tablet */
function start({ draft, draw, profile, say, state, tell, words: game }) {
  const rows = () => document.querySelectorAll("#set-rows > li");
  const listed = () => document.documentElement.dataset.view === "list";

  /** Points at a set of the draft: at its tiles that lie there for everyone. @param {number} k */
  function point(k) {
    const set = draft.sets[k] || [];
    const laid = set.map((i) => draft.pieces[i]).filter((p) => !p.rack && !p.el.matches("[data-drafted] .new"));
    void send(
      `${game.game}/${draft.game}/point`,
      laid.map((p) => p.face),
      k,
      (problem) => tell(problem, "bad", SHOWN),
    );
  }

  page.sets = () =>
    draft.sets.map((set, k) => ({
      faces: set.map(draft.faceOf),
      els: listed() ? [...rows()].slice(k, k + 1) : set.map((i) => draft.pieces[i].el),
    }));
  page.announce = say;
  document.addEventListener("pointat", (e) => point(/** @type {CustomEvent} */ (e).detail));

  live.addEventListener("pointerdown", (e) => {
    const cell = e.target instanceof Element ? e.target.closest("#table .cell") : null;
    // With tiles in the hand, or if the hand needs long for a tap, a resting finger taps.
    if (!(cell instanceof HTMLElement) || e.button || state.held.length || (draft.mine && !profile.press)) return;
    const at = Number(cell.dataset.at);
    const on = draft.cells.findIndex((c, k) => at >= c && at < c + draft.sets[k].length);
    const k =
      on < 0 && cell.matches(".grip")
        ? draft.cells.findIndex((c, i) => at === c - 1 || at === c + draft.sets[i].length)
        : on;
    if (k < 0) return;
    const began = performance.now();
    const act = () => point(k);
    rest(e, profile.slop, act, () => (state.held.length ? began + profile.press + AFTER - performance.now() : 0));
  });
  putBack = (pointerId) => {
    if (document.querySelector(".ghost")) return;
    document.dispatchEvent(new PointerEvent("pointercancel", { pointerId, bubbles: true })); // for hand.js, no tap
    Object.assign(state, { held: [], holding: "" });
    draw();
  };
  live.addEventListener("click", (e) => {
    const row = e.target instanceof Element ? e.target.closest("[name=point]")?.closest("li") : null;
    if (row) point([...rows()].indexOf(row));
  });
}

const { lent } = /** @type {{ lent?: import("./extra.js").Lent }} */ (window);
if (lent) start(lent);

// The officials' page about a table.
const table = () => /** @type {HTMLElement | null} */ (document.querySelector("#table[data-point]"));
const sets = () => [...document.querySelectorAll("#table .sets > li")];
/** @param {string[]} tiles @param {number} at */
function pointAt(tiles, at) {
  const said = document.getElementById("said");
  void send(table()?.dataset.point || "", tiles, at, (problem) => said && (said.textContent = problem));
}
live.addEventListener("pointerdown", (e) => {
  const set = e.target instanceof Element && table() ? e.target.closest(".sets > li") : null;
  if (set && !e.button) rest(e, SLOP, () => pointAt(facesIn(set), sets().indexOf(set)));
});
live.addEventListener("click", (e) => {
  if (!(e.target instanceof Element && e.target.closest("[name=point]")) || !table()) return;
  const picked = [...document.querySelectorAll("#table :checked")].map(
    (el) => /** @type {Element} */ (el.closest("label")),
  );
  pointAt(
    picked.flatMap(facesIn),
    sets().findIndex((set) => set.contains(picked[0])),
  );
});
