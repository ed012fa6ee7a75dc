package people_test

import (
	"slices"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rosterfile"
)

// lists returns a tournament whose newest change entered a list of players.
func lists(t *testing.T, n int) (*eventtest.Crowd, people.UndoPeople) {
	c := eventtest.NewCrowd(t, n)
	return c, people.UndoPeople{Change: c.Newest().ID}
}

func entriesNamed(names ...string) (entries []rosterfile.PlayerEntry) {
	for _, name := range names {
		entries = append(entries, rosterfile.PlayerEntry{Name: name})
	}
	return entries
}

// TestAListIsTakenBack checks that an imported list is removed as a whole before its players have played, whatever
// happened to them, together with the draft, and that waiting players move up.
func TestAListIsTakenBack(t *testing.T) {
	c, undo := lists(t, 12)
	c.Do(c.Enters(entriesNamed("Zoe")...))
	c.Do(people.CheckIn{Tournament: c.Tour.ID, Player: c.Player(1).ID})
	c.Do(people.CorrectPlayer{Tournament: c.Tour.ID, Player: c.Player(2).ID, Entries: entriesNamed("Anna")})
	draft, before := c.Draw(), c.People()
	looked, err := action.Preview(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer, undo)
	if text := eventtest.EffectKeys(looked.Effects); err != nil || strings.Count(text, "is_removed") != 12 ||
		!strings.Contains(text, "draft_gone") {
		t.Fatalf("looked at: %v, %s", err, text)
	}
	if was, is := before.Against(c.People()); len(was)+len(is) != 0 {
		t.Fatalf("a look changed %v", is)
	}
	c.Do(undo)
	if c.Names() != "Zoe" {
		t.Errorf("left are %s", c.Names())
	}
	if _, err := draw.RoundByID(t.Context(), c.S, draft.ID); err == nil {
		t.Error("the draft of one player is there")
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer, undo); !eventtest.IsRefused(err,
		refuse.KindConflict,
		"err_undone_already") {
		t.Errorf("twice: %v", err)
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
		people.ImportRoster{Tournament: c.Tour.ID, File: "name\n" + eventtest.Numbered(8)}); err != nil {
		t.Fatal(err)
	}
	c.Publish(c.Draw()) // the tournament continues
}

// TestWhoPlaysStaysOfAList checks that players who already play stay and are named with round and table, and that the
// others are removed, also from the next draft. If all remaining ones play, the undo is refused.
func TestWhoPlaysStaysOfAList(t *testing.T) {
	c, undo := lists(t, 8)
	first := c.Draw()
	c.Publish(first)
	c.Play(first)
	c.Do(c.Enters(entriesNamed("Late One", "Late Two", "Late Three", "Late Four")...))
	late := c.Newest()
	c.Refused(undo, "err_undo_list")
	draft := c.Draw()
	whole, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer, people.UndoPeople{Change: late.ID})
	if err != nil || strings.Count(eventtest.EffectKeys(whole.Effects), "is_removed") != 4 ||
		len(c.Placings(draft)) != 2 {
		t.Fatalf("the late ones: %v, %s, %v", err, eventtest.EffectKeys(whole.Effects), c.Placings(draft))
	}

	c, undo = lists(t, 12)
	c.Do(people.LeaveEvent{Tournament: c.Tour.ID, Player: c.Player(3).ID})
	c.Do(people.LeaveEvent{Tournament: c.Tour.ID, Player: c.Player(5).ID})
	c.Publish(c.Draw())
	looked, err := action.Preview(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer, undo)
	if err != nil {
		t.Fatal(err)
	}
	stays := slices.DeleteFunc(looked.Effects, func(e tournament.PeopleEffect) bool { return e.Key != "stays_seated" })
	if len(stays) != 10 || stays[0].Args["name"] != c.Player(1).Name || stays[0].Args["round"] != 1 ||
		stays[0].Args["table"] == 0 {
		t.Errorf("named are %d: %+v", len(stays), stays)
	}
	c.Do(undo)
	if n := strings.Count(c.Names(), ","); n != 9 || strings.Contains(c.Names()+",", "Player 2,") {
		t.Errorf("left are %s", c.Names())
	}
	changes, err := people.PeopleChanges(t.Context(), c.S, eventtest.Organizer, c.Tour.ID, 9)
	if err != nil {
		t.Fatal(err)
	}
	if last := changes[len(changes)-1]; last.ID != undo.Change || last.Undone != 0 || last.Blocked == nil ||
		last.Blocked.Key != "err_undo_list" {
		t.Errorf("what is left of the list: %+v", last)
	}
}
