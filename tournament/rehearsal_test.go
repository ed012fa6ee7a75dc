package tournament

import (
	"errors"
	"slices"
	"testing"

	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
)

// A rehearsal seats as the event will: who is kept apart, who always sits at one table, which tables are out of service.
func TestRehearsalKeepsTheWishes(t *testing.T) {
	f := oneRound()
	f.Stages = append(f.Stages, finalOf(4, "none"))
	f.Stages[1].Rules = map[string]any{"turn_seconds": 45}
	s, tour := eventOf(t, f, 9)
	ctx := t.Context()
	players, err := Players(ctx, s, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]int{{1, 2}, {3, 8}} {
		if _, err := door.Do(ctx, deskOf(s), organizer, KeepApart{Tournament: tour.ID, A: players[pair[0]].ID, B: players[pair[1]].ID, Apart: true}); err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range []door.ActionOf[PeopleOutcome]{FixTable{Tournament: tour.ID, Player: players[4].ID, Number: 2},
		CloseTable{Tournament: tour.ID, Number: 1, Why: "wobbles"}, LeaveEvent{Tournament: tour.ID, Player: players[8].ID}} {
		if _, err := door.Do(ctx, deskOf(s), organizer, a); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := door.Do(ctx, deskOf(s), organizer, SetFamily{Player: players[5].ID, Family: "Rossi"}); err != nil {
		t.Fatal(err)
	}
	copied, err := door.Do(ctx, deskOf(s), organizer, Rehearse{Tournament: tour.ID, Name: "Rehearsal", By: RehearsedTables})
	if err != nil {
		t.Fatal(err)
	}
	copies, err := PlayersFull(ctx, s, organizer, copied.ID)
	if err != nil || len(copies) != 8 {
		t.Fatalf("%d players, %v", len(copies), err)
	}
	if apart, err := KeptApart(ctx, s, copied.ID); err != nil || !slices.Equal(apart, []pairing.Pair{{copies[1].ID, copies[2].ID}}) {
		t.Errorf("kept apart are %v, %v; one of the other pair has left", apart, err)
	}
	if closed, err := ClosedTables(ctx, s, copied.ID); err != nil || len(closed) != 1 || closed[0].Number != 1 || closed[0].Reason != "wobbles" {
		t.Errorf("out of service are %+v, %v", closed, err)
	}
	if copies[4].FixedTable != 2 || copies[5].Family != "Rossi" {
		t.Errorf("got %+v and %+v", copies[4], copies[5])
	}
	for stage, want := range []int{6, 5} {
		if rules, err := copied.RulesAt(stage); err != nil || rules.TurnSeconds != want {
			t.Errorf("stage %d: a turn takes %d s, %v; want %d", stage, rules.TurnSeconds, err, want)
		}
	}
	if rules, err := tour.RulesAt(1); err != nil || rules.TurnSeconds != 45 {
		t.Errorf("the event's own turns take %d s, %v", rules.TurnSeconds, err)
	}
}

// A rehearsal that is removed while its tables play is gone at once, and its games are called to their end.
func TestARemovedRehearsalIsCalledToItsEnd(t *testing.T) {
	c := newCrowd(t, 8)
	g := runner(t, c.s)
	ctx, desk := t.Context(), deskOf(c.s)
	copied, err := door.Do(ctx, desk, organizer, Rehearse{Tournament: c.tour.ID, Name: "Rehearsal", By: RehearsedAll})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := door.Do(ctx, desk, organizer, Rehearse{Tournament: c.tour.ID, Name: "Rehearsal", By: RehearsedAll}); !errors.Is(err, &refuse.Error{Kind: refuse.KindConflict, Key: "err_rehearsal_running"}) {
		t.Errorf("a second one: %v", err)
	}
	round, err := door.Do(ctx, desk, organizer, PairRound{Tournament: copied.ID})
	if err == nil {
		round, err = door.Do(ctx, desk, organizer, PublishRound{Round: round.ID})
	}
	if err == nil {
		_, err = door.Do(ctx, desk, organizer, StartRound{Round: round.ID})
	}
	if err != nil {
		t.Fatal(err)
	}
	current, err := game.CurrentInRound(ctx, c.s, round.ID)
	if err != nil || len(current) != 2 {
		t.Fatal(len(current), err)
	}
	for _, at := range current {
		gametest.ReadyAll(t, g, at.Game)
	}
	var told []door.Changed
	deskOf(c.s).OnChanged(func(changed door.Changed) { told = append(told, changed) })
	if _, err := door.Do(ctx, desk, organizer, RemoveRehearsal{ID: copied.ID}); err != nil {
		t.Fatal(err)
	}
	if len(told) != 1 || told[0].Tournament != c.tour.ID || told[0].Has(door.TopicSeats, door.TopicPeople) {
		t.Errorf("told of %+v", told)
	}
	if _, err := TournamentByID(ctx, c.s, copied.ID); !errors.Is(err, refuse.ErrNotFound) {
		t.Errorf("it is there yet: %v", err)
	}
	for _, at := range current {
		if snap, err := g.Look(ctx, at.Game); err != nil || !snap.State.TimeOver {
			t.Errorf("table %d plays on: %v", at.TableNumber, err)
		}
	}
}
