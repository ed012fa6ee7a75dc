package engine

import (
	"slices"

	"meldhall/engine/tile"
)

// joker is a joker on the table: its set, and the faces that it can stand for there.
type joker struct {
	set   int
	faces tile.FaceSet
}

// jokerFault checks the joker rule (RULES.md section 3, rule 6). It returns nil if the play keeps the rule.
func jokerFault(r *Ruleset, m *Move, played *tile.Counts) *Verdict {
	if r.JokerRelease == Anywhere && r.JokerReplace == Free {
		return nil
	}
	if code := jokerCode(r, m, played); code != "" {
		return illegal(code, "a joker was released against the joker rules: %s, %s", r.JokerRelease, r.JokerReplace)
	}
	return nil
}

// jokerCode is "" when one matching of the jokers before with jokers after, and one reading of each set, satisfies release and
// replacement; else the code that the best of them gets.
func jokerCode(r *Ruleset, m *Move, played *tile.Counts) string {
	fault := CodeJokerWithoutRackTile
	for was := range 2 {
		before := jokersOn(m.Before, was)
		if len(before) == 0 {
			return ""
		}
		for is := range 2 {
			match := jokerMatch{rules: r, table: m.After, before: before, after: jokersOn(m.After, is), played: played}
			switch match.best(0) {
			case "":
				return ""
			case CodeJokerNotReplaced:
				fault = CodeJokerNotReplaced
			}
		}
	}
	return fault
}

// jokersOn lists the jokers of the sets, each set in its reading of that number (or its only one). Only a
// set with both jokers has two readings, so at most one set of the table has, and two calls see all.
func jokersOn(sets [][]tile.Face, reading int) []joker {
	var found []joker
	for s, set := range sets {
		for i, f := range set {
			if f != tile.Joker {
				continue
			}
			readings := tile.Readings(set)
			if len(readings) == 0 {
				continue
			}
			found = append(found, joker{s, readings[min(reading, len(readings)-1)].Stands(i)})
		}
	}
	return found
}

// jokerMatch tries every way to say which joker after is which joker before; those left over were
// played from the rack.
type jokerMatch struct {
	rules         *Ruleset
	table         [][]tile.Face // after
	before, after []joker
	played        *tile.Counts
	to            []int // index in after for each joker before, so far
}

// best matches before[i:] in every way and gives the mildest code: "", then joker_not_replaced, then
// joker_without_rack_tile.
func (m *jokerMatch) best(i int) string {
	if i == len(m.before) {
		return m.fault()
	}
	mildest := CodeJokerWithoutRackTile
	for a := range m.after {
		if slices.Contains(m.to[:i], a) {
			continue
		}
		m.to = append(m.to[:i], a)
		switch m.best(i + 1) {
		case "":
			return ""
		case CodeJokerNotReplaced:
			mildest = CodeJokerNotReplaced
		}
	}
	return mildest
}

// fault judges the complete matching.
func (m *jokerMatch) fault() string {
	var own, hosts []tile.FaceSet // per released joker its faces, per set that took one its numbered tiles
	taken := make([]int, 0, 2)
	for i, was := range m.before {
		is := m.after[m.to[i]]
		if was.faces&is.faces != 0 {
			continue
		}
		own = append(own, was.faces)
		if slices.Contains(taken, is.set) {
			continue
		}
		taken = append(taken, is.set)
		if !m.jokerPlayedTo(is.set) {
			hosts = append(hosts, numbered(m.table[is.set]))
		}
	}
	if m.rules.JokerRelease == WithRackTile && !serves(*m.played, hosts) {
		return CodeJokerWithoutRackTile
	}
	replacing := *m.played
	switch m.rules.JokerReplace {
	case Free:
		return ""
	case TableOrRack:
		replacing = tile.CountFaces(m.table...)
	}
	if !serves(replacing, own) {
		return CodeJokerNotReplaced
	}
	return ""
}

// jokerPlayedTo tells whether a joker of the set was played from the rack: it is a rack tile as any other.
func (m *jokerMatch) jokerPlayedTo(set int) bool {
	for a, is := range m.after {
		if is.set == set && !slices.Contains(m.to, a) {
			return true
		}
	}
	return false
}

func numbered(set []tile.Face) (faces tile.FaceSet) {
	for _, f := range set {
		if f != tile.Joker {
			faces |= 1 << f
		}
	}
	return faces
}

// serves tells whether every need can have a tile of its own out of have, of one of the faces it names.
func serves(have tile.Counts, needs []tile.FaceSet) bool {
	if len(needs) == 0 {
		return true
	}
	for _, f := range needs[0].List() {
		if have[f] == 0 {
			continue
		}
		have[f]--
		if serves(have, needs[1:]) {
			return true
		}
		have[f]++
	}
	return false
}
