package webtest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/tournament/rights"
	"meldhall/web/page"
)

// device is a device that an official carries through the hall, with a theme.
type device struct {
	name          string
	width, height int64
	theme         string
}

// carried returns a phone, in long runs also a tablet, and with pictures both of them in both themes.
func carried() []device {
	all := []device{{"phone", 360, 740, "dark"}, {"tablet", 1024, 768, "light"},
		{"phone in daylight", 360, 740, "light"}, {"upright tablet in the dark", 800, 1280, "dark"}}
	switch {
	case os.Getenv("MELDHALL_PICTURES") != "":
		return all
	case testmode.Long:
		return all[:2]
	}
	return all[:1]
}

// carries is official on such a device.
func (d *desk) carries(t *testing.T, c *caller, with device) *tab {
	t.Helper()
	p := d.official(t, c, with.width, with.height)
	p.cookie(d.http.URL, page.ThemeCookie, with.theme)
	p.open(d.floor())
	p.wait(isLive)
	noSound(p)
	return p
}

// wrongInRuling lists the controls that are cut off, too small for a finger or out of reach in a ruling's dialog.
const wrongInRuling = `(() => {
	const rule = document.getElementById("rule"), wrong = [];
	if (rule.scrollWidth > rule.clientWidth + 1) wrong.push("the ruling is wider than its screen");
	const box = document.getElementById("rule-effects").getBoundingClientRect(), keys = rule.querySelector(".keys").getBoundingClientRect();
	if (box.top < 0 || box.top + 60 > keys.top) wrong.push("what it does is out of sight, at " + box.top);
	for (const el of rule.querySelectorAll("button, .btn, .reason, summary, input:not([type=hidden], [type=radio], [type=checkbox]), textarea, select, h2, .effects li, .reasons span")) {
		if (!el.checkVisibility()) continue;
		const b = el.getBoundingClientRect(), said = "“" + (el.innerText || el.name || el.id).trim().slice(0, 40) + "”";
		if (!el.matches("h2, li, span") && (b.height < 44 || b.width < 44)) wrong.push(said + " is " + b.width + " x " + b.height);
		if (el.clientWidth && el.scrollWidth > el.clientWidth + 1 || b.left < 0 || b.right > innerWidth) wrong.push(said + " is cut off");
	}
	return wrong;
})()`

// walked is a ruling that is made from the floor page: the taps, the preview, and the message afterwards.
type walked struct {
	name, kind, ruling string
	between            []string
	shown, said        string
	prepare            func(*desk)
}

// walk makes a ruling on an official's device and checks the preview, the message, the taps and the table's sheet
// afterwards.
func (d *desk) walk(t *testing.T, p *tab, w walked) {
	t.Helper()
	if w.prepare != nil {
		w.prepare(d)
	}
	taps, before, after := d.rule(p, w.ruling, w.between...)
	t.Logf("%-24s %d taps; before: %s; after: %s", w.name, taps, strings.ReplaceAll(before, "\n", " "), after)
	if !strings.Contains(before, w.shown) || !strings.Contains(after, w.said) {
		t.Errorf("shown %q, said %q; want %q and %q", before, after, w.shown, w.said)
	}
	p.picture("after")
	for _, misfit := range eval[[]string](p, misfits) {
		t.Error(misfit)
	}
}

// inPlay lists the rulings during a game, in an order in which all of them can be made.
var inPlay = []walked{
	{name: "notice", kind: "penalty", ruling: act("penalty", "seat=2", "tiles=0"), shown: "Nothing changes"},
	{name: "penalty of 3", kind: "penalty", ruling: act("penalty", "seat=2", "tiles=3"),
		shown: "draws 3 tiles: 17 on the rack.", said: "left in the pool"},
	{name: "cancel the penalty", kind: "cancel", ruling: ".sheet-rulings li:first-child .act",
		shown: "gives back 3 tiles: 14 on the rack."},
	{name: "warning", kind: "warning", ruling: act("warning", "seat=2"), shown: "then has 1 warning"},
	{name: "points", kind: "points", ruling: act("points", "seat=2"), shown: "total −50: 0 → −50"},
	{name: "+30 s", kind: "time", ruling: act("time", "seconds=30"), shown: "turn has 10:"},
	{name: "freeze", kind: "pause", ruling: act("pause"), shown: "clock is paused"},
	{name: "resume", kind: "resume", ruling: act("resume"), shown: "3-2-1"},
	{name: "illegal play", kind: "illegal", ruling: act("illegal"), shown: "draws 3 tiles"},
	{name: "skip", kind: "skip", ruling: act("skip"), shown: "turn."},
	{name: "give the last turn back", kind: "rewind", ruling: act("rewind", "number="), shown: "turn"},
	{name: "the turn anew", kind: "rewind", ruling: `.act-rewind:not([href*="number="])`, shown: "restarts"},
	{name: "back to turn 1", kind: "rewind", ruling: ".sheet-back li:last-child .act-rewind",
		shown: "Taken back: Turn 1"},
	{name: "leftovers", kind: "leftovers", between: []string{".sets li:first-child .pick:nth-child(1)",
		".sets li:first-child .pick:nth-child(2)", ".sets li:first-child .pick:nth-child(3)"},
		ruling: ".leftovers fieldset button.act", shown: "The table then has 0 tiles (now 3)",
		prepare: func(d *desk) { d.running(); d.opens() }},
	{name: "position", kind: "position", ruling: act("position"), shown: "restarts"},
	{name: "call time", kind: "call-time", ruling: act("call-time"), shown: "The game ends after"},
	{name: "forfeit", kind: "forfeit", ruling: act("forfeit", "seat=3"), shown: "forfeits this game"},
}

// beforePlay lists the rulings while the tiles are dealt.
var beforePlay = []walked{
	{name: "redeal refused", kind: "refuse-redeal", ruling: act("refuse-redeal", "seat=1"),
		shown: "may no longer ask for a redeal", said: "refused"},
	{name: "redeal granted", kind: "grant-redeal", ruling: act("grant-redeal", "seat=2"),
		shown: "All racks go back and are dealt again", said: "dealt again"},
}

// proposed lists the decisions on penalties that the server proposes.
var proposed = []struct {
	walked
	drawn int
}{
	{walked{name: "proposal confirmed", kind: "penalty", ruling: `.proposal .act-penalty:not([href*="free=1"])`,
		shown: "draws 3 tiles", said: "given"}, 3},
	{walked{name: "proposal changed", kind: "penalty", ruling: `.proposal .act-penalty[href*="free=1"]`,
		shown: "draws 3 tiles", said: "given"}, 3},
	{walked{name: "proposal waived", kind: "waive", ruling: ".proposal .act-waive",
		shown: "This also settles the proposed penalty.", said: "No penalty"}, 0},
}

// disqualified is the ruling that a second official must confirm.
var disqualified = walked{name: "disqualification", kind: "disqualification", ruling: act("disqualification", "seat=3"),
	shown: "another head referee or organizer has to confirm it"}

// TestEveryRulingIsWalked checks that one of these walks makes every kind of ruling.
func TestEveryRulingIsWalked(t *testing.T) {
	given := map[string]bool{disqualified.kind: true}
	for _, w := range slices.Concat(inPlay, beforePlay) {
		given[w.kind] = true
	}
	for _, w := range proposed {
		given[w.kind] = true
	}
	for _, k := range engine.RulingKinds() {
		if !given[k.Name] {
			t.Errorf("no official gives %s", k.Name)
		}
	}
}

// opens lets the player whose turn it is lay an opening.
func (d *desk) opens() {
	d.event.play(d.public().view(d.game).Turn.Seat, d.game, 0, "O10 O11 O12")
}

// TestDeskThreeTaps makes every ruling of a game on a phone and a tablet, among players with long names in five
// scripts, and counts the taps from the floor page.
func TestDeskThreeTaps(t *testing.T) {
	testmode.SkipUnlessLong(t)
	for _, with := range carried() {
		t.Run(with.name, func(t *testing.T) {
			d := newDeskOf(t, fiveScripts(8), map[string]any{"penalties": "proposed"})
			p := d.carries(t, d.referee, with)
			d.opens()
			d.event.play(1, d.game, 39, "R9 R10 J R12")
			for _, w := range inPlay {
				t.Run(w.name, func(t *testing.T) {
					within(t, &p.t, &d.t)
					d.walk(t, p, w)
				})
			}
			if got := p.complaints(); len(got) > 0 {
				t.Errorf("the page complained: %q", got)
			}
		})
	}
}

// soon waits until a condition holds.
func soon(t *testing.T, so func() bool) {
	t.Helper()
	for end := time.Now().Add(15 * time.Second); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it never came")
		}
	}
}

// TestDeskRulesBeforePlay walks through the rulings while the tiles are dealt, and the server's proposals.
func TestDeskRulesBeforePlay(t *testing.T) {
	testmode.SkipUnlessLong(t)
	for _, with := range carried() {
		t.Run(with.name, func(t *testing.T) {
			d := newDeskOf(t, fiveScripts(8), map[string]any{"penalties": "proposed"}, "", "K2 K2 B3 B3 O4 O4", "", "")
			d.rulesBeforePlay(t, d.carries(t, d.referee, with))
		})
	}
}

func (d *desk) rulesBeforePlay(t *testing.T, p *tab) {
	other := d.round.Tables[1].Games[0].ID
	second, dealt := *d.event, *d
	second.round.Tables = second.round.Tables[1:]
	dealt.event, dealt.game = &second, other
	for _, w := range beforePlay {
		t.Run(w.name, func(t *testing.T) {
			within(t, &p.t, &d.t)
			dealt.walk(t, p, w)
		})
	}
	if got := d.public().view(other); got.Phase != engine.PhaseDealt || got.Deal != 2 {
		t.Errorf("after the redeal: %s, deal %d", got.Phase, got.Deal)
	}
	for _, w := range proposed {
		t.Run(w.name, func(t *testing.T) {
			within(t, &p.t, &d.t)
			turn := d.public().view(d.game).Turn
			had := d.public().view(d.game).Seats[turn.Seat].Tiles
			d.leave(d.game, 1)
			soon(t, func() bool { return d.public().view(d.game).Turn.Number > turn.Number })
			if got := d.public().view(d.game).Seats[turn.Seat].Tiles; got != had {
				t.Fatalf("the server itself made %d tiles of %d", got, had)
			}
			d.walk(t, p, w.walked)
			if got := d.public().view(d.game).Seats[turn.Seat].Tiles; got != had+w.drawn {
				t.Errorf("%d tiles, want %d", got, had+w.drawn)
			}
		})
	}
}

// TestDeskRulesTheRound walks through the rulings for all tables of a round, on a phone.
func TestDeskRulesTheRound(t *testing.T) {
	d := newDesk(t, nil)
	d.begin(1)
	p := d.official(t, d.organizer, 360, 740)
	games := []int64{d.game, d.round.Tables[1].Games[0].ID}
	for _, w := range []struct {
		action string
		holds  func(was, is *engine.View) bool
	}{
		{"pause", func(_, is *engine.View) bool { return is.Paused != nil }},
		{"resume", func(_, is *engine.View) bool { return is.Paused == nil || is.Paused.ResumeAt > 0 }},
		{"time", func(was, is *engine.View) bool { return is.Turn.Due >= was.Turn.Due+60_000 }},
		{"call-time", func(_, is *engine.View) bool { return is.TimeOver }},
	} {
		t.Run(w.action, func(t *testing.T) {
			within(t, &p.t, &d.t)
			if w.action == "time" {
				for _, game := range games {
					soon(t, func() bool { return d.public().view(game).Paused == nil })
				}
			}
			was := []*engine.View{d.public().view(games[0]), d.public().view(games[1])}
			p.open(d.floor())
			p.wait(isLive)
			noSound(p)
			p.taps = 0
			p.tap(p.reach(".round-wide > summary"))
			p.tap(p.reach(fmt.Sprintf(`.round-wide a[href*="/rounds/%d/%s"]`, d.round.ID, w.action)))
			p.wait(`document.querySelector("#rule[open] #rule-go")`)
			if before := eval[string](p,
				`document.querySelector("#rule .effects").innerText`); !strings.Contains(before,
				"In force at 2 of 2 tables.") {
				t.Errorf("shown before: %s", before)
			}
			p.picture("before")
			began := time.Now()
			p.tap("#rule-go")
			p.wait(`document.getElementById("said").textContent.includes("Now in force at 2 of 2 tables.")`)
			t.Logf("%s: %d taps, %v", w.action, p.taps, time.Since(began).Round(time.Millisecond))
			for i, game := range games {
				if is := d.public().view(game); !w.holds(was[i], is) {
					t.Errorf("table %d: it does not hold: %+v", i+1, is.Turn)
				}
			}
			if p.taps > 3 {
				t.Errorf("%d taps", p.taps)
			}
		})
	}
}

// TestDeskDisqualifies checks that one official proposes a disqualification from the sheet and another confirms it on
// another device.
func TestDeskDisqualifies(t *testing.T) {
	for _, with := range carried() {
		t.Run(with.name, func(t *testing.T) {
			d := newDeskOf(t, fiveScripts(8), nil)
			p := d.carries(t, d.organizer, with)
			d.walk(t, p, disqualified)
			if d.public().view(d.game).Seats[3].Out {
				t.Fatal("out without a second official")
			}
			second := d.carries(t, d.staff(rights.RoleHeadReferee), with)
			second.open(d.floor() + "/penalties")
			second.wait(isLive)
			second.picture("second")
			second.taps = 0
			second.tap(second.reach(".is-proposed details summary"))
			second.tap(second.reach(`form[action$="/sanction.seconded"] button`))
			second.wait(`document.querySelector(".flash")?.textContent.includes("Confirmed: ")`)
			second.picture("seconded")
			if !d.public().view(d.game).Seats[3].Out {
				t.Error("the seat plays on")
			}
			t.Logf("the second official: %d tap", second.taps)
		})
	}
}
