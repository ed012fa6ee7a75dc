package draw_test

import (
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
	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/refuse/refusetest"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/store"
)

func draftSeats(t *testing.T, s *store.DB, r tournament.Round) [][]int64 {
	t.Helper()
	tables, err := tournament.TablesOf(s.Read, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// TestDrawnAgainByHand checks that seats placed by hand stay when the round is drawn again by hand, and that with
// smaller tables only players who must move do.
func TestDrawnAgainByHand(t *testing.T) {
	s, ctx := eventtest.NewStore(t), t.Context()
	tour := eventtest.NewTournament(t, s, "open", 1, func(f *format.Format) { f.Stages[0].Seating = format.Manual })
	eventtest.EnterPlayers(t, s, tour, 8)
	drawn := func(options draw.PairingOptions) tournament.Round {
		t.Helper()
		options.Note = "again"
		r, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			draw.PairRound{Tournament: tour.ID, PairingOptions: options})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := drawn(draw.PairingOptions{})
	seats := draftSeats(t, s, r)
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		people.SwapSeats{Round: r.ID, A: seats[0][0], B: seats[1][3],
			Why: ""}); err != nil {
		t.Fatal(err)
	}
	was := draftSeats(t, s, r)
	r = drawn(draw.PairingOptions{Method: pairing.Manual, Games: 2})
	if now := draftSeats(t, s, r); !reflect.DeepEqual(now, was) || r.Games != 2 || r.Draws != 2 {
		t.Fatalf("with two games each: %v, was %v", now, was)
	}
	r = drawn(draw.PairingOptions{Method: pairing.Manual, Most: 3})
	now := draftSeats(t, s, r)
	stay := 0
	for i := range was {
		for _, p := range was[i] {
			for _, q := range now[i] {
				if p == q {
					stay++
				}
			}
		}
	}
	if len(now) != 3 || stay != 6 {
		t.Errorf("at tables of three %v, was %v: %d stay", now, was, stay)
	}
	if r = drawn(draw.PairingOptions{Method: pairing.Manual}); len(draftSeats(t, s, r)) != 2 {
		t.Errorf("as the format says again: %v", draftSeats(t, s, r))
	}
}

// TestDrawnAgainByAFile checks that a redraw of a round seated by a file keeps the file and later exchanges, and that
// another method drops the file's later rounds only on request.
func TestDrawnAgainByAFile(t *testing.T) {
	s, ctx := eventtest.NewStore(t), t.Context()
	tour := eventtest.NewTournament(t, s, "open", 1)
	eventtest.EnterPlayers(t, s, tour, 8)
	r, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, eventtest.ByFile(tour,
		"round,table,seat,player\n"+seatsOf(1, 8)+seatsOf(2, 8)+seatsOf(3, 8), ""))
	if err != nil {
		t.Fatal(err)
	}
	seats := draftSeats(t, s, r)
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		people.SwapSeats{Round: r.ID, A: seats[0][0], B: seats[1][0],
			Why: "asked for"}); err != nil {
		t.Fatal(err)
	}
	was := draftSeats(t, s, r)
	for _, method := range []string{"", pairing.Script} {
		if r, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
			PairingOptions: draw.PairingOptions{Method: method, Games: 2, Note: "again"}}); err != nil {
			t.Fatal(err)
		}
		if now := draftSeats(t, s, r); r.Method != pairing.Script || r.Ahead() != 2 || r.Games != 2 ||
			!reflect.DeepEqual(now, was) {
			t.Errorf("%q: got %+v, %v, was %v", method, r, now, was)
		}
	}
	refused := func(what string) {
		t.Helper()
		_, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
			PairingOptions: draw.PairingOptions{Method: pairing.Random, Note: "again"}})
		if !errors.Is(err, &refuse.Error{Kind: refuse.KindConflict, Key: "err_draw_file"}) {
			t.Errorf("%s: got %v", what, err)
		}
	}
	refused("drawn again")
	confirmAll(t, s, r)
	refused("the next round")
	if r, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Method: pairing.Random, Drop: true, Note: "again"}}); err != nil ||
		r.Ahead() != 0 || r.Method != pairing.Random {
		t.Errorf("given up: %+v, %v", r, err)
	}
	log, err := action.Records(ctx, s, eventtest.Organizer, tour.ID, 1)
	if err != nil || len(log) != 1 || log[0].Kind != "round.seat" ||
		!strings.HasSuffix(eventtest.ToldAfter(log[0]), "{log.is.file_given_up map[n:1]}]]}]") {
		t.Errorf("the log says %+v, %v", log, err)
	}
	if r, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Method: pairing.Random, Games: 2, Note: "again"}}); err != nil ||
		r.Games != 2 {
		t.Errorf("drawn again once it is given up: %+v, %v", r, err)
	}
}

// TestThrowingADraftAwayKeepsAFile checks that discarding a draft drops a file's later rounds only on request and logs
// it, and that no request is needed if the previous round keeps them.
func TestThrowingADraftAwayKeepsAFile(t *testing.T) {
	s, ctx := eventtest.NewStore(t), t.Context()
	tour := eventtest.NewTournament(t, s, "open", 1)
	eventtest.EnterPlayers(t, s, tour, 8)
	file := func(rounds ...int) tournament.Round {
		t.Helper()
		text := "round,table,seat,player\n"
		for _, n := range rounds {
			text += seatsOf(n, 8)
		}
		r, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, eventtest.ByFile(tour, text, ""))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	drawn := func() tournament.Round {
		t.Helper()
		r, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
			PairingOptions: draw.PairingOptions{Note: "again"}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	discard := func(r tournament.Round, lost int, said string) {
		t.Helper()
		if n, err := draw.FileLost(ctx, s, r); err != nil || n != lost {
			t.Errorf("round %d: %d rounds are lost, %v, want %d", r.Number, n, err, lost)
		}
		if lost > 0 {
			var refused *refuse.Error
			if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
				draw.DiscardRound{Round: r.ID, Drop: false}); !errors.As(err,
				&refused) || refused.Key != "err_draw_file" || refused.Args["n"] != lost {
				t.Errorf("round %d: %v", r.Number, err)
			}
			if now, err := draw.RoundByID(ctx, s, r.ID); err != nil || now.Ahead() != lost {
				t.Errorf("refused, and it is %+v, %v", now, err)
			}
		}
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			draw.DiscardRound{Round: r.ID, Drop: lost > 0}); err != nil {
			t.Fatal(err)
		}
		if log, err := action.Records(ctx, s, eventtest.Organizer, tour.ID, 1); err != nil ||
			log[0].Kind != "round.discard" ||
			eventtest.ToldAfter(log[0]) != said {
			t.Errorf("the log says %+v, %v", log, err)
		}
	}
	discard(file(1, 2, 3), 2, "[{log.is.file_given_up map[n:2]}]")
	discard(file(1), 0, "")
	file(1, 2, 3)
	confirmAll(t, s, drawn())
	discard(drawn(), 0, "")
	c := &eventtest.Crowd{T: t, S: s, Tour: tour}
	second := drawn() // the file again
	c.Do(people.Substitute{Tournament: c.Tour.ID, Player: c.Player(2).ID, Keep: people.KeepPerson,
		Entries: []rosterfile.PlayerEntry{{Name: "For the second"}}})
	discard(second, 0, "")
	if r := drawn(); r.Method != pairing.Script || r.Ahead() != 1 {
		t.Errorf("the file is gone: %+v", r)
	}
	other := "round,table,seat,player\n" // another file, with other seats for round 3
	for _, round := range []string{"2", "3"} {
		for i, number := range []string{"1", "9", "3", "4", "5", "6", "7", "8"} {
			other += fmt.Sprintf("%s,%d,%d,%s\n", round, i%2+1, i/2+1, number)
		}
	}
	r, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, eventtest.ByFile(tour, other, ""))
	if err != nil {
		t.Fatal(err)
	}
	discard(r, 1, "[{log.is.file_given_up map[n:1]}]")
	if r := drawn(); r.Method != pairing.Script || r.Ahead() != 1 {
		t.Errorf("the first file is gone: %+v", r)
	}
}

// TestMostAtATableOfAFile checks that the requested maximum per table is never ignored silently: the error names the
// file's table that exceeds it.
func TestMostAtATableOfAFile(t *testing.T) {
	s, ctx := eventtest.NewStore(t), t.Context()
	tour := eventtest.NewTournament(t, s, "open", 1)
	eventtest.EnterPlayers(t, s, tour, 7)
	c := &eventtest.Crowd{T: t, S: s, Tour: tour}
	c.Do(people.CloseTable{Tournament: c.Tour.ID, Number: 2})
	r, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, eventtest.ByFile(tour,
		"table,seat,player\n1,1,1\n1,2,2\n1,3,3\n3,1,4\n3,2,5\n3,3,6\n3,4,7\n", ""))
	if err != nil {
		t.Fatal(err)
	}
	for method, most := range map[string]int{"": 3, pairing.Script: 3} {
		_, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
			PairingOptions: draw.PairingOptions{Method: method, Most: most}})
		var refused *refuse.Error
		if !errors.As(err, &refused) || refused.Key != "err_script_most" ||
			!strings.HasPrefix(refusetest.Text(t, refused),
				"Table 3 of the seating file has 4 players, and at most 3 ") {
			t.Errorf("%q, %d at a table: %v", method, most, err)
		}
	}
	if now, err := draw.RoundByID(ctx, s, r.ID); err != nil || now.Draws != 1 {
		t.Errorf("refused, and it is %+v, %v", now, err)
	}
	if r, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Method: pairing.Script, Most: 4, Note: "again"}}); err != nil ||
		r.Draws != 2 {
		t.Errorf("4 at a table: %+v, %v", r, err)
	}
	if r, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Method: pairing.Random, Most: 3, Note: "again"}}); err != nil ||
		len(draftSeats(t, s, r)) != 3 {
		t.Errorf("3 at a table, at random: %+v, %v", r, err)
	}
}

// TestAPromisedWayGivesAFileUp checks that a promised method is used without confirmation, even if a file has seats for
// later rounds.
func TestAPromisedWayGivesAFileUp(t *testing.T) {
	s, ctx := eventtest.NewStore(t), t.Context()
	tour := eventtest.NewTournament(t, s, "open", 1)
	eventtest.EnterPlayers(t, s, tour, 8)
	r, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, eventtest.ByFile(tour,
		"round,table,seat,player\n"+seatsOf(1, 8)+seatsOf(2, 8)+seatsOf(3, 8), ""))
	if err != nil {
		t.Fatal(err)
	}
	confirmAll(t, s, r)
	p, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PromiseSeed{Tournament: tour.ID, Method: pairing.Random})
	if err != nil {
		t.Fatal(err)
	}
	if r, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Note: "again"}}); err != nil || p.KeptBy(r) != tournament.PromiseKept {
		t.Errorf("%s, %v", p.KeptBy(r), err)
	}
}

// TestASubstituteInAFile checks that a substitute with results of their own keeps the place in the later rounds of a
// seating file, and so does that substitute's own substitute.
func TestASubstituteInAFile(t *testing.T) {
	s, ctx := eventtest.NewStore(t), t.Context()
	tour := eventtest.NewTournament(t, s, "open", 1, func(f *format.Format) { f.Stages[0].GamesPerRound = 1 })
	eventtest.EnterPlayers(t, s, tour, 9)
	c := &eventtest.Crowd{T: t, S: s, Tour: tour}
	c.Do(people.LeaveEvent{Tournament: c.Tour.ID, Player: c.Player(9).ID})
	r, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, eventtest.ByFile(tour,
		"round,table,seat,player\n"+seatsOf(1, 8)+seatsOf(2, 8)+seatsOf(3, 8), ""))
	if err != nil {
		t.Fatal(err)
	}
	substitute := func(number int, name string) {
		t.Helper()
		c.Do(people.Substitute{Tournament: c.Tour.ID, Player: c.Player(number).ID, Keep: people.KeepPerson,
			Entries: []rosterfile.PlayerEntry{{Name: name}}})
	}
	numbers := func(r tournament.Round) (list []int) {
		for _, p := range slices.Concat(draftSeats(t, s, r)...) {
			one, err := tournament.PlayerByID(ctx, s, p)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, one.Number)
		}
		return list
	}
	substitute(6, "For the sixth")
	substitute(2, "For the second")
	confirmAll(t, s, r)
	if r, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Note: "again"}}); err != nil ||
		!slices.Equal(numbers(r), []int{1, 11, 3, 4, 5, 10, 7, 8}) || r.Ahead() != 1 {
		t.Fatalf("round 2: %v, %v", numbers(r), err)
	}
	substitute(11, "For the second again")
	if got := numbers(r); !slices.Equal(got, []int{1, 12, 3, 4, 5, 10, 7, 8}) {
		t.Errorf("in the draft: %v", got)
	}
	confirmAll(t, s, r)
	if r, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Note: "again"}}); err != nil || r.Method != pairing.Script ||
		!slices.Equal(numbers(r), []int{1, 12, 3, 4, 5, 10, 7, 8}) {
		t.Errorf("round 3: %v, %v", numbers(r), err)
	}
}

// TestLeavingWhileSeatsAreSearchedFor checks that a player who leaves during the search gets no seat: the draw is
// repeated with the remaining players.
func TestLeavingWhileSeatsAreSearchedFor(t *testing.T) {
	c := eventtest.NewCrowd(t, 12)
	desk, leaver := eventtest.DeskOf(c.S), c.Player(5).ID
	searches := 0
	desk.Searches.OnMoved(func(int64) {
		if searches++; searches == 1 {
			c.Do(people.LeaveEvent{Tournament: c.Tour.ID, Player: leaver})
		}
	})
	round, err := action.Do(t.Context(), desk, eventtest.Organizer, draw.PairRound{Tournament: c.Tour.ID,
		PairingOptions: draw.PairingOptions{Method: pairing.Plan}})
	if err != nil {
		t.Fatal(err)
	}
	tables, err := tournament.TablesOf(c.S.Read, round.ID)
	seated := slices.Concat(tables...)
	if err != nil || searches < 2 || len(seated) != 11 || slices.Contains(seated, leaver) {
		t.Errorf("after %d calls %v are seated, %d has left; %v", searches, seated, leaver, err)
	}
}
