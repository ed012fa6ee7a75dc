// @ts-check
// Signs what an official sends with a form, with the key that this device keeps for the official.
import { hex, sha256 } from "./sha256.js";
import { publicKey, signature } from "./statement.js";

const { event, user } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
const LEFT_OUT = ["signature", "epoch", "name", "back"];
const TYPED = ["text", "textarea", "password", "email", "search", "tel", "url", "file"];
const SIMPLE = /^[\w .,:;|+'-]{0,200}$/;

/** The seed of the official's key, made at the first use. */
function seedOf() {
  const name = `official ${user}`;
  let seed = localStorage.getItem(name);
  if (!seed) {
    seed = hex(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
    localStorage.setItem(name, seed);
  }
  return seed;
}

/**
 * Reports whether people type into the field: such texts may name people, and can be erased.
 * @param {HTMLFormElement} form @param {string} name
 */
function typed(form, name) {
  const field = form.elements.namedItem(name);
  return !!field && "type" in field && TYPED.includes(String(field.type));
}

/** @param {HTMLFormElement} form @param {FormData} data */
function sign(form, data) {
  const address = new URL(form.getAttribute("action") || "", location.href).pathname;
  const lines = [...data]
    .filter(([name, value]) => !LEFT_OUT.includes(name) && !typed(form, name) && SIMPLE.test(String(value)))
    .map(([name, value]) => `${name}=${value}`);
  const content = [address, ...lines].join("\n");
  const at = Date.now();
  const statement = hex(sha256(["meldhall ruling v1", event, at, content].map((v) => v + "\0").join("")));
  const seed = seedOf();
  data.set("signature", `${event} ${publicKey(seed)} ${at} ${signature(statement, seed)}\n${content}`);
}

document.addEventListener("formdata", (e) => {
  const form = /** @type {HTMLFormElement} */ (e.target);
  if (form.method !== "post") return;
  try {
    sign(form, e.formData);
  } catch {
    // without storage nothing is signed; the server takes it all the same
  }
});
