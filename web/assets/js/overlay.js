// @ts-check
// What a stream lays over its picture: nothing of it is touched, and its clocks go when the server is not heard.
import { serverTime } from "./clock.js";
import { stage } from "./stage.js";
import { tick } from "./walls.js";

const build = document.getElementById("board")?.dataset.build;
document.getElementById("live")?.addEventListener("htmx:after:swap", () => {
  if (document.getElementById("board")?.dataset.build !== build) location.reload(); // the server has a newer program
  tick();
});
tick();
setInterval(() => {
  stage.classList.toggle("timed", serverTime() > 0); // a clock without the server's time is wrong
  tick();
}, 100);
