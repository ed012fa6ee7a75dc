// Beside the script of the pages of the second step: an official's passkeys.
import "./js/passkey.js";
