// Package referee is a second referee for single plays. Tests compare it with engine.Judge. It follows section 3 of
// engine/RULES.md literally: it lists every set of the game by its tiles, tries every face that a joker may stand
// for, and counts. It shares the types of a play and the codes with the engine, but no decision. The product does not
// contain it.
package referee

import (
	"math/bits"
	"slices"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// Ruling is what the referee says to a play.
type Ruling struct {
	Code   string      // "" for a legal play
	Points int         // of the new sets, of who opens or tries to
	Played []tile.Face // what leaves the rack, of a legal play, in the order of the faces
}

// heap is how often each face is somewhere.
type heap [tile.Faces]int

func heapOf(lists ...[]tile.Face) (h heap) {
	for _, list := range lists {
		for _, f := range list {
			h[f]++
		}
	}
	return h
}

// Rule rules on a play.
func Rule(r engine.Ruleset, m engine.Move) Ruling {
	for _, set := range m.After {
		if len(meanings(set)) == 0 {
			return Ruling{Code: engine.CodeInvalidSet}
		}
	}
	played, rack := heapOf(m.After...), heapOf(m.Rack)
	lost, strange, some := false, false, false
	for f, n := range heapOf(m.Before...) {
		played[f] -= n
		lost = lost || played[f] < 0
		strange = strange || played[f] > rack[f]
		some = some || played[f] > 0
	}
	switch {
	case lost:
		return Ruling{Code: engine.CodeTileLost}
	case strange:
		return Ruling{Code: engine.CodeNotOnRack}
	case !some:
		return Ruling{Code: engine.CodeNothingPlayed}
	}
	ruling := Ruling{}
	if m.Opened {
		ruling.Code = jokers(r, m, played)
	} else {
		ruling = opening(r, m)
	}
	if ruling.Code == "" {
		for f, n := range played {
			ruling.Played = append(ruling.Played, slices.Repeat([]tile.Face{tile.Face(f)}, n)...)
		}
	}
	return ruling
}

// opening strikes every set that lay there off what lies there now; what is left are the new sets.
func opening(r engine.Ruleset, m engine.Move) Ruling {
	now := map[string][]int{} // worth of each set, by how it lies
	for _, set := range m.After {
		now[lie(set)] = append(now[lie(set)], worth(set))
	}
	for _, set := range m.Before {
		here := now[lie(set)]
		if len(here) == 0 {
			return Ruling{Code: engine.CodeTableTouched}
		}
		slices.Sort(here)
		now[lie(set)] = here[1:] // the best are left as new
	}
	fresh, points := 0, 0
	for _, here := range now {
		for _, n := range here {
			fresh++
			points += n
		}
	}
	if points >= r.MeldPoints || r.LastToOpenRelief && m.Relief && fresh > 1 {
		return Ruling{Points: points}
	}
	return Ruling{Code: engine.CodeMeldShort, Points: points}
}

// lie says how a set lies: two sets of the same words lie alike.
func lie(set []tile.Face) string {
	text := make([]byte, len(set))
	for i, f := range set {
		text[i] = byte(f)
	}
	for _, one := range meanings(set) {
		if !one.run {
			slices.Sort(text)
			return "in any order " + string(text)
		}
	}
	return "in this order " + string(text)
}

func worth(set []tile.Face) (most int) {
	for _, one := range meanings(set) {
		most = max(most, one.worth)
	}
	return most
}

// place is a joker on the table: its set, and the faces it may stand for, a bit each.
type place struct {
	set   int
	faces uint64
}

// jokers rules on the joker rule: it tries every meaning of every set, before and after, and every way in which the jokers of the
// table may have come to where jokers lie now.
func jokers(r engine.Ruleset, m engine.Move, played heap) string {
	legal, hosted := false, false
	everyMeaning(m.Before, nil, 0, func(was []place) {
		everyMeaning(m.After, nil, 0, func(is []place) {
			everyWay(len(was), len(is), nil, func(to []int) {
				c := change{r, m, played, was, is, to}
				if c.hosted() {
					hosted = true
					legal = legal || c.replaced()
				}
			})
		})
	})
	switch {
	case legal:
		return ""
	case hosted:
		return engine.CodeJokerNotReplaced
	}
	return engine.CodeJokerWithoutRackTile
}

// everyMeaning calls back with the jokers of the sets from one on, for each choice of what the sets mean.
func everyMeaning(sets [][]tile.Face, before []place, from int, back func([]place)) {
	for from < len(sets) && !slices.Contains(sets[from], tile.Joker) {
		from++
	}
	if from == len(sets) {
		back(before)
		return
	}
	for _, one := range meanings(sets[from]) {
		all := slices.Clone(before)
		for i, f := range sets[from] {
			if f == tile.Joker {
				all = append(all, place{from, one.stands[i]})
			}
		}
		everyMeaning(sets, all, from+1, back)
	}
}

// everyWay calls back with every choice of a different one of n for each of the first ones.
func everyWay(first, n int, to []int, back func([]int)) {
	if len(to) == first {
		back(to)
		return
	}
	for i := range n {
		if !slices.Contains(to, i) {
			everyWay(first, n, append(slices.Clone(to), i), back)
		}
	}
}

// change is one way to see a play: each joker of before lies where its number in to says.
type change struct {
	rules   engine.Ruleset
	move    engine.Move
	played  heap
	was, is []place
	to      []int
}

// released are the jokers that cannot stand any more for what they could stand for.
func (c change) released() (all []int) {
	for i, was := range c.was {
		if was.faces&c.is[c.to[i]].faces == 0 {
			all = append(all, i)
		}
	}
	return all
}

// hosted: each released joker ends beside a tile of the rack.
func (c change) hosted() bool {
	if c.rules.JokerRelease != engine.WithRackTile {
		return true
	}
	hosts := map[int]uint64{}
	for _, i := range c.released() {
		set := c.is[c.to[i]].set
		for _, f := range c.move.After[set] {
			if f != tile.Joker {
				hosts[set] |= 1 << f
			}
		}
	}
	for i, is := range c.is {
		if !slices.Contains(c.to, i) { // this joker is a tile of the rack
			delete(hosts, is.set)
		}
	}
	var needs []uint64
	for _, faces := range hosts {
		needs = append(needs, faces)
	}
	return enough(c.played, needs)
}

// replaced: a tile that each released joker stood for has come.
func (c change) replaced() bool {
	if c.rules.JokerReplace == engine.Free {
		return true
	}
	from := c.played
	if c.rules.JokerReplace == engine.TableOrRack {
		from = heapOf(c.move.After...)
	}
	var needs []uint64
	for _, i := range c.released() {
		needs = append(needs, c.was[i].faces)
	}
	return enough(from, needs)
}

// enough tells by Hall's theorem whether each need can have a tile of its own: any of them together find as many tiles.
func enough(have heap, needs []uint64) bool {
	for some := range 1 << len(needs) {
		var faces uint64
		for i, need := range needs {
			if some>>i&1 == 1 {
				faces |= need
			}
		}
		tiles := 0
		for f := range tile.Joker {
			if faces>>f&1 == 1 {
				tiles += have[f]
			}
		}
		if tiles < bits.OnesCount(uint(some)) {
			return false
		}
	}
	return true
}
