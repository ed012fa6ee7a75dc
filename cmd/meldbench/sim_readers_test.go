package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/web/live"
)

// simReader is somebody who watches a table: the server wakes its stream, which sends the newest state over a network that
// delays, doubles, reorders and is cut. As the pages do, it takes nothing that is older than what it has.
type simReader struct {
	sim   *simulation
	table int64
	lossy bool

	mu    sync.Mutex
	has   *game.Snapshot
	on    *simProcess // to which it is connected
	cut   chan struct{}
	times int // connected so often: what is on the way of an older connection does not arrive
}

// shown is what the reader sees; nil: nothing yet.
func (r *simReader) shown() *game.Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.has
}

// connect begins a stream.
func (r *simReader) connect() {
	p := r.sim.server
	if p == nil || p.dead.Load() {
		return // it is connected again when there is a server
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.on == p {
		return
	}
	r.on, r.cut = p, make(chan struct{})
	r.times++
	times, cut := r.times, r.cut
	w := p.hub.Watch(append(live.Topics(r.sim.event, door.TopicSeats), live.TableTopic(r.table))...)
	go func() {
		defer w.Stop()
		for sent := (simMoment{}); ; {
			time.Sleep(simDraws) // by then all that happened at this moment has
			sent = r.push(p, times, sent)
			select {
			case <-w.Woken():
			case <-cut:
				return
			case <-p.hub.Closed():
				return
			}
		}
	}()
}

// lose cuts the stream; the reader comes back by itself.
func (r *simReader) lose() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.on != nil && r.cut != nil {
		close(r.cut)
		r.on, r.cut = nil, nil
		r.times++
		r.sim.later(time.Second+r.sim.soon(4000), r.connect)
	}
}

// leave has nothing arrive any more.
func (r *simReader) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.times++
}

// push reads what the table shows, and sends it unless it was sent already.
func (r *simReader) push(p *simProcess, times int, sent simMoment) simMoment {
	at, err := game.CurrentAtTable(r.sim.ctx, p.store, r.table)
	if err != nil {
		return sent // its games are not there yet
	}
	snap, err := p.games.Look(r.sim.ctx, at.Game)
	if p.dead.Load() {
		return sent
	}
	if err != nil {
		r.sim.broken("look: %v", err)
		return sent
	}
	now := simMoment{snap.Ref.ID, snap.State.Seq}
	if now == sent {
		return sent
	}
	r.sim.tell(snap)
	if !r.lossy {
		r.take(snap, times)
		return now
	}
	way := rand.New(rand.NewPCG(r.sim.seed, uint64(now.game)<<32|uint64(now.seq)))
	for range 1 + way.IntN(8)/7 {
		time.AfterFunc(time.Duration(way.IntN(900_000)+1)*time.Microsecond, func() { r.take(snap, times) })
	}
	return now
}

// take is what arrives.
func (r *simReader) take(snap *game.Snapshot, times int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if times != r.times || r.has != nil && (snap.Ref.ID < r.has.Ref.ID || snap.Ref.ID == r.has.Ref.ID && snap.State.Seq <= r.has.State.Seq) {
		return
	}
	r.has = snap
}

// simMoment is a state of a game, by how many events it has.
type simMoment struct {
	game int64
	seq  int
}

// tell notes that somebody was told a state: nobody may ever be told another one for it.
func (s *simulation) tell(snap *game.Snapshot) {
	if snap == nil {
		return
	}
	at, sum := simMoment{snap.Ref.ID, snap.State.Seq}, simSum(snap.State)
	s.telling.Lock()
	was, known := s.told[at]
	s.told[at] = sum
	s.trace = append(s.trace, fmt.Sprint(time.Now().Format("04:05.000000 "), at))
	s.telling.Unlock()
	if known && was != sum {
		s.broken("game %d was told in two ways at seq %d", at.game, at.seq)
	}
}

// states is how many states somebody was told.
func (s *simulation) states() int {
	s.telling.Lock()
	defer s.telling.Unlock()
	return len(s.told)
}

// simSum is a state as short as can be compared. Lists without anything are the same, however they were made.
func simSum(state engine.State) [32]byte {
	text, err := json.Marshal(state)
	if err != nil {
		panic(err) // plain values
	}
	return sha256.Sum256([]byte(strings.ReplaceAll(string(text), "null", "[]")))
}
