// Warns in a browser that is too old for the scripts, such as a television's of 2018. A board switches to its page
// without scripts instead. Built as ES5, so that such a browser runs it.
(function () {
  var plain = document.querySelector("script[data-plain]");
  function old() {
    var said = document.getElementById("older");
    if (plain) location.replace(plain.getAttribute("data-plain") || "");
    else if (said) said.hidden = false;
  }
  // The oldest supported browsers are the first of their engine that have one of these: web/bundle/floor_test.go.
  var fits = window.CSS && CSS.supports && (CSS.supports("height", "1dvh") || "inert" in document.documentElement);
  if (!fits) return old();
  setTimeout(function () {
    if (!document.documentElement.hasAttribute("data-runs")) old();
  }, 8000);
})();
