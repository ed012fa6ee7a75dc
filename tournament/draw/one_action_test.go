package draw_test

import (
	"context"
	"errors"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// kinds returns the kinds of records, oldest first.
func kinds(t *testing.T, records []action.Record, err error) (names []string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		names = append([]string{r.Kind}, names...)
	}
	return names
}

// TestADraftIsPublishedAndStartedAtOnce checks that one action publishes and starts a draft, and that it is refused as
// a whole.
func TestADraftIsPublishedAndStartedAtOnce(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	tour := eventtest.NewTournament(t, s, "quick", 7)
	eventtest.EnterPlayers(t, s, tour, 8)
	round, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.StartRound{Round: round.ID}); !errors.Is(err,
		refuse.ErrConflict) {
		t.Errorf("a draft was started: %v", err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), rights.Staff(rights.RoleReferee, "Bob"),
		draw.StartRound{Round: round.ID, Publish: true}); !errors.Is(err, refuse.ErrForbidden) {
		t.Errorf("a referee published a draft: %v", err)
	}
	if now, err := draw.RoundByID(ctx, s, round.ID); err != nil || now.Status != tournament.RoundDraft {
		t.Errorf("the draft is %s, %v", now.Status, err)
	}
	before, err := action.Records(ctx, s, eventtest.Organizer, tour.ID, 100)
	was := len(kinds(t, before, err))
	if now, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.StartRound{Round: round.ID, Publish: true}); err != nil ||
		now.Status != tournament.RoundRunning {
		t.Fatalf("the round is %s, %v", now.Status, err)
	}
	after, err := action.Records(ctx, s, eventtest.Organizer, tour.ID, 100)
	if got := kinds(t, after, err)[was:]; len(got) != 2 || got[0] != "round.publish" || got[1] != "round.start" {
		t.Errorf("recorded is %v", got)
	}
}

// TestAnEventIsMadeWithItsPlayers checks that a tournament is created together with its players or not at all.
func TestAnEventIsMadeWithItsPlayers(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	like := eventtest.NewTournament(t, s, "quick", 7)
	n := people.CreateTournament{Name: "Club night"}
	var err error
	if n.Format, err = like.Format(); err != nil {
		t.Fatal(err)
	}
	if n.Rules, err = like.Rules(); err != nil {
		t.Fatal(err)
	}
	n.Roster = "name\nAnna\nAnna\n"
	for name, try := range map[string]func(context.Context, *action.Desk, rights.Actor,
		action.ActionOf[tournament.Tournament]) (tournament.Tournament,
		error){"looked at": action.Preview[tournament.Tournament],
		"done": action.Do[tournament.Tournament]} {
		if _, err := try(ctx, eventtest.DeskOf(s), eventtest.Organizer, n); !errors.Is(err,
			&refuse.Error{Kind: refuse.KindInvalid, Key: "err_roster_problems"}) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all, err := tournament.Tournaments(ctx, s); err != nil || len(all) != 1 {
		t.Errorf("%d events, %v", len(all), err)
	}
	n.Roster = "name\nAnna\nBen\n"
	made, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, n)
	if err != nil {
		t.Fatal(err)
	}
	players, err := tournament.Players(ctx, s, made.ID)
	if err != nil || len(players) != 2 || players[1].Name != "Ben" {
		t.Errorf("entered are %v, %v", players, err)
	}
	records, err := action.Records(ctx, s, eventtest.Organizer, made.ID, 100)
	if got := kinds(t, records, err); len(got) != 2 || got[0] != "tournament.create" {
		t.Errorf("recorded is %v", got)
	}
}
