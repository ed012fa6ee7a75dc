package main

import (
	"math/rand/v2"
	"slices"

	"meldhall/engine/bot"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// game is a game of four Club bots, who continue after the pool is empty until all pass.
type game struct {
	rules  ruleset.Ruleset
	pool   []tile.Face
	table  [][]tile.Face
	racks  [4][]tile.Face
	opened [4]bool
}

func newGame(rules ruleset.Ruleset, rng *rand.Rand) *game {
	g := &game{rules: rules, pool: tile.FacesOf(tile.All())}
	rng.Shuffle(len(g.pool), func(i, j int) { g.pool[i], g.pool[j] = g.pool[j], g.pool[i] })
	for seat := range g.racks {
		g.racks[seat], g.pool = slices.Clone(g.pool[:14]), g.pool[14:]
	}
	return g
}

// play plays the game to its end, and calls show for each position of a player who has opened.
func (g *game) play(show func(table [][]tile.Face, rack []tile.Face)) {
	const longest = 400
	for turn, passed := 0, 0; passed < len(g.racks) && turn < longest; turn++ {
		seat := turn % len(g.racks)
		if g.opened[seat] {
			show(g.table, g.racks[seat])
		}
		after, laid := bot.Choose(bot.Club, bot.Turn{Rules: g.rules, Pool: len(g.pool),
			Move: judge.Move{Opened: g.opened[seat], Before: g.table, Rack: g.racks[seat]}})
		switch {
		case laid > 0:
			played := tile.CountFaces(after...).Minus(tile.CountFaces(g.table...))
			g.racks[seat] = tile.CountFaces(g.racks[seat]).Minus(played).List()
			g.table, g.opened[seat], passed = after, true, 0
		case len(g.pool) > 0:
			g.racks[seat], g.pool, passed = append(g.racks[seat], g.pool[0]), g.pool[1:], 0
		default:
			passed++
		}
		if len(g.racks[seat]) == 0 {
			return
		}
	}
}

// lateHard collects positions from self-play with at least 60 tiles on the table whose rack cannot be laid completely.
// They are grouped by the number of jokers that the player can see. It stops when there are enough of each or the given
// number of games was played. Positions of one game are similar, so only some of them are taken.
func lateHard(rng *rand.Rand, rules ruleset.Ruleset, enough, games int) (byJokers [3][]solve.Position) {
	short := func() bool {
		return slices.ContainsFunc(byJokers[:], func(found []solve.Position) bool { return len(found) < enough })
	}
	for ; games > 0 && short(); games-- {
		newGame(rules, rng).play(func(table [][]tile.Face, rack []tile.Face) {
			p := solve.Position{Rules: clubRules, Table: table, Rack: tile.CountFaces(rack)}
			onTable := tile.CountFaces(table...)
			jokers := int(onTable[tile.Joker] + p.Rack[tile.Joker])
			if onTable.Total() < 60 || len(byJokers[jokers]) >= enough || rng.IntN(3) > 0 {
				return
			}
			if best := solve.Best(p, solve.Question{}); best.Proven && best.Tiles < len(rack) {
				byJokers[jokers] = append(byJokers[jokers], p)
			}
		})
	}
	return byJokers
}

// drawnHard returns a position with 60 to 74 tiles on the table and 10 on the rack, of which 7 to 9 can be laid.
func drawnHard(rng *rand.Rand, jokers int) (p solve.Position, ok bool) {
	for range 400 {
		p = position(rng, 60+rng.IntN(15), 10, jokers)
		if best := solve.Best(p, solve.Question{}); best.Proven && best.Tiles >= 7 && best.Tiles <= 9 {
			return p, true
		}
	}
	return solve.Position{}, false
}
