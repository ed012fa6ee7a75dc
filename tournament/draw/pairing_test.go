package draw_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/pairing"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// drafted returns a tournament whose first round is drafted.
func drafted(t *testing.T, players int, method string) (*store.DB, tournament.Tournament, tournament.Round) {
	t.Helper()
	s, ctx := eventtest.NewStore(t), context.Background()
	tour := eventtest.NewTournament(t, s, "open", 1)
	eventtest.EnterPlayers(t, s, tour, players)
	round, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Method: method}})
	if err != nil {
		t.Fatal(err)
	}
	return s, tour, round
}

func TestADraftKeepsItsReport(t *testing.T) {
	s, _, round := drafted(t, 33, "plan")
	got, err := draw.RoundByID(context.Background(), s, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	rep := got.PairingReport()
	if rep.Version != pairing.Version || rep.Method != "plan" || rep.Seed != round.Seed || rep.Tables != 9 ||
		len(rep.Why) != 1 || len(rep.Why[0]) != 9 {
		t.Errorf("got %+v", rep)
	}
	if got.Plan == "" || got.Draws != 1 || got.CheckedAt != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestThePlanHoldsForTheWholeStage(t *testing.T) {
	s, tour, round := drafted(t, 16, "plan")
	ctx := context.Background()
	for number := 1; ; number++ {
		confirmAll(t, s, round)
		if number == 3 {
			break
		}
		var err error
		if round, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{Method: "plan"}}); err != nil {
			t.Fatal(err)
		}
		if rep := round.PairingReport(); rep.Extra != 0 || rep.Uneven != 0 ||
			(rep.Plan != nil) != (len(round.PlannedRounds()) > 0) || rep.Plan != nil && rep.Plan.Extra != 0 {
			t.Errorf("round %d: %+v", round.Number, rep)
		}
	}
}

// TestAnExchangePlansTheRestAnew checks that later rounds are planned again, as well as the best known plan, if players
// exchanged by hand would meet others again.
func TestAnExchangePlansTheRestAnew(t *testing.T) {
	for _, row := range []struct{ players, round, most int }{{16, 1, 0}, {20, 1, 0}, {20, 2, 0}, {16, 2, 6}} {
		t.Run(fmt.Sprintf("%d players, round %d", row.players, row.round), func(t *testing.T) {
			s := eventtest.NewStore(t)
			tour := eventtest.NewTournament(t, s, "open", 1, func(f *format.Format) {
				f.Stages[0].Seating, f.Stages[0].Rounds, f.Stages[0].GamesPerRound = format.Plan, 5, 1
			})
			eventtest.EnterPlayers(t, s, tour, row.players)
			var round tournament.Round
			drawn := func() {
				t.Helper()
				var err error
				if round, err = action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
					draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}}); err != nil {
					t.Fatal(err)
				}
			}
			met := map[pairing.Pair]bool{}
			for drawn(); round.Number < row.round; drawn() {
				before, _ := tournament.TablesOf(s.Read, round.ID)
				meetAt(met, before)
				confirmAll(t, s, round)
			}
			tables, _ := tournament.TablesOf(s.Read, round.ID)
			swap := func(a, b int64) {
				t.Helper()
				if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
					people.SwapSeats{Round: round.ID, A: a, B: b, Why: "they asked"}); err != nil {
					t.Fatal(err)
				}
			}
			a, b := strangers(met, tables[0], tables[1])
			swap(a, b)
			old := round.PlannedRounds()
			confirmAll(t, s, round)
			drawn()
			if round.Replanned != row.round || len(round.PlannedRounds()) != len(old)-1 {
				t.Errorf("replanned after %d, %d rounds left", round.Replanned, len(round.PlannedRounds()))
			}
			next, _ := tournament.TablesOf(s.Read, round.ID)
			d, err := draw.NextRoundOf(s.Read, tour.ID)
			if err != nil {
				t.Fatal(err)
			}
			d.Round.Method = pairing.Plan
			q, err := d.Request(s.Read)
			if err != nil {
				t.Fatal(err)
			}
			kept, err := pairing.Assess(q, old)
			anew, err2 := pairing.Assess(q, append([]pairing.Round{next}, round.PlannedRounds()...))
			if err != nil || err2 != nil || anew.Extra > row.most || kept.Extra < 4 || !anew.Cost.Less(kept.Cost) {
				t.Errorf("%d extra meetings, kept there were %d; %v, %v", anew.Extra, kept.Extra, err, err2)
			}

			tables = next
			swap(tables[0][1], tables[2][1]) // and back: the plan is as good as before
			swap(tables[0][1], tables[2][1])
			plan := round.PlannedRounds()
			confirmAll(t, s, round)
			drawn()
			if tables, _ := tournament.TablesOf(s.Read, round.ID); round.Replanned != 0 ||
				!reflect.DeepEqual(pairing.Round(tables), plan[0]) {
				t.Errorf("replanned after %d: got %v, planned %v", round.Replanned, tables, plan[0])
			}
		})
	}
}

func TestAnExchangeOfSomebodyWhoLeaves(t *testing.T) {
	s, tour, round := drafted(t, 16, "plan")
	tables, _ := tournament.TablesOf(s.Read, round.ID)
	gone := tables[0][0]
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		people.SwapSeats{Round: round.ID, A: gone, B: tables[1][2], Why: "they asked"}); err != nil {
		t.Fatal(err)
	}
	confirmAll(t, s, round)
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		people.LeaveEvent{Tournament: tour.ID, Player: gone, Why: "ill"}); err != nil {
		t.Fatal(err)
	}
	next, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{Method: "plan"}})
	if err != nil || next.Replanned != 0 {
		t.Fatalf("got %+v, %v", next, err)
	}
	drawn, _ := tournament.TablesOf(s.Read, next.ID)
	for _, planned := range append(next.PlannedRounds(), drawn) {
		if all := slices.Concat(planned...); len(all) != 15 || slices.Contains(all, gone) {
			t.Errorf("got %v", planned)
		}
	}
}

// confirmAll publishes a round and confirms all its games; seat 0 wins them.
func confirmAll(t *testing.T, s *store.DB, round tournament.Round) {
	t.Helper()
	ctx := context.Background()
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PublishRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.StartRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	tables, err := tournament.Tables(ctx, s, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		lines := []game.ResultLine{{Seat: 0, Wins: 12, Points: score.Twelfth(12 * 12 * (len(table.Seats) - 1))}}
		for seat := 1; seat < len(table.Seats); seat++ {
			lines = append(lines, game.ResultLine{Seat: seat, Points: -144, Charge: 12})
		}
		for _, game := range table.Games {
			if err := eventtest.EndGame(t, s, game.ID, lines); err != nil {
				t.Fatal(err)
			}
			if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
				result.ConfirmResult{Game: game.ID, Rev: 1}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestSwapSeats(t *testing.T) {
	s, tour, round := drafted(t, 8, "random")
	ctx := context.Background()
	before, _ := tournament.TablesOf(s.Read, round.ID)
	a, b := before[0][1], before[1][3]
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.CheckRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	if checked, _ := draw.RoundByID(ctx, s, round.ID); checked.CheckedBy == "" {
		t.Errorf("got %+v", checked)
	}
	seen, err := action.Preview(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		people.SwapSeats{Round: round.ID, A: a, B: b})
	if now, _ := tournament.TablesOf(s.Read, round.ID); err != nil || seen.Tables != [2]int{1, 2} ||
		!reflect.DeepEqual(now, before) {
		t.Fatalf("got %+v, %v, %v", seen, err, now)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, people.SwapSeats{Round: round.ID, A: a, B: b,
		Why: "  "}); !errors.Is(err, &refuse.Error{Kind: refuse.KindInvalid, Key: "err_why_missing"}) {
		t.Errorf("without a reason: %v", err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), rights.Staff(rights.RoleReferee, "Bob"),
		people.SwapSeats{Round: round.ID, A: a, B: b, Why: "so"}); !errors.Is(err, refuse.ErrForbidden) {
		t.Errorf("by a referee: %v", err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, people.SwapSeats{Round: round.ID, A: a, B: a,
		Why: "so"}); !errors.Is(err, &refuse.Error{Kind: refuse.KindInvalid, Key: "err_swap_players"}) {
		t.Errorf("with oneself: %v", err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, people.SwapSeats{Round: round.ID, A: a, B: b,
		Why: "they are brothers"}); err != nil {
		t.Fatal(err)
	}
	before[0][1], before[1][3] = b, a
	after, _ := tournament.TablesOf(s.Read, round.ID)
	got, _ := draw.RoundByID(ctx, s, round.ID)
	if !reflect.DeepEqual(after, before) || got.Changes != 1 || got.CheckedAt != 0 {
		t.Errorf("got %v, want %v; %+v", after, before, got)
	}
	entries, _ := action.Records(ctx, s, eventtest.Organizer, tour.ID, 1)
	if e := entries[0]; e.Kind != "round.swap" || e.Why != "they are brothers" ||
		!strings.Contains(eventtest.ToldBefore(e), "seat:2 table:1") ||
		!strings.Contains(eventtest.ToldAfter(e), "seat:4 table:2") {
		t.Errorf("got %+v", e)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PublishRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.StartRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, people.SwapSeats{Round: round.ID, A: a, B: b,
		Why: "so"}); !errors.Is(err, &refuse.Error{Kind: refuse.KindConflict, Key: "err_round_begun"}) {
		t.Errorf("after it was started: %v", err)
	}
}

// TestSeatedByHand checks that seating by hand starts from the order of entry in every round, and needs no reason until
// publication.
func TestSeatedByHand(t *testing.T) {
	ctx := context.Background()
	for _, row := range []struct{ name, seating, asked string }{{"the format says so", format.Manual, ""},
		{"asked for", format.Random, pairing.Manual}} {
		t.Run(row.name, func(t *testing.T) {
			s := eventtest.NewStore(t)
			tour := eventtest.NewTournament(t, s, "open", 1,
				func(f *format.Format) { f.Stages[0].Seating = row.seating })
			eventtest.EnterPlayers(t, s, tour, 7)
			for number := 1; number <= 2; number++ {
				round, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
					draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{Method: row.asked}})
				if err != nil || !round.SeatedByHand() || round.PairingReport().Method != pairing.Manual {
					t.Fatalf("got %+v, %v", round, err)
				}
				players, _ := tournament.Players(ctx, s, tour.ID)
				var entry []int64
				for _, p := range players {
					entry = append(entry, p.ID)
				}
				tables, _ := tournament.TablesOf(s.Read, round.ID)
				if !slices.Equal(slices.Concat(tables...), entry) || len(tables) != 2 {
					t.Fatalf("got %v, entered %v", tables, entry)
				}
				if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
					people.SwapSeats{Round: round.ID, A: entry[0], B: entry[6], Why: ""}); err != nil {
					t.Fatal(err)
				}
				entries, _ := action.Records(ctx, s, eventtest.Organizer, tour.ID, 1)
				if e := entries[0]; e.Kind != "round.swap" ||
					!strings.Contains(eventtest.ToldBefore(e), "seat:3 table:2") {
					t.Errorf("got %+v", e)
				}
				confirmAll(t, s, round)
				if round, _ = draw.RoundByID(ctx, s, round.ID); round.SeatedByHand() || round.Changes != 1 {
					t.Errorf("got %+v", round)
				}
			}
			if row.asked == "" {
				if err := mayPromise(s, tour); !errors.Is(err,
					&refuse.Error{Kind: refuse.KindConflict, Key: "err_promise_nothing"}) {
					t.Errorf("a seed may be promised: %v", err)
				}
			}
		})
	}
}

func TestASwapCostsARepeat(t *testing.T) {
	s, tour, round := drafted(t, 16, "random")
	ctx := context.Background()
	confirmAll(t, s, round)
	first, _ := tournament.TablesOf(s.Read, round.ID)
	next, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Method: "random"}})
	if err != nil || next.PairingReport().Extra != 0 {
		t.Fatalf("got %+v, %v", next, err)
	}
	// Move a player of the second round to a neighbour from the first round.
	tables, _ := tournament.TablesOf(s.Read, next.ID)
	stays := tables[0][0]
	var friend int64
	for _, table := range first {
		if at := slices.Index(table, stays); at >= 0 {
			friend = table[(at+1)%4]
		}
	}
	swap, err := action.Preview(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		people.SwapSeats{Round: next.ID, A: tables[0][1], B: friend})
	if err != nil || swap.After.Extra < 1 || swap.Cost.Consecutive < 1 || swap.Cost.Repeats < 2 {
		t.Errorf("got %+v, %v", swap, err)
	}
	if len(swap.After.Why[0][0].Repeats) == 0 {
		t.Errorf("the table does not say who meets again: %+v", swap.After.Why[0][0])
	}
}

// TestNoRoundIsPublishedByHalf checks that a publication that fails at any point leaves the draft unchanged, without
// games, codes or a record.
func TestNoRoundIsPublishedByHalf(t *testing.T) {
	for _, fail := range []struct{ what, trigger string }{
		{"the round", "BEFORE UPDATE ON rounds WHEN NEW.status = 'published'"},
		{"the first code", "BEFORE UPDATE OF code ON tables"},
		{"a code in the middle", "BEFORE UPDATE OF code ON seats WHEN NEW.seat = 2 AND NEW.table_id % 3 = 2"},
		{"the games", "BEFORE INSERT ON games WHEN NEW.number = 2"},
		{"the record", "BEFORE INSERT ON audit WHEN NEW.action = 'round.publish'"},
	} {
		t.Run(fail.what, func(t *testing.T) {
			s, tour, round := drafted(t, 20, "random")
			ctx := context.Background()
			before, _ := draw.RoundByID(ctx, s, round.ID)
			storetest.Break(t, s, fail.trigger)
			if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
				draw.PublishRound{Round: round.ID}); err == nil {
				t.Fatal("it was published")
			}
			after, _ := draw.RoundByID(ctx, s, round.ID)
			var games, codes int64
			s.Read.Model(&tournament.Game{}).Count(&games)
			s.Read.Model(&tournament.Seat{}).Where("code <> ''").Count(&codes)
			if before != after || after.Status != tournament.RoundDraft || games != 0 || codes != 0 {
				t.Errorf("got %+v, %d games, %d codes", after, games, codes)
			}
			if now, _ := tournament.TournamentByID(ctx, s, tour.ID); now.Status != tournament.StatusDraft {
				t.Errorf("the event is %s", now.Status)
			}
			storetest.Mend(t, s)
			if published, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
				draw.PublishRound{Round: round.ID}); err != nil ||
				published.Status != tournament.RoundPublished || published.CheckedBy == "" {
				t.Errorf("afterwards: %+v, %v", published, err)
			}
		})
	}
	t.Run("a request that is given up", func(t *testing.T) {
		s, _, round := drafted(t, 20, "random")
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			draw.PublishRound{Round: round.ID}); err == nil {
			t.Fatal("it was published")
		}
		if after, _ := draw.RoundByID(context.Background(), s, round.ID); after.Status != tournament.RoundDraft {
			t.Errorf("got %+v", after)
		}
	})
}
