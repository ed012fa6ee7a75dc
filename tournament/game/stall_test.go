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
	"meldhall/tournament/storage"
	"meldhall/tournament/storage/storagetest"
)

// pulsing is a runner that notices gaps, its games begun; ahead are the ms by which the clock has gone on while the program did
// not. It is to be stopped inside the bubble.
func pulsing(t *testing.T, s *storage.DB) (g *Games, ahead *atomic.Int64, stop func()) {
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

// heldUp holds the program up for so many ms, and lets it run on for a while.
func heldUp(ahead *atomic.Int64, ms int64, then time.Duration) {
	ahead.Add(ms)
	time.Sleep(then)
	synctest.Wait()
}

// allPlaying lets everybody at the games be ready, and gives the states in which play began.
func allPlaying(t *testing.T, g *Games, games []int64) map[int64]engine.State {
	t.Helper()
	began := map[int64]engine.State{}
	for _, game := range games {
		readyAll(t, g, game)
		began[game] = look(t, g, game).State
	}
	return began
}

// A program that was suspended until after a deadline gives the turn its time back before it decides the waiting
// move. It does the same at tables that no client requests.
func TestStallCostsNobodyATurn(t *testing.T) {
	s := newStore(t)
	games := storagetest.Hall(t, s, 2, 1)
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
			if now.Turn.Number != before[game].Turn.Number || now.Paused == nil || now.Paused.Why != engine.PausedByOutage || now.Paused.Left != 15_000 {
				t.Errorf("game %d: turn %d, pause %+v; want turn %d with 15 s left", game, now.Turn.Number, now.Paused, before[game].Turn.Number)
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

// A gap in the middle of a turn is given back whole, and a short one is none.
func TestStallInTheMiddleOfATurn(t *testing.T) {
	s := newStore(t)
	game := storagetest.Hall(t, s, 1, 1)[0]
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

// A write that cannot be made counts from the first one that was refused.
func TestRefusedWritesCountFromTheFirst(t *testing.T) {
	s := newStore(t)
	game := storagetest.Hall(t, s, 1, 1)[0]
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

// A program that dies once its disk is well again and before it has paid what it owes for that is credited from the first refused write on
// at the next start: a heartbeat says until when nobody is owed anything.
func TestHeartbeatWhileTimeIsOwed(t *testing.T) {
	s := newStore(t)
	game := storagetest.Hall(t, s, 1, 1)[0]
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
		if err := g.beat(t.Context(), g.DB.Millis()); err != nil {
			t.Fatal(err)
		}
		g.Close() // and has paid nothing
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

// A write that is said to have failed and was made is found out by itself, though nobody commands the game any more and no clock runs.
func TestWriteThatWasMadeThoughItFailed(t *testing.T) {
	s := newStore(t)
	game := storagetest.Hall(t, s, 1, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		l := OpenLog(s)
		g := New(s, l)
		begin(t, g)
		readyAll(t, g, game)
		pause := engine.PauseClock{Grounds: engine.Grounds{Reason: "a spilled drink"}}
		if _, err := g.Submit(t.Context(), rights.Staff(rights.RoleReferee, "Ann"), game, "", pause); err != nil {
			t.Fatal(err)
		}
		other := New(s, l) // whose write stands for it
		if _, err := other.Submit(t.Context(), rights.Staff(rights.RoleReferee, "Ann"), game, "", engine.Resume{}); err != nil {
			t.Fatal(err)
		}
		r := g.known[game]
		r.mu.Lock()
		g.owe(r, g.DB.Millis())
		g.retry(r, time.Second)
		r.mu.Unlock()
		time.Sleep(1100 * time.Millisecond)
		synctest.Wait()
		if got, want := look(t, g, game).State, look(t, other, game).State; got.Seq < want.Seq || got.Paused != nil && got.Paused.ResumeAt == 0 {
			t.Errorf("seq %d, pause %+v; the log is at %d, and goes on", got.Seq, got.Paused, want.Seq)
		}
		g.Close()
		other.Close()
		l.Close()
	})
}

// A machine whose clock is set back between two starts, here by an hour, leaves no game standing for that hour.
func TestClockSetBackBetweenTwoStarts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "event.db")
	open := func() *storage.DB {
		s, err := storage.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open()
	was := s.Now().Add(time.Hour)
	s.Now = func() time.Time { return was }
	game := storagetest.Hall(t, s, 1, 1)[0]
	l := OpenLog(s)
	g := New(s, l)
	begin(t, g)
	readyAll(t, g, game)
	if err := beat(t.Context(), s, engine.MillisOf(was.Add(time.Minute))); err != nil {
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

// One gap is one outage, and a game that is settled before its time still has a timer.
func TestStallIsOneOutage(t *testing.T) {
	s := newStore(t)
	game := storagetest.Hall(t, s, 1, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		g, ahead, stop := pulsing(t, s)
		readyAll(t, g, game)
		time.Sleep(time.Second)
		r, before := g.known[game], look(t, g, game).State.Seq
		heldUp(ahead, 3100, 2*time.Second)
		if now := look(t, g, game).State; now.Seq != before+1 || now.Paused == nil || len(g.stalls.gaps) != 1 {
			t.Errorf("seq %d after %d, pause %+v, %d gaps; want one outage", now.Seq, before, now.Paused, len(g.stalls.gaps))
		}
		r.mu.Lock()
		g.retry(r, 0) // settled before its time: nothing is due, and the countdown still ends
		r.mu.Unlock()
		time.Sleep(11 * time.Second)
		synctest.Wait()
		if now := look(t, g, game).State; now.Paused != nil {
			t.Errorf("the countdown never ends: %+v", now.Paused)
		}
		stop()
	})
}

// A write that is refused stops the clocks of all games, also where nobody has sent anything: those who look see them stand with what
// they get back, and get it from the first refused write on. The heartbeat is such a write.
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
			games := storagetest.Hall(t, s, 2, 1)
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
					if now := snap.Shown(); now.Paused == nil || now.Paused.Left != 40_000 || now.Paused.ResumeAt != 0 || snap.State.Paused != nil {
						t.Errorf("game %d is shown with the pause %+v, and has %+v", game, now.Paused, snap.State.Paused)
					}
				}
				time.Sleep(20 * time.Second)
				writable(t, s, true)
				time.Sleep(2 * time.Second)
				synctest.Wait()
				for _, game := range games {
					snap := look(t, g, game)
					if now := snap.State; snap.Stands != 0 || now.Paused == nil || now.Paused.Left != 40_000 || now.Paused.Why != engine.PausedByOutage {
						t.Errorf("game %d: pause %+v, stands since %d; want the 40 s that were left at the first refused write", game, now.Paused, snap.Stands)
					}
				}
				if stood != 2 || g.Unwritten() != 0 {
					t.Errorf("told %d times, since %d; want once that nothing can be written and once that it can", stood, g.Unwritten())
				}
				g.Close()
				l.Close()
			})
		})
	}
}

// A write that was made before one was refused, and is heard of after it, does not let the clocks run.
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

// A write that takes long, here since another process holds the database, is waited for, and the turn that begins with it gets back
// what nobody could play meanwhile; it is given back once.
func TestSlowWriteCostsTheNextTurnNothing(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	s := newStore(t)
	game := storagetest.Hall(t, s, 1, 1)[0]
	g := runner(t, s)
	begin(t, g)
	readyAll(t, g, game)
	other, err := storage.Open(s.File())
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
	for end := time.Now().Add(10 * time.Second); look(t, g, game).State.Paused == nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the turn gets nothing back")
		}
	}
	now := look(t, g, game).State
	if now.Turn.Number != turn.Number || now.Paused.Why != engine.PausedByOutage || now.Paused.Left != turn.Due-turn.Started {
		t.Errorf("turn %d, pause %+v; want turn %d with all of its %d ms", now.Turn.Number, now.Paused, turn.Number, turn.Due-turn.Started)
	}
	r := g.known[game]
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now.Store(&Snapshot{Ref: r.now.Load().Ref, State: engine.State{Phase: engine.PhasePlaying, Turn: turn}})
	if g.noteSlow(r, 1); r.owed.Load() != 0 {
		t.Error("the same turn is given something back again")
	}
}

// No turn runs while the machine sleeps. The log records why the clocks stood, and they count down before they run
// again.
func TestSleepOfTheMachineIsAnOutage(t *testing.T) {
	s := newStore(t)
	game := storagetest.Hall(t, s, 1, 1)[0]
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
		if now := look(t, g, game).State; now.Paused == nil || now.Paused.Why != engine.PausedByOutage || now.Paused.Left < 39_900 || now.Paused.Left > 40_000 {
			t.Errorf("pause %+v, want the 40 s that were left", now.Paused)
		}
		cancel()
		<-pulses
		g.Close()
		l.Close()
	})
}
