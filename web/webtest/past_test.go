package webtest

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"meldhall/engine/score"
	"meldhall/engine/testmode"
	"meldhall/tournament/format"
	"meldhall/web/api"
)

// cupNames is the roster of a cup: names in five scripts with up to 30 letters.
const cupNames = "name,country,club\nMaria Innocenza Buonaventura,IT,Circolo\nJean-Sébastien Vandermeulen-Pauw,BE,\nמרים בת־שבע אברהמוביץ׳ הלוי,IL,\n" +
	"عبد الرحمن بن محمد الأنصاري,AE,\n欧阳修远司马相如诸葛孔明,CN,\nАлександра Константинопольская,KZ,\nBo,DK,\nΚωνσταντίνος Παπαδόπουλος,GR,\n"

// cup returns an ended tournament: eight players in two rounds, the first on tablets, the second with real tiles, then
// a final of the best four in two games. Every result is corrected to unique points, so no players tie.
func cup(t *testing.T) *event {
	t.Helper()
	e := &event{players: map[int64]*caller{}}
	e.hall, e.organizer, e.referee = newStaffed(t)
	f := format.Format{Name: "cup", Version: 1, Stages: []format.Stage{
		{Name: "preliminary", Kind: format.Preliminary, Rounds: 2, GamesPerRound: 1, Seating: format.ByStandings,
			SeatChange: format.EveryRound, CarryOver: format.CarryAll},
		{Name: "final", Kind: format.Final, Rounds: 1, GamesPerRound: 2, Cut: 4, Seating: format.ByStandings,
			SeatChange: format.EveryRound, CarryOver: format.CarryAll},
	}}
	var made api.TournamentDetail
	e.organizer.must(http.MethodPost, "/tournaments", fields{"name": "Cup of the lake", "format": f,
		"rules": fields{"preset": "wrc", "turn_seconds": 0}, "seed": 7}, &made)
	e.id = made.ID
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", e.id), cupNames, nil)
	for number := 1; number <= 3; number++ {
		e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), fields{}, &e.round)
		e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
		if number == 1 {
			e.joinAll()
		}
		for n := range e.round.Tables {
			if number > 1 {
				e.realTables(n + 1)
			}
		}
		e.start()
		for table := range e.round.Tables {
			e.cupTable(t, table, number)
		}
	}
	return e
}

// cupTable plays the games of a table. On tablets one player gets a penalty first.
func (e *event) cupTable(t *testing.T, table, number int) {
	t.Helper()
	for i, g := range e.round.Tables[table].Games {
		switch {
		case number > 1:
			e.count(table, g.ID)
			e.confirmed(g.ID)
		case table == 0:
			e.begin(table)
			e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/penalty", g.ID),
				fields{"key": e.key(), "seat": 0, "tiles": 3, "reason": "spoke to a neighbour"}, nil)
			e.byDraws(g.ID)
			e.confirmed(g.ID)
		default:
			e.drawOut(t, table, g.ID)
		}
		lines := make([]api.CorrectLine, 4)
		best := 0
		for seat, s := range e.round.Tables[table].Seats {
			points := 100 - 13*s.Player.Number - 31*number + 7*i*seat
			lines[seat] = api.CorrectLine{Seat: seat, Points: score.Whole(points), Opened: true}
			if lines[seat].Points > lines[best].Points {
				best = seat
			}
		}
		lines[best].Wins = score.Whole(1)
		e.organizer.must(http.MethodPost, fmt.Sprintf("/games/%d/correct", g.ID),
			fields{"rev": 2, "why": "as it was written down", "lines": lines}, nil)
	}
}

// TestACrawlerFindsThePast follows the links from the first page and must reach every played game, every round, table
// and player. No link on these pages may be dead.
func TestACrawlerFindsThePast(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := cup(t)
	r, at := e.reader(), fmt.Sprintf("/events/%d", e.id)
	clicks, queue := map[string]int{"/": 0}, []string{"/"}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		for _, a := range find(r.get(t, path).is(http.StatusOK).doc, "a") {
			to, _, _ := strings.Cut(attr(a, "href"), "#")
			if _, known := clicks[to]; known || to != at && !strings.HasPrefix(to, at+"/") ||
				strings.Contains(to, "/turns/") || strings.Contains(to, "/regulations") {
				continue
			}
			clicks[to] = clicks[path] + 1
			queue = append(queue, to)
		}
	}
	var want []string
	for _, row := range e.rowsOf(t,
		"SELECT 'games/' || id FROM games WHERE tournament_id = ?1 UNION ALL SELECT 'tables/' || id FROM tables WHERE tournament_id = ?1"+
			" UNION ALL SELECT 'rounds/' || id FROM rounds WHERE tournament_id = ?1 UNION ALL SELECT 'players/' || id FROM players WHERE tournament_id = ?1") {
		want = append(want, at+"/"+row)
	}
	if len(want) != 6+5+3+8 {
		t.Fatalf("the cup is %q", want)
	}
	for _, path := range want {
		if _, found := clicks[path]; !found {
			t.Errorf("no way leads to %s", path)
		}
	}
	for _, page := range []string{"/rounds", "/players", "/crosstable", "/statistics"} {
		// the tournament's main page links there directly
		for from, most := range map[string]int{at: 1, at + "/tables": 2} {
			if n, ok := clicks[at+page]; !ok || n > clicks[from]+most {
				t.Errorf("%s is %d clicks from the start, %s is %d", page, n, from, clicks[from])
			}
		}
	}
	r.get(t, fmt.Sprintf("%s/rounds/%d", at, e.round.ID+9)).is(http.StatusNotFound)
	r.get(t, fmt.Sprintf("/events/%d/players/1", e.id+1)).is(http.StatusNotFound)
}

// rowsOf returns the texts selected by a query about the tournament.
func (e *event) rowsOf(t *testing.T, query string) (all []string) {
	t.Helper()
	rows, err := e.store.ReadSQL.Query(query, e.id)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	return all
}

// exported returns a list of the tournament from its file, one map per row.
func (e *event) exported(t *testing.T, list string) (rows []map[string]string) {
	t.Helper()
	_, _, body := e.public().send(http.MethodGet, fmt.Sprintf("/tournaments/%d/export/%s.csv", e.id, list), nil)
	all, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(body), "\ufeff"))).ReadAll()
	if err != nil || len(all) < 2 {
		t.Fatalf("%s: %v %q", list, err, all)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// added returns the sum of a column over the matching rows.
func added(t *testing.T, rows []map[string]string, column string, fits map[string]string) (sum float64) {
	t.Helper()
	for _, row := range rows {
		all := true
		for name, value := range fits {
			all = all && row[name] == value
		}
		if all {
			sum += numberOf(t, row[column])
		}
	}
	return sum
}

// numberOf parses a number as pages and files format it; – counts as 0.
func numberOf(t *testing.T, text string) float64 {
	t.Helper()
	text = strings.NewReplacer("−", "-", "+", "", "½", ".5").Replace(strings.TrimSpace(text))
	if text == "–" {
		return 0
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// cellsOf returns the cells of a table by row, each as its first number or text.
func cellsOf(table *html.Node) (lines [][]string) {
	for _, tr := range find(table, "tr") {
		var cells []string
		for n := tr.FirstChild; n != nil; n = n.NextSibling {
			if n.Data != "td" && n.Data != "th" {
				continue
			}
			cell := n
			if bold := find(n, "b"); len(bold) > 0 {
				cell = bold[0]
			}
			cells = append(cells, textOf(cell))
		}
		lines = append(lines, cells)
	}
	return lines
}
