// @ts-check
// The tablet check: tries what a game needs and shows each result as a sign and in words.

const page = document.getElementById("check");

/** @typedef {"pass" | "warn" | "fail" | "none"} Found none: this browser never has the feature, which is no warning */
const kinds = { pass: ".good", warn: ".now", fail: ".bad", none: ".wait" };
/** @type {Map<string, Found>} */
const all = new Map();

/** @param {string} name @param {Found} found @param {string | number} [n] replaces {n} in the text */
function found(name, found, n = "") {
  const row = document.getElementById("check-" + name);
  if (!row) return;
  for (const mark of /** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll(".mark"))) mark.hidden = true;
  const mark = /** @type {HTMLElement} */ (row.querySelector(kinds[found]));
  /** @type {HTMLElement} */ (mark.querySelector(".found")).textContent = (row.dataset[found] || "").replace("{n}", String(n));
  mark.hidden = false;
  all.set(name, found);
  sum();
}

/** Shows the overall result once every check that needs no touch has run. */
function sum() {
  const rows = document.querySelectorAll("#check tbody tr").length;
  if (all.size < rows) return;
  const worst = /** @type {Found[]} */ (["fail", "warn", "pass"]).find((f) => [...all.values()].includes(f)) || "pass";
  for (const el of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#check-sum p"))) el.hidden = el.dataset.sum !== worst;
}

async function answers() {
  const times = [];
  try {
    for (let i = 0; i < 10; i++) {
      const start = performance.now();
      const r = await fetch("/healthz", { cache: "no-store" });
      if (!r.ok) throw new Error(String(r.status));
      times.push(performance.now() - start);
    }
  } catch {
    found("answer", "fail");
    return;
  }
  times.sort((a, b) => a - b);
  const median = Math.ceil(times[5]);
  found("answer", median <= 100 ? "pass" : "warn", median);
}

function streams() {
  const stream = new EventSource(page?.dataset.stream || "");
  let beats = 0;
  const late = setTimeout(() => found("stream", "fail"), 8000);
  stream.addEventListener("ping", () => {
    if (++beats < 3) return; // the first two may have been buffered and sent together
    clearTimeout(late);
    stream.close();
    found("stream", "pass");
  });
}

function looks() {
  const [small, large] = [Math.min(innerWidth, innerHeight), Math.max(innerWidth, innerHeight)];
  found("screen", small >= 700 && large >= 1000 ? "pass" : small >= 340 ? "warn" : "fail", `${innerWidth} × ${innerHeight}`);
  found("touch", navigator.maxTouchPoints > 0 ? "pass" : "warn");
  found("buzz", "vibrate" in navigator ? "pass" : "none");
  try {
    localStorage.setItem("check", "1");
    localStorage.removeItem("check");
    found("store", navigator.cookieEnabled ? "pass" : "fail");
  } catch {
    found("store", "fail");
  }
}

/** Requests a wake lock. WebKit grants one only after a touch, so the first touch tries again. */
async function awake() {
  try {
    const lock = await /** @type {any} */ (navigator).wakeLock.request("screen");
    await lock.release();
    found("awake", "pass");
    document.removeEventListener("pointerup", awake);
  } catch {
    found("awake", "warn");
  }
}

async function battery() {
  if (!("getBattery" in navigator)) return found("battery", "none");
  try {
    const battery = await /** @type {any} */ (navigator).getBattery();
    const level = Math.round(battery.level * 100);
    found("battery", battery.charging || level >= 60 ? "pass" : level >= 20 ? "warn" : "fail", level + " %");
  } catch {
    found("battery", "warn", "?");
  }
}

function tone() {
  const context = new AudioContext();
  const beep = context.createOscillator();
  beep.frequency.value = 880;
  beep.connect(context.destination);
  beep.start();
  beep.stop(context.currentTime + 0.3);
  void context.resume().then(
    () => found("sound", "pass"),
    () => found("sound", "fail"),
  );
}

/** Shows the frame of the player's own turn around the list, in the same steps as at a table. */
function frame() {
  const light = "var(--now-fill)";
  const steps = [`3px solid ${light}`, `5px solid ${light}`, `7px double ${light}`, `9px dashed ${light}`];
  document.querySelector("#check table")?.animate(steps.map((outline) => ({ outline, easing: "step-end" })), 4000);
  found("light", "pass");
}

if (page) {
  document.getElementById("check-tone")?.addEventListener("click", tone);
  document.getElementById("check-shake")?.addEventListener("click", () => navigator.vibrate?.([60, 80, 60]));
  document.getElementById("check-frame")?.addEventListener("click", frame);
  found("sound", "warn");
  found("light", "warn");
  looks();
  streams();
  void answers();
  document.addEventListener("pointerup", awake);
  void awake();
  void battery();
}
