package webtest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/web/api"
)

// TestThePastSumsUp checks that the sums in the crosstable, the statistics and the players' pages agree with
// results.csv and the standings.
func TestThePastSumsUp(t *testing.T) {
	t.Parallel()
	e := cup(t)
	r, at := e.reader(), fmt.Sprintf("/events/%d", e.id)
	results := e.exported(t, "results")
	var standings api.StandingsView
	e.public().must(http.MethodGet, fmt.Sprintf("/tournaments/%d/standings", e.id), nil, &standings)
	t.Run("crosstable", func(t *testing.T) {
		page := r.get(t, at+"/crosstable").is(http.StatusOK)
		cross := cellsOf(find(page.doc, ".cross")[0])
		met := cellsOf(find(page.doc, ".cross")[1])
		if len(cross) != 9 || len(cross[0]) != 9 || len(met) != 9 || len(met[0]) != 9 {
			t.Fatalf("the tables are %q and %q", cross[0], met[0])
		}
		for i, row := range standings.Rows {
			number := strconv.Itoa(row.Player.Number)
			player, cells := map[string]string{"number": number}, cross[i+1]
			sum := func(column, by, value string) float64 {
				return added(t, results, column, map[string]string{"number": number, by: value})
			}
			want := []float64{sum("points", "round", "1"), sum("points", "round", "2"), sum("points", "stage", "1"),
				sum("points", "round", "3"), sum("points", "stage", "2"),
				float64(row.Games), added(t, results, "wins", player), added(t, results, "points", player)}
			for j, n := range want {
				if got := numberOf(t, cells[j+1]); got != n {
					t.Errorf("%s, column %d: got %g, want %g", row.Player.Name, j+1, got, n)
				}
			}
			if want[7] != float64(row.Points)/12 || want[6] != float64(row.Wins)/12 {
				t.Errorf("%s: the file has %g and %g, the standings %s and %s", row.Player.Name, want[6], want[7],
					row.Wins, row.Points)
			}
			for j := range standings.Rows { // the two directions must mirror each other
				a, b, ok := strings.Cut(met[i+1][j+1], "–")
				if c, d, _ := strings.Cut(met[j+1][i+1], "–"); ok &&
					(strings.TrimSpace(a) != strings.TrimSpace(d) || strings.TrimSpace(b) != strings.TrimSpace(c)) {
					t.Errorf("%d met %d %s, and %s", i+1, j+1, met[i+1][j+1], met[j+1][i+1])
				}
			}
		}
	})
	t.Run("players", func(t *testing.T) {
		for _, row := range standings.Rows {
			number := map[string]string{"number": strconv.Itoa(row.Player.Number)}
			page := r.get(t, fmt.Sprintf("%s/players/%d", at, row.Player.ID)).is(http.StatusOK).says("h1",
				row.Player.Name)
			games := find(page.doc, ".chip")
			var points float64
			for _, g := range games {
				points += numberOf(t, textOf(find(g, "b")[0]))
			}
			if want := added(t, results, "points", number); len(games) != row.Games || points != want ||
				want != float64(row.Points)/12 {
				t.Errorf("%s: %d games with %g, want %d with %g", row.Player.Name, len(games), points, row.Games, want)
			}
			facts := find(page.doc, "dd")
			if place, total := textOf(facts[0]), textOf(facts[1]); !strings.HasPrefix(place,
				strconv.Itoa(row.Place)+" ") || numberOf(t, total) != float64(row.Total)/12 {
				t.Errorf("%s: place %s with %s, want %d with %s", row.Player.Name, place, total, row.Place, row.Total)
			}
			if line := page.text("desc"); !strings.HasSuffix(line, fmt.Sprintf("place %d", row.Place)) ||
				strings.Count(line, "place") < 2 {
				t.Errorf("%s: the line says %q", row.Player.Name, line)
			}
		}
	})
	t.Run("statistics", func(t *testing.T) {
		turns, games := 0, e.rowsOf(t, "SELECT id FROM games WHERE tournament_id = ?1")
		for _, game := range games {
			var turn api.PublicTurnView
			e.public().must(http.MethodGet, "/games/"+game+"/turns/1", nil, &turn)
			turns += turn.Of
		}
		page := r.get(t, at+"/statistics").is(http.StatusOK)
		for id, want := range map[string]int{"#stat-games": len(games), "#stat-turns": turns, "#stat-time-outs": 0,
			"#stat-penalties": 1} {
			if got := page.text(id); got != strconv.Itoa(want) {
				t.Errorf("%s: got %s, want %d", id, got, want)
			}
		}
		stages := cellsOf(find(page.doc, "#stat-stages")[0])
		for column := 1; column < len(stages[0]); column++ {
			if sum := numberOf(t, stages[1][column]) + numberOf(t, stages[2][column]); column != 4 &&
				sum != numberOf(t, stages[3][column]) {
				t.Errorf("%s: %s and %s are %s", stages[0][column], stages[1][column], stages[2][column],
					stages[3][column])
			}
		}
	})
}

// TestHeadToHead checks that either player's page can show the comparison of two players, each from that player's side.
func TestHeadToHead(t *testing.T) {
	t.Parallel()
	e := cup(t)
	seats := e.round.Tables[0].Seats // the finalists have met
	path := func(a, b int) string {
		return fmt.Sprintf("/events/%d/players/%d?with=%d", e.id, seats[a].Player.ID, seats[b].Player.ID)
	}
	r := e.reader()
	one, other := r.get(t, path(0, 1)), r.get(t, path(1, 0))
	mine, theirs := cellsOf(find(one.doc, "table.player-games")[0])[1:],
		cellsOf(find(other.doc, "table.player-games")[0])[1:]
	if len(mine) < 2 || len(mine) != len(theirs) {
		t.Fatalf("they met %d times, and %d", len(mine), len(theirs))
	}
	for i := range mine {
		if mine[i][1] != theirs[i][2] || mine[i][2] != theirs[i][1] {
			t.Errorf("%q against %q", mine[i], theirs[i])
		}
	}
	asked := r.get(t, fmt.Sprintf("/events/%d/players/%d", e.id, seats[0].Player.ID))
	if form := find(asked.doc, "form[method=get]"); len(form) != 1 || len(find(form[0], "option")) != 7 {
		t.Errorf("the page asks with %d forms", len(form))
	}
	one.says("#versus", seats[1].Player.Name)
	for _, nobody := range []string{"?with=0", "?with=", fmt.Sprintf("?with=%d", seats[0].Player.ID)} {
		if page := r.get(t, fmt.Sprintf("/events/%d/players/%d%s", e.id, seats[0].Player.ID,
			nobody)).is(http.StatusOK); page.count("table.player-games") != 0 {
			t.Errorf("%s shows %q", nobody, page.text("#versus"))
		}
	}
}

// TestThePastIsHeldBack checks that frozen, hidden and draft data is on none of these pages for the public, while
// officials see it there.
func TestThePastIsHeldBack(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := holdable(t)
	at, player := fmt.Sprintf("/events/%d", e.id), e.round.Tables[0].Seats[0].Player.ID
	pages := []string{fmt.Sprintf("%s/rounds/%d", at, e.round.ID),
		fmt.Sprintf("%s/players/%d?with=%d", at, player, e.round.Tables[0].Seats[1].Player.ID), at + "/crosstable", at +
			"/statistics"}
	hold := func(part, how string) {
		e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/publishing", e.id),
			fields{"part": part, "how": how}, nil)
		e.pass()
	}
	hold("standings", "frozen")
	e.scores()
	public, official := e.reader(), e.signedIn("referee")
	told := func(r *reader) (n int) {
		for _, path := range pages {
			if aHeldPoint.MatchString(r.get(t, path).is(http.StatusOK).text("main")) {
				n++
			}
		}
		return n
	}
	if got, all := told(public), told(official); got != 0 || all != 4 {
		t.Errorf("frozen, the public is told on %d pages, officials on %d", got, all)
	}
	if n := public.get(t, at+"/statistics").text("#stat-games"); n != "" {
		t.Errorf("the public reads of %s games", n)
	}
	hold("results", "hidden")
	hold("standings", "public")
	if got := told(public); got != 0 {
		t.Errorf("hidden, the public is told on %d pages", got)
	}
	hold("all", "public")
	if got := told(public); got != 4 {
		t.Errorf("shown, the public is told on %d pages", got)
	}
	hold("pairing", "hidden")
	public.get(t, pages[0]).is(http.StatusNotFound)
	official.get(t, pages[0]).is(http.StatusOK)
	var draft api.RoundDetail
	hold("all", "public")
	game := e.round.Tables[1].Games[0].ID
	e.count(1, game)
	e.confirmed(game)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), fields{"games": 1}, &draft)
	for _, r := range []*reader{public, official} {
		r.get(t, fmt.Sprintf("%s/rounds/%d", at, draft.ID)).is(http.StatusNotFound)
		if n := r.get(t, at+"/rounds").count("a.line"); n != 1 {
			t.Errorf("%d rounds are listed, of which one is a draft", n)
		}
	}
}

// TestAPracticeTableHasNoPast checks that a practice table has none of these pages under any address.
func TestAPracticeTableHasNoPast(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.public().must(http.MethodPost, "/practice", api.PracticeBody{Strength: "novice", Rules: "wrc"}, nil)
	var id, round, player int64
	row := e.store.ReadSQL.QueryRow("SELECT t.id, r.id, p.id FROM tournaments t JOIN rounds r ON r.tournament_id = t.id JOIN players p ON p.tournament_id = t.id WHERE t.practice <> ''")
	if err := row.Scan(&id, &round, &player); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/rounds", fmt.Sprintf("/rounds/%d", round), "/players",
		fmt.Sprintf("/players/%d", player), "/crosstable", "/statistics"} {
		e.reader().get(t, fmt.Sprintf("/events/%d%s", id, path)).is(http.StatusNotFound)
	}
}
