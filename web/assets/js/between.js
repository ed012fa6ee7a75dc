// @ts-check
// Before and after the turns: a redeal is asked once before it is sent, and the count of a game is agreed to.
import { act, buttons, tell } from "./play.js";

const PATIENCE = 8000;
const redeal = buttons.redeal;
let sureUntil = 0;

/** Lets the redeal's key say what it does next. */
function label() {
  const key = document.getElementById("redeal");
  if (!key) return;
  key.dataset.ask ||= key.textContent || "";
  const text = (performance.now() < sureUntil ? key.dataset.yes : key.dataset.ask) || "";
  if (key.textContent !== text) key.textContent = text;
}

buttons.redeal = () => {
  const sure = performance.now() < sureUntil;
  sureUntil = sure ? 0 : performance.now() + PATIENCE;
  if (sure) redeal();
  else {
    tell(document.getElementById("redeal")?.dataset.sure || "", "bad", PATIENCE);
    setTimeout(label, PATIENCE + 50);
  }
  label();
};

buttons.agree = () => void act("agree", { rev: Number(document.getElementById("agree")?.dataset.rev) });

document.getElementById("live")?.addEventListener("htmx:after:swap", label);
