// @ts-check
// One switch: groups of controls are marked one after the other, then the controls of the chosen group. One key, or a
// tap or click anywhere, chooses the marked one. With dwelling, it moves the mark instead, and a control that stays
// marked is chosen.
import { add } from "./execute.js";
import { colourNamed, named, tilesText } from "./describe.js";
import { laying, tap } from "./moves.js";
import { say } from "./say.js";
import { choose, chosen } from "./settings.js";
import { draft, fill, spokenAll, state, words as texts } from "./state.js";
import { draw } from "./view.js";

/**
 * @typedef {{ key: string, label: string, els: Element[], kids?: () => Node[], use?: () => void, stay?: boolean }} Node
 * A group has kids. stay: its group stays open after use.
 */

const AGAIN = 200; // ms in which a second press of a trembling hand does not count
const CONTROLS = "button:not(:disabled), a[href], summary, input:is([type=checkbox], [type=radio])";
const GROUPS = "[data-scan], fieldset";
const FEW = 6; // tiles of a rack that need no groups by colour

/** @param {Element} el */
const visible = (el) => el.getClientRects().length > 0;

/** @param {Element} el */
function nameOf(el) {
  const by = document.getElementById(el.getAttribute("aria-labelledby") || "");
  const text =
    el instanceof HTMLInputElement
      ? el.closest("label")?.querySelector("span")?.firstChild
      : by || el.querySelector("legend") || el;
  return (el.getAttribute("aria-label") || text?.textContent || "").replace(/\s+/g, " ").trim();
}

/** Returns the name of a group, or the names of its first controls. @param {Element} el @param {Node[]} kids */
function labelOf(el, kids) {
  if (el.matches("[aria-label], [aria-labelledby], fieldset")) return nameOf(el);
  return kids
    .slice(0, 3)
    .map((k) => k.label)
    .join(", ");
}

/** @param {Element} el @returns {Node} */
function controlOf(el) {
  return {
    key: el.id || nameOf(el),
    label: nameOf(el),
    els: [el instanceof HTMLInputElement ? el.closest("label") || el : el],
    use: () => /** @type {HTMLElement} */ (el).click(),
  };
}

function start() {
  const words = /** @type {Record<string, string>} */ ({ ...document.getElementById("command-words")?.dataset });
  const bar = /** @type {HTMLElement} */ (document.getElementById("scan"));
  const shown = /** @type {HTMLElement} */ (document.getElementById("scan-text"));
  const ring = document.createElement("div");
  ring.className = "scan-ring";
  ring.setAttribute("aria-hidden", "true");

  /** the keys of the open groups @type {string[]} */
  let path = [];
  let at = 0;
  /** with dwelling: waits for the next press @type {boolean} */
  let rests = true;
  let acting = false;
  let pressedAt = -Infinity;
  /** @type {number | undefined} */
  let timer;

  const faces = (/** @type {number[]} */ ids) => ids.map(draft.faceOf);
  const placesOf = (/** @type {number[]} */ ids) => ids.flatMap((i) => draft.pieces[i].el.parentElement || []);

  /** @param {number} i @returns {Node} */
  function tileOf(i) {
    const place = /** @type {HTMLElement} */ (draft.pieces[i].el.parentElement);
    return {
      key: `tile${i}`,
      label: named(draft.faceOf(i), words),
      els: [place],
      stay: draft.pieces[i].at < 0,
      use: () => tap({ el: place, after: false }),
    };
  }

  /**
   * @param {string} key
   * @param {string} label
   * @param {number[]} ids
   * @returns {Node} a node that takes several tiles of the table
   */
  function takes(key, label, ids) {
    const use = () => {
      state.held = ids;
      say(fill(texts.picked, { tile: spokenAll(ids) }));
      draw();
    };
    return { key, label, els: placesOf(ids), use };
  }

  /** @returns {Node[]} the tiles of the rack, or the rack as the place for held tiles of the table */
  function rackNodes() {
    const { held } = state;
    if (!draft.mine) return [];
    if (held.some((i) => draft.pieces[i].at >= 0)) {
      const own = held.every((i) => draft.pieces[i].rack);
      return own
        ? [
            {
              key: "back",
              label: words.toRack,
              els: [/** @type {Element} */ (document.getElementById("rack"))],
              use: () => lay(held, () => draft.back(held)),
            },
          ]
        : [];
    }
    const ids = draft.rack.board().flatMap((i) => (i === undefined ? [] : [i]));
    // with tiles in the hand, the places on the table follow at once
    const table = () => (held.length ? groupsOf([...document.querySelectorAll("#table")]) : []);
    if (ids.length <= FEW) return [...ids.map(tileOf), ...table()];
    const colours = [...new Set(faces(ids).map((f) => f[0]))];
    const groups = colours.map((c) => {
      const same = ids.filter((i) => draft.faceOf(i)[0] === c);
      return {
        key: c,
        label: colourNamed(c, words),
        els: placesOf(same),
        kids: () => [...same.map(tileOf), ...table()],
      };
    });
    return [...groups, ...table()];
  }

  /** @param {number[]} ids @param {() => boolean} change */
  function lay(ids, change) {
    state.held = ids;
    laying(change);
    draw();
  }

  /** @returns {Node[]} the sets of the table: what can be taken or, with tiles in the hand, where they can be laid */
  function tableNodes() {
    const { held } = state;
    const table = /** @type {Element} */ (document.getElementById("table"));
    const sets = draft.sets.map((set, k) => ({
      set,
      key: `set${set[0]}`,
      label: `${k + 1}: ${tilesText(faces(set), words)}`,
      n: k + 1,
    }));
    const points = sets.map(({ set, key, label, n }) => ({
      key,
      label,
      els: placesOf(set),
      use: () => void document.dispatchEvent(new CustomEvent("pointat", { detail: n - 1 })),
    }));
    const point = points.length ? [{ key: "point", label: words.point, els: [table], kids: () => points }] : [];
    if (!draft.mine) return point;
    if (!held.length) {
      const taken = sets.flatMap(({ set, key, label }) => {
        const some = set.filter((i) => draft.opened || draft.pieces[i].rack);
        const rests = some.flatMap((i, k) =>
          k && k < some.length - 1
            ? [takes(`from${i}`, fill(words.onward, { tile: named(draft.faceOf(i), words) }), some.slice(k))]
            : [],
        );
        const all = some.length > 1 && some.length === set.length ? [takes("all", texts.grip, set)] : [];
        return some.length
          ? [{ key, label, els: placesOf(set), kids: () => [...some.map(tileOf), ...all, ...rests] }]
          : [];
      });
      return [...taken, ...point];
    }
    const places = sets.filter(({ set }) => draft.free(set) && set.some((i) => !held.includes(i)));
    return [
      { key: "new", label: words.newSet, els: [table], use: () => lay(held, () => draft.add(held)) },
      ...places.map(({ set, key, label, n }) => ({
        key,
        label,
        els: placesOf(set),
        use: () => void add(held, n, { draft, words, lay }),
      })),
    ];
  }

  /** @param {Element} el @returns {Node[]} */
  function kidsOf(el) {
    if (el.id === "rack") return rackNodes();
    if (el.id === "table" && !el.querySelector("button")) return tableNodes();
    const inner = [...el.querySelectorAll(GROUPS)].filter(
      (g) =>
        g.parentElement?.closest(GROUPS) === el || (g.parentElement?.closest(GROUPS) === null && el.matches("dialog")),
    );
    const own = [...el.querySelectorAll(CONTROLS)].filter((c) => visible(c) && !inner.some((g) => g.contains(c)));
    return [...own.map(controlOf), ...groupsOf(inner)];
  }

  /** @param {Element[]} list @returns {Node[]} */
  function groupsOf(list) {
    return list.filter(visible).flatMap((el, k) => {
      const kids = kidsOf(el);
      if (kids.length === 1 && !el.querySelector("[data-ends]")) return kids; // nothing to choose
      return kids.length
        ? [{ key: el.id || `group${k}`, label: labelOf(el, kids), els: [el], kids: () => kidsOf(el) }]
        : [];
    });
  }

  /** Returns what is marked in turn: the groups of the page, or what is in the open group. @returns {Node[]} */
  function level() {
    const modal = [...document.querySelectorAll("dialog[open]")].pop();
    const top = [...document.querySelectorAll("[data-scan]")].filter(
      (el) => el !== bar && !el.parentElement?.closest("[data-scan]"),
    );
    let nodes = modal ? kidsOf(modal) : groupsOf([...top, bar]);
    for (const [k, key] of path.entries()) {
      const open = nodes.find((n) => n.key === key);
      const kids = open?.kids?.() || [];
      if (!open || !kids.length) {
        path = path.slice(0, k);
        break;
      }
      nodes = [
        ...kids,
        { key: "up", label: words.up, els: open.els, use: () => (path = path.slice(0, -1)), stay: true },
      ];
    }
    if (at >= nodes.length) at = 0;
    return nodes;
  }

  /** Marks a node, and waits for a press or for the next step. @param {Node[]} nodes */
  function show(nodes) {
    clearTimeout(timer);
    const node = nodes[at];
    bar.hidden = !chosen.scan;
    ring.hidden = !chosen.scan || !node;
    if (!chosen.scan || !node) return;
    const boxes = node.els.map((el) => el.getBoundingClientRect());
    const left = Math.min(...boxes.map((b) => b.left));
    const top = Math.min(...boxes.map((b) => b.top));
    const px = {
      left,
      top,
      width: Math.max(...boxes.map((b) => b.right)) - left,
      height: Math.max(...boxes.map((b) => b.bottom)) - top,
    };
    for (const [name, n] of Object.entries(px)) ring.style.setProperty(name, n + "px");
    ring.classList.toggle("up", node.key === "up");
    (document.querySelector("dialog[open]") || document.body).append(ring);
    if (shown.textContent !== node.label) shown.textContent = node.label;
    if (!chosen.dwell || !rests) timer = setTimeout(pass, 1000 * Number(chosen.pace));
  }

  /** Handles the end of a step. */
  function pass() {
    const nodes = level();
    if (chosen.dwell) return use(nodes);
    at = (at + 1) % Math.max(1, nodes.length);
    show(nodes);
  }

  /** Uses the marked node: opens a group, or acts. @param {Node[]} nodes */
  function use(nodes) {
    const node = nodes[at];
    if (!node) return show(nodes);
    if (node.kids) {
      path = [...path, node.key];
      at = 0;
    } else {
      acting = true;
      node.use?.();
      acting = false;
      if (node.key === "up") at = 0;
      else if (!node.stay) {
        path = [];
        at = 0;
        rests = true;
      }
    }
    show(level());
  }

  /** Handles a press of the switch. @param {number} time */
  function press(time) {
    if (time - pressedAt < AGAIN) return;
    pressedAt = time;
    const nodes = level();
    if (!chosen.dwell) return use(nodes);
    if (!rests) at = (at + 1) % Math.max(1, nodes.length);
    rests = false;
    show(nodes);
  }

  /** @param {Event} e */
  function swallow(e) {
    e.stopImmediatePropagation();
    if (e.cancelable) e.preventDefault();
  }

  for (const name of [
    "pointerdown",
    "pointerup",
    "pointercancel",
    "mousedown",
    "mouseup",
    "touchstart",
    "touchend",
    "click",
    "contextmenu",
  ]) {
    const listener = (/** @type {Event} */ e) => {
      if (!chosen.scan || acting || (name === "click" && !e.isTrusted)) return;
      swallow(e);
      if (name === "pointerup" || name === "click") press(e.timeStamp);
    };
    window.addEventListener(name, listener, { capture: true, passive: false });
  }
  window.addEventListener(
    "keydown",
    (e) => {
      const typing = e.target instanceof HTMLInputElement && e.target.type === "text";
      if (!chosen.scan || typing) return;
      if (e.key === "Escape" && !document.querySelector("dialog[open]")) choose({ scan: false });
      else if (e.key !== " " && e.key !== "Enter") return;
      else if (!e.repeat) press(e.timeStamp);
      swallow(e);
    },
    true,
  );
  window.addEventListener(
    "keyup",
    (e) =>
      chosen.scan &&
      (e.key === " " || e.key === "Enter") &&
      !(e.target instanceof HTMLInputElement && e.target.type === "text") &&
      swallow(e),
    true,
  );

  /** @param {number} by */
  const faster = (by) => () => {
    const paces = [.../** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[name=set-pace]"))].map(
      (el) => el.value,
    );
    const k = paces.indexOf(chosen.pace) + by;
    if (paces[k]) choose({ pace: paces[k] });
  };
  document.getElementById("scan-faster")?.addEventListener("click", faster(-1));
  document.getElementById("scan-slower")?.addEventListener("click", faster(1));
  document.getElementById("scan-off")?.addEventListener("click", () => choose({ scan: false }));

  function follow() {
    const was = bar.hidden;
    bar.hidden = !chosen.scan;
    if (was !== bar.hidden) dispatchEvent(new Event("resize")); // the table has less room
    show(level());
  }
  document.addEventListener("settings", follow);
  document.addEventListener("close", () => chosen.scan && show(level()), true); // a dialog
  document.getElementById("live")?.addEventListener("htmx:after:swap", () => chosen.scan && show(level()));
  follow();
}

start();
