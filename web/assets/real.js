// The tablet of a table with real tiles, and its score sheet.
import "./js/live.js";
import "./js/real.js";
import "./js/sheet.js";
import "./js/moment.js";
import "./js/leave.js";
