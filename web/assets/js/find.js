// @ts-check
// The search of a tournament: a shortcut opens it over the page, and results appear while typing. It only links to
// other pages.
export {}; // makes this file a module with its own scope

const opener = document.getElementById("find-open");
const sheet = /** @type {HTMLDialogElement | null} */ (document.getElementById("finder"));
const form = sheet?.querySelector("form"), input = sheet?.querySelector("input"), found = document.getElementById("finder-found");

if (opener && sheet && form && input && found) {
  /** @type {string | null} */
  let asked = null;
  let going = Promise.resolve(), soon = 0;

  /** Requests the results for the typed text, unless that was the last request. */
  const look = () => {
    window.clearTimeout(soon);
    const q = input.value;
    if (q === asked) return going;
    asked = q;
    going = fetch(`${form.action}?words=${encodeURIComponent(q)}`, { headers: { "X-Part": "found" } }).then(async (answer) => {
      if (answer.redirected) return location.assign(form.action); // signed out
      if (!answer.ok) throw new Error();
      const html = await answer.text();
      if (asked === q) found.innerHTML = html;
    }).catch(() => {
      if (asked !== q) return;
      asked = null;
      const lost = document.createElement("p");
      lost.className = "mute found-more";
      lost.setAttribute("role", "status");
      lost.textContent = form.dataset.lost || "";
      found.replaceChildren(lost);
    });
    return going;
  };
  const links = () => /** @type {HTMLElement[]} */ ([...found.querySelectorAll("a")]);
  const open = () => {
    if (sheet.open || document.querySelector("dialog[open]")) return;
    asked = null;
    sheet.showModal();
    input.focus();
    input.select();
    void look();
  };

  opener.addEventListener("click", (e) => {
    if (e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    open();
  });
  document.addEventListener("keydown", (e) => {
    if (!(e.ctrlKey || e.metaKey) || e.altKey || e.shiftKey) return;
    if (e.key.toLowerCase() !== "k" && (e.code !== "KeyK" || /^[a-z]$/i.test(e.key))) return; // also on keyboards with a non-Latin layout
    e.preventDefault();
    if (sheet.open) sheet.close();
    else open();
  });
  input.addEventListener("input", () => {
    window.clearTimeout(soon);
    soon = window.setTimeout(look, 80);
  });
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    await look();
    links()[0]?.click();
  });
  sheet.addEventListener("keydown", (e) => {
    if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
    const stops = [input, ...links()], at = stops.findIndex((el) => el === document.activeElement);
    e.preventDefault();
    stops[(Math.max(at, 0) + (e.key === "ArrowDown" ? 1 : stops.length - 1)) % stops.length]?.focus();
  });
  sheet.addEventListener("click", (e) => {
    if (e.target === sheet || (e.target instanceof Element && e.target.closest("[data-close], a"))) sheet.close();
  });
}
