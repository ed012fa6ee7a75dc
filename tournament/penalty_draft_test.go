package tournament

import (
	"slices"
	"testing"

	"meldhall/tournament/door"
)

// A disqualification takes the player out of the draft of the next round, as leaving does: looked at before, and published without
// another draw; cancelled, the player is in it again.
func TestADisqualificationChangesTheDraft(t *testing.T) {
	k := newPenalized(t, 2)
	ctx, desk := t.Context(), deskOf(k.s)
	draft, err := door.Do(ctx, desk, organizer, PairRound{Tournament: k.tour.ID})
	if err != nil {
		t.Fatal(err)
	}
	sits := func() bool {
		tables, _ := tablesOf(k.s.Read, draft.ID)
		return slices.Contains(slices.Concat(tables...), k.p.ID)
	}
	one, err := door.Do(ctx, desk, k.hal, k.disqualification())
	if waiting, _ := WaitingPenalties(ctx, k.s, k.tour.ID); err != nil || len(waiting) != 1 || waiting[0].ID != one.ID || !sits() {
		t.Fatalf("got %+v, %v, waiting %+v", one, err, waiting)
	}
	told := func(effects []PeopleEffect) bool {
		return slices.ContainsFunc(effects, func(e PeopleEffect) bool { return e.Key == "seat_left" && e.Player == k.p.ID })
	}
	if seen, err := door.Preview(ctx, desk, k.eva, SecondDisqualification{ID: one.ID}); err != nil || !told(seen.Effects) || !sits() {
		t.Fatalf("looking at it: %+v, %v", seen.Effects, err)
	}
	done, err := door.Do(ctx, desk, k.eva, SecondDisqualification{ID: one.ID})
	if waiting, _ := WaitingPenalties(ctx, k.s, k.tour.ID); err != nil || !told(done.Effects) || sits() || len(waiting) != 0 {
		t.Fatalf("got %+v, %v, waiting %+v", done, err, waiting)
	}
	if _, err := door.Preview(ctx, desk, organizer, PublishRound{Round: draft.ID}); err != nil {
		t.Errorf("the draft cannot be published: %v", err)
	}
	if _, err := door.Do(ctx, desk, k.eva, CancelPenalty{ID: one.ID, Why: "the wrong player"}); err != nil || !sits() {
		t.Errorf("cancelled: %v, in the draft %t", err, sits())
	}
}
