package bot

import "meldhall/engine/tile"

// survey holds the faces that a step may be able to use, so that the step skips all others.
type survey struct {
	rack   tile.FaceSet // numbered faces on the rack
	ends   tile.FaceSet // would lengthen a run or fill a group
	inner  tile.FaceSet // would split a run in two
	spare  tile.FaceSet // can be taken off a set that then is still a set or two
	stands tile.FaceSet // a joker on the table can stand for it
}

func surveyOf(sets [][]tile.Face, rack tile.Counts) (s survey) {
	for f, k := range rack[:tile.Joker] {
		if k > 0 {
			s.rack |= 1 << f
		}
	}
	for _, set := range sets {
		if run, ok := tile.AsRun(set); ok {
			s.addRun(run, set)
		}
		if group, ok := tile.AsGroup(set); ok {
			s.addGroup(group, set)
		}
	}
	return s
}

func (s *survey) addRun(run tile.Reading, set []tile.Face) {
	first, last := ends(run, set)
	if first.Number() > 1 {
		s.ends |= 1 << (first - 1)
	}
	if last.Number() < tile.Highest {
		s.ends |= 1 << (last + 1)
	}
	for i, f := range set {
		before, after := i, len(set)-1-i
		if before >= 2 && after >= 2 {
			s.inner |= run.Stands(i)
		}
		switch {
		case f == tile.Joker:
			s.stands |= run.Stands(i)
		case removable(before, after):
			s.spare |= 1 << f
		}
	}
}

func (s *survey) addGroup(group tile.Reading, set []tile.Face) {
	if len(set) == 3 {
		s.ends |= group.Stands(0)
	}
	for _, f := range set {
		switch {
		case f == tile.Joker:
			s.stands |= group.Stands(0)
		case len(set) == 4:
			s.spare |= 1 << f
		}
	}
}

// removable reports whether a run is still one run, or two, without a tile that has this many tiles before and after
// it.
func removable(before, after int) bool {
	return (before == 0 || before >= 3) && (after == 0 || after >= 3)
}

// ends returns the first and the last face of a run, with jokers as the faces that they stand for.
func ends(run tile.Reading, set []tile.Face) (first, last tile.Face) {
	return run.First(), run.First() + tile.Face(len(set)-1)
}
