// What a stream lays over its picture.
import "./js/live.js";
import "./js/overlay.js";
