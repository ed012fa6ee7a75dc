package pairing

import "math/bits"

// onward looks at the rounds that are still to come: it counts the fours of players of whom no two have met, out of
// which those rounds can be made. By standing, a draw leaves as many of them as it can, or the last rounds would
// have no way left but to repeat meetings.
type onward struct {
	free []uint64 // by player: whom they have not met
}

// weighFour is the worth of one four: some places in the standings. An exchange frees fewer than onwardSlack of them.
const (
	weighFour   = 1 << 12
	onwardSlack = 1 << 22
)

// newOnward is for up to 64 players.
func newOnward(s *sheet) *onward {
	o := &onward{free: make([]uint64, s.n)}
	for a := range s.n {
		for b := range s.n {
			if a != b && s.met[a*s.n+b] == 0 {
				o.free[a] |= 1 << b
			}
		}
	}
	return o
}

// foursWith counts the fours of the players a, b and two more.
func (o *onward) foursWith(a, b int32) int64 {
	common := o.free[a] & o.free[b]
	n := 0
	for rest := common; rest != 0; rest &= rest - 1 {
		n += bits.OnesCount64(o.free[bits.TrailingZeros64(rest)] & common)
	}
	return int64(n / 2)
}

// meet takes a pair out and tells how many fours go with it; part is the opposite.
func (o *onward) meet(a, b int32) int64 {
	n := o.foursWith(a, b)
	o.free[a] &^= 1 << b
	o.free[b] &^= 1 << a
	return n
}

func (o *onward) part(a, b int32) int64 {
	n := o.foursWith(a, b)
	o.free[a] |= 1 << b
	o.free[b] |= 1 << a
	return n
}

// move follows the exchange of the players at places i and j, before it is made, and tells how many fours are lost.
func (o *onward) move(s *sheet, r int, i, j int32) int64 {
	round := s.who[r*s.n : (r+1)*s.n]
	return o.shift(s, round, i, j) + o.shift(s, round, j, i)
}

// shift moves the player at place i to the table of place j, in place of the one who sits there.
func (o *onward) shift(s *sheet, round []int32, i, j int32) (lost int64) {
	a := round[i]
	ti, tj := s.tableAt[i], s.tableAt[j]
	for k := s.first[ti]; k < s.first[ti]+s.size[ti]; k++ {
		if x := round[k]; k != i && s.met[int(a)*s.n+int(x)] == 1 {
			lost -= o.part(a, x)
		}
	}
	for k := s.first[tj]; k < s.first[tj]+s.size[tj]; k++ {
		if x := round[k]; k != j && s.met[int(a)*s.n+int(x)] == 0 {
			lost += o.meet(a, x)
		}
	}
	return lost
}

// back undoes a move whose exchange was not made.
func (o *onward) back(s *sheet, r int, i, j int32) {
	round := s.who[r*s.n : (r+1)*s.n]
	for _, p := range [2][2]int32{{i, j}, {j, i}} {
		a, ti, tj := round[p[0]], s.tableAt[p[0]], s.tableAt[p[1]]
		for k := s.first[ti]; k < s.first[ti]+s.size[ti]; k++ {
			if x := round[k]; k != p[0] && s.met[int(a)*s.n+int(x)] == 1 {
				o.free[a] &^= 1 << x
				o.free[x] &^= 1 << a
			}
		}
		for k := s.first[tj]; k < s.first[tj]+s.size[tj]; k++ {
			if x := round[k]; k != p[1] && s.met[int(a)*s.n+int(x)] == 0 {
				o.free[a] |= 1 << x
				o.free[x] |= 1 << a
			}
		}
	}
}
