package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

func open(t *testing.T, how func(string) (*store.DB, error), address string) *store.DB {
	t.Helper()
	s, err := how(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// ask runs a statement outside the program and returns its result, a column of texts.
func ask(t *testing.T, address, query string, args ...any) (answer []string) {
	t.Helper()
	address, _, _ = strings.Cut(address, "&folder=")
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	rows, err := conn.Query(t.Context(), query, args...)
	if err == nil {
		answer, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return answer
}

const tables = `SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1`

// TestPostgresHasOneOwner checks that a server's database has one owner, whose name a second one gets in its error. A
// lost lock is taken again, unless another program has had it.
func TestPostgresHasOneOwner(t *testing.T) {
	address := storetest.Server(t, storetest.Fresh)
	first := open(t, store.OpenAlone, address)
	_, err := store.OpenAlone(address)
	var used *store.InUseError
	if !errors.As(err, &used) || used.Owner.PID != os.Getpid() || used.Owner.Since.IsZero() ||
		!strings.Contains(err.Error(), "Stop that one first") {
		t.Fatalf("a second owner: %v", err)
	}
	beside := open(t, store.Open, address) // a tool may read along
	if _, err := beside.WrittenElsewhere(t.Context()); err != nil {
		t.Error(err)
	}
	const cut = `SELECT pg_terminate_backend(pid)::text FROM pg_locks WHERE locktype = 'advisory' AND classid = 1835363428 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
	write := func() error {
		return first.Tx(t.Context(), func(tx *gorm.DB) error {
			return tx.Exec(`INSERT INTO backups (at, file, bytes) VALUES (1, 'x', 1)`).Error
		})
	}
	ask(t, address, cut)
	for again := 0; ; again++ { // a cut connection is noticed only when it is used
		if _, err = first.WrittenElsewhere(t.Context()); err == nil {
			break
		}
		if again > 100 {
			t.Fatalf("the lock is not taken again: %v", err)
		}
	}
	if err := write(); err != nil {
		t.Errorf("after the connection was cut: %v", err)
	}
	ask(t, address, cut)
	var second *store.DB
	for again := 0; second == nil; again++ {
		if second, err = store.OpenAlone(address); err != nil && again > 100 {
			t.Fatal(err)
		}
	}
	defer second.Close()
	if _, err := first.WrittenElsewhere(t.Context()); !errors.As(err, &used) {
		t.Errorf("the first asks: %v", err)
	}
	if err := write(); err == nil {
		t.Error("the first writes into what is another's")
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	if err := write(); err == nil {
		t.Error("the first writes after another had it")
	}
}

// TestPostgresOwnerWaitsForItsOwnSession checks the case that the lock's session ends later on the server than here:
// the owner is rejected until then, and continues by itself.
func TestPostgresOwnerWaitsForItsOwnSession(t *testing.T) {
	address := storetest.Server(t, storetest.Fresh)
	owner := open(t, store.OpenAlone, address)
	ctx := t.Context()
	bare, _, _ := strings.Cut(address, "&folder=")
	old, err := pgx.Connect(ctx, bare)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close(context.WithoutCancel(ctx))
	var session, key int64
	const lock = `SELECT pid::bigint, objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid = 1835363428 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
	if err := old.QueryRow(ctx, lock).Scan(&session, &key); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{`SELECT pg_terminate_backend($1::int, 10000)`,
		`SELECT pg_advisory_lock(1835363428, $1::int)`} {
		if _, err := old.Exec(ctx, statement, map[bool]int64{true: session,
			false: key}[strings.Contains(statement, "terminate")]); err != nil {
			t.Fatal(err)
		}
	}
	write := func() error {
		_, err := owner.WriteSQL.Exec(`INSERT INTO backups (at, file, bytes) VALUES (1, 'x', 1)`)
		return err
	}
	// the program calls this every second
	if _, err := owner.WrittenElsewhere(ctx); !errors.As(err, new(*store.InUseError)) {
		t.Errorf("while the old session has the lock: %v", err)
	}
	if err := write(); !store.IsFailing(err) {
		t.Errorf("written while the old session has the lock: %v", err)
	}
	if err := old.Close(ctx); err != nil {
		t.Fatal(err)
	}
	for again := 0; ; again++ {
		if err = write(); err == nil {
			break
		}
		if again > 1000 {
			t.Fatalf("after the old session has ended: %v", err)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// TestPostgresIsCut checks that cutting connections, including the owner's, loses nothing that was acknowledged. A
// rejected caller gets a database error and may try again.
func TestPostgresIsCut(t *testing.T) {
	address := storetest.Server(t, storetest.Fresh)
	s := open(t, store.OpenAlone, address)
	var told sync.Map
	var refused, written atomic.Int64
	var all sync.WaitGroup
	stop := make(chan struct{})
	for writer := range 4 {
		all.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				key := fmt.Sprintf("%d-%d", writer, n)
				err := s.Tx(context.Background(), func(tx *gorm.DB) error {
					return tx.Exec(`INSERT INTO accounts (name, name_key, role, password, created_at) VALUES (?, ?, 'observer', '', 1)`, key, key).Error
				})
				switch {
				case err == nil:
					told.Store(key, true)
					written.Add(1)
				case store.IsFailing(err):
					refused.Add(1)
				default:
					t.Errorf("refused with %v", err)
					return
				}
			}
		})
	}
	for cut := range 10 {
		for at := written.Load(); written.Load() < at+20; {
			if t.Failed() || t.Context().Err() != nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		ask(t, address,
			`SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND (application_name LIKE 'meldhall%') IN (false, $1)`, cut%2 == 0)
	}
	close(stop)
	all.Wait()
	kept := map[string]bool{}
	for _, key := range ask(t, address, `SELECT name FROM accounts`) {
		kept[key] = true
	}
	told.Range(func(key, _ any) bool {
		if !kept[key.(string)] {
			t.Errorf("%s was acknowledged, and is lost", key)
		}
		return true
	})
	t.Logf("%d acknowledged, %d refused, %d kept", written.Load(), refused.Load(), len(kept))
}

// TestPostgresEpochs checks that an epoch continues after a restart and ends with a copy.
func TestPostgresEpochs(t *testing.T) {
	address := storetest.Server(t, storetest.Fresh)
	first := open(t, store.OpenAlone, address)
	began := first.Epoch
	if _, err := first.WriteSQL.Exec(`INSERT INTO heartbeat (id, at) VALUES (1, 5)`); err != nil || began.Name == "" ||
		began.Copied != 0 {
		t.Fatalf("it began as %+v, %v", began, err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, store.OpenAlone, address)
	if again.Epoch.Name != began.Name {
		t.Errorf("started again it is %+v", again.Epoch)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	copied := storetest.Server(t, strings.TrimPrefix(at.Path, "/"))
	if of := open(t, store.OpenAlone, copied); of.Epoch.Name == began.Name || of.Epoch.Copied != 5 {
		t.Errorf("a copy goes on as %+v", of.Epoch)
	}
}

// TestPostgresRefuses checks that an unusable database is rejected in plain words and stays unchanged.
func TestPostgresRefuses(t *testing.T) {
	empty := storetest.Server(t, storetest.Empty)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := closed.Addr().String()
	closed.Close()
	name := func(database string) string { return strings.Replace(empty, "/test", "/no_such_", 1) + database }
	for _, c := range []struct{ what, address, prepare, says string }{
		{"nobody there", "postgres://ann:s3cret@" + nobody + "/db", "", "no PostgreSQL server answers there"},
		{"no machine", "postgres://ann:s3cret@no-such-host.invalid/db", "", "no-such-host.invalid"},
		{"no database", name(""), "", "it has no database with this name: make one with createdb"},
		{"no user", strings.Replace(empty, "user=postgres", "user=ann", 1), "", "it refuses this user"},
		{"another program's", storetest.Server(t, storetest.Empty), "CREATE TABLE customers (id int)",
			"it belongs to another program: it has a table customers"},
		{"another program's that counts alike", storetest.Server(t, storetest.Empty),
			"CREATE TABLE goose_db_version (id int); CREATE TABLE customers (id int)", "belongs to another program"},
		{"a newer program's", storetest.Server(t, storetest.Fresh),
			"INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)",
			"the schema version is 9999, newer than this program's"},
		{"an index is gone", storetest.Server(t, storetest.Fresh), "DROP INDEX game_events_cmd",
			"is damaged and was not opened: the index game_events_cmd is missing"},
		{"a law is gone", storetest.Server(t, storetest.Fresh), "DROP TRIGGER audit_no_update ON audit",
			"the trigger audit_no_update of audit is missing"},
		{"a law is off", storetest.Server(t, storetest.Fresh), "ALTER TABLE audit DISABLE TRIGGER audit_no_update",
			"the trigger audit_no_update of audit is not as this program makes it"},
		{"a column is another", storetest.Server(t, storetest.Fresh), "ALTER TABLE audit ALTER why DROP NOT NULL",
			"the column audit.why is not as this program makes it"},
	} {
		t.Run(c.what, func(t *testing.T) {
			var before []string
			if c.prepare != "" {
				for statement := range strings.SplitSeq(c.prepare, "; ") {
					ask(t, c.address, statement)
				}
				before = ask(t, c.address, tables)
			}
			s, err := store.OpenAlone(c.address)
			if err == nil {
				s.Close()
			}
			if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("refused with %v", err)
			}
			if c.prepare != "" {
				if after := ask(t, c.address, tables); !slices.Equal(before, after) {
					t.Errorf("it had %v, it has %v", before, after)
				}
			}
		})
	}
	if _, err := store.OpenExisting(empty); err == nil || len(ask(t, empty, tables)) != 0 {
		t.Errorf("a tool opens an empty database: %v", err)
	}
}

// TestPostgresPlansForMemory checks that PostgreSQL plans for cached pages unless the address says otherwise. Without
// that it reads the results of all tournaments to find those of one.
func TestPostgresPlansForMemory(t *testing.T) {
	address := storetest.Server(t, storetest.Fresh)
	for named, want := range map[string]string{"": "1.1", "&random_page_cost=3": "3"} {
		s := open(t, store.Open, address+named)
		for what, pool := range map[string]*sql.DB{"reads": s.ReadSQL, "writes": s.WriteSQL} {
			var cost string
			if err := pool.QueryRow("SHOW random_page_cost").Scan(&cost); err != nil || cost != want {
				t.Errorf("%s with %q: a page out of order costs %s, %v; want %s", what, named, cost, err, want)
			}
		}
	}
}

// TestPostgresIsBroughtUpToDate checks that a database of an older version is migrated with its contents, and that one
// that cannot be migrated stays unchanged.
func TestPostgresIsBroughtUpToDate(t *testing.T) {
	for _, version := range []int64{1, 18, 27, 37} {
		address := storetest.Server(t, storetest.Empty)
		if err := store.ServerAtVersion(t.Context(), address, version); err != nil {
			t.Fatal(err)
		}
		ask(t, address,
			`INSERT INTO accounts (id, name, name_key, role, password, created_at) VALUES (7, 'Ann', 'ann', 'organizer', 'x', 1)`)
		s := open(t, store.OpenAlone, address)
		if err := errors.Join(s.CheckSchema(t.Context()), s.CheckIntegrity(t.Context())); err != nil {
			t.Errorf("from version %d: %v", version, err)
		}
		var name string
		if err := s.ReadSQL.QueryRow(`SELECT name FROM accounts WHERE id = $1`, 7).Scan(&name); err != nil ||
			name != "Ann" {
			t.Errorf("from version %d: the account is %q, %v", version, name, err)
		}
	}
	address := storetest.Server(t, storetest.Empty)
	if err := store.ServerAtVersion(t.Context(), address, 36); err != nil {
		t.Fatal(err)
	}
	ask(t, address, `CREATE VIEW reveals AS SELECT 1 AS one`)
	before := ask(t, address, tables)
	if _, err := store.OpenAlone(address); err == nil || !strings.Contains(err.Error(), "the database is unchanged") {
		t.Errorf("a migration that cannot be: %v", err)
	}
	if after := ask(t, address, tables); !slices.Equal(before, after) {
		t.Errorf("it had %v, it has %v", before, after)
	}
}

// TestPostgresKeepsTheLaws checks that append-only tables cannot be updated, deleted from or truncated, and that a
// transaction with a failed statement is not reported as committed.
func TestPostgresKeepsTheLaws(t *testing.T) {
	s := open(t, store.Open, storetest.Server(t, storetest.Fresh))
	game := storetest.Hall(t, s, 1, 1)[0]
	if _, err := s.WriteSQL.Exec(`INSERT INTO game_events (game_id, seq, kind, version, data, actor, at)
		VALUES ($1, 1, 'x', 1, '{}', 'y', 1)`, game); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{`UPDATE game_events SET at = 2`, `DELETE FROM game_events`,
		`TRUNCATE game_events`, `TRUNCATE games CASCADE`} {
		if _, err := s.WriteSQL.Exec(statement); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if _, err := s.WriteSQL.Exec(`INSERT INTO games (tournament_id, table_id, number, status) VALUES (1, 1, 1, 'lost')`); err == nil {
		t.Error("a game of no status is kept")
	}
	tx, err := s.WriteSQL.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(`UPDATE tournaments SET name = 'U'`); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(`UPDATE game_events SET at = 2`); err == nil {
		t.Fatal("it is changed")
	}
	if err := tx.Commit(); err == nil {
		t.Error("what was not kept is told to be")
	}
	if _, err := s.ReadSQL.Exec(`UPDATE tournaments SET name = 'U'`); err == nil {
		t.Error("a reader writes")
	}
}

// TestCarriedThereAndBack checks that everything is copied to a server and back, including the strangest texts, and
// that IDs continue afterwards.
func TestCarriedThereAndBack(t *testing.T) {
	ctx, folder := t.Context(), t.TempDir()
	file := open(t, store.Open, filepath.Join(folder, "a.db"))
	storetest.Hall(t, file, 3, 2)
	for i, name := range []string{"X\x00mark", "\x1f", "no \xff UTF-8", "it's “so”; \\ -- ?", "日本語"} {
		if _, err := file.WriteSQL.Exec(`INSERT INTO backups (at, file, bytes) VALUES ($1, $2, $3)`, i, name,
			-1<<62); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := file.WriteSQL.Exec(`INSERT INTO sessions (token, data, expiry) VALUES ('t', $1, 9)`,
		[]byte{0, 1, 255}); err != nil {
		t.Fatal(err)
	}
	// some texts are stored like that
	if _, err := file.WriteSQL.Exec(`UPDATE rounds SET note = CAST('as bytes' AS BLOB)`); err != nil {
		t.Fatal(err)
	}
	server := open(t, store.OpenToFill, storetest.Server(t, storetest.Empty))
	there, err := file.CarryTo(ctx, server)
	if err != nil {
		t.Fatal(err)
	}
	back := open(t, store.OpenToFill, filepath.Join(folder, "b.db"))
	again, err := server.CarryTo(ctx, back)
	if err != nil {
		t.Fatal(err)
	}
	for i, was := range there {
		if was.Table != "epochs" && was != again[i] { // each copy starts its own epoch
			t.Errorf("%+v came back as %+v", was, again[i])
		}
	}
	var id int64
	if err := server.WriteSQL.QueryRow(`INSERT INTO backups (at, file, bytes) VALUES (1, 'x', 1) RETURNING id`).Scan(&id); err != nil || id != 6 {
		t.Errorf("the next id is %d, %v", id, err)
	}
	if _, err := file.CarryTo(ctx, server); err == nil {
		t.Error("two databases are carried into one")
	}
	if err := back.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := store.OpenToFill(filepath.Join(folder, "b.db")); err == nil ||
		!strings.Contains(err.Error(), "is not empty") {
		t.Errorf("a full one is to be filled: %v", err)
	}
	if _, err := file.WriteSQL.Exec(`UPDATE tables SET number = 'seven' WHERE id = 2`); err != nil {
		t.Fatal(err)
	}
	none := open(t, store.OpenToFill, storetest.Server(t, storetest.Empty))
	if _, err := file.CarryTo(ctx, none); err == nil || !strings.Contains(err.Error(),
		"copy table tables: row 2: a column of type INTEGER holds a string") {
		t.Errorf("a text for a number: %v", err)
	}
	var kept int
	if err := none.ReadSQL.QueryRow(`SELECT count(*) FROM tournaments`).Scan(&kept); err != nil || kept != 0 {
		t.Errorf("%d events were kept, %v", kept, err)
	}
}

// TestJSONField checks that a field of a JSON text reads the same on both databases.
func TestJSONField(t *testing.T) {
	for name, at := range map[string]func(*testing.T) string{
		"file":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "a.db") },
		"server": func(t *testing.T) string { return storetest.Server(t, storetest.Fresh) },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, store.Open, at(t))
			for field, want := range map[string]string{"of": "17", "why": "it's \"so\"", "none": "missing"} {
				var got string
				query := "SELECT coalesce(" + store.JSONField(s.Read, "d.data", field) +
					", 'missing') FROM (SELECT ? AS data) d"
				err := s.Read.Raw(query, `{"of":17,"why":"it's \"so\""}`).Scan(&got).Error
				if err != nil || got != want {
					t.Errorf("%s is %q, not %q, %v", field, got, want, err)
				}
			}
		})
	}
}
