// @ts-check
// Where a player reads the guide or practises: leaves for the own table when the own game begins.

const stream = document.body.dataset.next;
if (stream) new EventSource(stream).addEventListener("go", () => location.assign("/play/game"));
