// @ts-check
// Pending rulings, stored on the device from the tap until the server replies, so that none is lost silently. Every
// attempt sends the same key and the state that the ruling was based on. It therefore takes effect once, and never over
// another official's ruling.

/**
 * @typedef {object} Ruling
 * @property {string} key
 * @property {string} url
 * @property {[string, string][]} fields
 * @property {string} text its description, in the official's language
 * @property {number} at when it was given, ms since the epoch
 * @property {string} [why] why the server refused it; it is stored until the official has seen that
 * @property {boolean} [out] whether the official is signed out on this device
 */
/** @typedef {{ ok: boolean, status: number, answer: any } | undefined} Reply */
/** @typedef {{ getItem(name: string): string | null, setItem(name: string, value: string): void }} Store */

const NAME = "rulings";
const MOST = 50;

export class Outbox {
  /** @param {Store | undefined} store */
  constructor(store) {
    this.store = store;
    /** rulings of a device whose storage is missing or full @type {Ruling[]} */
    this.here = [];
    this.busy = false;
  }

  /** @returns {Ruling[]} the oldest first */
  all() {
    try {
      if (!this.store) return this.here;
      const kept = JSON.parse(this.store.getItem(NAME) || "[]");
      const list = Array.isArray(kept) ? kept : [];
      return [...list, ...this.here.filter((r) => !list.some((k) => k.key === r.key))];
    } catch {
      return this.here;
    }
  }

  /** @param {Ruling[]} list */
  write(list) {
    this.here = [];
    try {
      if (!this.store) throw new Error("no store");
      this.store.setItem(NAME, JSON.stringify(list));
    } catch {
      this.here = list;
    }
  }

  /** @param {Ruling} ruling @returns {boolean} whether there was room */
  keep(ruling) {
    const list = this.all().filter((r) => r.key !== ruling.key);
    if (list.length >= MOST) return false;
    this.write([...list, ruling]);
    return true;
  }

  /** @param {string} key */
  drop(key) {
    this.write(this.all().filter((r) => r.key !== key));
  }

  /** @param {string} key @param {Partial<Ruling>} change */
  mark(key, change) {
    this.write(this.all().map((r) => (r.key === key ? { ...r, ...change } : r)));
  }

  waiting() {
    return this.all().filter((r) => !r.why);
  }

  /**
   * Sends the waiting rulings, oldest first, and stops if the server cannot be reached.
   * @param {(ruling: Ruling) => Promise<Reply>} post
   * @param {(ruling: Ruling, reply: { ok: boolean, status: number, answer: any }) => void} told called for each reply
   */
  async deliver(post, told) {
    if (this.busy) return;
    this.busy = true;
    try {
      for (const ruling of this.waiting()) {
        const reply = await post(ruling);
        if (!reply || reply.status >= 500 || reply.status === 429) return;
        if (reply.status === 401) {
          this.mark(ruling.key, { out: true });
          return;
        }
        if (reply.ok) this.drop(ruling.key);
        else this.mark(ruling.key, { why: String(reply.answer?.message || reply.status), out: false });
        told(ruling, reply);
      }
    } finally {
      this.busy = false;
    }
  }
}
