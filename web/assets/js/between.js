// @ts-check
// Actions before and after the turns: a redeal asks for confirmation, and the players agree to the count of a game.
import { act, buttons } from "./play.js";
import { sure } from "./sure.js";

const redeal = buttons.redeal;

buttons.redeal = () => sure(document.getElementById("redeal")?.dataset.sure || "", "redeal", redeal);
buttons.agree = () => void act("agree", { rev: Number(document.getElementById("agree")?.dataset.rev) });
