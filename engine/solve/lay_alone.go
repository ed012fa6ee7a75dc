package solve

import (
	"slices"

	"meldhall/engine/tile"
)

// mix puts jokers that lie alone, which are no set, into another one. With three or four jokers the search may leave them so: any
// other set takes them all, so that it need not know. Where there is none, nothing is left; that happens only when a limit
// ends the search, since a tile of the rack and jokers are more.
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

// split makes two groups of one and three jokers or more: a tile with jokers, and what is left.
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
