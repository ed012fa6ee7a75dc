package action_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// The kinds of the actions in these tests.
var (
	_ = action.NewKind[move](action.Kind{Name: "test.move", Right: rights.MayEditFormats,
		Changes: []action.What{action.TopicSettings}, Details: action.Keep[action.Value]})
	_ = action.NewKind[ruling](action.Kind{Name: "test.ruling", Right: rights.MayRule})
	_ = action.NewKind[signIn](action.Kind{Name: "test.sign_in", Own: true, Guarded: true})
	_ = action.NewKind[searched](action.Kind{Name: "test.searched", Right: rights.MaySeatRound})
	_ = action.NewKind[host](action.Kind{Name: "test.host", Right: rights.MayManageAccounts})
	_ = action.NewKind[told](action.Kind{Name: "test.told", Own: true})

	followed = action.RecordKind(action.Kind{Name: "test.followed", Right: rights.MayEditFormats,
		Changes: []action.What{action.TopicSeats}})
	erasure = action.RecordKind(action.Kind{Name: store.ErasureAction, Right: rights.MaySeePublic})
)

// move changes the place of a tournament, records that, and then runs also.
type move struct {
	Tournament int64  `json:"tournament"`
	To         string `json:"to"`
	also       func(tx *action.Tx) error
}

func (m move) Do(tx *action.Tx) (was string, err error) {
	if err := tx.Raw("SELECT place FROM tournaments WHERE id = ?", m.Tournament).Scan(&was).Error; err != nil {
		return "", err
	}
	if err := tx.Exec("UPDATE tournaments SET place = ? WHERE id = ?", m.To, m.Tournament).Error; err != nil {
		return "", err
	}
	tx.Record(action.Entry{Event: m.Tournament, On: action.About{Name: m.To}, Is: &action.Value{Was: was, Is: m.To},
		Why: "the hall flooded"})
	if m.also != nil {
		err = m.also(tx)
	}
	return was, err
}

// ruling records a ruling at a table without checking the official's zone itself.
type ruling struct{ Tournament, Table int64 }

func (r ruling) Do(tx *action.Tx) (bool, error) {
	tx.Record(action.Entry{Event: r.Tournament, On: action.About{Table: int(r.Table)}})
	return true, nil
}

// signIn belongs to no tournament. check checks the actor's rights.
type signIn struct{ check func(tx *action.Tx) error }

func (s signIn) Do(tx *action.Tx) (bool, error) {
	tx.Record(action.Entry{})
	return true, s.check(tx)
}

// searched counts how often it is planned. The data has moved since the first stale plans.
type searched struct {
	Tournament     int64
	planned, stale int
	plans          *int
}

func (s searched) Plan(context.Context, *action.Desk, rights.Actor) (action.Action, error) {
	*s.plans++
	s.planned = *s.plans
	return s, nil
}

func (s searched) Do(tx *action.Tx) (int, error) {
	tx.Record(action.Entry{Event: s.Tournament, On: action.About{Number: int64(s.planned)}})
	if s.planned <= s.stale {
		return 0, action.ErrMoved
	}
	return s.planned, nil
}

// host is an action on the server itself.
type host struct{ Name string }

func (h host) Do(tx *action.Tx) (string, error) {
	tx.Record(action.Entry{On: action.About{Name: h.Name}, Is: &action.Value{Is: h.Name}, Why: h.Name})
	return h.Name, nil
}

// told only leaves a record about its subject.
type told struct {
	Tournament int64
	On         action.About
}

func (t told) Do(tx *action.Tx) (bool, error) {
	tx.Own()
	tx.Record(action.Entry{Event: t.Tournament, On: t.On})
	return true, nil
}

// erasedTexts is what the record of an erasure stores, see store.ErasedRecords.
type erasedTexts struct {
	Erased string `json:"erased"`
}

func (erasedTexts) After() []action.Phrase { return nil }

// fixture is a tournament whose Desk has listeners.
type fixture struct {
	*actiontest.Event
	changed  []action.Changed
	recorded []action.Record
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{Event: actiontest.NewEvent(t, actiontest.OneRound(), 4)}
	f.OnChanged(func(c action.Changed) { f.changed = append(f.changed, c) })
	f.OnRecorded(func(r action.Record) { f.recorded = append(f.recorded, r) })
	return f
}

// place reads the committed place of the tournament.
func (f *fixture) place() (place string) {
	f.Helper()
	if err := f.DB.ReadSQL.QueryRow("SELECT place FROM tournaments WHERE id = ?", f.ID).Scan(&place); err != nil {
		f.Fatal(err)
	}
	return place
}

// records returns the stored records of the tests' own kinds, oldest first.
func (f *fixture) records() (records []action.Record) {
	f.Helper()
	if err := f.DB.Read.Where("action LIKE 'test.%'").Order("id").Find(&records).Error; err != nil {
		f.Fatal(err)
	}
	return records
}

// untouched fails the test if an action has left anything.
func (f *fixture) untouched(what string) {
	f.Helper()
	if place, records := f.place(), f.records(); place != "" || len(records) > 0 || len(f.changed) > 0 ||
		len(f.recorded) > 0 {
		f.Errorf("%s: the place is %q, records %v, changes %v, listeners got %v", what, place, records, f.changed,
			f.recorded)
	}
}

// refused fails the test unless err is the refusal with this key.
func refused(t testing.TB, what string, err error, key string) {
	t.Helper()
	var e *refuse.Error
	if !errors.As(err, &e) || e.Key != key {
		t.Errorf("%s: got %v, want %s", what, err, key)
	}
}

// names returns the kinds of records.
func names(records []action.Record) (kinds []string) {
	for _, r := range records {
		kinds = append(kinds, r.Kind)
	}
	return kinds
}

// limited returns an official who serves only these tournaments.
func limited(role rights.Role, events ...int64) rights.Actor {
	a := rights.Staff(role, "Lim")
	a.Limits = &rights.Limits{Events: events}
	return a
}

func equal[T comparable](t testing.TB, what string, got []T, want ...T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
