package practice

import (
	"errors"
	"slices"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/draw"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/pairing"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
)

// TestRehearsalKeepsTheWishes checks that a rehearsal respects pairs kept apart, fixed tables and tables out of
// service.
func TestRehearsalKeepsTheWishes(t *testing.T) {
	f := actiontest.OneRound()
	final := f.Stages[0]
	final.Name, final.Kind, final.Cut, final.CarryOver, final.Rules = "final", format.Final, 4, "none",
		map[string]any{"turn_seconds": 45}
	f.Stages = append(f.Stages, final)
	e := actiontest.NewEvent(t, f, 9)
	ctx := t.Context()
	players, err := tournament.Players(ctx, e.DB, e.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]int{{1, 2}, {3, 8}} {
		if _, err := action.Do(ctx, e.Desk, actiontest.Organizer,
			draw.KeepApart{Tournament: e.ID, A: players[pair[0]].ID, B: players[pair[1]].ID,
				Apart: true}); err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range []action.ActionOf[people.PeopleOutcome]{people.FixTable{Tournament: e.ID,
		Player: players[4].ID, Number: 2},
		people.CloseTable{Tournament: e.ID, Number: 1, Why: "wobbles"},
		people.LeaveEvent{Tournament: e.ID, Player: players[8].ID}} {
		if _, err := action.Do(ctx, e.Desk, actiontest.Organizer, a); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := action.Do(ctx, e.Desk, actiontest.Organizer,
		tournament.SetFamily{Player: players[5].ID, Family: "Rossi"}); err != nil {
		t.Fatal(err)
	}
	actiontest.Do(e, draw.WriteDrawn{Tournament: e.ID,
		Numbers: []draw.DrawnNumber{{Player: players[1].ID, Number: 7}}})
	copied, err := action.Do(ctx, e.Desk, actiontest.Organizer,
		Rehearse{Tournament: e.ID, Name: "Rehearsal", By: tournament.RehearsedTables})
	if err != nil {
		t.Fatal(err)
	}
	copies, err := tournament.PlayersFull(ctx, e.DB, actiontest.Organizer, copied.ID)
	if err != nil || len(copies) != 8 {
		t.Fatalf("%d players, %v", len(copies), err)
	}
	if apart, err := draw.KeptApart(ctx, e.DB, copied.ID); err != nil ||
		!slices.Equal(apart, []pairing.Pair{{copies[1].ID, copies[2].ID}}) {
		t.Errorf("kept apart are %v, %v; one of the other pair has left", apart, err)
	}
	if closed, err := people.ClosedTables(ctx, e.DB, copied.ID); err != nil || len(closed) != 1 ||
		closed[0].Number != 1 || closed[0].Reason != "wobbles" {
		t.Errorf("out of service are %+v, %v", closed, err)
	}
	if copies[1].Drawn != 7 || copies[0].Drawn != 0 {
		t.Errorf("drawn are %d and %d", copies[1].Drawn, copies[0].Drawn)
	}
	if copies[4].FixedTable != 2 || copies[5].Family != "Rossi" {
		t.Errorf("got %+v and %+v", copies[4], copies[5])
	}
	for stage, want := range []int{6, 5} {
		if rules, err := copied.RulesAt(stage); err != nil || rules.TurnSeconds != want {
			t.Errorf("stage %d: a turn takes %d s, %v; want %d", stage, rules.TurnSeconds, err, want)
		}
	}
	if rules, err := e.RulesAt(1); err != nil || rules.TurnSeconds != 45 {
		t.Errorf("the event's own turns take %d s, %v", rules.TurnSeconds, err)
	}
}

// TestARemovedRehearsalIsCalledToItsEnd checks that a rehearsal removed during play disappears at once, and that time
// is called in its games.
func TestARemovedRehearsalIsCalledToItsEnd(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 8)
	ctx := t.Context()
	copied, err := action.Do(ctx, e.Desk, actiontest.Organizer,
		Rehearse{Tournament: e.ID, Name: "Rehearsal", By: tournament.RehearsedAll})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, e.Desk, actiontest.Organizer,
		Rehearse{Tournament: e.ID, Name: "Rehearsal", By: tournament.RehearsedAll}); !errors.Is(err,
		&refuse.Error{Kind: refuse.KindConflict, Key: "err_rehearsal_running"}) {
		t.Errorf("a second one: %v", err)
	}
	round, err := action.Do(ctx, e.Desk, actiontest.Organizer, draw.PairRound{Tournament: copied.ID})
	if err == nil {
		round, err = action.Do(ctx, e.Desk, actiontest.Organizer, draw.PublishRound{Round: round.ID})
	}
	if err == nil {
		_, err = action.Do(ctx, e.Desk, actiontest.Organizer, draw.StartRound{Round: round.ID})
	}
	if err != nil {
		t.Fatal(err)
	}
	current, err := game.CurrentInRound(ctx, e.DB, round.ID)
	if err != nil || len(current) != 2 {
		t.Fatal(len(current), err)
	}
	for _, at := range current {
		gametest.ReadyAll(t, e.Games, at.Game)
	}
	var told []action.Changed
	e.Desk.OnChanged(func(changed action.Changed) { told = append(told, changed) })
	if _, err := action.Do(ctx, e.Desk, actiontest.Organizer, RemoveRehearsal{ID: copied.ID}); err != nil {
		t.Fatal(err)
	}
	if len(told) != 1 || told[0].Tournament != e.ID || told[0].Has(action.TopicSeats, action.TopicPeople) {
		t.Errorf("told of %+v", told)
	}
	if _, err := tournament.TournamentByID(ctx, e.DB, copied.ID); !errors.Is(err, refuse.ErrNotFound) {
		t.Errorf("it is there yet: %v", err)
	}
	for _, at := range current {
		if snap, err := e.Games.Look(ctx, at.Game); err != nil || !snap.State.TimeOver {
			t.Errorf("table %d plays on: %v", at.TableNumber, err)
		}
	}
}
