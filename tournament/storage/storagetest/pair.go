package storagetest

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Pair is a PostgreSQL server that keeps what it acknowledges, with a standby that has it before it is acknowledged.
type Pair struct {
	t                testing.TB
	programs         string
	as               *syscall.SysProcAttr
	primary, standby *server
}

// kept are settings of a server that loses nothing with its process.
var kept = []string{"fsync=off", "full_page_writes=off", "max_connections=200", "shared_buffers=64MB", "autovacuum=off", "max_locks_per_transaction=256"}

// NewPair starts two servers that go with the test, and ends a test that cannot have them.
func NewPair(t testing.TB) *Pair {
	t.Helper()
	p := &Pair{t: t}
	var err error
	if p.programs, err = serverPrograms(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	if p.primary, err = p.folder(); err == nil {
		err = initData(p.programs, p.primary.folder, p.as)
	}
	if err == nil {
		err = p.primary.start(p.programs, p.as, kept...)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.primary.alive.Close(); p.primary.ended() })
	if err := p.attach(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.standby.alive.Close(); p.standby.ended() })
	return p
}

func (p *Pair) folder() (*server, error) {
	s := &server{}
	var err error
	if s.folder, err = os.MkdirTemp("", "pg"); err == nil {
		p.as, err = asServer(s.folder)
	}
	return s, err
}

// attach makes the standby, and has the server wait for it.
func (p *Pair) attach() (err error) {
	if p.standby, err = p.folder(); err != nil {
		return err
	}
	copied := exec.Command(filepath.Join(p.programs, "pg_basebackup"), "-D", filepath.Join(p.standby.folder, "data"), "-h", p.primary.folder, "-U", "postgres", "-R", "-c", "fast", "--no-sync")
	copied.SysProcAttr, copied.Dir = p.as, p.standby.folder
	if out, err := copied.CombinedOutput(); err != nil {
		return fmt.Errorf("pg_basebackup: %w\n%s", err, out)
	}
	if err := p.standby.start(p.programs, p.as, kept...); err != nil {
		return err
	}
	ctx := p.t.Context()
	return errors.Join(p.primary.do(ctx, `ALTER SYSTEM SET synchronous_standby_names = '*'`), p.primary.do(ctx, `SELECT pg_reload_conf()`))
}

// Socket is where the server listens that is to be asked.
func (p *Pair) Socket() (network, address string) {
	return "unix", filepath.Join(p.primary.folder, ".s.PGSQL.5432")
}

// Address is the database that both begin with, through something that listens at a host and port.
func (p *Pair) Address(through string) string {
	return "postgres://postgres@" + through + "/postgres?" + url.Values{"sslmode": {"disable"}, "folder": {p.t.TempDir()}}.Encode()
}

// kill ends a server as a loss of power does, but for what its disk has not written, and leaves its data.
func (s *server) kill() error {
	_, err := s.alive.Write([]byte("keep\n"))
	return errors.Join(err, s.ended())
}

// Restart kills the server and starts it again.
func (p *Pair) Restart() error {
	if err := p.primary.kill(); err != nil {
		return err
	}
	return p.primary.start(p.programs, p.as, kept...)
}

// FailOver kills the server, has the standby take its place, and gives how long that took.
func (p *Pair) FailOver() (took time.Duration, err error) {
	began := time.Now()
	if err := p.primary.kill(); err != nil {
		return 0, err
	}
	p.primary, p.standby = p.standby, p.primary
	err = p.primary.do(p.t.Context(), `SELECT pg_promote(true, 30)`)
	return time.Since(began), err
}
