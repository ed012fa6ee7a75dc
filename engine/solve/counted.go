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

const (
	mostTaken   = 3             // a colour gives 0, 1 or 2 tiles of a number to groups
	mostCounted = maxJokers + 1 // jokers left: 0, 1 or 2
	uses        = 10            // the number of uses of jokers at a number; see use
	givings     = uses * mostTaken
)

// use describes the use of jokers at a number: how many are left before it, how many all colours and groups use
// together, and how many of these one colour uses.
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

// counted holds the chains that count, including the fifth one. Its memory is reused.
type counted struct {
	chains  *chains
	prices  *prices
	options []option
	byPlace [colours][numbers + 1]optionRange // options of a place
	byLink  []optionRange                     // options of a link
	shift   [colours][numbers + 2]int32       // from the index of a link to its index in byLink, below and above
	worth   [colours][numbers + 1][givings]int32
	below   []byCount // least cost of a way to a link
	above   []byCount // least cost from a link to the end
	earned  [numbers + 2]byCount
	packed  []packedGrouping
	own     [colours][givings]int32 // at one number, least cost of a chain
	all     [colours][givings]int32 // at one number, least cost of all four chains
}

var neverCounted = byCount{never, never, never, never}

var barredGivings = func() (all [givings]int32) {
	for i := range all {
		all[i] = never
	}
	return all
}()

// fill prepares the chains that count, and reports whether the position allows counting.
func (s *counted) fill() bool {
	if s.chains.jokers > maxJokers || s.chains.jokers == 0 {
		return false
	}
	for n := 1; n <= numbers; n++ {
		for c := range colours {
			if s.prices.groupings.most[c][n] >= mostTaken {
				return false
			}
		}
	}
	s.listOptions()
	for c := range colours {
		for n := 1; n <= numbers; n++ {
			price, most := &s.prices.price[c][n], int(s.prices.groupings.most[c][n])
			for i, use := range usesOf {
				for given := range mostTaken {
					worth := &s.worth[c][n][i*mostTaken+given]
					if *worth = never; given <= most && price[given] < far {
						*worth = price[given] + int32(use.own)*s.chains.joker
					}
				}
			}
		}
	}
	return true
}

// listOptions lists the options of all places.
func (s *counted) listOptions() {
	s.options, s.byLink = s.options[:0], s.byLink[:0]
	for c := range colours {
		for n := 1; n <= numbers; n++ {
			at, began := &s.chains.places[c][n], int32(len(s.options))
			s.shift[c][n] = int32(len(s.byLink)) - at.links
			for i := at.links; i < at.linksEnd; i++ {
				first := int32(len(s.options))
				if at.quiet {
					s.options = append(s.options, option{from: uint16(i), to: uint16(i)})
				} else {
					s.optionsOf(c, n, i)
				}
				s.byLink = append(s.byLink, optionRange{first, int32(len(s.options))})
			}
			s.byPlace[c][n] = optionRange{began, int32(len(s.options))}
		}
		s.shift[c][numbers+1] = int32(len(s.byLink)) - s.chains.places[c][numbers+1].links
		s.byLink = append(s.byLink, optionRange{})
	}
	s.below = slices.Grow(s.below[:0], len(s.byLink))[:len(s.byLink)]
	s.above = slices.Grow(s.above[:0], len(s.byLink))[:len(s.byLink)]
}

func (s *counted) optionsOf(c, n int, link int32) {
	price, most := &s.prices.price[c][n], s.prices.groupings.most[c][n]
	for k := s.chains.links[link].first; k < s.chains.links[link].last; k++ {
		a := &s.chains.arcs[k]
		for idle := a.leastIdle; idle <= a.idle; idle++ {
			if given := a.spare - idle; given <= most && price[given] < far {
				cost := int32(idle)*s.chains.cost[n] + int32(a.broken)*s.chains.kept.broken
				s.options = append(s.options, option{arc: k, cost: cost, from: uint16(link), to: a.to, given: given,
					jokers: a.jokers})
			}
		}
	}
}

// agree sets the prices in sweeps up and down through all numbers, as long as each sweep raises the bound and the bound
// does not exceed the goal. The number of sweeps is limited to most.
func (s *counted) agree(most int, goal int32) {
	s.packGroupings()
	bound := int32(-never)
	for i := range most {
		for k := range s.below {
			s.below[k] = neverCounted
		}
		for c := range colours {
			s.below[s.chains.places[c][1].links+s.shift[c][1]][s.chains.jokers] = 0
		}
		for n := 1; n <= numbers; n++ {
			if i > 0 {
				s.adjust(n)
			}
			for c := range colours {
				s.goUp(c, n)
			}
		}
		for c := range colours {
			s.above[s.chains.places[c][numbers+1].links+s.shift[c][numbers+1]] = byCount{}
		}
		least := int32(0)
		for n := numbers; n >= 1; n-- {
			least = s.adjust(n)
			for c := range colours {
				s.goDown(c, n)
			}
		}
		if i%3 == 2 {
			if least > goal || least < bound+s.chains.cost[1]/32 {
				break
			}
			bound = least
		}
	}
	s.sell()
}

// goUp computes the least cost of the ways to the next links.
func (s *counted) goUp(c, n int) {
	at, worth, here, next := s.byPlace[c][n], &s.worth[c][n], s.shift[c][n], s.shift[c][n+1]
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

// goDown computes the least cost of the ways from links to the end.
func (s *counted) goDown(c, n int) {
	at, worth, here, next := &s.chains.places[c][n], &s.worth[c][n], s.shift[c][n], s.shift[c][n+1]
	for i := at.links; i < at.linksEnd; i++ {
		least := neverCounted
		options := s.byLink[i+here]
		for j := options.first; j < options.last; j++ {
			o := &s.options[j]
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

// adjust sets the prices of number n so that the four chains have the same least cost, whatever happens there.
// It returns the least cost of all four together.
func (s *counted) adjust(n int) int32 {
	for c := range colours {
		s.own[c], s.all[c] = barredGivings, barredGivings
		own := &s.own[c]
		at, here, next := s.byPlace[c][n], s.shift[c][n], s.shift[c][n+1]
		for i := at.first; i < at.last; i++ {
			o := &s.options[i]
			from, to := &s.below[int32(o.from)+here], &s.above[int32(o.to)+next]
			for k := usesFrom[o.jokers]; k < usesFrom[o.jokers+1]; k++ {
				u := usesOf[k]
				least := &own[k*mostTaken+int(o.given)]
				*least = min(*least, from[u.left&3]+o.cost+to[(u.left-u.all)&3])
			}
		}
	}
	least := int32(never)
	for left := range s.chains.jokers + 1 {
		for all := range left + 1 {
			least = min(least, s.share(n, left, all))
		}
	}
	for c := range colours {
		worth := &s.worth[c][n]
		for i, all := range s.all[c] {
			if worth[i] = never; all < far {
				worth[i] = all>>2 - s.own[c][i]
			}
		}
	}
	return least
}
