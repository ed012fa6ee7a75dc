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
	Report     *DeviceReport `json:",omitempty"`
}

// tellEvery is how often the other nodes are told at most that a seat is there.
const tellEvery = 2 * time.Second

// HeardElsewhere is told of what another node has heard.
func (p *Presence) HeardElsewhere(n SeatNews) {
	switch {
	case n.Took != "":
		p.take(n.Me, n.Took)
	case n.Left != "":
		p.leave(n.Me, n.Left)
	case n.Report != nil:
		p.reported(n.Me, *n.Report)
	default:
		p.note(n.Me, 0, nil)
	}
}

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
	if due {
		seat.told = now
	}
	p.mu.Unlock()
	if due {
		p.share(SeatNews{Me: me})
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
