package draw_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/pairing"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
)

// seatsOf returns the file lines of a round that seats players 1 to n in order.
func seatsOf(round, n int) (lines string) {
	for i := range n {
		lines += fmt.Sprintf("%d,%d,%d,%d\n", round, i/4+1, i%4+1, i+1)
	}
	return lines
}

func TestSeatByScript(t *testing.T) {
	s, tour, _ := drafted(t, 8, "random")
	ctx := context.Background()
	for _, row := range []struct{ file, want string }{
		{"", "err_script_empty"},
		{"table,seat\n1,1\n", "err_script_no_column 1"},
		{"table,seat,player,shoe\n1,1,1,38\n", "err_script_column 1"},
		{"table,seat,player\n1,1,1\n1,5,2\n", "err_script_value 3"},
		{"table,seat,player\n1,1,1\n1,x,2\n", "err_script_value 3"},
		{"table,seat,player\n1,1,1\n1,2,99\n", "err_script_player 3"},
		{"table,seat,player\n1,1,1\n1,2,2\n2,1,1\n", "err_script_twice 4"},
		{"table,seat,player\n1,1,1\n1,1,2\n", "err_script_taken 3"},
		{"table,seat,player\n1,1,1\n1,3,2\n", "err_script_gap 3"},
		{"table,seat,player\n1,1,1\n1,2,2\n1,3,3\n1,4,4\n", "err_script_missing 5"},
		{"table,seat,player\n1,1,\"1\n", "err_script_quotes 2"},
		{"round,table,seat,player\n1,1,1,1\n4,1,1,1\n", "err_script_round 3"},
		{"round,table,seat,player\n" + seatsOf(1, 8) + "3,1,1,1\n", "err_script_no_round 10"},
		{"round,table,seat,player\n" + seatsOf(1, 8) + "2,1,1,1\n2,1,2,1\n", "err_script_twice 11"},
		{"round,table,seat,player\n" + seatsOf(1, 8) + seatsOf(2, 7), "err_script_missing 16"},
		{"table,seat,player\n1,1,1\n", "err_script_size 2"},
	} {
		_, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, eventtest.ByFile(tour, row.file, ""))
		var refused *refuse.Error
		if !errors.As(err, &refused) {
			t.Fatalf("%q: %v", row.file, err)
		}
		if got := fmt.Sprint(refused.Key, " ", refused.Args["line"]); !strings.HasPrefix(got, row.want) {
			t.Errorf("%q: got %s, want %s", row.file, got, row.want)
		}
	}
	file := "sep=;\r\nTorneo sociale;;;\r\nTurno;Tavolo;Posto;N.;Punti\r\n"
	for i := range 8 {
		file += fmt.Sprintf("1;%d;%d.0;%d;%d\r\n", i/4+1, i%4+1, 8-i, 40-i)
	}
	byFile := eventtest.ByFile(tour, file, "as drawn by hand")
	byFile.Ignore = true
	round, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, byFile)
	if err != nil || round.Method != pairing.Script || round.Draws != 2 || round.Note != "as drawn by hand" {
		t.Fatalf("got %+v, %v", round, err)
	}
	players, _ := tournament.Players(ctx, s, tour.ID)
	number := map[int64]int{}
	for _, p := range players {
		number[p.ID] = p.Number
	}
	tables, _ := tournament.TablesOf(s.Read, round.ID)
	for i, id := range slices.Concat(tables...) {
		if number[id] != 8-i {
			t.Errorf("place %d: number %d, want %d", i, number[id], 8-i)
		}
	}
}

// TestAFileThatNoLongerFits checks that a file that does not match the current players is not used, and that nothing
// replaces it without a request.
func TestAFileThatNoLongerFits(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	tour := eventtest.NewTournament(t, s, "open", 1)
	eventtest.EnterPlayers(t, s, tour, 8)
	round, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, eventtest.ByFile(tour,
		"round,table,seat,player\n"+seatsOf(1, 8)+seatsOf(2, 8), ""))
	if err != nil {
		t.Fatal(err)
	}
	confirmAll(t, s, round)
	players, _ := tournament.Players(ctx, s, tour.ID)
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		people.LeaveEvent{Tournament: tour.ID, Player: players[4].ID,
			Why: "ill"}); err != nil {
		t.Fatal(err)
	}
	_, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}})
	var refused *refuse.Error
	if !errors.As(err, &refused) || refused.Key != "err_script_stale" || refused.Args["player"] != players[4].Name {
		t.Fatalf("got %v", err)
	}
	if err := mayPromise(s, tour); err != nil {
		t.Errorf("a promise: %v", err)
	}
	if round, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Method: pairing.Random}}); err != nil {
		t.Fatal(err)
	}
	if tables, _ := tournament.TablesOf(s.Read, round.ID); len(slices.Concat(tables...)) != 7 {
		t.Errorf("got %v", tables)
	}
}

// TestADrawIsNotTheFile checks that requesting a draw does not return the file's seats for the round.
func TestADrawIsNotTheFile(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	tour := eventtest.NewTournament(t, s, "open", 1)
	eventtest.EnterPlayers(t, s, tour, 8)
	first, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, eventtest.ByFile(tour,
		"round,table,seat,player\n"+seatsOf(1, 8)+seatsOf(2, 8), ""))
	if err != nil {
		t.Fatal(err)
	}
	confirmAll(t, s, first)
	round, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Method: pairing.Plan}})
	if err != nil || round.Method != pairing.Plan || round.Seed == first.Seed || round.Replanned != 0 {
		t.Fatalf("got %+v, %v", round, err)
	}
	said, _ := tournament.TablesOf(s.Read, first.ID)
	if tables, _ := tournament.TablesOf(s.Read, round.ID); reflect.DeepEqual(tables, said) {
		t.Errorf("they sit as the file says: %v", tables)
	}
}
