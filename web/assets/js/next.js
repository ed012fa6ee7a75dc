// @ts-check
// Takes a player who reads the guide or practises to the player's own table when that game begins.

const stream = document.body.dataset.next;
if (stream) new EventSource(stream).addEventListener("go", () => location.assign("/play/game"));
