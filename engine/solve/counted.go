package solve

import "slices"

// Without counting, the four chains share the jokers only by a price, and a price lets all of them use both jokers a
// little. Where jokers decide, the bound is then far below the true cost. So here each chain counts the jokers that are
// left for all colours. What happens at a number has a price that depends on what it leaves to the other colours and to
// groups: tiles given to groups, jokers used by this colour, jokers used by all, and jokers left before. A fifth chain
// counts in the same way what groups earn.
//
// Invariant: at any prices, the bounds of the five chains for the jokers that are left add up to a lower bound of the
// cost of a state.
//
// In this file, u is a use, o an option, and g a number of tiles given to groups. h is a pair of colours: 0 for the
// colours 0 and 1, 1 for 2 and 3. x and y are numbers of jokers.

const (
	mostTaken   = 3             // a colour gives 0, 1 or 2 tiles of a number to groups
	mostCounted = maxJokers + 1 // jokers left: 0, 1 or 2
	uses        = 10            // the number of uses of jokers at a number; see use
	givings     = uses * mostTaken
)

// use says how jokers are used at a number: how many are left before it, how many all colours and groups use together,
// and how many of these one colour uses.
type use struct{ left, all, own int8 }

// usesOf lists the uses, sorted by own. The uses with k own jokers begin at usesFrom[k].
var usesOf, usesFrom = func() (list [uses]use, from [mostCounted + 1]int) {
	at := 0
	for own := range int8(mostCounted) {
		from[own] = at
		for left := range int8(mostCounted) {
			for all := own; all <= left; all++ {
				list[at] = use{left, all, own}
				at++
			}
		}
	}
	from[mostCounted] = at
	return list, from
}()

// useAt maps left, all and own to the index of a use.
var useAt = func() (at [mostCounted][mostCounted][mostCounted]int) {
	for i, u := range usesOf {
		at[u.left][u.all][u.own] = i
	}
	return at
}()

// option is an arc with a number of its spare tiles that lie idle.
type option struct {
	arc    int32
	cost   int32
	from   uint16
	to     uint16
	given  uint8 // tiles given to groups
	jokers uint8
}

// byCount is a cost by the number of jokers left.
type byCount [mostCounted + 1]int32

type optionRange struct{ first, last int32 }

// counted holds the chains that count, including the fifth one.
type counted struct {
	options  []option
	in       [colours][numbers + 1]optionRange // options of a place
	of       []optionRange                     // options of a link
	shift    [colours][numbers + 2]int32       // from the index of a link to its index in of, below and above
	worth    [colours][numbers + 1][givings]int32
	below    []byCount // least cost of a way to a link
	above    []byCount // least cost from a link to the end
	earned   [numbers + 2]byCount
	packed   []packedMeld
	mine     [colours][givings]int32 // at one number, least cost of a chain
	everyone [colours][givings]int32 // at one number, least cost of all four chains
}

var neverCounted = byCount{never, never, never, never}

var barredGivings = func() (all [givings]int32) {
	for i := range all {
		all[i] = never
	}
	return all
}()

// count prepares the chains that count, and reports whether the position allows it.
func (s *search) count() bool {
	if s.jokers > maxJokers || s.jokers == 0 {
		return false
	}
	for n := 1; n <= numbers; n++ {
		for c := range colours {
			if s.most[c][n] >= mostTaken {
				return false
			}
		}
	}
	s.listOptions()
	for c := range colours {
		for n := 1; n <= numbers; n++ {
			for i, u := range usesOf {
				for g := range mostTaken {
					w := &s.worth[c][n][i*mostTaken+g]
					if *w = never; g <= int(s.most[c][n]) && s.price[c][n][g] < far {
						*w = s.price[c][n][g] + int32(u.own)*s.joker
					}
				}
			}
		}
	}
	return true
}

// listOptions lists the options of all places.
func (s *search) listOptions() {
	s.options, s.of = s.options[:0], s.of[:0]
	for c := range colours {
		for n := 1; n <= numbers; n++ {
			at, began := &s.places[c][n], int32(len(s.options))
			s.shift[c][n] = int32(len(s.of)) - at.links
			for i := at.links; i < at.linksEnd; i++ {
				first := int32(len(s.options))
				if at.quiet {
					s.options = append(s.options, option{from: uint16(i), to: uint16(i)})
				} else {
					s.optionsOf(c, n, i)
				}
				s.of = append(s.of, optionRange{first, int32(len(s.options))})
			}
			s.in[c][n] = optionRange{began, int32(len(s.options))}
		}
		s.shift[c][numbers+1] = int32(len(s.of)) - s.places[c][numbers+1].links
		s.of = append(s.of, optionRange{})
	}
	s.below = slices.Grow(s.below[:0], len(s.of))[:len(s.of)]
	s.above = slices.Grow(s.above[:0], len(s.of))[:len(s.of)]
}

func (s *search) optionsOf(c, n int, link int32) {
	for k := s.links[link].first; k < s.links[link].last; k++ {
		a := &s.arcs[k]
		for idle := a.leastIdle; idle <= a.idle; idle++ {
			if given := a.spare - idle; given <= s.most[c][n] && s.price[c][n][given] < far {
				s.options = append(s.options, option{arc: k, cost: int32(idle)*s.chains.cost[n] +
					int32(a.broken)*s.kept.broken,
					from: uint16(link), to: a.to, given: given, jokers: a.jokers})
			}
		}
	}
}

// agreeCounting sets the prices in sweeps up and down through all numbers, as long as that raises the bound. most
// limits the number of sweeps.
func (s *search) agreeCounting(most int) {
	s.packMelds()
	bound := int32(-never)
	for i := range most {
		for k := range s.below {
			s.below[k] = neverCounted
		}
		for c := range colours {
			s.below[s.places[c][1].links+s.shift[c][1]][s.jokers] = 0
		}
		for n := 1; n <= numbers; n++ {
			if i > 0 {
				s.adjustCounting(n)
			}
			for c := range colours {
				s.countUp(c, n)
			}
		}
		for c := range colours {
			s.above[s.places[c][numbers+1].links+s.shift[c][numbers+1]] = byCount{}
		}
		least := int32(0)
		for n := numbers; n >= 1; n-- {
			least = s.adjustCounting(n)
			for c := range colours {
				s.countDown(c, n)
			}
		}
		if i%3 == 2 {
			if least > s.goal || least < bound+s.chains.cost[1]/32 {
				break
			}
			bound = least
		}
	}
	s.sellCounting()
}

// countUp computes the least cost of the ways to the next links.
func (s *search) countUp(c, n int) {
	at, worth, here, next := s.in[c][n], &s.worth[c][n], s.shift[c][n], s.shift[c][n+1]
	for i := at.first; i < at.last; i++ {
		o := &s.options[i]
		from, to := &s.below[int32(o.from)+here], &s.below[int32(o.to)+next]
		for k := usesFrom[o.jokers]; k < usesFrom[o.jokers+1]; k++ {
			u := usesOf[k]
			t := &to[(u.left-u.all)&3]
			*t = min(*t, from[u.left&3]+o.cost+worth[k*mostTaken+int(o.given)])
		}
	}
}

// countDown computes the least cost of the ways from links to the end.
func (s *search) countDown(c, n int) {
	at, worth, here, next := &s.places[c][n], &s.worth[c][n], s.shift[c][n], s.shift[c][n+1]
	for i := at.links; i < at.linksEnd; i++ {
		least := neverCounted
		options := s.of[i+here]
		for k := options.first; k < options.last; k++ {
			o := &s.options[k]
			to := &s.above[int32(o.to)+next]
			for k := usesFrom[o.jokers]; k < usesFrom[o.jokers+1]; k++ {
				u := usesOf[k]
				l := &least[u.left&3]
				*l = min(*l, to[(u.left-u.all)&3]+o.cost+worth[k*mostTaken+int(o.given)])
			}
		}
		s.above[i+here] = least
	}
}

// adjustCounting sets the prices of number n so that the four chains have the same least cost, whatever happens there.
// It returns the least cost of all four together.
func (s *search) adjustCounting(n int) int32 {
	for c := range colours {
		s.mine[c], s.everyone[c] = barredGivings, barredGivings
		mine := &s.mine[c]
		at, here, next := s.in[c][n], s.shift[c][n], s.shift[c][n+1]
		for i := at.first; i < at.last; i++ {
			o := &s.options[i]
			from, to := &s.below[int32(o.from)+here], &s.above[int32(o.to)+next]
			for k := usesFrom[o.jokers]; k < usesFrom[o.jokers+1]; k++ {
				u := usesOf[k]
				m := &mine[k*mostTaken+int(o.given)]
				*m = min(*m, from[u.left&3]+o.cost+to[(u.left-u.all)&3])
			}
		}
	}
	least := int32(never)
	for left := range s.jokers + 1 {
		for all := range left + 1 {
			least = min(least, s.share(n, left, all))
		}
	}
	for c := range colours {
		worth := &s.worth[c][n]
		for i, all := range s.everyone[c] {
			if worth[i] = never; all < far {
				worth[i] = all>>2 - s.mine[c][i]
			}
		}
	}
	return least
}

// byGiving is a cost by the tiles that one colour gives to groups, byGivings by those of two colours.
type (
	byGiving  [mostTaken]int32
	byGivings [mostTaken * mostTaken]int32
)

// share computes the least cost of all four chains at number n for each choice of each chain, and returns the least of
// these costs. left is the number of jokers left before n, and all the number that all colours and groups use there.
// share adds up what two chains give and use, derives what the other two must give and use, and splits the result
// again.
func (s *search) share(n, left, all int) (least int32) {
	var mine [colours][mostCounted]*byGiving
	for c := range colours {
		any := false
		for own := range all + 1 {
			row := (*byGiving)(s.mine[c][useAt[left][all][own]*mostTaken:])
			if min(row[0], row[1], row[2]) < far {
				mine[c][own], any = row, true
			}
		}
		if !any {
			return never
		}
	}
	var two, rest [2][mostCounted]byGivings
	for h := range two {
		for own := range all + 1 {
			two[h][own], rest[h][own] = barredTwo, barredTwo
		}
		for x := range all + 1 {
			for y := range all - x + 1 {
				if a, b := mine[2*h][x], mine[2*h+1][y]; a != nil && b != nil {
					together(&two[h][x+y], a, b)
				}
			}
		}
	}
	melds := s.packed[s.from[n]:s.from[n+1]]
	for i := range melds {
		m := &melds[i]
		left := all - int(m.jokers)
		if left < 0 {
			break
		}
		for x := range left + 1 {
			a, b := &rest[0][x][m.first], &rest[1][left-x][m.second]
			*a = min(*a, two[1][left-x][m.second]+m.broken)
			*b = min(*b, two[0][x][m.first]+m.broken)
		}
	}
	least = never
	for h := range two {
		for x := range all + 1 {
			for y := range all - x + 1 {
				if mine[2*h][x] == nil || mine[2*h+1][y] == nil {
					continue
				}
				a := (*byGiving)(s.everyone[2*h][useAt[left][all][x]*mostTaken:])
				b := (*byGiving)(s.everyone[2*h+1][useAt[left][all][y]*mostTaken:])
				least = min(least, apart(a, b, mine[2*h][x], mine[2*h+1][y], &rest[h][x+y]))
			}
		}
	}
	return least
}

// apart sets for each choice of two chains the least cost of all four. rest is the least cost of the other two.
func apart(a, b, ownA, ownB *byGiving, rest *byGivings) (least int32) {
	b0, b1, b2 := b[0], b[1], b[2]
	least = never
	for g, own := range ownA {
		r := (*byGiving)(rest[g*mostTaken:])
		x, y, z := own+ownB[0]+r[0], own+ownB[1]+r[1], own+ownB[2]+r[2]
		a[g] = min(a[g], x, y, z)
		b0, b1, b2 = min(b0, x), min(b1, y), min(b2, z)
		least = min(least, a[g])
	}
	b[0], b[1], b[2] = b0, b1, b2
	return least
}

// together adds up the costs of two chains.
func together(sum *byGivings, a, b *byGiving) {
	for g, own := range a {
		s := (*byGiving)(sum[g*mostTaken:])
		s[0], s[1], s[2] = min(s[0], own+b[0]), min(s[1], own+b[1]), min(s[2], own+b[2])
	}
}

var barredTwo = func() (all byGivings) {
	for i := range all {
		all[i] = never
	}
	return all
}()

// packedMeld is a grouping with the tiles of the first two colours packed into one number, and those of the second two
// into another.
type packedMeld struct {
	first, second, jokers uint8
	broken                int32
}

func (s *search) packMelds() {
	s.packed = s.packed[:0]
	for i := range s.melds {
		m := &s.melds[i]
		s.packed = append(s.packed, packedMeld{m.takes[0]*mostTaken + m.takes[1], m.takes[2]*mostTaken + m.takes[3],
			m.jokers,
			int32(m.broken) * s.kept.broken})
	}
}

// sellCounting computes what groups earn at the prices.
func (s *search) sellCounting() {
	s.earned[numbers+1] = byCount{}
	for n := numbers; n >= 1; n-- {
		next, here := &s.earned[n+1], &s.earned[n]
		*here = neverCounted
		for left := range s.jokers + 1 {
			for all := range left + 1 {
				here[left] = min(here[left], s.sold(n, left, all)+next[left-all])
			}
		}
	}
}

// sold returns the least cost of the groups at number n. left is the number of jokers left before n, and all the number
// that all colours and groups use there. Earnings are negative costs. No tile is sold for more than it is worth to all
// together.
func (s *search) sold(n, left, all int) (least int32) {
	var two [2][mostCounted]byGivings
	for h := range two {
		for own := range all + 1 {
			two[h][own] = dearestTwo
		}
		for x := range all + 1 {
			for y := range all - x + 1 {
				a := (*byGiving)(s.worth[2*h][n][useAt[left][all][x]*mostTaken:])
				b := (*byGiving)(s.worth[2*h+1][n][useAt[left][all][y]*mostTaken:])
				for g, own := range a {
					for k, other := range b {
						if sum := &two[h][x+y][g*mostTaken+k]; own < far && other < far {
							*sum = max(*sum, own+other)
						}
					}
				}
			}
		}
	}
	least = never
	melds := s.packed[s.from[n]:s.from[n+1]]
	for i := range melds {
		m := &melds[i]
		left := all - int(m.jokers)
		if left < 0 {
			break
		}
		for x := range left + 1 {
			if a, b := two[0][x][m.first], two[1][left-x][m.second]; min(a, b) > -far {
				least = min(least, m.broken-a-b)
			}
		}
	}
	return least
}

var dearestTwo = func() (all byGivings) {
	for i := range all {
		all[i] = -never
	}
	return all
}()
