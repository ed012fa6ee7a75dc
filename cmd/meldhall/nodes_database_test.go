package main

import (
	"context"
	"testing"

	"meldhall/cmd/internal/cluster"
	"meldhall/cmd/internal/linear"
	"meldhall/engine"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// TestPostgresFailsUnderNodes plays three tables on two nodes. Their PostgreSQL connections break during commits,
// before the server receives a commit or before its answer arrives; the server is killed and restarted, and then
// replaced by its standby. Each acknowledged move is in the log exactly once, each game's calls are linearizable, and
// no turn expires.
func TestPostgresFailsUnderNodes(t *testing.T) {
	pair := storetest.NewPair(t)
	commits, err := cluster.RelayCommits(pair.Socket())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(commits.Close)
	h := openHouseOn(t, pair.Address(commits.Address()), 2, "--presets", presetFolder(t, "restarts", restartsFormat))
	calls := linear.New(h, 0.1, 1)
	e, acks, stop := h.playTables(t, calls)
	defer stop()
	resuming, calm := context.WithCancel(t.Context())
	defer calm()
	go e.resumeStanding(resuming)
	goOn := func(moves int) {
		t.Helper()
		before := acks.count()
		await(t, func() bool { return acks.count() >= before+moves })
	}
	goOn(20)
	commits.Disturb(40)
	await(t, func() bool { before, after := commits.Disturbed(); return before >= 3 && after >= 3 })
	commits.Disturb(0)
	goOn(20)
	if err := pair.Restart(); err != nil {
		t.Fatal(err)
	}
	goOn(20)
	took, err := pair.FailOver()
	if err != nil {
		t.Fatal(err)
	}
	commits.To(pair.Socket())
	goOn(20)
	calm()
	stop()
	if err := h.Stop(); err != nil {
		t.Error(err)
	}
	testAcknowledged(t, h.db, acks)
	testNoneExpired(t, h.db)
	figures, err := calls.Check()
	if err != nil {
		t.Error(err)
	}
	before, after := commits.Disturbed()
	t.Logf("%d moves acknowledged and there; commits cut %d before and %d after the server was told; a standby was the server after %v; %v", acks.count(), before, after, took, figures)
}

// testNoneExpired checks that no turn has expired.
func testNoneExpired(t *testing.T, db string) {
	t.Helper()
	s, err := store.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, g := range gamesOf(t, s) {
		for i, e := range g.Events {
			if e.Kind == (engine.TurnExpired{}).Kind() {
				t.Errorf("game %d, seq %d: a turn expired", g.Game, i+1)
			}
		}
	}
}
