package game

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"meldhall/engine"
	"meldhall/tournament/store/storetest"
)

// A program that takes long to stop costs no player a turn. From the moment of the stop no turn expires, a move in
// progress counts as made at that moment, and the next start gives back the time that was left.
func TestStopLetsTheClocksStand(t *testing.T) {
	s := newStore(t)
	games := storetest.Hall(t, s, 2, 1)
	synctest.Test(t, func(t *testing.T) {
		g, _, stop := pulsing(t, s)
		before := allPlaying(t, g, games)
		time.Sleep(35 * time.Second)
		synctest.Wait()
		if err := g.Stop(context.Background()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(40 * time.Second)
		synctest.Wait()
		answer, err := drawTurn(t, g, games[0], "")
		if err != nil || answer.Outcome != (engine.TileDrawn{}).Kind() {
			t.Errorf("a move that was in hand: %+v, %v", answer, err)
		}
		if now := look(t, g, games[1]).State; now.Turn != before[games[1]].Turn {
			t.Errorf("a turn has run out while the program stopped: %+v", now.Turn)
		}
		stop()
		again := New(s, OpenLog(s))
		if err := again.Boot(context.Background()); err != nil {
			t.Fatal(err)
		}
		if now := look(t, again, games[1]).State; now.Turn.Number != before[games[1]].Turn.Number ||
			now.Paused == nil || now.Paused.Left != 25_000 {
			t.Errorf("turn %d, pause %+v; want turn %d with the 25 s that were left", now.Turn.Number, now.Paused,
				before[games[1]].Turn.Number)
		}
		again.Close()
		again.Log.Close()
	})
}

// TestStopPaysWhatIsOwed checks that a gap that has not been paid back before a shutdown is paid back and not
// forgotten.
func TestStopPaysWhatIsOwed(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		g, ahead, stop := pulsing(t, s)
		readyAll(t, g, game)
		time.Sleep(20 * time.Second)
		synctest.Wait()
		ahead.Store(20_000)
		if err := g.Stop(context.Background()); err != nil {
			t.Fatal(err)
		}
		if now := look(t, g, game).State; now.Paused == nil || now.Paused.Left != 40_000 {
			t.Errorf("pause %+v, want the 40 s that were left before the gap", now.Paused)
		}
		stop()
	})
}
