package draw_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/pairing"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rosterfile"
)

func TestPlayersAreKeptApart(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	tour := eventtest.NewTournament(t, s, "open", 1)
	eventtest.EnterPlayers(t, s, tour, 8)
	players, _ := tournament.Players(ctx, s, tour.ID)
	a, b := players[0].ID, players[1].ID
	for range 2 {
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			draw.KeepApart{Tournament: tour.ID, A: b, B: a,
				Apart: true}); err != nil {
			t.Fatal(err)
		}
	}
	if pairs, err := draw.KeptApart(ctx, s, tour.ID); err != nil || len(pairs) != 1 ||
		pairs[0] != pairing.PairOf(a, b) {
		t.Errorf("got %v, %v", pairs, err)
	}
	for seed := range int64(5) {
		round, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
			PairingOptions: draw.PairingOptions{Method: "random", Seed: seed + 1, Note: "again"}})
		if err != nil {
			t.Fatal(err)
		}
		tables, _ := tournament.TablesOf(s.Read, round.ID)
		if slices.Contains(tables[0], a) == slices.Contains(tables[0], b) {
			t.Errorf("seed %d: %v", seed, tables)
		}
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.KeepApart{Tournament: tour.ID, A: a, B: b,
			Apart: false}); err != nil {
		t.Fatal(err)
	}
	if pairs, _ := draw.KeptApart(ctx, s, tour.ID); len(pairs) != 0 {
		t.Errorf("got %v", pairs)
	}
}

func TestADuplicateRoundDealsAllTablesTheSame(t *testing.T) {
	for _, duplicate := range []bool{true, false} {
		s, _, round := drafted(t, 8, "random")
		ctx := context.Background()
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.SetDuplicate{Round: round.ID,
			Duplicate: duplicate}); err != nil {
			t.Fatal(err)
		}
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			draw.PublishRound{Round: round.ID}); err != nil {
			t.Fatal(err)
		}
		g := eventtest.NewGames(t, s)
		if _, err := action.Do(ctx, action.NewDesk(g.DB, g), eventtest.Organizer,
			draw.StartRound{Round: round.ID}); err != nil {
			t.Fatal(err)
		}
		tables, err := game.CurrentInRound(ctx, s, round.ID)
		if err != nil || len(tables) != 2 {
			t.Fatalf("got %v, %v", tables, err)
		}
		one, err := g.Look(ctx, tables[0].Game)
		if err != nil {
			t.Fatal(err)
		}
		two, err := g.Look(ctx, tables[1].Game)
		if err != nil {
			t.Fatal(err)
		}
		if same := reflect.DeepEqual(one.State.Pool, two.State.Pool); same != duplicate {
			t.Errorf("duplicate %t: the pools are the same: %t", duplicate, same)
		}
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.SetDuplicate{Round: round.ID,
			Duplicate: !duplicate}); !errors.Is(err, &refuse.Error{Kind: refuse.KindConflict, Key: "err_round_begun"}) {
			t.Errorf("after the start: %v", err)
		}
	}
}

// TestADraftsSettings checks that a draft can override the format until it is published, and that nothing is visible to
// others before.
func TestADraftsSettings(t *testing.T) {
	s, tour, round := drafted(t, 8, "random")
	ctx := t.Context()
	same := true
	round, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Method: "random", Games: 2, Most: 3, Duplicate: &same,
			Note: "short of time"}})
	if err != nil || round.Games != 2 || !round.Duplicate {
		t.Fatalf("got %+v, %v", round, err)
	}
	tables, err := tournament.TablesOf(s.Read, round.ID)
	if got := fmt.Sprint(draw.TableSizes(tables)); err != nil || got != "[3 3 2]" {
		t.Fatalf("got %s, %v", got, err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		people.SwapSeats{Round: round.ID, A: tables[0][0], B: tables[2][0],
			Why: "test"}); err != nil {
		t.Errorf("an exchange: %v", err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.CheckRound{Round: round.ID}); err != nil {
		t.Errorf("a check: %v", err)
	}
	if again, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Method: "random", Most: 2, Note: "again"}}); err != nil ||
		again.Games != 2 ||
		!again.Duplicate {
		t.Errorf("drawn again: got %+v, %v", again, err)
	} else if round, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PublishRound{Round: again.ID}); err != nil {
		t.Fatal(err)
	}
	games := int64(0)
	if err := s.Read.Model(&tournament.Game{}).Where("tournament_id = ?", tour.ID).Count(&games).Error; err != nil ||
		games != 8 {
		t.Errorf("got %d games at four tables, %v", games, err)
	}
	for _, order := range []draw.PairingOptions{{Games: draw.RoundGamesMost + 1}, {Most: 5}, {Most: 1}} {
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
			PairingOptions: order}); err == nil {
			t.Errorf("%+v was taken", order)
		}
	}
}

// TestASubstituteInheritsThePlan checks that a substitute also takes over the place in the plan, whose other seats
// stay.
func TestASubstituteInheritsThePlan(t *testing.T) {
	ctx := context.Background()
	for _, method := range []string{format.Plan, format.Chart} {
		t.Run(method, func(t *testing.T) {
			s := eventtest.NewStore(t)
			tour := eventtest.NewTournament(t, s, "open", 1, func(f *format.Format) { f.Stages[0].Seating = method })
			eventtest.EnterPlayers(t, s, tour, 12)
			round, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
				draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}})
			if err != nil {
				t.Fatal(err)
			}
			confirmAll(t, s, round)
			gone, want := round.PlannedRounds()[0][1][2], round.PlannedRounds()[0]
			_, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
				people.Substitute{Tournament: tour.ID, Player: gone,
					Keep: people.KeepPerson, Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}})
			players, err2 := tournament.Players(ctx, s, tour.ID)
			if err != nil || err2 != nil || len(players) != 13 {
				t.Fatalf("%d players, %v, %v", len(players), err, err2)
			}
			want[1][2] = slices.MaxFunc(players, func(a, b tournament.Player) int { return int(a.ID - b.ID) }).ID
			next, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
				draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}})
			if tables, _ := tournament.TablesOf(s.Read, next.ID); err != nil ||
				!reflect.DeepEqual(pairing.Round(tables), want) {
				t.Errorf("got %v, %v, want %v", tables, err, want)
			}
		})
	}
}
