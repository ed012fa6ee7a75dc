// @ts-check
// Loads the tablet's part in the shuffles and signatures once the page is there.

const live = document.getElementById("live");
const base = document
  .querySelector("link[rel=icon]")
  ?.getAttribute("href")
  ?.replace(/[^/]*$/, "built/");
let loads = false;

function load() {
  if (loads) return;
  loads = true;
  const script = document.createElement("script");
  script.src = `${base}share.js`;
  document.head.append(script);
}

live?.addEventListener("shuffle", (e) => {
  live.dataset.shuffle = String(/** @type {CustomEvent} */ (e).detail?.data);
  load();
  document.dispatchEvent(new Event("shuffle"));
});
const wanted = () => void (document.querySelector("#fair, #game[data-sign]") && load());
document.addEventListener("htmx:after:swap", wanted);
wanted();
