package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/prepare"
	"meldhall/engine"
	"meldhall/engine/testmode"
)

// TestDebian installs the package on a fresh Debian, creates the first organizer and an event, upgrades during play,
// and removes the package. Figures are in the log: from dpkg -i to the event's first turn, and how long the upgrade
// stops the play.
func TestDebian(t *testing.T) {
	folder := release1(t)
	m := freshDebian(t)
	newer := packedAs(t, folder, "deb")
	spare := httptest.NewServer(nil)
	spare.Close()
	base := spare.URL // no program has this port now

	began := time.Now()
	m.install(only(t, filepath.Join(folder, "dist", "*_amd64.deb")))
	m.set("MELDHALL_LISTEN=" + strings.TrimPrefix(base, "http://"))
	installed := time.Now()
	s := m.start()
	awaitPage(t, base+"/")
	t.Logf("dpkg -i took %v, then a page answered after %v", installed.Sub(began).Round(time.Millisecond),
		time.Since(installed).Round(time.Millisecond))
	h := m.openHall(base, s.setup)
	defer h.leave()
	h.awaitMoves(1)
	t.Logf("an event with 8 players is in play %v after dpkg -i began", time.Since(began).Round(time.Millisecond))
	if took := time.Since(began); took > 2*time.Minute {
		t.Errorf("that took more than 2 minutes")
	}

	h.awaitMoves(20)
	m.install(newer)
	stopped := time.Now()
	s.stop(t)
	s = m.start()
	awaitPage(t, base+"/")
	t.Logf("the upgrade stopped the play for %v", time.Since(stopped).Round(time.Millisecond))
	if s.setup != "" {
		t.Error("the upgraded program has no accounts")
	}
	h.testCredited(stopped)
	h.awaitMoves(40)
	h.leave()

	m.testBackup()
	m.run("dpkg", "-r", "meldhall")
	m.testKept("dpkg -r")
	if said := m.run("dpkg", "-P", "meldhall"); !strings.Contains(said, "/var/lib/meldhall") {
		t.Errorf("dpkg -P does not say where the data is: %s", said)
	}
	m.testKept("dpkg -P")
	s.stop(t)
}

// install installs a package from outside the machine.
func (m machine) install(deb string) {
	m.t.Helper()
	output(m.t, "cp", deb, m.path("tmp/meldhall.deb"))
	m.t.Log(m.run("dpkg", "-i", "/tmp/meldhall.deb"))
}

// set adds a setting of the service.
func (m machine) set(line string) {
	m.t.Helper()
	file, err := os.OpenFile(m.path("etc/meldhall.env"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		m.t.Fatal(err)
	}
	fmt.Fprintln(file, line)
	if err := file.Close(); err != nil {
		m.t.Fatal(err)
	}
}

// only returns the path of the one file that matches a pattern.
func only(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %q, %v, want one file", pattern, files, err)
	}
	return files[0]
}

// packedAs packs the program of the release as version 99.0.0, and returns the package's path.
func packedAs(t *testing.T, folder, format string) string {
	t.Helper()
	at := target{"linux", "amd64"}
	s, err := sourceIn(root, arguments{Version: "99.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	r := release{source: s, out: t.TempDir(), work: t.TempDir(), targets: []target{at}}
	if err := os.MkdirAll(filepath.Dir(r.binary(at)), 0o755); err != nil {
		t.Fatal(err)
	}
	output(t, "tar", "-xf", only(t, filepath.Join(folder, "dist", "*_linux_amd64.tar.gz")),
		"-C", filepath.Dir(r.binary(at)), "--strip-components=1")
	unit, err := r.unit()
	if err == nil {
		err = r.pack(format, at, unit)
	}
	if err != nil {
		t.Fatal(err)
	}
	return only(t, filepath.Join(r.out, "*."+format))
}

// TestRPM installs, upgrades and removes the package for Red Hat, with rpm from outside a fresh machine.
func TestRPM(t *testing.T) {
	folder := release1(t)
	m := freshDebian(t)
	if _, err := exec.LookPath("rpm"); err != nil {
		testmode.SkipMissing(t, err)
	}
	output(t, "rpm", "--root", m.root, "--nodeps", "-i", only(t, filepath.Join(folder, "dist", "*.x86_64.rpm")))
	m.set("MELDHALL_LISTEN=127.0.0.1:0")
	m.start().stop(t)
	output(t, "rpm", "--root", m.root, "--nodeps", "-U", packedAs(t, folder, "rpm"))
	m.testBackup()
	m.start().stop(t) // with the same settings
	said := output(t, "rpm", "--root", m.root, "--nodeps", "-e", "meldhall")
	if !strings.Contains(said, "/var/lib/meldhall") {
		t.Errorf("rpm -e does not say where the data is: %s", said)
	}
	m.testKept("rpm -e")
}

// testBackup checks that the upgrade left one complete copy of the database.
func (m machine) testBackup() {
	m.t.Helper()
	inside, err := filepath.Rel(m.root, only(m.t, m.path("var/lib/meldhall/backups/before-upgrade-*.db")))
	if err != nil {
		m.t.Fatal(err)
	}
	said := m.run("/usr/bin/meldhall", "backup", "--db", "/"+inside, "/tmp/again.db")
	if !strings.Contains(said, "integrity ok") {
		m.t.Errorf("the copy before the upgrade: %s", said)
	}
}

// testKept checks that the database is there and the program is not.
func (m machine) testKept(after string) {
	m.t.Helper()
	if _, err := os.Stat(m.path("var/lib/meldhall/meldhall.db")); err != nil {
		m.t.Errorf("after %s: %v", after, err)
	}
	if _, err := os.Stat(m.path("usr/bin/meldhall")); err == nil {
		m.t.Errorf("after %s the program is still there", after)
	}
}

// hall is a running event: bots at two tables, and their organizer.
type hall struct {
	t     *testing.T
	staff client.Official
	round int64
	moves atomic.Int64 // acknowledged ones
	leave func()       // ends the bots
}

// openHall creates the first organizer and an event with eight players, and starts its first round.
func (m machine) openHall(base, setup string) *hall {
	t := m.t
	t.Helper()
	ctx := t.Context()
	api := client.New(base, client.NewTransport())
	staff, err := client.SetUp(ctx, api, setup, "Ada", "a long enough password")
	if err != nil {
		t.Fatal(err)
	}
	event, err := staff.Create(ctx, client.NewTournament{Name: "Open", Format: "open",
		Rules: map[string]any{"preset": "wrc"}}, prepare.Roster(8))
	if err != nil {
		t.Fatal(err)
	}
	round, err := staff.NextRound(ctx, event.ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	h := &hall{t: t, staff: staff, round: round.ID}
	playing, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	h.leave = func() { cancel(); all.Wait() }
	bots, err := round.Bots(ctx, staff.API)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bots {
		b.Think = func() time.Duration { return 500 * time.Millisecond }
		b.Told = func(int64, string, client.Answer) { h.moves.Add(1) }
		all.Go(func() { _ = b.Run(playing) })
	}
	if err := staff.Start(ctx, round.ID); err != nil {
		t.Fatal(err)
	}
	return h
}

// awaitMoves waits until players have made so many moves.
func (h *hall) awaitMoves(n int64) {
	h.t.Helper()
	for range 1200 {
		if h.moves.Load() >= n {
			return
		}
		client.Sleep(h.t.Context(), 50*time.Millisecond)
	}
	h.t.Fatalf("%d moves in a minute, want %d", h.moves.Load(), n)
}

// testCredited checks that each running game stands still after the restart, and that its player has at least the
// time that a turn gets back.
func (h *hall) testCredited(stopped time.Time) {
	h.t.Helper()
	r, err := h.staff.Round(h.t.Context(), h.round)
	if err != nil {
		h.t.Fatal(err)
	}
	running := 0
	for _, table := range r.Tables {
		for _, g := range table.Games {
			if g.Status != "running" {
				continue
			}
			var p client.Place
			err := h.staff.API.Call(h.t.Context(), http.MethodGet, fmt.Sprintf("/games/%d", g.ID), nil, &p)
			if err != nil || p.View == nil || p.View.Phase == engine.PhaseOver ||
				p.View.Turn.Started >= engine.MillisOf(stopped) {
				continue
			}
			running++
			if paused := p.View.Paused; paused == nil || paused.Why != engine.PausedByOutage ||
				paused.Left < engine.Millis(engine.OutageFloor.Milliseconds()) {
				h.t.Errorf("game %d was not credited: %+v", g.ID, paused)
			}
		}
	}
	if running == 0 {
		h.t.Error("no game was running at the upgrade")
	}
}

// awaitPage waits until a page answers.
func awaitPage(t *testing.T, address string) {
	t.Helper()
	for range 1200 {
		answer, err := http.Get(address)
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
		}
		client.Sleep(t.Context(), 10*time.Millisecond)
	}
	t.Fatalf("%s does not answer", address)
}
