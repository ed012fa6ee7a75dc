// Loaded beside the scripts of the players' pages.
import "./js/share.js";
import "./js/sign.js";
