// @ts-check
// Star buttons for favourite players, stored on this device for each tournament. Without scripts or storage there are
// no stars.
export {}; // makes this file a module with its own scope

/** @param {string} event */
const place = (event) => `meldhall-stars-${event}`;

/** Returns a tournament's favourites; null without storage. @param {string} event @returns {Set<string> | null} */
function read(event) {
  try {
    const kept = JSON.parse(localStorage.getItem(place(event)) || "[]");
    return new Set(Array.isArray(kept) ? kept.map(String) : []);
  } catch {
    return null;
  }
}

/** @param {string} event @param {string} player */
function toggle(event, player) {
  const kept = read(event) || new Set();
  if (!kept.delete(player)) kept.add(player);
  try {
    localStorage.setItem(place(event), JSON.stringify([...kept]));
  } catch {
    // the storage is full: nothing changes
  }
}

/**
 * Renders a player's star, or only the label.
 * @param {HTMLElement} row @param {DOMStringMap} list @param {boolean} is
 */
function draw(row, list, is) {
  const line = row.querySelector(".star-line") || (row.matches(".star-line") ? row : row.querySelector("th"));
  if (!line) return;
  let word = line.querySelector(".star-is");
  if (is && !word) {
    word = document.createElement("span");
    word.className = "mark now star-is";
    word.textContent = `★ ${list.starWord}`;
    (line.firstElementChild?.matches("span") ? line.firstElementChild : line).append(word);
  } else if (!is) word?.remove();
  if (list.starHow === "mark") return;
  let star = line.querySelector(".star");
  if (!star) {
    star = document.createElement("button");
    star.className = "star";
    star.setAttribute("type", "button");
    star.setAttribute("aria-label", `${list.starWord}: ${row.dataset.name}`);
    line.append(star);
  }
  star.textContent = is ? "★" : "☆";
  star.setAttribute("aria-pressed", String(is));
}

/** Renders the stars of a list and moves favourites to the top if the list asks for it. @param {HTMLElement} list */
function show(list) {
  const kept = read(list.dataset.stars || "");
  if (!kept) return;
  const rows = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[data-player]")]);
  rows.forEach((row, i) => {
    row.dataset.order ||= String(i);
    draw(row, list.dataset, kept.has(row.dataset.player || ""));
  });
  if (list.dataset.starHow !== "top") return;
  /** @param {HTMLElement} row */
  const order = (row) => Number(row.dataset.order) - (kept.has(row.dataset.player || "") ? rows.length : 0);
  rows[0]?.parentElement?.append(...rows.sort((a, b) => order(a) - order(b)));
}

const showAll = () => /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-stars]")).forEach(show);

document.addEventListener("click", (e) => {
  const star = e.target instanceof Element ? e.target.closest(".star") : null;
  const row = star?.closest("[data-player]"), list = star?.closest("[data-stars]");
  if (!(star instanceof HTMLElement && row instanceof HTMLElement && list instanceof HTMLElement)) return;
  toggle(list.dataset.stars || "", row.dataset.player || "");
  showAll();
  star.focus();
});
document.addEventListener("htmx:after:swap", showAll);
window.addEventListener("storage", showAll);
showAll();
