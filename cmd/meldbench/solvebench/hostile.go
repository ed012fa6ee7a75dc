package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"time"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// The hostile search breeds positions that take the exact search long. It repeatedly makes small changes to those that
// needed the most states. It compares states, not times, so that a seed finds the same positions on a busy machine.
const (
	kept       = 40 // hardest positions kept for breeding
	freshOf100 = 15 // percentage of newly created positions
	rackMost   = 40
	listed     = 26 // most tiles for which the search lists the sets
	timed      = 10 // hardest positions that are timed at the end
)

// hard is a position and the number of states that solving it took.
type hard struct {
	position solve.Position
	work     int
}

// breeder searches for hard positions.
type breeder struct {
	rng   *rand.Rand
	aim   solve.Aim
	worst []hard // hardest first
}

// hostile tries o.hostile positions and prints the hardest.
func hostile(o options, aim solve.Aim, out io.Writer) error {
	clock, unit, err := clockOf(o.cpu)
	if err != nil {
		return err
	}
	runtime.LockOSThread() // because thread time may be measured
	defer runtime.UnlockOSThread()
	b := &breeder{rng: rand.New(rand.NewPCG(o.seed, 0x405711e)), aim: aim}
	tried, unproven := 0, 0
	for ; tried < o.hostile; tried++ {
		p := b.next()
		play := solve.Best(p, solve.Question{Aim: aim})
		if !play.Proven {
			unproven++
		}
		b.note(hard{p, play.Work})
	}
	fmt.Fprintf(out, "%d positions tried, seed %d, most %s first; ms%s, one thread, the least of %d.\n", tried, o.seed,
		o.aim, unit, o.repeats)
	slowest, most := 0, time.Duration(0)
	for i, h := range b.worst[:min(timed, len(b.worst))] {
		took := took(clock, o.repeats, func() { solve.Best(h.position, solve.Question{Aim: aim}) })
		fmt.Fprintf(out, "%2d. %7.2f ms, %d states; %d tiles on the table, %d on the rack, %d jokers\n", i+1,
			inMillis(took), h.work,
			onTable(h.position), h.position.Rack.Total(), jokersOf(h.position))
		if took > most {
			slowest, most = i, took
		}
	}
	if len(b.worst) > 0 {
		p := b.worst[slowest].position
		keep := took(clock, o.repeats, func() { solve.Best(p, solve.Question{Aim: aim, Keep: true}) })
		fmt.Fprintf(out, "The slowest, %.2f ms (%.2f ms with the most sets kept):\n\ttable %v\n\track %v\n",
			inMillis(most), inMillis(keep), p.Table, p.Rack.List())
	}
	if err := dump(o.dump, o.seed, aim, b.worst); err != nil {
		return err
	}
	if unproven > 0 {
		return fmt.Errorf("%d positions are not proven optimal", unproven)
	}
	return nil
}

// dump writes positions with their answers and states to a file, hardest first, in the format that -cases reads.
func dump(file string, seed uint64, aim solve.Aim, worst []hard) error {
	if file == "" {
		return nil
	}
	var lines bytes.Buffer
	for i, h := range worst {
		play := solve.Best(h.position, solve.Question{Aim: aim})
		c := knownCase{ID: fmt.Sprintf("seed %d, %d", seed, i+1), Want: wanted{Tiles: &play.Tiles, Value: &play.Value},
			States: h.work}
		c.Case.Rules, c.Case.Opened, c.Case.Board, c.Case.Rack, c.Case.Objective = "club", true, h.position.Table,
			h.position.Rack.List(), "tiles"
		if aim == solve.MostValue {
			c.Case.Objective = "value"
		}
		if err := json.NewEncoder(&lines).Encode(c); err != nil {
			return err
		}
	}
	return os.WriteFile(file, lines.Bytes(), 0o644)
}

// took returns the shortest of several runs of f.
func took(clock func() time.Duration, repeats int, f func()) time.Duration {
	least := time.Duration(1<<63 - 1)
	for range repeats {
		began := clock()
		f()
		least = min(least, clock()-began)
	}
	return least
}

func inMillis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func onTable(p solve.Position) (tiles int) {
	for _, set := range p.Table {
		tiles += len(set)
	}
	return tiles
}

func jokersOf(p solve.Position) int {
	onTable := tile.CountFaces(p.Table...)
	return int(onTable[tile.Joker] + p.Rack[tile.Joker])
}

// note keeps a position if it is among the hardest. It skips positions with few tiles: for them the search lists the
// sets, and seven of the combinations counted as states take the time of one normal state. It also skips positions with
// an equal number of states, because most of those are the same to the search.
func (b *breeder) note(h hard) {
	if onTable(h.position)+h.position.Rack.Total() <= listed {
		return
	}
	at, same := slices.BinarySearchFunc(b.worst, h.work, func(k hard, work int) int { return work - k.work })
	if at < kept && !same {
		b.worst = slices.Insert(b.worst, at, h)
		b.worst = b.worst[:min(kept, len(b.worst))]
	}
}

// next returns a new position, or one of the hardest with one to four changes.
func (b *breeder) next() solve.Position {
	if len(b.worst) < kept || b.rng.IntN(100) < freshOf100 {
		table := 12 + b.rng.IntN(85)
		return position(b.rng, table, 1+b.rng.IntN(min(rackMost, tile.Count-table)), b.rng.IntN(3))
	}
	p := b.worst[min(b.rng.IntN(kept), b.rng.IntN(kept))].position
	for range 1 + b.rng.IntN(4) {
		p = b.change(p)
	}
	return p
}

// change replaces some sets on the table, moves a set to the rack, or exchanges, adds or removes tiles of the rack.
func (b *breeder) change(p solve.Position) solve.Position {
	c := newComposer(b.rng)
	for _, set := range p.Table {
		c.sets = append(c.sets, slices.Clone(set))
	}
	c.jokers = 2
	for _, counts := range []tile.Counts{tile.CountFaces(p.Table...), p.Rack} {
		for f := range tile.Joker {
			c.pool[f] -= counts[f]
		}
		c.jokers -= int(counts[tile.Joker])
	}
	rack := p.Rack
	switch b.rng.IntN(5) {
	case 0: // sets for others of as many tiles, more or less
		room := b.rng.IntN(8)
		for range 1 + b.rng.IntN(3) {
			if len(c.sets) > 0 {
				room += c.takeBack(b.rng.IntN(len(c.sets)))
			}
		}
		for range 8 {
			if set := c.drawSet(room); set != nil {
				room -= len(set)
				c.sets = append(c.sets, set)
			}
		}
	case 1: // a set goes to the rack
		if len(c.sets) > 0 && rack.Total() < rackMost {
			i := b.rng.IntN(len(c.sets))
			for _, f := range c.sets[i] {
				rack[f]++
			}
			c.sets = slices.Delete(c.sets, i, i+1)
		}
	default:
		if list := rack.List(); len(list) > 0 && b.rng.IntN(3) > 0 {
			f := list[b.rng.IntN(len(list))]
			if rack[f]--; f == tile.Joker {
				c.jokers++
			} else {
				c.pool[f]++
			}
		}
		if b.rng.IntN(8) == 0 && c.jokers > 0 {
			rack[tile.Joker]++
		} else if rest := c.pool.List(); len(rest) > 0 && rack.Total() < rackMost && b.rng.IntN(4) > 0 {
			rack[rest[b.rng.IntN(len(rest))]]++
		}
	}
	return solve.Position{Rules: p.Rules, Table: c.sets, Rack: rack}
}
