package people_test

import (
	"errors"
	"fmt"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
)

func TestRegister(t *testing.T) {
	c := eventtest.NewCrowd(t, 3)
	if _, err := c.Register("Ann"); !errors.Is(err, &refuse.Error{Kind: refuse.KindConflict,
		Key: "err_registration_closed"}) {
		t.Fatalf("got %v", err)
	}
	c.Do(people.SetPeopleSettings{Tournament: c.Tour.ID, Settings: tournament.PeopleSettingsOf{RegistrationOpen: true,
		Capacity:      4,
		NoShowMinutes: 10}})
	ann, err := c.Register("Ann")
	if err != nil || ann.State != tournament.StateRegistered {
		t.Fatalf("%+v, %v", ann, err)
	}
	ben, err := c.Register("Ben")
	if err != nil || ben.State != tournament.StateWaiting {
		t.Fatalf("%+v, %v", ben, err)
	}
	t.Run("a name is taken once", func(t *testing.T) {
		if _, err := c.Register("ann"); !errors.Is(err, &refuse.Error{Kind: refuse.KindConflict,
			Key: "err_player_entered"}) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("who waits sees the place on the list", func(t *testing.T) {
		got, err := people.TicketOf(t.Context(), c.S, *ben.Ticket)
		if err != nil || got.Place != 1 || got.Player.Email != "" {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("a ticket checks in for officials, and for the player when that is open", func(t *testing.T) {
		if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), rights.Public(),
			people.CheckInByTicket{Ticket: *ann.Ticket}); !errors.Is(err,
			&refuse.Error{Kind: refuse.KindConflict, Key: "err_check_in_closed"}) {
			t.Errorf("got %v", err)
		}
		if p, err := action.Do(t.Context(), eventtest.DeskOf(c.S), rights.Staff(rights.RoleScorekeeper, "Sue"),
			people.CheckInByTicket{Ticket: *ann.Ticket}); err != nil || p.State != tournament.StateCheckedIn {
			t.Errorf("%+v, %v", p, err)
		}
		if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
			people.CheckInByTicket{Ticket: "nothing"}); !errors.Is(err,
			&refuse.Error{Kind: refuse.KindNotFound, Key: "err_ticket_wrong"}) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the log tells who did what, and is searched", func(t *testing.T) {
		for _, row := range []struct {
			q    action.LogSearch
			want int
		}{
			{action.LogSearch{Who: "sue"}, 1}, {action.LogSearch{Who: "public"}, 2},
			{action.LogSearch{Kind: "people.check_in"}, 1}, {action.LogSearch{Player: ann.Number}, 2},
			{action.LogSearch{Who: "100%"}, 0},
			{action.LogSearch{Match: func(r action.Record) bool { return r.Kind == "people.enter" }}, 3},
			{action.LogSearch{Round: 1}, 0},
		} {
			page, err := action.SearchRecords(t.Context(), c.S, eventtest.Organizer, c.Tour.ID, row.q)
			if err != nil || page.Total != row.want || len(page.Entries) != row.want {
				t.Errorf("%+v: %d found, %v, want %d", row.q, page.Total, err, row.want)
			}
		}
		page, err := action.SearchRecords(t.Context(), c.S, eventtest.Organizer, c.Tour.ID, action.LogSearch{Limit: 2})
		if err != nil || !page.More || len(page.Entries) != 2 {
			t.Fatalf("%+v, %v", page, err)
		}
		next, err := action.SearchRecords(t.Context(), c.S, eventtest.Organizer, c.Tour.ID,
			action.LogSearch{Limit: 2, Before: page.Entries[1].ID})
		if err != nil || next.Entries[0].ID >= page.Entries[1].ID {
			t.Errorf("%+v, %v", next, err)
		}
	})
}

// TestWaitingListHasAnEnd checks that the waiting list is limited for self-registration but not for officials.
func TestWaitingListHasAnEnd(t *testing.T) {
	c := eventtest.NewCrowd(t, 4)
	c.Do(people.SetPeopleSettings{Tournament: c.Tour.ID, Settings: tournament.PeopleSettingsOf{RegistrationOpen: true,
		Capacity:      4,
		NoShowMinutes: 10}})
	entries := make([]rosterfile.PlayerEntry, people.WaitingMost-1)
	for i := range entries {
		entries[i].Name = fmt.Sprintf("Waiting %d", i)
	}
	c.Do(people.EnterPlayers{Tournament: c.Tour.ID, Entries: entries})
	if last, err := c.Register("Ann"); err != nil || last.State != tournament.StateWaiting {
		t.Fatalf("the last place on the list: %+v, %v", last, err)
	}
	var full *refuse.Error
	if _, err := c.Register("Ben"); !errors.As(err, &full) || full.Key != "err_waiting_full" ||
		full.Kind != refuse.KindConflict {
		t.Errorf("one more: %v", err)
	}
	c.Do(people.EnterPlayers{Tournament: c.Tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Ben"}}})
}
