package game

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"meldhall/engine"
	"meldhall/tournament/store/storetest"
)

// TestAHeldKeyKeepsTheTurnOpen checks that a key that is held down at the deadline keeps the turn open for half a second
// after the first touch, in which the key's command counts. Without a command the turn then expires by itself.
func TestAHeldKeyKeepsTheTurnOpen(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		l := OpenLog(s)
		g := New(s, l)
		g.Deal = func() engine.Deal { return seededDeal(1) }
		begin(t, g)
		readyAll(t, g, game)
		for _, draws := range []bool{true, false} {
			snap := look(t, g, game)
			turn, grace := snap.State.Turn, time.Duration(snap.State.Rules.GraceMillis)*time.Millisecond
			until := func(after time.Duration) { time.Sleep(time.Until(time.UnixMilli(int64(turn.Due)).Add(after))) }
			submit := func(key string, c engine.Command) Answer {
				t.Helper()
				answer, err := g.Submit(t.Context(), seatActor(snap, turn.Seat), game, key, c)
				if err != nil {
					t.Fatal(err)
				}
				return answer
			}
			until(-100 * time.Millisecond)
			submit("key-pressed-"+strconv.FormatBool(draws), engine.PressKey{Seat: turn.Seat, Turn: turn.Number})
			until(grace + 390*time.Millisecond)
			synctest.Wait()
			if now := look(t, g, game).State.Turn; now != turn {
				t.Fatalf("the turn has gone on to %+v", now)
			}
			if draws {
				answer := submit("key-drawn", engine.Draw{Seat: turn.Seat, Turn: turn.Number})
				if answer.Outcome != (engine.TileDrawn{}).Kind() {
					t.Errorf("the held key's command led to %s", answer.Outcome)
				}
				continue
			}
			until(grace + 410*time.Millisecond)
			synctest.Wait()
			if last := look(t, g, game).State.Actions.Last(); last.Kind != (engine.TurnExpired{}).Kind() {
				t.Errorf("half a second after the press: %s", last.Kind)
			}
		}
		g.Close()
		l.Close()
	})
}

// TestTurnsExpireByThemselves checks that turns expire one after another without any client. The deadline and the grace
// period are in the log, and the expiry comes at the first millisecond after them.
func TestTurnsExpireByThemselves(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		l := OpenLog(s)
		g := New(s, l)
		g.Deal = func() engine.Deal { return seededDeal(1) }
		begin(t, g)
		time.Sleep(20*time.Second + time.Second + 2*time.Millisecond) // the start phase and its grace period
		synctest.Wait()
		if got := look(t, g, game).State; got.Phase != engine.PhasePlaying {
			t.Errorf("got phase %q, want playing", got.Phase)
		}
		time.Sleep(4 * (61*time.Second + 2*time.Millisecond))
		synctest.Wait()
		got := look(t, g, game).State
		for seat := range 4 {
			if n := len(got.Racks[seat]); n != 17 {
				t.Errorf("seat %d: got %d tiles, want 14 and 3 for its time-out", seat, n)
			}
		}
		for _, e := range eventsOf(t, l, game) {
			if e, ok := e.(engine.TurnExpired); ok && e.Late != 1 {
				t.Errorf("an expiry came %d ms after the grace, want 1", e.Late)
			}
		}
		g.Close()
		l.Close()
	})
}
