// @ts-check
// Keeps a form with typed values on the page while the server cannot be reached. The browser would replace it with an
// error page of its own.

const PATIENCE = 4000; // ms to wait for an answer

/** @param {HTMLFormElement} form whether something was typed or chosen */
function typed(form) {
  return [...form.elements].some(
    (el) =>
      ((el instanceof HTMLInputElement && el.type !== "hidden") || el instanceof HTMLTextAreaElement) &&
      el.value !== el.defaultValue,
  );
}

async function reachable() {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), PATIENCE);
  try {
    return (await fetch("/healthz", { cache: "no-store", signal: stop.signal })).ok;
  } catch {
    return false;
  } finally {
    clearTimeout(late);
  }
}

/** @param {HTMLFormElement} form */
function tell(form) {
  const line = form.querySelector(".unreachable") || document.createElement("p");
  line.className = "flash bad unreachable";
  line.setAttribute("role", "alert");
  line.textContent = document.body.dataset.unreachable || "";
  form.append(line);
}

let asking = false;
let reached = false;
document.addEventListener("submit", (e) => {
  const form = e.target;
  if (e.defaultPrevented || reached || !(form instanceof HTMLFormElement) || form.method !== "post") return;
  if (!("requestSubmit" in form) || !typed(form)) return;
  e.preventDefault();
  if (asking) return;
  asking = true;
  void reachable().then((there) => {
    asking = false;
    if (!there) return tell(form);
    reached = true;
    form.requestSubmit(e.submitter);
    reached = false;
  });
});
