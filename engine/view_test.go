package engine

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

func TestView(t *testing.T) {
	s := board(t, "wrc turn 7 of B\ntable R4 J R6; K5 O5 B5\nA* J B2 K9\nB* R5 B9\npool O1 O2 O3 O4")
	s = do(t, s, Play{1, 7, asLaid(t, "R4 R5 R6 J; K5 O5 B5")}, noon)
	t.Run("a seat sees its own rack in face order", func(t *testing.T) {
		if v := ViewFor(&s, 0); !slices.Equal(v.Rack, []tile.Face{8, 27, tile.Joker}) || v.Seat != 0 {
			t.Errorf("rack %v", v.Rack)
		}
	})
	t.Run("nobody else sees a rack while the game runs", func(t *testing.T) {
		for _, viewer := range []int{Spectator, Referee, 7} {
			data, err := json.Marshal(ViewFor(&s, viewer))
			if v := ViewFor(&s, viewer); v.Rack != nil || v.Drawn != nil || v.Result != nil || err != nil ||
				strings.Contains(string(data), `"K9"`) {
				t.Errorf("viewer %d: %s, %v", viewer, data, err)
			}
		}
	})
	t.Run("what was laid last is marked", func(t *testing.T) {
		v := ViewFor(&s, Spectator)
		if len(v.Table) != 2 || v.Table[1].New != nil || !slices.Equal(v.Table[0].New, []int{1}) ||
			!slices.Equal(v.Last.Played, []tile.Face{17}) {
			t.Errorf("table %+v, last %+v", v.Table, v.Last)
		}
		if v.Seats[1].Tiles != 1 || v.Pool != 4 || v.Turn.Seat != 0 {
			t.Errorf("%+v", v)
		}
	})
	t.Run("who passed and could have laid is told at the table, after the game", func(t *testing.T) {
		for _, row := range []struct {
			racks  string
			could  []int
			proven bool
		}{{"A* K1\nB* R7 O1\nC* K3 R8", []int{1}, false}, {"A* K1 R3\nB* R7 O1\nC* K3 R8", []int{0, 1}, false},
			{"A* K1\nB R7 O1\nC* K3 R8", nil, true}} {
			s := board(t, "casual turn 7 of A passes 0\ntable R4 R5 R6\n"+row.racks+"\npool")
			for s.Phase == PhasePlaying {
				s = do(t, s, Pass{s.Turn.Seat, s.Turn.Number}, noon)
			}
			for _, viewer := range []int{0, 2, Referee} {
				if r := ViewFor(&s, viewer).Result; r.Why != ruleset.EndedStuck || !slices.Equal(r.Could, row.could) ||
					r.Proven != row.proven {
					t.Errorf("%q, viewer %d: %s, %v could, proven %v", row.racks, viewer, r.Why, r.Could, r.Proven)
				}
			}
			if r := ViewFor(&s, Spectator).Result; r.Could != nil || r.Proven {
				t.Errorf("a spectator reads %v, %v of hidden racks", r.Could, r.Proven)
			}
		}
	})
	t.Run("penalty tiles are counted", func(t *testing.T) {
		s := do(t, do(t, s, Penalise{Grounds: Grounds{Reason: "x"}, Seat: 0, Tiles: 2}, noon),
			Penalise{Grounds: Grounds{Reason: "x"}, Seat: 0, Tiles: 1}, noon)
		if v := ViewFor(&s, Spectator); v.Seats[0].Penalties != 3 || v.Seats[0].Tiles != 6 ||
			v.Seats[1].Penalties != 0 {
			t.Errorf("%+v", v.Seats)
		}
	})
	t.Run("a drawn tile is shown to the drawer only", func(t *testing.T) {
		s := do(t, s, Draw{0, 8}, noon)
		if v := ViewFor(&s, 0); !slices.Equal(v.Drawn, []tile.Face{39}) {
			t.Errorf("drawn %v", v.Drawn)
		}
		if v := ViewFor(&s, 1); v.Drawn != nil || v.Last.Drawn != 1 {
			t.Errorf("another sees %v, %+v", v.Drawn, v.Last)
		}
	})
	t.Run("at the end the referee sees the racks, all the order and the salt", func(t *testing.T) {
		s := started(t, presetRules(t, "wrc"), 2, 0, dealt(t, "R1 R2 R3 R4 R5 R6 R7 B7 B8 B9 B10 B11 B12 J", ""))
		s = do(t, do(t, s, Ready{0, 0}, noon), Ready{1, 0}, noon)
		for _, viewer := range []int{0, 1, Spectator, Referee} {
			data, _ := json.Marshal(ViewFor(&s, viewer))
			if strings.Contains(string(data), s.Salt) || !strings.Contains(string(data), s.Commitment) {
				t.Errorf("viewer %d sees the salt early, or no commitment: %s", viewer, data)
			}
		}
		s = do(t, s, Play{}.at(s).with(t, "R1 R2 R3 R4 R5 R6 R7; B7 B8 B9 B10 B11 B12 J"), noon)
		for _, viewer := range []int{0, 1, Spectator, Referee} {
			r := ViewFor(&s, viewer).Result
			if (r.Racks != nil) != (viewer != Spectator) || r.Salt != s.Salt ||
				Commit(Deal{Pool: r.Order, Draws: tile.List(tile.All()), Salt: r.Salt}) != s.Commitment {
				t.Errorf("viewer %d: racks %v, salt %q, order of %d", viewer, r.Racks, r.Salt, len(r.Order))
			}
		}
	})
}

func (p Play) with(t *testing.T, table string) Play {
	t.Helper()
	p.Table = asLaid(t, table)
	return p
}

func (p Play) at(s State) Play { return Play{Seat: s.Turn.Seat, Turn: s.Turn.Number} }

// TestTableViewJSON checks that the table's own JSON is that of encoding/json.
func TestTableViewJSON(t *testing.T) {
	table := tile.TableView{
		{At: 0, Tiles: tile.FaceList{tile.NewFace(tile.Red, 4), tile.Joker, tile.NewFace(tile.Red, 6)},
			New: []int{1, 2}},
		{At: 181, Tiles: tile.FaceList{}},
	}
	for _, view := range []tile.TableView{table, {}, table[:1]} {
		got, err := json.Marshal(view)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal([]tile.LaidView(view))
		if err != nil || string(got) != string(want) {
			t.Errorf("got %s, want %s (%v)", got, want, err)
		}
	}
}
