// @ts-check
// Normalizes text for searches in the same way as the server (templates.Searched).

/** Removes accents and case. @param {string} text */
export function fold(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
