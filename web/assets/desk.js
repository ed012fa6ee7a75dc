// The officials' pages about tables.
import "./js/live.js";
import "./js/page.js";
import "./js/guard.js";
import "./js/fingers.js";
import "./js/steady.js";
import "./js/stale.js";
import "./js/alarm.js";
import "./js/ruling.js";
import "./js/tap.js";
