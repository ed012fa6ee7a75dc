package account

import (
	"path/filepath"
	"testing"
	"time"

	"meldhall/tournament/store"
)

func TestSessions(t *testing.T) {
	s, err := store.OpenScratch(filepath.Join(t.TempDir(), "s.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	s.Now = func() time.Time { return now }
	k := Sessions{s}
	for _, data := range []string{"one", "two"} {
		if err := k.Commit("t", []byte(data), now.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if data, ok, err := k.Find("t"); string(data) != "two" || !ok || err != nil {
		t.Errorf("got %q, %v, %v", data, ok, err)
	}
	if all, err := k.All(); len(all) != 1 || err != nil {
		t.Errorf("got %v, %v", all, err)
	}
	now = now.Add(time.Hour)
	if _, ok, err := k.Find("t"); ok || err != nil {
		t.Errorf("an expired session was found, %v", err)
	}
	if err := k.Commit("u", []byte{}, now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	var rows int64
	if s.Read.Model(&session{}).Count(&rows); rows != 1 {
		t.Errorf("got %d rows: the expired one stays", rows)
	}
	if err := k.Delete("u"); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := k.Find("u"); ok {
		t.Error("a deleted session was found")
	}
}
