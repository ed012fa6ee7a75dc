package main

import (
	"slices"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// cheapChoice finds a legal play cheaply, so that the bots do not limit the load test. It looks for runs and groups in
// the rack and, once the player has opened, for tiles that extend sets on the table. It never rearranges the table and
// keeps its jokers. It returns the new table, or nil.
func cheapChoice(v engine.View) []tile.LaidFaces {
	rack := tile.CountFaces(v.Rack)
	rack[tile.Joker] = 0
	sets, points := newSets(&rack)
	table := make([]tile.LaidFaces, 0, len(v.Table)+len(sets))
	for _, laid := range v.Table {
		table = append(table, tile.LaidFaces{At: laid.At, Faces: laid.Tiles})
	}
	opened := v.Seats[v.Seat].Opened
	lengthened := false
	if opened {
		for i := range table {
			lengthened = lengthen(&table[i], &rack) || lengthened
		}
	}
	for _, set := range sets {
		table = append(table, tile.LaidFaces{At: tile.SomewhereFree, Faces: set})
	}
	if opened && (lengthened || len(sets) > 0) || !opened && len(sets) > 0 && points >= v.MeldPoints {
		return table
	}
	return nil
}

// newSets removes the runs, then the groups, from a rack.
func newSets(rack *tile.Counts) (sets [][]tile.Face, points int) {
	take := func(set []tile.Face) {
		for _, f := range set {
			rack[f]--
			points += f.Number()
		}
		sets = append(sets, set)
	}
	for c := tile.Black; c <= tile.Orange; c++ {
		var run []tile.Face
		for n := 1; n <= tile.Highest+1; n++ {
			if n <= tile.Highest && rack[tile.NewFace(c, n)] > 0 {
				run = append(run, tile.NewFace(c, n))
				continue
			}
			if len(run) >= 3 {
				take(run)
			}
			run = nil
		}
	}
	for n := 1; n <= tile.Highest; n++ {
		var group []tile.Face
		for c := tile.Black; c <= tile.Orange; c++ {
			if rack[tile.NewFace(c, n)] > 0 {
				group = append(group, tile.NewFace(c, n))
			}
		}
		if len(group) >= 3 {
			take(group)
		}
	}
	return sets, points
}

// lengthen adds matching rack tiles to a set on the table that has no jokers.
func lengthen(set *tile.LaidFaces, rack *tile.Counts) bool {
	if slices.Contains(set.Faces, tile.Joker) {
		return false
	}
	before := len(set.Faces)
	if set.Faces[0].Number() != set.Faces[1].Number() {
		for {
			last := set.Faces[len(set.Faces)-1]
			if last.Number() == tile.Highest || rack[last+1] == 0 {
				break
			}
			rack[last+1]--
			set.Faces = append(slices.Clone(set.Faces), last+1)
		}
	} else {
		for c := tile.Black; c <= tile.Orange && len(set.Faces) < 4; c++ {
			f := tile.NewFace(c, set.Faces[0].Number())
			if rack[f] > 0 && !slices.Contains(set.Faces, f) {
				rack[f]--
				set.Faces = append(slices.Clone(set.Faces), f)
			}
		}
	}
	return len(set.Faces) > before
}
