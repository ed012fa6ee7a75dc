package archive

import (
	"slices"
	"strings"
	"testing"

	"meldhall/tournament/storage/storagetest"
)

// Every column of the database is either carried or left at home: a new one is to be decided on.
func TestEveryColumnIsDecidedOn(t *testing.T) {
	s := storagetest.New(t)
	var tables []string
	if err := s.Read.Raw("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'goose_%'").Scan(&tables).Error; err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		i := slices.IndexFunc(parts, func(p part) bool { return p.table == table })
		if stays := slices.Contains(ofMachines, table) || table == "game_events"; (i >= 0) == stays {
			t.Errorf("table %s: in an archive %v, at home %v", table, i >= 0, stays)
		}
		if i < 0 {
			continue
		}
		var columns []string
		if err := s.Read.Raw("SELECT name FROM pragma_table_info(?)", table).Scan(&columns).Error; err != nil {
			t.Fatal(err)
		}
		decided := slices.Sorted(slices.Values(slices.Concat(parts[i].carry, parts[i].drop)))
		if slices.Sort(columns); !slices.Equal(columns, decided) {
			t.Errorf("table %s has the columns %v, decided on are %v", table, columns, decided)
		}
	}
}

// What must not leave the machine is in none of the files.
func TestNoSecrets(t *testing.T) {
	for _, p := range parts {
		for _, name := range p.carry {
			for _, secret := range words("hash code token email ticket device password pin cmd_id account") {
				if strings.Contains(name, secret) && p.table != "seed_promises" {
					t.Errorf("%s.%s is carried", p.table, name)
				}
			}
		}
	}
	h := newHall(t)
	e := h.event(8)
	h.start(e)
	a, _ := h.packed(e)
	for name, data := range a.files {
		if strings.Contains(string(data), "example.org") {
			t.Errorf("%s has an e-mail address", name)
		}
	}
	if len(a.Manifest.LeftOut) != 0 && len(a.gameFiles()) != 0 {
		t.Error("the log of a running game left")
	}
}
