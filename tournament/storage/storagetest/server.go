package storagetest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"meldhall/tournament/storage"
)

var database = flag.String("database", "", "run the tests on this database alone: sqlite or postgres; empty: on those that the package is tested on")

// onServer tells whether New makes databases on a PostgreSQL server.
var onServer atomic.Bool

// OnServer tells whether the databases of New are a PostgreSQL server's.
func OnServer() bool { return onServer.Load() || *database == "postgres" }

// OnBoth runs the tests of a package on SQLite and, but for those that match, which are of SQLite's files, once more on PostgreSQL, which
// need not be there but in CI; short runs are on SQLite alone. It is all of the package's TestMain.
func OnBoth(m *testing.M, but string) int {
	flag.Parse()
	if *database == "sqlite" || *database == "" && testing.Short() {
		return m.Run()
	}
	if *database == "" {
		if code := m.Run(); code != 0 {
			return code
		}
		if _, err := running(); err != nil {
			fmt.Println("not run on PostgreSQL:", err)
			if os.Getenv("CI") == "true" {
				return 1
			}
			return 0
		}
	}
	if skips := flag.Lookup("test.skip"); but != "" {
		if said := skips.Value.String(); said != "" {
			but = "(" + said + ")|(" + but + ")"
		}
		_ = skips.Value.Set(but)
	}
	fmt.Println("once more, on PostgreSQL")
	onServer.Store(true)
	return m.Run()
}

// OnBothInCI is OnBoth where CI is true, for packages whose tests take long, and the tests on one database elsewhere.
func OnBothInCI(m *testing.M, but string) int {
	flag.Parse()
	if *database == "" && os.Getenv("CI") != "true" {
		return m.Run()
	}
	return OnBoth(m, but)
}

// server is the PostgreSQL server of this test process.
type server struct {
	folder string         // of its socket, too
	alive  io.WriteCloser // open while the server is to run
	ended  func() error   // waits until it does not
	made   atomic.Int64
	parts  int64 // of a fresh database
	mu     sync.Mutex
	left   []string // fresh databases that tests have given back
}

func (s *server) address(database string) string {
	query := url.Values{"host": {s.folder}, "user": {"postgres"}}
	return "postgres:///" + database + "?" + query.Encode()
}

// do runs a statement that no database has to be there for.
func (s *server) do(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, s.address("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

// running is the server, started by the first test that asks, in a folder that goes with the process. Its commits do not wait for the disk.
var running = sync.OnceValues(func() (*server, error) {
	programs, err := serverPrograms()
	if err != nil {
		return nil, err
	}
	s := &server{}
	if s.folder, err = os.MkdirTemp("", "pg"); err != nil {
		return nil, err
	}
	as, err := asServer(s.folder)
	if err != nil {
		return nil, err
	}
	if err := initData(programs, s.folder, as); err != nil {
		return nil, err
	}
	if err := s.start(programs, as, forTests...); err != nil {
		return nil, err
	}
	return s, s.makeFresh(context.Background())
})

// forTests are settings of a server whose commits do not wait for the disk.
var forTests = []string{"fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=400", "shared_buffers=64MB", "autovacuum=off", "max_locks_per_transaction=256"}

// initData makes a server's data in a folder.
func initData(programs, folder string, as *syscall.SysProcAttr) error {
	initdb := exec.Command(filepath.Join(programs, "initdb"), "-D", filepath.Join(folder, "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C.UTF-8")
	initdb.SysProcAttr, initdb.Dir = as, folder
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return nil
}

// start starts the server over the data in its folder, and waits until it answers.
func (s *server) start(programs string, as *syscall.SysProcAttr, settings ...string) error {
	// The shell waits for the end of this process, which closes its standard input, and takes the server and the folder away.
	args := []string{"-c", `"$0" "$@" >"$FOLDER/log" 2>&1 & read -r end; kill -QUIT $!; wait; [ "$end" = keep ] || rm -rf "$FOLDER"`, filepath.Join(programs, "postgres"),
		"-D", filepath.Join(s.folder, "data"), "-k", s.folder, "-c", "listen_addresses="}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	run := exec.Command("sh", args...)
	run.SysProcAttr, run.Dir, run.Env = as, s.folder, append(os.Environ(), "FOLDER="+s.folder)
	var err error
	if s.alive, err = run.StdinPipe(); err != nil {
		return err
	}
	if err := run.Start(); err != nil {
		return err
	}
	s.ended = run.Wait
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		err := s.do(ctx, "SELECT 1")
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			log, _ := os.ReadFile(filepath.Join(s.folder, "log"))
			return fmt.Errorf("the server does not start: %w\n%s", err, log)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// makeFresh makes the database that all others are copied from.
func (s *server) makeFresh(ctx context.Context) error {
	if err := s.do(ctx, "CREATE DATABASE fresh"); err != nil {
		return err
	}
	made, err := storage.OpenScratch(s.address("fresh"))
	if err != nil {
		return err
	}
	if err := made.Close(); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, s.address("fresh"))
	if err != nil {
		return err
	}
	return errors.Join(conn.QueryRow(ctx, parts).Scan(&s.parts), conn.Close(ctx))
}

// serverPrograms is the folder of PostgreSQL's programs, the newest ones.
func serverPrograms() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append(found, path)
	}
	if len(found) == 0 {
		return "", errors.New("PostgreSQL is not installed: Debian's package is postgresql")
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
		return n
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })), nil
}

// Server gives the address of a new database of a PostgreSQL server, with all tables or empty, and ends a test that cannot have it.
func Server(t testing.TB, template string) string {
	t.Helper()
	s, err := running()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
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
	return s.address(name) + "&folder=" + url.QueryEscape(t.TempDir())
}

// emptied is a statement by which a database of which parts are as it was made has no rows again; those of a test are few.
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

// parts tells whether a database has other tables, indexes, triggers or versions than it was made with, or is in use.
const parts = `SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace) + (SELECT 1000 * count(*) FROM pg_trigger) + (SELECT 1000000 * max(version_id) FROM goose_db_version) +
	(SELECT 1000000000 * count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid())`

// take gives a database that another test has left, since making one takes many times longer than emptying it, or a new one.
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
	return name, s.do(ctx, "CREATE DATABASE "+name+" TEMPLATE "+template)
}

// giveBack empties a database for the next test; one of which more than rows is another, or that is in use, is taken away.
func (s *server) giveBack(name, template string) error {
	ctx := context.Background()
	if template == Fresh {
		conn, err := pgx.Connect(ctx, s.address(name))
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
	return s.do(ctx, "DROP DATABASE "+name+" WITH (FORCE)")
}

// Templates of Server.
const (
	Fresh = "fresh"     // all tables
	Empty = "template0" // none
)

// unprivileged finds the user that the server runs as, where this process is root's: PostgreSQL refuses root.
func unprivileged() (uid, gid int, err error) {
	if os.Getuid() != 0 {
		return os.Getuid(), os.Getgid(), nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		var who *user.User
		if who, err = user.Lookup(name); err == nil {
			uid, _ = strconv.Atoi(who.Uid)
			gid, _ = strconv.Atoi(who.Gid)
			return uid, gid, nil
		}
	}
	return 0, 0, err
}
