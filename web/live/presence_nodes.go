package live

import (
	"context"
	"time"

	"meldhall/tournament/rights"
)

// SeatNews is one node's news about a seat for the others: a page was opened or closed, a device sent a report, or the
// seat was heard from.
type SeatNews struct {
	Me         rights.Actor
	Took, Left string        `json:",omitempty"` // pages
	Holder     string        `json:",omitempty"` // the page that plays the seat
	Since      time.Time     `json:",omitzero"`  // when that page got the seat
	Report     *DeviceReport `json:",omitempty"`
}

// tellEvery is the shortest time between two notices to the other nodes that a seat is present.
const tellEvery = 2 * time.Second

// HeardElsewhere handles news from another node.
func (p *Presence) HeardElsewhere(n SeatNews) {
	switch {
	case n.Took != "":
		p.take(n.Me, n.Took, n.Since)
	case n.Left != "":
		p.leave(n.Me, n.Left)
	case n.Report != nil:
		p.reported(n.Me, *n.Report, false)
	default:
		p.note(n.Me, 0, nil)
		p.holds(n.Me, n.Holder, n.Since)
	}
}

// holds records which page plays a seat at another node. If the nodes differ, the page that got the seat last plays.
func (p *Presence) holds(me rights.Actor, tab string, since time.Time) {
	if tab == "" {
		return
	}
	p.mu.Lock()
	seat := p.of(me)
	changed := seat.holder != tab && since.After(seat.since)
	if changed {
		seat.holder, seat.since, seat.left = tab, since, false
	}
	p.mu.Unlock()
	if changed && me.Table != 0 {
		p.wake(TableTopic(me.Table))
	}
}

// sureAfter is how long silence stays unreliable after news from the other nodes arrives again.
const sureAfter = 10 * time.Second

// Hears records whether news from other nodes arrives. While it does not, and for sureAfter afterwards, no seat counts
// as silent, because another node may hear it.
func (p *Presence) Hears(yes bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.deaf && yes {
		p.sure = p.now().Add(sureAfter)
	}
	p.deaf = !yes
}

// unsure reports whether silence is unreliable now. The caller must hold p.mu.
func (p *Presence) unsure(now time.Time) bool { return p.deaf || now.Before(p.sure) }

// share sends news to the other nodes.
func (p *Presence) share(n SeatNews) {
	if p.Share != nil {
		n.Me = rights.Actor{Role: n.Me.Role, Tournament: n.Me.Tournament, Player: n.Me.Player, Table: n.Me.Table,
			Seat: n.Me.Seat, Practice: n.Me.Practice}
		p.Share(n)
	}
}

// shareHeard shares that a seat is present, at most once every tellEvery.
func (p *Presence) shareHeard(me rights.Actor) {
	if p.Share == nil {
		return
	}
	now := p.now()
	p.mu.Lock()
	seat := p.of(me)
	due := now.Sub(seat.told) >= tellEvery
	news := SeatNews{Me: me}
	if due {
		seat.told = now
		if !seat.left {
			news.Holder, news.Since = seat.holder, seat.since
		}
	}
	p.mu.Unlock()
	if due {
		p.share(news)
	}
}

// ShareListeners notifies the other nodes, until ctx ends, of programs that listen here without sending anything.
func (p *Presence) ShareListeners(ctx context.Context) {
	tick := time.NewTicker(tellEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var listen []rights.Actor
		p.mu.Lock()
		for _, seat := range p.seats {
			if seat.streams > 0 {
				listen = append(listen, seat.me)
			}
		}
		p.mu.Unlock()
		for _, me := range listen {
			p.shareHeard(me)
		}
	}
}

// AttentionNews is the news that an official has a table's sheet open at one node, or closed it.
type AttentionNews struct {
	Event, Table int64
	Who          rights.Actor
	Left         bool `json:",omitempty"`
}

// HeardElsewhere handles news from another node.
func (a *Attention) HeardElsewhere(n AttentionNews) {
	if n.Left {
		a.leaves(n.Event, n.Table, n.Who)
		return
	}
	a.looks(n.Event, n.Table, n.Who)
}

func (a *Attention) share(n AttentionNews) {
	if a.Share != nil {
		n.Who = rights.Actor{Account: n.Who.Account, Name: n.Who.Name, Role: n.Who.Role, Seat: n.Who.Seat}
		a.Share(n)
	}
}
