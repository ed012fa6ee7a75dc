package tile

import "math/bits"

// FaceSet is a set of numbered faces, one bit each. The joker is never in it.
type FaceSet uint64

// Has reports whether the numbered face is in the set.
func (s FaceSet) Has(f Face) bool { return f < Joker && s>>f&1 == 1 }

// Len returns the number of faces in the set.
func (s FaceSet) Len() int { return bits.OnesCount64(uint64(s)) }

// List returns the faces in order.
func (s FaceSet) List() []Face {
	list := make([]Face, 0, s.Len())
	for rest := uint64(s); rest != 0; rest &= rest - 1 {
		list = append(list, Face(bits.TrailingZeros64(rest)))
	}
	return list
}

// Reading is one way to read tiles as laid as a valid set (engine/RULES.md section 2).
type Reading struct {
	Run   bool // a run; otherwise a group
	Value int  // sum of the faces, jokers as the face they stand for
	first Face // a run's first face
	open  FaceSet
}

// Stands returns the faces that fit at index i of the set: the face of that place in a run, the missing colours in a
// group. A joker at i can stand for any of them.
func (r Reading) Stands(i int) FaceSet {
	if r.Run {
		return 1 << (int(r.first) + i)
	}
	return r.open
}

// First returns the first face of a run. For a joker there, it is the face that the joker stands for.
func (r Reading) First() Face { return r.first }

// Readings returns the ways in which the faces as laid are a valid set: none, one or two. One tile with two jokers is
// both a run and a group (R7 J J).
func Readings(faces []Face) []Reading {
	var all []Reading
	if r, ok := AsRun(faces); ok {
		all = append(all, r)
	}
	if r, ok := AsGroup(faces); ok {
		all = append(all, r)
	}
	return all
}

// Valid reports whether the faces as laid are a run or a group.
func Valid(faces []Face) bool {
	if _, ok := AsRun(faces); ok {
		return true
	}
	_, ok := AsGroup(faces)
	return ok
}

// Value returns the value of a set in its most valuable reading, or 0 if the faces are not a set.
func Value(faces []Face) int {
	run, _ := AsRun(faces)
	group, _ := AsGroup(faces)
	return max(run.Value, group.Value)
}

// AsRun reads the faces as a run: 3 to 13 tiles of one colour, ascending as laid, with each joker in the place of the
// face that it stands for. ok is false if they are not a run, or all jokers.
func AsRun(faces []Face) (r Reading, ok bool) {
	n := len(faces)
	if n < 3 || n > Highest {
		return Reading{}, false
	}
	at := firstNatural(faces)
	if at == n {
		return Reading{}, false
	}
	start := faces[at].Number() - at
	if start < 1 || start+n-1 > Highest {
		return Reading{}, false
	}
	first := NewFace(faces[at].Colour(), start)
	for i := at + 1; i < n; i++ {
		if faces[i] != Joker && faces[i] != first+Face(i) {
			return Reading{}, false
		}
	}
	return Reading{Run: true, Value: n * (2*start + n - 1) / 2, first: first}, true
}

// AsGroup reads the faces as a group: 3 or 4 tiles of one number in different colours, with each joker for one of the
// missing colours. ok is false if they are not a group, or all jokers.
func AsGroup(faces []Face) (r Reading, ok bool) {
	n := len(faces)
	if n < 3 || n > 4 {
		return Reading{}, false
	}
	at := firstNatural(faces)
	if at == n {
		return Reading{}, false
	}
	column := Face(faces[at].Number() - 1)
	const colours = 1 | 1<<Highest | 1<<(2*Highest) | 1<<(3*Highest)
	open := FaceSet(colours) << column
	for _, f := range faces[at:] {
		if f == Joker {
			continue
		}
		if !open.Has(f) {
			return Reading{}, false
		}
		open &^= 1 << f
	}
	return Reading{Value: n * int(column+1), open: open}, true
}

func firstNatural(faces []Face) int {
	for i, f := range faces {
		if f != Joker {
			return i
		}
	}
	return len(faces)
}

// The codes that Fault returns for faces that are not a set.
const (
	FaultTooShort      = "too_short"      // fewer than three tiles
	FaultTooLong       = "too_long"       // a group of more than four, a run of more than 13
	FaultJokersAlone   = "jokers_alone"   // no numbered tile
	FaultColourRepeats = "colour_repeats" // one number, but a colour twice
	FaultMixed         = "mixed"          // neither one number nor one colour
	FaultRunOrder      = "run_order"      // one colour, but not ascending as laid
	FaultRunGap        = "run_gap"        // one colour, ascending, but a number is missing
	FaultOffEnd        = "joker_off_end"  // a joker would stand for 0 or 14
)

// Fault returns a code that says why the faces as laid are not a set, or "" for a valid set.
func Fault(faces []Face) string {
	if Valid(faces) {
		return ""
	}
	natural := make([]Face, 0, len(faces))
	for _, f := range faces {
		if f != Joker {
			natural = append(natural, f)
		}
	}
	switch {
	case len(faces) < 3:
		return FaultTooShort
	case len(natural) == 0:
		return FaultJokersAlone
	}
	oneNumber, oneColour, ascending := true, true, true
	for i, f := range natural[1:] {
		oneNumber = oneNumber && f.Number() == natural[0].Number()
		oneColour = oneColour && f.Colour() == natural[0].Colour()
		ascending = ascending && f.Number() > natural[i].Number()
	}
	switch {
	case oneNumber && len(natural) > 1:
		if len(faces) > 4 {
			return FaultTooLong
		}
		return FaultColourRepeats
	case !oneColour:
		return FaultMixed
	case len(faces) > Highest:
		return FaultTooLong
	case !ascending:
		return FaultRunOrder
	}
	return runFault(faces)
}

// runFault distinguishes a run that leaves 1–13 from one with a gap. The numbered faces must ascend in one colour.
func runFault(faces []Face) string {
	at := firstNatural(faces)
	for i, f := range faces {
		if f != Joker && f.Number() != faces[at].Number()+i-at {
			return FaultRunGap
		}
	}
	return FaultOffEnd
}
