// The screen in front of a hall.
import "./js/live.js";
import "./js/boards.js";
