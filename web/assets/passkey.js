// Loaded beside the script of the pages of two-step sign-in: an official's passkeys.
import "./js/passkey.js";
