package store_test

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"testing"
	"time"

	"gorm.io/gorm"

	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

const noteOnce = `INSERT INTO backups (at, file, bytes) SELECT 1, file, 1 FROM unnest($1::text[]) f (file) ON CONFLICT DO NOTHING RETURNING id`

// TestAtOnceWaitsForWhoeverWrites checks that AtOnce waits for a running writer, so that it gets a later ID and commits
// later, and that it writes all or nothing.
func TestAtOnceWaitsForWhoeverWrites(t *testing.T) {
	ctx, address := t.Context(), storetest.Server(t, storetest.Fresh)
	here, there := open(t, store.OpenNode, address), open(t, store.OpenNode, address)
	written := make(chan []int64, 1)
	var first int64
	if err := here.Tx(ctx, func(tx *gorm.DB) error {
		go func() {
			ids, err := there.AtOnce(context.WithoutCancel(ctx), noteOnce, []string{"a\x00", "b"})
			if err != nil {
				t.Error(err)
			}
			written <- ids
		}()
		for waits := 0; waits == 0; time.Sleep(time.Millisecond) {
			if err := here.ReadSQL.QueryRow(`SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`).Scan(&waits); err != nil {
				return err
			}
		}
		return tx.Raw(`INSERT INTO backups (at, file, bytes) VALUES (1, 'first', 1) RETURNING id`).Scan(&first).Error
	}); err != nil {
		t.Fatal(err)
	}
	if ids := <-written; len(ids) != 2 || ids[0] <= first || ids[1] <= ids[0] {
		t.Errorf("after %d the numbers %v are written", first, ids)
	}
	if _, err := there.AtOnce(ctx,
		`WITH a AS (INSERT INTO backups (at, file, bytes) VALUES (1, 'c', 1) RETURNING id) SELECT id / (id - id) FROM a`); err == nil || store.IsFailing(err) {
		t.Errorf("what fails after it was written: %v", err)
	}
	var files []string
	if err := store.EachRow(ctx, here.ReadSQL, func(rows *sql.Rows) error {
		var file string
		err := rows.Scan(&file)
		files = append(files, file)
		return err
	}, `SELECT file FROM backups ORDER BY id`); err != nil || !slices.Equal(files, []string{"first", "a\x00", "b"}) {
		t.Errorf("written are %q, %v", files, err)
	}
}

// TestAtOnceIsCut checks that a broken connection is replaced, and that a statement whose connection breaks is not
// reported as written.
func TestAtOnceIsCut(t *testing.T) {
	ctx, address := t.Context(), storetest.Server(t, storetest.Fresh)
	s := open(t, store.OpenNode, address)
	const cut = `SELECT pg_terminate_backend(pid)::text FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid <> pg_backend_pid()`
	if _, err := s.AtOnce(ctx, noteOnce, []string{"a"}); err != nil {
		t.Fatal(err)
	}
	_, err := s.AtOnce(ctx,
		`WITH a AS (INSERT INTO backups (at, file, bytes) VALUES (1, 'b', 1) RETURNING id) SELECT id FROM a WHERE pg_terminate_backend(pg_backend_pid())`)
	if !store.IsFailing(err) || !store.IsCut(err) && !errors.Is(err, context.Canceled) {
		t.Errorf("it was cut: %v", err)
	}
	if ids, err := s.AtOnce(ctx, noteOnce, []string{"c"}); err != nil || len(ids) != 1 {
		t.Errorf("after it was cut: %v, %v", ids, err)
	}
	if files := ask(t, address, `SELECT file FROM backups ORDER BY id`); !slices.Equal(files, []string{"a", "c"}) {
		t.Errorf("written are %q", files)
	}
	ask(t, address, cut)
	for again := 0; ; again++ {
		if _, err = s.AtOnce(ctx, noteOnce, []string{"d"}); err == nil {
			break
		}
		if again > 100 {
			t.Fatal(err)
		}
	}
}
