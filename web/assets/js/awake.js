// @ts-check
// Keeps the screen on in browsers with wake locks. WebKit grants one only after a touch.

/** @type {Promise<any> | undefined} */
let asked;
/** @type {any} */
let lock;

function ask() {
  const { wakeLock } = /** @type {any} */ (navigator);
  if (!wakeLock || document.hidden || asked || (lock && !lock.released)) return;
  asked = wakeLock
    .request("screen")
    .then((/** @type {any} */ granted) => (lock = granted))
    .catch(() => {})
    .finally(() => (asked = undefined));
}

document.addEventListener("visibilitychange", ask);
document.addEventListener("pointerup", ask, true);
document.addEventListener("keydown", ask, true);
ask();
