// Warns in a browser that is too old for the scripts, such as a television's of 2018. A board switches to its page
// without scripts instead.
(function () {
  var plain = document.querySelector("script[data-plain]");
  function old() {
    var said = document.getElementById("older");
    if (plain) location.replace(plain.getAttribute("data-plain") || "");
    else if (said) said.hidden = false;
  }
  // Chrome 98, Safari 15.4 and Firefox 98 were the first to support both.
  if (!window.structuredClone || !window.HTMLDialogElement) return old();
  setTimeout(function () {
    if (!document.documentElement.hasAttribute("data-runs")) old();
  }, 8000);
})();
