package people_test

import (
	"context"
	"slices"
	"testing"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// TestATableWithoutItsPlayersIsHeld: a table starts by itself when all its players have a device, and is held when one
// has none. Resuming all tables does not start it; an official's Resume at the table does. Tables with real tiles are
// never held.
func TestATableWithoutItsPlayersIsHeld(t *testing.T) {
	for _, row := range []struct {
		name   string
		linked int // number of the three players with a device
		real   bool
		want   []int // the seats being waited for
	}{
		{"all are there", 3, false, nil},
		{"two are there", 2, false, []int{2}},
		{"nobody is there", 0, false, []int{0, 1, 2}},
		{"nobody is there, with real tiles", 0, true, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, ctx := eventtest.NewStore(t), context.Background()
			games := eventtest.NewGames(t, s)
			games.HoldAbsent = true
			round, id := linkedRound(t, s, row.linked, row.real)
			snap, err := games.Look(ctx, id)
			if err != nil || !slices.Equal(snap.State.Awaited(), row.want) || snap.State.Phase != engine.PhaseDealt {
				t.Fatalf("it awaits %v in phase %s, %v", snap.State.Awaited(), snap.State.Phase, err)
			}
			if row.want == nil {
				return
			}
			var status string
			if err := s.Read.Raw("SELECT status FROM games WHERE id = ?", id).Scan(&status).Error; err != nil ||
				status != game.Running {
				t.Errorf("it is %s, %v", status, err)
			}
			referee := rights.Staff(rights.RoleReferee, "Bob")
			all, err := games.RuleAll(ctx, referee, round, "all-go-on",
				engine.Resume{Grounds: engine.Grounds{By: "Bob"}})
			if err != nil || len(all) != 1 || all[0].Err == nil {
				t.Errorf("all go on: %+v, %v", all, err)
			}
			if _, err := games.Submit(ctx, referee, id, "start-anyway",
				engine.Resume{Grounds: engine.Grounds{By: "Bob"}}); err != nil {
				t.Fatal(err)
			}
			if snap, err = games.Look(ctx, id); err != nil || snap.State.Paused.Held() || snap.State.Paused == nil ||
				snap.State.Paused.ResumeAt == 0 {
				t.Errorf("started: %+v, %v", snap.State.Paused, err)
			}
		})
	}
}

// linkedRound starts a round with one table of three players, of whom linked have a device.
func linkedRound(t *testing.T, s *store.DB, linked int, real bool) (round, id int64) {
	t.Helper()
	ctx := context.Background()
	tour := eventtest.NewTournament(t, s, "open", 1)
	eventtest.EnterPlayers(t, s, tour, 3)
	if real {
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			tournament.SetTiles{Tournament: tour.ID, Tiles: tournament.RealTiles}); err != nil {
			t.Fatal(err)
		}
	}
	drawn, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID})
	if err == nil {
		drawn, err = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PublishRound{Round: drawn.ID})
	}
	if err != nil {
		t.Fatal(err)
	}
	tables, err := tournament.TableCodes(ctx, s, eventtest.Organizer, drawn.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, seat := range tables[0].Seats[:linked] {
		if _, err := action.Do(ctx, eventtest.DeskOf(s), rights.Public(), people.Join{Code: seat.Code}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.StartRound{Round: drawn.ID}); err != nil {
		t.Fatal(err)
	}
	return drawn.ID, tables[0].Games[0].ID
}
