// @ts-check
// The soft tones of the tablets.

/** @type {AudioContext | undefined} */
let audio;

/** Soft tones, one after the other; none before the player has touched the page. @param {number[]} tones Hz @param {number} [loudness] */
export function ring(tones, loudness = 0.16) {
  if (!audio || audio.state !== "running") return;
  tones.forEach((hertz, k) => {
    const at = /** @type {AudioContext} */ (audio).currentTime + k * 0.22;
    const tone = /** @type {AudioContext} */ (audio).createOscillator();
    const loud = /** @type {AudioContext} */ (audio).createGain();
    tone.frequency.value = hertz;
    loud.gain.setValueAtTime(0, at);
    loud.gain.linearRampToValueAtTime(loudness, at + 0.015);
    loud.gain.exponentialRampToValueAtTime(0.001, at + 0.19);
    tone.connect(loud).connect(/** @type {AudioContext} */ (audio).destination);
    tone.start(at);
    tone.stop(at + 0.2);
  });
}

/** Soft tones and a vibration, each unless the player has switched it off. @param {number[]} tones @param {number | number[]} buzz ms @param {number} [loudness] */
export function signal(tones, buzz, loudness) {
  const chosen = document.documentElement.dataset;
  if (chosen.sound !== "off") ring(tones, loudness);
  if (chosen.buzz !== "off" && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(buzz);
}

/** Browsers let a page sound once it was touched: called by a touch. */
export function unlock() {
  if (navigator.userActivation?.isActive === false) return;
  audio ||= new AudioContext();
  if (audio.state === "suspended") void audio.resume().catch(() => {});
}
