// Loaded when the table is shown as a list.
import "./js/bysets.js";
