// The overlay of a video stream.
import "./js/live.js";
import "./js/overlay.js";
