// @ts-check
// A ruling on the page of a table: previewed in a sheet, sent with its key until the server replies, and stored on the
// device as "not sent" meanwhile. Without this script, links and forms do the same page by page.
import { ask as sure, key } from "./ask.js";
import { reach } from "./device.js";
import { Outbox } from "./outbox.js";
import { freshKey } from "./send.js";
import { tappable } from "./tap.js";

const PATIENCE = 5000; // ms to wait for a reply
const LOOK = 2500; // ms to wait for a preview
const AGAIN = 3000; // ms between two attempts

const sheet = /** @type {HTMLDialogElement | null} */ (document.getElementById("rule"));
const panel = /** @type {HTMLElement} */ (document.getElementById("unsent"));
const words = document.getElementById("words")?.dataset || {};
const outbox = new Outbox(store());
/** the key of the ruling that the open sheet waits for @type {string} */
let shown = "";

function store() {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

/**
 * Announces a text. An open sheet has a place of its own, because the page behind it is silent.
 * @param {string} text
 */
function say(text) {
  const el = (sheet?.open && document.getElementById("rule-said")) || document.getElementById("said");
  if (el) el.textContent = text;
}

/** @param {string} url @param {RequestInit} init @param {number} patience @returns {Promise<Response | undefined>} */
async function ask(url, init, patience) {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), patience);
  try {
    return await fetch(url, { ...init, signal: giveUp.signal });
  } catch {
    document.dispatchEvent(new Event("doubt"));
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Shows a ruling's preview, or only its description if the server is unreachable. A form being filled in stays.
 * @param {string} url @param {string} text @param {Element | null} [kept]
 */
async function show(url, text, kept) {
  if (!sheet) return location.assign(url);
  sheet.dataset.wait = "true";
  const r = document.body.classList.contains("not-live")
    ? undefined
    : await ask(url, { headers: { "X-Part": "sheet" } }, LOOK);
  delete sheet.dataset.wait;
  if (r?.redirected || r?.status === 401) return location.assign(url); // the official is signed out
  if (r?.headers.get("Content-Type")?.includes("html")) {
    const html = await r.text();
    if (kept) return anew(html, kept);
    sheet.innerHTML = html;
    tappable();
  } else if (r) return say(String(r.status));
  else blank(url, text);
  if (!sheet.open) sheet.showModal();
  document.getElementById("rule-title")?.focus();
}

/** Replaces the sheet except for the form being filled in. @param {string} html @param {Element} kept */
function anew(html, kept) {
  const next = document.createElement("template");
  next.innerHTML = html;
  const place = next.content.querySelector(".recount");
  if (!place || !sheet?.contains(kept)) return;
  while (kept.nextSibling) kept.nextSibling.remove();
  while (place.nextSibling) kept.parentElement?.append(place.nextSibling);
  say([...sheet.querySelectorAll("#rule-effects li")].map((li) => li.textContent).join(" "));
  kept.parentElement?.setAttribute("data-again", place.parentElement?.dataset.again || "");
}

/** Fills the sheet of a ruling from what this page has. @param {string} url @param {string} text */
function blank(url, text) {
  const from = /** @type {HTMLTemplateElement | null} */ (document.getElementById("blank-rule"));
  const at = new URL(url, location.href);
  const action = at.pathname.split("/").pop() || "";
  if (!sheet || !from) return;
  sheet.replaceChildren(from.content.cloneNode(true));
  const form = /** @type {HTMLFormElement} */ (sheet.querySelector("#rule-form"));
  const title = sheet.querySelector("#rule-title");
  if (title) title.textContent = text;
  form.action = at.pathname.replace(/\/rule\/[^/]*$/, "/" + action);
  form.dataset.say = text;
  for (const [name, value] of at.searchParams) {
    if (name === "canned") continue; // chosen below
    let field = form.querySelector(`input[type=hidden][name="${name}"]`);
    if (!(field instanceof HTMLInputElement) || (name === "tile" && field.value)) {
      field = document.createElement("input");
      Object.assign(field, { type: "hidden", name });
      form.prepend(field);
    }
    /** @type {HTMLInputElement} */ (field).value = value;
  }
  const key = form.querySelector("input[name=key]");
  if (key instanceof HTMLInputElement) key.value = freshKey();
  const go = sheet.querySelector("#rule-go");
  const known = sheet.querySelector(`[data-for~="${action}"]`);
  if (go && known) go.textContent = known.getAttribute("data-go");
  for (const r of /** @type {NodeListOf<HTMLElement>} */ (sheet.querySelectorAll("[data-for]")))
    r.hidden = !(r.dataset.for || "").split(" ").includes(action);
  const reasons = "[data-for]:not([hidden]) input[type=radio]";
  const usual =
    sheet.querySelector(`${reasons}[value="${at.searchParams.get("canned") || ""}"]`) || sheet.querySelector(reasons);
  if (usual instanceof HTMLInputElement) usual.checked = true;
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} by @returns {import("./outbox.js").Ruling} */
function rulingOf(form, by) {
  const data = new FormData(form);
  if (by instanceof HTMLButtonElement && by.name) data.set(by.name, by.value);
  const fields = /** @type {[string, string][]} */ ([...data].map(([name, value]) => [name, String(value)]));
  const url = (by instanceof HTMLButtonElement && by.getAttribute("formaction")) || form.getAttribute("action") || "";
  const text = [
    by?.dataset.say || form.dataset.say || by?.textContent?.trim() || "",
    document.querySelector("h1")?.textContent?.trim() || "",
  ].join(" · ");
  const action = url.split("/").pop();
  return { key: String(data.get("key")) + "-" + action, url, fields, text, at: Date.now() };
}

/** @param {import("./outbox.js").Ruling} ruling @returns {Promise<import("./outbox.js").Reply>} */
async function post(ruling) {
  const r = await ask(
    ruling.url,
    { method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams(ruling.fields) },
    PATIENCE,
  );
  if (!r) return undefined;
  try {
    return { ok: r.ok, status: r.status, answer: await r.json() };
  } catch {
    return r.ok ? undefined : { ok: false, status: r.status, answer: {} };
  }
}

/** @param {import("./outbox.js").Ruling} ruling @param {{ ok: boolean, status: number, answer: any }} reply */
function told(ruling, reply) {
  const mine = ruling.key === shown;
  if (mine) shown = "";
  if (reply.ok) {
    if (mine || !sheet?.open) sheet?.close();
    say((mine ? "" : (words.sent || "") + " ") + (reply.answer?.said || ruling.text));
  } else if (mine && sheet?.open) {
    outbox.drop(ruling.key); // the official sees the reply here
    const again = sheet.querySelector(".confirm")?.getAttribute("data-again");
    if (reply.status === 409 && again) void show(again, ruling.text);
    else problem(reply.answer?.message || String(reply.status));
  }
  draw();
}

/** @param {string} why */
function problem(why) {
  const effects = sheet?.querySelector(".effects");
  if (!effects) return say(why);
  const p = document.createElement("p");
  p.className = "flash bad";
  p.setAttribute("role", "alert");
  p.textContent = why;
  effects.replaceWith(p);
  sheet?.querySelector("#rule-go")?.remove();
}

/** Stores and sends a ruling. @param {HTMLFormElement} form @param {HTMLElement | null} by */
async function give(form, by) {
  const ruling = rulingOf(form, by);
  if (!outbox.keep(ruling)) return form.submit();
  if (sheet?.contains(form)) shown = ruling.key;
  const go = /** @type {HTMLButtonElement | null} */ (document.getElementById("rule-go"));
  if (go) go.disabled = true;
  say(words.sending || "");
  await outbox.deliver(post, told);
  if (!outbox.all().some((r) => r.key === ruling.key)) return;
  shown = "";
  sheet?.close();
  say(words.kept || "");
  draw();
}

/** Shows the unsent rulings, and the refused ones with the reason. */
function draw() {
  const all = outbox.all();
  panel.hidden = !all.length;
  panel.replaceChildren();
  if (!all.length) return;
  const title = document.createElement("h2");
  title.textContent = (panel.dataset.title || "") + " (" + all.length + ")";
  panel.append(title, ...all.map(line));
}

/** @param {import("./outbox.js").Ruling} r */
function line(r) {
  const p = document.createElement("div");
  p.className = "unsent-line";
  const text = document.createElement("p");
  const time = new Date(r.at).toLocaleTimeString(document.documentElement.lang, { hour12: false });
  const state = r.why
    ? (panel.dataset.refused || "").replace("{why}", r.why)
    : (r.out ? panel.dataset.signedOut : panel.dataset.one) || "";
  const strong = document.createElement("b");
  strong.textContent = r.text;
  text.append(strong, " ", time, " · ", state);
  p.append(text);
  if (!r.why) p.append(key(panel.dataset.again || "", "btn primary", () => void outbox.deliver(post, told).then(draw)));
  const drop = () => {
    outbox.drop(r.key);
    draw();
  };
  const close = key((r.why ? panel.dataset.close : panel.dataset.drop) || "", "btn", () =>
    r.why ? drop() : sure(close, panel.dataset.sure || "", drop),
  );
  p.append(close);
  return p;
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} by */
function addressOf(form, by) {
  const data = new FormData(form);
  if (by instanceof HTMLButtonElement && by.name) data.set(by.name, by.value);
  const q = new URLSearchParams(/** @type {[string, string][]} */ ([...data].map(([n, v]) => [n, String(v)])));
  return form.getAttribute("action") + "?" + q;
}

document.addEventListener("click", (e) => {
  const target = e.target instanceof Element ? e.target.closest("a[data-rule], a[data-rule-close]") : null;
  if (!(target instanceof HTMLAnchorElement) || e.ctrlKey || e.metaKey) return;
  if ("ruleClose" in target.dataset) {
    if (!sheet?.open) return;
    e.preventDefault();
    sheet.close();
  } else if (sheet) {
    e.preventDefault();
    void show(target.href, target.dataset.say || target.textContent || "");
  }
});
document.addEventListener("submit", (e) => {
  const form = /** @type {HTMLFormElement} */ (e.target);
  const by = /** @type {SubmitEvent} */ (e).submitter;
  if ("send" in form.dataset) {
    e.preventDefault();
    void give(form, by);
  } else if ("ruleForm" in form.dataset || "recount" in form.dataset) {
    e.preventDefault();
    void show(addressOf(form, by), form.dataset.say || document.getElementById("rule-title")?.textContent || "");
  }
});
document.addEventListener("change", (e) => {
  const form = e.target instanceof Element ? e.target.closest("form[data-recount]") : null;
  if (form instanceof HTMLFormElement && sheet?.contains(form)) void show(addressOf(form, null), "", form);
});
/** @type {number | undefined} */
let tapping;
sheet?.addEventListener("tapped", (e) => {
  const form = e.target instanceof Element ? e.target.closest("form[data-recount]") : null;
  const go = document.getElementById("rule-go");
  if (go instanceof HTMLButtonElement) go.disabled = true; // its preview is not up to date yet
  clearTimeout(tapping);
  tapping = setTimeout(() => form instanceof HTMLFormElement && void show(addressOf(form, null), "", form), 300);
});
sheet?.addEventListener("close", () => (shown = ""));
let beside = false;
sheet?.addEventListener("pointerdown", (e) => (beside = e.target === sheet));
sheet?.addEventListener("click", (e) => beside && e.target === sheet && sheet.close());

function retry() {
  if (outbox.waiting().length) void outbox.deliver(post, told).then(draw);
}
setInterval(retry, AGAIN);
document.addEventListener("link", (e) => /** @type {CustomEvent} */ (e).detail === "live" && retry());
window.addEventListener("online", retry);
window.addEventListener("storage", draw);
window.addEventListener("pagehide", () => words.room && navigator.sendBeacon?.(words.room + "/device?away=1"));
if (words.room) void reach(1500);
draw();
retry();
