// Loaded when a player opens the line for typed commands.
import "./js/commands.js";
