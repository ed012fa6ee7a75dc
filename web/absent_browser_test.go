package web

import (
	"fmt"
	"strings"
	"testing"

	"meldhall/engine"
)

// absentTable is two tables under proposed penalties; a player of the first one has let three turns pass.
type absentTable struct {
	*event
	game int64
	name string
}

func newAbsentTable(t *testing.T) absentTable {
	t.Helper()
	d := absentTable{event: newEvent(t, 8, map[string]any{"penalties": "proposed", "turn_seconds": 600})}
	d.start()
	d.game = d.begin(0)
	d.begin(1)
	mover := d.public().view(d.game).Turn.Seat
	absent := (mover + 1) % 4
	d.name = d.round.Tables[0].Seats[absent].Player.Name
	for lap := 0; lap < 3; lap++ {
		for seat := range 4 {
			at := (mover + seat) % 4
			if at != absent {
				d.draw(at, d.game)
				continue
			}
			turn := d.public().view(d.game).Turn.Number
			d.leave(d.game, 0)
			soon(t, func() bool { return d.public().view(d.game).Turn.Number > turn })
		}
	}
	return d
}

func (d absentTable) open(b *chromium, width, height int64, path string) *tab {
	d.t.Helper()
	p := b.tab(d.t, width, height)
	p.cookie(d.http.URL, "meldhall-staff", d.referee.token)
	p.open(d.http.URL + path)
	p.wait(isLive)
	return p
}

// TestBrowserAnAbsentPlayerIsProposedOnce: what waits for one player is one line of the floor, whose rows have one height, one line on
// the sheets of other tables, and one place on the own one: as absent, all confirmed or waived after a look at the sum, or one by one.
func TestBrowserAnAbsentPlayerIsProposedOnce(t *testing.T) {
	b := startChromiumForLong(t)
	d := newAbsentTable(t)
	says := fmt.Sprintf("%s seems absent: 3 time-outs", d.name)
	for _, size := range [][2]int64{{1280, 800}, {1024, 768}, {768, 1024}} {
		floor := d.open(b, size[0], size[1], fmt.Sprintf("/referee/%d", d.id))
		floor.wait(`document.querySelector(".need-offline .name")`) // the other seats' devices say nothing any more
		floor.picture(fmt.Sprintf("absent-floor-%d", size[0]))
		text := eval[string](floor, fmt.Sprintf(`document.querySelector("#t%d .need").textContent.replace(/[\u2066-\u2069]/g, "").replace(/\s+/g, " ")`, d.round.Tables[0].ID))
		heights := eval[[]float64](floor, `[...document.querySelectorAll(".floor-line")].map((el) => el.getBoundingClientRect().height)`)
		if len(heights) != 2 || heights[0] != heights[1] || !containsOnce(text, says) {
			t.Errorf("%v: rows are %v px high, one says %q", size, heights, text)
		}
	}
	other := d.open(b, 1280, 800, fmt.Sprintf("/referee/%d/tables/%d", d.id, d.round.Tables[1].ID))
	if height := eval[float64](other, `document.getElementById("alerts").getBoundingClientRect().height`); height < 40 || height > 56 {
		t.Errorf("what other tables need is %v px high", height)
	}
	sheet := d.open(b, 390, 844, fmt.Sprintf("/referee/%d/tables/%d", d.id, d.round.Tables[0].ID))
	if n := eval[int](sheet, `document.querySelectorAll(".proposal").length`); n != 1 {
		t.Errorf("the sheet has %d proposals", n)
	}
	sheet.picture("absent-sheet")
	for _, key := range []string{`.proposal .act-forfeit`, `.proposal a[href*="waive=yes"]`} {
		if !eval[bool](sheet, `!!document.querySelector('`+key+`')`) {
			t.Errorf("the sheet has no %s", key)
		}
	}
	sheet.tap(sheet.reach(`.proposal a[href$="?game=` + fmt.Sprint(d.game) + `"]`))
	sheet.wait(`location.pathname.includes("/proposals/")`)
	sheet.picture("absent-confirm")
	before := d.referee.view(d.game)
	sheet.tap(sheet.reach(`button[value=penalty]`))
	sheet.wait(`location.pathname.endsWith("/tables/` + fmt.Sprint(d.round.Tables[0].ID) + `") && ` + isLive)
	after := d.referee.view(d.game)
	if len(before.Proposals) != 3 || len(after.Proposals) != 0 || len(after.Rulings) != len(before.Rulings)+3 || after.Rulings[len(after.Rulings)-1].Kind != (engine.PenaltyGiven{}).Kind() ||
		after.Rulings[len(after.Rulings)-1].Reason != "@idle" {
		t.Errorf("got %+v, then %+v", before.Proposals, after.Rulings)
	}
	for _, p := range []*tab{other, sheet} {
		if got := p.complaints(); len(got) > 0 {
			t.Errorf("the browser complains: %q", got)
		}
	}
}

func containsOnce(text, part string) bool { return strings.Count(text, part) == 1 }
