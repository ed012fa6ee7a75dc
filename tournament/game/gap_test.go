package game

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"meldhall/engine"
	"meldhall/tournament/store/storetest"
)

// TestShortGapIsGivenBackWhenTimeWouldRunOut checks that a short gap neither interrupts players who move in time nor is
// written to the log. A turn whose time would run out gets the time back then, once, whichever call notices it. The
// time is also owed if the program dies before.
func TestShortGapIsGivenBackWhenTimeWouldRunOut(t *testing.T) {
	s := newStore(t)
	games := storetest.Hall(t, s, 3, 1)
	synctest.Test(t, func(t *testing.T) {
		g, ahead, stop := pulsing(t, s)
		began := allPlaying(t, g, games)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		heldUp(ahead, 1500, time.Second)
		heldUp(ahead, 2000, time.Second)
		if now := g.DB.Millis(); g.paidUntil(now) > now-3500 || g.paidUntil(now) < now-4000 {
			t.Errorf("the players have been paid until %d ms ago, want the 3.5 s of two gaps", now-g.paidUntil(now))
		}
		if _, err := drawTurn(t, g, games[0], ""); err != nil {
			t.Errorf("a move in time: %v", err)
		}
		time.Sleep(time.Duration(began[games[1]].Turn.Due-g.DB.Millis()) * time.Millisecond)
		if now := look(t, g, games[1]).State; now.Seq != began[games[1]].Seq {
			t.Errorf("%d events of a gap that stops nobody", now.Seq-began[games[1]].Seq)
		}
		time.Sleep(time.Duration(began[games[1]].Rules.GraceMillis+50) * time.Millisecond)
		_, err := drawTurn(t, g, games[1], "")
		if refusal := (&engine.Refusal{}); !errors.As(err, &refusal) || refusal.Code != engine.RefusedPaused {
			t.Errorf("a move that would have been in time without the gaps: %v, want that the clock stands", err)
		}
		time.Sleep(3500 * time.Millisecond) // the test's timers kept running
		synctest.Wait()
		for _, game := range games[1:] {
			if now := look(t, g, game).State; now.Turn.Number != began[game].Turn.Number || now.Paused == nil ||
				now.Paused.Left != 15_000 {
				t.Errorf("turn %d, pause %+v; want turn %d with 15 s left", now.Turn.Number, now.Paused,
					began[game].Turn.Number)
			}
		}
		time.Sleep(engine.OutageCountdown + 10*time.Second)
		synctest.Wait()
		if now := look(t, g, games[2]).State; now.Paused != nil || now.Turn.Number != began[games[2]].Turn.Number {
			t.Errorf("turn %d, pause %+v; want turn %d running", now.Turn.Number, now.Paused,
				began[games[2]].Turn.Number)
		}
		heldUp(ahead, 1000, 10*time.Second) // charged against the fifteen seconds, which exceed what it was owed
		if now := look(t, g, games[2]).State; now.Turn.Number == began[games[2]].Turn.Number {
			t.Errorf("a gap every fifteen seconds, and the turn never ends: %+v", now.Paused)
		}
		stop()
	})
}

// TestShortGapAtTheEndOfATurn checks a short gap in the last moments of a turn: the move that waited is not too late,
// and the turn gets its time back. A longer gap or a start that follows gives back the short gap as well.
func TestShortGapAtTheEndOfATurn(t *testing.T) {
	s := newStore(t)
	games := storetest.Hall(t, s, 2, 1)
	synctest.Test(t, func(t *testing.T) {
		g, ahead, stop := pulsing(t, s)
		began := allPlaying(t, g, games)
		time.Sleep(30 * time.Second)
		synctest.Wait()
		heldUp(ahead, 1000, 2*time.Second)
		heldUp(ahead, 4000, time.Second)
		for _, game := range games {
			if now := look(t, g, game).State; now.Paused == nil || now.Paused.Left < 28_000 ||
				now.Paused.Left > 28_250 {
				t.Errorf("pause %+v, want the 27 s that were left when the program stood for longer, and the second before", now.Paused)
			}
		}
		time.Sleep(engine.OutageCountdown + 27*time.Second)
		synctest.Wait()
		running := look(t, g, games[0]).State
		ahead.Add(int64(engine.Due(&running)-g.DB.Millis()) + 5)
		_, err := drawTurn(t, g, games[0], "")
		if refusal := (&engine.Refusal{}); !errors.As(err, &refusal) || refusal.Code != engine.RefusedPaused {
			t.Errorf("the move that waited: %v, want that the clock stands", err)
		}
		time.Sleep(6 * time.Second)
		synctest.Wait()
		for _, game := range games {
			if now := look(t, g, game).State; now.Turn.Number != began[game].Turn.Number || now.Paused == nil ||
				now.Paused.Left != 15_000 {
				t.Errorf("turn %d, pause %+v; want turn %d with 15 s left", now.Turn.Number, now.Paused,
					began[game].Turn.Number)
			}
		}
		stop()
	})
}

// TestShortGapBeforePlay checks that a short gap before play begins costs nothing and is owed to no turn.
func TestShortGapBeforePlay(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		g, ahead, stop := pulsing(t, s)
		time.Sleep(time.Second)
		synctest.Wait()
		heldUp(ahead, 2000, time.Second)
		if now := g.DB.Millis(); g.paidUntil(now) != now {
			t.Errorf("the players have been paid until %d ms ago, want that nobody is owed anything",
				now-g.paidUntil(now))
		}
		due := engine.Due(&g.cache.known[game].now.Load().State)
		time.Sleep(time.Duration(due-g.DB.Millis()+3000) * time.Millisecond)
		synctest.Wait()
		if now := look(t, g, game).State; now.Phase != engine.PhasePlaying || now.Paused != nil {
			t.Errorf("%s, pause %+v; want that play has begun", now.Phase, now.Paused)
		}
		stop()
	})
}

// TestShortGapIsOwedAfterAStart checks that a short gap is also given back at the next start if the program died before
// the turn's time ran out.
func TestShortGapIsOwedAfterAStart(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		g, ahead, stop := pulsing(t, s)
		readyAll(t, g, game)
		time.Sleep(20 * time.Second)
		synctest.Wait()
		heldUp(ahead, 2000, 3*time.Second)
		if err := g.Owner.Beat(t.Context()); err != nil {
			t.Fatal(err)
		}
		stop() // without having given anything back
		time.Sleep(30 * time.Second)
		l := OpenLog(s)
		again := New(s, l)
		if err := again.Boot(t.Context()); err != nil {
			t.Fatal(err)
		}
		if now := look(t, again, game).State; now.Paused == nil || now.Paused.Left < 37_000 ||
			now.Paused.Left > 37_250 {
			t.Errorf("pause %+v, want the 35 s that were left when the program died, and two more", now.Paused)
		}
		again.Close()
		l.Close()
	})
}
