package rights

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// FuzzParseTables checks that the result is sorted, has no duplicates, is within range, and stays the same if parsed
// again.
func FuzzParseTables(f *testing.F) {
	for _, seed := range []string{"1-6, 9", "", "–", "3—1", "999", "1000", "0", "1-", "٣", "1;2",
		strings.Repeat("1-999,", 80), strings.Repeat("é", 300)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tables, err := ParseTables(text)
		if err != nil {
			return
		}
		for i, n := range tables {
			if n < 1 || n > zoneTables || i > 0 && tables[i-1] >= n {
				t.Fatalf("%q is %v", text, tables)
			}
		}
		if len(tables) > 60 {
			return // longer than the input limit
		}
		if again, err := ParseTables(strings.Trim(strings.ReplaceAll(fmt.Sprint(tables), " ", ","),
			"[]")); err != nil || !slices.Equal(tables, again) {
			t.Errorf("%q is %v, then %v, %v", text, tables, again, err)
		}
	})
}
