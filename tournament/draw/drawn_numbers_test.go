package draw_test

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/refuse/refusetest"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/store"
)

// newChartEvent returns a tournament of twelve players whose rounds are seated by the number chart.
func newChartEvent(t *testing.T) (*store.DB, tournament.Tournament, []tournament.Player) {
	t.Helper()
	s := eventtest.NewStore(t)
	tour := eventtest.NewTournament(t, s, "open", 1, func(f *format.Format) { f.Stages[0].Seating = format.Chart })
	eventtest.EnterPlayers(t, s, tour, 12)
	players, err := tournament.Players(t.Context(), s, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	return s, tour, players
}

// seatedByChart drafts a round and returns the players' numbers at each table of that round and the planned ones.
func seatedByChart(t *testing.T, s *store.DB, tour tournament.Tournament,
	number func(tournament.Player) int) (rounds [][][]int) {
	t.Helper()
	round, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}})
	if err != nil || round.Method != pairing.Chart {
		t.Fatalf("got %+v, %v", round, err)
	}
	players, _ := tournament.Players(t.Context(), s, tour.ID)
	first, _ := tournament.TablesOf(s.Read, round.ID)
	for _, tables := range append([]pairing.Round{first}, round.PlannedRounds()...) {
		var numbers [][]int
		for _, table := range tables {
			var at []int
			for _, id := range table {
				at = append(at, number(players[slices.IndexFunc(players,
					func(p tournament.Player) bool { return p.ID == id })]))
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
	want := seatedByChart(t, s, tour, func(p tournament.Player) int { return p.Number })
	if len(want) != 3 {
		t.Fatalf("got %v", want)
	}
	t.Run("all have drawn", func(t *testing.T) {
		s, tour, players := newChartEvent(t)
		numbers := map[int64]int{}
		for i, p := range players {
			numbers[p.ID] = (i*5+7)%12 + 1
		}
		if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			draw.WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(numbers)}); err != nil {
			t.Fatal(err)
		}
		if got := seatedByChart(t, s, tour, func(p tournament.Player) int { return p.Drawn }); !reflect.DeepEqual(got,
			want) {
			t.Errorf("got %v, want %v", got, want)
		}
		entries, _ := action.Records(t.Context(), s, eventtest.Organizer, tour.ID, 20)
		if n := slices.IndexFunc(entries, func(e action.Record) bool {
			return e.Kind == "player.drawn" && e.About().Player == players[0].Number &&
				e.About().Name == players[0].Name && eventtest.ToldAfter(e) == "[{ map[text:8]}]"
		}); n < 0 {
			t.Errorf("got %+v", entries)
		}
	})
	t.Run("some have", func(t *testing.T) {
		s, tour, players := newChartEvent(t)
		if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			draw.WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(map[int64]int{players[4].ID: 1,
				players[0].ID: 12})}); err != nil {
			t.Fatal(err)
		}
		place := map[int64]int{players[4].ID: 1, players[0].ID: 12}
		for i, at := range []int{1, 2, 3, 5, 6, 7, 8, 9, 10, 11} { // in the order of entry
			place[players[at].ID] = i + 2
		}
		if got := seatedByChart(t, s, tour,
			func(p tournament.Player) int { return place[p.ID] }); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestTheRestOfTheNumbersIsDrawnByLot(t *testing.T) {
	s, tour, players := newChartEvent(t)
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(map[int64]int{players[4].ID: 3})}); err != nil {
		t.Fatal(err)
	}
	if n, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.DrawNumbers{Tournament: tour.ID}); err != nil || n != 11 {
		t.Fatalf("%d were drawn, %v", n, err)
	}
	after, _ := tournament.Players(t.Context(), s, tour.ID)
	drawn := map[int]bool{}
	for _, p := range after {
		drawn[p.Drawn] = p.Drawn >= 1 && p.Drawn <= 12
	}
	if len(drawn) != 12 || drawn[0] || after[4].Drawn != 3 {
		t.Errorf("got %v", drawn)
	}
	if n, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.DrawNumbers{Tournament: tour.ID}); err != nil || n != 0 {
		t.Errorf("again: %d, %v", n, err)
	}
	// two players exchange numbers in one action
	a, b := after[4], after[5]
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(map[int64]int{a.ID: b.Drawn,
			b.ID: a.Drawn})}); err != nil {
		t.Fatal(err)
	}
}

func TestLotsAreRepeatedFromTheSeedInTheLog(t *testing.T) {
	// draw returns the players' numbers in the order of entry, and the seed from the log.
	drawing := func(s *store.DB, tour tournament.Tournament) (drawn []int, seed int64) {
		t.Helper()
		if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			draw.DrawNumbers{Tournament: tour.ID}); err != nil {
			t.Fatal(err)
		}
		players, _ := tournament.Players(t.Context(), s, tour.ID)
		for _, p := range players {
			drawn = append(drawn, p.Drawn)
		}
		entries, _ := action.Records(t.Context(), s, eventtest.Organizer, tour.ID, 1)
		if len(entries) != 1 || entries[0].Kind != "player.drawn_lot" {
			t.Fatalf("the log says %+v", entries)
		}
		said := entries[0].Details().(*draw.DrawnChange)
		if want := fmt.Sprintf("[{log.is.drawn_lot map[number:%d seed:%d]}]", said.Is, said.Seed); said.Seed == 0 ||
			eventtest.ToldAfter(entries[0]) != want {
			t.Fatalf("it is told as %s, want %s", eventtest.ToldAfter(entries[0]), want)
		}
		return drawn, said.Seed
	}
	s, tour, players := newChartEvent(t)
	other, same, _ := newChartEvent(t)
	eventtest.DeskOf(s).Seeds, eventtest.DeskOf(other).Seeds = action.RandomSeed, action.RandomSeed
	first, seed := drawing(s, tour)
	if again, with := drawing(other, same); slices.Equal(again, first) || with == seed {
		t.Errorf("an equal event draws the same lots: %v with %d", again, with)
	}
	for i, number := range draw.NumberLots(players, seed) {
		if at := slices.IndexFunc(players, func(p tournament.Player) bool { return p.ID == i }); first[at] != number {
			t.Errorf("with the seed of the log: player %d has %d, not %d", i, number, first[at])
		}
	}
	back := map[int64]int{}
	for _, p := range players {
		back[p.ID] = 0
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(back)}); err != nil {
		t.Fatal(err)
	}
	if again, with := drawing(s, tour); slices.Equal(again, first) || with == seed {
		t.Errorf("drawn once more it is the same lot: %v with %d", again, with)
	}
}

func TestTheDrawnNumberOfWhoIsReplacedIsFree(t *testing.T) {
	s, tour, players := newChartEvent(t)
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(map[int64]int{players[2].ID: 7})}); err != nil {
		t.Fatal(err)
	}
	out, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		people.Substitute{Tournament: tour.ID, Player: players[2].ID, Keep: people.KeepPerson,
			Entries: []rosterfile.PlayerEntry{{Name: "Instead"}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(map[int64]int{out.Players[0].ID: 7})}); err != nil {
		t.Fatal(err)
	}
	was, _ := tournament.PlayerByID(t.Context(), s, players[2].ID)
	is, _ := tournament.PlayerByID(t.Context(), s, out.Players[0].ID)
	if was.Drawn != 0 || is.Drawn != 7 {
		t.Errorf("who is replaced has %d, the other %d", was.Drawn, is.Drawn)
	}
}

func TestDrawnNumbersAreRefused(t *testing.T) {
	s, tour, players := newChartEvent(t)
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(map[int64]int{players[2].ID: 7})}); err != nil {
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
		_, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			draw.WriteDrawn{Tournament: tour.ID, Numbers: drawnNumbers(row.numbers)})
		if err == nil || !strings.Contains(refusetest.Text(t, err), row.want) {
			t.Errorf("%v: got %v, want %q", row.numbers, err, row.want)
		}
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), rights.Staff(rights.RoleReferee, "Bob"),
		draw.WriteDrawn{Tournament: tour.ID}); !errors.Is(err, refuse.ErrForbidden) {
		t.Errorf("by a referee: %v", err)
	}
	if after, _ := tournament.Players(t.Context(), s, tour.ID); after[3].Drawn != 0 || after[5].Drawn != 0 ||
		after[2].Drawn != 7 {
		t.Errorf("got %+v", after)
	}
}

// TestADrawnNumberGoesWithThePlace checks that a drawn number survives export and import of the roster, passes to a
// substitute with results of their own, and returns when the substitution is undone.
func TestADrawnNumberGoesWithThePlace(t *testing.T) {
	c, ctx := eventtest.NewCrowd(t, 8), t.Context()
	if _, err := action.Do(ctx, eventtest.DeskOf(c.S), eventtest.Organizer, draw.WriteDrawn{Tournament: c.Tour.ID,
		Numbers: drawnNumbers(map[int64]int{c.Player(2).ID: 7, c.Player(5).ID: 1})}); err != nil {
		t.Fatal(err)
	}
	players, err := tournament.PlayersFull(ctx, c.S, eventtest.Organizer, c.Tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	var file strings.Builder
	if err := rosterfile.Write(&file, tournament.EntriesOf(players)); err != nil {
		t.Fatal(err)
	}
	other := eventtest.NewTournament(t, c.S, "open", 1)
	if _, err := action.Do(ctx, eventtest.DeskOf(c.S), eventtest.Organizer, people.ImportRoster{Tournament: other.ID,
		File: file.String()}); err != nil {
		t.Fatal(err)
	}
	if now, err := tournament.Players(ctx, c.S, other.ID); err != nil || now[1].Drawn != 7 || now[4].Drawn != 1 ||
		now[0].Drawn != 0 {
		t.Errorf("of the other event: %+v, %v", now, err)
	}
	for line, want := range map[string]string{"Zoe,7": "err_drawn_taken", "Zoe,x": "err_roster_drawn",
		"Zoe,9\nYan,9": "err_drawn_taken"} {
		roster, err := action.Preview(ctx, eventtest.DeskOf(c.S), eventtest.Organizer,
			people.ImportRoster{Tournament: c.Tour.ID, File: "name,drawn\n" + line + "\n"})
		if err != nil || len(roster.Problems) != 1 || roster.Problems[0].Err.Key != want {
			t.Errorf("%q: %+v, %v", line, roster.Problems, err)
		}
	}
	was := c.People()
	out := c.Do(people.Substitute{Tournament: c.Tour.ID, Player: c.Player(2).ID, Keep: people.KeepPerson,
		Entries: []rosterfile.PlayerEntry{{Name: "New Entry"}}})
	if c.Player(2).Drawn != 0 || c.Player(9).Drawn != 7 || !strings.Contains(eventtest.EffectKeys(out.Effects),
		"drawn") {
		t.Errorf("%d and %d: %s", c.Player(2).Drawn, c.Player(9).Drawn, eventtest.EffectKeys(out.Effects))
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(c.S), eventtest.Organizer, draw.WriteDrawn{Tournament: c.Tour.ID,
		Numbers: drawnNumbers(map[int64]int{c.Player(5).ID: 3})}); err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(c.S), eventtest.Organizer,
		people.UndoPeople{Change: out.Change}); err != nil ||
		c.Player(2).Drawn != 7 {
		t.Errorf("taken back: %d, %v", c.Player(2).Drawn, err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(c.S), eventtest.Organizer, draw.WriteDrawn{Tournament: c.Tour.ID,
		Numbers: drawnNumbers(map[int64]int{c.Player(5).ID: 1})}); err != nil || !maps.Equal(c.People(), was) {
		t.Errorf("taken back, it is not as before: %v", err)
	}
	t.Run("what was given away meanwhile is not taken from anybody", func(t *testing.T) {
		out := c.Do(people.Substitute{Tournament: c.Tour.ID, Player: c.Player(2).ID, Keep: people.KeepPerson,
			Entries: []rosterfile.PlayerEntry{{Name: "Another"}}})
		_, err := action.Do(ctx, eventtest.DeskOf(c.S), eventtest.Organizer, draw.WriteDrawn{Tournament: c.Tour.ID,
			Numbers: drawnNumbers(map[int64]int{out.Players[0].ID: 0, c.Player(1).ID: 7})})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := action.Do(ctx, eventtest.DeskOf(c.S), eventtest.Organizer,
			people.UndoPeople{Change: out.Change}); !errors.Is(err,
			&refuse.Error{Kind: refuse.KindConflict, Key: "err_undo_changed"}) {
			t.Errorf("got %v", err)
		}
	})
}

// drawnNumbers converts a map by player to a list, in any order.
func drawnNumbers(by map[int64]int) (numbers []draw.DrawnNumber) {
	for player, number := range by {
		numbers = append(numbers, draw.DrawnNumber{player, number})
	}
	return numbers
}
