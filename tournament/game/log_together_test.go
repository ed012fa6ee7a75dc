package game

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"meldhall/tournament/store/storetest"
)

// TestTogether checks that work together with an append takes one commit. If it fails or panics, it alone is rolled
// back, and its caller gets the error or the panic.
func TestTogether(t *testing.T) {
	ctx := context.Background()
	s := newStore(t)
	games, l := storetest.Hall(t, s, 4, 1), OpenLog(s)
	g, broken, commits := New(s, l), errors.New("broken"), 0
	l.Committed = func(Commit) { commits++ }
	mark := func(i int, end func() error) error {
		return g.Log.Together(ctx, func(tx *gorm.DB) error {
			if err := tx.Exec(`UPDATE games SET status = 'running' WHERE id = ?`, games[i]).Error; err != nil {
				return err
			}
			return end()
		})
	}
	answers, panicked := make([]error, len(games)), any(nil)
	var all sync.WaitGroup
	if err := s.Tx(ctx, func(*gorm.DB) error { // they arrive during another transaction
		all.Go(func() { answers[0] = mark(0, func() error { return nil }) })
		all.Go(func() { answers[1] = mark(1, func() error { return broken }) })
		all.Go(func() {
			defer func() { panicked = recover() }()
			answers[2] = mark(2, func() error { panic("lost") })
		})
		all.Go(func() { answers[3] = l.Append(ctx, games[3], 0, new(string), called(0), by("a", ""), nil) })
		for !s.Served() && l.Waiting() < len(games) {
			time.Sleep(time.Millisecond)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	if answers[0] != nil || !errors.Is(answers[1], broken) || panicked != "lost" || answers[3] != nil {
		t.Errorf("answers %v, panicked with %v", answers, panicked)
	}
	running, err := s.IDs(ctx, `SELECT id FROM games WHERE status = 'running'`)
	if err != nil || len(running) != 1 || running[0] != games[0] {
		t.Errorf("running are %v of %v, %v", running, games, err)
	}
	if tail, err := l.Tail(ctx, games[3], 0); err != nil || len(tail) != 2 {
		t.Errorf("appended %v, %v", tail, err)
	}
	if commits != 1 {
		t.Errorf("%d commits, want 1", commits)
	}
	l.Close()
	if err := mark(1, func() error { return nil }); !s.Served() && !errors.Is(err, ErrLogClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// TestTogetherGoesFirst checks that joint work is done with the next commit, however many moves wait.
func TestTogetherGoesFirst(t *testing.T) {
	ctx := context.Background()
	s := newStore(t)
	if s.Served() {
		return // on a server it waits for no move
	}
	games, l := storetest.Hall(t, s, 2*batchMost, 1), OpenLog(s)
	defer l.Close()
	g, commits, before := New(s, l), 0, -1
	l.Committed = func(Commit) { commits++ }
	var all sync.WaitGroup
	waiting := func(of chan *appendRequest, n int) {
		for len(of) < n {
			time.Sleep(time.Millisecond)
		}
	}
	if err := s.Tx(ctx, func(*gorm.DB) error {
		for _, id := range games {
			all.Go(func() {
				if err := l.Append(ctx, id, 0, new(string), called(0), by("a", ""), nil); err != nil {
					t.Error(err)
				}
			})
		}
		waiting(l.requests, len(games)-1) // the writer has taken one
		all.Go(func() {
			if err := g.Log.Together(ctx, func(*gorm.DB) error { before = commits; return nil }); err != nil {
				t.Error(err)
			}
		})
		waiting(l.first, 1)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	if before != 0 || commits < 2 {
		t.Errorf("%d of %d commits came before it", before, commits)
	}
}
