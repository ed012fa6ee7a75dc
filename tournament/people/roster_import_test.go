package people_test

import (
	"context"
	"errors"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
)

func TestImportRoster(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	tour := eventtest.NewTournament(t, s, "open", 1)
	count := func() int {
		players, err := tournament.Players(ctx, s, tour.ID)
		if err != nil {
			t.Fatal(err)
		}
		return len(players)
	}
	t.Run("one broken line keeps all out", func(t *testing.T) {
		roster, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, people.ImportRoster{Tournament: tour.ID,
			File: "name\nAnn\nBob\nAnn\n"})
		if !errors.Is(err, refuse.ErrInvalid) || len(roster.Problems) != 1 || roster.Problems[0].Line != 4 ||
			count() != 0 {
			t.Errorf("got %v, %+v, %d players", err, roster.Problems, count())
		}
	})
	t.Run("a preview changes nothing", func(t *testing.T) {
		roster, err := action.Preview(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			people.ImportRoster{Tournament: tour.ID, File: "name\nAnn\n"})
		if err != nil || len(roster.Rows) != 1 || count() != 0 {
			t.Errorf("got %v, %+v, %d players", err, roster, count())
		}
	})
	t.Run("all of it", func(t *testing.T) {
		_, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, people.ImportRoster{Tournament: tour.ID,
			File: "name,email\nAnn,ann@example.org\nBob,\n"})
		if err != nil || count() != 2 {
			t.Errorf("got %v, %d players", err, count())
		}
	})
	t.Run("who is entered already is named", func(t *testing.T) {
		roster, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			people.ImportRoster{Tournament: tour.ID, File: "name\nCid\nANN\n"})
		if !errors.Is(err, refuse.ErrInvalid) || len(roster.Problems) != 1 ||
			roster.Problems[0].Err.Key != "err_roster_entered" || count() != 2 {
			t.Errorf("got %v, %+v, %d players", err, roster.Problems, count())
		}
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, people.EnterPlayers{Tournament: tour.ID,
			Entries: []rosterfile.PlayerEntry{{Name: "ann"}}}); !errors.Is(err, refuse.ErrConflict) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("addresses are the organizer's alone", func(t *testing.T) {
		players, err := tournament.Players(ctx, s, tour.ID)
		if err != nil || players[0].Email != "" {
			t.Errorf("got %q, %v", players[0].Email, err)
		}
		full, err := tournament.PlayersFull(ctx, s, eventtest.Organizer, tour.ID)
		if err != nil || full[0].Email != "ann@example.org" {
			t.Errorf("got %q, %v", full[0].Email, err)
		}
		if _, err := tournament.PlayersFull(ctx, s, rights.Staff(rights.RoleReferee, "Bob"), tour.ID); !errors.Is(err,
			refuse.ErrForbidden) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a tournament that does not exist", func(t *testing.T) {
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, people.ImportRoster{Tournament: 99,
			File: "name\nAnn\n"}); !errors.Is(err, refuse.ErrNotFound) {
			t.Errorf("got %v", err)
		}
	})
}
