package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/witness"
	"meldhall/engine/testmode"
	"meldhall/tournament/transparency"
)

// watched is an event on a server that is killed again and again, and its witness.
type watched struct {
	t      *testing.T
	db     string
	folder string
	server *client.Server
	staff  client.Official
	event  int64
	n      int
}

// start starts the server, which may have been killed.
func (w *watched) start() {
	w.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		w.t.Fatal(err)
	}
	if w.server, err = client.StartServer(w.t.Context(), exe, w.db, false, w.t.Output()); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(w.server.Kill)
	api := client.New(w.server.Base, client.NewTransport())
	if w.server.Setup != "" {
		var made client.Tournament
		w.staff, made, _ = firstRound(w.t, api, w.server.Setup, "open", 8)
		w.event = made.ID
		return
	}
	if w.staff, err = client.SignIn(w.t.Context(), api, "Ada", "a long enough password"); err != nil {
		w.t.Fatal(err)
	}
}

// act writes n records, or as many as it can until the server is gone.
func (w *watched) act(n int) {
	for range n {
		w.n++
		if err := w.staff.API.Call(w.t.Context(), http.MethodPost, "/actions/tournament.describe",
			map[string]any{"tournament": w.event, "name": fmt.Sprint("Cup ", w.n)}, nil); err != nil {
			return
		}
	}
}

// look lets a witness process look until the log has all facts, at most for a while.
func (w *watched) look() error {
	w.t.Helper()
	c := witnessCmd{URL: fmt.Sprintf("%s/events/%d", w.server.Base, w.event), State: filepath.Join(w.folder, "state"),
		Key: filepath.Join(w.folder, "key"), Once: true}
	// another port each time
	if text, err := os.ReadFile(c.State); err == nil {
		var s witness.State
		if err := json.Unmarshal(text, &s); err != nil {
			w.t.Fatal(err)
		}
		s.URL = c.URL
		text, err := json.Marshal(s)
		if err == nil {
			err = os.WriteFile(c.State, text, 0o600)
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
	var err error
	var out bytes.Buffer
	for range 100 {
		var fork *witness.ForkError
		if err = c.watch(w.t.Context(), &out); err == nil || errors.As(err, &fork) {
			return err
		}
		<-time.After(50 * time.Millisecond)
	}
	return err
}

// TestWitnessOfAKilledServer kills a server at random moments while facts are written and logged. The witness never
// sees a fork. Then the operator rewrites a leaf and signs again, which the witness finds.
func TestWitnessOfAKilledServer(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Setenv("MELDHALL_BE_PROGRAM", "1")
	w := &watched{t: t, db: filepath.Join(t.TempDir(), "hall.db"), folder: t.TempDir()}
	kills := 3
	if testmode.Long {
		kills = 40
	}
	for i := range kills {
		w.start()
		if err := w.look(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(20+i*37%400)*time.Millisecond, w.server.Kill)
		w.act(1000)
	}
	w.start()
	if err := w.look(); err != nil {
		t.Fatal(err)
	}
	if err := w.server.Stop(); err != nil {
		t.Fatal(err)
	}
	forgeLog(t, w.db)
	w.start()
	err := w.look()
	var fork *witness.ForkError
	if !errors.As(err, &fork) || !strings.Contains(err.Error(), "leaf 2 was \"record 3 ") ||
		!strings.Contains(err.Error(), "(record 3)") {
		t.Errorf("a forged log: %v", err)
	}
}

// forgeLog rewrites a leaf as the operator can, and signs the newest checkpoint again.
func forgeLog(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	defer without(t, db, "log_leaves_no_update", "log_checkpoints_no_update")()
	if _, err := db.Exec(`UPDATE log_leaves SET hash = $1 WHERE position = 2`, strings.Repeat("0", 64)); err != nil {
		t.Fatal(err)
	}
	rows, err := db.Query(`SELECT kind, about, seq, hash FROM log_leaves ORDER BY position`)
	if err != nil {
		t.Fatal(err)
	}
	var tree transparency.Tree
	for rows.Next() {
		var l transparency.Leaf
		if err := rows.Scan(&l.Kind, &l.Of, &l.Seq, &l.Hash); err != nil {
			t.Fatal(err)
		}
		tree = tree.Append(l)
	}
	rows.Close()
	var secret, origin string
	err = errors.Join(db.QueryRow(`SELECT secret FROM log_keys`).Scan(&secret),
		db.QueryRow(`SELECT origin FROM logs`).Scan(&origin))
	key, wrong := note.NewSigner(secret)
	if err = errors.Join(err, wrong); err != nil {
		t.Fatal(err)
	}
	text, err := transparency.SignCheckpoint(transparency.Checkpoint{Origin: origin, Tree: tree.Head()}, key)
	if err == nil {
		_, err = db.Exec(`UPDATE log_checkpoints SET note = $1 WHERE size = $2`, text, tree.Size())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// without drops triggers and returns a function that creates them again.
func without(t *testing.T, db *sql.DB, triggers ...string) (again func()) {
	t.Helper()
	var texts []string
	for _, name := range triggers {
		var text string
		err := db.QueryRow(`SELECT sql FROM sqlite_schema WHERE name = $1`, name).Scan(&text)
		if err == nil {
			_, err = db.Exec("DROP TRIGGER " + name)
		}
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	return func() {
		for _, text := range texts {
			if _, err := db.Exec(text); err != nil {
				t.Error(err)
			}
		}
	}
}
