package solve

import (
	"sync"

	"meldhall/engine/tile"
)

// This file finds the best opening. Invariant: unless width limits the states, a node is dropped only if another node
// of its state equals or beats it by every criterion, or if it cannot lead to a key above floor. So the search never
// loses the best way.

// Aim is what a search maximizes first.
type Aim int

// MostTiles maximizes the tiles, then the value. MostValue maximizes the value, then the tiles. HighestPoints maximizes
// the points, then the tiles.
const (
	MostTiles     Aim = iota
	HighestPoints     // points of the sets as laid, as for an opening: jokers as their faces
	MostValue         // charge taken off the rack: faces as printed, jokers as joker_points
)

// Meld holds the requirements of an initial meld, and what to maximize. The zero Meld asks for the most tiles that a
// rack can lay on its own, whatever they are worth.
type Meld struct {
	Points      int  // what the new sets must be worth
	Relief      bool // two sets at once are enough, whatever they are worth
	JokerPoints int  // what a joker on the rack is charged: the value of laying it
	Aim         Aim
}

// Opening is an initial meld: sets as laid, with jokers in the places of the faces that they stand for. Points is their
// worth by engine/RULES.md section 2, and Value the charge that they take off the rack.
type Opening struct {
	Points int
	Tiles  int
	Value  int
	Sets   [][]tile.Face
}

// Best returns the initial meld of the rack that is best by aim. ok is false if there is none. That is a proof: every
// choice that could matter has been tried.
func (m Meld) Best(rack tile.Counts) (o Opening, ok bool) {
	s := openingMemory.Get().(*openings)
	defer openingMemory.Put(s)
	s.ask(m, rack)
	best := s.search()
	if best < 0 {
		return Opening{}, false
	}
	o.Sets = s.sets(best)
	for _, set := range o.Sets {
		o.Points += tile.Value(set)
		o.Tiles += len(set)
		o.Value += charge(set, m.JokerPoints)
	}
	return o, true
}

// Exists reports whether the rack can make the meld at all. It is cheaper than Best.
func (m Meld) Exists(rack tile.Counts) bool {
	m.Aim = HighestPoints
	s := openingMemory.Get().(*openings)
	defer openingMemory.Put(s)
	s.ask(m, rack)
	s.first = true
	s.run()
	return s.found
}

func charge(faces []tile.Face, jokerPoints int) (sum int) {
	for _, f := range faces {
		if f == tile.Joker {
			sum += jokerPoints
		} else {
			sum += f.Number()
		}
	}
	return sum
}

// openingMemory is a pool of searches whose memory is reused. Each search clears its memory first.
var openingMemory = sync.Pool{New: func() any { return new(openings) }}

// meldNode is the best way to one state at one number, or one of several ways, none of which is at least as good as
// another by every criterion.
type meldNode struct {
	key    int64 // maximized; the most important part is first
	points int16 // points of the sets so far
	tiles  uint8
	enough uint8 // 2 if the meld is certain; before that, with Relief, the number of sets so far
	groups uint8
	choice [colours]choice
	from   int32 // node of the number below
	next   int32 // another node of the same state, or -1
}

// meldState is one state at one number, with its nodes.
type meldState struct {
	state state
	head  int32
}

// openings is a search for the best sets of one rack.
type openings struct {
	walk
	meld      Meld
	first     bool // any meld is enough
	found     bool
	potential [numbers + 2]int // points of the tiles of this number and above
	tiles     [numbers + 2]int // number of these tiles
	floor     int64            // a key that can be reached; ways that cannot beat it are dropped
	width     int              // maximum number of states of a number; 0: all
	keys      []int64
	nodes     []meldNode
	reached   []meldState
	layer     int     // first state of the current layer
	slots     []int32 // open addressing: index + 1 of a state in this layer
	layout    layout
}

const (
	enough     = 2
	wantedBits = 20 // number of bits of a key below its most important part
)

// ask starts a new question. Together, ask and run clear everything of the previous one.
func (s *openings) ask(m Meld, rack tile.Counts) {
	s.meld, s.first, s.found = m, false, false
	s.fill(rack)
	s.floor, s.width = 0, 0
	for n := numbers; n >= 1; n-- {
		s.potential[n], s.tiles[n] = s.potential[n+1], s.tiles[n+1]
		for c := range colours {
			s.potential[n] += n * int(s.have[c][n])
			s.tiles[n] += int(s.have[c][n])
		}
	}
	if len(s.slots) == 0 {
		s.slots = make([]int32, 256)
	}
}

// run makes the layers of states number by number, and returns the best node of the last one, or -1. It empties and
// reuses the memory from the pool.
func (s *openings) run() int32 {
	s.nodes = append(s.nodes[:0], meldNode{from: -1, next: -1})
	s.reached = append(s.reached[:0], meldState{withJokers(s.jokers), 0})
	first := 0
	for n := 1; n <= numbers && !s.found; n++ {
		s.layer = len(s.reached)
		clear(s.slots)
		s.ways.forget()
		s.frugal = s.meld.Aim == HighestPoints || s.meld.JokerPoints <= n
		for i := first; i < s.layer && !s.found; i++ {
			steps := s.through(s.reached[i].state, n)
			for at := s.reached[i].head; at >= 0 && !s.found; at = s.nodes[at].next {
				for j := range steps {
					s.reach(at, n, &steps[j])
				}
			}
		}
		if s.width > 0 {
			s.narrow(n)
		}
		first = s.layer
	}
	s.layer = first
	return s.best()
}

func (s *openings) reach(at int32, n int, by *step) {
	from := &s.nodes[at]
	to := meldNode{
		points: from.points + int16(n)*int16(by.tiles), tiles: from.tiles + by.tiles, enough: from.enough,
		groups: by.groups, choice: by.choice, from: at, next: -1,
	}
	if !s.counts(&to, by, n) {
		return
	}
	value := n*int(by.tiles-by.jokers) + s.meld.JokerPoints*int(by.jokers)
	to.key = from.key + s.key(int(by.tiles), value, n*int(by.tiles), int(by.sets()))
	if s.first && to.enough == enough {
		s.found = true
		return
	}
	if s.floor > 0 && (to.key+s.atMost(n+1, by.next.jokers()))>>wantedBits <= s.floor>>wantedBits {
		return
	}
	state := by.next
	if n == numbers {
		state = 0
	}
	s.keep(state, to)
}

// counts updates how much of the meld is certain, and reports whether the meld can still be reached.
func (s *openings) counts(to *meldNode, by *step, n int) bool {
	switch {
	case to.enough == enough:
	case to.tiles > 0 && int(to.points) >= s.meld.Points:
		to.enough = enough
	case s.meld.Relief:
		to.enough = min(to.enough+by.sets(), enough)
	default:
		return int(to.points)+s.potential[n+1]+numbers*by.next.jokers() >= s.meld.Points
	}
	return true
}

// key packs amounts so that a greater key is better and keys add up like the amounts: no amount of a rack reaches 2^20,
// and its points do not reach 2^12. Ties go to more points, then to fewer sets.
func (s *openings) key(tiles, value, points, sets int) int64 {
	last := int64(points)<<8 - int64(sets)
	switch s.meld.Aim {
	case HighestPoints:
		return int64(points)<<(2*wantedBits) + int64(tiles)<<wantedBits + last
	case MostValue:
		return int64(value)<<(2*wantedBits) + int64(tiles)<<wantedBits + last
	}
	return int64(tiles)<<(2*wantedBits) + int64(value)<<wantedBits + last
}

// keep adds a node to its state, unless the state has a node that is as good by every criterion. It drops the nodes
// that the new one beats.
func (s *openings) keep(state state, to meldNode) {
	reached := s.of(state)
	for link := &reached.head; *link >= 0; {
		at := *link
		old := &s.nodes[at]
		if s.asGood(old, &to) {
			return
		}
		if s.asGood(&to, old) {
			*link = old.next
			continue
		}
		link = &old.next
	}
	to.next = reached.head
	reached.head = int32(len(s.nodes))
	s.nodes = append(s.nodes, to)
}

func (s *openings) asGood(a, b *meldNode) bool {
	return a.key >= b.key && a.enough >= b.enough && (a.enough == enough || a.points >= b.points)
}

func (s *openings) of(key state) *meldState {
	slot := s.slot(key)
	if s.slots[slot] == 0 {
		if s.reached = append(s.reached, meldState{key, -1}); 2*(len(s.reached)-s.layer) > len(s.slots) {
			s.grow()
			slot = s.slot(key)
		}
		s.slots[slot] = int32(len(s.reached))
	}
	return &s.reached[s.slots[slot]-1]
}

func (s *openings) slot(key state) int {
	mask := len(s.slots) - 1
	h := uint64(key) * 0x9E3779B97F4A7C15
	at := int(h>>32) & mask
	for s.slots[at] > 0 && s.reached[s.slots[at]-1].state != key {
		at = (at + 1) & mask
	}
	return at
}

func (s *openings) grow() {
	s.slots = make([]int32, 2*len(s.slots))
	for i := s.layer; i < len(s.reached); i++ {
		s.slots[s.slot(s.reached[i].state)] = int32(i + 1)
	}
}

// best returns the index of the best node of the last layer among those that are a meld, or -1 if there is none.
func (s *openings) best() int32 {
	best := int32(-1)
	for _, r := range s.reached[s.layer:] {
		for at := r.head; at >= 0; at = s.nodes[at].next {
			if s.nodes[at].enough == enough && (best < 0 || s.nodes[at].key > s.nodes[best].key) {
				best = at
			}
		}
	}
	return best
}

// sets returns the sets along the way to a node.
func (s *openings) sets(last int32) [][]tile.Face {
	var path [numbers + 1]int32
	for n, i := numbers, last; n >= 1; n, i = n-1, s.nodes[i].from {
		path[n] = i
	}
	s.layout.begin()
	for n := 1; n <= numbers; n++ {
		at := &s.nodes[path[n]]
		s.layout.lay(n, at.choice, at.groups, &s.have)
	}
	return s.layout.answer()
}
