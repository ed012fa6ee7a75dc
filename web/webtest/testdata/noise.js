// Plays a trembling hand in a page, with its own clock, so that thousands of taps take seconds. noise.start() takes over
// timers, frames and time stamps; everything else is the page's own.
window.noise = (() => {
  const real = { setTimeout: window.setTimeout.bind(window), performance: performance.now.bind(performance), fetch: window.fetch.bind(window) };
  const queue = new Map();
  let on = false;
  let now = 0;
  let last = 1e9;
  let seed = 1;
  let played = 0; // turns
  const ended = []; // requests that end a turn

  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };
  const between = (a, b) => a + (b - a) * random();

  function later(fn, ms = 0, ...args) {
    if (!on || typeof fn !== "function") return real.setTimeout(fn, ms, ...args);
    queue.set(++last, { at: now + Math.max(1, ms), fn: () => fn(...args) });
    return last;
  }
  window.setTimeout = later;
  const stop = window.clearTimeout.bind(window);
  window.clearTimeout = (id) => queue.delete(id) || stop(id);
  const frame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (fn) => (on ? later(() => fn(now), 16) : frame(fn));
  const unframe = window.cancelAnimationFrame.bind(window);
  window.cancelAnimationFrame = (id) => queue.delete(id) || unframe(id);
  performance.now = () => (on ? now : real.performance());
  const stamp = Object.getOwnPropertyDescriptor(Event.prototype, "timeStamp").get;
  Object.defineProperty(Event.prototype, "timeStamp", { get() { return on ? now : stamp.call(this); } });
  Element.prototype.setPointerCapture = () => {}; // made pointers cannot be captured; they always hit their first target
  window.fetch = (url, ...more) => {
    if (/\/(draw|pass|play)$/.test(String(url))) ended.push(String(url));
    return real.fetch(url, ...more);
  };

  /** Lets time pass, with everything that falls due. */
  function pass(ms) {
    const until = now + ms;
    for (;;) {
      let next;
      for (const [id, job] of queue) if (job.at <= until && (!next || job.at < next.job.at)) next = { id, job };
      if (!next) break;
      queue.delete(next.id);
      now = Math.max(now, next.job.at);
      next.job.fn();
    }
    now = until;
  }

  /** Lets the page handle replies of the server. */
  const settle = () => new Promise((done) => { const c = new MessageChannel(); c.port1.onmessage = () => done(true); c.port2.postMessage(0); });

  class Finger {
    constructor(id, primary) {
      this.id = id;
      this.primary = primary;
    }
    send(type, x, y, more) {
      const held = type !== "pointerup";
      const init = { bubbles: true, composed: true, cancelable: true, clientX: x, clientY: y, pointerId: this.id, pointerType: "touch",
        isPrimary: this.primary, button: type === "pointermove" ? -1 : 0, buttons: held ? 1 : 0, ...more };
      this.el.dispatchEvent(new PointerEvent(type, init));
    }
    down(x, y) {
      this.el = document.elementFromPoint(x, y) || document.body;
      [this.x, this.y, this.far, this.at] = [x, y, 0, now];
      this.send("pointerdown", x, y);
    }
    /** Trembles around the place where it came down. */
    tremble(wobble, ms) {
      for (let left = ms; left > 0; left -= 16) {
        pass(Math.min(16, left));
        const [r, a] = [wobble * between(0.2, 1), between(0, 2 * Math.PI)];
        this.to = { x: this.x + r * Math.cos(a), y: this.y + r * Math.sin(a) };
        this.far = Math.max(this.far, r);
        this.send("pointermove", this.to.x, this.to.y);
      }
    }
    up() {
      const { x, y } = this.to || this;
      this.send("pointerup", x, y);
      this.to = undefined;
      // Browsers make a click of a first finger's short tap that moved little.
      if (this.primary && this.far < 15 && now - this.at < 500) {
        this.el.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true, cancelable: true, clientX: x, clientY: y, detail: 1 }));
      }
    }
  }

  const resting = new Finger(1, true);
  const level = { wobble: 3, dwell: 100, twice: 0, rest: false };

  function middle(el) {
    const box = el.getBoundingClientRect();
    const aim = (from, size) => from + size / 2 + between(-0.15, 0.15) * Math.min(size, 60);
    return [aim(box.left, box.width), aim(box.top, box.height)];
  }

  /** Taps an element once, which may arrive as two taps. */
  async function tap(el, alone = true) {
    const finger = new Finger(2, alone);
    const [x, y] = middle(el);
    finger.down(x, y);
    finger.tremble(level.wobble, between(50, level.dwell));
    finger.up();
    await settle();
    if (random() < level.twice) {
      pass(between(90, 700));
      const again = new Finger(3, alone);
      again.down(x + between(-0.5, 0.5) * level.wobble, y + between(-0.5, 0.5) * level.wobble);
      again.tremble(level.wobble, between(50, Math.min(200, level.dwell)));
      again.up();
      await settle();
    }
    pass(between(800, 1200));
    await settle();
  }

  return {
    ended,
    pass,
    settle,
    start(set, from) {
      Object.assign(level, set);
      [on, now, seed] = [true, Math.max(now, real.performance()), from];
      return true;
    },
    /** Plays the check's game of taps to its end. */
    async check() {
      document.getElementById("hand-start").click();
      let n = 0;
      const game = document.getElementById("hand-game");
      if (level.rest) {
        resting.down(innerWidth - 20, innerHeight - 150);
        pass(300);
      }
      for (; game.open; n++) await tap(document.getElementById("hand-target"), !level.rest);
      if (level.rest) resting.up();
      await settle();
      return n;
    },
    tap: (selector) => tap(document.querySelector(selector)).then(() => true),
    /** Plays turns that lay three tiles, take them back, and pick up and put down a fourth. */
    async turns(count) {
      const slot = (face) => [...document.querySelectorAll("#rack .slot")].find((s) => s.querySelector(`[data-face="${face}"]`));
      const held = (face) => !!slot(face)?.querySelector(".tile.held");
      const empty = () => {
        const cells = [...document.querySelectorAll("#table .cell:empty")];
        return cells[Math.floor(cells.length / 2)];
      };
      const laid = () => document.querySelectorAll("#table .tile").length;
      const out = { taps: 0, taken: 0, turns: 0, lost: 0, clean: 0, missed: {} };
      const places = ["#draw", "#play", "#seat1", "#rack .slot:last-child", "#table .cell", ".verdict"];
      for (let turn = 0; turn < count; turn++) {
        const rests = level.rest && document.querySelector(places[played++ % places.length]);
        if (rests) {
          resting.down(...middle(rests));
          pass(900);
        }
        const steps = [
          ...["O10", "O11", "O12"].map((face) => [face, () => slot(face), () => held(face)]),
          ["cell", empty, () => laid() === 3],
          ["undo", () => document.getElementById("undo"), () => laid() === 0],
          ["pick", () => slot("K4"), () => held("K4")],
          ["put", () => slot("K4"), () => !held("K4")],
        ];
        let good = true;
        for (const [name, place, done] of steps) {
          if (name === "pick") document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
          for (const tile of name === "pick" ? document.querySelectorAll("#rack .tile.held") : []) tile.click();
          out.taps++;
          const el = place();
          if (el) await tap(el, !rests);
          if (el && done()) out.taken++;
          else {
            out.missed[name] = (out.missed[name] || 0) + 1;
            good = false;
            break;
          }
        }
        if (rests) {
          if (random() < 0.5) resting.tremble(level.wobble, 100);
          resting.up();
          pass(800);
        }
        out.turns++;
        if (good) out.clean++;
        if (document.querySelector("#sure[open]")) {
          out.missed.asked = (out.missed.asked || 0) + 1;
          document.getElementById("sure").close();
        }
        document.getElementById("settings-sheet").close();
        for (const tile of document.querySelectorAll("#rack .tile.held, #table .tile.held")) tile.click();
        if (laid()) document.getElementById("reset").click();
        pass(1500);
        await settle();
        if (turn % 5 === 4) await new Promise((done) => real.setTimeout(done, 4)); // replies of the judge
      }
      out.lost = ended.length;
      return out;
    },
  };
})();
