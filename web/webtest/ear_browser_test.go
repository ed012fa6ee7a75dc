package webtest

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// earScript logs what the live regions of a page announce, also across pages of one tab: each addition to a log, and
// each new text of another live region.
const earScript = `(() => {
	const log = JSON.parse(sessionStorage.getItem("ear") || "[]"), texts = new Map();
	const clean = (el) => el.textContent.replace(/\s+/g, " ").trim();
	const add = (id, text) => { if (text) { log.push(id + ": " + text); sessionStorage.setItem("ear", JSON.stringify(log)); } };
	const said = new WeakSet();
	const look = () => {
		for (const el of document.querySelectorAll("[role=log], [role=status], [role=alert], [aria-live]")) {
			const id = el.id || el.className;
			if (el.getAttribute("role") === "log") {
				for (const p of el.children) if (!said.has(p)) { said.add(p); add(id, clean(p)); }
			} else if (el.getClientRects().length && texts.get(id) !== clean(el)) {
				texts.set(id, clean(el));
				add(id, clean(el));
			}
		}
	};
	window.ear = log;
	window.earFrom = log.length;
	new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["hidden", "class"] });
})()`

// ear is what a player hears in a tab, and nothing else.
type ear struct {
	p    *tab
	read int // announcements heard so far
	mark int // announcements that were compared with the expected ones
	keys int // keys pressed since the turn began
}

// listen makes a tab log all announcements.
func listen(p *tab) *ear {
	p.t.Helper()
	p.atStart(earScript)
	return &ear{p: p}
}

// more returns the announcements since the last call.
func (e *ear) more() []string {
	e.p.t.Helper()
	fresh := eval[[]string](e.p, fmt.Sprintf(`(window.ear || []).slice(%d)`, e.read))
	e.read += len(fresh)
	return fresh
}

// until waits for an announcement that contains one of some texts. It returns everything that was heard up to then, as
// one text, and what the announcement contained.
func (e *ear) until(texts ...string) (heard, found string) {
	e.p.t.Helper()
	var all []string
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		fresh := eval[[]string](e.p, fmt.Sprintf(`(window.ear || []).slice(%d)`, e.read))
		for _, line := range fresh {
			e.read++
			_, text, _ := strings.Cut(line, ": ")
			all = append(all, text)
			for _, want := range texts {
				if strings.Contains(text, want) {
					return strings.Join(all, " "), want
				}
			}
		}
	}
	e.p.picture("failed")
	e.p.t.Fatalf("none of %q is heard, but %q", texts, all)
	return "", ""
}

// types types a command.
func (e *ear) types(command string) {
	e.p.t.Helper()
	e.p.write(command)
	e.p.press("Enter")
	e.keys += len(command) + 1
}

// opensLine opens the line for commands with its key.
func (e *ear) opensLine() {
	e.p.t.Helper()
	e.p.press("/")
	e.p.wait(`document.activeElement?.id === "command-text"`)
}

// at95 returns the value that 95 % of all do not exceed.
func at95(t *testing.T, sorted []int) int {
	t.Helper()
	if len(sorted) == 0 {
		t.Fatal("nothing was counted")
	}
	return sorted[(95*len(sorted)+99)/100-1]
}
