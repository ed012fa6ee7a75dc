package tournament

import (
	"errors"
	"fmt"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
)

func TestRegister(t *testing.T) {
	c := newCrowd(t, 3)
	if _, err := c.register("Ann"); !errors.Is(err, &refuse.Error{Kind: refuse.KindConflict,
		Key: "err_registration_closed"}) {
		t.Fatalf("got %v", err)
	}
	c.do(SetPeopleSettings{Tournament: c.tour.ID, Settings: PeopleSettingsOf{RegistrationOpen: true, Capacity: 4,
		NoShowMinutes: 10}})
	ann, err := c.register("Ann")
	if err != nil || ann.State != StateRegistered {
		t.Fatalf("%+v, %v", ann, err)
	}
	ben, err := c.register("Ben")
	if err != nil || ben.State != StateWaiting {
		t.Fatalf("%+v, %v", ben, err)
	}
	t.Run("a name is taken once", func(t *testing.T) {
		if _, err := c.register("ann"); !errors.Is(err, &refuse.Error{Kind: refuse.KindConflict,
			Key: "err_player_entered"}) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("who waits sees the place on the list", func(t *testing.T) {
		got, err := TicketOf(t.Context(), c.s, *ben.Ticket)
		if err != nil || got.Place != 1 || got.Player.Email != "" {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("a ticket checks in for officials, and for the player when that is open", func(t *testing.T) {
		if _, err := action.Do(t.Context(), deskOf(c.s), rights.Public(),
			CheckInByTicket{Ticket: *ann.Ticket}); !errors.Is(err,
			&refuse.Error{Kind: refuse.KindConflict, Key: "err_check_in_closed"}) {
			t.Errorf("got %v", err)
		}
		if p, err := action.Do(t.Context(), deskOf(c.s), rights.Staff(rights.RoleScorekeeper, "Sue"),
			CheckInByTicket{Ticket: *ann.Ticket}); err != nil || p.State != StateCheckedIn {
			t.Errorf("%+v, %v", p, err)
		}
		if _, err := action.Do(t.Context(), deskOf(c.s), organizer, CheckInByTicket{Ticket: "nothing"}); !errors.Is(err,
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
			page, err := action.SearchRecords(t.Context(), c.s, organizer, c.tour.ID, row.q)
			if err != nil || page.Total != row.want || len(page.Entries) != row.want {
				t.Errorf("%+v: %d found, %v, want %d", row.q, page.Total, err, row.want)
			}
		}
		page, err := action.SearchRecords(t.Context(), c.s, organizer, c.tour.ID, action.LogSearch{Limit: 2})
		if err != nil || !page.More || len(page.Entries) != 2 {
			t.Fatalf("%+v, %v", page, err)
		}
		next, err := action.SearchRecords(t.Context(), c.s, organizer, c.tour.ID,
			action.LogSearch{Limit: 2, Before: page.Entries[1].ID})
		if err != nil || next.Entries[0].ID >= page.Entries[1].ID {
			t.Errorf("%+v, %v", next, err)
		}
	})
}

// TestWaitingListHasAnEnd checks that the waiting list is limited for self-registration but not for officials.
func TestWaitingListHasAnEnd(t *testing.T) {
	c := newCrowd(t, 4)
	c.do(SetPeopleSettings{Tournament: c.tour.ID, Settings: PeopleSettingsOf{RegistrationOpen: true, Capacity: 4,
		NoShowMinutes: 10}})
	entries := make([]rosterfile.PlayerEntry, WaitingMost-1)
	for i := range entries {
		entries[i].Name = fmt.Sprintf("Waiting %d", i)
	}
	c.do(EnterPlayers{Tournament: c.tour.ID, Entries: entries})
	if last, err := c.register("Ann"); err != nil || last.State != StateWaiting {
		t.Fatalf("the last place on the list: %+v, %v", last, err)
	}
	var full *refuse.Error
	if _, err := c.register("Ben"); !errors.As(err, &full) || full.Key != "err_waiting_full" ||
		full.Kind != refuse.KindConflict {
		t.Errorf("one more: %v", err)
	}
	c.do(EnterPlayers{Tournament: c.tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Ben"}}})
}
