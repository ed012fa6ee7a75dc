package main

import (
	"math/rand/v2"
	"slices"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// clubRules are the joker rules of the preset club. The baseline has the same rules: jokers are free.
var clubRules = solve.Rules{Replace: solve.Free, JokerPoints: 30}

// kind is a shape of set, with the weight with which the composer draws it: runs of 3 to 13 tiles, mostly of 3 to 5,
// and somewhat fewer groups.
type kind struct {
	run    bool
	length int
	weight int
}

var kinds = [...]kind{
	{run: false, length: 3, weight: 30}, {run: false, length: 4, weight: 15},
	{run: true, length: 3, weight: 22}, {run: true, length: 4, weight: 14}, {run: true, length: 5, weight: 9},
	{run: true, length: 6, weight: 4}, {run: true, length: 7, weight: 3}, {run: true, length: 8, weight: 2},
	{run: true, length: 9, weight: 1}, {run: true, length: 10, weight: 1}, {run: true, length: 11, weight: 1},
	{run: true, length: 12, weight: 1}, {run: true, length: 13, weight: 1},
}

// composer creates positions from the tiles left in its pool. The same seed creates the same positions.
type composer struct {
	rng    *rand.Rand
	pool   tile.Counts // numbered tiles not yet on the table or the rack
	jokers int         // still to be placed on the table
	sets   [][]tile.Face
}

func newComposer(rng *rand.Rand) *composer {
	c := &composer{rng: rng}
	for f := range tile.Joker {
		c.pool[f] = 2
	}
	return c
}

// position creates a valid table with the given number of tiles, and a rack. The jokers are spread over both, each tile
// being equally likely to be one. The rack is smaller if the game has no more tiles.
func position(rng *rand.Rand, table, rack, jokers int) solve.Position {
	rack = min(rack, tile.Count-2+jokers-table)
	onTable := 0
	for i := range jokers {
		if rng.IntN(table+rack-i) < table-onTable {
			onTable++
		}
	}
	c := newComposer(rng)
	c.layTable(table, onTable)
	return solve.Position{Rules: clubRules, Table: c.sets, Rack: c.drawRack(rack, jokers-onTable)}
}

// layTable lays sets until the table has n tiles. When nothing fits, it removes some random sets and continues.
func (c *composer) layTable(n, jokers int) {
	c.jokers = jokers
	for left := n; left > 0; {
		if set := c.drawSet(left); set != nil {
			left -= len(set)
			c.sets = append(c.sets, set)
			continue
		}
		for range 1 + c.rng.IntN(1+len(c.sets)/2) {
			if len(c.sets) > 0 {
				left += c.takeBack(c.rng.IntN(len(c.sets)))
			}
		}
	}
	c.rng.Shuffle(len(c.sets), func(i, j int) { c.sets[i], c.sets[j] = c.sets[j], c.sets[i] })
}

// takeBack removes a set and returns its number of tiles.
func (c *composer) takeBack(i int) int {
	set := c.sets[i]
	for _, f := range set {
		if f == tile.Joker {
			c.jokers++
		} else {
			c.pool[f]++
		}
	}
	c.sets = slices.Delete(c.sets, i, i+1)
	return len(set)
}

// drawSet takes a random set of at most left tiles from the pool, and never leaves one or two tiles to lay. It returns
// nil if a few tries find none.
func (c *composer) drawSet(left int) []tile.Face {
	for range 12 {
		k := c.drawKind()
		if rest := left - k.length; rest < 0 || rest == 1 || rest == 2 {
			continue
		}
		joker, jokers := c.drawJokers(k.length, left)
		if jokers == k.length {
			continue
		}
		fits := slices.DeleteFunc(shapes(k), func(set []tile.Face) bool {
			for i, f := range set {
				if !joker[i] && c.pool[f] == 0 {
					return true
				}
			}
			return false
		})
		if len(fits) > 0 {
			return c.take(fits[c.rng.IntN(len(fits))], k.run, joker, jokers)
		}
	}
	return nil
}

func (c *composer) drawKind() kind {
	total := 0
	for _, k := range kinds {
		total += k.weight
	}
	at := c.rng.IntN(total)
	for _, k := range kinds {
		if at -= k.weight; at < 0 {
			return k
		}
	}
	panic("unreachable")
}

// drawJokers chooses which positions of a set are jokers. Each tile still to be laid is equally likely to be one.
func (c *composer) drawJokers(length, left int) (joker [tile.Highest]bool, jokers int) {
	for i := range length {
		if c.rng.IntN(left-i) < c.jokers-jokers {
			joker[i] = true
			jokers++
		}
	}
	return joker, jokers
}

func (c *composer) take(set []tile.Face, run bool, joker [tile.Highest]bool, jokers int) []tile.Face {
	for i, f := range set {
		if joker[i] {
			set[i] = tile.Joker
		} else {
			c.pool[f]--
		}
	}
	c.jokers -= jokers
	if !run {
		c.rng.Shuffle(len(set), func(i, j int) { set[i], set[j] = set[j], set[i] })
	}
	return set
}

// shapes lists all sets of a kind, without jokers.
func shapes(k kind) (sets [][]tile.Face) {
	for n := 1; n <= tile.Highest; n++ {
		for colour := tile.Black; colour <= tile.Orange; colour++ {
			var set []tile.Face
			switch {
			case k.run && n+k.length-1 <= tile.Highest:
				for i := range k.length {
					set = append(set, tile.NewFace(colour, n+i))
				}
			case !k.run && (k.length == 3 ||
				colour == tile.Black): // a group of three lacks one colour, one of four none
				for other := tile.Black; other <= tile.Orange; other++ {
					if k.length == 4 || other != colour {
						set = append(set, tile.NewFace(other, n))
					}
				}
			default:
				continue
			}
			sets = append(sets, set)
		}
	}
	return sets
}

// drawRack takes n random tiles, including the given number of jokers, from the pool.
func (c *composer) drawRack(n, jokers int) tile.Counts {
	rest := c.pool.List()
	c.rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	rack := tile.CountFaces(rest[:n-jokers])
	rack[tile.Joker] = uint8(jokers)
	return rack
}
