// The screen before a hall.
import "./js/live.js";
import "./js/boards.js";
