package privacy

import (
	"errors"
	"testing"
	"time"

	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/draw"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

func TestReplaced(t *testing.T) {
	for _, row := range []struct{ text, name, want string }{
		{"Anna Berg and ANNA BERG", "Anna Berg", "Player 1 and Player 1"},
		{"Anna Bergen, Joanna Berg", "Anna Berg", "Anna Bergen, Joanna Berg"},
		{"Anna Bergen saw Anna Berg.", "Anna Berg", "Anna Bergen saw Player 1."},
		{`{"text":"said:\nAnna Berg (IT)"}`, "Anna Berg", `{"text":"said:\nPlayer 1 (IT)"}`},
		{"王小明先生", "王小明", "Player 1先生"},
		{"Ångström", "ångström", "Player 1"},
		{"a+b", "a+b", "Player 1"},
		{"nobody", "", "nobody"},
	} {
		if got := replaced(row.text, row.name, "Player 1"); got != row.want {
			t.Errorf("%q without %q: got %q, want %q", row.text, row.name, got, row.want)
		}
	}
}

// TestTerms checks that contact data is kept until its term ends and not longer, whatever other data stays. An
// organizer may remove it earlier, but not before the tournament ends.
func TestTerms(t *testing.T) {
	for _, row := range []struct {
		name string
		ends bool
		days int
	}{{"after the end", true, DaysAfter}, {"of an event that nobody closes", false, DaysIdle}} {
		t.Run(row.name, func(t *testing.T) {
			e := actiontest.NewEvent(t, actiontest.OneRound(), 4)
			if row.ends {
				round := actiontest.Do(e, draw.PairRound{Tournament: e.ID})
				actiontest.Do(e, draw.PublishRound{Round: round.ID})
				e.Play(round.ID)
			}
			held(t, e, row.days)
		})
	}
}

func held(t *testing.T, e *actiontest.Event, days int) {
	ctx, s := t.Context(), e.Desk.DB
	at := s.Now()
	s.Now = func() time.Time { return at }
	if _, err := s.WriteSQL.Exec("UPDATE players SET email = 'ann@post.example', family = 'Zet' WHERE number = 1"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.WriteSQL.Exec("INSERT INTO security_log (at, last, times, kind, name, address, what, about) VALUES (1, $1, 1, 'refused', 'x', '192.0.2.7', '', '')", s.Millis()); err != nil {
		t.Fatal(err)
	}
	after := func(more int, held, address bool) {
		t.Helper()
		at = at.Add(time.Duration(more) * 24 * time.Hour)
		if err := Keep(ctx, e.Desk); err != nil {
			t.Fatal(err)
		}
		var have struct {
			Email, Family, Ticket, Name, Address string
			Due                                  int
		}
		if err := s.Read.Raw(`SELECT email, family, coalesce(ticket, '') AS ticket, name, (SELECT address FROM security_log) AS address, (SELECT count(*) FROM erasures) AS due
			FROM players WHERE number = 1`).Scan(&have).Error; err != nil {
			t.Fatal(err)
		}
		if (have.Email != "") != held || (have.Ticket != "") != held || (have.Family != "") != held ||
			have.Name == "" || (have.Address != "") != address || have.Due != 0 {
			t.Errorf("%d days later: %+v", more, have)
		}
	}
	after(days-1, true, days <= DaysSignIns)
	after(2, false, false)
	if _, err := action.Do(ctx, e.Desk, rights.Staff(rights.RoleHeadReferee, "Bob"),
		TakeOut{Tournament: e.ID}); !errors.Is(err, refuse.ErrForbidden) {
		t.Errorf("by a referee: %v", err)
	}
	var records int
	if err := s.ReadSQL.QueryRow("SELECT count(*) FROM audit WHERE action = 'privacy.take_out' AND actor = 'program:privacy'").Scan(&records); err != nil || records != 2 {
		t.Errorf("%d records, %v", records, err)
	}
}
