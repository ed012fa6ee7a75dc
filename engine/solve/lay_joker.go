package solve

import (
	"slices"

	"meldhall/engine/tile"
)

// jokers adds jokers to the new groups: if jokers need hosts, as the seating specifies, otherwise always to the
// smallest group.
//
// This file keeps one invariant: each set is valid once it has all the jokers assigned to it.
func (l *laying) jokers(first int, by *stepTaken, seats seating, host bool) {
	groups := l.sets[first : first+int(by.groups)]
	for range by.used {
		at := 0
		for g := range groups {
			if host && seats.jokers[g] > 0 {
				at = g
			} else if !host && groups[g].tiles < groups[at].tiles {
				at = g
			}
		}
		seats.jokers[at]--
		groups[at].addFree()
	}
}

// seats distributes tiles and jokers among the groups if jokers need hosts.
func (l *laying) seats(t *tiles, by *stepTaken) seating {
	if !t.host || by.groups == 0 {
		return seating{}
	}
	var claims [colours]uint8
	for c := range colours {
		claims[c] = min(by.arcs[c].claims, by.takes[c])
	}
	seats, _ := seatGroups(int(by.groups), int(by.used), by.takes, claims)
	return seats
}

// runsAsPlanned continues the open runs of colour c at number n if jokers need hosts, by the plan of the arc.
func (l *laying) runsAsPlanned(c, n int, by *stepTaken, have *stock) {
	rank := func(i int) int { return 3*l.sets[i].kind + min(l.sets[i].tiles, 3) }
	slices.SortStableFunc(l.open[c], func(a, b int) int { return rank(a) - rank(b) })
	plan, forgotten := by.arcs[c].plan, -by.from[c].longs()
	for _, i := range l.open[c] {
		if rank(i) == 3 {
			forgotten++
		}
	}
	open := l.open[c][:0]
	for _, i := range l.open[c] {
		if rank(i) == 3 && forgotten > 0 {
			forgotten--
			continue
		}
		gets := int(plan & (1<<planBits - 1))
		plan >>= planBits
		if gets != ends {
			l.sets[i].receive(gets, have)
			open = append(open, i)
		}
	}
	for range by.arcs[c].begun {
		l.sets = append(l.sets, row{old: -1, first: n})
		l.sets[len(l.sets)-1].receive(int(plan&(1<<planBits-1)), have)
		plan >>= planBits
		open = append(open, len(l.sets)-1)
	}
	l.open[c] = open
}

func (r *row) receive(gets int, have *stock) {
	switch gets {
	case getsJoker:
		have.free--
		r.addFree()
		r.kind = max(r.kind, waiting)
	case getsRackTile:
		have.takeTile(r, true)
		r.kind = hosting
	default:
		have.takeTile(r, false)
	}
}

func (r *row) addFree() {
	r.add(tile.Joker)
	r.free++
}

// place lays leftover jokers. It prefers sets with other moved jokers, then sets with rack tiles, then other new sets.
// It returns how many jokers it laid, and how many sets of the old table it changed to do so.
func (l *laying) place(jokers int, played *tile.Counts) (laid, broken int) {
	for ; laid < jokers; laid++ {
		at := -1
		for i := range l.sets {
			if r := &l.sets[i]; r.hasRoom() && (at < 0 || r.welcomes(played) > l.sets[at].welcomes(played)) {
				at = i
			}
		}
		if at < 0 {
			return laid, broken
		}
		if l.sets[at].old >= 0 {
			broken++
			l.sets[at].old = -1
		}
		l.addJoker(at)
	}
	return laid, broken
}

// welcomes rates how well a joker fits into a set.
func (r *row) welcomes(played *tile.Counts) int {
	worth := 0
	if r.first > 0 {
		worth = 1 // a run has room for more of them
	}
	switch {
	case r.old >= 0:
		return worth
	case r.free > 0:
		return worth + 6
	case r.holdsPlayed(played):
		return worth + 4
	}
	return worth + 2
}

// holdsPlayed reports whether a set holds a tile of a face that was played, other than a joker.
func (r *row) holdsPlayed(played *tile.Counts) bool {
	return slices.ContainsFunc(r.faces[:r.tiles], func(f tile.Face) bool { return f != tile.Joker && played[f] > 0 })
}

// waits returns the smallest possible number of sets from index from on that hold a moved joker but get no played tile
// of their own. It tries all ways to assign the played tiles to these sets.
func (l *laying) waits(from int, played tile.Counts) int {
	for from < len(l.sets) && l.sets[from].free == 0 {
		from++
	}
	if from == len(l.sets) {
		return 0
	}
	fewest := 1 + l.waits(from+1, played)
	for _, f := range l.sets[from].faces[:l.sets[from].tiles] {
		if f != tile.Joker && played[f] > 0 {
			played[f]--
			fewest = min(fewest, l.waits(from+1, played))
			played[f]++
		}
	}
	return fewest
}

func (r *row) hasRoom() bool { return r.first > 0 || r.tiles < 4 }

// addJoker adds a joker to a set. In a run it goes to the end or, if there is no higher number, to the start. A run of
// all numbers becomes two.
func (l *laying) addJoker(at int) {
	r := &l.sets[at]
	switch {
	case r.first == 0 || r.first+r.tiles <= numbers:
		r.addFree()
	case r.first > 1:
		copy(r.faces[1:], r.faces[:r.tiles])
		r.faces[0] = tile.Joker
		r.tiles++
		r.first--
		r.free++
	default:
		upper := row{old: -1, first: 7}
		for _, f := range r.faces[6:r.tiles] {
			upper.add(f)
		}
		r.tiles = 6
		r.addFree()
		l.sets = append(l.sets, upper)
	}
}

// mix puts jokers that lie alone, which are not a set, into another set. With three or four jokers the search may leave
// them so, because any other set can take them all. If there is no other set, no tile is laid. That happens only if a
// limit ends the search, because a rack tile with jokers is a better play.
func (l *laying) mix() {
	alone := slices.IndexFunc(l.sets, func(r row) bool { return countJokers(r.faces[:r.tiles]) == r.tiles })
	if alone < 0 {
		return
	}
	jokers := l.sets[alone].tiles
	l.sets = slices.Delete(l.sets, alone, alone+1)
	if len(l.sets) == 0 {
		return
	}
	at := slices.IndexFunc(l.sets, func(r row) bool { return r.first > 0 })
	if at < 0 {
		l.sets = append(l.sets, l.sets[0].split(jokers))
		return
	}
	for range jokers {
		l.addJoker(at)
	}
}

// split makes two groups from a group and at least three jokers: one tile with jokers, and the rest.
func (r *row) split(jokers int) (other row) {
	tiles := slices.DeleteFunc(slices.Clone(r.faces[:r.tiles]), func(f tile.Face) bool { return f == tile.Joker })
	half := (r.tiles + jokers) / 2
	jokers += r.tiles - len(tiles)
	*r, other = row{old: -1}, row{old: -1}
	r.add(tiles[0])
	for _, f := range tiles[1:] {
		other.add(f)
	}
	for ; jokers > 0; jokers-- {
		if r.tiles < half {
			r.addFree()
		} else {
			other.addFree()
		}
	}
	return other
}
