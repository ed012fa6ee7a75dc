// A browser that cannot run the script of a board, such as that of a television of 2018, goes on with pages that need none.
setTimeout(function () {
  if (!document.documentElement.hasAttribute("data-runs")) location.replace("/board?plain=1");
}, 8000);
