// Loaded beside the script of an event's public pages: warns if the history of the event was forked.
import "./js/forked.js";
