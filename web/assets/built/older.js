"use strict";(()=>{setTimeout(function(){document.documentElement.hasAttribute("data-runs")||location.replace("/board?plain=1")},8e3);})();
