package web

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament/rights"
)

// walk gives a ruling on a phone, and holds what was shown before, what was said after, and the taps.
func (d *desk) walk(t *testing.T, p *tab, ruling, shown, said string) {
	t.Helper()
	taps, before, after := d.rule(p, ruling)
	t.Logf("%d taps; before: %s; after: %s", taps, strings.ReplaceAll(before, "\n", " "), after)
	if !strings.Contains(before, shown) || !strings.Contains(after, said) {
		t.Errorf("shown %q, said %q; want %q and %q", before, after, shown, said)
	}
}

// soon waits until something is so.
func soon(t *testing.T, so func() bool) {
	t.Helper()
	for end := time.Now().Add(15 * time.Second); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it never came")
		}
	}
}

// TestDeskRulesBeforePlay walks through what is ruled while the tiles are dealt, and the proposals of the server, on a phone.
func TestDeskRulesBeforePlay(t *testing.T) {
	takesLong(t)
	d := newDesk(t, map[string]any{"penalties": "proposed"}, "", "K2 K2 B3 B3 O4 O4", "", "")
	other := d.round.Tables[1].Games[0].ID
	second, dealt := *d.event, *d
	second.round.Tables = second.round.Tables[1:]
	dealt.event, dealt.game = &second, other
	p := d.official(t, d.referee, 360, 740)
	for _, w := range []struct{ name, ruling, shown, said string }{
		{"redeal refused", act("refuse-redeal", "seat=1"), "may no longer ask for a redeal", "refused"},
		{"redeal granted", act("grant-redeal", "seat=2"), "All racks go back and are dealt again", "dealt again"},
	} {
		t.Run(w.name, func(t *testing.T) {
			within(t, &p.t, &d.t)
			dealt.walk(t, p, w.ruling, w.shown, w.said)
		})
	}
	if got := d.public().view(other); got.Phase != engine.PhaseDealt || got.Deal != 2 {
		t.Errorf("after the redeal: %s, deal %d", got.Phase, got.Deal)
	}
	for _, w := range []struct {
		name, ruling, shown, said string
		drawn                     int
	}{
		{"proposal confirmed", `.proposal .act-penalty:not([href*="free=1"])`, "draws 3 tiles", "given", 3},
		{"proposal changed", `.proposal .act-penalty[href*="free=1"]`, "draws 3 tiles", "given", 3},
		{"proposal waived", ".proposal .act-waive", "This also settles the proposed penalty.", "No penalty", 0},
	} {
		t.Run(w.name, func(t *testing.T) {
			within(t, &p.t, &d.t)
			turn := d.public().view(d.game).Turn
			had := d.public().view(d.game).Seats[turn.Seat].Tiles
			d.leave(d.game, 1)
			soon(t, func() bool { return d.public().view(d.game).Turn.Number > turn.Number })
			if got := d.public().view(d.game).Seats[turn.Seat].Tiles; got != had {
				t.Fatalf("the server itself made %d tiles of %d", got, had)
			}
			d.walk(t, p, w.ruling, w.shown, w.said)
			if got := d.public().view(d.game).Seats[turn.Seat].Tiles; got != had+w.drawn {
				t.Errorf("%d tiles, want %d", got, had+w.drawn)
			}
		})
	}
}

// TestDeskRulesTheRound walks through what holds at all tables of a round, on a phone.
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
			if before := eval[string](p, `document.querySelector("#rule .effects").innerText`); !strings.Contains(before, "In force at 2 of 2 tables.") {
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

// TestDeskDisqualifies: one official proposes it from the sheet, another one confirms it on an own phone.
func TestDeskDisqualifies(t *testing.T) {
	d := newDesk(t, nil)
	p := d.official(t, d.organizer, 360, 740)
	d.walk(t, p, act("disqualification", "seat=3"), "another head referee or organizer has to confirm it", "")
	if d.public().view(d.game).Seats[3].Out {
		t.Fatal("out without a second official")
	}
	second := d.official(t, d.staff(rights.RoleHeadReferee), 360, 740)
	second.open(d.floor() + "/penalties")
	second.wait(isLive)
	second.taps = 0
	second.tap(second.reach(".is-proposed details summary"))
	second.tap(second.reach(`form[action$="/sanction.seconded"] button`))
	second.wait(`document.querySelector(".flash")?.textContent.includes("Confirmed: Player")`)
	if !d.public().view(d.game).Seats[3].Out {
		t.Error("the seat plays on")
	}
	t.Logf("the second official: %d tap", second.taps)
}
