package solve

import "slices"

// grouping is what the groups of one number together take.
type grouping struct {
	takes  [colours]uint8
	jokers uint8
	broken uint8          // groups of the old table that do not stay
	new    [colours]uint8 // of takes, what new groups take
	groups uint8          // new ones
	used   uint8          // jokers in them
	room   uint8          // jokers that could still be put into them
	chosen uint8          // groups of the old table that stay
}

// groupings lists what the groups of each number can take.
func (s *search) groupings() {
	s.melds = s.melds[:0]
	for n := 1; n <= numbers; n++ {
		s.from[n] = int32(len(s.melds))
		if s.groups[n] == 0 && len(s.kept.at[n]) == 0 {
			for c := range colours {
				s.most[c][n] = 0
			}
			s.melds = append(s.melds, grouping{})
			continue
		}
		for c := range colours {
			s.most[c][n] = min(s.have[c][n], s.groups[n])
		}
		if most := [colours]uint8{s.most[0][n], s.most[1][n], s.most[2][n], s.most[3][n]}; s.thrift && len(s.kept.at[n]) == 0 && max(most[0], most[1], most[2], most[3]) <= 2 {
			s.plainGroupings(most)
			continue
		}
		for chosen := 1<<len(s.kept.at[n]) - 1; chosen >= 0; chosen-- {
			s.groupingsWith(n, uint8(chosen))
		}
		byJokers(s.melds[s.from[n]:])
	}
	s.from[numbers+1] = int32(len(s.melds))
}

// byJokers puts those first that need few, so that a search that has few left can stop there.
func byJokers(melds []grouping) {
	slices.SortStableFunc(melds, func(a, b grouping) int { return int(a.jokers) - int(b.jokers) })
}

// plainOf lists, by jokers that there are, what new groups can take of two tiles of each colour at most, with thrift.
var plainOf = listPlain()

func listPlain() (lists [mostJokers + 1][]grouping) {
	for jokers := range lists {
		s := search{}
		s.jokers, s.thrift = jokers, true
		for c := range colours {
			s.most[c][1] = 2
		}
		s.groupingsWith(1, 0)
		byJokers(s.melds)
		lists[jokers] = s.melds
	}
	return lists
}

func (s *search) plainGroupings(most [colours]uint8) {
	const high = 0x80808080
	room := packed(most) | high
	list := plainOf[s.jokers]
	for i := range list {
		if (room-packed(list[i].takes))&high == high {
			s.melds = append(s.melds, list[i])
		}
	}
}

// packed puts four small numbers into one, a byte each.
func packed(of [colours]uint8) uint32 {
	return uint32(of[0]) | uint32(of[1])<<8 | uint32(of[2])<<16 | uint32(of[3])<<24
}

func (s *search) groupingsWith(n int, chosen uint8) {
	takes, jokers, broken := s.kept.choose(n, chosen)
	var room [colours]int
	for c := range colours {
		if room[c] = int(s.most[c][n]) - int(takes[c]); room[c] < 0 {
			return
		}
	}
	var g [colours]int
	for g[0] = 0; g[0] <= room[0]; g[0]++ {
		for g[1] = 0; g[1] <= room[1]; g[1]++ {
			for g[2] = 0; g[2] <= room[2]; g[2]++ {
				for g[3] = 0; g[3] <= room[3]; g[3]++ {
					s.groupingsOf(g, s.jokers-int(jokers), grouping{takes: takes, jokers: jokers, broken: broken, chosen: chosen})
				}
			}
		}
	}
}

// groupingsOf adds the new groups that take g tiles of each colour: the fewest there can be, with the fewest jokers, or
// without thrift any number.
func (s *search) groupingsOf(g [colours]int, jokers int, m grouping) {
	total := g[0] + g[1] + g[2] + g[3]
	for k := max(g[0], g[1], g[2], g[3]); ; k++ {
		need := max(0, 3*k-total)
		if need > jokers || total < k {
			return
		}
		most := need
		if !s.thrift {
			most = min(jokers, 4*k-total)
		}
		for used := need; used <= most; used++ {
			add := m
			add.jokers += uint8(used)
			add.groups, add.used, add.room = uint8(k), uint8(used), uint8(4*k-total-used)
			for c := range colours {
				add.new[c] = uint8(g[c])
				add.takes[c] += uint8(g[c])
			}
			s.melds = append(s.melds, add)
		}
		if s.thrift || k == 0 {
			return
		}
	}
}
