package security

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store/storetest"
)

var organizer = rights.Staff(rights.RoleOrganizer, "Ann")

// TestEntries checks that repeats within a minute share one entry, and that each entry is a JSON line.
func TestEntries(t *testing.T) {
	db, out := storetest.New(t), new(bytes.Buffer)
	now := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	db.Now = func() time.Time { return now }
	l := Open(db, out)
	wrong := Entry{Kind: Refused, Name: "Bob", Address: "192.0.2.1", What: "password"}
	for range 3 {
		l.Note(wrong)
	}
	now = now.Add(time.Minute)
	l.Note(wrong)
	for range 2 {
		l.Note(Entry{Kind: SignedIn, Name: "Bob", Address: "192.0.2.1", What: "password"})
	}
	l.Close()
	list, more, err := Entries(t.Context(), db, organizer, "", 0, 10)
	if err != nil || more || len(list) != 4 {
		t.Fatalf("got %+v, %v, %v", list, more, err)
	}
	first := list[3]
	if first.Times != 3 || first.Kind != Refused || first.Name != "Bob" || first.Address != "192.0.2.1" ||
		list[2].Times != 1 || list[0].Kind != SignedIn {
		t.Errorf("got %+v", list)
	}
	page, more, err := Entries(t.Context(), db, organizer, SignedIn, 0, 1)
	if err != nil || !more || len(page) != 1 || page[0].ID != list[0].ID {
		t.Errorf("got %+v, %v, %v", page, more, err)
	}
	if page, more, err = Entries(t.Context(), db, organizer, SignedIn, page[0].ID, 1); err != nil || more ||
		len(page) != 1 || page[0].ID != list[1].ID {
		t.Errorf("the next page: got %+v, %v, %v", page, more, err)
	}
	if _, _, err := Entries(t.Context(), db, rights.Staff(rights.RoleHeadReferee, "Hal"), "", 0, 1); !errors.Is(err,
		refuse.ErrForbidden) {
		t.Errorf("a head referee gets %v", err)
	}
	lines := 0
	for read := bufio.NewScanner(out); read.Scan(); lines++ {
		var line map[string]string
		if err := json.Unmarshal(read.Bytes(), &line); err != nil || line["kind"] == "" || line["name"] != "Bob" {
			t.Errorf("got %s, %v", read.Bytes(), err)
		}
	}
	if lines != 6 {
		t.Errorf("got %d lines", lines)
	}
}

// TestRepeats checks that entries anyone can cause endlessly are written once a minute with their number, without
// losses.
func TestRepeats(t *testing.T) {
	db, out := storetest.New(t), new(bytes.Buffer)
	var now atomic.Int64
	db.Now = func() time.Time { return time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC).Add(time.Duration(now.Load())) }
	l := Open(db, out)
	foreign := Entry{Kind: Foreign, Address: "192.0.2.1", What: "/sign-in"}
	for range 3 {
		for range 5000 {
			l.Note(foreign)
		}
		now.Add(int64(time.Minute))
	}
	l.Note(Entry{Kind: Foreign, Address: "192.0.2.2", What: "/sign-in"})
	if due := l.due(false); len(due) != 1 || due[0].Times != 4999 {
		t.Errorf("after a minute there are %+v to write", due)
	}
	if due := l.due(false); len(due) != 0 {
		t.Errorf("then %+v", due)
	}
	l.Note(foreign)
	l.Close()
	list, _, err := Entries(t.Context(), db, organizer, Foreign, 0, 99)
	times := 0
	for _, e := range list {
		if e.Address == foreign.Address {
			times += e.Times
		}
	}
	if lines := bytes.Count(out.Bytes(), []byte("\n")); err != nil || times != 15_001-4999 || lines != 5 {
		t.Errorf("got %d times in %d lines, %+v, %v", times, lines, list, err)
	}
}

// TestFlood checks that a flood of one kind fills the table only to its limit, and displaces no other kind.
func TestFlood(t *testing.T) {
	db := storetest.New(t)
	l := Open(db, nil)
	l.Note(Entry{Kind: Rights, Name: "Ann", What: "account.create", About: "Eve"})
	for i := range keptOfKind + 3*atOnce {
		for len(l.entries) == waitMost {
			time.Sleep(time.Millisecond)
		}
		l.Note(Entry{Kind: Throttled, Address: strconv.Itoa(i)})
	}
	l.Close()
	if lost := l.lost.Load(); lost > 0 {
		t.Fatalf("%d entries were lost", lost)
	}
	list, _, err := Entries(t.Context(), db, organizer, Throttled, 0, 2*keptOfKind)
	if err != nil || len(list) != keptOfKind || list[0].Address != strconv.Itoa(keptOfKind+3*atOnce-1) {
		t.Errorf("got %d entries, %v", len(list), err)
	}
	if list, _, err = Entries(t.Context(), db, organizer, Rights, 0, 10); err != nil || len(list) != 1 ||
		list[0].About != "Eve" {
		t.Errorf("got %+v, %v", list, err)
	}
}
