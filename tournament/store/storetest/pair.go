package storetest

import (
	"errors"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"meldhall/engine/testmode"
	"meldhall/tournament/store/ownserver"
)

// Pair is a PostgreSQL server that keeps what it acknowledges, with a synchronous standby.
type Pair struct {
	t                testing.TB
	primary, standby *ownserver.Server
}

// NewPair starts two servers that stop when the test ends. It skips the test in ordinary runs and without PostgreSQL;
// in CI a missing PostgreSQL is a failure.
func NewPair(t testing.TB) *Pair {
	t.Helper()
	testmode.SkipUnlessLong(t)
	if _, err := ownserver.Programs(); err != nil {
		testmode.SkipMissing(t, err)
	}
	p := &Pair{t: t}
	var err error
	if p.primary, err = ownserver.Start(ownserver.Kept...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.primary.Close() })
	if err := p.attach(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.standby.Close() })
	return p
}

// attach creates the standby and makes the primary server wait for it.
func (p *Pair) attach() (err error) {
	if p.standby, err = ownserver.Make(ownserver.Kept...); err != nil {
		return err
	}
	if err := p.standby.Command("pg_basebackup", "-D", filepath.Join(p.standby.Folder, "data"), "-h", p.primary.Folder,
		"-U", "postgres", "-R", "-c", "fast", "--no-sync"); err != nil {
		return err
	}
	if err := p.standby.Run(); err != nil {
		return err
	}
	ctx := p.t.Context()
	return errors.Join(p.primary.Do(ctx, `ALTER SYSTEM SET synchronous_standby_names = '*'`),
		p.primary.Do(ctx, `SELECT pg_reload_conf()`))
}

// Socket returns the network address of the primary server.
func (p *Pair) Socket() (network, address string) { return p.primary.Socket() }

// Address returns the address of the pair's database, reached through a proxy at the given host and port.
func (p *Pair) Address(through string) string {
	return "postgres://postgres@" + through + "/postgres?" +
		url.Values{"sslmode": {"disable"}, "folder": {p.t.TempDir()}}.Encode()
}

// Restart kills the primary server and starts it again.
func (p *Pair) Restart() error {
	if err := p.primary.Kill(); err != nil {
		return err
	}
	return p.primary.Run()
}

// FailOver kills the primary server, promotes the standby, and returns how long that took.
func (p *Pair) FailOver() (took time.Duration, err error) {
	began := time.Now()
	if err := p.primary.Kill(); err != nil {
		return 0, err
	}
	p.primary, p.standby = p.standby, p.primary
	err = p.primary.Do(p.t.Context(), `SELECT pg_promote(true, 30)`)
	return time.Since(began), err
}
