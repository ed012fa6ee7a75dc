package tournament

import (
	"slices"
	"testing"

	"meldhall/tournament/pairing"
)

// A rehearsal seats as the event will: who is kept apart, who always sits at one table, which tables are out of service.
func TestRehearsalKeepsTheWishes(t *testing.T) {
	f := oneRound()
	f.Stages = append(f.Stages, finalOf(4, "none"))
	f.Stages[1].Rules = map[string]any{"turn_seconds": 45}
	s, tour := eventOf(t, f, 9)
	ctx := t.Context()
	players, err := s.Players(ctx, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]int{{1, 2}, {3, 8}} {
		if _, err := Do(ctx, deskOf(s), organizer, KeepApart{Tournament: tour.ID, A: players[pair[0]].ID, B: players[pair[1]].ID, Apart: true}); err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range []ActionOf[PeopleOutcome]{FixTable{Tournament: tour.ID, Player: players[4].ID, Number: 2},
		CloseTable{Tournament: tour.ID, Number: 1, Why: "wobbles"}, LeaveEvent{Tournament: tour.ID, Player: players[8].ID}} {
		if _, err := Do(ctx, deskOf(s), organizer, a); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Do(ctx, deskOf(s), organizer, SetFamily{Player: players[5].ID, Family: "Rossi"}); err != nil {
		t.Fatal(err)
	}
	copied, err := s.Rehearse(ctx, organizer, tour.ID, "Rehearsal", RehearsedTables)
	if err != nil {
		t.Fatal(err)
	}
	copies, err := s.PlayersFull(ctx, organizer, copied.ID)
	if err != nil || len(copies) != 8 {
		t.Fatalf("%d players, %v", len(copies), err)
	}
	if apart, err := s.KeptApart(ctx, copied.ID); err != nil || !slices.Equal(apart, []pairing.Pair{{copies[1].ID, copies[2].ID}}) {
		t.Errorf("kept apart are %v, %v; one of the other pair has left", apart, err)
	}
	if closed, err := s.ClosedTables(ctx, copied.ID); err != nil || len(closed) != 1 || closed[0].Number != 1 || closed[0].Reason != "wobbles" {
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
