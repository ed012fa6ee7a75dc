package people_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/store"
)

// TestPeopleAnyOrder checks that after any sequence of actions, every active player sits exactly once in a drafted
// round, no other player sits there, results stay, and undoing restores the previous state.
func TestPeopleAnyOrder(t *testing.T) {
	s, err := store.OpenScratch(filepath.Join(t.TempDir(), "e.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rapid.Check(t, func(rt *rapid.T) {
		c := &eventtest.Crowd{T: t, S: s}
		c.Tour = eventtest.NewTournament(t, s, "open", 7)
		eventtest.EnterPlayers(t, s, c.Tour, rapid.IntRange(8, 22).Draw(rt, "players"))
		c.Draw()
		history := ""
		for step := range rapid.IntRange(3, 8).Draw(rt, "steps") {
			c.Step(rt, step)
			if got := c.Played(); !strings.HasPrefix(got, history) {
				rt.Fatalf("history changed:\n%s\nwas\n%s", got, history)
			} else {
				history = got
			}
			c.Check(rt)
		}
	})
}

// TestAnOlderStandInDoesNotTakeANewerOnesPlace checks that a removed stand-in is restored only if there is no newer
// one, even though the IDs of deleted rows are reused.
func TestAnOlderStandInDoesNotTakeANewerOnesPlace(t *testing.T) {
	c := eventtest.NewCrowd(t, 8)
	c.Publish(c.Draw())
	stand := func(number int, name string) people.PeopleOutcome {
		t.Helper()
		return c.Do(people.Substitute{Tournament: c.Tour.ID, Player: c.Player(number).ID,
			Entries: []rosterfile.PlayerEntry{{Name: name}}})
	}
	names := func() (out string) {
		ins, err := people.StandIns(t.Context(), c.S, c.Tour.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range ins {
			out += in.Name + " "
		}
		return out
	}
	for _, last := range []bool{true, false} { // the deleted row is the last one (its ID is reused), or not
		stand(1, "Ann")
		if !last {
			stand(2, "Zoe")
		}
		away := c.Do(people.ReturnInPerson{Tournament: c.Tour.ID, Player: c.Player(1).ID})
		stand(3, fmt.Sprint("Cid", last))
		newer := stand(1, "Bob")
		was := names()
		_, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
			people.UndoPeople{Change: away.Change})
		if !errors.Is(err, &refuse.Error{Kind: refuse.KindConflict, Key: "err_undo_player"}) || names() != was {
			t.Errorf("last %t: %v; %s stand in, it was %s", last, err, names(), was)
		}
		if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
			people.UndoPeople{Change: newer.Change}); err != nil {
			t.Fatal(err)
		}
	}
}
