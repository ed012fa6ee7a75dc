// Package referee is a second referee for single plays. Tests compare it with engine.Judge. It follows section 3 of
// engine/RULES.md literally: it lists every set of the game by its tiles, tries every face that a joker may stand
// for, and counts. It shares the types of a play and the codes with the engine, but no decision. The product does not
// contain it.
package referee

import (
	"math/bits"
	"slices"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// Ruling is the referee's decision on a play.
type Ruling struct {
	Code   string      // "" if the play is legal
	Points int         // of the new sets, if the player had not opened yet
	Played []tile.Face // tiles that leave the rack in a legal play, ordered by face
}

// heap counts the tiles of each face.
type heap [tile.Faces]int

func heapOf(lists ...[]tile.Face) (h heap) {
	for _, list := range lists {
		for _, f := range list {
			h[f]++
		}
	}
	return h
}

// Rule judges a play.
func Rule(r ruleset.Ruleset, m judge.Move) Ruling {
	for _, set := range m.After {
		if len(meanings(set)) == 0 {
			return Ruling{Code: judge.CodeInvalidSet}
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
		return Ruling{Code: judge.CodeTileLost}
	case strange:
		return Ruling{Code: judge.CodeNotOnRack}
	case !some:
		return Ruling{Code: judge.CodeNothingPlayed}
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

// opening judges a play of a player who has not opened. It removes every earlier set from the new table; the sets that
// remain are the new ones.
func opening(r ruleset.Ruleset, m judge.Move) Ruling {
	now := map[string][]int{} // values of the sets that lie alike
	for _, set := range m.After {
		now[lie(set)] = append(now[lie(set)], worth(set))
	}
	for _, set := range m.Before {
		here := now[lie(set)]
		if len(here) == 0 {
			return Ruling{Code: judge.CodeTableTouched}
		}
		slices.Sort(here)
		now[lie(set)] = here[1:] // the most valuable count as new
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
	return Ruling{Code: judge.CodeMeldShort, Points: points}
}

// lie returns a text that is equal for sets that count as the same: order matters in a run but not in a group.
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

// place is a joker on the table: the index of its set, and a bit for each face it may stand for.
type place struct {
	set   int
	faces uint64
}

// jokers checks the joker rule. It tries every meaning of every set, before and after, and every way in which the
// table's jokers may have reached the places of the jokers after the play.
func jokers(r ruleset.Ruleset, m judge.Move, played heap) string {
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
		return judge.CodeJokerNotReplaced
	}
	return judge.CodeJokerWithoutRackTile
}

// everyMeaning calls back with the jokers of the sets from index from on, once for each combination of the sets'
// meanings.
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

// everyWay calls back with every assignment of a distinct number below n to each of the first elements.
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

// change is one way to see a play: joker i of was lies at is[to[i]] after it.
type change struct {
	rules   ruleset.Ruleset
	move    judge.Move
	played  heap
	was, is []place
	to      []int
}

// released returns the jokers that can no longer stand for any face they stood for before.
func (c change) released() (all []int) {
	for i, was := range c.was {
		if was.faces&c.is[c.to[i]].faces == 0 {
			all = append(all, i)
		}
	}
	return all
}

// hosted reports whether each set with released jokers contains a tile from the rack, if the rules require it.
func (c change) hosted() bool {
	if c.rules.JokerRelease != ruleset.WithRackTile {
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
		if !slices.Contains(c.to, i) { // this joker comes from the rack
			delete(hosts, is.set)
		}
	}
	var needs []uint64
	for _, faces := range hosts {
		needs = append(needs, faces)
	}
	return enough(c.played, needs)
}

// replaced reports whether a tile that each released joker stood for was laid, if the rules require it.
func (c change) replaced() bool {
	if c.rules.JokerReplace == ruleset.Free {
		return true
	}
	from := c.played
	if c.rules.JokerReplace == ruleset.TableOrRack {
		from = heapOf(c.move.After...)
	}
	var needs []uint64
	for _, i := range c.released() {
		needs = append(needs, c.was[i].faces)
	}
	return enough(from, needs)
}

// enough reports whether each need can have a tile of its own. By Hall's theorem, this holds if every group of needs
// has at least as many matching tiles as needs.
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
