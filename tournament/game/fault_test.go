package game

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// The server refuses a key that is reused for a different command, even if that command would be legal.
func TestKeyComesAgainWithAnotherCommand(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	g := runner(t, s)
	begin(t, g)
	readyAll(t, g, game)
	for turn := range 4 {
		if _, err := drawTurn(t, g, game, fmt.Sprintf("lap-one-%d", turn%4)); err != nil {
			t.Fatal(err)
		}
	}
	before := look(t, g, game).State
	if _, err := drawTurn(t, g, game, "lap-one-0"); !isRefused(err, refuse.KindInvalid, "err_key_reused") {
		t.Errorf("got %v, want err_key_reused", err)
	}
	if after := look(t, g, game).State; after.Seq != before.Seq {
		t.Errorf("the log went on from %d to %d", before.Seq, after.Seq)
	}
	if _, err := drawTurn(t, g, game, "lap-two-0"); err != nil {
		t.Errorf("with a key of its own: %v", err)
	}
}

// TestBootWithOnePoisonedGame checks that a game whose log cannot be applied is not restored, while the others are, and
// a waiting game starts.
func TestBootWithOnePoisonedGame(t *testing.T) {
	ctx := context.Background()
	s := newStore(t)
	games := storetest.Hall(t, s, 3, 1)
	g := runner(t, s)
	begin(t, g)
	g.Close()
	if _, err := s.WriteSQL.Exec(`INSERT INTO game_events (game_id, seq, kind, version, data, actor, at)
		SELECT game_id, max(seq)+1, 'seat_ready', 1, '{"at":1,"seat":77}', 'clock', 1 FROM game_events
			WHERE game_id = $1 GROUP BY game_id`, games[1]); err != nil {
		t.Fatal(err)
	}
	again := runner(t, s)
	if err := again.Boot(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Look(ctx, games[1]); !errors.Is(err, ErrBroken) {
		t.Errorf("got %v for the poisoned game, want ErrBroken", err)
	}
	for _, game := range []int64{games[0], games[2]} {
		if got := look(t, again, game).State; got.Paused == nil || got.Paused.Why != engine.PausedByOutage {
			t.Errorf("game %d: got pause %+v, want the credit of an outage", game, got.Paused)
		}
	}
}

// TestExpiryThatCannotBeWritten checks that a turn gets its time back if it could not expire because the log could not
// be written.
func TestExpiryThatCannotBeWritten(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		l := OpenLog(s)
		g := New(s, l)
		g.Deal = func() engine.Deal { return seededDeal(1) }
		begin(t, g)
		readyAll(t, g, game)
		before := look(t, g, game).State
		writable(t, s, false)
		time.Sleep(90 * time.Second)
		synctest.Wait()
		if got := look(t, g, game).State; got.Seq != before.Seq {
			t.Errorf("the state went on to %d without the log, which is at %d", got.Seq, before.Seq)
		}
		writable(t, s, true)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		got := look(t, g, game).State
		if got.Paused == nil || got.Paused.Why != engine.PausedByOutage || got.Turn.Number != before.Turn.Number {
			t.Errorf("got turn %d, pause %+v; want turn %d with its time back", got.Turn.Number, got.Paused,
				before.Turn.Number)
		}
		time.Sleep(10*time.Second + time.Millisecond)
		synctest.Wait()
		if got := look(t, g, game).State; got.Paused != nil || got.Turn.Due-got.At != 15_000 {
			t.Errorf("got pause %+v and %d ms, want a clock that runs for 15 s", got.Paused, got.Turn.Due-got.At)
		}
		g.Close()
		l.Close()
	})
}

// TestStartGoesOnByItself checks that a round starts at every table even if no request waits for it, and that a game
// starts automatically once a failed disk works again.
func TestStartGoesOnByItself(t *testing.T) {
	s := newStore(t)
	games := storetest.Hall(t, s, 2, 1)
	synctest.Test(t, func(t *testing.T) {
		l := OpenLog(s)
		g := New(s, l)
		writable(t, s, false)
		if err := g.StartWaiting(context.Background(), 0); !IsStorage(err) {
			t.Errorf("got %v, want an error of the storage", err)
		}
		writable(t, s, true)
		time.Sleep(1500 * time.Millisecond)
		synctest.Wait()
		for _, game := range games {
			if got := look(t, g, game).State; got.Phase != engine.PhaseDealt {
				t.Errorf("game %d: got phase %q, want dealt", game, got.Phase)
			}
		}
		g.Close()
		l.Close()
	})
}

// writable makes the writing connection read-only, as a failing disk would, and writable again.
func writable(t *testing.T, s *store.DB, yes bool) {
	t.Helper()
	storetest.Writable(t, s, yes)
}

// TestEndedGamesAreLetGo checks that ended games are dropped from memory when there are many, and that a command for
// one loads it again.
func TestEndedGamesAreLetGo(t *testing.T) {
	ctx := context.Background()
	s := newStore(t)
	games := storetest.Hall(t, s, 3, 1)
	g := runner(t, s)
	begin(t, g)
	for _, game := range games[:2] {
		readyAll(t, g, game)
		if _, err := g.Submit(ctx, rights.Staff(rights.RoleReferee, "R"), game, "", engine.CallTime{}); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			if _, err := drawTurn(t, g, game, ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	held, err := g.cache.find(ctx, games[0])
	if err != nil {
		t.Fatal(err)
	}
	g.cache.mu.Lock()
	g.cache.letGo()
	kept := len(g.cache.known)
	g.cache.mu.Unlock()
	if kept != 1 {
		t.Errorf("%d games are kept, want the running one", kept)
	}
	if !held.gone {
		t.Error("a game was dropped without saying so to who holds it")
	}
	snap := look(t, g, games[0])
	if snap.State.Phase != engine.PhaseOver {
		t.Errorf("got phase %q, want over", snap.State.Phase)
	}
	if _, err := g.Submit(ctx, seatActor(snap, 0), games[0], "", engine.CallReferee{Seat: 0}); err != nil {
		t.Errorf("call the referee to the count: %v", err)
	}
	if got := look(t, g, games[0]).State; !got.Calls[0].Open() {
		t.Error("the call is not shown")
	}
}

// TestCommandFromAnEarlierTable checks that a page of an earlier round gets an error that says so. For all other actors
// the table stays forbidden.
func TestCommandFromAnEarlierTable(t *testing.T) {
	s := newStore(t)
	games := storetest.Hall(t, s, 2, 1)
	g := runner(t, s)
	begin(t, g)
	before := look(t, g, games[0])
	moved, stranger := seatActor(before, 1), seatActor(look(t, g, games[1]), 1)
	moved.Table = stranger.Table
	for who, want := range map[rights.Actor]string{moved: "err_table_left", stranger: "err_not_your_seat"} {
		_, err := g.Submit(context.Background(), who, games[0], "",
			engine.Ready{Seat: 1, Turn: before.State.Turn.Number})
		if refusal, ok := err.(*refuse.Error); !ok || refusal.Key != want {
			t.Errorf("player %d: got %v, want %s", who.Player, err, want)
		}
	}
	if seq := look(t, g, games[0]).State.Seq; seq != before.State.Seq {
		t.Errorf("seq went from %d to %d", before.State.Seq, seq)
	}
}

// TestCommandComesAgainFromTheNextTable checks that a repeated command gets its lost answer even if the sender has
// moved to another table. The round may have been confirmed after its very last move. Any other command from there is
// rejected.
func TestCommandComesAgainFromTheNextTable(t *testing.T) {
	s := newStore(t)
	games := storetest.Hall(t, s, 2, 1)
	g := runner(t, s)
	begin(t, g)
	dealt, next := look(t, g, games[0]), look(t, g, games[1]).Ref.TableID
	ready := dealt.State.Turn.Number
	device := rights.Actor{Role: rights.RoleTable, Tournament: dealt.Ref.TournamentID, Table: dealt.Ref.TableID,
		Name: strconv.Itoa(dealt.Ref.TableNumber), Seat: -1}
	elsewhere := device
	elsewhere.Name += "1"
	for _, c := range []struct {
		what    string
		from    rights.Actor
		at      func(seat int) engine.Command // the command as given from that seat
		another func(seat int) engine.Command
		refused string // error for a command with a new key
	}{
		{"a player's ready", seatActor(dealt, 1), func(seat int) engine.Command {
			return engine.Ready{Seat: seat,
				Turn: ready}
		},
			func(seat int) engine.Command { return engine.Ready{Seat: seat, Turn: ready + 1} }, "err_table_left"},
		{"a player's call", seatActor(dealt, 2),
			func(seat int) engine.Command { return engine.CallReferee{Seat: seat} },
			func(seat int) engine.Command { return engine.Draw{Seat: seat, Turn: 1} }, "err_table_left"},
		{"a table's call for a seat", device, func(int) engine.Command { return engine.CallReferee{Seat: 3} },
			func(int) engine.Command { return engine.CallReferee{Seat: 0} }, "err_table_left"},
	} {
		key := "lost-" + strconv.Itoa(c.from.Seat+5)
		done, err := g.Submit(t.Context(), c.from, games[0], key+"-answer", c.at(c.from.Seat))
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		for table, seat := range map[int64]int{0: -1, next: 0} {
			now := c.from
			now.Table, now.Seat = table, seat
			again, err := g.Submit(t.Context(), now, games[0], key+"-answer", c.at(seat))
			if err != nil || !again.Again || again.Seq != done.Seq || again.Outcome != done.Outcome ||
				again.Snapshot == nil {
				t.Errorf("%s, from seat %d: %+v, %v; want what it was, %+v", c.what, seat, again, err, done)
			}
			_, reused := g.Submit(t.Context(), now, games[0], key+"-answer", c.another(seat))
			_, fresh := g.Submit(t.Context(), now, games[0], key+"-another", c.at(seat))
			for err, want := range map[error]string{reused: "err_key_reused", fresh: c.refused} {
				if refusal, ok := err.(*refuse.Error); !ok || refusal.Key != want {
					t.Errorf("%s, from seat %d: got %v, want %s", c.what, seat, err, want)
				}
			}
		}
	}
	seq := look(t, g, games[0]).State.Seq
	elsewhere.Table = next
	if _, err := g.Submit(t.Context(), elsewhere, games[0], "lost-4-answer",
		engine.CallReferee{Seat: 3}); !errors.Is(err, refuse.ErrForbidden) {
		t.Errorf("another table's device is answered: %v", err)
	}
	if now := look(t, g, games[0]).State.Seq; now != seq || seq != dealt.State.Seq+3 {
		t.Errorf("seq went from %d to %d and %d", dealt.State.Seq, seq, now)
	}
}

// TestSeatedIsAtTheSeat checks that every command of a player can be given its original seat.
func TestSeatedIsAtTheSeat(t *testing.T) {
	for _, c := range []engine.Command{engine.Play{Turn: 3}, engine.Draw{Turn: 3}, engine.Pass{Turn: 3},
		engine.Ready{Turn: 3}, engine.Redeal{Turn: 3},
		engine.CallReferee{}, engine.EndTurn{Turn: 3}} {
		if got := reflect.ValueOf(seated(c, 2)); got.Type() != reflect.TypeOf(c) || got.FieldByName("Seat").Int() != 2 {
			t.Errorf("%T: got %+v", c, got)
		}
	}
}

// TestCloseWhileACommandIsInHand checks that a callback of a move may look at the game while the program stops.
func TestCloseWhileACommandIsInHand(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	g := runner(t, s)
	begin(t, g)
	closed := make(chan struct{})
	g.Moved = func(Ref, Step) {
		go func() { g.Close(); close(closed) }()
		for !g.closed.Load() {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(10 * time.Millisecond) // by now Close is waiting for this game
		if _, err := g.Look(context.Background(), game); err != nil {
			t.Error(err)
		}
	}
	snap := look(t, g, game)
	if _, err := g.Submit(context.Background(), seatActor(snap, 0), game, "",
		engine.Ready{Seat: 0, Turn: snap.State.Turn.Number}); err != nil {
		t.Fatal(err)
	}
	<-closed
}

// TestAnotherProgramHoldsTheLock checks that a lock that another program holds for 3 s causes no error: the move waits
// and is accepted once.
func TestAnotherProgramHoldsTheLock(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	g := runner(t, s)
	begin(t, g)
	readyAll(t, g, game)
	var path string
	if err := s.ReadSQL.QueryRow(`SELECT file FROM pragma_database_list WHERE name = 'main'`).Scan(&path); err != nil {
		t.Fatal(err)
	}
	other, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	release := time.AfterFunc(3*time.Second, func() { tx.Rollback() })
	defer release.Stop()
	seq, began := look(t, g, game).State.Seq, time.Now()
	answer, err := drawTurn(t, g, game, "a-key-of-mine")
	if took := time.Since(began); err != nil || answer.Seq <= seq || took < 2*time.Second {
		t.Errorf("after %v: seq %d to %d, %v", took, seq, answer.Seq, err)
	} else {
		t.Logf("answered after %.1f s", took.Seconds())
	}
}

// TestAnOverdueResumeSaysSo checks that an overdue resume runs the clock before anything else is decided. An official
// who also resumes then learns that it is running.
func TestAnOverdueResumeSaysSo(t *testing.T) {
	s := newStore(t)
	now := time.UnixMilli(1_700_000_000_000)
	var mu sync.Mutex
	s.Now = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	game := storetest.Hall(t, s, 1, 1)[0]
	g := runner(t, s)
	begin(t, g)
	readyAll(t, g, game)
	ann, why := rights.Staff(rights.RoleReferee, "Ann"), engine.Grounds{Reason: "look", By: "Ann"}
	for i, c := range []engine.Command{engine.PauseClock{Grounds: why}, engine.Resume{Grounds: why}} {
		if _, err := g.Submit(t.Context(), ann, game, fmt.Sprintf("key-%06d", i), c); err != nil {
			t.Fatal(err)
		}
	}
	mu.Lock()
	now = now.Add(engine.ResumeCountdown + time.Second)
	mu.Unlock()
	seq := look(t, g, game).State.Seq
	_, err := g.Submit(t.Context(), ann, game, "key-again", engine.Resume{Grounds: why})
	if refusal := new(engine.Refusal); !errors.As(err, &refusal) || refusal.Code != engine.RefusedNotPaused ||
		!strings.Contains(refusal.Detail, "running") {
		t.Errorf("got %v", err)
	}
	tail, err := g.Log.Tail(t.Context(), game, seq)
	if err != nil || len(tail) != 1 || tail[0].Actor != clockActor.String() ||
		tail[0].Event.Kind() != (engine.GameResumed{}).Kind() {
		t.Errorf("got %+v, %v; want the end of the pause, by the clock", tail, err)
	}
}
