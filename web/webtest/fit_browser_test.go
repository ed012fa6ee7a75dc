package webtest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"

	"meldhall/data"
	"meldhall/web"
)

// misfits lists texts that are cut off, overflow their containers or overlap another text, and reports sideways
// scrolling. The names of people and tournaments may end in an ellipsis, because they can be of any length.
const misfits = `(() => {
	const found = [], seen = new Set();
	const say = (what, el) => {
		const line = what + ": " + (el.id ? "#" + el.id : el.className || el.tagName) + " “" + el.textContent.trim().replace(/\s+/g, " ").slice(0, 60) + "”";
		if (!seen.has(line)) { seen.add(line); found.push(line); }
	};
	// for screen readers alone
	const spoken = (el) => el && (getComputedStyle(el).clipPath.startsWith("inset(50%") || spoken(el.parentElement));
	const root = document.documentElement;
	if (innerWidth > screen.width || root.scrollWidth > innerWidth) found.push("the page scrolls sideways: " + root.scrollWidth + " of " + screen.width);
	const names = ".name, .event, .tile, .seal, title";
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), texts = [];
	while (walker.nextNode()) {
		const node = walker.currentNode, el = node.parentElement;
		if (!node.textContent.trim() || !el.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || el.closest(".skip, noscript, script, option") || spoken(el)) continue;
		const range = document.createRange();
		range.selectNodeContents(node);
		[...range.getClientRects()].forEach((box, line) => {
			if (box.width > 1 && box.height > 1) texts.push({ el, box, where: () => range.getClientRects()[line] });
		});
	}
	for (const { el, box } of texts) {
		if (el.closest(names)) continue;
		for (let holder = el; holder && holder !== document.body; holder = holder.parentElement) {
			const style = getComputedStyle(holder);
			if (style.display === "contents") continue;
			const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
			if (style.display !== "inline" && style.overflowX !== "visible" && !scrolls && holder.scrollWidth > holder.clientWidth + 1) say("cut off", holder);
			if (style.display !== "inline" && style.overflowY === "hidden" && holder.scrollHeight > holder.clientHeight + 2) say("cut off below", holder);
			if (holder.matches("button, .btn, .key, .seat, td, th, .tag, .badge, .panel, .foot, .head, .card, .table-line, li, input, h1, h2, p, section")) {
				const edge = holder.getBoundingClientRect();
				if (box.left < edge.left - 1.5 || box.right > edge.right + 1.5) say("sticks out of " + (holder.id || holder.className || holder.tagName) + " by " + Math.round(Math.max(edge.left - box.left, box.right - edge.right)), el);
				if (holder.matches("button, .btn, .key, .seat, .tag, .head") && (box.top + box.height * .25 < edge.top - 1.5 || box.bottom - box.height * .25 > edge.bottom + 1.5)) say("sticks out above or below of " + (holder.id || holder.className), el);
			}
			if (scrolls) break;
		}
	}
	const stays = "[data-view=list] :is(.verdict, .well, .list-keys, .large, .clock)";
	const held = () => [...document.querySelectorAll(stays)].filter((el) => getComputedStyle(el).position === "sticky").map((el) => el.getBoundingClientRect().top);
	const places = () => texts.filter(({ el }) => !el.closest(".tile, summary, .hints, .tag")).map((text) => {
		let { left, right, top, bottom } = text.where();
		for (const clip of [text.el.closest(".seat small, .name, .event"), text.el.closest(".scroll, .sheet-table")].filter((el) => el)) { const c = clip.getBoundingClientRect(); left = Math.max(left, c.left); right = Math.min(right, c.right); top = Math.max(top, c.top); bottom = Math.min(bottom, c.bottom); }
		const felt = text.el.closest(".felt")?.getBoundingClientRect(); // what is scrolled out of it is not to be seen
		if (felt) { top = Math.max(top, felt.top); bottom = Math.min(bottom, felt.bottom); }
		if (!text.el.closest(stays)) bottom = Math.min(bottom, ...held()); // passes below what stays in the table as a list
		const trim = (bottom - top) * .25;
		return { text, left: left + 1, right: right - 1, top: top + trim, bottom: bottom - trim };
	}).filter((b) => b.right > b.left && b.bottom > b.top).sort((a, b) => a.top - b.top);
	const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
	const scrollToY = (y) => scrollTo({ top: y, behavior: "instant" });
	// At both ends of the page, since bars stay where they are. What a bar covers must come from under it in the middle
	// of the screen, or as near to that as the page can be scrolled.
	const start = scrollY, end = root.scrollHeight - innerHeight;
	for (const at of end > 0 ? [0, end] : [start]) {
		scrollToY(at);
		const flat = places();
		for (let i = 0; i < flat.length; i++) {
			for (let k = i + 1; k < flat.length && flat[k].top < flat[i].bottom; k++) {
				const a = flat[i], b = flat[k];
				if (a.text.el === b.text.el || !over(a, b)) continue;
				scrollToY(at + (a.top + a.bottom - innerHeight) / 2);
				const now = places(), [c, d] = [a, b].map((one) => now.find((other) => other.text === one.text));
				scrollToY(at);
				if (c && d && over(c, d)) say("lies over “" + b.text.el.textContent.trim().slice(0, 30) + "”", a.text.el);
			}
		}
	}
	scrollToY(start);
	return found;
})()`

// TestScreensHoldLongTexts checks every page on a phone in a pseudo-language whose texts are 40 % longer than English,
// and in Italian or a right-to-left language. The longest texts are also checked on a tablet, upright or
// lying. With -figures it checks both languages and both orientations.
func TestScreensHoldLongTexts(t *testing.T) {
	b := startChromium(t)
	text, err := fs.ReadFile(data.Locales, "locales/en.json")
	if err != nil {
		t.Fatal(err)
	}
	var english map[string]any
	if err := json.Unmarshal(text, &english); err != nil {
		t.Fatal(err)
	}
	longer, err := json.Marshal(pseudo(t, english))
	if err != nil {
		t.Fatal(err)
	}
	s := newScreens(t, func(c *web.Config) { c.Locales = fstest.MapFS{"eo.json": {Data: longer}} })
	p := b.tab(t, 1280, 800)
	p.still()
	for i, v := range s.all() {
		if v.name == "display" {
			continue // its names end in an ellipsis by design; it has its own test
		}
		for k, language := range []string{"it", "he", "eo"} {
			if language != "eo" && !inTurn(i, k, 2) {
				continue
			}
			t.Run(language+"/"+v.name, func(t *testing.T) {
				within(t, &p.t, &s.t)
				s.show(p, v, language)
				for j, size := range [][2]int64{{1280, 800}, {800, 1280}, {360, 740}} {
					if j < 2 && (language != "eo" || !inTurn(i, j, 2)) {
						continue // shorter texts are checked only on the smallest screen
					}
					p.size(size[0], size[1])
					holdTexts(p, v, size)
				}
			})
		}
	}
}

// holdTexts reports each text that does not fit a size.
func holdTexts(p *tab, v pageState, size [2]int64) {
	p.t.Helper()
	// on a busy machine a page may miss a ping; its warning is no part of the screen
	p.wait(fmt.Sprintf(`screen.width === %d && innerWidth >= %d && !document.querySelector("#link.lost")`, size[0],
		size[0]))
	// the page's script lays out the table again
	eval[bool](p, `new Promise((laid) => requestAnimationFrame(() => requestAnimationFrame(() => laid(true))))`)
	for _, misfit := range eval[[]string](p, misfits) {
		p.t.Errorf("%d x %d: %s", size[0], size[1], misfit)
	}
	p.picture(fmt.Sprint(size[0]))
	if v.name != "game" {
		return
	}
	eval[bool](p, `document.getElementById("clock").classList.add("last"), true`)
	for _, misfit := range eval[[]string](p, misfits) {
		p.t.Errorf("%d x %d, five seconds left: %s", size[0], size[1], misfit)
	}
}
