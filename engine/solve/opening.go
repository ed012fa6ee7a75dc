package solve

import "meldhall/engine/tile"

// Aim is what a search wants first.
type Aim int

// MostTiles wants the most tiles and among those the most points or value; HighestPoints and MostValue the other way round.
const (
	MostTiles     Aim = iota
	HighestPoints     // of the sets as they lie, jokers as the faces they stand for: what an opening is measured by
	MostValue         // off the rack: faces as printed, jokers as joker_points
)

// Opening is an initial meld: sets as they would be laid, jokers in the places of the faces they stand
// for, and their worth by rules.md section 2.
type Opening struct {
	Points int
	Tiles  int
	Sets   [][]tile.Face
}

// MostPoints is the worth of the best sets that the rack can lay on its own; 0 if it can lay none.
// A rack can open when this is at least meld_points.
func MostPoints(rack tile.Counts) int {
	s := newOpenings(rack, HighestPoints, 0)
	s.run()
	if best := s.best(0); best >= 0 {
		return int(s.nodes[best].points)
	}
	return 0
}

// BestOpening finds the initial meld of the rack that is worth at least need points and is best by
// aim. ok is false when there is none. need above 255 is not reachable by any search and gives none.
func BestOpening(rack tile.Counts, need int, aim Aim) (o Opening, ok bool) {
	s := newOpenings(rack, aim, 0)
	s.run()
	best := s.best(need)
	if best < 0 && aim == MostTiles && need <= maxNeed {
		s = newOpenings(rack, aim, need)
		s.run()
		best = s.best(need)
	}
	if best < 0 || s.nodes[best].tiles == 0 {
		return Opening{}, false
	}
	o.Sets = s.sets(best)
	for _, set := range o.Sets {
		o.Points += tile.Value(set)
		o.Tiles += len(set)
	}
	return o, true
}

const maxNeed = 255

// node is one state at one number, with the best way to it.
type node struct {
	state  state
	points int16
	tiles  int16
	from   int32
	groups uint8
	choice [colours]choice
}

// openings is a search for the best sets of one rack. With need, states that have fewer points so far
// are kept apart, so that the most tiles can be sought among those that reach it.
type openings struct {
	walk
	aim    Aim
	need   int
	nodes  []node
	layer  int     // first node of the layer that is being made
	slots  []int32 // open addressing: node index + 1 for a state of this layer
	jokers int
}

func newOpenings(rack tile.Counts, aim Aim, need int) *openings {
	s := &openings{aim: aim, need: need, jokers: int(min(rack[tile.Joker], maxJokers))}
	s.fill(tile.Counts{}, rack)
	s.frugal = true
	return s
}

func (s *openings) run() {
	s.nodes = append(make([]node, 0, 256), node{state: withJokers(s.jokers), from: -1})
	s.steps = make([]step, 0, 32)
	s.slots = make([]int32, 64)
	first := 0
	for n := 1; n <= numbers; n++ {
		s.layer = len(s.nodes)
		clear(s.slots)
		for i := first; i < s.layer; i++ {
			from := s.nodes[i]
			for _, step := range s.through(from.state&lowMask, n) {
				s.reach(from, i, n, step)
			}
		}
		first = s.layer
	}
	s.layer = first
}

func (s *openings) reach(from node, i, n int, by step) {
	to := node{
		state: by.next, from: int32(i), groups: by.groups, choice: by.choice,
		points: from.points + int16(n)*int16(by.tiles), tiles: from.tiles + int16(by.tiles),
	}
	if s.need > 0 {
		to.state |= withExtra(min(int(to.points), s.need))
	}
	slot := s.slot(to.state)
	if at := s.slots[slot]; at > 0 {
		if s.better(to, s.nodes[at-1]) {
			s.nodes[at-1] = to
		}
		return
	}
	s.nodes = append(s.nodes, to)
	s.slots[slot] = int32(len(s.nodes))
	if 2*(len(s.nodes)-s.layer) > len(s.slots) {
		s.grow()
	}
}

func (s *openings) better(a, b node) bool {
	if s.aim == MostTiles && a.tiles != b.tiles {
		return a.tiles > b.tiles
	}
	if a.points != b.points {
		return a.points > b.points
	}
	return a.tiles > b.tiles
}

func (s *openings) slot(key state) int {
	mask := len(s.slots) - 1
	h := uint64(key) * 0x9E3779B97F4A7C15
	at := int(h>>32) & mask
	for s.slots[at] > 0 && s.nodes[s.slots[at]-1].state != key {
		at = (at + 1) & mask
	}
	return at
}

func (s *openings) grow() {
	s.slots = make([]int32, 2*len(s.slots))
	for i := s.layer; i < len(s.nodes); i++ {
		s.slots[s.slot(s.nodes[i].state)] = int32(i + 1)
	}
}

// best is the index of the best node of the last layer with at least need points, or -1.
func (s *openings) best(need int) int {
	best := -1
	for i := s.layer; i < len(s.nodes); i++ {
		if int(s.nodes[i].points) >= need && (best < 0 || s.better(s.nodes[i], s.nodes[best])) {
			best = i
		}
	}
	return best
}

// sets lays out the way to a node.
func (s *openings) sets(last int) [][]tile.Face {
	var path [numbers + 1]int
	for n, i := numbers, last; n >= 1; n, i = n-1, int(s.nodes[i].from) {
		path[n] = i
	}
	var l layout
	for n := 1; n <= numbers; n++ {
		at := s.nodes[path[n]]
		l.lay(n, at.choice, at.groups, &s.have)
	}
	return l.finish()
}

// layout turns the choices of a walk, number by number, into sets.
type layout struct {
	open [colours][][]tile.Face
	done [][]tile.Face
}

func (l *layout) lay(n int, chosen [colours]choice, groups uint8, have *[colours][numbers + 3]uint8) {
	made := make([][]tile.Face, groups)
	next := 0
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
			made[next%len(made)] = append(made[next%len(made)], take())
			next++
		}
	}
	l.done = append(l.done, made...)
}

// runs carries the open runs of a colour on: the short ones must go on, of the long ones the first may.
func (l *layout) runs(c int, chosen choice, take func() tile.Face) {
	kept := l.open[c][:0]
	longer := chosen.longer
	for _, run := range l.open[c] {
		switch {
		case len(run) < 3:
			kept = append(kept, append(run, take()))
		case longer > 0:
			longer--
			kept = append(kept, append(run, take()))
		default:
			l.done = append(l.done, run)
		}
	}
	for range chosen.begun {
		kept = append(kept, []tile.Face{take()})
	}
	l.open[c] = kept
}

func (l *layout) finish() [][]tile.Face {
	for _, runs := range l.open {
		l.done = append(l.done, runs...)
	}
	return l.done
}
