// @ts-check
// Creates a passkey or signs a challenge with one. The device's response goes into the form, which is then submitted as
// usual. Browsers before 2024 cannot convert the options and responses from and to JSON, so this module converts the
// few fields in use.

/** @param {string} text base64url @returns {ArrayBuffer} */
function bytes(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (c) => c.charCodeAt(0)).buffer;
}

/** @param {ArrayBuffer} buffer */
const base64 = (buffer) =>
  btoa(Array.from(new Uint8Array(buffer), (b) => String.fromCharCode(b)).join(""))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");

/** @param {any[] | undefined} list of descriptors */
const keys = (list) => list?.map((k) => ({ ...k, id: bytes(k.id) }));

/** @param {any} json @returns {PublicKeyCredentialCreationOptions} */
const creation = (json) =>
  PublicKeyCredential.parseCreationOptionsFromJSON?.(json) ?? {
    ...json,
    challenge: bytes(json.challenge),
    user: { ...json.user, id: bytes(json.user.id) },
    excludeCredentials: keys(json.excludeCredentials),
  };

/** @param {any} json @returns {PublicKeyCredentialRequestOptions} */
const request = (json) =>
  PublicKeyCredential.parseRequestOptionsFromJSON?.(json) ?? {
    ...json,
    challenge: bytes(json.challenge),
    allowCredentials: keys(json.allowCredentials),
  };

/** @param {PublicKeyCredential} made */
function plain(made) {
  if (typeof made.toJSON === "function") return made.toJSON();
  const r = /** @type {any} */ (made.response);
  /** @type {Record<string, string>} */
  const response = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature"]) if (r[name]) response[name] = base64(r[name]);
  return { id: made.id, rawId: base64(made.rawId), type: made.type, clientExtensionResults: {}, response };
}

/** @param {HTMLFormElement} form */
async function ask(form) {
  const answer = /** @type {HTMLInputElement} */ (form.elements.namedItem("answer"));
  const says = form.querySelector("[role=alert]");
  const { passkey, options = "", failed = "", known = "" } = form.dataset;
  try {
    const json = JSON.parse(options);
    const made = passkey === "create" ? await navigator.credentials.create({ publicKey: creation(json) }) : await navigator.credentials.get({ publicKey: request(json) });
    answer.value = JSON.stringify(plain(/** @type {PublicKeyCredential} */ (made)));
    form.submit();
  } catch (e) {
    if (says) says.textContent = e instanceof DOMException && e.name === "InvalidStateError" ? known : failed;
  }
}

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-passkey]"))) {
  if (!window.isSecureContext || !window.PublicKeyCredential || location.origin !== form.dataset.origin) continue;
  form.hidden = false;
  if (form.previousElementSibling instanceof HTMLElement) form.previousElementSibling.hidden = true;
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    void ask(form);
  });
}
