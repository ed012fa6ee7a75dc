package pairing

import (
	"strings"
	"testing"
)

// FuzzParseScript checks that a seating file is parsed into possible seats or rejected with a reason.
func FuzzParseScript(f *testing.F) {
	for _, seed := range []string{"table,seat,player\n1,1,Ann\n", "\ufeffround;table;seat;number\n1;1;1;7\n",
		"table,seat\n1,1\n", "table,seat,player\n1,0,\n", "table,seat,player\n\"", "\xff",
		"table,table,seat,player\n1,1,1,a\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines, err := ParseScript(strings.NewReader(text))
		if err == nil && len(lines) == 0 || len(lines) > mostScriptLines {
			t.Errorf("%d lines without a problem", len(lines))
		}
		for _, l := range lines {
			if err == nil && (l.Line < 1 || l.Round < 0 || l.Stage < 0 || l.Table < 1 || l.Seat < 1 || l.Player == "") {
				t.Errorf("%+v", l)
			}
		}
	})
}
