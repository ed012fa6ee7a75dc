// Loaded beside the scripts of tablets, table displays and the officials' page about a table.
import "./js/point.js";
