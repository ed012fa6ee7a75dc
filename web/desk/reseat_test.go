package desk

import (
	"slices"
	"testing"

	"meldhall/tournament/draw"
	"meldhall/tournament/pairing"
)

// Players who share a table against a request are shown as pairs, counted as in the draft's report. The weight is shown
// only if nothing else changes.
func TestAnExchangeIsToldInPairs(t *testing.T) {
	report := func(kinds ...string) (rep pairing.Report) {
		rep.Why = [][]pairing.TableWhy{make([]pairing.TableWhy, 2)}
		for i, kind := range kinds {
			table := &rep.Why[0][i%2]
			table.Together = append(table.Together, pairing.Close{Why: kind})
		}
		return rep
	}
	for _, row := range []struct {
		before, after pairing.Report
		weight        int64
		want          []string
	}{
		{report("club"), report("club", "club", "country"), 3,
			[]string{"Pairs from one club at a table +1", "Pairs from one country at a table +1"}},
		{report("family", "country"), report("country", "country"), -4,
			[]string{"Pairs from one family at a table \u22121", "Pairs from one country at a table +1"}},
		{report("apart"), report("apart"), -1, []string{"Weight of requests not met \u22121"}},
		{report("club", "apart"), report("apart", "club"), 0, nil},
	} {
		var got []string
		for _, fact := range seatChanges(t.Context(), draw.SeatsJudged{Cost: pairing.Cost{Wishes: row.weight},
			Before: row.before, After: row.after}) {
			got = append(got, fact.Name+" "+fact.Value)
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("got %q, want %q", got, row.want)
		}
	}
}
