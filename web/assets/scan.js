// Loaded when a player has switched on the scanning for one switch.
import "./js/scan.js";
