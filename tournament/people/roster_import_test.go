package people_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
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
		if err != nil || len(roster.Rows) != 1 || len(roster.Entered) != 1 || roster.Entered[0].Number != 1 ||
			count() != 3 {
			t.Errorf("got %v, %+v, %d players", err, roster.Entered, count())
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

// TestAnUpdatedListEntersWhatIsNew checks that a newer list enters only the new players and names what it changes,
// which is kept or taken by one choice.
func TestAnUpdatedListEntersWhatIsNew(t *testing.T) {
	c := &eventtest.Crowd{T: t, S: eventtest.NewStore(t)}
	c.Tour = eventtest.NewTournament(t, c.S, "open", 7)
	do := func(file string, take bool) rosterfile.Roster {
		t.Helper()
		roster, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
			people.ImportRoster{Tournament: c.Tour.ID, File: file, Take: take})
		if err != nil {
			t.Fatal(err)
		}
		return roster
	}
	do("name;country;club;rating\nO'Brien;IE;Cork;1500\nBob;;;\nCid;GER;Bonn;\n", false)
	const newer = "name;country;club;rating;division\nO\u2019Brien;Ireland;Cork;1520;\n" +
		"Bob;FRA;;;junior\nCid;DEU;Köln;;\nDot;IT;;;\n"
	kept := do(newer, false)
	var changes []string
	for _, e := range kept.Entered {
		for _, change := range e.Changes {
			changes = append(changes, fmt.Sprint(e.Number, " ", change.Field, " ", change.Was, ">", change.Is))
		}
	}
	if got, want := strings.Join(changes, ", "),
		"1 rating 1500>1520, 2 country >FR, 2 division >junior, 3 club Bonn>Köln"; got != want {
		t.Errorf("it changes %s, want %s", got, want)
	}
	if got := c.Names(); got != "O'Brien, Bob, Cid, Dot" {
		t.Errorf("entered are %s", got)
	}
	if p := c.Player(3); p.Club != "Bonn" {
		t.Errorf("kept: %+v", p)
	}
	if taken := do(newer, true); len(taken.Rows) != 0 || len(taken.Entered) != 4 {
		t.Errorf("once more: %+v", taken)
	}
	full, err := tournament.PlayersFull(t.Context(), c.S, eventtest.Organizer, c.Tour.ID)
	if err != nil || *full[0].Rating != 1520 || full[1].Country != "FR" || full[1].Division != "junior" ||
		full[2].Club != "Köln" || len(full) != 4 {
		t.Errorf("taken: %+v, %v", full, err)
	}
	var change int64
	if err := c.S.ReadSQL.QueryRow(`SELECT max(id) FROM people_changes`).Scan(&change); err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
		people.UndoPeople{Change: change}); err != nil {
		t.Fatal(err)
	}
	if p, q := c.Player(3), c.Player(2); p.Club != "Bonn" || q.Country != "" {
		t.Errorf("taken back: %+v, %+v", p, q)
	}
	do(newer, true)
	if last := do(newer, true); len(last.Entered[0].Changes)+len(last.Entered[2].Changes) != 0 {
		t.Errorf("a third time: %+v", last.Entered)
	}
}
