package floor

import (
	"meldhall/tournament/storage/storagetest"
	"strings"
	"testing"
)

// TestRulingsUsedAreFound: the rulings of an event are found by their index, not by reading every turn that was played.
func TestRulingsUsedAreFound(t *testing.T) {
	s := storagetest.New(t)
	rows, err := s.ReadSQL.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+selectRuled, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var plan []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, detail)
	}
	if err := rows.Err(); err != nil || !strings.Contains(strings.Join(plan, "\n"), "game_events_ruled") {
		t.Errorf("%v: %q", err, plan)
	}
}
