// @ts-check
// The tablets' soft tones.

/** @type {AudioContext | undefined} */
let audio;

/**
 * Plays soft tones in sequence; silent until the player touched the page.
 * @param {number[]} tones Hz @param {number} [loudness]
 */
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

/**
 * Plays soft tones and vibrates, each unless the player switched it off.
 * @param {number[]} tones @param {number | number[]} buzz ms @param {number} [loudness]
 */
export function signal(tones, buzz, loudness) {
  const chosen = document.documentElement.dataset;
  if (chosen.sound !== "off") ring(tones, loudness);
  if (chosen.buzz !== "off" && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(buzz);
}

/** Starts audio. Call it from a touch: browsers let a page play sound only after one. */
export function unlock() {
  if (navigator.userActivation?.isActive === false) return;
  audio ||= new AudioContext();
  if (audio.state === "suspended") void audio.resume().catch(() => {});
}
