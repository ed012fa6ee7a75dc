package action_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/rights"
)

// TestRecord checks what a record stores.
func TestRecord(t *testing.T) {
	f, now := newFixture(t), time.UnixMilli(1_800_000_000_000)
	f.DB.Now = func() time.Time { return now }
	for _, to := range []string{"Rome", "Oslo"} {
		if _, err := action.Do(t.Context(), f.Desk, actiontest.Organizer, move{Tournament: f.ID, To: to}); err != nil {
			t.Fatal(err)
		}
	}
	got := f.records()
	if len(got) != 2 {
		t.Fatalf("the records are %v", got)
	}
	r := got[1]
	if r.Kind != "test.move" || r.Actor != "organizer:Ann" || r.Why != "the hall flooded" ||
		r.At != engine.MillisOf(now) || r.TournamentID == nil || *r.TournamentID != f.ID ||
		r.About().Name != "Oslo" || r.Version == 0 {
		t.Errorf("got %+v", r)
	}
	d := r.Details()
	if d == nil || len(action.Before(d)) != 1 || action.Before(d)[0].Args["text"] != "Rome" ||
		d.After()[0].Args["text"] != "Oslo" {
		t.Errorf("the details are %+v", d)
	}
	if len(f.recorded) != 2 || f.recorded[1].ID != r.ID || f.recorded[1].Chain != r.Chain {
		t.Errorf("listeners got %+v, stored is %+v", f.recorded, r)
	}
	if err := f.DB.CheckChains(t.Context()); err != nil {
		t.Error(err)
	}
	if details := (action.Record{Kind: "test.move", Version: 1, Data: "no JSON"}).Details(); details != nil {
		t.Errorf("unreadable details are %v", details)
	}
}

// TestCleanWhy checks that a reason is trimmed and limited in characters, not bytes.
func TestCleanWhy(t *testing.T) {
	long := strings.Repeat("é", action.ReasonMost)
	for typed, want := range map[string]string{"  late \n": "late", "": "", long: long} {
		if got, err := action.CleanWhy(typed); got != want || err != nil {
			t.Errorf("%q: got %q, %v", typed, got, err)
		}
	}
	_, err := action.CleanWhy(long + "é")
	refused(t, "too long", err, "err_why_missing")
}

// searchable fills the log of a tournament, with one minute between records.
func searchable(t *testing.T) (f *fixture, first engine.Millis) {
	f = newFixture(t)
	now := f.DB.Now()
	f.DB.Now = func() time.Time { return now }
	bob := rights.Staff(rights.RoleReferee, "Bob 100%")
	for _, e := range []struct {
		actor rights.Actor
		on    action.About
	}{
		{actiontest.Organizer, action.About{Round: 1, Table: 2, Player: 3, Name: "one"}},
		{actiontest.Organizer, action.About{Rounds: []int{1, 2}, Tables: []int{2, 4}, Players: []int{3, 1},
			Name: "two"}},
		{bob, action.About{Round: 2, Table: 4, Name: "three"}},
		{rights.Actor{Role: rights.RolePlayer, Player: f.player(3)}, action.About{Round: 2, Name: "four"}},
	} {
		now = now.Add(time.Minute)
		if e.on.Name == "one" {
			first = engine.MillisOf(now)
		}
		if _, err := action.Do(t.Context(), f.Desk, e.actor, told{f.ID, e.on}); err != nil {
			t.Fatal(err)
		}
	}
	return f, first
}

// player returns the ID of the player with a start number.
func (f *fixture) player(number int) (id int64) {
	f.Helper()
	if err := f.DB.ReadSQL.QueryRow("SELECT id FROM players WHERE tournament_id = ? AND number = ?", f.ID,
		number).Scan(&id); err != nil {
		f.Fatal(err)
	}
	return id
}

// TestSearchRecords checks each criterion of a search, and their combination.
func TestSearchRecords(t *testing.T) {
	f, first := searchable(t)
	const minute = engine.Millis(60_000)
	for name, c := range map[string]struct {
		action.LogSearch
		want string
	}{
		"all":                    {action.LogSearch{}, "four three two one"},
		"another kind":           {action.LogSearch{Kind: "test.move"}, ""},
		"actor, ignoring case":   {action.LogSearch{Who: " bob "}, "three"},
		"actor with wildcards":   {action.LogSearch{Who: "0%"}, "three"},
		"no wildcards":           {action.LogSearch{Who: "a%n"}, ""},
		"from":                   {action.LogSearch{From: first + 2*minute}, "four three"},
		"until, without the end": {action.LogSearch{Until: first + minute}, "one"},
		"round":                  {action.LogSearch{Round: 1}, "two one"},
		"table":                  {action.LogSearch{Table: 4}, "three two"},
		"player, also as actor":  {action.LogSearch{Player: 3}, "four two one"},
		"round and table":        {action.LogSearch{Round: 2, Table: 2}, "two"},
		"round and actor":        {action.LogSearch{Round: 2, Who: "ann"}, "two"},
		"text": {action.LogSearch{Match: func(r action.Record) bool {
			return strings.Contains(r.About().Name, "o")
		}}, "four two one"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.Kind == "" {
				c.Kind = "test.told" // creating the tournament left records too
			}
			page, err := action.SearchRecords(t.Context(), f.DB, actiontest.Organizer, f.ID, c.LogSearch)
			got := subjects(page.Entries)
			if err != nil || got != c.want || page.Total != len(page.Entries) || page.More {
				t.Errorf("got %q of %d, more %t, %v, want %q", got, page.Total, page.More, err, c.want)
			}
		})
	}
	_, err := action.SearchRecords(t.Context(), f.DB, rights.Public(), f.ID, action.LogSearch{})
	refused(t, "the public", err, "err_sign_in_first")
	_, err = action.SearchRecords(t.Context(), f.DB, limited(rights.RoleObserver, f.ID+1), f.ID, action.LogSearch{})
	refused(t, "an observer of another event", err, "err_not_your_event")
}

// TestSearchPages checks that the pages of a search contain each match once, whether or not the search reads all
// records.
func TestSearchPages(t *testing.T) {
	f, _ := searchable(t)
	for name, q := range map[string]action.LogSearch{"by columns": {Kind: "test.told"},
		"by text": {Kind: "test.told", Match: func(action.Record) bool { return true }}} {
		t.Run(name, func(t *testing.T) {
			q.Limit = 3
			page, err := action.SearchRecords(t.Context(), f.DB, actiontest.Organizer, f.ID, q)
			if got := subjects(page.Entries); err != nil || got != "four three two" || page.Total != 4 || !page.More {
				t.Fatalf("first %q of %d, more %t, %v", got, page.Total, page.More, err)
			}
			q.Before = page.Entries[2].ID
			page, err = action.SearchRecords(t.Context(), f.DB, actiontest.Organizer, f.ID, q)
			if got := subjects(page.Entries); err != nil || got != "one" || page.Total != 4 || page.More {
				t.Errorf("then %q of %d, more %t, %v", got, page.Total, page.More, err)
			}
		})
	}
}

// subjects returns the names of the records' subjects, separated by spaces.
func subjects(records []action.Record) string {
	list := make([]string, len(records))
	for i, r := range records {
		list[i] = r.About().Name
	}
	return strings.Join(list, " ")
}

// TestRecordsOfOrganizations checks that officials read records without a tournament only of their own organization.
func TestRecordsOfOrganizations(t *testing.T) {
	f := newFixture(t)
	club := rights.Staff(rights.RoleOrganizer, "Cleo")
	club.Organization, club.Limits = 7, &rights.Limits{Whole: true, Events: []int64{f.ID}}
	for _, by := range []rights.Actor{actiontest.Organizer, club} {
		if _, err := action.Do(t.Context(), f.Desk, by, host{Name: by.Name}); err != nil {
			t.Fatal(err)
		}
	}
	for _, by := range []rights.Actor{actiontest.Organizer, club} {
		records, err := action.Records(t.Context(), f.DB, by, 0, 10)
		if err != nil || len(records) != 1 || records[0].About().Name != by.Name {
			t.Errorf("%s reads %+v, %v", by.Name, records, err)
		}
	}
}

// TestErase checks that an erasure replaces the texts of the records in its reach, and that what stays is verified by
// the chain as before.
func TestErase(t *testing.T) {
	f, now := newFixture(t), time.UnixMilli(1_800_000_000_000)
	f.DB.Now = func() time.Time { now = now.Add(time.Second); return now }
	for _, a := range []action.Action{move{Tournament: f.ID, To: "Rome"}, move{Tournament: f.ID, To: "Oslo"},
		move{Tournament: f.ID, To: "Bonn"}, host{Name: "Rome"}} {
		if _, err := f.Do(t.Context(), actiontest.Organizer, a); err != nil {
			t.Fatal(err)
		}
	}
	before, hashes := f.records(), map[string]bool{}
	for _, c := range []struct {
		name  string
		erase func(tx *action.Tx) (int, error)
		want  int
	}{
		{"another tournament", func(tx *action.Tx) (int, error) { return tx.Erase([]int64{f.ID + 1}, withoutRome) }, 0},
		{"the server", func(tx *action.Tx) (int, error) { return tx.EraseServer(withoutRome) }, 1},
		{"the tournament", func(tx *action.Tx) (int, error) { return tx.Erase([]int64{f.ID}, withoutRome) }, 2},
		{"again", func(tx *action.Tx) (int, error) { return tx.Erase([]int64{f.ID}, withoutRome) }, 0},
	} {
		if _, err := action.Do(t.Context(), f.Desk, actiontest.Organizer, signIn{func(tx *action.Tx) error {
			tx.Own()
			n, err := c.erase(tx)
			if n != c.want {
				t.Errorf("%s: %d records changed, want %d", c.name, n, c.want)
			}
			hash, wrong := tx.ErasedHash(f.ID)
			tx.Record(action.Entry{Kind: erasure, Event: f.ID, Is: erasedTexts{hash}})
			hashes[hash] = true
			return errors.Join(err, wrong)
		}}); err != nil {
			t.Fatal(err)
		}
	}
	if len(hashes) != 2 || !hashes[""] {
		t.Errorf("the hashes of the erased texts are %v, want one before and one after", hashes)
	}
	for i, r := range f.records()[:len(before)] {
		was := before[i]
		withoutRome(&was)
		was.Sum, was.Salt, was.TournamentID = r.Sum, r.Salt, r.TournamentID
		if r != was {
			t.Errorf("got %+v, want %+v", r, was)
		}
	}
	if err := f.DB.CheckWhole(t.Context()); err != nil {
		t.Error(err)
	}
}

// withoutRome erases Rome from the texts of a record.
func withoutRome(r *action.Record) {
	for _, text := range []*string{&r.AboutJSON, &r.Data, &r.Why} {
		*text = strings.ReplaceAll(*text, "Rome", "X")
	}
}
