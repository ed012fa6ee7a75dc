package textrecord

import (
	"slices"
	"strconv"
	"strings"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// set is a set of a line: its place or tile.SomewhereFree, and its tiles.
type set struct {
	start word
	at    int
	tiles []setTile
}

// setTile is a tile of a set. own marks a tile from the rack.
type setTile struct {
	word
	tile tile.Tile
	own  bool
}

// sets reads sets separated by bars.
func (c *cursor) sets() (sets []set) {
	for c.more() {
		s := set{start: c.peek(), at: tile.SomewhereFree}
		if place, ok := strings.CutSuffix(s.start.text, ":"); ok {
			n, isNumber := numberIn(place)
			if !isNumber {
				c.expected(s.start, "a place such as 26:")
			}
			s.at = n
			c.next()
		}
		for c.more() {
			name, own := strings.CutPrefix(c.peek().text, "+")
			if name == "" {
				break
			}
			t, ok := tileIn(name)
			if !ok {
				break
			}
			s.tiles = append(s.tiles, setTile{c.next(), t, own})
		}
		sets = append(sets, s)
		if !c.take("|") {
			break
		}
		if !c.more() {
			c.expected(c.peek(), "a set after the bar")
		}
	}
	return sets
}

// laidFaces returns sets by their faces, as in a command.
func laidFaces(sets []set) []tile.LaidFaces {
	table := make([]tile.LaidFaces, len(sets))
	for i, s := range sets {
		table[i].At = s.at
		for _, t := range s.tiles {
			table[i].Faces = append(table[i].Faces, t.tile.Face())
		}
	}
	return table
}

// facesText writes sets by their faces, each with its place.
func facesText(table []tile.LaidFaces) string {
	var text strings.Builder
	for i, laid := range table {
		if i > 0 {
			text.WriteString(" |")
		}
		text.WriteString(" " + strconv.Itoa(laid.At) + ":")
		for _, f := range laid.Faces {
			text.WriteString(" " + f.String())
		}
	}
	return text.String()
}

// play is a play by its tiles: the table after it, and the tiles laid from the rack.
type play struct {
	before tile.List // the rack
	table  tile.Table
	played tile.List
}

// resolve finds the tiles of the sets of a play on the table and on the rack, and returns the play. The sets replace
// those sets of the table that have one of their tiles.
func (c *cursor) resolve(s *engine.State, seat int, sets []set) (p play) {
	var used [tile.Count]bool
	laid := make(tile.Table, len(sets))
	for i, one := range sets {
		if len(one.tiles) == 0 {
			c.expected(c.peek(), "a tile")
			return p
		}
		laid[i].At = one.at
		for _, t := range one.tiles {
			found, own, ok := find(s, seat, t, &used)
			if !ok {
				c.fail(t.fault("%s is neither on the table nor on the rack of %s, or it is named twice", t.text,
					seatText(seat)))
				return p
			}
			if used[found] = true; own {
				p.played = append(p.played, found)
			}
			laid[i].Tiles = append(laid[i].Tiles, found)
		}
	}
	for _, old := range s.Table {
		lost := slices.DeleteFunc(slices.Clone(old.Tiles), func(t tile.Tile) bool { return used[t] })
		if len(lost) > 0 && len(lost) < len(old.Tiles) {
			c.fail(sets[0].start.fault("the set %s is used, but %s is in none of the new sets", tilesText(old.Tiles),
				tilesText(lost)))
			return p
		}
	}
	p.before, p.table = s.Racks[seat], arranged(s.Table, laid)
	return p
}

// find returns the tile that a word names, and whether it is from the rack: the tile itself or, if it is not there, the
// other copy of its face.
func find(s *engine.State, seat int, t setTile, used *[tile.Count]bool) (found tile.Tile, own, ok bool) {
	copies := []tile.Tile{t.tile, tile.Of(t.tile.Face(), 1-t.tile.Copy())}
	if !t.own {
		for _, one := range copies {
			if !used[one] && s.Table.SetOf(one) >= 0 {
				return one, false, true
			}
		}
	}
	for _, one := range copies {
		if !used[one] && slices.Contains(s.Racks[seat], one) {
			return one, true, true
		}
	}
	return 0, false, false
}

// arranged returns the table after sets were laid: the old sets that lost no tile, then the new ones, all in the order
// of their places.
func arranged(before, laid tile.Table) tile.Table {
	var used [tile.Count]bool
	for _, one := range laid {
		for _, t := range one.Tiles {
			used[t] = true
		}
	}
	table := make(tile.Table, 0, len(before)+len(laid))
	for _, old := range before {
		if !used[old.Tiles[0]] {
			table = append(table, old)
		}
	}
	table = append(table, laid...)
	tile.Arrange(before, table)
	return table
}

// playText writes a play so that resolve finds it again: without places if the sets then lie where they do, and in the
// order in which the tiles were laid.
func playText(before tile.Table, e engine.TilesPlayed) string {
	var listed tile.Table
	for _, laid := range e.Table {
		if len(laid.Tiles) == 0 {
			return ""
		}
		if i := before.SetOf(laid.Tiles[0]); i < 0 || !slices.Equal(before[i].Tiles, laid.Tiles) {
			listed = append(listed, laid)
		}
	}
	ordered := slices.Clone(listed)
	first := func(laid tile.Laid) int {
		return slices.IndexFunc(e.Played, func(t tile.Tile) bool { return slices.Contains(laid.Tiles, t) })
	}
	slices.SortStableFunc(ordered, func(a, b tile.Laid) int { return first(a) - first(b) })
	for _, sets := range []tile.Table{listed, ordered} {
		free := slices.Clone(sets)
		for i := range free {
			free[i].At = tile.SomewhereFree
		}
		if isPlay(before, e, free) {
			return setsText(free, e.Played)
		}
	}
	for _, sets := range []tile.Table{listed, ordered} {
		if isPlay(before, e, sets) {
			return setsText(withFewPlaces(before, e, sets), e.Played)
		}
	}
	for _, laid := range e.Table { // the old sets that moved have their places as well
		if i := before.SetOf(laid.Tiles[0]); i >= 0 && slices.Equal(before[i].Tiles, laid.Tiles) &&
			before[i].At != laid.At {
			ordered = append(ordered, laid)
		}
	}
	return setsText(ordered, e.Played)
}

// withFewPlaces returns the sets of a play without those places that follow from the others.
func withFewPlaces(before tile.Table, e engine.TilesPlayed, sets tile.Table) tile.Table {
	sets = slices.Clone(sets)
	for i := range sets {
		at := sets[i].At
		if sets[i].At = tile.SomewhereFree; !isPlay(before, e, sets) {
			sets[i].At = at
		}
	}
	return sets
}

// isPlay reports whether laying the sets leads to the table of a play, with its tiles laid in the same order.
func isPlay(before tile.Table, e engine.TilesPlayed, sets tile.Table) bool {
	n := 0
	for _, laid := range sets {
		for _, t := range laid.Tiles {
			if slices.Contains(e.Played, t) {
				if n == len(e.Played) || e.Played[n] != t {
					return false
				}
				n++
			}
		}
	}
	return n == len(e.Played) && slices.EqualFunc(arranged(before, sets), e.Table, func(a, b tile.Laid) bool {
		return a.At == b.At && slices.Equal(a.Tiles, b.Tiles)
	})
}

func setsText(sets tile.Table, played tile.List) string {
	var text strings.Builder
	for i, laid := range sets {
		if i > 0 {
			text.WriteString(" |")
		}
		if laid.At != tile.SomewhereFree {
			text.WriteString(" " + strconv.Itoa(laid.At) + ":")
		}
		for _, t := range laid.Tiles {
			text.WriteByte(' ')
			if slices.Contains(played, t) {
				text.WriteByte('+')
			}
			text.WriteString(t.String())
		}
	}
	return text.String()
}
