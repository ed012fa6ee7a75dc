package live

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
)

// twoNodes returns the presences of two nodes that hear each other while joined is true. kept returns how much evidence
// a node stored, by its name and the kind.
func twoNodes() (a, b *Presence, kept func(string) int, joined *bool) {
	joined = new(bool)
	count := map[string]int{}
	*joined = true
	var mu sync.Mutex
	one := func(name string) *Presence {
		return NewPresence(time.Now, func(...Topic) {}, func(_ rights.Actor, kind string, _ engine.Millis, _ any) {
			mu.Lock()
			defer mu.Unlock()
			count[name+" "+kind]++
		})
	}
	kept = func(what string) int {
		mu.Lock()
		defer mu.Unlock()
		return count[what]
	}
	a, b = one("a"), one("b")
	a.Share = func(n SeatNews) {
		if *joined {
			b.HeardElsewhere(n)
		}
	}
	b.Share = func(n SeatNews) {
		if *joined {
			a.HeardElsewhere(n)
		}
	}
	return a, b, kept, joined
}

var atSeat = rights.Actor{Role: rights.RolePlayer, Tournament: 1, Player: 7, Table: 3, Seat: 1}

// TestNobodyIsSilentToADeafNode checks that while nodes do not hear each other, no device counts as silent or as back,
// because another node may hear it.
func TestNobodyIsSilentToADeafNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, kept, joined := twoNodes()
		a.Take(atSeat, "tab")
		a.Heard(atSeat)
		*joined = false
		a.Hears(false)
		b.Hears(false)
		for range 20 {
			a.Heard(atSeat)
			time.Sleep(3 * time.Second)
		}
		if off := b.Device(atSeat.Player).Offline; off != 0 || !b.Seen(atSeat.Player).Here {
			t.Errorf("a device that another node hears is silent since %d", off)
		}
		*joined = true
		a.Hears(true)
		b.Hears(true)
		a.Heard(atSeat)
		synctest.Wait()
		if n := kept("b "+game.EvidenceOffline) + kept("b "+game.EvidenceBack); n != 0 {
			t.Errorf("%d times evidence is kept of a silence that was none", n)
		}
		time.Sleep(30 * time.Second) // now it is silent
		synctest.Wait()
		if kept("b "+game.EvidenceOffline) != 1 || b.Device(atSeat.Player).Offline == 0 {
			t.Errorf("of a device that is silent for everybody it keeps %d notes", kept("b "+game.EvidenceOffline))
		}
	})
}

// TestEvidenceIsOfTheNodeThatHears checks that only the node that received a device's report stores it as evidence,
// once.
func TestEvidenceIsOfTheNodeThatHears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, kept, joined := twoNodes()
		a.Take(atSeat, "old")
		*joined = false
		a.Reported(atSeat, DeviceReport{Agent: "tablet", Charge: 10})
		*joined = true
		b.Take(atSeat, "new")
		if kept("a "+game.EvidenceBattery) != 1 || kept("b "+game.EvidenceOpened) != 1 ||
			kept("a "+game.EvidenceOpened) != 0 || kept("b "+game.EvidenceBattery) != 0 {
			t.Error("what a device says is kept elsewhere, or twice")
		}
	})
}

// TestOnePagePlaysASeat checks that nodes that missed news about a seat agree after the next news: the page that got
// the seat last plays.
func TestOnePagePlaysASeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, _, joined := twoNodes()
		a.Take(atSeat, "old")
		time.Sleep(time.Second)
		*joined = false
		b.Take(atSeat, "new")
		*joined = true
		time.Sleep(tellEvery)
		a.Heard(atSeat)
		b.Heard(atSeat)
		for name, p := range map[string]*Presence{"a": a, "b": b} {
			if !p.Claim(atSeat, "new") || p.Claim(atSeat, "old") {
				t.Errorf("at %s the page that was opened last does not play", name)
			}
		}
		time.Sleep(time.Second)
		c, d, _, _ := twoNodes()
		c.Claim(atSeat, "first")
		if d.Claim(atSeat, "second") {
			t.Error("the first page that asked at one node is not known at another")
		}
	})
}
