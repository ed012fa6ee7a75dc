// Loaded beside the script of an official's page: the search of a tournament.
import "./js/find.js";
