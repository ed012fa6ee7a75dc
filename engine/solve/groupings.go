package solve

import "slices"

// grouping is what the groups of one number take together.
type grouping struct {
	takes  [colours]uint8
	jokers uint8
	broken uint8          // groups of the old table that do not stay
	new    [colours]uint8 // the part of takes that new groups take
	groups uint8          // number of new groups
	used   uint8          // jokers in new groups
	room   uint8          // jokers that could still be added to new groups
	chosen uint8          // groups of the old table that stay, one bit each
}

// groupings lists what the groups of each number can take together. Its memory is reused.
//
// Invariant: a grouping is left out only if it takes more of a colour than there is, if it needs too many jokers, or,
// with thrift, if another one takes the same tiles with fewer jokers or groups. The groupings of a number are sorted by
// jokers, so that a search with few jokers left can stop early.
type groupings struct {
	list []grouping                  // number by number
	from [numbers + 2]int32          // list[from[n]:from[n+1]] belong to number n
	most [colours][numbers + 1]uint8 // the most tiles that groups can take
}

// at returns the groupings of number n.
func (g *groupings) at(n int) []grouping { return g.list[g.from[n]:g.from[n+1]] }

// fill lists the groupings of a position.
func (g *groupings) fill(chains *chains) {
	g.list = g.list[:0]
	for n := 1; n <= numbers; n++ {
		g.from[n] = int32(len(g.list))
		old := chains.kept.at[n]
		if chains.groups[n] == 0 && len(old) == 0 {
			for c := range colours {
				g.most[c][n] = 0
			}
			g.list = append(g.list, grouping{})
			continue
		}
		var most [colours]uint8
		for c := range colours {
			most[c] = min(chains.have[c][n], chains.groups[n])
			g.most[c][n] = most[c]
		}
		if chains.thrift && len(old) == 0 && max(most[0], most[1], most[2], most[3]) <= 2 {
			g.fillPlain(most, chains.jokers)
			continue
		}
		for chosen := 1<<len(old) - 1; chosen >= 0; chosen-- {
			g.list = appendGroupings(g.list, &chains.tiles, most, n, uint8(chosen))
		}
		sortByJokers(g.list[g.from[n]:])
	}
	g.from[numbers+1] = int32(len(g.list))
}

// fillPlain takes the groupings of a number from plainGroupings.
func (g *groupings) fillPlain(most [colours]uint8, jokers int) {
	const high = 0x80808080
	room := packed(most) | high
	list := plainGroupings[jokers]
	for i := range list {
		if (room-packed(list[i].takes))&high == high {
			g.list = append(g.list, list[i])
		}
	}
}

func sortByJokers(list []grouping) {
	slices.SortStableFunc(list, func(a, b grouping) int { return int(a.jokers) - int(b.jokers) })
}

// plainGroupings lists, by the number of jokers, what new groups can take of at most two tiles of each colour, with
// thrift.
var plainGroupings = func() (lists [mostJokers + 1][]grouping) {
	for jokers := range lists {
		lists[jokers] = appendGroupings(nil, &tiles{jokers: jokers, thrift: true}, [colours]uint8{2, 2, 2, 2}, 1, 0)
		sortByJokers(lists[jokers])
	}
	return lists
}()

// packed packs four small numbers into one number, a byte each.
func packed(of [colours]uint8) uint32 {
	return uint32(of[0]) | uint32(of[1])<<8 | uint32(of[2])<<16 | uint32(of[3])<<24
}

// appendGroupings appends the groupings of number n in which the chosen groups of the old table stay. most holds, for
// each colour, the largest number of tiles that groups can take.
func appendGroupings(list []grouping, tiles *tiles, most [colours]uint8, n int, chosen uint8) []grouping {
	takes, jokers, broken := tiles.kept.choose(n, chosen)
	var room [colours]int
	for c := range colours {
		if room[c] = int(most[c]) - int(takes[c]); room[c] < 0 {
			return list
		}
	}
	old := grouping{takes: takes, jokers: jokers, broken: broken, chosen: chosen}
	left := tiles.jokers - int(jokers)
	var gives [colours]int
	for gives[0] = 0; gives[0] <= room[0]; gives[0]++ {
		for gives[1] = 0; gives[1] <= room[1]; gives[1]++ {
			for gives[2] = 0; gives[2] <= room[2]; gives[2]++ {
				for gives[3] = 0; gives[3] <= room[3]; gives[3]++ {
					list = appendNewGroups(list, old, gives, left, tiles.thrift)
				}
			}
		}
	}
	return list
}

// appendNewGroups appends the groupings of the old groups with new groups that take the given tiles of each colour:
// with thrift the fewest new groups with the fewest jokers, else any number.
func appendNewGroups(list []grouping, old grouping, gives [colours]int, jokers int, thrift bool) []grouping {
	total := gives[0] + gives[1] + gives[2] + gives[3]
	for groups := max(gives[0], gives[1], gives[2], gives[3]); ; groups++ {
		need := max(0, 3*groups-total)
		if need > jokers || total < groups {
			return list
		}
		most := need
		if !thrift {
			most = min(jokers, 4*groups-total)
		}
		for used := need; used <= most; used++ {
			add := old
			add.jokers += uint8(used)
			add.groups, add.used, add.room = uint8(groups), uint8(used), uint8(4*groups-total-used)
			for c := range colours {
				add.new[c] = uint8(gives[c])
				add.takes[c] += uint8(gives[c])
			}
			list = append(list, add)
		}
		if thrift || groups == 0 {
			return list
		}
	}
}
