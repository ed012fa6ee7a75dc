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

// offlineAfter is how long a seat must be silent before the referee is notified. A tablet sends a report every 3 s.
const offlineAfter = 8 * time.Second

// LowCharge is the battery charge, in percent, below which the referee is notified.
const LowCharge = 20

// gapLeast is the shortest silence of a tablet that is stored as evidence.
const gapLeast = 4500 * time.Millisecond

// presencesMost limits the number of seats in memory, about 500 bytes each.
const presencesMost = 100_000

// Presence records the devices at the seats: which page plays a seat, when the seat was last heard from, and its
// battery. It is only in memory and may be lost at any time: it affects only what people see, and which of two pages of
// a seat may send.
type Presence struct {
	// Share, if set, receives news for the other nodes. It must be set before the first report and must not block.
	Share func(SeatNews)

	now  func() time.Time
	wake func(...Topic)
	keep Keep

	mu    sync.Mutex
	seats map[int64]*seatPresence // by player
	deaf  bool                    // news from other nodes does not arrive
	sure  time.Time               // when silence becomes reliable again
}

// Keep stores an event of a seat's device as evidence; kind and data are those of package game. It must not block.
type Keep func(me rights.Actor, kind string, at engine.Millis, data any)

type seatPresence struct {
	me           rights.Actor
	taken        string    // last page notified that another one plays the seat
	holder       string    // the page that plays the seat; "": the first to ask gets it
	since        time.Time // when it got the seat
	left         bool      // that page was closed: another open page may take over
	heard        time.Time
	told         time.Time // when the other nodes were last notified
	streams      int       // streams of programs, which send nothing while they listen
	charge       int       // percent; -1: unknown
	low          bool
	report       DeviceReport // its last report
	table        int64
	tournamentID int64
	silence      *time.Timer
}

// DeviceState is the displayed state of a seat's device. Offline is the time since which the device has been silent, or
// 0 if it is online or was never heard from. Charge is the battery charge in percent if it is low, otherwise 0. Page
// reports whether the seat has been played from a page; it is false if only API clients have played it.
type DeviceState struct {
	Offline engine.Millis
	Charge  int
	Page    bool
}

// NewPresence returns an empty Presence. It calls wake with the topics whose viewers must look again.
func NewPresence(now func() time.Time, wake func(...Topic), keep Keep) *Presence {
	return &Presence{now: now, wake: wake, keep: keep, seats: map[int64]*seatPresence{}}
}

// NewTab returns a name for a page opened to play a seat.
func NewTab() string {
	name := make([]byte, 8)
	rand.Read(name)
	return hex.EncodeToString(name)
}

// of returns a player's seat, and adds it if necessary. The caller must hold p.mu.
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

// tell wakes the viewers of the seat's table.
func (p *Presence) tell(seat *seatPresence) {
	p.mu.Lock()
	table, tournamentID := seat.table, seat.tournamentID
	p.mu.Unlock()
	p.wake(TableTopic(table), TournamentTopic(tournamentID))
}

// fellSilent runs when a seat may have been silent for too long.
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

// offline reports whether the seat has been silent for too long. The caller must hold p.mu.
func (p *Presence) offline(s *seatPresence, now time.Time) bool {
	return !p.unsure(now) && s.streams == 0 && !s.heard.IsZero() && now.Sub(s.heard) >= offlineAfter
}

// Heard records a request from the seat.
func (p *Presence) Heard(me rights.Actor) {
	p.note(me, 0, nil)
	p.shareHeard(me)
}

// Listens records that a program starts (1) or stops (-1) listening for the seat.
func (p *Presence) Listens(me rights.Actor, change int) { p.note(me, change, nil) }

// charged records the charge of the seat's device, in percent; -1 if unknown. here reports whether the device sent it
// to this node.
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
	gap := news || !p.unsure(now) && seat.holder != "" && seat.streams == 0 && !before.IsZero() &&
		now.Sub(before) >= gapLeast
	seat.me, seat.heard, seat.table, seat.tournamentID = me, now, me.Table, me.Tournament
	seat.streams += streams
	if seat.streams > 0 { // present, even if it sends nothing
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

// Take gives the seat to a newly opened page. The newest page plays, and the others are notified.
func (p *Presence) Take(me rights.Actor, tab string) {
	now := p.now()
	if p.take(me, tab, now) && me.Table != 0 {
		p.keep(me, game.EvidenceOpened, engine.MillisOf(now), nil)
	}
	p.share(SeatNews{Me: me, Took: tab, Since: now})
}

// take gives the seat to a page and reports whether another page had it.
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

// Claim reports whether a page may play the seat. The first page that asks after the server starts may. A request that
// a page sent before it was closed may arrive after the notice of its closing; it does not take the seat again.
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

// Leave records that a page was closed. If it played the seat, an earlier page may play again and is notified.
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

// Elsewhere reports whether another page plays the seat. It stores evidence when it reports this to a different page
// than last time.
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

// DeviceReport is a device's report about itself, apart from the warning of a low battery. Delay is the round-trip time
// of its last request in ms, and Charge is the battery's charge in percent; -1: unknown. Build is the address of the
// assets of its page.
type DeviceReport struct {
	Agent    string
	Build    string
	Delay    int
	Charge   int
	Charging bool
}

// Reported stores a device's report.
func (p *Presence) Reported(me rights.Actor, r DeviceReport) {
	p.reported(me, r, true)
	p.share(SeatNews{Me: me, Report: &r})
}

// reported stores a report. If here is set, the device sent it to this node, which then stores the evidence.
func (p *Presence) reported(me rights.Actor, r DeviceReport, here bool) {
	p.mu.Lock()
	p.of(me).report = r
	p.mu.Unlock()
	p.charged(me, r.Charge, r.Charging, here)
}

// SeenDevice is everything recorded about a seat's device: its last report, when it was last heard from (0 for never),
// and whether it is online.
type SeenDevice struct {
	DeviceReport
	Heard engine.Millis
	Here  bool
}

// Seen returns what is known about a player's device.
func (p *Presence) Seen(player int64) SeenDevice {
	p.mu.Lock()
	defer p.mu.Unlock()
	seat := p.seats[player]
	if seat == nil || seat.heard.IsZero() {
		return SeenDevice{DeviceReport: DeviceReport{Delay: -1, Charge: -1}}
	}
	d := SeenDevice{DeviceReport: seat.report, Heard: engine.MillisOf(seat.heard), Here: !p.offline(seat, p.now())}
	if d.Agent == "" { // it sent no report
		d.Delay, d.Charge = -1, -1
	}
	return d
}

// ForgetDevice discards the reports of a seat's device, because another device replaces it.
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

// Device returns the state of a player's device.
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
