// @ts-check
// One action of a player: sent with a key of its own, and again with the same key until it is answered,
// so that it happens once however often it arrives.

const AGAIN = 2500;
const PATIENCE = 15000;

/** @returns {string} a key nobody else has; randomUUID is there only on secure pages, halls have plain http */
export function freshKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
}

/** @typedef {{ ok: boolean, status: number, answer: any }} Reply */

/**
 * The first answer to any of the tries; one that the server could not give counts as none.
 * @param {string} url @param {object} body
 * @param {() => void} onRetry called before each further try
 * @returns {Promise<Reply>}
 */
export function sendUntilAnswered(url, body, onRetry) {
  const text = JSON.stringify({ ...body, key: freshKey() });
  return new Promise((done) => {
    const send = async () => {
      const reply = await post(url, text, PATIENCE);
      if (!reply || reply.status >= 500) return;
      clearInterval(timer);
      done(reply);
    };
    const timer = setInterval(() => {
      onRetry();
      void send();
    }, AGAIN);
    void send();
  });
}

/** @param {string} url @param {string} text @param {number} patience ms @returns {Promise<Reply | undefined>} undefined: no answer */
export async function post(url, text, patience) {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), patience);
  try {
    const r = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" }, body: text, signal: giveUp.signal });
    return { ok: r.ok, status: r.status, answer: await r.json().catch(() => ({})) };
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
