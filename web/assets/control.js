// The pages about the hall: readiness, pace, devices, announcements, plan.
import "./js/live.js";
import "./js/page.js";
