// @ts-check
// Announcements for screen readers.

/**
 * Number of sentences that stay. A verdict comes a few milliseconds after the text about the hand, and a screen reader
 * reads both.
 */
const KEPT = 3;

/** Announces a sentence, even if it repeats the previous one. @param {string} text */
export function say(text) {
  const log = document.getElementById("say");
  if (!log || !text.trim()) return;
  const sentence = document.createElement("p");
  sentence.textContent = text;
  log.append(sentence);
  while (log.children.length > KEPT) log.firstElementChild?.remove();
}
