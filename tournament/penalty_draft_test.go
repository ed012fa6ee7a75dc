package tournament

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
)

// TestADisqualificationChangesTheDraft checks that a disqualification removes the player from the next round's draft as
// leaving does. It can be previewed, the draft can be published without another draw, and cancelling it restores the
// player.
func TestADisqualificationChangesTheDraft(t *testing.T) {
	k := newPenalized(t, 2)
	ctx, desk := t.Context(), deskOf(k.s)
	draft, err := action.Do(ctx, desk, organizer, PairRound{Tournament: k.tour.ID})
	if err != nil {
		t.Fatal(err)
	}
	sits := func() bool {
		tables, _ := tablesOf(k.s.Read, draft.ID)
		return slices.Contains(slices.Concat(tables...), k.p.ID)
	}
	one, err := action.Do(ctx, desk, k.hal, k.disqualification())
	if waiting, _ := WaitingPenalties(ctx, k.s, k.tour.ID); err != nil || len(waiting) != 1 ||
		waiting[0].ID != one.ID || !sits() {
		t.Fatalf("got %+v, %v, waiting %+v", one, err, waiting)
	}
	told := func(effects []PeopleEffect) bool {
		return slices.ContainsFunc(effects, func(e PeopleEffect) bool {
			return e.Key == "seat_left" &&
				e.Player == k.p.ID
		})
	}
	if seen, err := action.Preview(ctx, desk, k.eva, SecondPenalty{ID: one.ID}); err != nil || !told(seen.Effects) ||
		!sits() {
		t.Fatalf("looking at it: %+v, %v", seen.Effects, err)
	}
	done, err := action.Do(ctx, desk, k.eva, SecondPenalty{ID: one.ID})
	if waiting, _ := WaitingPenalties(ctx, k.s, k.tour.ID); err != nil || !told(done.Effects) || sits() ||
		len(waiting) != 0 {
		t.Fatalf("got %+v, %v, waiting %+v", done, err, waiting)
	}
	if _, err := action.Preview(ctx, desk, organizer, PublishRound{Round: draft.ID}); err != nil {
		t.Errorf("the draft cannot be published: %v", err)
	}
	if _, err := action.Do(ctx, desk, k.eva, CancelPenalty{ID: one.ID, Why: "the wrong player"}); err != nil ||
		!sits() {
		t.Errorf("cancelled: %v, in the draft %t", err, sits())
	}
}

// TestAPenaltyBeforeAGameKeepsNoGame checks that a penalty in a game that has not begun stores only the round, because
// the game can be deleted with its table or at publication.
func TestAPenaltyBeforeAGameKeepsNoGame(t *testing.T) {
	c := newCrowd(t, 9)
	ctx, desk := t.Context(), deskOf(c.s)
	hal, eva := official(t, c.s, "Hal", rights.RoleHeadReferee), official(t, c.s, "Eva", rights.RoleHeadReferee)
	round := c.draw()
	c.publish(round)
	give := func(table Table) Penalty {
		t.Helper()
		one, err := action.Do(ctx, desk, hal, GivePenalty{PenaltyGrounds{Tournament: c.tour.ID,
			Player: table.Seats[0].PlayerID, Game: table.Games[0].ID, Reason: "late"}, 5})
		if err != nil || one.Round != 1 {
			t.Fatalf("got %+v, %v", one, err)
		}
		return one
	}
	tables, _ := Tables(ctx, c.s, round.ID)
	for _, table := range tables {
		if one := give(table); one.GameID != nil {
			t.Errorf("it keeps game %d", *one.GameID)
		}
	}
	out, err := action.Do(ctx, desk, hal, ProposeDisqualification{PenaltyGrounds{Tournament: c.tour.ID,
		Player: tables[0].Seats[0].PlayerID, Game: tables[0].Games[0].ID, Reason: "struck an official"}})
	if err == nil {
		_, err = action.Do(ctx, desk, eva, SecondPenalty{ID: out.ID})
	}
	if err != nil || sizesOf(c.placings(round)) != "[4 4]" {
		t.Fatalf("confirmed: %v, at tables of %s", err, sizesOf(c.placings(round)))
	}
	withdraw(t, c.s, round.ID)
	c.publish(round)
	tables, _ = Tables(ctx, c.s, round.ID)
	if _, err := action.Do(ctx, desk, organizer, StartTable{Table: tables[0].ID}); err != nil {
		t.Fatal(err)
	}
	if one := give(tables[0]); one.GameID == nil {
		t.Error("one in a game that has begun keeps no game")
	}
}

// TestTheWaitingListTakesADisqualifiedPlace checks that the place of a player disqualified before the first round goes
// to the first player on the waiting list, as when a player leaves; the preview shows this too.
func TestTheWaitingListTakesADisqualifiedPlace(t *testing.T) {
	c := newCrowd(t, 8)
	ctx, desk := t.Context(), deskOf(c.s)
	c.do(SetPeopleSettings{Tournament: c.tour.ID, Settings: PeopleSettingsOf{RegistrationOpen: true, Capacity: 8,
		NoShowMinutes: 10}})
	c.do(EnterPlayers{Tournament: c.tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Ann"}}})
	draft := c.draw()
	one, err := action.Do(ctx, desk, official(t, c.s, "Hal", rights.RoleHeadReferee),
		ProposeDisqualification{PenaltyGrounds{Tournament: c.tour.ID, Player: c.player(3).ID,
			Reason: "struck an official"}})
	if err != nil || c.player(9).State != StateWaiting {
		t.Fatalf("got %v, %s", err, c.player(9).State)
	}
	eva, confirm := official(t, c.s, "Eva", rights.RoleHeadReferee), SecondPenalty{ID: one.ID}
	seen, err := action.Preview(ctx, desk, eva, confirm)
	if err != nil || !strings.Contains(effectKeys(seen.Effects), "moves_up") {
		t.Errorf("looking at it: %s, %v", effectKeys(seen.Effects), err)
	}
	done, err := action.Do(ctx, desk, eva, confirm)
	if err != nil || effectKeys(done.Effects) != effectKeys(seen.Effects) || c.player(9).State != StateRegistered {
		t.Errorf("got %s, %v; Ann is %s", effectKeys(done.Effects), err, c.player(9).State)
	}
	c.publish(draft)
}

// TestACancelledDisqualificationGivesTheSeatBack checks that cancelling a disqualification in a published final
// restores the seat if a chair is free. If the tables were merged, the effects say that the player misses the round.
func TestACancelledDisqualificationGivesTheSeatBack(t *testing.T) {
	for cut, back := range map[int]bool{4: true, 9: false} { // tables of 3, 3 and 3 become 4 and 4
		f := oneRound()
		f.Stages = append(f.Stages, finalOf(cut, format.CarryNone))
		s, tour := eventOf(t, f, 12)
		c, ctx := &crowd{t, s, tour}, t.Context()
		playRound(t, s, tour, rand.New(rand.NewPCG(1, 1)))
		// refused if there is no tie at the cut
		_, _ = action.Do(ctx, deskOf(s), organizer, DrawLot{Tournament: tour.ID})
		final := c.draw()
		c.publish(final)
		tables, _ := Tables(ctx, s, final.ID)
		p := tables[0].Seats[0].PlayerID
		one, err := action.Do(ctx, deskOf(s), official(t, s, "Hal", rights.RoleHeadReferee),
			ProposeDisqualification{PenaltyGrounds{Tournament: tour.ID, Player: p, Reason: "struck an official"}})
		if err != nil {
			t.Fatal(err)
		}
		eva := official(t, s, "Eva", rights.RoleHeadReferee)
		sits := func() bool {
			seats, _ := tablesOf(s.Read, final.ID)
			return slices.Contains(slices.Concat(seats...), p)
		}
		if _, err := action.Do(ctx, deskOf(s), eva, SecondPenalty{ID: one.ID}); err != nil || sits() {
			t.Fatalf("confirmed: %v, sits %t", err, sits())
		}
		done, err := action.Do(ctx, deskOf(s), eva, CancelPenalty{ID: one.ID, Why: "the wrong player"})
		missed, _ := Missed(ctx, s, tour.ID)
		told := strings.Contains(effectKeys(done.Effects), "misses_left")
		if err != nil || sits() != back || (len(missed) == 0) != back || told == back {
			t.Errorf("cancelled in a final of %d: %v, sits %t, missed %+v, told %s", cut, err, sits(), missed,
				effectKeys(done.Effects))
		}
		if _, err := action.Do(ctx, deskOf(s), organizer, StartRound{Round: final.ID}); err != nil {
			t.Error(err)
		}
	}
}
