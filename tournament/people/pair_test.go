package people_test

import (
	"errors"
	"slices"
	"testing"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
)

// pairsOf returns a tournament with tables of two and two games a round.
func pairsOf(t *testing.T, players int) *eventtest.Crowd {
	t.Helper()
	f := eventtest.OneRound()
	f.Stages[0].TableSize, f.Stages[0].Rounds, f.Stages[0].GamesPerRound = 2, 2, 2
	c := &eventtest.Crowd{T: t}
	c.S, c.Tour = eventtest.EventOf(t, f, players)
	return c
}

// TestBothLeaveATableOfTwoBeforeItIsPlayed checks that the remaining tables have valid sizes, and that the effects name
// each leaving player with the chair.
func TestBothLeaveATableOfTwoBeforeItIsPlayed(t *testing.T) {
	for status, want := range map[string][]string{
		tournament.RoundDraft: {"becomes_withdrawn seat_moved seat_left", "becomes_withdrawn seat_left"},
		tournament.RoundPublished: {"becomes_withdrawn seat_moved seat_left misses_left",
			"becomes_withdrawn seat_left misses_left"}} {
		t.Run(status, func(t *testing.T) {
			c := pairsOf(t, 6)
			r := c.Draw()
			if status == tournament.RoundPublished {
				c.Publish(r)
			}
			var said []string
			for _, p := range c.Placings(r)[2] {
				said = append(said, eventtest.EffectKeys(c.Do(people.LeaveEvent{Tournament: c.Tour.ID, Player: p,
					Now: true}).Effects))
			}
			if got := eventtest.SizesOf(c.Placings(r)); got != "[2 2]" || !slices.Equal(said, want) {
				t.Errorf("the tables are %s, and it says %q", got, said)
			}
		})
	}
	t.Run("nobody is left", func(t *testing.T) {
		c := pairsOf(t, 2)
		r := c.Draw()
		for _, p := range c.Placings(r)[1] {
			c.Do(people.LeaveEvent{Tournament: c.Tour.ID, Player: p, Now: true})
		}
		if left := c.Placings(r); len(left) != 0 {
			t.Errorf("they sit at %v", left)
		}
		if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
			draw.PublishRound{Round: r.ID}); !errors.Is(err,
			&refuse.Error{Kind: refuse.KindInvalid, Key: "err_players_too_few"}) {
			t.Errorf("it was published: %v", err)
		}
	})
}

// TestBothLeaveATableOfTwoThatIsOn checks that the chairs stay, that each game of the table ends at once, and that the
// round can be finished with these results.
func TestBothLeaveATableOfTwoThatIsOn(t *testing.T) {
	s, tables := newSeated(t, pairsOf(t, 4))
	desk := action.NewDesk(s.g.DB, s.g)
	if _, err := action.Do(t.Context(), desk, eventtest.Organizer, draw.StartRound{Round: s.round.ID}); err != nil {
		t.Fatal(err)
	}
	gone := tables[1]
	s.game = gone.Games[0].ID
	gametest.ReadyAll(t, s.g, s.game)
	for i, want := range []string{"becomes_withdrawn gives_up", "becomes_withdrawn gives_up_last"} {
		if said := eventtest.EffectKeys(s.change(people.LeaveEvent{Tournament: s.Tour.ID,
			Player: gone.Seats[i].PlayerID,
			Now:    true}).Effects); said != want {
			t.Errorf("it says %s, want %s", said, want)
		}
	}
	if got := eventtest.SizesOf(s.Placings(s.round)); got != "[2 2]" {
		t.Errorf("the tables are %s", got)
	}
	for _, g := range gone.Games {
		if snap := gametest.Look(t, s.g, g.ID); snap.State.Phase != engine.PhaseOver {
			t.Errorf("game %d is %q with %v out", g.Number, snap.State.Phase, snap.State.Out)
		}
		if _, err := action.Do(t.Context(), desk, eventtest.Organizer,
			result.ConfirmResult{Game: g.ID, Rev: 1}); err != nil {
			t.Fatal(err)
		}
	}
}
