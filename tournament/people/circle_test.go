package people_test

import (
	"testing"

	"meldhall/tournament/eventtest"
	"meldhall/tournament/people"
	"meldhall/tournament/rosterfile"
)

// TestNobodySitsAtTwoSeats checks that a person who plays for themselves or for another player cannot take a second
// seat, even when players substitute for each other in a circle. A player with a substitute is free, and so is another
// person with the same name.
func TestNobodySitsAtTwoSeats(t *testing.T) {
	c := eventtest.NewCrowd(t, 8)
	as := func(number int, e rosterfile.PlayerEntry) people.Substitute {
		return people.Substitute{Tournament: c.Tour.ID, Player: c.Player(number).ID,
			Entries: []rosterfile.PlayerEntry{e}}
	}
	name := func(number int) rosterfile.PlayerEntry { return rosterfile.PlayerEntry{Name: c.Player(number).Name} }
	c.Refused(as(1, name(2)), "err_substitute_plays")
	marked := name(2)
	marked.Mark = "junior"
	c.Do(as(1, marked))
	c.Do(as(2, rosterfile.PlayerEntry{Name: "Guest"}))
	c.Refused(as(3, rosterfile.PlayerEntry{Name: "guest"}), "err_substitute_plays")
	c.Do(as(3, name(1))) // another person has this player's seat
	c.Refused(as(4, name(1)), "err_substitute_plays")
	c.Do(people.LeaveEvent{Tournament: c.Tour.ID, Player: c.Player(8).ID, Why: "ill"})
	c.Do(as(5, name(8)))
	round := c.Draw()
	c.Publish(round)
	c.Play(round)
	c.Refused(as(6, name(7)), "err_substitute_plays")
}
