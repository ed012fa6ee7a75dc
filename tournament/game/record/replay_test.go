package record

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// recorded is a game without a store: a list of events decided by the engine.
type recorded struct {
	t      testing.TB
	state  engine.State
	events []engine.Event
}

// record begins a game of two with these racks. The pool's next tiles follow.
func record(t testing.TB, rules ruleset.Ruleset, racks [2]string, pool string) *recorded {
	t.Helper()
	r := &recorded{t: t}
	deal := seededDeal(1)
	front := strings.Join([]string{racks[0], racks[1], pool}, " ")
	for i, f := range faceList(t, front) {
		j := i + slices.IndexFunc(deal.Pool[i:], func(x tile.Tile) bool { return x.Face() == f })
		deal.Pool[i], deal.Pool[j] = deal.Pool[j], deal.Pool[i]
	}
	r.do(engine.Start{Rules: rules, Seats: 2, First: 0, Deal: deal})
	for seat := range 2 {
		r.do(engine.Ready{Seat: seat, Turn: r.state.Turn.Number})
	}
	return r
}

func faceList(t testing.TB, text string) []tile.Face {
	t.Helper()
	faces, err := tile.ParseFaces(text)
	if err != nil {
		t.Fatal(err)
	}
	return faces
}

func (r *recorded) do(c engine.Command) {
	r.t.Helper()
	at := r.state.At + 1000
	if _, ok := c.(engine.Expire); ok {
		at = r.state.Turn.Due + 3000 // after the grace period
	}
	events, err := engine.Decide(&r.state, c, false, time.UnixMilli(int64(at)))
	if err != nil {
		r.t.Fatalf("%T: %v", c, err)
	}
	for _, e := range events {
		r.state = engine.Apply(r.state, e)
	}
	r.events = append(r.events, events...)
}

func (r *recorded) draw() {
	r.t.Helper()
	r.do(engine.Draw{Seat: r.state.Turn.Seat, Turn: r.state.Turn.Number})
}

// play lays sets in addition to those on the table.
func (r *recorded) play(sets ...string) {
	r.t.Helper()
	c := engine.Play{Seat: r.state.Turn.Seat, Turn: r.state.Turn.Number}
	for _, set := range r.state.Table.Faces() {
		c.Table = append(c.Table, tile.LaidFaces{At: tile.SomewhereFree, Faces: set})
	}
	for _, set := range sets {
		c.Table = append(c.Table, tile.LaidFaces{At: tile.SomewhereFree, Faces: faceList(r.t, set)})
	}
	r.do(c)
}

// rulesNamed returns the rule set with a name.
func rulesNamed(t testing.TB, name string) ruleset.Ruleset {
	t.Helper()
	rules, err := ruleset.ParseRuleset(ruleset.Ruleset{}, []byte(storetest.Rules(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func wrc(t testing.TB, change func(*ruleset.Ruleset)) ruleset.Ruleset {
	t.Helper()
	rules := rulesNamed(t, "wrc")
	if change != nil {
		change(&rules)
	}
	return rules
}

func TestReplayTurns(t *testing.T) {
	r := record(t, wrc(t, nil), [2]string{"K1 K2 K3 K4 R10 B10 O10 R1 R3 R5 R7 B2 B4 B6",
		"O1 O3 O5 O7 O9 B1 B3 B5 B7 B9 B11 R9 R11 R13"}, "J K10 O2")
	r.do(engine.Penalise{Grounds: engine.Grounds{Reason: "late"}, Seat: 0, Tiles: 1}) // draws the joker
	r.play("R10 B10 O10")
	r.draw()
	r.do(engine.CallReferee{Seat: 0})
	r.do(engine.Expire{})
	turns := ReplayTurns(r.events)
	if len(turns) != 3 {
		t.Fatalf("%d turns, not 3", len(turns))
	}
	for i, want := range []struct {
		seat, played, drawn, since int
		kind, rack, table          string
	}{
		{0, 3, 0, 1, "tiles_played", "K1 K2 K3 K4 R1 R3 R5 R7 R10 B2 B4 B6 B10 O10 J", "[[R10 B10 O10]]"},
		{1, 0, 1, 0, "tile_drawn", "R9 R11 R13 B1 B3 B5 B7 B9 B11 O1 O3 O5 O7 O9", "[[R10 B10 O10]]"},
		{0, 0, 3, 0, "turn_expired", "K1 K2 K3 K4 R1 R3 R5 R7 B2 B4 B6 J", "[[R10 B10 O10]]"},
	} {
		turn := turns[i]
		rack := fmt.Sprint(turn.Rack())
		if turn.Number != i+1 || turn.Seat() != want.seat || turn.Played() != want.played ||
			turn.Drawn() != want.drawn || len(turn.Since) != want.since ||
			turn.Event.Kind() != want.kind || rack != fmt.Sprint(faceList(t, want.rack)) ||
			fmt.Sprint(turn.After.Table.Faces()) != want.table {
			t.Errorf("turn %d: seat %d %s, %d played, %d drawn, %d since, rack %s, table %v", turn.Number, turn.Seat(),
				turn.Event.Kind(),
				turn.Played(), turn.Drawn(), len(turn.Since), rack, turn.After.Table.Faces())
		}
	}
	if slices.Contains(turns[0].Start, 104) || slices.Contains(turns[0].Start, 105) {
		t.Error("the penalty is on the rack at the start of the turn")
	}
}

func TestPossibleIsALegalPlay(t *testing.T) {
	r := record(t, wrc(t, nil), [2]string{"K1 K2 K3 K4 R10 B10 O10 R1 R3 R5 R7 B2 B4 B6",
		"O1 O3 O5 O7 O9 B1 B3 B5 B7 B9 B11 R9 R11 R13"}, "K5 K10 O2")
	r.play("R10 B10 O10")
	r.draw()
	r.draw()
	turns := ReplayTurns(r.events)
	for i, tiles := range []int{7, 0, 4} { // K1 to K4 and the tens; nothing; K1 to K4
		play := turns[i].Possible(solve.Question{Keep: true})
		if !play.Proven {
			t.Fatalf("turn %d: not proved", i+1)
		}
		if play.Tiles != tiles {
			t.Fatalf("turn %d: %d tiles, want %d", i+1, play.Tiles, tiles)
		}
		if tiles == 0 {
			continue
		}
		table, err := turns[i].Best(play)
		if err != nil {
			t.Fatal(err)
		}
		marked := 0
		for _, set := range table {
			marked += len(set.New)
		}
		if marked != tiles {
			t.Errorf("turn %d: %d tiles marked, want %d", i+1, marked, tiles)
		}
	}
	if _, err := turns[0].Best(solve.Play{Tiles: 3, Table: [][]tile.Face{faceList(t, "K1 K2 K4")}}); err == nil {
		t.Error("an illegal play is shown as the best")
	}
}

// TestOpeningProofs plays games in which seat 1 never opens; seat 0 ends each by calling time.
func TestOpeningProofs(t *testing.T) {
	const winner = "R10 B10 K10 O10 K1 K1 K2 K2 O1 O1 O2 O2 B13 B13"
	for _, c := range []struct {
		name, rack, drawn, when string
		able                    bool
		turn, points            int
		sets                    string
	}{
		{"could have", "R11 R12 R13 B1 B3 B5 K4 K6 K8 O5 O7 O9 R1 R3", "R7", ruleset.AtEnd, true, 0, 36,
			"[[R11 R12 R13]]"},
		{"not enough", "R7 R8 R9 B1 B3 B5 K4 K6 K12 O5 O13 K13 R1 R3", "B11", ruleset.AtEnd, false, 0, 24,
			"[[R7 R8 R9]]"},
		{"no set at all", "R7 R9 R11 B1 B3 B5 K4 K6 K8 O4 O6 O12 R1 R3", "B7", ruleset.AtEnd, false, 0, 0, "[]"},
		{"since the second own turn", "R11 R12 B6 B1 B3 B5 K4 K6 K8 O5 O7 O9 R1 R3", "R13", ruleset.AnyTurn, true, 4,
			36,
			"[[R11 R12 R13]]"},
		{"the same, looked at at the end", "R11 R12 B6 B1 B3 B5 K4 K6 K8 O5 O7 O9 R1 R3", "R13", ruleset.AtEnd, true, 0,
			36, "[[R11 R12 R13]]"},
		{"never, at any turn", "R7 R8 R9 B1 B3 B5 K4 K6 K12 O5 O13 K13 R1 R3", "B11", ruleset.AnyTurn, false, 0, 24,
			"[[R7 R8 R9]]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rules := wrc(t, func(r *ruleset.Ruleset) { r.AbleWhen = c.when })
			r := record(t, rules, [2]string{winner, c.rack}, c.drawn+" R2 O12")
			r.play("K10 R10 B10 O10")
			r.draw()
			r.draw()
			r.do(engine.CallTime{Grounds: engine.Grounds{Reason: "late"}})
			r.draw()
			if r.state.Phase != engine.PhaseOver {
				t.Fatal("the game goes on")
			}
			proofs := openingProofs(r.state, ReplayTurns(r.events))
			if len(proofs) != 1 {
				t.Fatalf("%d proofs, want 1", len(proofs))
			}
			p := proofs[0]
			if p.Seat != 1 || p.Able != c.able || p.Turn != c.turn || p.Points != c.points ||
				fmt.Sprint(p.Sets) != c.sets || p.Need != 30 {
				t.Errorf("got %+v", p)
			}
			if reason := r.state.End.Outcome.Charges[1].Reason; (reason == score.ReasonNoMeldAble) != p.Able {
				t.Errorf("charged as %s, the proof says able: %v", reason, p.Able)
			}
			for _, set := range p.Sets {
				if !tile.Valid(set) {
					t.Errorf("%v is no set", set)
				}
			}
			if laid := tile.CountFaces(facesOf(p.Sets)...); !laid.Within(tile.CountFaces(p.Rack)) {
				t.Errorf("%v is not on the rack %v", p.Sets, p.Rack)
			}
		})
	}
	for _, when := range []string{ruleset.AtEnd, ruleset.AnyTurn} {
		t.Run("by the relief, "+when, func(t *testing.T) {
			rules := wrc(t, func(r *ruleset.Ruleset) { r.AbleWhen, r.LastToOpenRelief = when, true })
			r := record(t, rules, [2]string{winner, "R1 R2 R3 B1 B2 B3 K4 K6 K8 O5 O7 O9 R9 R11"}, "K12 R7 O12")
			r.play("K10 R10 B10 O10")
			r.draw()
			r.do(engine.CallTime{Grounds: engine.Grounds{Reason: "late"}})
			r.draw()
			r.draw()
			proofs := openingProofs(r.state, ReplayTurns(r.events))
			if len(proofs) != 1 || !proofs[0].Able || !proofs[0].Relief || proofs[0].Points != 12 ||
				len(proofs[0].Sets) != 2 {
				t.Errorf("got %+v", proofs)
			}
			if reason := r.state.End.Outcome.Charges[1].Reason; reason != score.ReasonNoMeldAble {
				t.Errorf("charged as %s", reason)
			}
		})
	}
	t.Run("rules without such a charge need no proof", func(t *testing.T) {
		s := engine.State{Rules: rulesNamed(t, "family"), Seats: 2}
		if proofs := openingProofs(s, nil); proofs != nil {
			t.Errorf("got %v", proofs)
		}
	})
}

func facesOf(sets []tile.FaceList) [][]tile.Face {
	faces := make([][]tile.Face, len(sets))
	for i, set := range sets {
		faces[i] = set
	}
	return faces
}

func TestAuthorizeReplay(t *testing.T) {
	ref := game.Ref{ID: 5, TournamentID: 1, TableID: 9, Players: []int64{11, 12, 13, 14}}
	player := func(id, table int64) rights.Actor {
		return rights.Actor{Role: rights.RolePlayer, Tournament: 1, Player: id, Table: table, Seat: 0}
	}
	for _, c := range []struct {
		name                   string
		actor                  rights.Actor
		running, over, counted *refuse.Error
	}{
		{"public", rights.Public(), refuse.ErrConflict, refuse.ErrForbidden, nil},
		{"a player of the game", player(12, 9), refuse.ErrConflict, nil, nil},
		{"a player of the game, by now at another table", player(12, 10), refuse.ErrConflict, nil, nil},
		{"another player at the same table later", player(15, 9), refuse.ErrConflict, refuse.ErrForbidden, nil},
		{"referee", rights.Staff(rights.RoleReferee, "Ann"), refuse.ErrConflict, nil, nil},
		{"organizer", rights.Staff(rights.RoleOrganizer, "Bo"), refuse.ErrConflict, nil, nil},
		{"nobody", rights.Actor{}, refuse.ErrConflict, refuse.ErrForbidden, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, at := range []struct {
				over, confirmed bool
				want            *refuse.Error
			}{{false, false, c.running}, {true, false, c.over}, {true, true, c.counted}} {
				err := AuthorizeReplay(c.actor, ref, at.over, at.confirmed)
				if at.want == nil && err != nil || at.want != nil && !errors.Is(err, at.want) {
					t.Errorf("over %v, confirmed %v: got %v, want %v", at.over, at.confirmed, err, at.want)
				}
			}
		})
	}
}

func TestReplayOfAStoredGame(t *testing.T) {
	s, err := store.Open(filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	game := storetest.Hall(t, s, 1, 1)[0]
	g, ctx := runner(t, s), context.Background()
	begin(t, g)
	gametest.ReadyAll(t, g, game)
	referee := rights.Staff(rights.RoleReferee, "Ann")
	if _, err := NewReader(g).Replay(ctx, referee, game); !errors.Is(err, refuse.ErrConflict) {
		t.Fatalf("a running game is shown: %v", err)
	}
	if _, err := g.Submit(ctx, referee, game, "",
		engine.CallTime{Grounds: engine.Grounds{Reason: "late"}}); err != nil {
		t.Fatal(err)
	}
	for snap := gametest.Look(t, g, game); snap.State.Phase == engine.PhasePlaying; snap = gametest.Look(t, g, game) {
		turn := snap.State.Turn
		if _, err := g.Submit(ctx, gametest.Player(snap, turn.Seat), game, "",
			engine.Draw{Seat: turn.Seat, Turn: turn.Number}); err != nil {
			t.Fatal(err)
		}
	}
	snap := gametest.Look(t, g, game)
	r, err := NewReader(g).Replay(ctx, gametest.Player(snap, 2), game)
	if err != nil || len(r.Turns) != 4 || len(r.Openings) != 4 || r.Confirmed {
		t.Fatalf("%d turns, %d proofs, confirmed %v, %v", len(r.Turns), len(r.Openings), r.Confirmed, err)
	}
	if _, err := NewReader(g).Replay(ctx, rights.Public(), game); !errors.Is(err, refuse.ErrForbidden) {
		t.Errorf("the public before the count is confirmed: %v", err)
	}
	if err := g.DB.Write.Exec(`INSERT INTO results (game_id, rev, status, ending, actor, why, at) VALUES (?, 2, 'confirmed', 'time', 'Ann', '', 2)`, game).Error; err != nil {
		t.Fatal(err)
	}
	if r, err := NewReader(g).Replay(ctx, rights.Public(), game); err != nil || !r.Confirmed {
		t.Errorf("the public after the count is confirmed: %v", err)
	}
}
