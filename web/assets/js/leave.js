// @ts-check
// Signing out clears everything that this tab stored on the device: input in sheets and announcements already made.
// Unsent rulings stay until they are sent or discarded.

function forget() {
  try {
    sessionStorage.clear();
  } catch {
    // nothing is stored
  }
}

document.addEventListener("submit", (e) => {
  if (!(e.target instanceof HTMLFormElement) || e.target.getAttribute("action") !== "/sign-out") return;
  forget();
  addEventListener("pagehide", forget); // runs after other handlers that store something then
});
