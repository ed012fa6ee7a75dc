package solve

import "math/bits"

// few is the search for few tiles. It lists the sets that they could make, and tries which of them can lie side by
// side. A run of six or more counts as two runs, and a joker that no set needs is laid at the end. So the listed sets
// have at most five tiles, and need each of their jokers.
//
// Bit 13c+n-1 is the face of colour c and number n. Invariant: in every call of try, the parameter one holds the faces
// with at least one tile left, and the parameter two those with two.
type few struct {
	most        int    // the maximum number of tiles
	one, two    uint64 // faces with at least one tile; faces with two
	idle, idles uint64 // faces whose one tile, or two, may stay on the rack
	worth       [colours * numbers]int32
	base        int32 // cost of laying only what must be laid
	jokers      int
	jokerWorth  int32
	rackJokers  int
	sets        []fewSet // sets without a joker, then with one, then with two
	ends        [3]int   // the end of each of these parts
	rest        []int32  // by index i: worth of all tiles in the sets sets[i:ends[0]], which need no joker
	loose       int      // jokers that no set needs
	best        int32    // worth of the best play found, or the worth to exceed
	chosen      [fewTiles]uint8
	found       []uint8
	work        int
	first       bool // any play will do
	any, stop   bool
}

// fewSet holds the tiles of a set. The index of the set gives the number of jokers that it needs (see ends).
type fewSet struct {
	faces uint64
	worth int32 // cost of its tiles if they stay on the rack
	room  int8  // room for more jokers
	run   bool
}

// Beyond these limits, the search number by number takes less time.
const (
	fewTiles = 26
	fewSets  = 160
	fewWork  = 700
)

// shape is the form of a set: its tiles relative to the first one, and the faces that can be the first one.
type shape struct {
	faces, starts uint64
	room          int8
	run           bool
}

// shapes lists the shapes without a joker, with one, and with two.
var shapes = func() (all [3][]shape) {
	const eachColour = 1 | 1<<numbers | 1<<(2*numbers) | 1<<(3*numbers)
	for jokers, runs := range [3][]uint64{{0b11111, 0b1111, 0b111},
		{0b11101, 0b11011, 0b10111, 0b1101, 0b1011, 0b101, 0b11}, {0b10101, 0b11001, 0b10011, 0b1001}} {
		for _, run := range runs {
			all[jokers] = append(all[jokers], shape{run, eachColour * (1<<(numbers+1-bits.Len64(run)) - 1), mostJokers,
				true})
		}
		for _, size := range []int{4, 3, 2, 1} {
			for some := range uint(1 << colours) {
				if bits.OnesCount(some) != size || size+jokers < 3 || size+jokers > 3 && jokers > 0 {
					continue
				}
				group := shape{starts: 1<<numbers - 1, room: int8(4 - size - jokers)}
				for c := range colours {
					group.faces |= uint64(some>>c&1) << (numbers * c)
				}
				all[jokers] = append(all[jokers], group)
			}
		}
	}
	return all
}()

// fill copies the tiles. It reports whether the list of sets can be used: there are at most f.most tiles, at most two
// of a face, and at most two jokers.
func (f *few) fill(t *tiles) bool {
	f.one, f.two, f.idle, f.idles = 0, 0, 0, 0
	f.jokers, f.jokerWorth, f.rackJokers = t.jokers, t.jokerCost, t.rack
	f.base = int32(t.jokers) * t.jokerCost
	total := t.jokers
	for c := range colours {
		for n := 1; n <= numbers; n++ {
			have, idle := t.have[c][n], t.idle[c][n]
			if have == 0 {
				continue
			}
			if total += int(have); have > 2 || total > f.most {
				return false
			}
			at := c*numbers + n - 1
			f.one |= 1 << at
			f.two |= uint64(have>>1) << at
			if f.worth[at] = 0; idle > 0 {
				f.worth[at] = t.cost[n]
				f.base += int32(have) * t.cost[n]
				f.idle |= 1 << at
				f.idles |= uint64(idle>>1) << at
			}
		}
	}
	return t.jokers <= 2
}

// list lists the sets, and reports whether there are at most fewSets of them.
func (f *few) list() bool {
	f.sets = f.sets[:0]
	for jokers := range f.jokers + 1 {
		for _, s := range shapes[jokers] {
			starts := s.starts
			for rest := s.faces; rest != 0; rest &= rest - 1 {
				starts &= f.one >> bits.TrailingZeros64(rest)
			}
			for ; starts != 0; starts &= starts - 1 {
				set := fewSet{faces: s.faces << bits.TrailingZeros64(starts), room: s.room, run: s.run}
				for rest := set.faces; rest != 0; rest &= rest - 1 {
					set.worth += f.worth[bits.TrailingZeros64(rest)]
				}
				f.sets = append(f.sets, set)
			}
		}
		if len(f.sets) > fewSets {
			return false
		}
		f.ends[jokers] = len(f.sets)
	}
	plain := f.ends[0]
	f.rest = append(f.rest[:0], make([]int32, plain+1)...)
	seen := uint64(0)
	for i := plain - 1; i >= 0; i-- {
		f.rest[i] = f.rest[i+1]
		for rest := f.sets[i].faces &^ seen; rest != 0; rest &= rest - 1 {
			at := bits.TrailingZeros64(rest)
			f.rest[i] += f.worth[at] * int32(1+f.two>>at&1)
		}
		seen |= f.sets[i].faces
	}
	return true
}

// run searches for a play that costs less than below. ended reports whether the search was complete. base-best is then
// the least cost, if a play was found.
func (f *few) run(below int32) (ended bool) {
	f.work, f.any, f.stop = 0, false, false
	least := f.base - below
	most := f.plain() + int32(f.jokers)*f.jokerWorth
	f.best = least
	f.loose = f.jokers
	f.try(f.one, f.two, 0, 0, 0, 0)
	if f.jokers == 0 {
		return f.ended()
	}
	one := f.sets[f.ends[0]:f.ends[1]]
	richest := int32(0)
	f.loose--
	for i := range one {
		richest = max(richest, one[i].worth)
		if one[i].worth+most > f.best {
			f.with(f.ends[0] + i)
		}
	}
	if f.jokers == 1 {
		return f.ended()
	}
	f.loose--
	for i := f.ends[1]; i < f.ends[2]; i++ {
		if f.sets[i].worth+most > f.best {
			f.with(i)
		}
	}
	for i := range one {
		if one[i].worth+richest+most <= f.best {
			continue
		}
		left, two := f.one&^(one[i].faces&^f.two), f.two&^one[i].faces
		for k := i; k < len(one); k++ {
			if worth := one[i].worth + one[k].worth; worth+most > f.best && one[k].faces&^left == 0 {
				f.chosen[0], f.chosen[1] = uint8(f.ends[0]+i), uint8(f.ends[0]+k)
				f.try(left&^(one[k].faces&^two), two&^one[k].faces, worth+2*f.jokerWorth, 0, 0, 2)
			}
		}
	}
	return f.ended()
}

func (f *few) ended() bool { return !f.stop || f.any && f.first }

// plain returns an upper bound on the worth of sets without jokers, as if any tile could stay on the rack.
func (f *few) plain() int32 {
	if f.jokers == 0 {
		return f.rest[0]
	}
	idle, idles, first := f.idle, f.idles, f.first
	f.idle, f.idles, f.first, f.loose, f.best = f.one, f.two, false, 0, 0
	f.try(f.one, f.two, 0, 0, 0, 0)
	f.idle, f.idles, f.first, f.any = idle, idles, first, false
	return f.best
}

// with tries the combinations of set i, which has jokers, with sets without jokers.
func (f *few) with(i int) {
	s := &f.sets[i]
	f.chosen[0] = uint8(i)
	f.try(f.one&^(s.faces&^f.two), f.two&^s.faces, s.worth+int32(f.jokers-f.loose)*f.jokerWorth, int(s.room), 0, 1)
}

// try adds sets without jokers to the chosen sets, beginning at index from. depth is the number of sets chosen so far,
// worth their total worth, and room the number of jokers that they can still take.
func (f *few) try(one, two uint64, worth int32, room, from, depth int) {
	loose := int32(f.loose) * f.jokerWorth
	if f.stop || worth+f.rest[from]+loose <= f.best {
		return
	}
	if f.work++; f.work > fewWork {
		f.stop = true
		return
	}
	plain := f.sets[:f.ends[0]]
	if must := one&^f.idle | two&^f.idles; must != 0 {
		must &= -must
		for i := range plain {
			if s := &plain[i]; s.faces&must != 0 && s.faces&^one == 0 {
				f.chosen[depth] = uint8(i)
				f.try(one&^(s.faces&^two), two&^s.faces, worth+s.worth, room+int(s.room), 0, depth+1)
			}
		}
		return
	}
	laid := min(f.loose, room)
	if all := worth + int32(laid)*f.jokerWorth; all > f.best && f.loose-laid <= f.rackJokers {
		f.best, f.any, f.stop = all, true, f.first
		f.found = append(f.found[:0], f.chosen[:depth]...)
	}
	for i := from; i < len(plain) && worth+f.rest[i]+loose > f.best; i++ {
		if s := &plain[i]; s.faces&^one == 0 {
			f.chosen[depth] = uint8(i)
			f.try(one&^(s.faces&^two), two&^s.faces, worth+s.worth, room+int(s.room), i, depth+1)
		}
	}
}

// trace records the result in the form of the other search, number by number.
func (f *few) trace(t *tiles, way *[numbers + 1]stepTaken) {
	*way = [numbers + 1]stepTaken{}
	for n := 1; n <= numbers; n++ {
		for c := range colours {
			way[n].arcs[c].spare = t.have[c][n]
		}
	}
	for _, i := range f.found {
		s := &f.sets[i]
		lowest := bits.TrailingZeros64(s.faces)
		if !s.run {
			n := lowest%numbers + 1
			by := &way[n]
			by.groups++
			for c := range colours {
				by.takes[c] += uint8(s.faces >> (c*numbers + n - 1) & 1)
			}
			by.used += uint8(max(0, 3-bits.OnesCount64(s.faces)))
			continue
		}
		c := lowest / numbers
		first, faces := lowest%numbers+1, s.faces>>lowest
		size := max(3, bits.Len64(faces))
		if first+size-1 > numbers {
			first, faces = first-1, faces<<1
		}
		way[first].arcs[c].begun++
		for k := range size {
			a := &way[first+k].arcs[c]
			if k >= 3 {
				a.longer++
			}
			if faces>>k&1 == 1 {
				a.spare--
			} else {
				a.jokers++
			}
		}
	}
}
