package referee

import (
	"math/rand/v2"
	"slices"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// Board is a play to be judged, with its rules.
type Board struct {
	Rules ruleset.Ruleset
	Move  judge.Move
}

// hand is a random player who lays and rearranges tiles, and may then make a forbidden play.
type hand struct {
	*rand.Rand
	pool heap          // tiles in neither a rack nor a set
	held heap          // rack tiles not laid yet, and tiles taken off the table
	sets [][]tile.Face // the sets on the table
}

// Hostile returns a random play: a table, a rack, and the table after a player laid, split, joined and swapped jokers,
// often without regard for the rules. About half of the plays also contain something that no honest tablet would send.
func Hostile(rng *rand.Rand, presets []ruleset.Ruleset) Board {
	h := hand{Rand: rng}
	for f := range tile.Joker {
		h.pool[f] = 2
	}
	h.pool[tile.Joker] = 2
	b := Board{Rules: h.rules(presets)}
	for range h.IntN(13) {
		h.setOf(&h.pool, h.anyOf(h.pool))
	}
	b.Move = judge.Move{Opened: h.IntN(3) > 0, Relief: h.IntN(2) == 0, Before: clone(h.sets)}
	for range 1 + h.IntN(20) {
		f := h.anyOf(h.pool)
		if h.IntN(8) == 0 && h.pool[tile.Joker] > 0 {
			f = tile.Joker
		}
		h.pool[f]--
		h.held[f]++
	}
	for f, n := range h.held {
		b.Move.Rack = append(b.Move.Rack, slices.Repeat([]tile.Face{tile.Face(f)}, n)...)
	}
	for range h.IntN(30) {
		h.lay(b.Move.Opened || h.IntN(8) == 0)
	}
	h.put(heapOf(b.Move.Before...))
	for range max(0, h.IntN(6)-2) {
		h.spoil()
	}
	b.Move.After = h.sets
	return b
}

func clone(sets [][]tile.Face) [][]tile.Face {
	all := make([][]tile.Face, len(sets))
	for i, set := range sets {
		all[i] = slices.Clone(set)
	}
	return all
}

// rules returns the rules of a random preset, half the time with the settings that affect a play changed at random.
func (h *hand) rules(presets []ruleset.Ruleset) ruleset.Ruleset {
	r := presets[h.IntN(len(presets))]
	if h.IntN(2) == 0 {
		r.JokerRelease = []string{ruleset.Anywhere, ruleset.WithRackTile}[h.IntN(2)]
		r.JokerReplace = []string{ruleset.Free, ruleset.TableOrRack, ruleset.FromRack}[h.IntN(3)]
		r.MeldPoints = []int{0, 21, 30, 50}[h.IntN(4)]
		r.LastToOpenRelief = h.IntN(2) == 0
	}
	return r
}

// anyOf returns a random tile of a heap.
func (h *hand) anyOf(from heap) tile.Face {
	n := 0
	for _, k := range from {
		n += k
	}
	if n == 0 {
		return tile.Joker
	}
	at := h.IntN(n)
	for f, k := range from {
		if at -= k; at < 0 {
			return tile.Face(f)
		}
	}
	return tile.Joker
}

// setOf lays a set with tile f of a heap, if the heap has enough tiles. A joker replaces a missing tile, and sometimes
// one that is not missing.
func (h *hand) setOf(from *heap, f tile.Face) bool {
	if f == tile.Joker {
		return false
	}
	var set []tile.Face
	if h.IntN(2) == 0 {
		for colour := range tile.Colour(4) {
			set = append(set, tile.NewFace(colour, f.Number()))
		}
		h.Shuffle(4, func(i, j int) { set[i], set[j] = set[j], set[i] })
		set = set[:3+h.IntN(2)]
	} else {
		for n := f.Number(); n <= min(tile.Highest, f.Number()+2+h.IntN(6)); n++ {
			set = append(set, tile.NewFace(f.Colour(), n))
		}
	}
	rest := *from
	for i, want := range set {
		if rest[want] == 0 || h.IntN(6) == 0 && rest[tile.Joker] > 0 {
			want = tile.Joker
		}
		if rest[want] == 0 {
			set = set[:i]
			break
		}
		set[i] = want
		rest[want]--
	}
	if len(meanings(set)) == 0 {
		return false
	}
	*from, h.sets = rest, append(h.sets, set)
	return true
}

// lay makes one change to the table that may be legal. A player who has not opened only lays sets from the rack.
func (h *hand) lay(opened bool) {
	if kind := h.IntN(8); !opened || kind < 2 || len(h.sets) == 0 {
		h.setOf(&h.held, h.anyOf(h.held))
		return
	} else if kind < 4 {
		h.extend(h.IntN(len(h.sets)), h.anyOf(h.held))
		return
	}
	at := h.IntN(len(h.sets))
	set := h.sets[at]
	switch h.IntN(4) {
	case 0: // split
		if cut := h.IntN(len(set)); len(meanings(set[:cut])) > 0 && len(meanings(set[cut:])) > 0 {
			h.sets[at] = slices.Clone(set[:cut])
			h.sets = append(h.sets, slices.Clone(set[cut:]))
		}
	case 1: // join
		if other := h.IntN(len(h.sets)); other != at {
			if both := slices.Concat(set, h.sets[other]); len(meanings(both)) > 0 {
				h.sets[at] = both
				h.sets = slices.Delete(h.sets, other, other+1)
			}
		}
	case 2: // take off an end
		off, rest := set[0], set[1:]
		if h.IntN(2) == 0 {
			off, rest = set[len(set)-1], set[:len(set)-1]
		}
		if len(meanings(rest)) > 0 {
			h.sets[at] = slices.Clone(rest)
			h.held[off]++
		}
	case 3:
		h.swap()
	}
}

// extend lays a tile at either end of a set.
func (h *hand) extend(at int, f tile.Face) bool {
	if h.held[f] == 0 {
		return false
	}
	for _, longer := range [][]tile.Face{append(slices.Clone(h.sets[at]), f), append([]tile.Face{f}, h.sets[at]...)} {
		if len(meanings(longer)) > 0 {
			h.sets[at] = longer
			h.held[f]--
			return true
		}
	}
	return false
}

// swap replaces a joker with a tile that it stands for, or a tile with a joker.
func (h *hand) swap() {
	for at, set := range h.sets {
		i := slices.Index(set, tile.Joker)
		if i < 0 {
			continue
		}
		for _, one := range meanings(set) {
			for f := range tile.Joker {
				if one.stands[i]>>f&1 == 1 && h.held[f] > 0 {
					h.sets[at] = slices.Clone(set)
					h.sets[at][i] = f
					h.held[f]--
					h.held[tile.Joker]++
					return
				}
			}
		}
	}
	if at := h.IntN(len(h.sets)); h.held[tile.Joker] > 0 {
		set := slices.Clone(h.sets[at])
		i := h.IntN(len(set))
		h.held[tile.Joker]--
		h.held[set[i]]++
		set[i] = tile.Joker
		h.sets[at] = set
	}
}

// put returns the tiles that were taken off the table to any set that they fit.
func (h *hand) put(before heap) {
	now := heapOf(h.sets...)
	for n := range tile.Face(tile.Faces) {
		f := tile.Joker - n // jokers first
		for range before[f] - now[f] {
			for range 6 {
				if len(h.sets) > 0 && (h.extend(h.IntN(len(h.sets)), f) || f == tile.Joker && h.beside()) {
					break
				}
			}
		}
	}
}

// beside lays a new set of a joker and two held tiles.
func (h *hand) beside() bool {
	set := []tile.Face{h.anyOf(h.held), h.anyOf(h.held), tile.Joker}
	used := heapOf(set)
	for f, n := range used {
		if n > h.held[f] {
			return false
		}
	}
	h.Shuffle(3, func(i, j int) { set[i], set[j] = set[j], set[i] })
	if len(meanings(set)) == 0 {
		return false
	}
	for f, n := range used {
		h.held[f] -= n
	}
	h.sets = append(h.sets, set)
	return true
}

// spoil changes the table in a way that no tablet would send.
func (h *hand) spoil() {
	if len(h.sets) == 0 || h.IntN(20) == 0 {
		// an empty set, or one longer than all tiles of the game
		h.sets = append(h.sets, make([]tile.Face, h.IntN(2)*300))
		return
	}
	at := h.IntN(len(h.sets))
	set := slices.Clone(h.sets[at])
	f := tile.Face(h.IntN(tile.Faces))
	i := h.IntN(len(set) + 1)
	switch kind := h.IntN(9); {
	case kind == 0:
		set = slices.Insert(set, i, f)
	case kind == 1:
		h.sets = append(h.sets, slices.Clone(set)) // the same set twice
	case kind == 2 && len(h.sets) > 1:
		h.sets = slices.Delete(h.sets, at, at+1)
		return
	case kind == 3:
		set = append(set, h.sets[h.IntN(len(h.sets))]...)
	case i == len(set):
		set = append(set, f)
	case kind == 4:
		set = slices.Delete(set, i, i+1)
	case kind == 5:
		set[i] = f
	case kind == 6:
		set[i] = tile.Joker
	case kind == 7:
		j := h.IntN(len(set))
		set[i], set[j] = set[j], set[i]
	default: // from one set to another
		to := h.IntN(len(h.sets))
		if moved := set[i]; to != at {
			h.sets[to] = append(slices.Clone(h.sets[to]), moved)
			set = slices.Delete(set, i, i+1)
		}
	}
	h.sets[at] = set
}
