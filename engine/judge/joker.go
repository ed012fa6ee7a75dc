package judge

import (
	"slices"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// joker is a joker on the table: the index of its set, and the faces that it can stand for there.
type joker struct {
	set   int
	faces tile.FaceSet
}

// jokerFault checks the joker rule (engine/RULES.md section 3, 6). It returns nil if the play obeys it.
func jokerFault(r *ruleset.Ruleset, m *Move, played *tile.Counts) *Verdict {
	if r.JokerRelease == ruleset.Anywhere && r.JokerReplace == ruleset.Free {
		return nil
	}
	if code := jokerCode(r, m, played); code != "" {
		return illegal(code, "a joker was released against the joker rules: %s, %s", r.JokerRelease, r.JokerReplace)
	}
	return nil
}

// jokerCode returns "" if one matching of the jokers before with the jokers after, and one reading of each set,
// satisfies the rules of release and replacement. Otherwise it returns the mildest code.
func jokerCode(r *ruleset.Ruleset, m *Move, played *tile.Counts) string {
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

// jokersOn returns the jokers of the sets. Each set uses its reading of the given index, or its only one. Only a set
// with both jokers has two readings, so at most one set of the table does, and two calls cover all cases.
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

// jokerMatch tries every matching of the jokers before with the jokers after. Jokers left over were played from the
// rack.
type jokerMatch struct {
	rules         *ruleset.Ruleset
	table         [][]tile.Face // the table after the play
	before, after []joker
	played        *tile.Counts
	to            []int // index in after of each joker of before matched so far
}

// best matches before[i:] in every way and returns the mildest code: "", then joker_not_replaced, then
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

// fault returns the code for a complete matching, or "" if the matching obeys the joker rules.
func (m *jokerMatch) fault() string {
	var own, hosts []tile.FaceSet // faces of each released joker; number tiles of each set that took one
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
	if m.rules.JokerRelease == ruleset.WithRackTile && !serves(*m.played, hosts) {
		return CodeJokerWithoutRackTile
	}
	replacing := *m.played
	switch m.rules.JokerReplace {
	case ruleset.Free:
		return ""
	case ruleset.TableOrRack:
		replacing = tile.CountFaces(m.table...)
	}
	if !serves(replacing, own) {
		return CodeJokerNotReplaced
	}
	return ""
}

// jokerPlayedTo reports whether a joker of the set was played from the rack. It counts like any other rack tile.
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

// serves reports whether have can give each need a tile of its own, of one of the faces in the need.
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
