package game

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// pulsing returns a Games that detects gaps and whose games have begun. ahead holds how many ms the clock has advanced
// while the program was suspended. Call stop inside the synctest bubble.
func pulsing(t *testing.T, s *store.DB) (g *Games, ahead *atomic.Int64, stop func()) {
	ahead = new(atomic.Int64)
	s.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load()) * time.Millisecond) }
	l := OpenLog(s)
	g = New(s, l)
	begin(t, g)
	ctx, cancel := context.WithCancel(t.Context())
	pulses := make(chan struct{})
	go func() { defer close(pulses); g.Pulse(ctx) }()
	return g, ahead, func() {
		cancel()
		<-pulses
		g.Close()
		l.Close()
	}
}

// heldUp holds the program up for ms, and then lets it run for a while.
func heldUp(ahead *atomic.Int64, ms int64, then time.Duration) {
	ahead.Add(ms)
	time.Sleep(then)
	synctest.Wait()
}

// allPlaying makes all players of the games ready and returns the states in which play began.
func allPlaying(t *testing.T, g *Games, games []int64) map[int64]engine.State {
	t.Helper()
	began := map[int64]engine.State{}
	for _, game := range games {
		readyAll(t, g, game)
		began[game] = look(t, g, game).State
	}
	return began
}

// TestStallCostsNobodyATurn checks that a program that was held up past a deadline gives the turn its time back before
// it decides the move that waited. Tables without a waiting request get the time back too.
func TestStallCostsNobodyATurn(t *testing.T) {
	s := newStore(t)
	games := storetest.Hall(t, s, 2, 1)
	synctest.Test(t, func(t *testing.T) {
		g, ahead, stop := pulsing(t, s)
		before := allPlaying(t, g, games)
		time.Sleep(55 * time.Second)
		synctest.Wait()
		ahead.Store(8500)
		_, err := drawTurn(t, g, games[0], "")
		if refusal := (&engine.Refusal{}); !errors.As(err, &refusal) || refusal.Code != engine.RefusedPaused {
			t.Errorf("the move that waited: %v, want that the clock stands", err)
		}
		time.Sleep(200 * time.Millisecond)
		synctest.Wait()
		for _, game := range games {
			now := look(t, g, game).State
			if now.Turn.Number != before[game].Turn.Number || now.Paused == nil ||
				now.Paused.Why != engine.PausedByOutage || now.Paused.Left != 15_000 {
				t.Errorf("game %d: turn %d, pause %+v; want turn %d with 15 s left", game, now.Turn.Number, now.Paused,
					before[game].Turn.Number)
			}
		}
		time.Sleep(11 * time.Second)
		synctest.Wait()
		if _, err := drawTurn(t, g, games[0], ""); err != nil {
			t.Errorf("after the countdown: %v", err)
		}
		stop()
	})
}

// TestStallInTheMiddleOfATurn checks that a gap in the middle of a turn is given back in full, and that a short one is
// no gap.
func TestStallInTheMiddleOfATurn(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		g, ahead, stop := pulsing(t, s)
		readyAll(t, g, game)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		heldUp(ahead, 350, time.Second)
		if now := look(t, g, game).State; now.Paused != nil {
			t.Errorf("a third of a second stopped the clock: %+v", now.Paused)
		}
		heldUp(ahead, 5000, 200*time.Millisecond)
		if now := look(t, g, game).State; now.Paused == nil || now.Paused.Left < 48_500 || now.Paused.Left > 48_750 {
			t.Errorf("pause %+v, want the 48.7 s that were left when the program stopped", now.Paused)
		}
		stop()
	})
}

// TestRefusedWritesCountFromTheFirst checks that time is owed from the first failed write.
func TestRefusedWritesCountFromTheFirst(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		l := OpenLog(s)
		g := New(s, l)
		begin(t, g)
		readyAll(t, g, game)
		time.Sleep(20 * time.Second)
		writable(t, s, false)
		if _, err := drawTurn(t, g, game, ""); !IsStorage(err) {
			t.Errorf("got %v, want an error of the storage", err)
		}
		time.Sleep(30 * time.Second)
		writable(t, s, true)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if now := look(t, g, game).State; now.Paused == nil || now.Paused.Left != 40_000 {
			t.Errorf("pause %+v, want the 40 s that were left at the first refused write", now.Paused)
		}
		g.Close()
		l.Close()
	})
}

// TestHeartbeatWhileTimeIsOwed checks a program that dies after its disk works again but before it has given time back.
// The next start gives back the time since the first failed write, because the heartbeat records until when no time is
// owed.
func TestHeartbeatWhileTimeIsOwed(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		l := OpenLog(s)
		g := New(s, l)
		begin(t, g)
		readyAll(t, g, game)
		time.Sleep(20 * time.Second)
		writable(t, s, false)
		if _, err := drawTurn(t, g, game, ""); !IsStorage(err) {
			t.Errorf("got %v, want an error of the storage", err)
		}
		time.Sleep(4100 * time.Millisecond)
		writable(t, s, true)
		if err := g.Owner.Beat(t.Context()); err != nil {
			t.Fatal(err)
		}
		g.Close() // without having given anything back
		time.Sleep(7 * time.Second)
		again := New(s, l)
		if err := again.Boot(t.Context()); err != nil {
			t.Fatal(err)
		}
		if now := look(t, again, game).State; now.Paused == nil || now.Paused.Left != 40_000 {
			t.Errorf("pause %+v, want the 40 s that were left at the first refused write", now.Paused)
		}
		again.Close()
		l.Close()
	})
}

// TestWriteThatWasMadeThoughItFailed checks that a write that was reported as failed but was made is noticed, even if
// the game gets no more commands and no clock runs.
func TestWriteThatWasMadeThoughItFailed(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		l := OpenLog(s)
		g := New(s, l)
		begin(t, g)
		readyAll(t, g, game)
		pause := engine.PauseClock{Grounds: engine.Grounds{Reason: "a spilled drink"}}
		if _, err := g.Submit(t.Context(), rights.Staff(rights.RoleReferee, "Ann"), game, "", pause); err != nil {
			t.Fatal(err)
		}
		other := New(s, l) // its write takes the place of the failed one
		if _, err := other.Submit(t.Context(), rights.Staff(rights.RoleReferee, "Ann"), game, "",
			engine.Resume{}); err != nil {
			t.Fatal(err)
		}
		r := g.cache.known[game]
		r.mu.Lock()
		r.owe(g.DB.Millis())
		r.retry(time.Second)
		r.mu.Unlock()
		time.Sleep(1100 * time.Millisecond)
		synctest.Wait()
		if got, want := look(t, g, game).State, look(t, other, game).State; got.Seq < want.Seq || got.Paused != nil &&
			got.Paused.ResumeAt == 0 {
			t.Errorf("seq %d, pause %+v; the log is at %d, and goes on", got.Seq, got.Paused, want.Seq)
		}
		g.Close()
		other.Close()
		l.Close()
	})
}

// TestClockSetBackBetweenTwoStarts checks that no game stands for an hour because the machine's clock was set back by
// an hour between two starts.
func TestClockSetBackBetweenTwoStarts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "event.db")
	open := func() *store.DB {
		s, err := store.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open()
	was := s.Now().Add(time.Hour)
	s.Now = func() time.Time { return was }
	game := storetest.Hall(t, s, 1, 1)[0]
	l := OpenLog(s)
	g := New(s, l)
	begin(t, g)
	readyAll(t, g, game)
	if err := WriteHeartbeat(t.Context(), s, engine.MillisOf(was.Add(time.Minute))); err != nil {
		t.Fatal(err)
	}
	g.Close()
	l.Close()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	again := open()
	t.Cleanup(func() { again.Close() })
	if again.Behind < time.Hour || again.Behind > time.Hour+2*time.Minute {
		t.Errorf("the clock is said to be %v behind", again.Behind)
	}
	g = runner(t, again)
	if err := g.Boot(t.Context()); err != nil {
		t.Fatal(err)
	}
	now := look(t, g, game).State
	if now.Paused == nil || now.Paused.ResumeAt <= engine.MillisOf(was) || now.Paused.ResumeAt > again.Millis()+10_000 {
		t.Errorf("pause %+v at %d, want a countdown of ten seconds", now.Paused, again.Millis())
	}
}

// TestStallIsOneOutage checks that one gap is one outage, and that a game that is settled early still has a timer.
func TestStallIsOneOutage(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		g, ahead, stop := pulsing(t, s)
		readyAll(t, g, game)
		time.Sleep(time.Second)
		r, before := g.cache.known[game], look(t, g, game).State.Seq
		heldUp(ahead, 3100, 2*time.Second)
		if now := look(t, g, game).State; now.Seq != before+1 || now.Paused == nil || len(g.stalls.gaps) != 1 {
			t.Errorf("seq %d after %d, pause %+v, %d gaps; want one outage", now.Seq, before, now.Paused,
				len(g.stalls.gaps))
		}
		r.mu.Lock()
		r.retry(0) // settled early: nothing is due, and the countdown still ends
		r.mu.Unlock()
		time.Sleep(11 * time.Second)
		synctest.Wait()
		if now := look(t, g, game).State; now.Paused != nil {
			t.Errorf("the countdown never ends: %+v", now.Paused)
		}
		stop()
	})
}

// TestRefusedWriteStopsAllClocks checks that a failed write stops the clocks of all games, even without other requests.
// Viewers see them stand at the time that players get back, counted from the first failed write. The heartbeat is such
// a write too.
func TestRefusedWriteStopsAllClocks(t *testing.T) {
	for name, refuse := range map[string]func(t *testing.T, g *Games, game int64){
		"a move": func(t *testing.T, g *Games, game int64) {
			if _, err := drawTurn(t, g, game, ""); !IsStorage(err) {
				t.Errorf("got %v, want an error of the storage", err)
			}
		},
		"the heartbeat": func(t *testing.T, g *Games, _ int64) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			g.Heartbeat(ctx)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			games := storetest.Hall(t, s, 2, 1)
			synctest.Test(t, func(t *testing.T) {
				l := OpenLog(s)
				g := New(s, l)
				stood := 0
				g.Stood = func() { stood++ }
				begin(t, g)
				for _, game := range games {
					readyAll(t, g, game)
				}
				time.Sleep(20 * time.Second)
				writable(t, s, false)
				refuse(t, g, games[0])
				time.Sleep(10 * time.Second)
				synctest.Wait()
				for _, game := range games {
					snap := look(t, g, game)
					if now := snap.Shown(); now.Paused == nil || now.Paused.Left != 40_000 ||
						now.Paused.ResumeAt != 0 || snap.State.Paused != nil {
						t.Errorf("game %d is shown with the pause %+v, and has %+v", game, now.Paused,
							snap.State.Paused)
					}
				}
				time.Sleep(20 * time.Second)
				writable(t, s, true)
				time.Sleep(2 * time.Second)
				synctest.Wait()
				for _, game := range games {
					snap := look(t, g, game)
					if now := snap.State; snap.Stands != 0 || now.Paused == nil || now.Paused.Left != 40_000 ||
						now.Paused.Why != engine.PausedByOutage {
						t.Errorf("game %d: pause %+v, stands since %d; want the 40 s that were left at the first refused write", game, now.Paused, snap.Stands)
					}
				}
				if stood != 2 || g.Unwritten() != 0 {
					t.Errorf("told %d times, since %d; want once that nothing can be written and once that it can",
						stood, g.Unwritten())
				}
				g.Close()
				l.Close()
			})
		})
	}
}

// TestWriteOfBeforeTellsNothingOfNow checks that a successful write from before a failed one does not restart the
// clocks if it is reported afterwards.
func TestWriteOfBeforeTellsNothingOfNow(t *testing.T) {
	g := runner(t, newStore(t))
	began := g.DB.Millis()
	g.wrote(began, ErrLogClosed, false)
	since := g.Unwritten()
	g.wrote(began-1, nil, false)
	if got := g.Unwritten(); got != since || got == 0 {
		t.Errorf("nothing could be written since %d, and then since %d", since, got)
	}
	if g.wrote(g.DB.Millis(), nil, false); g.Unwritten() != 0 {
		t.Error("the clocks stand, and it can be written again")
	}
}

// TestSlowWriteCostsTheNextTurnNothing checks that a slow write is waited for, here because another process holds the
// database. The turn that begins with it gets the lost time back, once.
func TestSlowWriteCostsTheNextTurnNothing(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	g := runner(t, s)
	begin(t, g)
	readyAll(t, g, game)
	other, err := store.Open(s.File())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx := other.Write.Begin() // takes the lock
	release := time.AfterFunc(slowWrite+1500*time.Millisecond, func() { tx.Rollback() })
	defer release.Stop()
	if _, err := drawTurn(t, g, game, ""); err != nil {
		t.Fatalf("the move that waited: %v", err)
	}
	turn := look(t, g, game).State.Turn
	for end := time.Now().Add(10 * time.Second); look(t, g,
		game).State.Paused == nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the turn gets nothing back")
		}
	}
	now := look(t, g, game).State
	if now.Turn.Number != turn.Number || now.Paused.Why != engine.PausedByOutage ||
		now.Paused.Left != turn.Due-turn.Started {
		t.Errorf("turn %d, pause %+v; want turn %d with all of its %d ms", now.Turn.Number, now.Paused, turn.Number,
			turn.Due-turn.Started)
	}
	r := g.cache.known[game]
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now.Store(&Snapshot{Ref: r.now.Load().Ref, State: engine.State{Phase: engine.PhasePlaying, Turn: turn}})
	if r.noteSlow(1); r.owed.Load() != 0 {
		t.Error("the same turn is given something back again")
	}
}

// TestSleepOfTheMachineIsAnOutage checks that no turn runs while the machine sleeps. The log says why the clocks were
// stopped, and they count down before they run again.
func TestSleepOfTheMachineIsAnOutage(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		l := OpenLog(s)
		g := New(s, l)
		var slept atomic.Int64
		g.Slept = func() time.Duration { return time.Duration(slept.Load()) }
		begin(t, g)
		readyAll(t, g, game)
		ctx, cancel := context.WithCancel(t.Context())
		pulses := make(chan struct{})
		go func() { defer close(pulses); g.Pulse(ctx) }()
		time.Sleep(20 * time.Second)
		slept.Store(int64(time.Hour))
		time.Sleep(time.Second)
		synctest.Wait()
		if now := look(t, g, game).State; now.Paused == nil || now.Paused.Why != engine.PausedByOutage ||
			now.Paused.Left < 39_900 || now.Paused.Left > 40_000 {
			t.Errorf("pause %+v, want the 40 s that were left", now.Paused)
		}
		cancel()
		<-pulses
		g.Close()
		l.Close()
	})
}

// TestGapThatIsNotNotedEndsNoTurn checks that a turn whose time ran out in a gap is not ended by a command that had
// checked for gaps just before.
func TestGapThatIsNotNotedEndsNoTurn(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	var ahead atomic.Int64
	now := s.Now
	s.Now = func() time.Time { return now().Add(time.Duration(ahead.Load()) * time.Millisecond) }
	g := runner(t, s)
	begin(t, g)
	readyAll(t, g, game)
	r, err := g.cache.find(t.Context(), game)
	if err != nil {
		t.Fatal(err)
	}
	r.mu.Lock()
	r.noteStall()
	g.stalls.begins(g.DB.Millis())
	ahead.Add(65_000)
	_, err = r.try(t.Context(), &submission{actor: clockName}, engine.Expire{})
	r.mu.Unlock()
	expired := func() (n int) {
		for _, e := range eventsOf(t, g.Log, game) {
			if e.Kind() == (engine.TurnExpired{}).Kind() {
				n++
			}
		}
		return n
	}
	if n := expired(); n != 0 || !errors.Is(err, ErrClockHeld) {
		t.Errorf("%d turns have expired, answer %v", n, err)
	}
	g.expire(game)
	if n, now := expired(), look(t, g, game).State; n != 0 || now.Paused == nil || now.Paused.Left < 50_000 {
		t.Errorf("%d turns have expired, pause %+v; want that turn with what it had", n, now.Paused)
	}
}
