package draw_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
)

// TestAPublicationIsWithdrawn checks that a withdrawn round is the draft it was before: nothing of the publication is
// left, and it can be published again.
func TestAPublicationIsWithdrawn(t *testing.T) {
	s, tour, round := newPublished(t, "open", "random")
	ctx := t.Context()
	before, _ := tournament.TablesOf(s.Read, round.ID)
	codes, _ := tournament.TableCodes(ctx, s, eventtest.Organizer, round.ID)
	if seen, err := action.Preview(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.WithdrawRound{Round: round.ID}); err != nil ||
		seen.Players != 8 || seen.Tables != 2 || seen.Seed != round.Seed {
		t.Fatalf("got %+v, %v", seen, err)
	}
	eventtest.Withdraw(t, s, round.ID)
	now, _ := draw.RoundByID(ctx, s, round.ID)
	after, _ := tournament.TablesOf(s.Read, round.ID)
	event, _ := tournament.TournamentByID(ctx, s, tour.ID)
	if now.Status != tournament.RoundDraft || now.PublishedAt != 0 || now.ChangedAt == 0 ||
		event.Status != tournament.StatusDraft ||
		!reflect.DeepEqual(after, before) {
		t.Errorf("got %+v of %s, %v", now, event.Status, after)
	}
	if _, err := people.FindInvitation(ctx, s, codes[0].Code); !errors.Is(err,
		&refuse.Error{Kind: refuse.KindNotFound, Key: "err_code_wrong"}) {
		t.Errorf("a code is still good: %v", err)
	}
	if tables, _ := tournament.Tables(ctx, s, round.ID); len(tables[0].Games) != 0 {
		t.Errorf("games are left: %+v", tables[0].Games)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.WithdrawRound{Round: round.ID}); !eventtest.IsRefused(err,
		refuse.KindConflict, "err_round_not_published") {
		t.Errorf("withdrawn twice: %v", err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PublishRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	tables, _ := tournament.Tables(ctx, s, round.ID)
	if now, _ = draw.RoundByID(ctx, s, round.ID); now.ChangedAt != now.PublishedAt ||
		len(tables[0].Games) != now.Games {
		t.Errorf("got %+v, %+v", now, tables[0].Games)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.StartTable{Table: tables[0].ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.WithdrawRound{Round: round.ID}); !eventtest.IsRefused(err,
		refuse.KindConflict, "err_round_begun") {
		t.Errorf("withdrawn after its start: %v", err)
	}
}

// TestACallBeforeAGameGoesWithIt checks that a player waiting for a game can call the referee, and that the call is
// deleted with the game when its round is withdrawn or its table removed.
func TestACallBeforeAGameGoesWithIt(t *testing.T) {
	s, _, round := newPublished(t, "open", "random")
	eventtest.NewGames(t, s)
	ctx, desk := t.Context(), eventtest.DeskOf(s)
	call := func() tournament.Table {
		tables, err := tournament.Tables(ctx, s, round.ID)
		if err != nil {
			t.Fatal(err)
		}
		at := tables[1]
		player := rights.Actor{Role: rights.RolePlayer, Tournament: round.TournamentID, Table: at.ID,
			Player: at.Seats[0].PlayerID, Seat: 0}
		if _, err := desk.Games.Submit(ctx, player, at.Games[0].ID, "", engine.CallReferee{Seat: 0}); err != nil {
			t.Fatal(err)
		}
		return at
	}
	at := call()
	eventtest.Withdraw(t, s, round.ID)
	if _, err := desk.Games.Look(ctx, at.Games[0].ID); !eventtest.IsRefused(err, refuse.KindNotFound,
		"err_game_not_found") {
		t.Errorf("the game of a round that was withdrawn: %v", err)
	}
	if _, err := action.Do(ctx, desk, eventtest.Organizer, draw.PublishRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	at = call()
	if err := s.Write.Exec("DELETE FROM games WHERE id = ?", at.Games[0].ID).Error; err == nil {
		t.Error("a game goes without its log")
	}
	if _, err := action.Do(ctx, desk, eventtest.Organizer, draw.StartTable{Table: at.ID}); err != nil {
		t.Fatal(err)
	}
	if snap, err := desk.Games.Look(ctx, at.Games[0].ID); err != nil || !snap.State.Calls[0].Open() ||
		snap.State.Phase != engine.PhaseDealt {
		t.Errorf("the call is gone by the start: %+v, %v", snap, err)
	}
	if err := s.Write.Exec("DELETE FROM game_events WHERE game_id = ?", at.Games[0].ID).Error; err == nil {
		t.Error("the log of a game that has begun is deleted")
	}
}

// TestAWithdrawnRoundSeatsWhoCameLate checks that a withdrawn round keeps its seats, without late players who found no
// chair. No player counts as having missed it, and it cannot be published again until it seats them all.
func TestAWithdrawnRoundSeatsWhoCameLate(t *testing.T) {
	s, tour, round := newPublished(t, "open", "random")
	entered, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		people.EnterPlayers{Tournament: tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}})
	if err != nil || len(entered.Players) != 1 {
		t.Fatalf("got %+v, %v", entered, err)
	}
	if missed, _ := people.Missed(t.Context(), s, tour.ID); len(missed) != 1 {
		t.Fatalf("got %+v", missed)
	}
	before := draftSeats(t, s, round)
	eventtest.Withdraw(t, s, round.ID)
	if missed, _ := people.Missed(t.Context(), s, tour.ID); len(missed) != 0 ||
		!reflect.DeepEqual(draftSeats(t, s, round), before) {
		t.Errorf("got %v, was %v, missed %+v", draftSeats(t, s, round), before, missed)
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.PublishRound{Round: round.ID}); !eventtest.IsRefused(err,
		refuse.KindConflict, "err_draft_stale") {
		t.Errorf("published as it was: %v", err)
	}
	next, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{Note: "again"}})
	if err == nil {
		_, err = action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer, draw.PublishRound{Round: next.ID})
	}
	if err != nil || !slices.Contains(slices.Concat(draftSeats(t, s, next)...), entered.Players[0].ID) {
		t.Errorf("seated again: %v, %v", draftSeats(t, s, next), err)
	}
}

// TestADrawAfterAWithdrawalHasASeedOfItsOwn checks that a draw after a withdrawal uses a new seed, because the old one
// is public. If a seed was promised, a new promise is made and the record shows both. The same holds after the draft is
// discarded.
func TestADrawAfterAWithdrawalHasASeedOfItsOwn(t *testing.T) {
	for _, discarded := range []bool{false, true} {
		s := eventtest.NewStore(t)
		tour := eventtest.NewTournament(t, s, "open", 1, func(f *format.Format) { f.Stages[0].Seating = format.Random })
		eventtest.EnterPlayers(t, s, tour, 8)
		ctx := t.Context()
		round := promised(t, s, tour)
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			draw.PublishRound{Round: round.ID}); err != nil {
			t.Fatal(err)
		}
		told, _ := draw.PromiseOf(ctx, s, tour.ID, 1)
		eventtest.Withdraw(t, s, round.ID)
		if discarded {
			if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
				draw.DiscardRound{Round: round.ID}); err != nil {
				t.Fatal(err)
			}
		}
		next, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
			PairingOptions: draw.PairingOptions{Method: pairing.Random, Note: "again"}})
		bound, _ := draw.PromiseOf(ctx, s, tour.ID, 1)
		if err != nil || next.Seed == told.Seed || bound.Hash == told.Hash ||
			bound.KeptBy(next) != tournament.PromiseKept ||
			(next.ChangedAt == 0) != discarded {
			t.Fatalf("drawn with seed %d, %v; told %+v, promised %+v", next.Seed, err, told, bound)
		}
		entries, _ := action.Records(ctx, s, eventtest.Organizer, tour.ID, 3)
		var records []string
		for _, e := range entries {
			records = append(records, e.Kind+" "+eventtest.ToldBefore(e)+" "+eventtest.ToldAfter(e))
		}
		said := strings.Join(records, "\n")
		if !strings.Contains(said, told.Text()) || !strings.Contains(said, bound.Hash) || !discarded &&
			strings.Count(said, "log.is.drawn_with") != 1 {
			t.Errorf("the records say\n%s", said)
		}
	}
}

// TestPublishedSeatsAreChanged checks that players of a published round can be swapped or moved to a free chair, that
// each seat keeps its code, and that the change is visible.
func TestPublishedSeatsAreChanged(t *testing.T) {
	s := eventtest.NewStore(t)
	tour := eventtest.NewTournament(t, s, "open", 1)
	eventtest.EnterPlayers(t, s, tour, 7)
	ctx := t.Context()
	round, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID})
	if err == nil {
		_, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PublishRound{Round: round.ID})
	}
	if err != nil {
		t.Fatal(err)
	}
	codes := func() map[int64]string {
		tables, _ := tournament.TableCodes(ctx, s, eventtest.Organizer, round.ID)
		of := map[int64]string{}
		for _, table := range tables {
			for _, seat := range table.Seats {
				of[seat.PlayerID] = seat.Code
			}
		}
		return of
	}
	was := codes()
	seats, _ := tournament.TablesOf(s.Read, round.ID)
	a, b := seats[0][1], seats[1][0]
	if swap, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		people.SwapSeats{Round: round.ID, A: a, B: b,
			Why: "they asked"}); err != nil || swap.Tables != [2]int{1, 2} {
		t.Fatalf("got %+v, %v", swap, err)
	}
	seats[0][1], seats[1][0] = b, a
	if move, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		people.MoveSeat{Round: round.ID, Player: b, Table: 2,
			Why: "a wheelchair"}); err != nil || move.Seat != 3 {
		t.Fatalf("got %+v, %v", move, err)
	}
	seats[0], seats[1] = slices.Delete(seats[0], 1, 2), append(seats[1], b)
	now, _ := draw.RoundByID(ctx, s, round.ID)
	if got, _ := tournament.TablesOf(s.Read, round.ID); !reflect.DeepEqual(got, seats) ||
		!reflect.DeepEqual(codes(), was) ||
		now.ChangedAt == 0 || now.Changes != 2 || now.Status != tournament.RoundPublished {
		t.Errorf("got %v, want %v; %+v", got, seats, now)
	}
	for _, row := range []struct {
		table int
		key   string
	}{{1, "err_move_table"}, {9, "err_move_table"}, {2, "err_move_full"}} {
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			people.MoveSeat{Round: round.ID, Player: seats[0][0],
				Table: row.table, Why: "so"}); eventtest.ErrorKey(err) != row.key {
			t.Errorf("to table %d: %v", row.table, err)
		}
	}
}

// TestAMoveInADraftKeepsThePlan checks that a manual move keeps the plan for later rounds, as a swap does.
func TestAMoveInADraftKeepsThePlan(t *testing.T) {
	s := eventtest.NewStore(t)
	tour := eventtest.NewTournament(t, s, "rounds", 1)
	eventtest.EnterPlayers(t, s, tour, 7)
	ctx := t.Context()
	draft, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID})
	if err != nil || draft.Ahead() == 0 {
		t.Fatalf("planned ahead %d, %v", draft.Ahead(), err)
	}
	tables, _ := tournament.Tables(ctx, s, draft.ID)
	slices.SortFunc(tables, func(a, b tournament.Table) int { return len(b.Seats) - len(a.Seats) })
	p := tables[0].Seats[1].PlayerID
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		people.MoveSeat{Round: draft.ID, Player: p, Table: tables[1].Number,
			Why: "a wheelchair"}); err != nil {
		t.Fatal(err)
	}
	now, _ := draw.RoundByID(ctx, s, draft.ID)
	if now.Plan != draft.Plan || now.Sealed != draft.Sealed || now.Changes != 1 {
		t.Errorf("planned ahead %d, sealed %t, %d changes; was %d, %t", now.Ahead(), now.Sealed, now.Changes,
			draft.Ahead(), draft.Sealed)
	}
}

// TestASeedEverybodyKnowsKeepsNoPromise checks that a public seed can be requested again, but keeps no promise: a new
// one is promised instead.
func TestASeedEverybodyKnowsKeepsNoPromise(t *testing.T) {
	s := eventtest.NewStore(t)
	tour := eventtest.NewTournament(t, s, "open", 1, func(f *format.Format) { f.Stages[0].Seating = format.Random })
	eventtest.EnterPlayers(t, s, tour, 8)
	ctx := t.Context()
	round := promised(t, s, tour)
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PublishRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	told, _ := draw.PromiseOf(ctx, s, tour.ID, 1)
	eventtest.Withdraw(t, s, round.ID)
	next, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Method: pairing.Random, Seed: round.Seed, Note: "again"}})
	bound, _ := draw.PromiseOf(ctx, s, tour.ID, 1)
	if err != nil || next.Seed != round.Seed || bound.Seed == told.Seed ||
		bound.KeptBy(next) != tournament.PromiseBroken {
		t.Errorf("drawn with seed %d, %v; told %+v, promised %+v: %s", next.Seed, err, told, bound, bound.KeptBy(next))
	}
}

// TestATableIsGivenUpWithItsCall checks that a waiting table with a call for the referee can be removed together with
// the call, and that other tables keep theirs.
func TestATableIsGivenUpWithItsCall(t *testing.T) {
	c := eventtest.NewCrowd(t, 9)
	eventtest.NewGames(t, c.S)
	r := c.Draw()
	c.Publish(r)
	ctx, desk := t.Context(), eventtest.DeskOf(c.S)
	called, err := tournament.Tables(ctx, c.S, r.ID)
	if err != nil || len(called) != 3 {
		t.Fatal(len(called), err)
	}
	for _, at := range called {
		caller := rights.Actor{Role: rights.RolePlayer, Tournament: r.TournamentID, Table: at.ID,
			Player: at.Seats[2].PlayerID, Seat: 2}
		if _, err := desk.Games.Submit(ctx, caller, at.Games[0].ID, "", engine.CallReferee{Seat: 2}); err != nil {
			t.Fatal(err)
		}
	}
	c.Do(people.NoShow{Tournament: c.Tour.ID, Player: c.Player(1).ID})
	if got := eventtest.SizesOf(c.Placings(r)); got != "[4 4]" {
		t.Fatalf("the tables are %s", got)
	}
	for _, at := range called {
		kept := c.Placings(r)[at.Number] != nil
		snap, err := desk.Games.Look(ctx, at.Games[0].ID)
		switch {
		case kept && (err != nil || !snap.State.Calls[2].Open()):
			t.Errorf("table %d: the call is gone: %v", at.Number, err)
		case !kept && !eventtest.IsRefused(err, refuse.KindNotFound, "err_game_not_found"):
			t.Errorf("table %d, which was given up: %v", at.Number, err)
		}
	}
}
