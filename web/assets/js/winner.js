// @ts-check
// The celebration when a hall learns who has won: tiles rain from above once, and disappear.

const TILES = 48;
const LASTS = 9_000;

/** @param {HTMLElement} stage */
export function celebrate(stage) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const rain = document.createElement("div");
  rain.className = "b-rain";
  rain.setAttribute("aria-hidden", "true");
  for (let i = 0; i < TILES; i++) {
    const tile = document.createElement("i");
    tile.className = "b-tile " + "KBRO"[i % 4];
    tile.textContent = String(1 + ((i * 5) % 13));
    tile.style.setProperty("--at", String((i * 38.2) % 98));
    tile.style.setProperty("--wait", String((i * 23) % 50));
    tile.style.setProperty("--spin", String(((i * 29) % 9) - 4));
    rain.append(tile);
  }
  stage.append(rain);
  setTimeout(() => rain.remove(), LASTS);
}
