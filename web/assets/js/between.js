// @ts-check
// Before and after the turns: a redeal is asked once before it is sent, and the count of a game is agreed to.
import { act, buttons, tell } from "./play.js";

const PATIENCE = 8000;
const redeal = buttons.redeal;
let sureUntil = 0;

buttons.redeal = () => {
  const key = document.getElementById("redeal");
  if (!key) return;
  if (performance.now() < sureUntil) {
    sureUntil = 0;
    redeal();
    return;
  }
  sureUntil = performance.now() + PATIENCE;
  const asked = key.textContent;
  key.textContent = key.dataset.yes || asked;
  tell(key.dataset.sure || "", "bad", PATIENCE);
  setTimeout(() => {
    if (key.textContent === key.dataset.yes) key.textContent = asked;
  }, PATIENCE);
};

buttons.agree = () => void act("agree", { rev: Number(document.getElementById("agree")?.dataset.rev) });
