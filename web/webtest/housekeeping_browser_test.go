package webtest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"meldhall/tournament"
)

// TestBrowserTheSameAgain creates a weekly club's next evening from the list of events, in at most five clicks, with
// all players but one.
func TestBrowserTheSameAgain(t *testing.T) {
	e := newEntered(t, "Club night 12", roster(24), nil)
	w := &clubWalk{eventWalk: &eventWalk{event: e, p: startChromium(t).tab(t, 390, 844), whole: t}}
	w.p.still()
	w.signIn()
	w.open("/desk")
	w.p.picture("again-0-list")
	w.click(fmt.Sprintf(`a[href="/desk/%d/again"]`, e.id))
	w.p.whole("again-1-form")
	w.clicks++
	w.p.tap(w.p.reach(`input[name=players][value="3"]`))
	w.click("main .form button.primary")
	w.says("h1", "Club night 13")
	w.says(".flash", "23 players")
	w.p.picture("again-2-made")
	if w.clicks > 5 {
		t.Errorf("it took %d clicks, at most 5", w.clicks)
	}
	t.Logf("a new event with 23 players took %d clicks", w.clicks)
	players, err := tournament.Players(t.Context(), e.store, e.id+1)
	if err != nil || len(players) != 23 || players[2].Name != "Player 4" {
		t.Errorf("got %d players, %v", len(players), err)
	}
	if complaints := w.p.complaints(); len(complaints) > 0 {
		t.Errorf("the page complained: %s", complaints)
	}
}

// TestBrowserHousekeeping renames and moves an event, gives it a logo, cancels it, archives it and deletes it.
func TestBrowserHousekeeping(t *testing.T) {
	e := newEntered(t, "Test cup", roster(8), nil)
	w := &eventWalk{event: e, p: startChromium(t).tab(t, 1280, 800), whole: t}
	w.p.still()
	w.signIn()
	axe := axeScript(t)
	look := func(name string) {
		t.Helper()
		for _, violation := range barriers(w.p, axe) {
			t.Errorf("%s: %s", name, violation)
		}
		for _, size := range [][2]int64{{390, 844}, {320, 640}, {1280, 800}} {
			w.p.size(size[0], size[1])
			if over := eval[int](w.p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("%s: %d pixels too wide at %d", name, over, size[0])
			}
			w.p.whole(fmt.Sprintf("%s-%d", name, size[0]))
		}
	}
	details, public := fmt.Sprintf("/desk/%d/details", e.id), fmt.Sprintf("/events/%d", e.id)
	w.open(w.desk())
	w.press(fmt.Sprintf(`main a[href="%s"]`, details))
	w.p.fill("#name", "Rome Open", "#place", "Sala Grande", "#first_day", "2027-06-12", "#last_day", "2027-06-13",
		"#time_zone", "Europe/Rome", "#organizer", "Circolo Romano", "#federation", "ITA-27", "#colour", "#0055aa")
	w.press("main form button.primary")
	w.says("#at-details", "Saved")
	w.says("main", "7.3 to 1")
	eval[bool](w.p, fmt.Sprintf(`(() => {
		const chosen = new DataTransfer();
		chosen.items.add(new File([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))], "logo.png"));
		document.getElementById("picture").files = chosen.files;
		return true;
	})()`, wideLogo(t)))
	w.press(`form[enctype] button`)
	w.says("#at-logo", "Saved")
	w.p.wait(`document.querySelector("img.event-logo")?.naturalWidth === 512`)
	look("details-1-saved")
	w.open(public)
	for _, want := range []string{"Rome Open", "Sala Grande", "12 Jun 2027", "13 Jun 2027", "Circolo Romano",
		"ITA-27"} {
		w.says(".masthead", want)
	}
	look("details-2-public")
	w.open(w.desk())
	look("details-3-desk")

	w.open(details)
	w.unfolds("Cancel the event")
	w.p.fill("#why", "A storm")
	w.press(`form[action="/actions/tournament.cancel"] button`)
	w.says("#at-end", "Saved")
	look("details-4-cancelled")
	w.open(public)
	w.says(".flash:not([hidden])", "This event has been cancelled")
	w.open("/")
	w.says("main", "Cancelled")
	w.open(details)
	w.press(`form[action="/actions/tournament.cancel"] button`)
	w.open("/")
	if text := eval[string](w.p, `document.querySelector("main").innerText`); strings.Contains(text, "Cancelled") {
		t.Error("still cancelled")
	}

	w.open(details)
	w.unfolds("Archive the event")
	w.press(`form[action="/actions/tournament.unlist"] button`)
	w.open("/")
	if text := eval[string](w.p, `document.querySelector("main").innerText`); strings.Contains(text, "Rome Open") {
		t.Error("an archived event is on the list")
	}
	w.open("/desk")
	w.says("main", "1 archived event")
	w.open(details)
	w.press(`form[action="/actions/tournament.unlist"] button`)

	w.unfolds("Delete the event")
	w.p.fill(fmt.Sprintf("#typed-%d", e.id), "Rome")
	w.press(`form[action="/actions/tournament.delete"] button`)
	w.says("main", "Rome Open")
	w.unfolds("Delete the event")
	w.p.fill(fmt.Sprintf("#typed-%d", e.id), "Rome Open")
	look("details-5-delete")
	w.press(`form[action="/actions/tournament.delete"] button`)
	w.says(".flash", "The event has been deleted")
	if page := e.signedIn("organizer").get(t, details); page.status != http.StatusNotFound {
		t.Errorf("the deleted event's page gives %d", page.status)
	}
}

// wideLogo returns a PNG of 900 by 300 pixels in base64.
func wideLogo(t *testing.T) string {
	t.Helper()
	picture := image.NewNRGBA(image.Rect(0, 0, 900, 300))
	for x := range 900 {
		for y := range 300 {
			picture.Set(x, y, color.NRGBA{uint8(x / 4), 85, uint8(y / 2), 255})
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// unfolds opens the details with a summary, unless they are open.
func (w *eventWalk) unfolds(summary string) {
	w.t.Helper()
	w.p.wait(fmt.Sprintf(`(s => s && (s.parentElement.open || (s.click(), true)))(
		[...document.querySelectorAll("summary")].find(s => s.innerText.startsWith(%q)))`, summary))
}
