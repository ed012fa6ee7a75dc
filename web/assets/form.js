// The pages of long forms: a format, an event's rules.
import "./js/live.js";
import "./js/page.js";
