// @ts-check
// Alerts an official to news at a table by sound and vibration, once for each alert on each device. Browsers let a page
// play sound only after a touch. A bar asks for one once; later pages start sound with the first touch. The choice of
// sound and vibration is stored on the device.

const KEY = "alerts";
const TOLD = "alerts-told";

/** @type {{ sound: boolean, buzz: boolean, answered: boolean }} */
const chosen = { sound: true, buzz: true, answered: false, ...parsed(read(localStore(), KEY)) };

/** @type {AudioContext | undefined} */
let audio;
/** @type {Set<string>} alerts already announced on this device, or on the page when it was last left */
let told = new Set(list(read(sessionStore(), TOLD)));
const title = document.title;

function localStore() {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

function sessionStore() {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

/** @param {Storage | undefined} store @param {string} name */
function read(store, name) {
  try {
    return store?.getItem(name) || "";
  } catch {
    return "";
  }
}

/** @param {Storage | undefined} store @param {string} name @param {unknown} value */
function write(store, name, value) {
  try {
    store?.setItem(name, JSON.stringify(value));
  } catch {
    // the choice holds until the page is left
  }
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text || "{}") || {};
  } catch {
    return {};
  }
}

/** @param {string} text @returns {string[]} */
function list(text) {
  const found = parsed(text);
  return Array.isArray(found) ? found : [];
}

/** The tones of each kind of alert, in Hz. @type {Record<string, number[]>} */
const tones = { alert: [880, 660, 880], lost: [440, 330, 220] };

/** @param {"alert" | "lost"} what */
export function alarm(what) {
  if (chosen.buzz && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(what === "lost" ? [400, 120, 400] : [250, 100, 250, 100, 250]);
  if (!chosen.sound || !audio || audio.state !== "running") return;
  const on = audio;
  tones[what].forEach((hertz, k) => {
    const at = on.currentTime + k * 0.24;
    const tone = on.createOscillator();
    const loud = on.createGain();
    tone.type = "triangle";
    tone.frequency.value = hertz;
    loud.gain.setValueAtTime(0, at);
    loud.gain.linearRampToValueAtTime(0.5, at + 0.015);
    loud.gain.exponentialRampToValueAtTime(0.001, at + 0.22);
    tone.connect(loud).connect(on.destination);
    tone.start(at);
    tone.stop(at + 0.23);
  });
}

/** Announces alerts that are new on the page. */
function look() {
  const there = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-alert]"));
  const fresh = [...there].filter((el) => !told.has(el.dataset.alert || ""));
  told = new Set([...there].map((el) => el.dataset.alert || ""));
  write(sessionStore(), TOLD, [...told]);
  if (!document.body.classList.contains("not-live")) document.title = told.size ? `(${told.size}) ${title}` : title;
  if (!fresh.length) return;
  const line = document.getElementById("alarm");
  if (line) line.textContent = fresh.map((el) => el.textContent).join(" ");
  alarm("alert");
}

/**
 * Shows the bar while sound is wanted but blocked by the browser, until it has been answered once. It hides the bar
 * with a delay, so that the touch that unlocked sound does not hit a control below the bar.
 */
function showBar() {
  const bar = document.getElementById("sound-bar");
  const there = () => !chosen.answered && chosen.sound && audio?.state !== "running";
  if (bar && there()) bar.hidden = false;
  else if (bar) setTimeout(() => (bar.hidden = !there()), 400);
}

/** Starts audio. Browsers let a page play sound only after a touch. */
function unlock() {
  if (!chosen.sound || audio?.state === "running" || navigator.userActivation?.isActive === false) return;
  audio ||= new AudioContext();
  audio.onstatechange = showBar;
  void audio.resume().then(showBar, () => {});
}

/** @param {Partial<typeof chosen>} change */
function choose(change) {
  Object.assign(chosen, change);
  write(localStore(), KEY, chosen);
  fill();
  unlock();
  showBar();
}

function fill() {
  for (const [name, on] of Object.entries({ "alert-sound": chosen.sound, "alert-buzz": chosen.buzz })) {
    const field = document.querySelector(`input[name="${name}"]`);
    if (field instanceof HTMLInputElement) field.checked = on;
  }
}

const switches = document.getElementById("alert-switches");
if (switches) switches.hidden = false;
switches?.addEventListener("change", (e) => {
  const field = e.target;
  if (!(field instanceof HTMLInputElement)) return;
  choose(field.name === "alert-sound" ? { sound: field.checked } : { buzz: field.checked });
});
document.getElementById("alert-test")?.addEventListener("click", () => {
  unlock();
  void audio?.resume().then(() => alarm("alert"));
  if (!chosen.sound) alarm("alert");
});
document.getElementById("sound-on")?.addEventListener("click", () => choose({ sound: true, answered: true }));
document.getElementById("sound-off")?.addEventListener("click", () => choose({ sound: false, answered: true }));
for (const name of ["pointerup", "keydown"]) document.addEventListener(name, unlock);
document.getElementById("live")?.addEventListener("htmx:after:swap", look);

fill();
try {
  if (chosen.sound && navigator.userActivation?.hasBeenActive) unlock();
} catch {
  // the first touch unlocks sound
}
showBar();
look();
