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
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/web/live"
)

// simReader is a viewer of a table. The server wakes its stream, which sends the newest state over a network that
// delays, duplicates, reorders and disconnects. Like the pages, it ignores states older than the one it has.
type simReader struct {
	sim   *simulation
	table int64
	lossy bool

	mu    sync.Mutex
	has   *game.Snapshot
	on    *simProcess // the process that it is connected to
	cut   chan struct{}
	times int // connection count; messages of older connections are dropped
}

// shown returns the state that the reader has, or nil.
func (r *simReader) shown() *game.Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.has
}

// connect opens a stream.
func (r *simReader) connect() {
	p := r.sim.server
	if p == nil || p.dead.Load() {
		return // start reconnects it
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.on == p {
		return
	}
	r.on, r.cut = p, make(chan struct{})
	r.times++
	times, cut := r.times, r.cut
	w := p.hub.Watch(append(live.Topics(r.sim.tournamentID, action.TopicSeats), live.TableTopic(r.table))...)
	go func() {
		defer w.Stop()
		for sent := (simMoment{}); ; {
			time.Sleep(simDraws) // let everything else due now happen first
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

// lose cuts the stream; the reader reconnects later.
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

// leave drops everything that is still in transit.
func (r *simReader) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.times++
}

// push reads the table's state, and sends it unless it was already sent.
func (r *simReader) push(p *simProcess, times int, sent simMoment) simMoment {
	at, err := game.CurrentAtTable(r.sim.ctx, p.store, r.table)
	if err != nil {
		return sent // the table has no game yet
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

// take receives a state.
func (r *simReader) take(snap *game.Snapshot, times int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if times != r.times || r.has != nil && (snap.Ref.ID < r.has.Ref.ID || snap.Ref.ID == r.has.Ref.ID &&
		snap.State.Seq <= r.has.State.Seq) {
		return
	}
	r.has = snap
}

// simMoment identifies a state of a game by its number of events.
type simMoment struct {
	game int64
	seq  int
}

// tell records that a state was sent. A different state with the same seq is an error.
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

// states returns how many states have been sent.
func (s *simulation) states() int {
	s.telling.Lock()
	defer s.telling.Unlock()
	return len(s.told)
}

// simSum returns a hash of a state. Nil and empty lists hash alike.
func simSum(state engine.State) [32]byte {
	text, err := json.Marshal(state)
	if err != nil {
		panic(err) // cannot happen: plain values
	}
	return sha256.Sum256([]byte(strings.ReplaceAll(string(text), "null", "[]")))
}
