package main

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"meldhall/cmd/internal/client"
	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/tournament/export"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// TestRollingUpdate stops one node after the other, as in an update, while three tables play. Each is gone within 5 s,
// no clock stops or expires because of it, and every acknowledged move is in the log.
func TestRollingUpdate(t *testing.T) {
	testmode.SkipUnlessLong(t)
	h := openHouse(t, 2, "--presets", presetFolder(t, "restarts", restartsFormat))
	ctx := t.Context()
	_, acks, stop := h.playTables(t, h)
	for update := range 4 {
		before := acks.count()
		await(t, func() bool { return acks.count() >= before+30 })
		i := update % 2
		leaves := h.Take(i)
		began := time.Now()
		if err := leaves.Stop(); err != nil {
			t.Errorf("a node that was told to stop: %v", err)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("a node took %v to be gone", took)
		}
		before = acks.count()
		await(t, func() bool { return acks.count() >= before+15 }) // at the other node
		if err := h.Start(ctx, i); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	if err := h.Stop(); err != nil {
		t.Error(err)
	}
	testAcknowledged(t, h.db, acks)
	testNothingStood(t, h.db)
}

// playTables lets bots play at three tables through a network until it is stopped.
func (h *testHouse) playTables(t *testing.T, network http.RoundTripper) (e *wholeEvent, acks *acknowledged,
	stop func()) {
	t.Helper()
	ctx := t.Context()
	base, setup := h.Setup()
	staff, _, round := firstRound(t, client.New(base, network), setup, "restarts", 11)
	acks = &acknowledged{moves: map[[2]int64]string{}}
	playing, end := context.WithCancel(ctx)
	var all sync.WaitGroup
	bots, err := round.Bots(ctx, staff.API)
	if err != nil {
		t.Fatal(err)
	}
	for _, bot := range bots {
		bot.Told = acks.told
		// otherwise the round would end before the test
		bot.Think = func() time.Duration { return 50 * time.Millisecond }
		all.Go(func() {
			for playing.Err() == nil { // a stopping node may reject the bot
				_ = bot.Run(playing)
				client.Sleep(playing, 50*time.Millisecond)
			}
		})
	}
	if err := staff.Start(ctx, round.ID); err != nil {
		t.Fatal(err)
	}
	all.Go(func() {
		for playing.Err() == nil {
			_ = staff.RefereeRound(playing, round.ID, 50*time.Millisecond, nil)
			client.Sleep(playing, 50*time.Millisecond)
		}
	})
	e = &wholeEvent{ref: staff}
	e.round.Store(round.ID)
	return e, acks, func() { end(); all.Wait() }
}

// testNothingStood checks that no clock expired, or stopped because no node was in charge of it.
func testNothingStood(t *testing.T, db string) {
	t.Helper()
	s, err := store.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, g := range gamesOf(t, s) {
		events, err := export.Log(g)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			pause, stood := e.(engine.GamePaused)
			if _, expired := e.(engine.TurnExpired); expired || stood && pause.Pause.Why == engine.PausedByOutage {
				t.Errorf("game %d: %#v", g.Game, e)
			}
		}
	}
}

// TestNATSConfiguration checks that NATS accepts the supplied configuration, with its password and cluster settings.
func TestNATSConfiguration(t *testing.T) {
	t.Setenv("NATS_NAME", "nats1")
	t.Setenv("NATS_PASSWORD", "right")
	options, err := server.ProcessConfigFile(filepath.Join(root, "data/deploy/nodes/nats.conf"))
	if err != nil {
		t.Fatal(err)
	}
	if options.Password != "right" || options.ServerName != "nats1" || options.Port != 4222 ||
		len(options.Routes) != 3 || options.JetStream {
		t.Errorf("it is %+v", options)
	}
}

// TestNodesSayWhatIsWrong checks that a node that cannot start says why in plain words. Without a NATS server it starts
// anyway and reports that.
func TestNodesSayWhatIsWrong(t *testing.T) {
	guarded, err := startNATS(server.Options{Port: server.RANDOM_PORT, Username: "meldhall", Password: "right"})
	if err != nil {
		t.Fatal(err)
	}
	defer guarded.Shutdown()
	at := strings.TrimPrefix(guarded.ClientURL(), "nats://")
	db := storetest.Server(t, storetest.Empty)
	start := func(c serveCmd) (*program, error) {
		c.Listen = "127.0.0.1:0"
		p, err := startProgram(t.Context(), c, nil)
		if err == nil {
			t.Cleanup(func() { _ = p.stop(context.Background()) })
		}
		return p, err
	}
	for name, c := range map[string]struct {
		serveCmd
		want string
	}{
		"a file": {serveCmd{DB: filepath.Join(t.TempDir(), "hall.db"), NATS: guarded.ClientURL()},
			"only a PostgreSQL database together, not a file"},
		"another password": {serveCmd{DB: db, NATS: "nats://meldhall:s3cret@" + at},
			"the user name or password is wrong"},
		"no address at all": {serveCmd{DB: db, NATS: "nats://host:no-port"}, "NATS at"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := start(c.serveCmd)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	first, err := start(serveCmd{DB: db, NATS: "nats://meldhall:right@" + at})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := start(serveCmd{DB: db}); !errors.As(err, new(*store.InUseError)) {
		t.Errorf("a program alone beside a node: %v", err)
	}
	if _, err := start(serveCmd{DB: db, NATS: "nats://127.0.0.1:1",
		Presets: presetFolder(t, "restarts", restartsFormat)}); err != nil {
		t.Fatalf("where no NATS answers: %v", err)
	}
	await(t, func() bool { // it reports that it is alive while others wait for it
		if _, err := first.store.BeatSQL().Exec(`INSERT INTO nodes (name, version, presets, apart, hears, at)
			SELECT 'another', 'v0.1', presets, 180000, 1, at FROM nodes WHERE name = $1
			ON CONFLICT (name) DO UPDATE SET at = excluded.at`, first.store.Nodes.Name()); err != nil {
			t.Fatal(err)
		}
		return len(first.cluster.Nodes()) == 3
	})
	said := strings.Join(first.web.View.NodesSaid(t.Context()), "\n")
	for _, want := range []string{"cannot reach each other", "different rules, formats or texts", "different versions",
		"another\u2069 is 3 min off"} {
		if !strings.Contains(said, want) {
			t.Errorf("officials are not told %q but\n%s", want, said)
		}
	}
	resp, err := http.Get(first.base + "/readyz")
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("/readyz: %v, %v", resp, err)
	}
}
