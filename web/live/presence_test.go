package live

import (
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"meldhall/engine"
	"meldhall/tournament/rights"
)

var presentSeat = rights.Actor{Player: 3, Table: 5, Tournament: 7}

// presence returns a Presence and a counter of wakes. It fails if anything but the watched seat is woken.
func presence(t *testing.T) (p *Presence, woken *atomic.Int32) {
	woken = new(atomic.Int32)
	p = NewPresence(time.Now, func(topics ...Topic) {
		if !slices.Equal(topics, []Topic{TableTopic(5), TournamentTopic(7)}) &&
			!slices.Equal(topics, []Topic{TableTopic(5)}) {
			t.Errorf("got %v", topics)
		}
		woken.Add(1)
	}, func(rights.Actor, string, engine.Millis, any) {})
	return p, woken
}

func TestPresence(t *testing.T) {
	me := presentSeat
	t.Run("a seat that is silent for 8 s is told once, and when it is back", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p, woken := presence(t)
			if got := p.Device(me.Player); got != (DeviceState{}) {
				t.Errorf("a seat that was never heard: got %+v", got)
			}
			p.Heard(me)
			last := time.Now()
			for range 3 {
				time.Sleep(3 * time.Second)
				p.Heard(me)
				last = time.Now()
			}
			if time.Sleep(7 * time.Second); woken.Load() != 0 || p.Device(me.Player).Offline != 0 {
				t.Errorf("after 7 s: woken %d times, %+v", woken.Load(), p.Device(me.Player))
			}
			if time.Sleep(2 * time.Second); woken.Load() != 1 ||
				int64(p.Device(me.Player).Offline) != last.UnixMilli() {
				t.Errorf("after 9 s: woken %d times, %+v", woken.Load(), p.Device(me.Player))
			}
			p.Heard(me)
			if woken.Load() != 2 || p.Device(me.Player).Offline != 0 {
				t.Errorf("back: woken %d times, %+v", woken.Load(), p.Device(me.Player))
			}
			p.Heard(me)
			time.Sleep(time.Minute)
		})
	})
	t.Run("a program that listens is there", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p, woken := presence(t)
			p.Listens(me, 1)
			p.Heard(me)
			if time.Sleep(time.Hour); p.Device(me.Player).Offline != 0 {
				t.Error("it is taken for gone")
			}
			if n := woken.Load(); n != 0 {
				t.Errorf("%d times others look at the table again for nothing", n)
			}
			p.Listens(me, -1)
			if time.Sleep(time.Minute); p.Device(me.Player).Offline == 0 {
				t.Error("nobody is told that it has gone")
			}
		})
	})
}

func TestDevices(t *testing.T) {
	me := presentSeat
	t.Run("a battery is told while it is low and not charging", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p, woken := presence(t)
			for _, step := range []struct {
				charge   int
				charging bool
				want     int
				woken    int32
			}{{60, false, 0, 0}, {20, false, 0, 0}, {19, false, 19, 1}, {19, false, 19, 1}, {18, true, 0, 2},
				{0, false, 1, 3}, {-1, false, 0, 4}} {
				p.Reported(me, DeviceReport{Charge: step.charge, Charging: step.charging})
				if got := p.Device(me.Player).Charge; got != step.want || woken.Load() != step.woken {
					t.Errorf("%+v: got %d, woken %d times", step, got, woken.Load())
				}
			}
			time.Sleep(time.Minute)
		})
	})
	t.Run("the newest page plays, and the first that asks after a start", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p, woken := presence(t)
			if p.Elsewhere(me, "a") || !p.Claim(me, "a") || p.Claim(me, "b") || !p.Elsewhere(me, "b") {
				t.Error("the first that asks does not play alone")
			}
			p.Take(me, "c")
			if p.Claim(me, "a") || !p.Claim(me, "c") || !p.Elsewhere(me, "a") || p.Elsewhere(me, "c") ||
				woken.Load() != 1 {
				t.Errorf("the newest does not play alone, or the others are not woken (%d)", woken.Load())
			}
		})
	})
	t.Run("what a page sent before it was closed does not take the seat again", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p, _ := presence(t)
			p.Take(me, "a")
			p.Take(me, "b")
			p.Leave(me, "b")
			p.Claim(me, "b")
			if p.Elsewhere(me, "a") || !p.Claim(me, "a") || p.Claim(me, "b") {
				t.Error("the page that is still open does not play")
			}
		})
	})
}
