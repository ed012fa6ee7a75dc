// The player's tablet.
import "./js/live.js";
import "./js/play.js";
import "./js/between.js";
import "./js/shuffle.js";
import "./js/hint.js";
import "./js/settings.js";
import "./js/more.js";
import "./js/moment.js";
import "./js/again.js";
import "./js/extra.js";
