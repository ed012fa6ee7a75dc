// @ts-check
// Form fields with lines of tiles (racks, or the sets of a table), shown as tiles and filled by tapping faces. The text
// stays in the form's own field, which the server reads.
const order = (/** @type {string} */ face) => (face === "J" ? 99 : Number(face.slice(1)));

class Tap {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.faces = /** @type {HTMLElement} */ (root.querySelector(".tap-faces"));
    this.list = document.createElement("ol");
    this.list.className = "tap-rows";
    this.lines = [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".tap-line"))].map((el) => {
      const field = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (el.querySelector("input[type=text], textarea"));
      return { el, field, label: el.dataset.label || "", several: field instanceof HTMLTextAreaElement };
    });
    /** @type {{ line: number, tiles: string[] }[]} */
    this.rows = this.lines.flatMap(({ field, several }, line) => {
      const read = (/** @type {string} */ text) => ({ line, tiles: text.toUpperCase().split(/\s+/).filter(Boolean) });
      return several ? field.value.split("\n").filter((text) => text.trim()).map(read) : [read(field.value)];
    });
    this.at = 0;
    for (const { el, field } of this.lines) {
      field.closest(".field")?.setAttribute("hidden", "");
      el.classList.add("tapped");
    }
    this.faces.before(this.list);
    this.faces.hidden = false;
    this.draw();
    root.addEventListener("click", (e) => this.click(e));
  }

  /** Writes the rows into the form's fields. */
  write() {
    for (const [i, { field }] of this.lines.entries())
      field.value = this.rows
        .filter((r) => r.line === i && (r.tiles.length || !this.lines[i].several))
        .map((r) => r.tiles.join(" "))
        .join("\n");
    this.root.dispatchEvent(new CustomEvent("tapped", { bubbles: true }));
  }

  /** @param {string} face */
  used(face) {
    return this.rows.reduce((n, r) => n + r.tiles.filter((f) => f === face).length, 0);
  }

  /** @param {number} i */
  name(i) {
    const { line } = this.rows[i] || { line: 0 };
    return this.lines[line].several ? this.words("set", String(i + 1)) : this.lines[line].label;
  }

  /** @param {string} key @param {string} what */
  words(key, what) {
    return (this.root.dataset[key] || "").replace("#", what);
  }

  draw() {
    const several = this.lines.some((l) => l.several);
    this.list.replaceChildren(...this.rows.map((_, i) => this.row(i)));
    if (several) {
      const li = document.createElement("li");
      li.append(this.key(this.words("new", ""), "act tap-new", { add: "1" }));
      this.list.append(li);
    }
    for (const key of /** @type {NodeListOf<HTMLButtonElement>} */ (this.faces.querySelectorAll(".tap-face"))) key.disabled = this.used(key.dataset.face || "") > 1;
    const into = this.faces.querySelector(".tap-into");
    if (into) into.textContent = this.words("into", this.rows.length ? this.name(this.at) : this.words("new", ""));
  }

  /** @param {number} i */
  row(i) {
    const li = document.createElement("li");
    li.className = "tap-row";
    li.classList.toggle("now", i === this.at);
    const pick = this.key(this.name(i), "act tap-pick", { row: String(i) });
    pick.setAttribute("aria-pressed", String(i === this.at));
    const tiles = this.rows[i].tiles.map((face, k) => {
      const of = this.faces.querySelector(`.tap-face[data-face="${face}"] .tile`);
      const key = this.key("", "tap-tile", { row: String(i), tile: String(k) });
      if (of) key.append(of.cloneNode(true));
      else key.textContent = face;
      key.setAttribute("aria-label", this.words("off", of?.querySelector(".vh")?.textContent || face));
      return key;
    });
    const box = document.createElement("span");
    box.className = "tap-tiles";
    if (tiles.length) box.append(...tiles);
    else box.append(this.words("empty", ""));
    li.append(pick, box);
    const opened = this.lines[this.rows[i].line].el.querySelector(".check");
    if (opened) li.append(opened);
    return li;
  }

  /** @param {string} text @param {string} kind @param {Record<string, string>} data */
  key(text, kind, data) {
    const b = document.createElement("button");
    b.type = "button";
    b.className = kind;
    b.textContent = text;
    Object.assign(b.dataset, data);
    return b;
  }

  /** @param {Event} e */
  click(e) {
    const key = e.target instanceof Element ? e.target.closest("button") : null;
    if (!key) return;
    const { face, row, tile, colour, add } = key.dataset;
    if (colour) {
      this.faces.dataset.colour = colour;
      for (const other of this.faces.querySelectorAll("[data-colour]")) other.setAttribute("aria-pressed", String(other === key));
      return;
    }
    const kept = this.openedBack();
    if (add) this.at = this.rows.push({ line: this.lines.findIndex((l) => l.several), tiles: [] }) - 1;
    else if (face) this.lay(face);
    else if (tile) this.takeOff(Number(row), Number(tile));
    else if (row) this.at = Number(row);
    kept();
    this.draw();
    if (face || tile) this.write();
    const focus = face ? key : this.list.querySelector(`.tap-pick[data-row="${this.at}"]`);
    if (focus instanceof HTMLElement) focus.focus();
  }

  /** Puts the switches back into their lines before the rows are rendered again. */
  openedBack() {
    const boxes = [...this.list.querySelectorAll(".check")];
    return () => boxes.forEach((box, i) => this.lines[i].el.append(box));
  }

  /** @param {string} face */
  lay(face) {
    if (!this.rows.length) this.rows.push({ line: 0, tiles: [] });
    const { line, tiles } = this.rows[this.at];
    tiles.push(face);
    if (!this.lines[line].several) tiles.sort((a, b) => "KRBOJ".indexOf(a[0]) - "KRBOJ".indexOf(b[0]) || order(a) - order(b));
    else if (!tiles.includes("J")) tiles.sort((a, b) => order(a) - order(b)); // a joker keeps its place
  }

  /** @param {number} row @param {number} tile */
  takeOff(row, tile) {
    this.rows[row].tiles.splice(tile, 1);
    this.at = row;
    if (this.rows[row].tiles.length || !this.lines[this.rows[row].line].several) return;
    this.rows.splice(row, 1);
    this.at = Math.max(0, Math.min(row, this.rows.length - 1));
  }
}

/** Converts the fields that can be tapped, on a page or in an opened sheet. */
export function tappable() {
  for (const el of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-tap]"))) {
    if (el.dataset.made) continue;
    el.dataset.made = "true";
    new Tap(el);
  }
}

tappable();
