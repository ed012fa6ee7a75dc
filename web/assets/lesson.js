// Loaded beside the script of the tablet at a practice table with a lesson.
import "./js/lesson.js";
