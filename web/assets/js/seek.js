// @ts-check
// Searches the regulations or the guide while typing, on their page and in their dialog. Without this script the form
// asks the server, which hides the same articles.
import { fold } from "./fold.js";

/** @param {HTMLInputElement} input */
export function seek(input) {
  const whole = input.closest("dialog, main") || document;
  const words = fold(input.value).split(/\s+/).filter(Boolean);
  let found = 0;
  for (const chapter of /** @type {NodeListOf<HTMLElement>} */ (whole.querySelectorAll(".chapter"))) {
    let left = 0;
    for (const article of /** @type {NodeListOf<HTMLElement>} */ (chapter.querySelectorAll(".article"))) {
      const text = fold(article.textContent || "");
      article.hidden = !words.every((w) => text.includes(w));
      if (!article.hidden) left++;
    }
    chapter.hidden = !left;
    if (chapter instanceof HTMLDetailsElement && words.length) chapter.open = true;
    found += left;
  }
  const chapters = whole.querySelector(".chapters"), hint = input.form?.querySelector("[data-hint]");
  if (chapters instanceof HTMLElement) chapters.hidden = words.length > 0;
  if (hint) hint.textContent = found ? "" : input.dataset.none || "";
}

/** Opens the section with the article that the address names. */
function openNamed() {
  const named = document.getElementById(location.hash.slice(1))?.closest("details");
  if (named) named.open = true;
}
openNamed();
window.addEventListener("hashchange", openNamed);

document.addEventListener("input", (e) => {
  if (e.target instanceof HTMLInputElement && "seek" in e.target.dataset) seek(e.target);
});
document.addEventListener("submit", (e) => { // results are already shown, and the server may be unreachable
  if (e.target instanceof HTMLFormElement && e.target.classList.contains("seek")) e.preventDefault();
});
