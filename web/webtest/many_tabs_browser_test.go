package webtest

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"meldhall/tournament/screen"
)

// hide puts the tab in the background, as when the user switches to another tab: it keeps running but is hidden.
// freeze(false) shows it.
func (p *tab) hide() {
	p.t.Helper()
	p.freeze(true)
	if _, err := chromedp.Call(p.ctx, page.SetWebLifecycleState,
		page.SetWebLifecycleStateParams{State: page.SetWebLifecycleStateStateActive}); err != nil {
		p.t.Fatal(err)
	}
	p.wait(`document.hidden`)
}

// TestBrowserTenTabs checks that ten tabs work without HTTPS, where a browser has only six connections to a server. The
// visible tab always loads, is live and receives updates.
func TestBrowserTenTabs(t *testing.T) {
	d := newDesk(t, nil)
	first := d.official(t, d.organizer, 1366, 768)
	tabs := []*tab{first}
	first.open(fmt.Sprintf("%s/events/%d", d.http.URL, d.id))
	first.wait(isLive)
	for len(tabs) < 10 {
		tabs[len(tabs)-1].hide()
		p := d.b.beside(first, 1366, 768)
		p.still()
		p.open(fmt.Sprintf("%s/events/%d", d.http.URL, d.id))
		p.wait(isLive)
		tabs = append(tabs, p)
	}
	tabs[9].hide()
	var worst time.Duration
	for i, p := range tabs {
		began := time.Now()
		p.freeze(false)
		text := fmt.Sprintf("Lunch number %d is served", i)
		d.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/announcements", d.id),
			screen.Announce{Level: "note", Texts: map[string]string{"en": text}, Minutes: 10}, nil)
		p.wait(fmt.Sprintf(`document.body.innerText.includes(%q)`, text))
		p.wait(isLive)
		worst = max(worst, time.Since(began))
		p.hide()
	}
	t.Logf("each of %d tabs shows what comes within %d ms of being looked at", len(tabs), worst.Milliseconds())
}
