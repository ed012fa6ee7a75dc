// @ts-check
// The overlay of a video stream. It takes no input, and its clocks disappear without the server's time.
import { serverTime } from "./clock.js";
import { stage } from "./stage.js";
import { tick } from "./walls.js";

const build = document.getElementById("board")?.dataset.build;
document.getElementById("live")?.addEventListener("htmx:after:swap", () => {
  if (document.getElementById("board")?.dataset.build !== build) location.reload(); // the server runs a newer release
  tick();
});
tick();
setInterval(() => {
  stage.classList.toggle("timed", serverTime() > 0); // a clock without the server's time is wrong
  tick();
}, 100);
