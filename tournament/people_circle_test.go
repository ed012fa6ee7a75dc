package tournament

import (
	"testing"

	"meldhall/tournament/rosterfile"
)

// TestNobodySitsAtTwoSeats checks that a person who plays for themselves or for another player cannot take a second
// seat, even when players substitute for each other in a circle. A player with a substitute is free, and so is another
// person with the same name.
func TestNobodySitsAtTwoSeats(t *testing.T) {
	c := newCrowd(t, 8)
	as := func(number int, e rosterfile.PlayerEntry) Substitute {
		return Substitute{Tournament: c.tour.ID, Player: c.player(number).ID, Entries: []rosterfile.PlayerEntry{e}}
	}
	name := func(number int) rosterfile.PlayerEntry { return rosterfile.PlayerEntry{Name: c.player(number).Name} }
	c.refused(as(1, name(2)), "err_substitute_plays")
	marked := name(2)
	marked.Mark = "junior"
	c.do(as(1, marked))
	c.do(as(2, rosterfile.PlayerEntry{Name: "Guest"}))
	c.refused(as(3, rosterfile.PlayerEntry{Name: "guest"}), "err_substitute_plays")
	c.do(as(3, name(1))) // another person has this player's seat
	c.refused(as(4, name(1)), "err_substitute_plays")
	c.do(LeaveEvent{Tournament: c.tour.ID, Player: c.player(8).ID, Why: "ill"})
	c.do(as(5, name(8)))
	round := c.draw()
	c.publish(round)
	c.play(round)
	c.refused(as(6, name(7)), "err_substitute_plays")
}
