// @ts-check
// Texts as they are searched, as the server folds them too (templates.Searched).

/** @param {string} text without accents and case */
export function fold(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
