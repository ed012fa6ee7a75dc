// @ts-check
// Sends one action of a player with its own key, and repeats it with the same key until there is a reply. It therefore
// takes effect only once, however often it arrives.

const AGAIN = 2500;
const PATIENCE = 5000;

/** @returns {string} a unique key; randomUUID exists only on secure pages, and halls use plain HTTP */
export function freshKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
}

/** @typedef {{ ok: boolean, status: number, answer: any }} Reply */

const lost = () => !navigator.onLine || !!document.getElementById("link")?.classList.contains("lost");

/**
 * Returns the first reply to any attempt. A server error counts as no reply. It tries again every 2.5 s, and at once
 * when the connection is back.
 * @param {string} url @param {object} body
 * @param {(why: "unsent" | "again") => void} onWait called while there is no reply: without a connection, or with one
 * @returns {Promise<Reply>}
 */
export function sendUntilAnswered(url, body, onWait) {
  const text = JSON.stringify({ ...body, key: freshKey() });
  return new Promise((done) => {
    /** @type {number} */
    let timer;
    let signed = "";
    let answered = false;
    const send = async () => {
      clearTimeout(timer);
      timer = setTimeout(again, AGAIN);
      const reply = await post(url, text, PATIENCE, signed);
      if (answered) return;
      if (!reply || reply.status >= 500) {
        onWait(reply || !lost() ? "again" : "unsent");
        return;
      }
      answered = true;
      clearTimeout(timer);
      document.removeEventListener("link", back);
      done(reply);
    };
    const again = () => {
      onWait(lost() ? "unsent" : "again");
      void send();
    };
    const back = (/** @type {Event} */ e) => {
      if (/** @type {CustomEvent} */ (e).detail === "live") void send();
      else onWait("unsent");
    };
    document.addEventListener("link", back);
    if (lost()) onWait("unsent");
    void signature(url, body).then((text) => {
      signed = text;
      void send();
    });
  });
}

/**
 * The signature of a command; "" if no script signs it.
 * @param {string} url @param {object} body @returns {Promise<string>}
 */
const signature = (url, body) =>
  new Promise((done) => {
    const e = new CustomEvent("sign", { cancelable: true, detail: { url, body, done } });
    if (document.dispatchEvent(e)) done("");
  });

/**
 * @param {string} url @param {string} text @param {number} patience ms
 * @param {string} [signed] the signature
 * @returns {Promise<Reply | undefined>} undefined: no reply, or one that did not come from the server itself
 */
export async function post(url, text, patience, signed) {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), patience);
  try {
    const tab = document.getElementById("live")?.dataset.tab || "";
    const epoch = document.documentElement.dataset.epoch || "";
    const headers = { "Content-Type": "application/json", Accept: "application/json", "X-Tab": tab, "X-Epoch": epoch };
    if (signed) Object.assign(headers, { "X-Signature": signed });
    const r = await fetch(url, { method: "POST", headers, body: text, signal: giveUp.signal });
    const answer = await r.json();
    if (answer.code === "err_epoch") location.reload(); // the server was restored from an older copy
    return { ok: r.ok, status: r.status, answer };
  } catch {
    document.dispatchEvent(new Event("doubt"));
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
