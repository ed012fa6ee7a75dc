// @ts-check
// Searches the regulations while one types; without it the form asks the server, which hides the same articles.
import { fold } from "./page.js";

/** @param {HTMLInputElement} input */
function seek(input) {
  const words = fold(input.value).split(/\s+/).filter(Boolean);
  let found = 0;
  for (const chapter of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".chapter"))) {
    let left = 0;
    for (const article of /** @type {NodeListOf<HTMLElement>} */ (chapter.querySelectorAll(".article"))) {
      const text = fold(article.textContent || "");
      article.hidden = !words.every((w) => text.includes(w));
      if (!article.hidden) left++;
    }
    chapter.hidden = !left;
    found += left;
  }
  const chapters = document.getElementById("chapters"), hint = document.getElementById("find-hint");
  if (chapters) chapters.hidden = words.length > 0;
  if (hint) hint.textContent = found ? "" : input.dataset.none || "";
}

document.addEventListener("input", (e) => {
  if (e.target instanceof HTMLInputElement && "seek" in e.target.dataset) seek(e.target);
});
