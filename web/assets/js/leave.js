// @ts-check
// Who signs out leaves nothing on the device that this tab kept for the time until it is closed: what was typed into a sheet, and what
// was told. Rulings that could not be sent stay, until they are sent or discarded.

function forget() {
  try {
    sessionStorage.clear();
  } catch {
    // nothing is kept
  }
}

document.addEventListener("submit", (e) => {
  if (!(e.target instanceof HTMLFormElement) || e.target.getAttribute("action") !== "/sign-out") return;
  forget();
  addEventListener("pagehide", forget); // after whatever else keeps something then
});
