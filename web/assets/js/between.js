// @ts-check
// Before and after the turns: a redeal is asked once before it is sent, and the count of a game is agreed to.
import { act, buttons } from "./play.js";
import { sure } from "./sure.js";

const redeal = buttons.redeal;

buttons.redeal = () => sure(document.getElementById("redeal")?.dataset.sure || "", "redeal", redeal);
buttons.agree = () => void act("agree", { rev: Number(document.getElementById("agree")?.dataset.rev) });
