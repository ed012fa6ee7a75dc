package solve

import "math/bits"

// levels are the costs that tiles left on the rack can have: this many tiles of this much value together. A lower bound between
// two of them is as good as the upper one.
type levels struct {
	of      weights
	joker   int  // its value
	byValue bool // value comes first
	few     bool // so few tiles that they are listed
	listed  bool
	most    int                // the most value
	tiles   [mostLevels]uint64 // by value: bit t, that t tiles can have it
}

const mostLevels = 1024

// list finds them all for the tiles that may stay on the rack.
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

// below gives the highest level below a cost, -1 when there is none.
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
