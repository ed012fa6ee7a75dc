package webtest

import (
	"fmt"
	"strings"
	"testing"

	"meldhall/engine"
)

// absentTable is a tournament of two tables with proposed penalties. One player at the first table has timed out three
// times.
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

// TestBrowserAnAbsentPlayerIsProposedOnce checks that all open penalties of one player appear as one line on the floor
// page, whose rows have equal heights, as one line on the sheets of other tables, and as one proposal on the player's
// own table sheet. The official can treat the player as absent, confirm or waive all of them after seeing the sum, or
// decide them one by one.
func TestBrowserAnAbsentPlayerIsProposedOnce(t *testing.T) {
	b := startChromium(t)
	d := newAbsentTable(t)
	says := fmt.Sprintf("%s appears to be absent: 3 time-outs", d.name)
	for _, size := range [][2]int64{{1280, 800}, {1024, 768}, {768, 1024}} {
		floor := d.open(b, size[0], size[1], fmt.Sprintf("/referee/%d", d.id))
		floor.wait(`document.querySelector(".need-offline .name")`) // the other seats' devices are offline by now
		floor.picture(fmt.Sprintf("absent-floor-%d", size[0]))
		text := eval[string](floor,
			fmt.Sprintf(`document.querySelector("#t%d .need").textContent.replace(/[\u2066-\u2069]/g, "").replace(/\s+/g, " ")`, d.round.Tables[0].ID))
		heights := eval[[]float64](floor,
			`[...document.querySelectorAll(".floor-line")].map((el) => el.getBoundingClientRect().height)`)
		if len(heights) != 2 || heights[0] != heights[1] || !containsOnce(text, says) {
			t.Errorf("%v: rows are %v px high, one says %q", size, heights, text)
		}
	}
	other := d.open(b, 1280, 800, fmt.Sprintf("/referee/%d/tables/%d", d.id, d.round.Tables[1].ID))
	if height := eval[float64](other,
		`document.getElementById("alerts").getBoundingClientRect().height`); height < 40 || height > 56 {
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
	if len(before.Proposals) != 3 || len(after.Proposals) != 0 || len(after.Rulings) != len(before.Rulings)+3 ||
		after.Rulings[len(after.Rulings)-1].Kind != (engine.PenaltyGiven{}).Kind() ||
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

// clearSheet lists the elements of a sheet that are cut off, covered, too small or beyond the edge. It scrolls each
// element into view first.
const clearSheet = `(() => {
	const wrong = [];
	if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is " + document.documentElement.scrollWidth + " px wide");
	for (const el of document.querySelectorAll("header :is(a, summary, button), main :is(.act, .btn, summary, h1, h2, h3, p, .name, time)")) {
		if (!el.checkVisibility({ contentVisibilityAuto: true }) || el.closest("dialog, [popover], .vh, .menu-body, .tile")) continue;
		el.scrollIntoView({ block: "center", inline: "nearest" });
		const b = el.getBoundingClientRect(), said = (el.textContent.trim() || el.className) + ": ";
		if (!b.width || !b.height) continue;
		if (b.left < -1 || b.right > innerWidth + 1) wrong.push(said + "beyond the edge, " + b.left + " to " + b.right);
		// the names stand at their seats too
		const dots = getComputedStyle(el).textOverflow === "ellipsis" && el.closest(".need");
		if (el.scrollWidth > el.clientWidth + 1 && el.clientWidth && !dots) wrong.push(said + "cut, " + el.scrollWidth + " in " + el.clientWidth);
		for (const y of el.matches(".act, .btn, summary") ? [b.top + 3, b.top + b.height / 2, b.bottom - 3] : [b.top + b.height / 2]) {
			const top = document.elementFromPoint(Math.min(Math.max(b.left + b.width / 2, 1), innerWidth - 1), Math.min(Math.max(y, 1), innerHeight - 1));
			if (top && !el.contains(top) && !top.contains(el)) { wrong.push(said + "under " + (top.className || top.localName)); break; }
		}
		if (el.matches(".act, .btn, summary") && (b.height < 44 || b.width < 44)) wrong.push(said + b.width + " x " + b.height);
	}
	scrollTo(0, 0);
	return [...new Set(wrong)];
})()`

// TestBrowserProposalsInLargeText checks that at 200 % text size, on tablets in both orientations, nothing is cut off,
// covered or beyond the edge on a sheet with open penalties or on the pages that decide them, and that no key is
// smaller than 44 px.
func TestBrowserProposalsInLargeText(t *testing.T) {
	b := startChromium(t)
	d := newAbsentTable(t)
	sheet := fmt.Sprintf("/referee/%d/tables/%d", d.id, d.round.Tables[0].ID)
	seat := d.referee.view(d.game).Proposals[0].Seat
	decide := fmt.Sprintf("%s/proposals/%d?game=%d", sheet, seat, d.game)
	for name, path := range map[string]string{"sheet": sheet,
		"other": fmt.Sprintf("/referee/%d/tables/%d", d.id, d.round.Tables[1].ID), "confirm": decide, "waive": decide +
			"&waive=yes",
		"floor": fmt.Sprintf("/referee/%d", d.id)} {
		for i, size := range [][2]int64{{1024, 768}, {768, 1024}, {1280, 800}} {
			for k, theme := range []string{"light", "dark"} {
				if !inTurn(i, k, 2) {
					continue
				}
				t.Run(fmt.Sprintf("%s, %d wide, %s", name, size[0], theme), func(t *testing.T) {
					p := b.tab(t, size[0], size[1])
					p.still()
					p.cookie(d.http.URL, "meldhall-staff", d.referee.token)
					p.open(d.http.URL + path)
					p.wait(`document.readyState === "complete" && document.querySelector("main h1")`)
					if strings.HasPrefix(path, sheet) && !strings.Contains(path, "proposals") {
						noSound(p)
					}
					eval[bool](p, fmt.Sprintf(`(document.documentElement.dataset.theme = %q, true)`, theme))
					largeText(p, 200)
					p.picture("200")
					for _, wrong := range eval[[]string](p, clearSheet) {
						t.Error(wrong)
					}
				})
			}
		}
	}
}
