// Beside: the check of a tablet, with its game of taps.
import "./js/check.js";
import "./js/taps.js";
