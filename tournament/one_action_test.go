package tournament

import (
	"context"
	"errors"
	"testing"

	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// kinds are the kinds of an event's records, the oldest first.
func kinds(t *testing.T, records []door.Record, err error) (names []string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		names = append([]string{r.Kind}, names...)
	}
	return names
}

// A draft is published and started by one action, which is refused as one.
func TestADraftIsPublishedAndStartedAtOnce(t *testing.T) {
	s, ctx := newStore(t), context.Background()
	tour := newTournament(t, s, "quick", 7)
	enterPlayers(t, s, tour, 8)
	round, err := door.Do(ctx, deskOf(s), organizer, PairRound{Tournament: tour.ID})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := door.Do(ctx, deskOf(s), organizer, StartRound{Round: round.ID}); !errors.Is(err, refuse.ErrConflict) {
		t.Errorf("a draft was started: %v", err)
	}
	if _, err := door.Do(ctx, deskOf(s), rights.Staff(rights.RoleReferee, "Bob"), StartRound{Round: round.ID, Publish: true}); !errors.Is(err, refuse.ErrForbidden) {
		t.Errorf("a referee published a draft: %v", err)
	}
	if now, err := RoundByID(ctx, s, round.ID); err != nil || now.Status != RoundDraft {
		t.Errorf("the draft is %s, %v", now.Status, err)
	}
	before, err := door.Records(ctx, s, organizer, tour.ID, 100)
	was := len(kinds(t, before, err))
	if now, err := door.Do(ctx, deskOf(s), organizer, StartRound{Round: round.ID, Publish: true}); err != nil || now.Status != RoundRunning {
		t.Fatalf("the round is %s, %v", now.Status, err)
	}
	after, err := door.Records(ctx, s, organizer, tour.ID, 100)
	if got := kinds(t, after, err)[was:]; len(got) != 2 || got[0] != "round.publish" || got[1] != "round.start" {
		t.Errorf("recorded is %v", got)
	}
}

// An event is made with its players, or not at all.
func TestAnEventIsMadeWithItsPlayers(t *testing.T) {
	s, ctx := newStore(t), context.Background()
	like := newTournament(t, s, "quick", 7)
	n := CreateTournament{Name: "Club night"}
	var err error
	if n.Format, err = like.Format(); err != nil {
		t.Fatal(err)
	}
	if n.Rules, err = like.Rules(); err != nil {
		t.Fatal(err)
	}
	n.Roster = "name\nAnna\nAnna\n"
	for name, try := range map[string]func(context.Context, *door.Desk, rights.Actor, door.ActionOf[Tournament]) (Tournament, error){"looked at": door.Preview[Tournament], "done": door.Do[Tournament]} {
		if _, err := try(ctx, deskOf(s), organizer, n); !errors.Is(err, &refuse.Error{Kind: refuse.KindInvalid, Key: "err_roster_problems"}) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all, err := Tournaments(ctx, s); err != nil || len(all) != 1 {
		t.Errorf("%d events, %v", len(all), err)
	}
	n.Roster = "name\nAnna\nBen\n"
	made, err := door.Do(ctx, deskOf(s), organizer, n)
	if err != nil {
		t.Fatal(err)
	}
	players, err := Players(ctx, s, made.ID)
	if err != nil || len(players) != 2 || players[1].Name != "Ben" {
		t.Errorf("entered are %v, %v", players, err)
	}
	records, err := door.Records(ctx, s, organizer, made.ID, 100)
	if got := kinds(t, records, err); len(got) != 2 || got[0] != "tournament.create" {
		t.Errorf("recorded is %v", got)
	}
}
