package solve

import "slices"

// This file keeps one invariant: floor is the key of a meld that exists, so states that cannot exceed it are useless.

// search returns the index of the best node, or -1 if there is none. With many tiles it first follows only a few states
// to find a result that is certainly possible. Then it follows all states that may lead to a better one.
func (s *openings) search() int32 {
	if s.tiles[1] <= manyTiles {
		return s.run()
	}
	s.width = fewStates
	sure := s.run()
	if sure >= 0 {
		s.floor = s.nodes[sure].key
	}
	s.width = 0
	better := s.run()
	if better < 0 && sure >= 0 {
		s.floor, s.width = 0, fewStates
		return s.run()
	}
	return better
}

const (
	manyTiles = 40
	fewStates = 8
)

// narrow keeps only the most promising states of the layer at n.
func (s *openings) narrow(n int) {
	layer := s.reached[s.layer:]
	if len(layer) <= s.width {
		return
	}
	s.keys = s.keys[:0]
	for _, r := range layer {
		s.keys = append(s.keys, s.promise(r, n))
	}
	slices.Sort(s.keys)
	least := s.keys[len(s.keys)-s.width]
	for i, r := range layer {
		if s.promise(r, n) < least {
			layer[i].head = -1
		}
	}
}

func (s *openings) promise(r meldState, n int) (most int64) {
	for at := r.head; at >= 0; at = s.nodes[at].next {
		most = max(most, s.nodes[at].key)
	}
	return most + s.atMost(n+1, r.state.jokers())
}

// atMost returns an upper bound on the key of all sets made from the tiles of the numbers from n up and the given
// number of jokers.
func (s *openings) atMost(n, jokers int) int64 {
	points := s.potential[n]
	return s.key(s.tiles[n]+jokers, points+s.meld.JokerPoints*jokers, points+numbers*jokers, 0)
}
