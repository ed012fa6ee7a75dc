package webtest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"meldhall/templates/locale"
	"meldhall/tournament/ranking"
)

// TestBrowserFirstView checks that a browser with an empty cache shows the page of a tournament with 100 players in
// five scripts within 1 s in the hall and within 2.5 s over a slow mobile network.
func TestBrowserFirstView(t *testing.T) {
	b := startChromium(t)
	e := newPublished(t, "Open of the lake", fiveScripts(100), nil)
	for _, where := range []struct {
		name string
		goal time.Duration
	}{{"in the hall", time.Second}, {"over a slow mobile network", 2500 * time.Millisecond}} {
		t.Run(where.name, func(t *testing.T) {
			p := b.tab(t, 390, 844)
			sum := p.traffic()
			if where.goal > time.Second {
				p.mobile()
			}
			p.open(fmt.Sprintf("%s/events/%d", e.http.URL, e.id))
			p.wait(`performance.getEntriesByName("first-contentful-paint").length`)
			paint := eval[float64](p, `performance.getEntriesByName("first-contentful-paint")[0].startTime`)
			held(t, "the page is seen", time.Duration(paint*float64(time.Millisecond)), where.goal)
			if got := eval[int](p, `document.querySelectorAll(".face-players li").length`); got != 100 {
				t.Errorf("%d players are there", got)
			}
			requests, bytes := sum.sum()
			t.Logf("%d requests, %.1f KiB so far", requests, bytes/1024)
		})
	}
}

// TestBrowserOwnNameIsFound checks that among 300 players, on a phone, four letters filter the list to the player's own
// row, visible without scrolling, within 5 s of opening the page.
func TestBrowserOwnNameIsFound(t *testing.T) {
	b := startChromium(t)
	e := newPublished(t, "Open of the lake", fiveScripts(300)+"Zoë Quartermaine,IT\n", nil)
	p := b.tab(t, 390, 844)
	p.still()
	began := time.Now()
	p.open(fmt.Sprintf("%s/events/%d/players", e.http.URL, e.id))
	p.tap("input[data-filter]")
	p.write("zoe q")
	p.wait(`(() => {
		const rows = [...document.querySelectorAll("#players tbody tr")].filter((row) => row.checkVisibility());
		const box = rows[0].getBoundingClientRect();
		return rows.length === 1 && rows[0].dataset.name === "Zoë Quartermaine" && box.top > 0 && box.bottom < innerHeight;
	})()`)
	held(t, "the own row is found", time.Since(began), 5*time.Second)
}

// TestARowSaysWhereSomebodyStands checks that each row of the standings has the rank, the counted points and wins, the
// last round's gain, and the change in place since the previous round as an icon, a number and a word.
func TestARowSaysWhereSomebodyStands(t *testing.T) {
	t.Parallel()
	e := cup(t)
	page := e.reader().get(t, fmt.Sprintf("/events/%d", e.id))
	standings, err := ranking.StandingsOf(t.Context(), e.store, e.id)
	if err != nil {
		t.Fatal(err)
	}
	ctx, moves := locale.WithLanguage(t.Context(), "en"), map[int]int{}
	for _, r := range standings.Rows {
		row := strings.Join(strings.Fields(page.text(fmt.Sprintf("[data-player=%d]", r.Player))), " ")
		move := "–"
		if r.HasMove {
			moves[max(-1, min(1, r.Move))]++
			move = map[int]string{-1: "down " + strconv.Itoa(-r.Move), 0: "same place", 1: "up " +
				strconv.Itoa(r.Move)}[max(-1, min(1, r.Move))]
		}
		last := "–"
		if r.LastPlayed {
			last = locale.SignedPoints(ctx, r.LastPoints)
		}
		for _, want := range []string{strconv.Itoa(r.Place) + " ", r.Name, locale.AmountText(ctx, r.Wins),
			locale.SignedPoints(ctx, r.Total), last, move} {
			if !strings.Contains(row, want) {
				t.Errorf("%s: %q lacks %q", r.Name, row, want)
			}
		}
	}
	if moves[1] == 0 || moves[-1] == 0 {
		t.Errorf("who went up and down: %v", moves)
	}
}

// TestWhatIsCheckedIsMarked checks that until a referee confirms a result, its rows, the foot of the standings and the
// reasons are marked as provisional; afterwards nothing is.
func TestWhatIsCheckedIsMarked(t *testing.T) {
	t.Parallel()
	e := holdable(t)
	game := e.round.Tables[0].Games[0].ID
	e.count(0, game)
	at := fmt.Sprintf("/events/%d", e.id)
	if page := e.reader().get(t, at).is(http.StatusOK); page.count(".prov") != 4 ||
		!strings.Contains(page.text(".foot-line"), "4 results are provisional") {
		t.Errorf("%d rows are marked, the foot says %q", page.count(".prov"), page.text(".foot-line"))
	}
	if got := strings.Count(e.reader().get(t, at+"/why").text("main"), "provisional"); got < 4 {
		t.Errorf("%d reasons are marked", got)
	}
	e.confirmed(game)
	e.reader().leaderboardSays(t, "provisional", false)
	if strings.Contains(e.reader().get(t, at+"/why").text("main"), "provisional") {
		t.Error("the reasons call provisional what is confirmed")
	}
}
