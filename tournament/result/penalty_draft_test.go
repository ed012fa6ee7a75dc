package result_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/format"
	"meldhall/tournament/people"
	"meldhall/tournament/ranking"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
)

// TestADisqualificationChangesTheDraft checks that a disqualification removes the player from the next round's draft as
// leaving does. It can be previewed, the draft can be published without another draw, and cancelling it restores the
// player.
func TestADisqualificationChangesTheDraft(t *testing.T) {
	k := newPenalized(t, 2)
	ctx, desk := t.Context(), eventtest.DeskOf(k.s)
	draft, err := action.Do(ctx, desk, eventtest.Organizer, draw.PairRound{Tournament: k.tour.ID})
	if err != nil {
		t.Fatal(err)
	}
	sits := func() bool {
		tables, _ := tournament.TablesOf(k.s.Read, draft.ID)
		return slices.Contains(slices.Concat(tables...), k.p.ID)
	}
	one, err := action.Do(ctx, desk, k.hal, k.disqualification())
	if waiting, _ := result.WaitingPenalties(ctx, k.s, k.tour.ID); err != nil || len(waiting) != 1 ||
		waiting[0].ID != one.ID || !sits() {
		t.Fatalf("got %+v, %v, waiting %+v", one, err, waiting)
	}
	told := func(effects []tournament.PeopleEffect) bool {
		return slices.ContainsFunc(effects, func(e tournament.PeopleEffect) bool {
			return e.Key == "seat_left" &&
				e.Player == k.p.ID
		})
	}
	if seen, err := action.Preview(ctx, desk, k.eva, result.SecondPenalty{ID: one.ID}); err != nil ||
		!told(seen.Effects) ||
		!sits() {
		t.Fatalf("looking at it: %+v, %v", seen.Effects, err)
	}
	done, err := action.Do(ctx, desk, k.eva, result.SecondPenalty{ID: one.ID})
	if waiting, _ := result.WaitingPenalties(ctx, k.s, k.tour.ID); err != nil || !told(done.Effects) || sits() ||
		len(waiting) != 0 {
		t.Fatalf("got %+v, %v, waiting %+v", done, err, waiting)
	}
	if _, err := action.Preview(ctx, desk, eventtest.Organizer, draw.PublishRound{Round: draft.ID}); err != nil {
		t.Errorf("the draft cannot be published: %v", err)
	}
	if _, err := action.Do(ctx, desk, k.eva, result.CancelPenalty{ID: one.ID, Why: "the wrong player"}); err != nil ||
		!sits() {
		t.Errorf("cancelled: %v, in the draft %t", err, sits())
	}
}

// TestAPenaltyBeforeAGameKeepsNoGame checks that a penalty in a game that has not begun stores only the round, because
// the game can be deleted with its table or at publication.
func TestAPenaltyBeforeAGameKeepsNoGame(t *testing.T) {
	c := eventtest.NewCrowd(t, 9)
	ctx, desk := t.Context(), eventtest.DeskOf(c.S)
	hal, eva := official(t, c.S, "Hal", rights.RoleHeadReferee), official(t, c.S, "Eva", rights.RoleHeadReferee)
	round := c.Draw()
	c.Publish(round)
	give := func(table tournament.Table) result.Penalty {
		t.Helper()
		one, err := action.Do(ctx, desk, hal, result.GivePenalty{result.PenaltyGrounds{Tournament: c.Tour.ID,
			Player: table.Seats[0].PlayerID, Game: table.Games[0].ID, Reason: "late"}, 5})
		if err != nil || one.Round != 1 {
			t.Fatalf("got %+v, %v", one, err)
		}
		return one
	}
	tables, _ := tournament.Tables(ctx, c.S, round.ID)
	for _, table := range tables {
		if one := give(table); one.GameID != nil {
			t.Errorf("it keeps game %d", *one.GameID)
		}
	}
	out, err := action.Do(ctx, desk, hal, result.ProposeDisqualification{result.PenaltyGrounds{Tournament: c.Tour.ID,
		Player: tables[0].Seats[0].PlayerID, Game: tables[0].Games[0].ID, Reason: "struck an official"}})
	if err == nil {
		_, err = action.Do(ctx, desk, eva, result.SecondPenalty{ID: out.ID})
	}
	if err != nil || eventtest.SizesOf(c.Placings(round)) != "[4 4]" {
		t.Fatalf("confirmed: %v, at tables of %s", err, eventtest.SizesOf(c.Placings(round)))
	}
	eventtest.Withdraw(t, c.S, round.ID)
	c.Publish(round)
	tables, _ = tournament.Tables(ctx, c.S, round.ID)
	if _, err := action.Do(ctx, desk, eventtest.Organizer, draw.StartTable{Table: tables[0].ID}); err != nil {
		t.Fatal(err)
	}
	if one := give(tables[0]); one.GameID == nil {
		t.Error("one in a game that has begun keeps no game")
	}
}

// TestTheWaitingListTakesADisqualifiedPlace checks that the place of a player disqualified before the first round goes
// to the first player on the waiting list, as when a player leaves; the preview shows this too.
func TestTheWaitingListTakesADisqualifiedPlace(t *testing.T) {
	c := eventtest.NewCrowd(t, 8)
	ctx, desk := t.Context(), eventtest.DeskOf(c.S)
	c.Do(people.SetPeopleSettings{Tournament: c.Tour.ID, Settings: tournament.PeopleSettingsOf{RegistrationOpen: true,
		Capacity:      8,
		NoShowMinutes: 10}})
	c.Do(people.EnterPlayers{Tournament: c.Tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Ann"}}})
	draft := c.Draw()
	one, err := action.Do(ctx, desk, official(t, c.S, "Hal", rights.RoleHeadReferee),
		result.ProposeDisqualification{result.PenaltyGrounds{Tournament: c.Tour.ID, Player: c.Player(3).ID,
			Reason: "struck an official"}})
	if err != nil || c.Player(9).State != tournament.StateWaiting {
		t.Fatalf("got %v, %s", err, c.Player(9).State)
	}
	eva, confirm := official(t, c.S, "Eva", rights.RoleHeadReferee), result.SecondPenalty{ID: one.ID}
	seen, err := action.Preview(ctx, desk, eva, confirm)
	if err != nil || !strings.Contains(eventtest.EffectKeys(seen.Effects), "moves_up") {
		t.Errorf("looking at it: %s, %v", eventtest.EffectKeys(seen.Effects), err)
	}
	done, err := action.Do(ctx, desk, eva, confirm)
	if err != nil || eventtest.EffectKeys(done.Effects) != eventtest.EffectKeys(seen.Effects) ||
		c.Player(9).State != tournament.StateRegistered {
		t.Errorf("got %s, %v; Ann is %s", eventtest.EffectKeys(done.Effects), err, c.Player(9).State)
	}
	c.Publish(draft)
}

// TestACancelledDisqualificationGivesTheSeatBack checks that cancelling a disqualification in a published final
// restores the seat if a chair is free. If the tables were merged, the effects say that the player misses the round.
func TestACancelledDisqualificationGivesTheSeatBack(t *testing.T) {
	for cut, back := range map[int]bool{4: true, 9: false} { // tables of 3, 3 and 3 become 4 and 4
		f := eventtest.OneRound()
		f.Stages = append(f.Stages, eventtest.FinalOf(cut, format.CarryNone))
		s, tour := eventtest.EventOf(t, f, 12)
		c, ctx := &eventtest.Crowd{T: t, S: s, Tour: tour}, t.Context()
		eventtest.PlayRound(t, s, tour, rand.New(rand.NewPCG(1, 1)))
		// refused if there is no tie at the cut
		_, _ = action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, ranking.DrawLot{Tournament: tour.ID})
		final := c.Draw()
		c.Publish(final)
		tables, _ := tournament.Tables(ctx, s, final.ID)
		p := tables[0].Seats[0].PlayerID
		one, err := action.Do(ctx, eventtest.DeskOf(s), official(t, s, "Hal", rights.RoleHeadReferee),
			result.ProposeDisqualification{result.PenaltyGrounds{Tournament: tour.ID, Player: p,
				Reason: "struck an official"}})
		if err != nil {
			t.Fatal(err)
		}
		eva := official(t, s, "Eva", rights.RoleHeadReferee)
		sits := func() bool {
			seats, _ := tournament.TablesOf(s.Read, final.ID)
			return slices.Contains(slices.Concat(seats...), p)
		}
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eva, result.SecondPenalty{ID: one.ID}); err != nil || sits() {
			t.Fatalf("confirmed: %v, sits %t", err, sits())
		}
		done, err := action.Do(ctx, eventtest.DeskOf(s), eva, result.CancelPenalty{ID: one.ID, Why: "the wrong player"})
		missed, _ := people.Missed(ctx, s, tour.ID)
		told := strings.Contains(eventtest.EffectKeys(done.Effects), "misses_left")
		if err != nil || sits() != back || (len(missed) == 0) != back || told == back {
			t.Errorf("cancelled in a final of %d: %v, sits %t, missed %+v, told %s", cut, err, sits(), missed,
				eventtest.EffectKeys(done.Effects))
		}
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			draw.StartRound{Round: final.ID}); err != nil {
			t.Error(err)
		}
	}
}
