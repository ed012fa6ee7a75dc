package storetest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"meldhall/engine/testmode"
	"meldhall/tournament/store"
	"meldhall/tournament/store/ownserver"
)

var database = flag.String("database", "",
	"run the tests on this database alone: sqlite or postgres; empty: on those that the package is tested on")

// onServer is set while New creates databases on a PostgreSQL server in a run on both.
var onServer atomic.Bool

// OnServer reports whether the databases of New are on a PostgreSQL server.
func OnServer() bool { return onServer.Load() || *database == "postgres" }

// OnBoth runs the tests of a package on SQLite and, in long runs, again on PostgreSQL. On PostgreSQL, it skips the
// tests whose names match the pattern but, which replaces the flag -skip. OnBoth returns the exit code; a package's
// TestMain need do nothing else. Only CI needs a PostgreSQL server.
func OnBoth(m *testing.M, but string) int {
	flag.Parse()
	if *database != "postgres" {
		if code := m.Run(); code != 0 || *database == "sqlite" || !testmode.Long || testmode.Race {
			return code
		}
		if _, err := running(); err != nil {
			fmt.Println("not run on PostgreSQL:", err)
			if os.Getenv("CI") == "true" {
				return 1
			}
			return 0
		}
		fmt.Println("again, on PostgreSQL")
		onServer.Store(true)
	}
	if err := flag.Set("test.skip", but); err != nil {
		panic(err)
	}
	return m.Run()
}

// server is the PostgreSQL server of this test process.
type server struct {
	*ownserver.Server
	made  atomic.Int64
	parts int64 // result of the query parts in a fresh database
	mu    sync.Mutex
	left  []string // fresh databases that tests have returned
}

// running starts the server for the first test that needs it, in a folder that is removed with the process, and returns
// it. The server's commits do not wait for the disk.
var running = sync.OnceValues(func() (*server, error) {
	own, err := ownserver.Start("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=400",
		"shared_buffers=64MB", "autovacuum=off", "max_locks_per_transaction=256")
	if err != nil {
		return nil, err
	}
	s := &server{Server: own}
	return s, s.makeFresh(context.Background())
})

// makeFresh creates the database from which all others are copied.
func (s *server) makeFresh(ctx context.Context) error {
	if err := s.Do(ctx, "CREATE DATABASE fresh"); err != nil {
		return err
	}
	made, err := store.OpenScratch(s.Address("fresh"))
	if err != nil {
		return err
	}
	if err := made.Close(); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, s.Address("fresh"))
	if err != nil {
		return err
	}
	return errors.Join(conn.QueryRow(ctx, parts).Scan(&s.parts), conn.Close(ctx))
}

// Server returns the address of a new database on a PostgreSQL server; template is Fresh or Empty. It skips the test in
// ordinary runs and if there is no server; in CI a missing server is a failure.
func Server(t testing.TB, template string) string {
	t.Helper()
	if *database != "postgres" {
		testmode.SkipUnlessLong(t)
	}
	s, err := running()
	if err != nil {
		testmode.SkipMissing(t, err)
	}
	name, err := s.take(t.Context(), template)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.giveBack(name, template); err != nil {
			t.Error(err)
		}
	})
	return s.Address(name) + "&folder=" + url.QueryEscape(t.TempDir())
}

// emptied deletes all rows of a database whose parts are unchanged. It does not truncate the tables, since a test
// writes only a few rows.
const emptied = `DO $$ DECLARE t regclass; BEGIN
	SET LOCAL session_replication_role = replica;
	FOR t IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'goose_db_version' LOOP
		EXECUTE 'DELETE FROM ' || t;
	END LOOP;
	FOR t IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' AND relname <> 'goose_db_version_id_seq' LOOP
		PERFORM setval(t, 1, false);
	END LOOP;
	INSERT INTO this_database (id) VALUES (1);
END $$`

// parts counts a database's tables, indexes, triggers and versions. The result differs from that of a fresh database if
// these have changed or if the database is in use.
const parts = `SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace) + (SELECT 1000 * count(*) FROM pg_trigger) + (SELECT 1000000 * max(version_id) FROM goose_db_version) +
	(SELECT 1000000000 * count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid())`

// take returns a database that another test has returned, or a new one. Creating a database takes many times longer
// than emptying one.
func (s *server) take(ctx context.Context, template string) (string, error) {
	s.mu.Lock()
	if n := len(s.left); n > 0 && template == Fresh {
		name := s.left[n-1]
		s.left = s.left[:n-1]
		s.mu.Unlock()
		return name, nil
	}
	s.mu.Unlock()
	name := fmt.Sprintf("test%d", s.made.Add(1))
	return name, s.Do(ctx, "CREATE DATABASE "+name+" TEMPLATE "+template)
}

// giveBack empties a database for the next test. It drops a database that is in use, or in which more than rows has
// changed.
func (s *server) giveBack(name, template string) error {
	ctx := context.Background()
	if template == Fresh {
		conn, err := pgx.Connect(ctx, s.Address(name))
		if err != nil {
			return err
		}
		var have int64
		if err = conn.QueryRow(ctx, parts).Scan(&have); err == nil && have == s.parts {
			_, err = conn.Exec(ctx, emptied)
		}
		if err = errors.Join(err, conn.Close(ctx)); err != nil {
			return err
		}
		if have == s.parts {
			s.mu.Lock()
			s.left = append(s.left, name)
			s.mu.Unlock()
			return nil
		}
	}
	return s.Do(ctx, "DROP DATABASE "+name+" WITH (FORCE)")
}

// The templates of Server.
const (
	Fresh = "fresh"     // with all tables
	Empty = "template0" // without tables
)
