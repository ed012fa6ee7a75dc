package tournament

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"meldhall/tournament/format"
	"meldhall/tournament/standing"
)

// TestQualification: the berth passes down as far as somebody takes it, and the ranking stays as it was.
func TestQualification(t *testing.T) {
	f := oneRound()
	f.Qualification, f.Divisions = format.Qualification{Berths: 1, Reserves: 1}, []string{"junior"}
	f.Scoring.TieBreaks = []string{format.TieTurnOrder}
	s, tour := eventOf(t, f, 8)
	playWith(t, s, tour, plainGame)
	ctx := context.Background()
	list := func() string {
		t.Helper()
		q, err := s.Qualification(ctx, tour.ID)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range q.Entries[:4] {
			out = append(out, strings.TrimSuffix(fmt.Sprintf("%s%d", e.State, e.Nth), "0"))
		}
		return strings.Join(out, " ")
	}
	before := placesOf(t, s, tour)
	if got, want := list(), "open open  "; got != want { // both winners of a table had the first turn
		t.Errorf("got %q, want %q", got, want)
	}
	players, err := s.Players(ctx, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	st, err := s.Standings(ctx, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	first, second := st.Rows[0].Player, st.Rows[1].Player
	for _, step := range []struct {
		player int64
		state  string
		want   string
	}{
		{first, standing.QualifiedAlready, "qualified_already qualifies1 reserve1 reserve2"},
		{second, standing.Declined, "qualified_already declined open open"},
		{second, "", "qualified_already qualifies1 reserve1 reserve2"},
	} {
		if err := s.SetWaiver(ctx, organizer, step.player, step.state, "test"); err != nil {
			t.Fatal(err)
		}
		if got := list(); got != step.want {
			t.Errorf("after %q: got %q, want %q", step.state, got, step.want)
		}
	}
	if after := placesOf(t, s, tour); after != before {
		t.Errorf("the ranking moved from %s to %s", before, after)
	}
	for _, row := range []struct {
		name string
		err  error
		want error
	}{
		{"by a referee", s.SetWaiver(ctx, Staff(RoleReferee, "Bob"), first, "", ""), ErrForbidden},
		{"for no reason that there is", s.SetWaiver(ctx, organizer, first, "lazy", ""), &Error{Kind: Invalid, Key: "err_waiver_state"}},
		{"of nobody", s.SetWaiver(ctx, organizer, 9999, "", ""), ErrNotFound},
		{"a division by a referee", s.SetDivision(ctx, Staff(RoleReferee, "Bob"), first, "junior"), ErrForbidden},
		{"a division without end", s.SetDivision(ctx, organizer, first, strings.Repeat("x", 61)), ErrInvalid},
	} {
		if !errors.Is(row.err, row.want) {
			t.Errorf("%s: got %v", row.name, row.err)
		}
	}
	t.Run("a division is ranked among itself", func(t *testing.T) {
		for _, i := range []int{1, 4, 7} {
			if err := s.SetDivision(ctx, organizer, players[i].ID, " junior "); err != nil {
				t.Fatal(err)
			}
		}
		q, err := s.Qualification(ctx, tour.ID)
		if err != nil || len(q.Divisions) != 1 || q.Divisions[0].Name != "junior" {
			t.Fatalf("got %+v, %v", q.Divisions, err)
		}
		var out []string
		for _, r := range q.Divisions[0].Rows {
			out = append(out, fmt.Sprintf("%d:%d %s", r.Place, r.Number, r.Reason.Key))
		}
		if got, want := strings.Join(out, ", "), "1:5 , 2:2 wins, 3:8 turn_order"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}
