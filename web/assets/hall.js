// Every page except the tablet and the table display.
import "./js/live.js";
import "./js/page.js";
import "./js/next.js";
import "./js/shuffle.js";
import "./js/swap.js";
import "./js/star.js";
import "./js/reading.js";
