package solve

import "meldhall/engine/tile"

// stuckNodes bounds the work of CanLay: a few tens of milliseconds at most.
const stuckNodes = 40_000

// CanLay tells whether some arrangement under free joker rules holds every tile of the table and at
// least one of the rack. false is a proof: stricter joker rules allow no more, so a player who has opened and
// holds this rack cannot play. true means that an arrangement was found, or that none was ruled out within
// the bounded work.
func CanLay(table, rack tile.Counts) bool {
	w := &stuck{seen: make(map[state]bool), must: int(min(table[tile.Joker], maxJokers))}
	w.fill(table, rack)
	all := int(min(table[tile.Joker]+rack[tile.Joker], maxJokers))
	w.all = all
	for n := 1; n <= numbers; n++ {
		for c := range colours {
			w.mustAt[n] += w.stuckWalk.must[c][n]
		}
	}
	return w.search(withJokers(all), 1, false)
}

// stuck walks depth first and remembers the states, with their number and whether a rack tile lies, from
// which the end was not reached.
type stuck struct {
	stuckWalk
	seen      map[state]bool
	must, all int // jokers that must be used, and that there are
	mustAt    [numbers + 1]uint8
	nodes     int
}

func (w *stuck) search(s state, n int, laid bool) bool {
	if n > numbers {
		used := w.all - s.jokers()
		return used >= w.must && (laid || used > w.must)
	}
	key := s | withExtra(n<<1)
	if laid {
		key |= withExtra(1)
	}
	if w.seen[key] {
		return false
	}
	if w.nodes++; w.nodes > stuckNodes {
		return true
	}
	steps := append([]step(nil), w.through(s, n)...)
	for i := len(steps) - 1; i >= 0; i-- {
		by := steps[i]
		if w.search(by.next, n+1, laid || by.tiles-by.jokers > w.mustAt[n]) {
			return true
		}
	}
	w.seen[key] = true
	return false
}
