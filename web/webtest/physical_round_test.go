package webtest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/testmode"
	"meldhall/engine/tile"
	"meldhall/tournament"
	"meldhall/tournament/result"
	"meldhall/web/api"
)

// TestMixedRound plays a round at two tables on tablets and two with real tiles, one counted by faces and one by
// points, from the seating and the signatures to the standings and the next round, all over HTTP.
func TestMixedRound(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := newEvent(t, 16, map[string]any{"turn_seconds": 0})
	e.realTables(3, 4)
	if got := []string{e.round.Tables[0].Tiles, e.round.Tables[2].Tiles}; got[0] != "digital" || got[1] != "real" {
		t.Fatalf("%v", got)
	}
	e.start()
	want := map[int64]*scored{} // by player id
	games := len(e.round.Tables[0].Games)
	for number := range games {
		for table := range 2 {
			e.playDigital(t, table, number, want)
		}
		e.playReal(t, 2, number, want)
		e.playReal(t, 3, number, want)
	}
	e.organizer.must(http.MethodGet, fmt.Sprintf("/rounds/%d", e.round.ID), nil, &e.round)
	if e.round.Status != tournament.RoundFinished {
		t.Fatalf("the round is %s", e.round.Status)
	}
	standings := e.standings(t)
	for _, row := range standings.Rows {
		w := want[row.Player.ID]
		if row.Points != w.points || row.Wins != w.wins || row.Games != games || row.Provisional {
			t.Errorf("%s: got %v points, %v wins of %d games, want %v and %v", row.Player.Name, row.Points, row.Wins,
				row.Games, w.points, w.wins)
		}
	}
	for i := 1; i < len(standings.Rows); i++ { // wins, then points
		a, b := standings.Rows[i-1], standings.Rows[i]
		if a.Wins < b.Wins || a.Wins == b.Wins && a.Points < b.Points {
			t.Errorf("place %d has %v and %v, place %d %v and %v", i, a.Wins, a.Points, i+1, b.Wins, b.Points)
		}
	}
	t.Run("real tiles, worked out by hand", func(t *testing.T) {
		// by faces, seat 0 goes out against 16, 102 and 200; by points, seat 1 wins against 15, 7 and 35
		for table, points := range map[int][4]int{2: {318, -16, -102, -200}, 3: {-15, 0, -7, -35}} {
			for seat, n := range points {
				id := e.round.Tables[table].Seats[seat].Player.ID
				i := slices.IndexFunc(standings.Rows, func(r api.StandingRow) bool { return r.Player.ID == id })
				if got := standings.Rows[i].Points; got != score.Whole(n*games) {
					t.Errorf("table %d seat %d: got %v, want %d", table+1, seat, got, n*games)
				}
			}
		}
	})
	t.Run("the next round is seated by it, and the tables of these numbers keep their tiles", func(t *testing.T) {
		var next api.RoundDetail
		e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id),
			map[string]any{"method": "standings"}, &next)
		for i, want := range []string{"digital", "digital", "real", "real"} {
			if got := next.Tables[i].Tiles; got != want {
				t.Errorf("table %d: %s tiles, want %s", i+1, got, want)
			}
		}
		strength := func(t api.TableView) (sum int) { // avoiding repeats may lower a player, so compare tables
			for _, s := range t.Seats {
				sum += slices.IndexFunc(standings.Rows,
					func(r api.StandingRow) bool { return r.Player.ID == s.Player.ID })
			}
			return sum
		}
		if !slices.IsSortedFunc(next.Tables, func(a, b api.TableView) int { return strength(a) - strength(b) }) {
			t.Error("the stronger a table, the lower its number: it is not so")
		}
	})
	t.Run("the public sees real tables, and no rack of any", func(t *testing.T) {
		for _, path := range []string{fmt.Sprintf("/events/%d", e.id), fmt.Sprintf("/events/%d/tables", e.id),
			fmt.Sprintf("/events/%d/tables/%d", e.id, e.round.Tables[2].ID),
			fmt.Sprintf("/events/%d/display/3", e.id), fmt.Sprintf("/events/%d/games/%d", e.id,
				e.round.Tables[2].Games[0].ID), fmt.Sprintf("/events/%d/games/%d", e.id,
				e.round.Tables[3].Games[0].ID)} {
			e.reader().get(t, path).is(http.StatusOK)
		}
	})
	t.Run("exported, the games say that they were played with real tiles", func(t *testing.T) {
		for table, kind := range map[int]string{0: "tiles_dealt", 2: "racks_counted", 3: "racks_counted"} {
			status, _, body := e.public().send(http.MethodGet,
				fmt.Sprintf("/games/%d/export", e.round.Tables[table].Games[0].ID), nil)
			if status != http.StatusOK || !strings.Contains(string(body), kind) {
				t.Errorf("table %d: %d, no %s", table+1, status, kind)
			}
		}
	})
}

// scored is the sum of a player's games.
type scored struct{ points, wins score.Twelfth }

// settle signs and confirms an ended game and adds its points and wins to want.
func (e *event) settle(t *testing.T, table int, game int64, want map[int64]*scored) {
	t.Helper()
	for seat := range e.round.Tables[table].Seats {
		e.at(table, seat).must(http.MethodPost, fmt.Sprintf("/games/%d/agree", game), map[string]any{"rev": 1}, nil)
	}
	var count api.CountView
	e.referee.must(http.MethodGet, fmt.Sprintf("/games/%d/count", game), nil, &count)
	if count.Count.All() != 4 {
		t.Errorf("%d of 4 agree", count.Count.All())
	}
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), result.ConfirmResult{Rev: 1}, nil)
	for seat, s := range e.round.Tables[table].Seats {
		w := want[s.Player.ID]
		if w == nil {
			w = &scored{}
			want[s.Player.ID] = w
		}
		w.points += count.View.Result.Points[seat]
		w.wins += count.View.Result.Wins[seat]
	}
}

// playDigital calls time at once: every player draws, and the test recounts the racks from their faces.
func (e *event) playDigital(t *testing.T, table, number int, want map[int64]*scored) {
	t.Helper()
	game := e.round.Tables[table].Games[number].ID
	for seat := range e.round.Tables[table].Seats {
		e.at(table, seat).post(game, "ready", map[string]any{"turn": e.public().view(game).Turn.Number})
	}
	e.referee.post(game, "call-time", map[string]any{"reason": "the slot is over"})
	for range e.round.Tables[table].Seats {
		turn := e.public().view(game).Turn
		e.at(table, turn.Seat).post(game, "draw", map[string]any{"turn": turn.Number})
	}
	var count api.CountView
	e.referee.must(http.MethodGet, fmt.Sprintf("/games/%d/count", game), nil, &count)
	charges := make([]int, 4)
	for seat, rack := range count.View.Result.Racks {
		if charges[seat] = 100; judge.CanOpen(e.rules(t), tile.CountFaces(rack), false) {
			charges[seat] = 200
		}
	}
	for seat, points := range count.View.Result.Points {
		if over := charges[seat] - slices.Min(charges); points != score.Whole(-over) {
			t.Errorf("table %d seat %d: got %v, want -%d", table+1, seat, points, over)
		}
	}
	e.settle(t, table, game, want)
}

// playReal plays a few turns with real tiles and counts: table 3 by faces, table 4 by points.
func (e *event) playReal(t *testing.T, table, number int, want map[int64]*scored) {
	t.Helper()
	game := e.round.Tables[table].Games[number].ID
	e.at(table, 1).post(game, "starter", map[string]any{"seat": 0})
	for seat := range 4 {
		e.at(table, seat).post(game, "ready", map[string]any{"turn": 0})
	}
	for turn := 1; turn <= 4; turn++ {
		e.at(table, turn-1).post(game, "end-turn", map[string]any{"turn": turn, "opened": turn != 4 || table == 3})
	}
	if table == 2 {
		e.at(table, 0).post(game, "end-turn", map[string]any{"turn": 5, "out": true})
		racks := []map[string]any{{"tiles": []string{}, "opened": true},
			{"tiles": []string{"R3", "K13"}, "opened": true}, {"tiles": []string{"J", "O2"}, "opened": true},
			{"tiles": strings.Fields("R10 B10 K10 O1 O2 B4 K6 R1 B6 O12 K3 R8 B13 O5"), "opened": false}}
		e.at(table, 2).post(game, "count-racks", map[string]any{"racks": racks})
	} else {
		e.referee.post(game, "call-time", map[string]any{"reason": "the slot is over"})
		for turn := 5; turn <= 8; turn++ {
			e.at(table, turn-5).post(game, "end-turn", map[string]any{"turn": turn})
		}
		totals := []map[string]any{{"points": -15, "opened": true}, {"points": 0, "opened": true, "won": true},
			{"points": -7, "opened": true}, {"points": -35, "opened": true}}
		e.referee.post(game, "count-racks", map[string]any{"totals": totals, "lowest": 5})
	}
	e.settle(t, table, game, want)
}

func (e *event) rules(t *testing.T) ruleset.Ruleset {
	t.Helper()
	var detail api.TournamentDetail
	e.public().must(http.MethodGet, fmt.Sprintf("/tournaments/%d", e.id), nil, &detail)
	return detail.Rules
}

func (e *event) standings(t *testing.T) (view api.StandingsView) {
	t.Helper()
	e.public().must(http.MethodGet, fmt.Sprintf("/tournaments/%d/standings", e.id), nil, &view)
	return view
}
