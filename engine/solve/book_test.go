package solve_test

import (
	"slices"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// book decides the joker rule (engine/RULES.md section 3, rule 6) a second time, literally and on single tiles. It
// tries every choice of the tiles that came from the rack, every matching of the jokers, and every reading of each
// set.
type book struct {
	rules  solve.Rules
	after  [][]tile.Face
	ours   [][]bool // which tiles of after were played
	wasAt  []standing
	before [][]tile.Face
}

// standing is a joker in a set, with the faces that it can stand for in one reading.
type standing struct {
	set, place int
	faces      []tile.Face
}

func legalByTheBook(rules solve.Rules, before, after [][]tile.Face) bool {
	b := book{rules: rules, before: before, after: after}
	for _, set := range after {
		b.ours = append(b.ours, make([]bool, len(set)))
	}
	played := tile.CountFaces(after...).Minus(tile.CountFaces(before...))
	return b.mark(played, 0, 0)
}

// mark decides for every tile from the given one on whether it was played.
func (b *book) mark(played tile.Counts, set, place int) bool {
	switch {
	case set == len(b.after):
		return played.Total() == 0 && b.readBefore(0, nil)
	case place == len(b.after[set]):
		return b.mark(played, set+1, 0)
	}
	if b.mark(played, set, place+1) {
		return true
	}
	f := b.after[set][place]
	if played[f] == 0 {
		return false
	}
	played[f]--
	b.ours[set][place] = true
	defer func() { b.ours[set][place] = false }()
	return b.mark(played, set, place+1)
}

func (b *book) readBefore(set int, jokers []standing) bool {
	if set == len(b.before) {
		b.wasAt = jokers
		return b.readAfter(0, nil)
	}
	return slices.ContainsFunc(readingsByTheBook(b.before, set), func(more []standing) bool {
		return b.readBefore(set+1, slices.Concat(jokers, more))
	})
}

func (b *book) readAfter(set int, jokers []standing) bool {
	if set < len(b.after) {
		return slices.ContainsFunc(readingsByTheBook(b.after, set), func(more []standing) bool {
			return b.readAfter(set+1, slices.Concat(jokers, more))
		})
	}
	jokers = slices.DeleteFunc(jokers, func(s standing) bool { return b.ours[s.set][s.place] })
	if b.allowed(jokers) {
		return true
	}
	slices.Reverse(jokers) // the two jokers may be exchanged
	return b.allowed(jokers)
}

// allowed reports whether the play is legal if the joker that was b.wasAt[i] is now[i].
func (b *book) allowed(now []standing) bool {
	var released [][]tile.Face
	for i, was := range b.wasAt {
		if slices.ContainsFunc(now[i].faces, func(f tile.Face) bool { return slices.Contains(was.faces, f) }) {
			continue
		}
		released = append(released, was.faces)
		if b.rules.WithRackTile && !slices.Contains(b.ours[now[i].set], true) {
			return false
		}
	}
	var have []tile.Face
	for s, set := range b.after {
		for i, f := range set {
			if b.ours[s][i] || b.rules.Replace == solve.TableOrRack {
				have = append(have, f)
			}
		}
	}
	if b.rules.Replace == solve.Free || len(released) == 0 {
		return true
	}
	for i, one := range have {
		if !slices.Contains(released[0], one) {
			continue
		}
		if len(released) == 1 {
			return true
		}
		for k, two := range have {
			if k != i && slices.Contains(released[1], two) {
				return true
			}
		}
	}
	return false
}

// readingsByTheBook returns the jokers of a set for each of its readings. A set without jokers has one reading.
func readingsByTheBook(table [][]tile.Face, at int) (readings [][]standing) {
	set := table[at]
	if !slices.Contains(set, tile.Joker) {
		return [][]standing{nil}
	}
	for first := range tile.Joker {
		if run := runFrom(first, len(set)); run != nil {
			readings = append(readings, fitsRun(set, run, at)...)
		}
	}
	for n := 1; n <= tile.Highest && len(set) <= 4; n++ {
		readings = append(readings, fitsGroup(set, n, at)...)
	}
	return readings
}

func runFrom(first tile.Face, length int) (run []tile.Face) {
	if first.Number()+length-1 > tile.Highest {
		return nil
	}
	for n := range length {
		run = append(run, tile.NewFace(first.Colour(), first.Number()+n))
	}
	return run
}

func fitsRun(set, run []tile.Face, at int) [][]standing {
	var jokers []standing
	for i, f := range set {
		if f == tile.Joker {
			jokers = append(jokers, standing{at, i, run[i : i+1]})
		} else if f != run[i] {
			return nil
		}
	}
	return [][]standing{jokers}
}

func fitsGroup(set []tile.Face, n, at int) [][]standing {
	missing := []tile.Face{tile.NewFace(0, n), tile.NewFace(1, n), tile.NewFace(2, n), tile.NewFace(3, n)}
	var jokers []standing
	for i, f := range set {
		if k := slices.Index(missing, f); k >= 0 {
			missing = slices.Delete(missing, k, k+1)
		} else if f == tile.Joker {
			jokers = append(jokers, standing{set: at, place: i})
		} else {
			return nil
		}
	}
	for i := range jokers {
		jokers[i].faces = missing
	}
	return [][]standing{jokers}
}
