package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/prepare"
	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/tournament/game"
	"meldhall/tournament/store"
)

// inPlay is a served tournament with bots at its three tables, and a copy made during play.
type inPlay struct {
	*client.Server
	db     string
	staff  client.Official
	round  int64
	tokens map[int64]string
	acks   *acknowledged
	copied store.BackupCopy
	games  []int64 // running in the copy; a table between two games has none
}

// playWithACopy lets bots play, makes a copy, and lets them continue.
func playWithACopy(ctx context.Context, t *testing.T) (p *inPlay, stop func()) {
	t.Helper()
	p = &inPlay{db: filepath.Join(t.TempDir(), "event.db"), tokens: map[int64]string{},
		acks: &acknowledged{moves: map[[2]int64]string{}}}
	p.Server = launch(t, p.db, "--presets", presetFolder(t, "restarts", restartsFormat))
	t.Cleanup(func() { p.Kill() })
	var err error
	if p.staff, err = client.SetUp(ctx, client.New(p.Base, client.NewTransport()), p.Setup, "Ada",
		"a long enough password"); err != nil {
		t.Fatal(err)
	}
	event, err := p.staff.Create(ctx, client.NewTournament{Name: "Restored", Format: "restarts",
		Rules: map[string]any{"preset": "wrc"}}, prepare.Roster(11))
	if err != nil {
		t.Fatal(err)
	}
	round, err := p.staff.NextRound(ctx, event.ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	p.round = round.ID
	for _, table := range round.Tables {
		for _, s := range table.Seats {
			mine, err := client.Join(ctx, p.staff.API, s.Code)
			if err != nil {
				t.Fatal(err)
			}
			p.tokens[s.Player.ID] = mine.Token
		}
	}
	if err := p.staff.Start(ctx, round.ID); err != nil {
		t.Fatal(err)
	}
	stop = playOn(ctx, p.Base, p.staff.API.Token, p.tokens, p.round, p.acks)
	await(t, func() bool { return p.acks.count() >= 40 })
	if err := p.staff.API.Call(ctx, http.MethodPost, "/backups", nil, &p.copied); err != nil {
		t.Fatal(err)
	}
	if p.games = p.running(t); len(p.games) == 0 {
		t.Fatal("in the copy no game runs")
	}
	before := p.acks.count()
	await(t, func() bool { return p.acks.count() >= before+40 })
	return p, stop
}

// running counts the running games in the copy's file.
func (p *inPlay) running(t *testing.T) (games []int64) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Join(filepath.Dir(p.db), store.Backups,
		p.copied.File))+"?mode=ro&immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT id FROM games WHERE status = ?`, game.Running)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		games = append(games, id)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return games
}

// standing checks that the clocks of the games that run in the copy are stopped until an official resumes them, with
// time left. A table between two games may have begun its next one since.
func (p *inPlay) standing(ctx context.Context, t *testing.T) {
	t.Helper()
	views := currentViews(ctx, t, p.staff, p.round)
	for _, id := range p.games {
		v := views[id]
		if v == nil {
			t.Errorf("game %d is not back", id)
		} else if v.Paused == nil || v.Paused.ResumeAt != 0 || v.Paused.Why != engine.PausedByReferee ||
			v.Turn.Due != 0 && v.Paused.Left < engine.Millis(engine.OutageFloor.Milliseconds()) {
			t.Errorf("game %d: its clock does not stand: %+v", id, v.Paused)
		}
	}
}

// epoch returns the database epoch that the server reports.
func (p *inPlay) epoch(t *testing.T) string {
	t.Helper()
	resp, err := http.Get(p.Base + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.Header.Get("X-Epoch")
}

// TestRestoreWhileGamesArePlayed restores a copy over HTTP during three games. No request is rejected, tokens of seats
// and officials stay valid, all clocks stop, and the tables are as they were when the copy was made. The bots reconnect
// automatically and play on. The previous database is kept, with every acknowledged move.
func TestRestoreWhileGamesArePlayed(t *testing.T) {
	testmode.SkipUnlessLong(t)
	ctx := t.Context()
	p, stop := playWithACopy(ctx, t)
	defer func() { stop() }()
	was, pid := p.epoch(t), p.Pid()
	if err := p.staff.API.Call(ctx, http.MethodPost, "/actions/copy.restore", map[string]any{"file": p.copied.File},
		nil); err != nil {
		t.Fatal(err)
	}
	await(t, func() bool { return p.epoch(t) != was })
	p.standing(ctx, t)
	if status := p.command(ctx, t, was); status != http.StatusConflict {
		t.Errorf("what was meant for the time before is answered with %d", status)
	}
	kept, err := filepath.Glob(filepath.Join(filepath.Dir(p.db), store.Backups, "event-before-restore-*.db"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept are %q, %v", kept, err)
	}
	stop()
	testAcknowledged(t, kept[0], p.acks)
	p.acks = &acknowledged{moves: map[[2]int64]string{}}
	stop = playOn(ctx, p.Base, p.staff.API.Token, p.tokens, p.round, p.acks)
	resumeAll(ctx, t, p.staff, p.round)
	await(t, func() bool { return p.acks.count() >= 60 })
	stop()
	if p.Pid() != pid {
		t.Error("it is another process")
	}
	p.Kill()
	testAcknowledged(t, p.db, p.acks)
	if n := p.records(t, p.db, "copy.gone_on"); n != 1 {
		t.Errorf("%d records say that a copy was gone on with", n)
	}
	if n := p.records(t, kept[0], "copy.restore"); n != 1 {
		t.Errorf("in the database of before %d records say that a copy was to be gone on with", n)
	}
}

// command sends a command for an epoch, and returns the status code.
func (p *inPlay) command(ctx context.Context, t *testing.T, epoch string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.Base+"/api/v1/backups", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+p.staff.API.Token)
	r.Header.Set("X-Epoch", epoch)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

// records counts the records of a kind.
func (p *inPlay) records(t *testing.T, db, kind string) (n int) {
	t.Helper()
	s, err := openExisting(db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.ReadSQL.QueryRow(`SELECT count(*) FROM audit WHERE action = $1`, kind).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestRestoreCommand restores a copy while no server runs. While one runs, the command refuses and changes nothing.
func TestRestoreCommand(t *testing.T) {
	testmode.SkipUnderRace(t)
	ctx := t.Context()
	p, stop := playWithACopy(ctx, t)
	copied := filepath.Join(t.TempDir(), "stick.db")
	data, err := os.ReadFile(filepath.Join(filepath.Dir(p.db), store.Backups, p.copied.File))
	if err == nil {
		err = os.WriteFile(copied, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	command := restoreCmd{Copy: copied, DB: p.db}
	var used *store.InUseError
	if err := command.restore(ctx, &bytes.Buffer{}); !errors.As(err, &used) {
		t.Errorf("while a server runs: %v", err)
	}
	stop()
	was := p.epoch(t)
	if err := p.Stop(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := command.restore(ctx, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"continues from " + copied, "The previous database is kept as ",
		fmt.Sprintf("until a referee resumes them: %d.", len(p.games))} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q: %s", want, out.String())
		}
	}
	p.Server = launch(t, p.db)
	p.staff.API.Base = p.Base
	if p.epoch(t) == was {
		t.Error("the same epoch goes on")
	}
	p.standing(ctx, t)
	if status := p.command(ctx, t, p.epoch(t)); status != http.StatusOK {
		t.Errorf("the official's token is answered with %d", status)
	}
	if err := (verifyCmd{All: true, DB: p.db}).Run(); err != nil {
		t.Error(err)
	}
}
