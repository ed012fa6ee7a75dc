package live

import (
	"crypto/rand"
	"encoding/hex"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
)

// offlineAfter is how long a seat is silent before the referee is told. A tablet says every 3 s that it is there.
const offlineAfter = 8 * time.Second

// LowCharge is the battery's charge, in percent, below which the referee is told.
const LowCharge = 20

// gapLeast is the shortest silence of a tablet that is kept as evidence.
const gapLeast = 4500 * time.Millisecond

// presencesMost bounds the memory, some 500 bytes each.
const presencesMost = 100_000

// Presence knows, since the program began, the devices at the seats: which page of a seat plays it, when the seat
// was last heard, and how its battery is. Nothing depends on it but what people are told and which of two pages of
// one seat may send, so that it may all be lost.
type Presence struct {
	// Share, if set, is told of what other nodes are to know; to be set before anything is heard. It must not block.
	Share func(SeatNews)

	now  func() time.Time
	wake func(...Topic)
	keep Keep

	mu    sync.Mutex
	seats map[int64]*seatPresence // by player
	deaf  bool                    // what other nodes hear does not reach this one
	sure  time.Time               // from when on it knows again who is silent
}

// Keep keeps what became of a seat's device, as evidence: kind and data are the tournament's. It must not block.
type Keep func(me rights.Actor, kind string, at engine.Millis, data any)

type seatPresence struct {
	me      rights.Actor
	taken   string    // the page that was told last that another one plays the seat
	holder  string    // the page that plays the seat; "": the first that asks
	since   time.Time // when it was given the seat
	left    bool      // that page was closed: another one that is still open may take over
	heard   time.Time
	told    time.Time // when the other nodes were told so
	streams int       // of programs, which say nothing while they listen
	charge  int       // percent; -1: not known
	low     bool
	report  DeviceReport // what it said of itself last
	table   int64
	event   int64
	silence *time.Timer
}

// DeviceState is what is shown of a seat's device. Offline is since when it was not heard, 0 while it is, or where
// it never was; Charge is a battery's that is low, 0 for others. Page: a page has played the seat, not only a program.
type DeviceState struct {
	Offline engine.Millis
	Charge  int
	Page    bool
}

// NewPresence makes one that has heard from nobody yet; wake is called with those who are to look again.
func NewPresence(now func() time.Time, wake func(...Topic), keep Keep) *Presence {
	return &Presence{now: now, wake: wake, keep: keep, seats: map[int64]*seatPresence{}}
}

// NewTab names a page that is opened to play a seat.
func NewTab() string {
	name := make([]byte, 8)
	rand.Read(name)
	return hex.EncodeToString(name)
}

// of gives a player's seat; p.mu is held.
func (p *Presence) of(me rights.Actor) *seatPresence {
	seat := p.seats[me.Player]
	if seat == nil {
		if len(p.seats) >= presencesMost {
			for _, old := range p.seats {
				old.silence.Stop()
			}
			clear(p.seats)
		}
		seat = &seatPresence{charge: -1}
		seat.silence = time.AfterFunc(time.Hour, func() { p.fellSilent(seat) })
		seat.silence.Stop()
		p.seats[me.Player] = seat
	}
	return seat
}

// tell wakes who looks at the seat's table.
func (p *Presence) tell(seat *seatPresence) {
	p.mu.Lock()
	table, event := seat.table, seat.event
	p.mu.Unlock()
	p.wake(TableTopic(table), TournamentTopic(event))
}

// fellSilent is called when a seat may have been silent for too long.
func (p *Presence) fellSilent(seat *seatPresence) {
	p.mu.Lock()
	now, me, since := p.now(), seat.me, seat.heard
	offline := p.offline(seat, now)
	if p.unsure(now) {
		seat.silence.Reset(offlineAfter)
	}
	p.mu.Unlock()
	if offline {
		p.keep(me, game.EvidenceOffline, engine.MillisOf(now), game.Gap{Since: engine.MillisOf(since)})
		p.tell(seat)
	}
}

// offline tells whether the seat was silent for too long; p.mu is held.
func (p *Presence) offline(s *seatPresence, now time.Time) bool {
	return !p.unsure(now) && s.streams == 0 && !s.heard.IsZero() && now.Sub(s.heard) >= offlineAfter
}

// Heard notes that somebody at the seat has just asked for something.
func (p *Presence) Heard(me rights.Actor) {
	p.note(me, 0, nil)
	p.shareHeard(me)
}

// Listens notes that a program begins (1) or ends (-1) to listen for the seat.
func (p *Presence) Listens(me rights.Actor, change int) { p.note(me, change, nil) }

// charged notes the charge of the seat's device, in percent, -1 where it is not known.
func (p *Presence) charged(me rights.Actor, charge int, charging, here bool) {
	p.note(me, 0, func(seat *seatPresence) (news bool) {
		low := charge >= 0 && charge < LowCharge && !charging
		news = low != seat.low || low && charge != seat.charge
		seat.low, seat.charge = low, charge
		if news && here {
			p.keep(me, game.EvidenceBattery, engine.MillisOf(p.now()), game.Battery{Charge: charge, Low: low})
		}
		return news
	})
}

func (p *Presence) note(me rights.Actor, streams int, change func(*seatPresence) (news bool)) {
	now := p.now()
	p.mu.Lock()
	seat := p.of(me)
	news := p.offline(seat, now)
	before := seat.heard
	gap := news || !p.unsure(now) && seat.holder != "" && seat.streams == 0 && !before.IsZero() && now.Sub(before) >= gapLeast
	seat.me, seat.heard, seat.table, seat.event = me, now, me.Table, me.Tournament
	seat.streams += streams
	if seat.streams > 0 { // it is there, whatever it says
		seat.silence.Stop()
	} else {
		seat.silence.Reset(offlineAfter + 100*time.Millisecond)
	}
	if change != nil && change(seat) {
		news = true
	}
	p.mu.Unlock()
	if gap {
		p.keep(me, game.EvidenceBack, engine.MillisOf(now), game.Gap{Since: engine.MillisOf(before)})
	}
	if news {
		p.tell(seat)
	}
}

// Take gives the seat to a page that is opened: the newest plays, and the others are told.
func (p *Presence) Take(me rights.Actor, tab string) {
	now := p.now()
	if p.take(me, tab, now) && me.Table != 0 {
		p.keep(me, game.EvidenceOpened, engine.MillisOf(now), nil)
	}
	p.share(SeatNews{Me: me, Took: tab, Since: now})
}

// take tells whether another page had the seat.
func (p *Presence) take(me rights.Actor, tab string, since time.Time) bool {
	p.mu.Lock()
	seat := p.of(me)
	before := seat.holder
	seat.holder, seat.since, seat.left = tab, since, false
	p.mu.Unlock()
	if before != "" && me.Table != 0 {
		p.wake(TableTopic(me.Table))
	}
	return before != ""
}

// Claim tells whether a page may play the seat. The first one that asks after the program began may. What a page that was closed
// had sent before may come after the word that it is gone, and does not take the seat again.
func (p *Presence) Claim(me rights.Actor, tab string) bool {
	now := p.now()
	p.mu.Lock()
	seat := p.of(me)
	given := seat.holder == "" || seat.left && seat.holder != tab
	if given {
		seat.holder, seat.since, seat.left = tab, now, false
	}
	may := seat.holder == tab
	p.mu.Unlock()
	if given {
		p.share(SeatNews{Me: me, Holder: tab, Since: now})
	}
	return may
}

// Leave notes that a page is closed. Where it played the seat, one that did before may again, and is told.
func (p *Presence) Leave(me rights.Actor, tab string) {
	p.leave(me, tab)
	p.share(SeatNews{Me: me, Left: tab})
}

func (p *Presence) leave(me rights.Actor, tab string) {
	p.mu.Lock()
	seat := p.of(me)
	left := tab != "" && seat.holder == tab
	seat.left = seat.left || left
	p.mu.Unlock()
	if left && me.Table != 0 {
		p.wake(TableTopic(me.Table))
	}
}

// Elsewhere tells whether another page plays the seat.
func (p *Presence) Elsewhere(me rights.Actor, tab string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	seat := p.seats[me.Player]
	is := seat != nil && tab != "" && seat.holder != "" && seat.holder != tab && !seat.left
	if is && seat.taken != tab {
		seat.taken = tab
		p.keep(me, game.EvidenceTaken, engine.MillisOf(p.now()), nil)
	}
	return is
}

// DeviceReport is what a device says of itself besides its battery's low charge. Delay is how long its last question took
// to be answered, in ms, Charge the battery's in percent; -1: not known. Build is the address of the assets that its page
// was made with.
type DeviceReport struct {
	Agent    string
	Build    string
	Delay    int
	Charge   int
	Charging bool
}

// Reported keeps what a device says of itself.
func (p *Presence) Reported(me rights.Actor, r DeviceReport) {
	p.reported(me, r, true)
	p.share(SeatNews{Me: me, Report: &r})
}

// reported keeps it, here where the device said so to this node: that one keeps the evidence.
func (p *Presence) reported(me rights.Actor, r DeviceReport, here bool) {
	p.mu.Lock()
	p.of(me).report = r
	p.mu.Unlock()
	p.charged(me, r.Charge, r.Charging, here)
}

// SeenDevice is all that is known of a seat's device: when it was heard last, 0 for never, and whether it is there.
type SeenDevice struct {
	DeviceReport
	Heard engine.Millis
	Here  bool
}

func (p *Presence) Seen(player int64) SeenDevice {
	p.mu.Lock()
	defer p.mu.Unlock()
	seat := p.seats[player]
	if seat == nil || seat.heard.IsZero() {
		return SeenDevice{DeviceReport: DeviceReport{Delay: -1, Charge: -1}}
	}
	d := SeenDevice{DeviceReport: seat.report, Heard: engine.MillisOf(seat.heard), Here: !p.offline(seat, p.now())}
	if d.Agent == "" { // it has said nothing of itself
		d.Delay, d.Charge = -1, -1
	}
	return d
}

// ForgetDevice forgets what the device said that had a seat: another one takes its place.
func (p *Presence) ForgetDevice(player int64) {
	p.mu.Lock()
	seat := p.seats[player]
	if seat != nil {
		seat.report, seat.heard, seat.charge, seat.low, seat.holder = DeviceReport{}, time.Time{}, -1, false, ""
	}
	p.mu.Unlock()
	if seat != nil {
		p.tell(seat)
	}
}

// Device is what is known of a player's device.
func (p *Presence) Device(player int64) DeviceState {
	p.mu.Lock()
	defer p.mu.Unlock()
	seat := p.seats[player]
	if seat == nil {
		return DeviceState{}
	}
	d := DeviceState{Page: seat.holder != ""}
	if seat.low {
		d.Charge = max(1, seat.charge)
	}
	if p.offline(seat, p.now()) {
		d.Offline = engine.MillisOf(seat.heard)
	}
	return d
}
