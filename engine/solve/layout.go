package solve

import "meldhall/engine/tile"

// layout turns the choices of a walk, number by number, into sets. It is reused; only the answer is new memory.
//
// Invariant: the sets hold exactly the tiles and jokers of the choices laid so far. All but the open runs are valid.
type layout struct {
	sets []laid
	open [colours][]int // by colour, the indices of the runs that may go on
}

type laid struct {
	faces [numbers]tile.Face
	tiles uint8
}

func (l *layout) begin() {
	l.sets = l.sets[:0]
	for c := range l.open {
		l.open[c] = l.open[c][:0]
	}
}

// lay adds the tiles chosen at number n to runs and groups. It uses jokers before tiles, so that any piece left over is
// a tile, not a joker.
func (l *layout) lay(n int, chosen [colours]choice, groups uint8, have *[colours][numbers + 3]uint8) {
	first, next := len(l.sets), 0
	for range groups {
		l.sets = append(l.sets, laid{})
	}
	for c := range colours {
		jokers, naturals := chosen[c].jokers, have[c][n]
		take := func() tile.Face {
			if jokers > 0 {
				jokers--
				return tile.Joker
			}
			naturals--
			return tile.NewFace(tile.Colour(c), n)
		}
		l.runs(c, chosen[c], take)
		for range min(groups, jokers+naturals) {
			l.add(first+next%int(groups), take())
			next++
		}
	}
}

func (l *layout) add(set int, f tile.Face) {
	s := &l.sets[set]
	s.faces[s.tiles] = f
	s.tiles++
}

// runs continues the open runs of colour c: all short runs, and as many long ones as chosen.longer says. Then it begins
// new runs.
func (l *layout) runs(c int, chosen choice, take func() tile.Face) {
	kept := l.open[c][:0]
	longer := chosen.longer
	for _, run := range l.open[c] {
		if l.sets[run].tiles >= 3 {
			if longer == 0 {
				continue
			}
			longer--
		}
		l.add(run, take())
		kept = append(kept, run)
	}
	for range chosen.begun {
		l.sets = append(l.sets, laid{})
		l.add(len(l.sets)-1, take())
		kept = append(kept, len(l.sets)-1)
	}
	l.open[c] = kept
}

func (l *layout) answer() [][]tile.Face {
	tiles := 0
	for i := range l.sets {
		tiles += int(l.sets[i].tiles)
	}
	sets, faces := make([][]tile.Face, len(l.sets)), make([]tile.Face, 0, tiles)
	for i := range l.sets {
		from := len(faces)
		faces = append(faces, l.sets[i].faces[:l.sets[i].tiles]...)
		sets[i] = faces[from:len(faces):len(faces)]
	}
	return sets
}
