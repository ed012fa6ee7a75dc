package tournament

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/refuse/refusetest"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/store"
)

// newChartEvent returns a tournament of twelve players whose rounds are seated by the number chart.
func newChartEvent(t *testing.T) (*store.DB, Tournament, []Player) {
	t.Helper()
	s := newStore(t)
	tour := newTournament(t, s, "open", 1, func(f *format.Format) { f.Stages[0].Seating = format.Chart })
	enterPlayers(t, s, tour, 12)
	players, err := Players(t.Context(), s, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	return s, tour, players
}

// seatedByChart drafts a round and returns the players' numbers at each table of that round and the planned ones.
func seatedByChart(t *testing.T, s *store.DB, tour Tournament, number func(Player) int) (rounds [][][]int) {
	t.Helper()
	round, err := action.Do(t.Context(), deskOf(s), organizer,
		PairRound{Tournament: tour.ID, PairingOptions: PairingOptions{}})
	if err != nil || round.Method != pairing.Chart {
		t.Fatalf("got %+v, %v", round, err)
	}
	players, _ := Players(t.Context(), s, tour.ID)
	first, _ := tablesOf(s.Read, round.ID)
	for _, tables := range append([]pairing.Round{first}, round.plan()...) {
		var numbers [][]int
		for _, table := range tables {
			var at []int
			for _, id := range table {
				at = append(at, number(players[slices.IndexFunc(players, func(p Player) bool { return p.ID == id })]))
			}
			numbers = append(numbers, at)
		}
		rounds = append(rounds, numbers)
	}
	return rounds
}

// TestTheChartGoesByDrawnNumbers checks that the number chart depends only on the number of players: players with the
// same numbers get the same seats, whatever the order of entry.
func TestTheChartGoesByDrawnNumbers(t *testing.T) {
	s, tour, _ := newChartEvent(t)
	want := seatedByChart(t, s, tour, func(p Player) int { return p.Number })
	if len(want) != 3 {
		t.Fatalf("got %v", want)
	}
	t.Run("all have drawn", func(t *testing.T) {
		s, tour, players := newChartEvent(t)
		numbers := map[int64]int{}
		for i, p := range players {
			numbers[p.ID] = (i*5+7)%12 + 1
		}
		if _, err := action.Do(t.Context(), deskOf(s), organizer,
			WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(numbers)}); err != nil {
			t.Fatal(err)
		}
		if got := seatedByChart(t, s, tour, func(p Player) int { return p.Drawn }); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		entries, _ := action.Records(t.Context(), s, organizer, tour.ID, 20)
		if n := slices.IndexFunc(entries, func(e action.Record) bool {
			return e.Kind == "player.drawn" && e.About().Player == players[0].Number &&
				e.About().Name == players[0].Name && toldAfter(e) == "[{ map[text:8]}]"
		}); n < 0 {
			t.Errorf("got %+v", entries)
		}
	})
	t.Run("some have", func(t *testing.T) {
		s, tour, players := newChartEvent(t)
		if _, err := action.Do(t.Context(), deskOf(s), organizer,
			WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(map[int64]int{players[4].ID: 1,
				players[0].ID: 12})}); err != nil {
			t.Fatal(err)
		}
		place := map[int64]int{players[4].ID: 1, players[0].ID: 12}
		for i, at := range []int{1, 2, 3, 5, 6, 7, 8, 9, 10, 11} { // in the order of entry
			place[players[at].ID] = i + 2
		}
		if got := seatedByChart(t, s, tour, func(p Player) int { return place[p.ID] }); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestTheRestOfTheNumbersIsDrawnByLot(t *testing.T) {
	s, tour, players := newChartEvent(t)
	if _, err := action.Do(t.Context(), deskOf(s), organizer,
		WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(map[int64]int{players[4].ID: 3})}); err != nil {
		t.Fatal(err)
	}
	if n, err := action.Do(t.Context(), deskOf(s), organizer, DrawNumbers{Tournament: tour.ID}); err != nil || n != 11 {
		t.Fatalf("%d were drawn, %v", n, err)
	}
	after, _ := Players(t.Context(), s, tour.ID)
	drawn := map[int]bool{}
	for _, p := range after {
		drawn[p.Drawn] = p.Drawn >= 1 && p.Drawn <= 12
	}
	if len(drawn) != 12 || drawn[0] || after[4].Drawn != 3 {
		t.Errorf("got %v", drawn)
	}
	if n, err := action.Do(t.Context(), deskOf(s), organizer, DrawNumbers{Tournament: tour.ID}); err != nil || n != 0 {
		t.Errorf("again: %d, %v", n, err)
	}
	// two players exchange numbers in one action
	a, b := after[4], after[5]
	if _, err := action.Do(t.Context(), deskOf(s), organizer,
		WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(map[int64]int{a.ID: b.Drawn,
			b.ID: a.Drawn})}); err != nil {
		t.Fatal(err)
	}
}

func TestLotsAreRepeatedFromTheSeedInTheLog(t *testing.T) {
	// draw returns the players' numbers in the order of entry, and the seed from the log.
	draw := func(s *store.DB, tour Tournament) (drawn []int, seed int64) {
		t.Helper()
		if _, err := action.Do(t.Context(), deskOf(s), organizer, DrawNumbers{Tournament: tour.ID}); err != nil {
			t.Fatal(err)
		}
		players, _ := Players(t.Context(), s, tour.ID)
		for _, p := range players {
			drawn = append(drawn, p.Drawn)
		}
		entries, _ := action.Records(t.Context(), s, organizer, tour.ID, 1)
		if len(entries) != 1 || entries[0].Kind != "player.drawn_lot" {
			t.Fatalf("the log says %+v", entries)
		}
		said := entries[0].Details().(*drawnChange)
		if want := fmt.Sprintf("[{log.is.drawn_lot map[number:%d seed:%d]}]", said.Is, said.Seed); said.Seed == 0 ||
			toldAfter(entries[0]) != want {
			t.Fatalf("it is told as %s, want %s", toldAfter(entries[0]), want)
		}
		return drawn, said.Seed
	}
	s, tour, players := newChartEvent(t)
	other, same, _ := newChartEvent(t)
	deskOf(s).Seeds, deskOf(other).Seeds = action.RandomSeed, action.RandomSeed
	first, seed := draw(s, tour)
	if again, with := draw(other, same); slices.Equal(again, first) || with == seed {
		t.Errorf("an equal event draws the same lots: %v with %d", again, with)
	}
	for i, number := range numberLots(players, seed) {
		if at := slices.IndexFunc(players, func(p Player) bool { return p.ID == i }); first[at] != number {
			t.Errorf("with the seed of the log: player %d has %d, not %d", i, number, first[at])
		}
	}
	back := map[int64]int{}
	for _, p := range players {
		back[p.ID] = 0
	}
	if _, err := action.Do(t.Context(), deskOf(s), organizer,
		WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(back)}); err != nil {
		t.Fatal(err)
	}
	if again, with := draw(s, tour); slices.Equal(again, first) || with == seed {
		t.Errorf("drawn once more it is the same lot: %v with %d", again, with)
	}
}

func TestTheDrawnNumberOfWhoIsReplacedIsFree(t *testing.T) {
	s, tour, players := newChartEvent(t)
	if _, err := action.Do(t.Context(), deskOf(s), organizer,
		WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(map[int64]int{players[2].ID: 7})}); err != nil {
		t.Fatal(err)
	}
	out, err := action.Do(t.Context(), deskOf(s), organizer,
		Substitute{Tournament: tour.ID, Player: players[2].ID, Keep: KeepPerson,
			Entries: []rosterfile.PlayerEntry{{Name: "Instead"}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), deskOf(s), organizer,
		WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(map[int64]int{out.Players[0].ID: 7})}); err != nil {
		t.Fatal(err)
	}
	was, _ := PlayerByID(t.Context(), s, players[2].ID)
	is, _ := PlayerByID(t.Context(), s, out.Players[0].ID)
	if was.Drawn != 0 || is.Drawn != 7 {
		t.Errorf("who is replaced has %d, the other %d", was.Drawn, is.Drawn)
	}
}

func TestDrawnNumbersAreRefused(t *testing.T) {
	s, tour, players := newChartEvent(t)
	if _, err := action.Do(t.Context(), deskOf(s), organizer,
		WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(map[int64]int{players[2].ID: 7})}); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		numbers map[int64]int
		want    string
	}{
		{map[int64]int{players[3].ID: 7}, players[2].Name + " has number 7: " + players[3].Name},
		{map[int64]int{players[3].ID: 8, players[5].ID: 8}, players[3].Name + " has number 8: " + players[5].Name},
		{map[int64]int{players[3].ID: -1}, "-1 is not a possible number"},
		{map[int64]int{players[3].ID: rosterfile.Rows + 1}, "is not a possible number"},
		{map[int64]int{9999: 1}, "not in this event"},
	} {
		_, err := action.Do(t.Context(), deskOf(s), organizer,
			WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(row.numbers)})
		if err == nil || !strings.Contains(refusetest.Text(t, err), row.want) {
			t.Errorf("%v: got %v, want %q", row.numbers, err, row.want)
		}
	}
	if _, err := action.Do(t.Context(), deskOf(s), rights.Staff(rights.RoleReferee, "Bob"),
		WriteDrawn{Tournament: tour.ID}); !errors.Is(err, refuse.ErrForbidden) {
		t.Errorf("by a referee: %v", err)
	}
	if after, _ := Players(t.Context(), s, tour.ID); after[3].Drawn != 0 || after[5].Drawn != 0 || after[2].Drawn != 7 {
		t.Errorf("got %+v", after)
	}
}

// TestADrawnNumberGoesWithThePlace checks that a drawn number survives export and import of the roster, passes to a
// substitute with results of their own, and returns when the substitution is undone.
func TestADrawnNumberGoesWithThePlace(t *testing.T) {
	c, ctx := newCrowd(t, 8), t.Context()
	if _, err := action.Do(ctx, deskOf(c.s), organizer, WriteDrawn{Tournament: c.tour.ID,
		Numbers: drawnNumbers(map[int64]int{c.player(2).ID: 7, c.player(5).ID: 1})}); err != nil {
		t.Fatal(err)
	}
	players, err := PlayersFull(ctx, c.s, organizer, c.tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	var file strings.Builder
	if err := rosterfile.Write(&file, EntriesOf(players)); err != nil {
		t.Fatal(err)
	}
	other := newTournament(t, c.s, "open", 1)
	if _, err := action.Do(ctx, deskOf(c.s), organizer, ImportRoster{Tournament: other.ID,
		File: file.String()}); err != nil {
		t.Fatal(err)
	}
	if now, err := Players(ctx, c.s, other.ID); err != nil || now[1].Drawn != 7 || now[4].Drawn != 1 ||
		now[0].Drawn != 0 {
		t.Errorf("of the other event: %+v, %v", now, err)
	}
	for line, want := range map[string]string{"Zoe,7": "err_drawn_taken", "Zoe,x": "err_drawn_range",
		"Zoe,9\nYan,9": "err_drawn_taken"} {
		roster, err := action.Preview(ctx, deskOf(c.s), organizer,
			ImportRoster{Tournament: c.tour.ID, File: "name,drawn\n" + line + "\n"})
		if err != nil || len(roster.Problems) != 1 || roster.Problems[0].Err.Key != want {
			t.Errorf("%q: %+v, %v", line, roster.Problems, err)
		}
	}
	was := c.people()
	out := c.do(Substitute{Tournament: c.tour.ID, Player: c.player(2).ID, Keep: KeepPerson,
		Entries: []rosterfile.PlayerEntry{{Name: "New Entry"}}})
	if c.player(2).Drawn != 0 || c.player(9).Drawn != 7 || !strings.Contains(effectKeys(out.Effects), "drawn") {
		t.Errorf("%d and %d: %s", c.player(2).Drawn, c.player(9).Drawn, effectKeys(out.Effects))
	}
	if _, err := action.Do(ctx, deskOf(c.s), organizer, WriteDrawn{Tournament: c.tour.ID,
		Numbers: drawnNumbers(map[int64]int{c.player(5).ID: 3})}); err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, deskOf(c.s), organizer, UndoPeople{Change: out.Change}); err != nil ||
		c.player(2).Drawn != 7 {
		t.Errorf("taken back: %d, %v", c.player(2).Drawn, err)
	}
	if _, err := action.Do(ctx, deskOf(c.s), organizer, WriteDrawn{Tournament: c.tour.ID,
		Numbers: drawnNumbers(map[int64]int{c.player(5).ID: 1})}); err != nil || !maps.Equal(c.people(), was) {
		t.Errorf("taken back, it is not as before: %v", err)
	}
	t.Run("what was given away meanwhile is not taken from anybody", func(t *testing.T) {
		out := c.do(Substitute{Tournament: c.tour.ID, Player: c.player(2).ID, Keep: KeepPerson,
			Entries: []rosterfile.PlayerEntry{{Name: "Another"}}})
		_, err := action.Do(ctx, deskOf(c.s), organizer, WriteDrawn{Tournament: c.tour.ID,
			Numbers: drawnNumbers(map[int64]int{out.Players[0].ID: 0, c.player(1).ID: 7})})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := action.Do(ctx, deskOf(c.s), organizer, UndoPeople{Change: out.Change}); !errors.Is(err,
			&refuse.Error{Kind: refuse.KindConflict, Key: "err_undo_changed"}) {
			t.Errorf("got %v", err)
		}
	})
}

// drawnNumbers converts a map by player to a list, in any order.
func drawnNumbers(by map[int64]int) (numbers []DrawnNumber) {
	for player, number := range by {
		numbers = append(numbers, DrawnNumber{player, number})
	}
	return numbers
}
