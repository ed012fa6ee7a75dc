package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

func answerAt(t *testing.T, address string) (status int, body string) {
	t.Helper()
	resp, err := http.Get(address)
	if err != nil {
		return 0, ""
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// TestGate checks that before the database is open the program is alive but not ready, and requests wait. Then all go
// through, including those that waited.
func TestGate(t *testing.T) {
	g := newGate()
	s := httptest.NewServer(g)
	t.Cleanup(s.Close)
	if status, _ := answerAt(t, s.URL+"/healthz"); status != http.StatusOK {
		t.Errorf("a program that starts is taken for dead: %d", status)
	}
	if status, _ := answerAt(t, s.URL+"/readyz"); status != http.StatusServiceUnavailable {
		t.Errorf("ready before it is: %d", status)
	}
	waited := make(chan string, 1)
	go func() {
		_, body := answerAt(t, s.URL+"/")
		waited <- body
	}()
	select {
	case body := <-waited:
		t.Errorf("got %q before there is a server", body)
	default:
	}
	g.open(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w,
			"the server at "+r.URL.Path)
	}))
	if body := <-waited; body != "the server at /" {
		t.Errorf("who waited got %q", body)
	}
	if _, body := answerAt(t, s.URL+"/readyz"); body != "the server at /readyz" {
		t.Errorf("the server is not asked whether it is ready: %q", body)
	}
}

// TestGateCloses checks that requests waiting for a server that cannot start are aborted.
func TestGateCloses(t *testing.T) {
	g := newGate()
	s := httptest.NewServer(g)
	t.Cleanup(s.Close)
	waited := make(chan int, 1)
	go func() {
		status, _ := answerAt(t, s.URL+"/")
		waited <- status
	}()
	g.close()
	if status := <-waited; status != 0 {
		t.Errorf("got %d", status)
	}
}

// TestGateOfAProgramThatStops checks that a stopping program rejects new requests at once, waits for those in progress,
// and reports that it is not ready.
func TestGateOfAProgramThatStops(t *testing.T) {
	g := newGate()
	s := httptest.NewServer(g)
	t.Cleanup(s.Close)
	inside, on := make(chan bool), make(chan bool)
	g.open(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		inside <- true
		<-on
		fmt.Fprint(w, "done")
	}))
	answer := make(chan string, 1)
	go func() {
		_, body := answerAt(t, s.URL+"/")
		answer <- body
	}()
	<-inside
	left := g.close()
	if status, _ := answerAt(t, s.URL+"/"); status != 0 {
		t.Errorf("who comes while it stops got %d", status)
	}
	if status, _ := answerAt(t, s.URL+"/readyz"); status != http.StatusServiceUnavailable {
		t.Errorf("ready while it stops: %d", status)
	}
	if status, _ := answerAt(t, s.URL+"/healthz"); status != http.StatusOK {
		t.Errorf("a program that stops is taken for dead: %d", status)
	}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	left(late) // does not wait forever
	close(on)
	left(t.Context())
	if body := <-answer; body != "done" {
		t.Errorf("who was inside got %q", body)
	}
}
