package draw_test

import (
	"errors"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store/storetest"
)

func TestExtraTimeOfAPlayer(t *testing.T) {
	s := eventtest.NewStore(t)
	gameID := storetest.Hall(t, s, 1, 2)[0]
	g := eventtest.Runner(t, s)
	ref, err := game.FindRef(t.Context(), s, gameID)
	if err != nil {
		t.Fatal(err)
	}
	player := ref.Players[2]
	organizer := rights.Staff(rights.RoleOrganizer, "test")

	t.Run("refuses", func(t *testing.T) {
		for _, c := range []struct {
			name    string
			actor   rights.Actor
			player  int64
			seconds int
			want    error
		}{
			{"a referee", rights.Staff(rights.RoleReferee, "test"), player, 30, refuse.ErrForbidden},
			{"nobody", organizer, 9999, 30, refuse.ErrNotFound},
			{"less", organizer, player, -1, refuse.ErrInvalid},
			{"more than ten minutes", organizer, player, 601, refuse.ErrInvalid},
		} {
			if _, err := action.Do(t.Context(), eventtest.DeskOf(s), c.actor,
				tournament.SetExtraTime{Player: c.player, Seconds: c.seconds, Why: ""}); !errors.Is(err, c.want) {
				t.Errorf("%s: got %v, want %v", c.name, err, c.want)
			}
		}
	})
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), organizer,
		tournament.SetExtraTime{Player: player, Seconds: 30, Why: "asked for it"}); err != nil {
		t.Fatal(err)
	}
	eventtest.Begin(t, g)
	if got := gametest.Look(t, g, gameID).State.Extra; got != [4]int{2: 30} {
		t.Errorf("the game that starts then has %v, want 30 s at seat 2", got)
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), organizer,
		tournament.SetExtraTime{Player: player, Seconds: 0, Why: ""}); err != nil {
		t.Fatal(err)
	}
	if got := gametest.Look(t, g, gameID).State.Extra; got != [4]int{2: 30} {
		t.Errorf("the running game has %v: a game keeps what it began with", got)
	}
}
