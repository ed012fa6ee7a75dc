package main

import (
	"bytes"
	"regexp"
	"testing"
	"time"

	"meldhall/engine/testmode"
	"meldhall/tournament/store/storetest"
)

// TestTurns measures one table on two nodes for a second.
func TestTurns(t *testing.T) {
	testmode.SkipUnlessLong(t)
	db := storetest.Server(t, storetest.Empty)
	var out bytes.Buffer
	if err := (turnsCmd{DB: db, Nodes: []int{2}, Tables: 2, Think: 50 * time.Millisecond,
		For: 2 * time.Second}).report(t.Context(), &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if !regexp.MustCompile(`(?m)^ +2 +[1-9]`).MatchString(out.String()) {
		t.Errorf("it says\n%s", out.String())
	}
}

// TestWriters lets two writers write the turns of 40 tables for a second.
func TestWriters(t *testing.T) {
	testmode.SkipUnlessLong(t)
	db := storetest.Server(t, storetest.Empty)
	var out bytes.Buffer
	if err := (writersCmd{DB: db, Tables: []int{20, 40}, Writers: 2, Turn: time.Second / 2,
		For: time.Second}).report(t.Context(), &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if !regexp.MustCompile(`(?m)^ +40 +80 +[1-9]`).MatchString(out.String()) {
		t.Errorf("it says\n%s", out.String())
	}
}
