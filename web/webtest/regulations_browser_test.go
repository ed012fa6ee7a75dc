package webtest

import (
	"fmt"
	"net"
	"net/http"
	"testing"
)

// inTheHall serves the tournament's server at a network address, where browsers have no service workers, until unplug
// is called. On a machine without a network it uses the loopback address.
func (s *pageStates) inTheHall(t *testing.T) (address string, unplug func()) {
	t.Helper()
	ip := "127.0.0.1"
	if addresses, err := net.InterfaceAddrs(); err == nil {
		for _, a := range addresses {
			if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() {
				ip = n.IP.String()
			}
		}
	}
	l, err := net.Listen("tcp", ip+":0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: s.http.Config.Handler}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return "http://" + l.Addr().String(), func() { _ = server.Close() }
}

// TestRegulationsWithoutTheNetwork checks that after a tournament's page was opened, its regulations can be opened and
// searched from it without the server, and that the page is still there afterwards.
func TestRegulationsWithoutTheNetwork(t *testing.T) {
	b := startChromium(t)
	s := newScreens(t)
	for _, c := range []struct{ who, language, page, link, word, says, article string }{
		{"referee", "en", fmt.Sprintf("/referee/%d/tables/%d", s.id, s.round.Tables[0].ID),
			`main a[href$="/regulations"]`, "JOKER", "A joker stands for any tile", "2.3"},
		{"referee", "it", fmt.Sprintf("/referee/%d", s.id), `main a[href$="/regulations"]`, "PUO fermarlo",
			"Una chiamata non ferma il tempo", "8.2"},
		{"", "it", fmt.Sprintf("/events/%d", s.id), `nav a[href$="/regulations"]`, "metà xyzzy", "", ""},
		{"organizer", "en", fmt.Sprintf("/desk/%d/roster", s.id), `nav a[href$="/regulations"]`, "empty pool",
			"plays or passes", "4.2"},
	} {
		t.Run(c.language+c.page, func(t *testing.T) {
			hall, unplug := s.inTheHall(t)
			p := b.tab(t, 390, 844)
			p.still()
			s.becomeAt(p, hall, c.who, c.language)
			p.open(hall + c.page)
			p.press("Tab") // a public page fetches them only now
			p.wait(`(({ dataset: { style } }) => document.querySelector("#regulations input") &&
				(!style || document.querySelector("link[href='" + style + "']")?.sheet))(document.getElementById("regulations"))`)
			if unplug(); c.who == "" {
				p.offline(true) // the device also reports that it is offline
			}
			p.wait(fmt.Sprintf(`document.querySelector(%q)`, c.link))
			eval[bool](p, fmt.Sprintf(`(document.querySelector(%q).click(), true)`, c.link))
			p.wait(`document.querySelector("#regulations[open] .article")?.checkVisibility()`)
			p.picture("regulations-away-" + c.who + c.language)
			eval[bool](p,
				fmt.Sprintf(`(() => { const q = document.getElementById("kept-q"); q.value = %q; q.dispatchEvent(new Event("input", { bubbles: true })); return true; })()`, c.word))
			shown := `[...document.querySelectorAll("#regulations .article")].filter((a) => a.checkVisibility())`
			if c.article == "" {
				p.wait(shown +
					`.length === 0 && document.querySelector("#regulations [data-hint]").textContent.length > 10`)
			} else {
				p.wait(fmt.Sprintf(shown+`.length < 20 && %s.some((a) => a.id === "kept-a%s" && a.innerText.includes(%q))`, shown, c.article, c.says))
			}
			p.press("Enter")
			p.tap("#regulations [data-page]")
			p.wait(`document.querySelector("#regulations [data-away]").textContent.length > 10`)
			p.picture("regulations-found-" + c.who + c.language)
			if wide := eval[int](p,
				`(() => { const d = document.getElementById("regulations"); return d.scrollWidth - d.clientWidth; })()`); wide > 0 {
				t.Errorf("the regulations are %d px wider than their dialog", wide)
			}
			p.press("Escape")
			p.wait(fmt.Sprintf(`!document.querySelector("#regulations").open && location.pathname === %q &&
				document.querySelector("main h1, main h2")`, c.page))
		})
	}
}

// TestACitedArticleOpensInPlace checks that the article behind a ruling opens over the sheet, and that the values typed
// below are kept.
func TestACitedArticleOpensInPlace(t *testing.T) {
	b := startChromium(t)
	s := newScreens(t)
	p := b.tab(t, 1366, 900)
	p.still()
	s.become(p, "referee", "en")
	p.open(fmt.Sprintf("%s/referee/%d/games/%d/turns/0", s.http.URL, s.id, s.games[0]))
	p.wait(`document.querySelector(".cited") && document.querySelector("#regulations .article")`)
	number := eval[string](p, `document.querySelector(".cited").hash.slice(2)`)
	p.tap(".cited")
	p.wait(fmt.Sprintf(`(() => { const a = document.getElementById("kept-a%s"); const box = a.getBoundingClientRect(); return a.matches(".at") && a.contains(document.activeElement) && box.top > 40 && box.bottom < innerHeight; })()`, number))
	p.picture("regulations-article")
	p.tap("#regulations [data-page]")
	p.wait(fmt.Sprintf(`location.pathname === "/events/%d/regulations"`, s.id))
}
