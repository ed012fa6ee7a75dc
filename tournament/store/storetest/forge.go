package storetest

import (
	"database/sql"
	"strings"
	"testing"

	"meldhall/tournament/store"
)

// DropTriggers drops all triggers of a SQLite database, so that a test can forge its rows.
func DropTriggers(t testing.TB, db *sql.DB) {
	t.Helper()
	var triggers []string
	err := store.EachRow(t.Context(), db, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		triggers = append(triggers, name)
		return err
	}, "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
	for _, name := range triggers {
		if err == nil {
			_, err = db.Exec("DROP TRIGGER " + name)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Resum recomputes the checksums of a forged database. Its triggers must have been dropped.
func Resum(t testing.TB, db *sql.DB) {
	t.Helper()
	for table, columns := range map[string]string{
		"game_events": "game_id, seq, kind, version, data, actor, cmd_id, at",
		"audit":       "at, tournament_id, actor, action, why, version, about, data, topics, subject, before, after",
	} {
		sums := map[int64]int64{}
		err := store.EachRow(t.Context(), db, func(rows *sql.Rows) error {
			var id int64
			values := make([]any, strings.Count(columns, ",")+1)
			to := []any{&id}
			for i := range values {
				to = append(to, &values[i])
			}
			err := rows.Scan(to...)
			sums[id] = store.Sum(values...)
			return err
		}, "SELECT id, "+columns+" FROM "+table)
		for id, sum := range sums {
			if err == nil {
				_, err = db.Exec("UPDATE "+table+" SET sum = $1 WHERE id = $2 AND sum IS NOT $1", sum, id)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
