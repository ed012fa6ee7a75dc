// @ts-check
// Asks for confirmation before an action with a cost, in a dialog of the page. Browsers can suppress their own dialogs,
// and those speak the browser's language.

/**
 * Asks a question. The key that confirms has the label of the button that asks.
 * @param {HTMLElement} button @param {string} text @param {() => void} act runs on yes
 */
export function ask(button, text, act) {
  const dialog = document.createElement("dialog");
  dialog.className = "ask";
  const words = document.createElement("p");
  words.id = "ask-text";
  words.textContent = text;
  dialog.setAttribute("aria-labelledby", words.id);
  const keys = document.createElement("div");
  keys.className = "keys";
  keys.append(
    key(document.body.dataset.no || "", "btn", () => dialog.close()),
    key(button.textContent?.trim() || "", "btn primary", () => {
      dialog.close();
      act();
    }),
  );
  dialog.append(words, keys);
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (button.isConnected) button.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {string} text @param {string} kind @param {() => void} act */
export function key(text, kind, act) {
  const b = document.createElement("button");
  b.type = "button";
  b.className = kind;
  b.textContent = text;
  b.addEventListener("click", act);
  return b;
}

let answered = false;
document.addEventListener("click", (e) => {
  const button = e.target instanceof Element ? e.target.closest("[data-sure]") : null;
  if (!(button instanceof HTMLButtonElement) || answered) return;
  e.preventDefault();
  ask(button, button.dataset.sure || "", () => {
    answered = true;
    button.click();
    answered = false;
  });
});
