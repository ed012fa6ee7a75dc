package rights

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"meldhall/tournament/refuse"
)

func TestParseTables(t *testing.T) {
	for _, row := range []struct{ text, want, again string }{
		{"1-6, 9", "[1 2 3 4 5 6 9]", "1-6, 9"}, {"", "[]", ""}, {" , ", "[]", ""}, {"3", "[3]", "3"},
		{"9,1 - 2;2", "[1 2 9]", "1, 2, 9"},
		{"4–6", "[4 5 6]", "4-6"}, {"1-3,2-5,7", "[1 2 3 4 5 7]", "1-5, 7"}, {"999", "[999]", "999"},
	} {
		got, err := ParseTables(row.text)
		if err != nil || fmt.Sprint(got) != row.want || FormatTables(got) != row.again {
			t.Errorf("%q: got %v, %q, %v", row.text, got, FormatTables(got), err)
		}
		back, err := ParseTables(FormatTables(got))
		if err != nil || !slices.Equal(back, got) {
			t.Errorf("%q: what was written reads %v, %v", row.text, back, err)
		}
	}
	for _, text := range []string{"a", "0", "1000", "6-1", "1--3", "-4", "1-", "1 2", "1-999999999999"} {
		if got, err := ParseTables(text); !errors.Is(err, &refuse.Error{Kind: refuse.KindInvalid,
			Key: "err_zone_tables"}) {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
}
