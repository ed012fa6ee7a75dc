// @ts-check
// The score sheet of a table with real tiles. Players tap faces or enter points, and the server computes the result.
import { readNumber } from "./number.js";
import { freshKey, post, sendUntilAnswered } from "./send.js";

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const words = document.getElementById("words")?.dataset || {};

/**
 * @typedef {{ tiles: Record<string, number>, opened: boolean }} RackEntry
 * @typedef {{ seat: number, racks: RackEntry[] }} Entry
 */

/** @type {Entry | undefined} */
let entry;
let asked = 0;
/** @type {number | undefined} */
let timer;

const sheet = () => document.getElementById("sheet");
const all = (/** @type {string} */ what) => /** @type {HTMLElement[]} */ ([...(sheet()?.querySelectorAll(what) || [])]);
const input = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (document.getElementById(id));
const picked = (/** @type {string} */ name) => /** @type {HTMLInputElement | null} */ (sheet()?.querySelector(`input[name=${name}]:checked`))?.value || "";
const store = () => "sheet " + document.getElementById("game")?.dataset.game;

/** Starts an empty sheet, or resumes the one stored on this tablet. */
function begin() {
  const el = sheet();
  if (!el || el.dataset.begun) return;
  el.dataset.begun = "true";
  const opened = (el.dataset.opened || "").split(" ");
  entry = { seat: 0, racks: opened.map((o) => ({ tiles: {}, opened: o === "1" })) };
  try {
    const kept = JSON.parse(sessionStorage.getItem(store()) || "null");
    if (kept?.racks?.length === entry.racks.length) entry = kept;
  } catch {
    // nothing is stored
  }
  show();
  change();
}

/** @param {RackEntry} rack */
const listed = (rack) => Object.entries(rack.tiles).flatMap(([face, n]) => Array(n).fill(face));

/** Returns how often a face is on all racks. @param {string} face */
const used = (face) => (entry?.racks || []).reduce((n, r) => n + (r.tiles[face] || 0), 0);

/** Renders the rack being entered. */
function show() {
  if (!entry) return;
  const { seat, racks } = entry;
  for (const tab of all(".s-player")) {
    const mine = Number(tab.dataset.seat) === seat;
    tab.setAttribute("aria-selected", String(mine));
    tab.tabIndex = mine ? 0 : -1;
    const count = tab.querySelector(".s-count");
    if (count) count.textContent = String(listed(racks[Number(tab.dataset.seat)]).length);
  }
  document.getElementById("rack-panel")?.setAttribute("aria-labelledby", "tab" + seat);
  for (const key of /** @type {HTMLButtonElement[]} */ (all(".s-face"))) {
    const face = key.dataset.face || "";
    const n = racks[seat].tiles[face] || 0;
    key.classList.toggle("on", n > 0);
    key.disabled = n === 0 && used(face) > 1;
    const shown = key.querySelector(".s-n");
    const said = key.querySelector(".s-said");
    if (shown) shown.textContent = n ? String(n) : "";
    if (said) said.textContent = String(n);
  }
  input("rack-opened").checked = racks[seat].opened;
  const totals = picked("mode") === "totals";
  document.getElementById("faces")?.toggleAttribute("hidden", totals);
  document.getElementById("totals")?.toggleAttribute("hidden", !totals);
  sheet()?.querySelector(".t-lowest")?.toggleAttribute("hidden", /^(emptied|forfeit)$/.test(picked("why")));
}

/** The first visible field without a number. @type {HTMLInputElement | undefined} */
let unread;

/** Returns the number in a field, or sets unread. @param {HTMLInputElement} field */
function numberIn(field) {
  const n = readNumber(field.value);
  if (n === undefined) unread = unread || field;
  return n ?? 0;
}

/** Returns the request body for the form, and sets unread to the first field without a number. */
function count() {
  const why = picked("why");
  unread = undefined;
  if (picked("mode") !== "totals")
    return { why, racks: (entry?.racks || []).map((r) => ({ tiles: listed(r), opened: r.opened })) };
  const totals = all("#totals tbody tr").map((row) => ({
    points: numberIn(/** @type {HTMLInputElement} */ (row.querySelector(".t-points"))),
    opened: /** @type {HTMLInputElement} */ (row.querySelector(".t-opened")).checked,
    won: /** @type {HTMLInputElement} */ (row.querySelector(".t-won")).checked,
  }));
  const plain = sheet()?.dataset.penalty !== "true";
  for (const t of totals) if (plain && !t.won) t.points = -Math.abs(t.points); // numeric keyboards lack a minus sign
  return { why, totals, lowest: why === "emptied" || why === "forfeit" ? 0 : numberIn(input("lowest")) };
}

/**
 * Marks only the field that prevents handing in the sheet.
 * @param {HTMLInputElement | null | undefined} field
 */
function mark(field) {
  for (const el of all("#totals input[type=text]")) el.removeAttribute("aria-invalid");
  field?.setAttribute("aria-invalid", "true");
}

/** Stores the changed sheet and asks the server to count it. */
function change() {
  try {
    sessionStorage.setItem(store(), JSON.stringify(entry));
  } catch {
    // not stored
  }
  clearTimeout(timer);
  timer = setTimeout(ask, 150);
}

async function ask() {
  const el = sheet();
  if (!el || !entry) return;
  const mine = ++asked;
  const said = count();
  mark(unread);
  if (unread) {
    const { blank = "", unread: wrong = "" } = unread.dataset;
    showCount("", unread.value.trim() ? wrong.replace("{value}", unread.value.trim()) : blank, false);
    return;
  }
  const reply = await post(`${el.dataset.at}/count-preview`, JSON.stringify({ ...said, key: freshKey() }), 5000);
  if (mine !== asked || !sheet()) return;
  if (!reply) {
    timer = setTimeout(ask, 1500);
    return;
  }
  const { points = "", message = "", ready = false, wrong = -1 } = reply.answer;
  const seats = reply.answer.seats || [];
  const verdict = document.getElementById("rack-verdict");
  if (verdict) verdict.innerHTML = seats[entry.seat]?.html || "";
  for (const tab of all(".s-player")) {
    const charge = tab.querySelector(".s-charge");
    if (charge) charge.textContent = String(seats[Number(tab.dataset.seat)]?.charge ?? 0);
  }
  mark(
    /** @type {HTMLInputElement | null | undefined} */ (
      sheet()?.querySelector(`#totals:not([hidden]) tr[data-seat="${wrong}"] .t-points`)
    ),
  );
  showCount(points, message, ready);
}

/**
 * Shows the points of the sheet, or why it cannot be handed in.
 * @param {string} points HTML
 * @param {string} message
 * @param {boolean} ready
 */
function showCount(points, message, ready) {
  const list = document.getElementById("sheet-points");
  if (list) list.innerHTML = points;
  write(message, ready ? "" : "wait");
  input("hand-in").disabled = !ready;
}

/** @param {string} text @param {string} kind */
function write(text, kind) {
  const el = document.getElementById("verdict");
  if (!el) return;
  if (el.textContent !== text) el.textContent = text;
  el.className = "verdict " + kind;
}

async function handIn() {
  const el = sheet();
  const key = input("hand-in");
  if (!el || key.disabled) return;
  const said = count();
  if (unread) return ask();
  key.disabled = true;
  clearTimeout(timer); // stops further previews; a pending one cannot enable the button
  asked++;
  const done = el.dataset.done || "";
  write(words.sent || "", "sent");
  const reply = await sendUntilAnswered(`${el.dataset.at}/count-racks`, said, (why) => write(words[why] || "", "sent"));
  if (!reply.ok) {
    write(words.refused + " " + (reply.answer.message || ""), "bad");
    key.disabled = false;
    return;
  }
  try {
    sessionStorage.removeItem(store());
  } catch {
    // it was not stored
  }
  if (done) location.assign(done);
}

/** @param {number} seat */
function turnTo(seat) {
  if (!entry) return;
  entry.seat = (seat + entry.racks.length) % entry.racks.length;
  show();
  change();
}

live.addEventListener("click", (e) => {
  const at = e.target instanceof Element ? e.target.closest("button") : null;
  if (!at || !entry || !sheet()?.contains(at) || at.disabled) return;
  const { face, seat } = at.dataset;
  const rack = entry.racks[entry.seat];
  if (at.id === "hand-in") return void handIn();
  if (at.id === "rack-clear") rack.tiles = {};
  else if (face) rack.tiles[face] = used(face) > 1 ? 0 : (rack.tiles[face] || 0) + 1;
  else if (seat) return turnTo(Number(seat));
  else return;
  show();
  change();
});
live.addEventListener("keydown", (e) => {
  if (!(e.target instanceof Element) || !e.target.closest(".s-players") || !entry) return;
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
  if (!step) return;
  e.preventDefault();
  turnTo(entry.seat + step);
  document.getElementById("tab" + entry.seat)?.focus();
});
for (const kind of ["change", "input"])
  live.addEventListener(kind, (e) => {
    if (!entry || !(e.target instanceof HTMLInputElement) || !sheet()?.contains(e.target)) return;
    if (e.target.id === "rack-opened") entry.racks[entry.seat].opened = e.target.checked;
    show();
    change();
  });

live.addEventListener("htmx:after:swap", begin);
begin();
