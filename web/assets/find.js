// Beside the script of an official's page: the search of an event.
import "./js/find.js";
