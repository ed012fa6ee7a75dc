package webtest

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// TestBrowserCopies checks that the organizer's bar shows the state of the copies on every page and updates by itself.
// A copy goes to a chosen USB stick, a drill shows its contents beside it, and open pages report a missing stick before
// the next copy is due.
func TestBrowserCopies(t *testing.T) {
	b := startChromium(t)
	e := newPublished(t, "Copies", roster(8), nil)
	stick := t.TempDir()
	e.hall.desk.Machine.CopyTo = []string{stick}
	desk, copies := b.tab(t, 1366, 768), b.tab(t, 390, 844)
	look := func() {
		t.Helper()
		if err := e.server.View.Copies.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range []*tab{desk, copies} {
		p.still()
		p.cookie(e.http.URL, "meldhall-staff", e.organizer.token)
	}
	desk.open(fmt.Sprintf("%s/desk/%d", e.http.URL, e.id))
	desk.wait(isLive + ` && document.querySelector("#copies-now.bad").innerText.includes("No copy yet")`)
	copies.open(e.http.URL + "/desk/copies")
	copies.wait(isLive)
	eval[bool](copies,
		fmt.Sprintf(`document.getElementById("now-folder").value = "%s/meldhall", document.querySelector("#now .primary").click(), true`, stick))
	copies.wait(isLive +
		` && document.querySelector("#now .told").innerText.includes("made and checked") &&
			document.querySelectorAll("#copies > ul > li").length === 1`)
	copies.tap(copies.reach("#copies summary"))
	copies.tap(copies.reach(`#copies form[action="/actions/copy.drill"] button`))
	copies.wait(isLive + ` && document.querySelector("#copies .mark.good")?.innerText.includes("intact, up to")`)
	copies.picture("drill")
	eval[bool](copies,
		fmt.Sprintf(`document.querySelector("#plan details").open = true, document.getElementById("plan-folder").value = "%s/meldhall", document.querySelector("#plan .btn").click(), true`, stick))
	copies.wait(isLive + ` && document.querySelector("#plan .told").innerText.includes("Saved")`)
	look()
	desk.wait(`document.querySelector("#copies-now.good")`)
	desk.size(390, 844)
	if !eval[bool](desk, `document.querySelector("#copies-now > span:not(.vh)").checkVisibility()`) {
		t.Error("on a phone a good copy is a sign alone")
	}
	if err := os.Rename(stick, stick+" pulled"); err != nil {
		t.Fatal(err)
	}
	pulled := time.Now()
	look()
	desk.wait(`document.querySelector("#copies-now.bad") && document.querySelector("#news .news-urgent")?.innerText.includes("is missing")`)
	copies.wait(`document.querySelector("#copies-now.bad") && document.querySelector("main .mark.bad").innerText.includes("is missing")`)
	held(t, "a pulled stick is said on open pages", time.Since(pulled), 2*time.Second)
	desk.picture("pulled")
	for _, width := range []int64{390, 1366} {
		copies.size(width, 844)
		copies.picture(fmt.Sprintf("pulled-%d", width))
		if wide := eval[int64](copies, `document.documentElement.scrollWidth`); wide > width {
			t.Errorf("at %d px the page is %d wide", width, wide)
		}
	}
	referee := b.tab(t, 390, 844)
	referee.cookie(e.http.URL, "meldhall-staff", e.referee.token)
	referee.open(fmt.Sprintf("%s/referee/%d", e.http.URL, e.id))
	referee.wait(isLive)
	if eval[bool](referee, `Boolean(document.querySelector("#copies-now, .news-urgent"))`) {
		t.Error("a referee, who can mend nothing of it, is told")
	}
	if err := os.Rename(stick+" pulled", stick); err != nil {
		t.Fatal(err)
	}
	look()
	desk.wait(`document.querySelector("#copies-now.good") && !document.querySelector("#news .news-urgent")`)
}
