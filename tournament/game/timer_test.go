package game

import (
	"testing"
	"testing/synctest"
	"time"

	"meldhall/engine"
	"meldhall/tournament/store/storetest"
)

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
