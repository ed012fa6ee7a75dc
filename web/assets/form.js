// The pages of long forms: a format, a tournament's rules.
import "./js/live.js";
import "./js/page.js";
