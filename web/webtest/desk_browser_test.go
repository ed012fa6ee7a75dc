package webtest

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/web/page"
	"meldhall/web/request"
)

// desk is a tournament with a running game at its first table, and an official's phone.
type desk struct {
	*event
	b    *chromium
	game int64
}

func newDesk(t *testing.T, rules map[string]any, racks ...string) *desk {
	t.Helper()
	return newDeskOf(t, roster(8), rules, racks...)
}

// newDeskOf is newDesk with a list of eight players.
func newDeskOf(t *testing.T, list string, rules map[string]any, racks ...string) *desk {
	t.Helper()
	b := startChromium(t)
	d := newDeskIn(t, list, rules, racks...)
	d.b = b
	return d
}

// newDeskIn is newDeskOf for another browser than Chromium.
func newDeskIn(t *testing.T, list string, rules map[string]any, racks ...string) *desk {
	t.Helper()
	if len(racks) == 0 {
		racks = preparedRacks
	}
	all := map[string]any{"turn_seconds": 600, "start_seconds": 120}
	for name, value := range rules {
		all[name] = value
	}
	d := &desk{event: newNamedEvent(t, "Test", list, all)}
	d.games.Deal = func() engine.Deal { return preparedDeal(t, racks...) }
	d.start()
	d.game = d.begin(0)
	return d
}

// official returns a tab in which an official is signed in.
func (d *desk) official(t *testing.T, c *caller, width, height int64) *tab {
	t.Helper()
	p := d.b.tab(t, width, height)
	p.still()
	p.cookie(d.http.URL, "meldhall-staff", c.token)
	return p
}

func (d *desk) floor() string { return fmt.Sprintf("%s/referee/%d", d.http.URL, d.id) }

func (d *desk) sheet() string { return fmt.Sprintf("%s/tables/%d", d.floor(), d.round.Tables[0].ID) }

// reach scrolls to an element without a tap and returns its selector.
func (p *tab) reach(selector string) string {
	p.t.Helper()
	p.wait(fmt.Sprintf(`document.querySelector(%q)`, selector))
	eval[bool](p, fmt.Sprintf(`document.querySelector(%q).scrollIntoView({ block: "center" }), true`, selector))
	return selector
}

// unfold opens the popover that contains an element and returns how many taps that took.
func (p *tab) unfold(selector string) (taps int) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`document.querySelector(%q)`, selector))
	id := eval[string](p, fmt.Sprintf(`document.querySelector(%q).closest("[popover]:not(:popover-open)")?.id || ""`,
		selector))
	if id == "" {
		return 0
	}
	p.tap(p.reach(fmt.Sprintf("[popovertarget=%s]", id)))
	p.wait(fmt.Sprintf(`document.querySelector("#%s:popover-open")`, id))
	return 1
}

// rule walks from the floor page to a ruling's preview and confirms it. It returns the taps, the preview, and the
// message afterwards.
func (d *desk) rule(p *tab, ruling string, between ...string) (taps int, before, after string) {
	p.t.Helper()
	p.open(d.floor())
	p.wait(isLive)
	p.taps = 0
	p.tap(fmt.Sprintf("#t%d .floor-line", d.round.Tables[0].ID))
	p.wait(isLive + ` && document.querySelector(".sheet-acts")`)
	for _, selector := range between {
		p.tap(p.reach(selector))
	}
	most := 3 + len(between) + p.unfold(ruling)
	p.tap(p.reach(ruling))
	p.wait(`document.querySelector("#rule[open] #rule-go")`)
	before = eval[string](p, `document.getElementById("rule-effects").innerText`)
	checkKeys(p)
	for _, wrong := range eval[[]string](p, wrongInRuling) {
		p.t.Error(wrong)
	}
	p.picture("before")
	p.tap("#rule-go")
	p.wait(`!document.querySelector("#rule[open]") && document.getElementById("said").textContent.length > 12`)
	if p.taps > most {
		p.t.Errorf("%d taps, at most %d", p.taps, most)
	}
	return p.taps, before, eval[string](p, `document.getElementById("said").textContent`)
}

// checkKeys checks that confirm and back are 16 mm apart, large enough, and within the thumb's reach.
func checkKeys(p *tab) {
	p.t.Helper()
	type box struct{ Left, Right, Top, Bottom, Width, Height float64 }
	p.wait(`[...document.querySelectorAll("#rule .keys > *")].every((el) => el.getBoundingClientRect().bottom <= innerHeight)`)
	boxes := eval[[]box](p,
		`[...document.querySelectorAll("#rule .keys > *")].map((el) => { const b = el.getBoundingClientRect(); return { Left: b.left, Right: b.right, Top: b.top, Bottom: b.bottom, Width: b.width, Height: b.height }; })`)
	if len(boxes) != 2 {
		p.t.Fatalf("%d keys", len(boxes))
	}
	if gap := boxes[1].Left - boxes[0].Right; gap < 96 {
		p.t.Errorf("confirm and back are %v px apart", gap)
	}
	height := eval[float64](p, "innerHeight")
	for _, b := range boxes {
		if b.Width < 44 || b.Height < 44 || b.Bottom > height || b.Top < height-240 {
			p.t.Errorf("a key is %v x %v at %v", b.Width, b.Height, b.Top)
		}
	}
}

func act(action string, parts ...string) string {
	selector := `a.act[href*="/rule/` + action + `?"]`
	for _, part := range parts {
		selector += `[href*="` + part + `"]`
	}
	return selector
}

// running waits until the game's clock runs. After a pause or a returned turn there is a countdown of three seconds.
func (d *desk) running() {
	d.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		paused := d.public().view(d.game).Paused
		if paused == nil {
			return
		}
		if time.Now().After(deadline) {
			d.t.Fatal("the clock does not run")
		}
	}
}

// TestDeskTellsAlerts measures how long after a player's call the official's device plays a sound.
func TestDeskTellsAlerts(t *testing.T) {
	d := newDesk(t, nil)
	p := d.official(t, d.referee, 360, 740)
	p.atStart(`window.heard = []; navigator.vibrate = (v) => { window.heard.push("vibration"); return true; };
		const start = OscillatorNode.prototype.start; OscillatorNode.prototype.start = function (at) { window.heard.push("sound"); return start.call(this, at); };`)
	p.open(d.floor())
	p.wait(isLive)
	p.picture("before")
	p.wait(`!document.getElementById("sound-bar").hidden`)
	p.tap("#sound-on")
	p.wait(`document.getElementById("sound-bar").hidden`)
	for _, where := range []string{"floor", "the sheet of another table"} {
		t.Run(where, func(t *testing.T) {
			within(t, &p.t)
			seat := 1
			if where != "floor" {
				seat = 2
				p.open(fmt.Sprintf("%s/tables/%d", d.floor(), d.round.Tables[1].ID))
				p.wait(isLive)
				p.tap("h1")
			}
			began := time.Now()
			d.at(0, seat).must(http.MethodPost, fmt.Sprintf("/games/%d/call", d.game),
				request.CallRequest{Key: d.key()}, nil)
			p.wait(`window.heard.includes("sound") && window.heard.includes("vibration")`)
			held(t, "sound and vibration", time.Since(began), 2*time.Second)
			if title := eval[string](p, `document.title`); !strings.HasPrefix(title, "(") {
				t.Errorf("the title is %q", title)
			}
			p.picture("alert")
		})
	}
	t.Run("one tap takes the call, and the player sees it", func(t *testing.T) {
		within(t, &p.t)
		p.open(d.floor())
		p.wait(isLive)
		p.tap(".take-call .primary")
		p.wait(`document.querySelector(".floor-row").classList.contains("need-called") === false ||
			document.querySelectorAll(".take-call").length > 0`)
		seen := false
		for range 100 {
			for _, call := range d.at(0, 1).view(d.game).Calls {
				seen = seen || call.Coming != 0
			}
			if seen {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		if !seen {
			t.Error("the player does not see that somebody comes")
		}
	})
}

// TestDeskSaysThatItIsOld checks that a console that is no longer live says so within 3 s and recovers by itself.
func TestDeskSaysThatItIsOld(t *testing.T) {
	d := newDesk(t, nil)
	r := newRelay(t, d.hall)
	p := d.b.tab(t, 360, 740)
	p.still()
	p.cookie(r.url, "meldhall-staff", d.referee.token)
	p.open(fmt.Sprintf("%s/referee/%d", r.url, d.id))
	p.wait(isLive)
	r.hush(true, true)
	t.Logf("said after %v", p.within("to say it", saidWithin,
		`!document.getElementById("stale").hidden`).Round(time.Millisecond))
	p.wait(`document.title.startsWith("NOT LIVE") && /\d\d:\d\d:\d\d/.test(document.getElementById("stale").textContent)`)
	p.picture("old")
	r.hush(false, false)
	t.Logf("back after %v", p.within("to be back", backWithin,
		`document.getElementById("stale").hidden && !document.body.classList.contains("not-live")`).Round(time.Millisecond))
}

// TestDeskKeepsARulingThatIsNotSent checks that without a network the ruling stays on the device, is shown on every
// page, and is sent with its key when the network returns. A ruling that arrives too late shows the reason.
func TestDeskKeepsARulingThatIsNotSent(t *testing.T) {
	d := newDesk(t, nil)
	r := newRelay(t, d.hall)
	p := d.b.tab(t, 360, 740)
	p.still()
	p.cookie(r.url, "meldhall-staff", d.referee.token)
	table := fmt.Sprintf("%s/referee/%d/tables/%d", r.url, d.id, d.round.Tables[0].ID)
	give := func(p *tab, ruling string) {
		p.t.Helper()
		p.unfold(ruling)
		p.tap(p.reach(ruling))
		p.wait(`document.querySelector("#rule[open] #rule-go")`)
		p.picture("unknown")
		p.tap("#rule-go")
		p.wait(`document.querySelectorAll(".unsent-line").length === 1`)
	}
	p.open(table)
	p.wait(isLive)
	before := d.public().view(d.game).Seats[2].Tiles
	t.Run("kept, and sent when the network is back", func(t *testing.T) {
		within(t, &p.t)
		r.vanish(true)
		p.wait(`document.body.classList.contains("not-live")`)
		give(p, act("penalty", "seat=2", "tiles=2"))
		p.picture("kept")
		if text := eval[string](p, `document.getElementById("unsent").innerText`); !strings.Contains(text,
			"2 penalty tiles for") {
			t.Errorf("the ruling is not named: %q", text)
		}
		r.vanish(false)
		p.wait(`document.getElementById("unsent").hidden && document.getElementById("said").textContent.includes("draws 2 tiles")`)
		if got := d.public().view(d.game).Seats[2].Tiles; got != before+2 {
			t.Errorf("%d tiles, %d before", got, before)
		}
	})
	t.Run("one that comes upon another official's is shown with why", func(t *testing.T) {
		within(t, &p.t)
		p.wait(isLive)
		r.vanish(true)
		p.wait(`document.body.classList.contains("not-live")`)
		give(p, act("warning", "seat=2"))
		d.organizer.must(http.MethodPost, fmt.Sprintf("/games/%d/warning", d.game),
			map[string]any{"key": d.key(), "seat": 2, "reason": "x"}, nil)
		r.vanish(false)
		p.wait(`document.getElementById("unsent").innerText.includes("not given:")`)
		p.picture("refused")
		if got := d.public().view(d.game).Seats[2].Warnings; got != 1 {
			t.Errorf("%d warnings, want the other official's alone", got)
		}
		p.open(fmt.Sprintf("%s/referee/%d", r.url, d.id))
		p.wait(`document.querySelectorAll(".unsent-line").length === 1`)
		p.tap(".unsent-line .btn")
		p.wait(`document.getElementById("unsent").hidden`)
	})
}

// TestDeskTwoReferees checks that a second official sees who is ruling and that a ruling was made meanwhile; nothing is
// overwritten.
func TestDeskTwoReferees(t *testing.T) {
	d := newDesk(t, nil)
	anna, ben := d.official(t, d.referee, 360, 740), d.official(t, d.organizer, 360, 740)
	ben.open(d.floor())
	ben.wait(isLive)
	anna.open(d.sheet())
	anna.wait(isLive)
	took := ben.within("to see who rules", 3*time.Second,
		`document.querySelector(".rules-now")?.textContent.includes("is ruling at table 1")`)
	t.Logf("the floor says who rules after %v", took.Round(time.Millisecond))
	ben.picture("floor")
	ben.open(d.sheet())
	ben.wait(isLive + ` && document.querySelector("#live .flash.now")?.textContent.includes("is ruling at table 1")`)
	for _, p := range []*tab{anna, ben} {
		p.tap(p.reach(act("penalty", "seat=1", "tiles=2")))
		p.wait(`document.querySelector("#rule[open] #rule-go")`)
	}
	was := d.public().view(d.game).Seats[1].Tiles
	anna.tap("#rule-go")
	anna.wait(`!document.querySelector("#rule[open]")`)
	ben.tap("#rule-go")
	ben.wait(`document.querySelector("#rule[open] .conflict")`)
	ben.picture("conflict")
	text := eval[string](ben, `document.getElementById("rule").innerText`)
	for _, want := range []string{"Another official has ruled", "Penalty by the referee", "on the rack",
		"Rule anyway"} {
		if !strings.Contains(text, want) {
			t.Errorf("the conflict does not say %q: %s", want, text)
		}
	}
	if got := d.public().view(d.game).Seats[1].Tiles; got != was+2 {
		t.Errorf("%d tiles, want %d", got, was+2)
	}
	ben.tap("#rule-go")
	ben.wait(`!document.querySelector("#rule[open]")`)
	if got := d.public().view(d.game).Seats[1].Tiles; got != was+4 {
		t.Errorf("%d tiles, want %d: confirmed anew", got, was+4)
	}
	anna.open(d.floor())
	ben.wait(`!document.querySelector("#live .flash.now")?.textContent.includes("is ruling")`)
}

// TestDeskPictures takes pictures of the floor page, a sheet and a ruling on a phone and a tablet, in both themes.
func TestDeskPictures(t *testing.T) {
	b := startChromium(t)
	s := newScreens(t)
	sizes, themes := [][2]int64{{360, 740}, {1280, 800}, {800, 1280}}, []string{"light", "dark"}
	if os.Getenv("MELDHALL_PICTURES") == "" { // without pictures one size is enough
		sizes, themes = sizes[:1], themes[:1]
	}
	for _, size := range sizes {
		for _, theme := range themes {
			p := b.tab(t, size[0], size[1])
			p.still()
			p.cookie(s.http.URL, "meldhall-staff", s.referee.token)
			p.cookie(s.http.URL, page.ThemeCookie, theme)
			name := fmt.Sprintf("%d-%s-", size[0], theme)
			p.open(fmt.Sprintf("%s/referee/%d", s.http.URL, s.id))
			p.wait(isLive)
			noSound(p)
			p.picture(name + "floor")
			p.open(fmt.Sprintf("%s/referee/%d/tables/%d", s.http.URL, s.id, s.round.Tables[0].ID))
			p.wait(isLive)
			noSound(p)
			p.picture(name + "sheet")
			eval[bool](p, `document.querySelector("[popovertarget=more-game]").click(), true`)
			p.wait(`document.querySelector("#more-game:popover-open")`)
			p.picture(name + "more")
			eval[bool](p, `document.querySelector(".act-penalty[href*='tiles=3']").click(), true`)
			p.wait(`document.querySelector("#rule[open] #rule-go")`)
			p.picture(name + "confirm")
			if got := p.complaints(); len(got) > 0 {
				t.Errorf("complaints: %q", got)
			}
		}
	}
}
