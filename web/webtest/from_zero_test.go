package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/templates"
	"meldhall/tournament/format"
	"meldhall/web/api"
)

// TestAFinalThatStartsFromZeroSaysSo checks that once such a final is published, the desk, the public and the players
// read that nothing is carried over. A draft and a final that carries points over do not say so.
func TestAFinalThatStartsFromZeroSaysSo(t *testing.T) {
	t.Parallel()
	const said = "All players start from zero points"
	for _, carry := range []string{format.CarryNone, format.CarryAll} {
		t.Run(carry, func(t *testing.T) {
			e, _ := playedOut(t, func(f *format.Format) {
				f.Stages = append(f.Stages, format.Stage{Name: "final", Kind: format.Final, Rounds: 2, GamesPerRound: 1,
					Cut: 4, Seating: format.ByStandings,
					SeatChange: format.EveryRound, CarryOver: carry})
			})
			e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), map[string]any{}, &e.round)
			o, public := e.signedIn("organizer"), e.reader()
			for _, page := range []*leaf{o.get(t, string(templates.RoundPath(e.id, e.round.ID))),
				o.get(t, string(templates.LeaderboardPath(e.id)))} {
				if text := page.is(http.StatusOK).text("main"); strings.Contains(text, said) {
					t.Errorf("of a draft: %s", text)
				}
			}
			e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
			e.joinAll()
			for who, page := range map[string]*leaf{"desk": o.get(t, string(templates.RoundPath(e.id, e.round.ID))),
				"tables":    public.get(t, string(templates.TablesPath(e.id))),
				"standings": public.get(t, string(templates.LeaderboardPath(e.id))),
				"player":    e.readerAt(0, 0).get(t, string(templates.PlayPath))} {
				if text := page.is(http.StatusOK).text("main"); strings.Contains(text,
					"Final: nothing is carried over. "+said) != (carry == format.CarryNone) {
					t.Errorf("%s: %s", who, text)
				}
			}
		})
	}
}

// TestStandingsNameTheirStage checks that if two stages share one list, each part names the wins and points it counts
// and what it carries over: on the public page, in the API and on a player's tablet between games. It also says that a
// later stage ranks ahead.
func TestStandingsNameTheirStage(t *testing.T) {
	t.Parallel()
	for carry, want := range map[string]string{format.CarryNone: "Final: wins and points of this stage only",
		format.CarryAll:  "Final: wins and points of all rounds so far",
		format.CarryHalf: "Final: wins and points of this stage, with half of those before it"} {
		t.Run(carry, func(t *testing.T) {
			e, _ := playedOut(t, func(f *format.Format) {
				f.Stages = append(f.Stages, format.Stage{Name: "final", Kind: format.Final, Rounds: 2, GamesPerRound: 1,
					Cut: 3, Seating: format.ByStandings,
					SeatChange: format.EveryRound, CarryOver: carry})
			})
			public := e.reader()
			path, first := string(templates.LeaderboardPath(e.id)), "Games: wins and points of this stage only"
			if text := public.get(t, path).is(http.StatusOK).text("main"); strings.Contains(text,
				"wins and points of") || strings.Contains(text, "later stage") {
				t.Errorf("with one stage: %s", text)
			}
			e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), map[string]any{}, &e.round)
			e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
			soon(t, func() bool { // public pages are cached for a moment
				return strings.Contains(public.get(t, path).text(".foot-line"),
					"Players who reached a later stage rank ahead")
			})
			page := public.get(t, path)
			var heads []string
			for _, head := range find(page.doc, "tr.counts") {
				heads = append(heads, textOf(head))
			}
			if got := strings.Join(heads, "|"); got != want+"|"+first {
				t.Errorf("the page says %q, want %q", got, want+"|"+first)
			}
			var view api.StandingsView
			e.public().must(http.MethodGet, fmt.Sprintf("/tournaments/%d/standings", e.id), nil, &view)
			if got := strings.Join(view.Counts, "|"); got != first+"|"+want {
				t.Errorf("programs read %q", got)
			}
			e.joinAll()
			if text := e.readerAt(0, 0).get(t, string(templates.PlayPath)).text("main"); !strings.Contains(text,
				want) || !strings.Contains(text, first) {
				t.Errorf("the tablet says %s", text)
			}
		})
	}
}

// TestBrowserStandingsOfTwoStages checks that the stages' headings span exactly the table's width, even if a phone
// hides columns, and that each column's name is above its figures.
func TestBrowserStandingsOfTwoStages(t *testing.T) {
	b := startChromium(t)
	e, _ := playedOut(t, func(f *format.Format) {
		f.Stages = append(f.Stages, format.Stage{Name: "final", Kind: format.Final, Rounds: 2, GamesPerRound: 1, Cut: 3,
			Seating:    format.ByStandings,
			SeatChange: format.EveryRound, CarryOver: format.CarryHalf})
	})
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), map[string]any{}, &e.round)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	p := b.tab(t, 390, 844)
	p.cookie(e.http.URL, "meldhall-staff", e.organizer.token)
	p.open(fmt.Sprintf("%s/events/%d", e.http.URL, e.id))
	p.wait(`document.querySelectorAll("tr.counts").length === 2`)
	for _, size := range [][2]int64{{390, 844}, {1366, 768}} {
		p.size(size[0], size[1])
		p.wait(fmt.Sprintf("innerWidth === %d", size[0]))
		for _, wrong := range eval[[]string](p, `(() => {
			const seen = (row) => [...row.cells].filter((cell) => cell.checkVisibility());
			const rows = [...document.querySelectorAll("#ranks tr")], heads = seen(rows[0]), right = document.getElementById("ranks").getBoundingClientRect().right, wrong = [];
			for (const row of rows.slice(1)) {
				const cells = seen(row), said = row.innerText.trim() + ": ";
				if (Math.abs(cells.at(-1).getBoundingClientRect().right - right) > 1) wrong.push(said + "ends before the table");
				if (row.matches(".counts")) continue;
				if (cells.length !== heads.length) wrong.push(said + cells.length + " cells under " + heads.length + " names");
			}
			return wrong;
		})()`) {
			t.Errorf("%d wide: %s", size[0], wrong)
		}
		p.picture(fmt.Sprint(size[0]))
	}
}
