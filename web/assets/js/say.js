// @ts-check
// What is said to who cannot see the page.

/** Sentences that stay: a verdict comes some milliseconds after the words about the hand, and a reader is told both. */
const KEPT = 3;

/** Says a sentence, also when it is the one said before. @param {string} text */
export function say(text) {
  const log = document.getElementById("say");
  if (!log || !text.trim()) return;
  const sentence = document.createElement("p");
  sentence.textContent = text;
  log.append(sentence);
  while (log.children.length > KEPT) log.firstElementChild?.remove();
}
