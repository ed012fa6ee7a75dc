// Loaded beside the scripts of the officials' pages.
import "./js/official.js";
