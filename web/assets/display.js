// The screen at a table or on the wall.
import "./js/live.js";
import "./js/display.js";
