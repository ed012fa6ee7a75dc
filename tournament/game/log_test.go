package game

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

func called(seat int) []engine.Event {
	return []engine.Event{engine.RefereeCalled{Stamp: engine.Stamp{At: 1}, Seat: seat},
		engine.CallAnswered{Stamp: engine.Stamp{At: 2}, Seat: seat}}
}

// logOf returns the log of a hall with one game at each of its tables. The log is closed when the test ends.
func logOf(t *testing.T, tables int) (s *store.DB, l *Log, games []int64) {
	t.Helper()
	s = newStore(t)
	games = storetest.Hall(t, s, tables, 1)
	l = OpenLog(s)
	t.Cleanup(l.Close)
	return s, l, games
}

func TestAppend(t *testing.T) {
	ctx := context.Background()
	s, l, games := logOf(t, 3)

	if err := l.Append(ctx, games[0], 0, new(string), called(1), by("a", "key-1#f"), nil); err != nil {
		t.Fatal(err)
	}
	t.Run("a taken seq is a clash", func(t *testing.T) {
		for _, seq := range []int{0, 1} {
			if err := l.Append(ctx, games[0], seq, new(string), called(2), by("b", ""), nil); !errors.Is(err, ErrClash) {
				t.Errorf("after seq %d: got %v, want a clash", seq, err)
			}
		}
	})
	t.Run("a known command is a clash, in its own game only", func(t *testing.T) {
		if err := l.Append(ctx, games[0], 2, new(string), called(2), by("a", "key-1#f"), nil); !errors.Is(err, ErrClash) {
			t.Errorf("got %v, want a clash", err)
		}
		if err := l.Append(ctx, games[1], 0, new(string), called(2), by("a", "key-1#f"), nil); err != nil {
			t.Errorf("another game: got %v", err)
		}
	})
	t.Run("the tail", func(t *testing.T) {
		tail, err := l.Tail(ctx, games[0], 1)
		if err != nil || len(tail) != 1 || tail[0].Seq != 2 || tail[0].Event != called(1)[1] || tail[0].Actor != "a" ||
			tail[0].Cmd != "" {
			t.Errorf("got %+v, %v", tail, err)
		}
	})
	t.Run("events are never changed", func(t *testing.T) {
		// a call may be deleted with its game before the game begins
		if _, err := s.WriteSQL.Exec("UPDATE games SET status = 'running'"); err != nil {
			t.Fatal(err)
		}
		for _, query := range []string{"UPDATE game_events SET actor = 'x'", "DELETE FROM game_events"} {
			if _, err := s.WriteSQL.Exec(query); err == nil || !strings.Contains(err.Error(), "append-only") {
				t.Errorf("%s: got %v, want a refusal", query, err)
			}
		}
	})
	t.Run("what follows from it fails alone, and takes the events back", func(t *testing.T) {
		broken := errors.New("broken")
		err := l.Append(ctx, games[2], 0, new(string), called(0), by("a", ""), func(*sql.Tx) error { return broken })
		if !errors.Is(err, broken) {
			t.Errorf("got %v, want the projection's error", err)
		}
		if tail, err := l.Tail(ctx, games[2], 0); err != nil || len(tail) != 0 {
			t.Errorf("got %d events, %v, want none", len(tail), err)
		}
	})
}

// TestTheClockGoesFirst checks that the clock's event is written in the next commit, regardless of how many players'
// commands wait for the writer.
func TestTheClockGoesFirst(t *testing.T) {
	ctx := context.Background()
	_, l, games := logOf(t, 3*batchMost+1)
	held, goOn := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	var written []int64
	ask := func(game int64, actor string, project func(*sql.Tx) error) {
		wg.Go(func() {
			if err := l.Append(ctx, game, 0, new(string), called(0), by(actor, ""), project); err != nil {
				t.Error(err)
			}
		})
	}
	note := func(game int64) func(*sql.Tx) error {
		// only the writer's goroutine runs this
		return func(*sql.Tx) error { written = append(written, game); return nil }
	}
	ask(games[0], "a", func(*sql.Tx) error { close(held); <-goOn; return nil })
	<-held
	for _, game := range games[1 : len(games)-1] {
		ask(game, "a", note(game))
	}
	last := games[len(games)-1]
	for len(l.requests) < len(games)-2 {
		time.Sleep(time.Millisecond)
	}
	ask(last, clockActor.String(), note(last))
	for len(l.requests)+len(l.first) < len(games)-1 {
		time.Sleep(time.Millisecond)
	}
	close(goOn)
	wg.Wait()
	if at := slices.Index(written, last); len(written) != len(games)-1 || at > l.most {
		t.Errorf("the clock's append was written as number %d of %d", at+1, len(written))
	}
}

// TestWhatComesMeanwhileIsWrittenTogether checks that requests which arrive while another transaction holds the
// database are written together afterwards. On a server the first one is separate, because it has been sent already.
func TestWhatComesMeanwhileIsWrittenTogether(t *testing.T) {
	s := newStore(t)
	games := storetest.Hall(t, s, 20, 1)
	l := OpenLog(s)
	var commits []Commit
	l.Committed = func(c Commit) { commits = append(commits, c) } // only the writer's goroutine runs this
	var wg sync.WaitGroup
	ask := func(game int64) {
		wg.Go(func() {
			if err := l.Append(context.Background(), game, 0, new(string), called(0)[:1], by("a", ""), nil); err != nil {
				t.Error(err)
			}
		})
	}
	if err := s.Tx(context.Background(), func(*gorm.DB) error {
		waits := s.WriteSQL.Stats().WaitCount
		// until the writer has the first request and waits to write it
		for ask(games[0]); s.WriteSQL.Stats().WaitCount == waits; {
			time.Sleep(time.Millisecond)
		}
		for _, game := range games[1:] {
			ask(game)
		}
		for len(l.requests) < len(games)-1 {
			time.Sleep(time.Millisecond)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	l.Close()
	want := []int{len(games)}
	if storetest.OnServer() {
		want = []int{1, len(games) - 1}
	}
	var got []int
	for _, c := range commits {
		got = append(got, c.Events)
	}
	if !slices.Equal(got, want) {
		t.Errorf("written in commits of %v events, want %v", got, want)
	}
}

// TestWhatCannotFollowFailsAloneAmongMany checks appends that are written together. If the project of one fails, only
// that append is rolled back; the others are written with their projects, once each.
func TestWhatCannotFollowFailsAloneAmongMany(t *testing.T) {
	ctx := context.Background()
	s, l, games := logOf(t, 9)
	broken := errors.New("broken")
	answers := make([]error, len(games))
	var wg sync.WaitGroup
	if err := s.Tx(ctx, func(*gorm.DB) error {
		for i, game := range games {
			begins := func(tx *sql.Tx) error {
				_, err := markRunning(ctx, tx, game, 7)
				return err
			}
			follows := begins
			switch i % 3 {
			case 1:
				follows = nil
			case 2:
				follows = func(tx *sql.Tx) error { return errors.Join(begins(tx), broken) }
			}
			wg.Go(func() { answers[i] = l.Append(ctx, game, 0, new(string), called(0), by("a", ""), follows) })
		}
		for l.Waiting() < len(games) {
			time.Sleep(time.Millisecond)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	for i, game := range games {
		want, events, running := error(nil), 2, 1
		switch i % 3 {
		case 1:
			running = 0
		case 2:
			want, events, running = broken, 0, 0
		}
		var marked int
		if err := s.ReadSQL.QueryRow(`SELECT count(*) FROM games WHERE id = $1 AND status = 'running'`,
			game).Scan(&marked); err != nil {
			t.Fatal(err)
		}
		if tail, err := l.Tail(ctx, game, 0); err != nil || len(tail) != events || marked != running ||
			!errors.Is(answers[i], want) || (answers[i] == nil) != (want == nil) {
			t.Errorf("game %d of %d: %d events, running %d, answer %v; want %d, %d, %v; %v", i, len(games), len(tail),
				marked, answers[i], events, running, want, err)
		}
	}
}

// TestAppendsOfManyGamesTogether checks concurrent appends of many games, each with rivals for the same seq. One rival
// wins in each game, and a clash fails no other append. Appends of one event, several of which share a statement, and
// of two events are checked.
func TestAppendsOfManyGamesTogether(t *testing.T) {
	ctx := context.Background()
	_, l, games := logOf(t, 20)
	const rounds, rivals = 10, 3
	won := make([]int, len(games)*rounds)
	var mu sync.Mutex
	for round := range rounds {
		var wg sync.WaitGroup
		for i, game := range games {
			for rival := range rivals {
				wg.Go(func() {
					events := called(rival)[:1+i/15]
					err := l.Append(ctx, game, round*len(events), new(string), events, by(fmt.Sprint(rival), ""), nil)
					if err != nil && !errors.Is(err, ErrClash) {
						t.Error(err)
					}
					if err == nil {
						mu.Lock()
						won[i*rounds+round]++
						mu.Unlock()
					}
				})
			}
		}
		wg.Wait()
	}
	for i, n := range won {
		if n != 1 {
			t.Fatalf("append %d: %d winners, want 1", i, n)
		}
	}
}

// TestAnEventIsWrittenWithoutATable checks that SQLite builds no temporary table per row of the log, as it would for a
// list of words in an index's condition.
func TestAnEventIsWrittenWithoutATable(t *testing.T) {
	s := newStore(t)
	if s.Served() {
		return
	}
	var steps []string
	err := store.EachRow(t.Context(), s.WriteSQL, func(rows *sql.Rows) error {
		var step string
		var not any
		err := rows.Scan(&not, &step, &not, &not, &not, &not, &not, &not)
		steps = append(steps, step)
		return err
	}, "EXPLAIN "+insertEvent+oneEvent+" ON CONFLICT DO NOTHING", make([]any, eventColumns)...)
	if err != nil || slices.Contains(steps, "OpenEphemeral") || !slices.Contains(steps, "IdxInsert") {
		t.Errorf("%q, %v", steps, err)
	}
}

func by(actor, cmd string) By { return By{Actor: actor, Cmd: cmd} }
