package live

import (
	"context"
	"time"

	"meldhall/tournament/rights"
)

// SeatNews is what one node has heard of a seat, for the others: its page was opened, or closed, it has said something of itself, or it is
// there and nothing more.
type SeatNews struct {
	Me         rights.Actor
	Took, Left string        `json:",omitempty"` // a page
	Holder     string        `json:",omitempty"` // the page that plays it
	Since      time.Time     `json:",omitzero"`  // when that was given it
	Report     *DeviceReport `json:",omitempty"`
}

// tellEvery is how often the other nodes are told at most that a seat is there.
const tellEvery = 2 * time.Second

// HeardElsewhere is told of what another node has heard.
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

// holds notes which page plays a seat at another node. Where that is another one than here, the one that was given it last does.
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

// sureAfter is how long after the other nodes are heard again it is known who is silent.
const sureAfter = 10 * time.Second

// Hears notes whether what other nodes hear reaches this one. While it does not, and a moment after, nobody is taken for silent who may be
// heard elsewhere.
func (p *Presence) Hears(yes bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.deaf && yes {
		p.sure = p.now().Add(sureAfter)
	}
	p.deaf = !yes
}

// unsure tells whether it is not known who is silent; p.mu is held.
func (p *Presence) unsure(now time.Time) bool { return p.deaf || now.Before(p.sure) }

// share tells the other nodes.
func (p *Presence) share(n SeatNews) {
	if p.Share != nil {
		n.Me = rights.Actor{Role: n.Me.Role, Tournament: n.Me.Tournament, Player: n.Me.Player, Table: n.Me.Table, Seat: n.Me.Seat, Practice: n.Me.Practice}
		p.Share(n)
	}
}

// shareHeard is share for a seat that is there, now and then.
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

// ShareListeners tells the other nodes, until ctx ends, of the programs that listen here and say nothing.
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

// AttentionNews is that an official has the sheet of a table open at one node, or has closed it.
type AttentionNews struct {
	Event, Table int64
	Who          rights.Actor
	Left         bool `json:",omitempty"`
}

// HeardElsewhere is told of what another node has heard.
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
