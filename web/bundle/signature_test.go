package main

import (
	"encoding/json"
	"os"
	"testing"
)

// TestTabletsSign compares the tablet's statements and signatures with the test vectors of data/record/signature.md.
func TestTabletsSign(t *testing.T) {
	data, err := os.ReadFile("../../data/record/vectors/signature.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Runs []struct {
			Seed, Key string
			Game      int64
			Seat      int
			Commands  []struct {
				Action                                 string
				Body                                   map[string]any
				Seen                                   int
				History, Content, Statement, Signature string
			}
		}
	}
	if err := json.Unmarshal(data, &all); err != nil || len(all.Runs) == 0 {
		t.Fatalf("%d runs, %v", len(all.Runs), err)
	}
	s := loadScripts(t)
	for _, run := range all.Runs {
		before := ""
		for _, c := range run.Commands {
			got := call[struct{ Key, Content, Statement, Signature string }](s, "signed", run.Seed, before, run.Game,
				run.Seat, c.Seen, c.History, c.Action, c.Body)
			if got.Key != run.Key || got.Content != c.Content || got.Statement != c.Statement ||
				got.Signature != c.Signature {
				t.Errorf("%s: got %+v, want %+v", c.Action, got, c)
			}
			before = c.Statement
		}
	}
}
