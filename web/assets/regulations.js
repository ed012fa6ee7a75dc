// Beside the script of a page of an event: its regulations, kept for when the network is away.
import "./js/regulations.js";
