package solve

import "math/bits"

// memo stores a lower bound of the remaining cost of each state, in an open-addressing table whose memory is reused.
//
// Invariant: the bound of a state is never above its remaining cost, so a search may skip a state whose bound is too
// high.
type memo struct {
	slots []bounded
	used  int
	round uint32 // slots of earlier rounds count as empty
}

type bounded struct {
	key   uint64
	round uint32
	rest  int32
}

func (m *memo) clear() {
	if m.slots == nil {
		m.slots = make([]bounded, 1<<10)
	}
	m.round++
	if m.round == 0 {
		clear(m.slots)
		m.round = 1
	}
	m.used = 0
}

// find returns the bound of a state, or 0 if none is stored, and the slot where it is or would be.
func (m *memo) find(key uint64) (slot int, rest int32) {
	mask := len(m.slots) - 1
	at := int(key*0x9E3779B97F4A7C15>>32) & mask
	for m.slots[at].round == m.round {
		if m.slots[at].key == key {
			return at, m.slots[at].rest
		}
		at = (at + 1) & mask
	}
	return at, 0
}

// learn stores a bound. slot is the result of find; the table may have changed since.
func (m *memo) learn(slot int, key uint64, rest int32) {
	if slot >= len(m.slots) || m.slots[slot].round != m.round || m.slots[slot].key != key {
		slot, _ = m.find(key)
	}
	if m.slots[slot].round != m.round {
		m.used++
	}
	m.slots[slot] = bounded{key, m.round, rest}
	if 2*m.used > len(m.slots) {
		m.grow()
	}
}

func (m *memo) grow() {
	old := m.slots
	m.slots = make([]bounded, 4*len(old))
	for _, o := range old {
		if o.round == m.round {
			slot, _ := m.find(o.key)
			m.slots[slot] = o
		}
	}
}

// levels holds the possible costs of the tiles left on the rack. A cost is a number of tiles with a total value. A
// lower bound between two levels is as good as the upper one.
//
// Invariant: if few is set, every choice of the tiles that may stay on the rack has a level.
type levels struct {
	of      weights
	joker   int  // value of a joker
	byValue bool // value counts before tiles
	few     bool // few enough tiles to list the levels
	listed  bool
	most    int                // the greatest value
	tiles   [mostLevels]uint64 // by value: bit t is set if t tiles can have it
}

const mostLevels = 1024

// list computes the levels of the tiles that may stay on the rack.
func (l *levels) list(t *tiles) {
	clear(l.tiles[:l.most+1])
	l.most, l.listed, l.few = 0, true, true
	l.tiles[0] = 1
	count := 0
	add := func(value, copies int) {
		if count += copies; count >= 64 || l.most+copies*value >= mostLevels {
			l.few = false
			return
		}
		for range copies {
			for v := l.most; v >= 0; v-- {
				l.tiles[v+value] |= l.tiles[v] << 1
			}
			l.most += value
		}
	}
	for n := 1; n <= numbers && l.few; n++ {
		value := n
		if t.turned {
			value = numbers + 1 - n
		}
		add(value, int(t.idle[0][n])+int(t.idle[1][n])+int(t.idle[2][n])+int(t.idle[3][n]))
	}
	if l.few {
		add(l.joker, t.rack)
	}
}

// below returns the highest level below a cost, or -1 if there is none.
func (l *levels) below(cost int32) int32 {
	if cost <= 0 {
		return -1
	}
	if !l.byValue {
		tiles, value := int(cost/l.of.tile), int(cost%l.of.tile)
		for value = min(value-1, l.most); tiles >= 0; tiles-- {
			for ; value >= 0; value-- {
				if l.tiles[value]>>tiles&1 == 1 {
					return int32(tiles)*l.of.tile + int32(value)*l.of.point
				}
			}
			value = l.most
		}
		return -1
	}
	value, tiles := int(cost/l.of.point), int(cost%l.of.point)
	for ; value >= 0; value-- {
		if value <= l.most {
			if under := l.tiles[value] & (1<<tiles - 1); under != 0 {
				return int32(value)*l.of.point + int32(bits.Len64(under)-1)
			}
		}
		tiles = 64
	}
	return -1
}
