// Loaded beside the script of a tournament's page: its regulations, available without a network.
import "./js/regulations.js";
