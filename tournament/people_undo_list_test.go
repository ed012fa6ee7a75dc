package tournament

import (
	"slices"
	"strings"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rosterfile"
)

// lists returns a tournament whose newest change entered a list of players.
func lists(t *testing.T, n int) (*crowd, UndoPeople) {
	c := newCrowd(t, n)
	return c, UndoPeople{Change: c.newest().ID}
}

func (c *crowd) newest() PeopleChange {
	c.t.Helper()
	changes, err := PeopleChanges(c.t.Context(), c.s, organizer, c.tour.ID, 1)
	if err != nil {
		c.t.Fatal(err)
	}
	return changes[0]
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
	c.do(c.enters(entriesNamed("Zoe")...))
	c.do(CheckIn{Tournament: c.tour.ID, Player: c.player(1).ID})
	c.do(CorrectPlayer{Tournament: c.tour.ID, Player: c.player(2).ID, Entries: entriesNamed("Anna")})
	draft, before := c.draw(), c.people()
	looked, err := action.Preview(t.Context(), deskOf(c.s), organizer, undo)
	if text := effectKeys(looked.Effects); err != nil || strings.Count(text, "is_removed") != 12 ||
		!strings.Contains(text, "draft_gone") {
		t.Fatalf("looked at: %v, %s", err, text)
	}
	if was, is := before.against(c.people()); len(was)+len(is) != 0 {
		t.Fatalf("a look changed %v", is)
	}
	c.do(undo)
	if c.names() != "Zoe" {
		t.Errorf("left are %s", c.names())
	}
	if _, err := RoundByID(t.Context(), c.s, draft.ID); err == nil {
		t.Error("the draft of one player is there")
	}
	if _, err := action.Do(t.Context(), deskOf(c.s), organizer, undo); !isRefused(err, refuse.KindConflict,
		"err_undone_already") {
		t.Errorf("twice: %v", err)
	}
	if _, err := action.Do(t.Context(), deskOf(c.s), organizer,
		ImportRoster{Tournament: c.tour.ID, File: "name\n" + numbered(8)}); err != nil {
		t.Fatal(err)
	}
	c.publish(c.draw()) // the tournament continues
}

// TestWhoPlaysStaysOfAList checks that players who already play stay and are named with round and table, and that the
// others are removed, also from the next draft. If all remaining ones play, the undo is refused.
func TestWhoPlaysStaysOfAList(t *testing.T) {
	c, undo := lists(t, 8)
	first := c.draw()
	c.publish(first)
	c.play(first)
	c.do(c.enters(entriesNamed("Late One", "Late Two", "Late Three", "Late Four")...))
	late := c.newest()
	c.refused(undo, "err_undo_list")
	draft := c.draw()
	whole, err := action.Do(t.Context(), deskOf(c.s), organizer, UndoPeople{Change: late.ID})
	if err != nil || strings.Count(effectKeys(whole.Effects), "is_removed") != 4 || len(c.placings(draft)) != 2 {
		t.Fatalf("the late ones: %v, %s, %v", err, effectKeys(whole.Effects), c.placings(draft))
	}

	c, undo = lists(t, 12)
	c.do(LeaveEvent{Tournament: c.tour.ID, Player: c.player(3).ID})
	c.do(LeaveEvent{Tournament: c.tour.ID, Player: c.player(5).ID})
	c.publish(c.draw())
	looked, err := action.Preview(t.Context(), deskOf(c.s), organizer, undo)
	if err != nil {
		t.Fatal(err)
	}
	stays := slices.DeleteFunc(looked.Effects, func(e PeopleEffect) bool { return e.Key != "stays_seated" })
	if len(stays) != 10 || stays[0].Args["name"] != c.player(1).Name || stays[0].Args["round"] != 1 ||
		stays[0].Args["table"] == 0 {
		t.Errorf("named are %d: %+v", len(stays), stays)
	}
	c.do(undo)
	if n := strings.Count(c.names(), ","); n != 9 || strings.Contains(c.names()+",", "Player 2,") {
		t.Errorf("left are %s", c.names())
	}
	changes, err := PeopleChanges(t.Context(), c.s, organizer, c.tour.ID, 9)
	if err != nil {
		t.Fatal(err)
	}
	if last := changes[len(changes)-1]; last.ID != undo.Change || last.Undone != 0 || last.Blocked == nil ||
		last.Blocked.Key != "err_undo_list" {
		t.Errorf("what is left of the list: %+v", last)
	}
}
