package main

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"time"

	"meldhall/cmd/internal/cputime"
	"meldhall/cmd/internal/randomrulings"
	"meldhall/engine"
	"meldhall/engine/audit"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// rulingsCmd is the command meldbench rulings.
type rulingsCmd struct {
	Games int    `help:"Number of games." default:"100000"`
	Seed  uint64 `help:"The seed of the first game." default:"1"`
	Shown int    `help:"Maximum number of differences to print." default:"10"`
}

// Run plays games with random rulings, and checks each log with the engine and with the independent package audit.
func (c rulingsCmd) Run() error { return c.report(os.Stdout) }

// ruledGames are the results of games with random rulings.
type ruledGames struct {
	games, events int
	kinds         map[string]int // number of ruling events, by kind
	ends          map[string]int // by cause; "" for a game that was not played to its end
	faults        []string
}

func (c rulingsCmd) report(out io.Writer) error {
	rules, err := rulesOfPresets()
	if err != nil {
		return err
	}
	began := cputime.Process()
	got := c.play(rules)
	if err := sampled("rulings: events", got.events); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d games, %d events, %d differences; %.1f s of processor\n", got.games, got.events,
		len(got.faults), (cputime.Process() - began).Seconds())
	for _, list := range []map[string]int{got.kinds, got.ends} {
		fmt.Fprintln(out)
		for _, name := range slices.Sorted(maps.Keys(list)) {
			fmt.Fprintf(out, "%9d %s\n", list[name], name)
		}
	}
	for _, fault := range got.faults[:min(len(got.faults), c.Shown)] {
		fmt.Fprintln(out, fault)
	}
	if len(got.faults) > 0 {
		return fmt.Errorf("rulings: %d differences", len(got.faults))
	}
	return nil
}

// play plays all games, two at a time.
func (c rulingsCmd) play(rules []ruleset.Ruleset) ruledGames {
	all := ruledGames{kinds: map[string]int{}, ends: map[string]int{}}
	var mu sync.Mutex
	var workers sync.WaitGroup
	for worker := range 2 {
		workers.Go(func() {
			for n := worker; n < c.Games; n += 2 {
				seed := c.Seed + uint64(n)
				g := playRuled(seed, rules)
				err := audit.Log(g.log)
				if err == nil {
					_, err = engine.Recheck(g.log)
				}
				mu.Lock()
				all.add(seed, g, err)
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	return all
}

func (r *ruledGames) add(seed uint64, g *ruledGame, err error) {
	r.games++
	r.events += len(g.log)
	for _, e := range g.log {
		if kind := engine.RulingOf(e).Kind; kind != "" {
			r.kinds[kind]++
		}
	}
	why := g.state.Ending
	if g.state.End != nil {
		why = g.state.End.Why
	}
	r.ends["ended "+why]++
	if err != nil {
		r.faults = append(r.faults, fmt.Sprintf("seed %d: %v", seed, err))
	}
}

// ruledGame is a game with random rulings.
type ruledGame struct {
	randomrulings.Official
	state  engine.State
	log    []engine.Event
	starts map[int]engine.State
	at     engine.Millis
}

// playRuled plays a short game determined by seed.
func playRuled(seed uint64, rules []ruleset.Ruleset) *ruledGame {
	g := &ruledGame{Official: randomrulings.Official{Rand: rand.New(rand.NewPCG(seed, 20)), Clock: true},
		starts: map[int]engine.State{}, at: 1_700_000_000_000}
	start := engine.Start{Rules: g.rules(rules), Seats: 2 + g.IntN(3), Physical: g.IntN(5) == 0, Deal: g.Deal()}
	start.First = g.IntN(start.Seats)
	g.give(start)
	steps := 20 + g.IntN(60)
	for range steps {
		g.at += engine.Millis(g.IntN(4000))
		g.step()
	}
	for range 60 { // play to the end
		if g.state.Phase == engine.PhaseOver || g.state.Ending != "" {
			break
		}
		g.turn()
	}
	return g
}

// rules returns the rules of a preset, with the settings that rulings depend on changed at random.
func (g *ruledGame) rules(presets []ruleset.Ruleset) ruleset.Ruleset {
	r := presets[g.IntN(len(presets))]
	either := func(field *string, values ...string) {
		if g.IntN(2) == 0 {
			*field = values[g.IntN(len(values))]
		}
	}
	either(&r.Exhausted, ruleset.LastLap, ruleset.LastLap, ruleset.LastLap, ruleset.UntilStuck)
	either(&r.Redeal, ruleset.BeforeStart, ruleset.OwnFirstTurn)
	either(&r.Leftovers, ruleset.ToRack, ruleset.ToPool)
	either(&r.Penalties, ruleset.Proposed, ruleset.Automatic)
	either(&r.IllegalPlay, ruleset.Reject, ruleset.Penalty)
	either(&r.AbleWhen, ruleset.AtEnd, ruleset.AnyTurn)
	return r
}

// give submits a command, and repeats it once if the clock's events come first. A refusal changes nothing.
func (g *ruledGame) give(c engine.Command) {
	if rewind, ok := c.(engine.Rewind); ok {
		rewind.To = g.starts[rewind.Turn]
		c = rewind
	}
	for range 2 {
		events, err := engine.Decide(&g.state, c, g.IntN(2) == 0, time.UnixMilli(int64(g.at)))
		if err != nil {
			return
		}
		for _, e := range events {
			g.state = engine.Apply(g.state, e)
			g.log = append(g.log, e)
		}
		if _, met := g.starts[g.state.Turn.Number]; !met && g.state.Phase == engine.PhasePlaying {
			g.starts[g.state.Turn.Number] = g.state
		}
		if !engine.ByClock(events) {
			return
		}
	}
}

// turn ends the current turn, resuming the clock first if it is stopped.
func (g *ruledGame) turn() {
	s := g.state
	seat, number := s.Turn.Seat, s.Turn.Number
	switch {
	case s.Paused != nil:
		g.give(engine.Resume{})
		g.at += engine.Millis(engine.ResumeCountdown.Milliseconds()) + 1
		g.give(engine.Expire{})
	case s.Phase == engine.PhaseDealt:
		for one := range s.Seats {
			g.give(engine.Ready{Seat: one, Turn: number})
		}
	case s.Physical:
		out := g.IntN(50) == 0
		g.give(engine.EndTurn{Seat: seat, Turn: number, Passed: !out && s.PoolEmpty && g.IntN(3) > 0, Out: out})
	case g.IntN(25) == 0:
		g.at += engine.Millis(time.Hour.Milliseconds()) // longer than any turn
		g.give(engine.Expire{})
	case g.IntN(4) == 0 && g.lays():
	case len(s.Pool) > 0:
		g.give(engine.Draw{Seat: seat, Turn: number})
	default:
		g.give(engine.Pass{Seat: seat, Turn: number})
	}
}

// step does the next thing: a turn, or any kind of ruling.
func (g *ruledGame) step() {
	s := g.state
	if g.IntN(100) < 55 || s.Phase == engine.PhaseDealt && g.IntN(2) == 0 {
		g.turn()
		return
	}
	switch seat := g.IntN(s.Seats); g.IntN(26) {
	case 0:
		g.give(engine.Redeal{Seat: seat, Turn: s.Turn.Number, Deal: g.Deal()})
	case 1:
		g.give(engine.PoolEmptied{Seat: seat})
	default:
		for _, c := range g.Rulings(s) {
			g.give(c)
		}
	}
}

// lays lays a set from the rack of the seat to move, and reports whether it could.
func (g *ruledGame) lays() bool {
	s := g.state
	seq, seat := s.Seq, s.Turn.Seat
	least := s.Rules.MeldPoints
	if s.Opened[seat] {
		least = 0
	}
	set := randomrulings.SetOf(tile.CountFaces(tile.FacesOf(s.Racks[seat])), least)
	if set == nil {
		return false
	}
	g.give(engine.Play{Seat: seat, Turn: s.Turn.Number, Table: append(s.Table.Laid(),
		tile.LaidFaces{At: tile.SomewhereFree, Faces: set})})
	return g.state.Seq != seq
}
