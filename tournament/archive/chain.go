package archive

import (
	"fmt"
	"maps"
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament/export"
	"meldhall/tournament/store"
)

// recordChain is the chain of an archive's records as they are read or loaded.
type recordChain struct {
	of     store.ChainOf
	head   string
	count  int
	erased store.ErasedRecords
	noted  string // data of the record of the last erasure
}

// add appends the next record and returns its hash.
func (r *recordChain) add(p part, values []any) string {
	text := func(name string) string { text, _ := values[slices.Index(p.carry, name)].(string); return text }
	number := func(name string) int64 { n, _ := values[slices.Index(p.carry, name)].(int64); return n }
	record := store.ChainedRecord{At: number("at"), Actor: text("actor"), Action: text("action"),
		Version: int(number("version")), About: text("about"), Data: text("data"),
		Subject: text("subject"), Before: text("before"), After: text("after"), Why: text("why"), Salt: text("salt")}
	r.head = record.Link(r.of, r.head)
	r.count++
	if r.erased.Add(record, r.head); record.Action == store.ErasureAction {
		r.noted = record.Data
	}
	return r.head
}

// store stores the end of the chain, so that the tournament's next record continues it.
func (r *recordChain) store(tx *gorm.DB) error {
	if r.count == 0 {
		return nil
	}
	return store.Recorded(tx.Statement.Context, tx.Statement.ConnPool, r.of, r.head, r.count)
}

// count sets the row counts and chain heads of a manifest, which must already list the games left out. It returns the
// games and the record chain that it read.
func (a *Archive) count(m *Manifest, all map[string]rows) (games []export.Game, records recordChain, err error) {
	records = recordsOf(all)
	m.Tables = map[string]int{}
	for _, p := range parts {
		m.Tables[p.table] = len(all[p.table])
	}
	var heads []store.GameHead
	for _, name := range a.gameFiles() {
		g, err := a.game(name)
		if err != nil {
			return nil, records, err
		}
		games = append(games, g)
		m.Tables["game_events"] += len(g.Events)
		heads = append(heads, store.GameHead{Game: g.Game, Head: g.ChainHead()})
	}
	for _, g := range m.LeftOut {
		if g.Head != "" {
			heads = append(heads, store.GameHead{Game: g.Game, Head: g.Head})
		}
	}
	m.Records, m.Head = records.head, store.EventHead(records.head, heads)
	return games, records, nil
}

// recordsOf computes the chain of an archive's records.
func recordsOf(all map[string]rows) (records recordChain) {
	if event := all["tournaments"]; len(event) == 1 {
		records.of.Event, _ = event[0][0].(int64)
	}
	for _, row := range all["audit"] {
		records.add(partNamed("audit"), row)
	}
	return records
}

// checkChains recomputes the chains of an archive, counts its rows, and compares both with the manifest.
func (a *Archive) checkChains(all map[string]rows) (faults []error, err error) {
	have := Manifest{LeftOut: a.Manifest.LeftOut}
	games, records, err := a.count(&have, all)
	if err != nil {
		return nil, err
	}
	for _, g := range games {
		if g.Head == "" {
			faults = append(faults, &Fault{gameName(g.Game), "the log has no head"})
		}
	}
	said := a.Manifest
	for _, table := range slices.Sorted(maps.Keys(have.Tables)) {
		if have.Tables[table] != said.Tables[table] {
			faults = append(faults, &Fault{fileOf(table), fmt.Sprintf("%d rows of %s are there, the manifest counts %d",
				have.Tables[table], table, said.Tables[table])})
		}
	}
	for table := range said.Tables {
		if _, known := have.Tables[table]; !known {
			faults = append(faults, &Fault{manifestName, "it counts rows of " + table + ", which is not an " +
				"archived table"})
		}
	}
	if !records.erased.Agrees(records.noted) {
		faults = append(faults, &Fault{actionsName,
			"the texts in place of erased ones are not those that the record of the erasure names"})
	}
	if have.Records != said.Records {
		faults = append(faults, &Fault{actionsName,
			"the records do not give the hash that the manifest names: one was changed, added or removed"})
	}
	if have.Head != said.Head {
		faults = append(faults, &Fault{manifestName, fmt.Sprintf("its head %s is not that of the logs and records, %s",
			said.Head, have.Head)})
	}
	return faults, nil
}

// fileOf returns the file with the rows of a table.
func fileOf(table string) string {
	if i := slices.IndexFunc(parts, func(p part) bool { return p.table == table }); i >= 0 {
		return parts[i].file
	}
	return "games/"
}
