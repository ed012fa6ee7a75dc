package main

import (
	"bytes"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/prepare"
)

// freeAddress returns a local address that is not in use.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestMetrics checks that the metrics change with the events that they count, and contain no names or secrets.
func TestMetrics(t *testing.T) {
	at := freeAddress(t)
	var out bytes.Buffer
	p, err := startProgram(t.Context(), serveCmd{DB: filepath.Join(t.TempDir(), "hall.db"), Listen: "127.0.0.1:0",
		Metrics: at}, nil)
	if err != nil {
		t.Fatal(err)
	}
	stopped := false
	defer func() {
		if !stopped {
			_ = p.stop(t.Context())
		}
	}()
	d := &demo{demoCmd: demoCmd{Format: "quick", Rules: "wrc", Watch: true}, out: &out, p: p,
		errs: make(chan error, 64)}
	d.api = client.New(p.reach[0], client.NewTransport())
	if d.staff, err = client.SetUp(t.Context(), d.api, p.setup, "organizer", "a long enough password"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.staff.Create(t.Context(), client.NewTournament{Name: "Quick", Format: "quick",
		Rules: map[string]any{"preset": "wrc"}}, prepare.Roster(8)); err != nil {
		t.Fatal(err)
	}
	_, body := answerAt(t, "http://"+at+"/metrics")
	for _, want := range []string{`meldhall_request_seconds_count{method="POST",route="/api/v1/tournaments",status="200"} 1`, "meldhall_streams 0", "meldhall_commit_queue 0",
		"meldhall_writes_refused 0", "meldhall_turns_total 0", "meldhall_commit_seconds_count 0", "go_goroutines",
		"process_resident_memory_bytes", "meldhall_build_info"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q", want)
		}
	}
	if size := regexp.MustCompile(`meldhall_database_bytes (\S+)`).FindStringSubmatch(body); size == nil ||
		size[1] == "0" {
		t.Errorf("the database is of no size: %v", size)
	}
	for _, secret := range []string{"Player 001", "organizer", p.setup, d.staff.API.Token} {
		if strings.Contains(body, secret) {
			t.Errorf("%q is told", secret)
		}
	}
	for path, want := range map[string]int{"/healthz": http.StatusOK, "/readyz": http.StatusOK,
		"/debug/pprof/": http.StatusNotFound, "/": http.StatusNotFound} {
		if status, _ := answerAt(t, "http://"+at+path); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}
	p.web.Close()
	if status, _ := answerAt(t, "http://"+at+"/readyz"); status != http.StatusServiceUnavailable {
		t.Errorf("ready while it stops: %d", status)
	}
	if status, _ := answerAt(t, "http://"+at+"/healthz"); status != http.StatusOK {
		t.Errorf("dead while it stops: %d", status)
	}
	stopped = true
	if err := p.stop(t.Context()); err != nil {
		t.Error(err)
	}
	if status, _ := answerAt(t, "http://"+at+"/healthz"); status != 0 {
		t.Errorf("it answers when it has stopped: %d", status)
	}
}
