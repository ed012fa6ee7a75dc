package solve

// This file decides in which direction the search goes, with which prices, and for how long. Invariant: the best way
// and the memos survive from leg to leg, so a leg need only find and prove what earlier ones did not.

// The first stage is worth its time if there are few arcs, or if there are so many tiles that nearly all of them can be
// laid.
const (
	fewArcs   = 60
	nearlyAll = 80
)

// stage is a part of a leg. It makes a number of sweeps that set prices, and then searches a number of states before
// better prices are worth their time. Easy positions need no sweeps. A sweep goes through the numbers up and down.
// counts is the maximum number of sweeps of the chains that count the jokers (counted.go). Before those, prices are set
// softly (soft.go).
type stage struct{ sweeps, states, counts int }

// legs holds the stages of each leg. The search may change its direction between two legs.
var legs = [][]stage{
	{{0, 14, 0}, {1, 100, 0}, {2, 250, 0}},
	{{1, 500, 6}},
	{{1, 500, 6}},
	{{1, 6000, 6}}, // weighed
	{{2, 1 << 60, 20}},
}

// weighed is the leg before which the search compares how far it has come from each end, as a share of all branches
// from that end. In nine of ten hard positions the end from which it has come further is the better one, and it
// continues there.
const weighed = 3

// outcome says how a part of the search ended.
type outcome int

const (
	paused   outcome = iota // its states are used up
	complete                // nothing more can be found
	limited                 // the limit of the question was reached
)

// run searches for ways that cost less than below. ended reports whether the search was complete. If so, and if a way
// was found, best is the optimum. The error is errTooMany.
func (s *search) run(below int32) (ended bool, err error) {
	s.best, s.bound, s.any, s.stop, s.unsure = below, s.floor, false, false, false
	s.goal = below - unit
	s.expansion.roomy = s.tiles.thrift && s.tiles.jokers > 0 && s.tiles.kept.broken > 0
	if !s.tiles.host && s.tiles.bottomHeavy() {
		s.turn()
	}
	for i, leg := range s.legs {
		switch {
		case s.tiles.host && 0 < i && i < len(s.legs)-1:
			continue // with hosts, what each run gets is decided upwards
		case !s.tiles.host && i == weighed && s.further():
			if out := s.goOn(leg[len(leg)-1]); out != paused {
				return out == complete, nil
			}
			continue
		case !s.tiles.host && i > 0:
			s.turn()
		}
		s.chains.joker = s.jokerPrice(i)
		s.recall(i < 2)
		if out, err := s.runLeg(leg); err != nil || out != paused {
			return out == complete, err
		}
		s.doneTurned[s.direction()] = s.done
	}
	return false, nil
}

// runLeg searches in one direction through the stages of a leg. The error is errTooMany.
func (s *search) runLeg(leg []stage) (outcome, error) {
	if possible, err := s.chains.build(); err != nil {
		return paused, err
	} else if !possible {
		return complete, nil
	}
	s.prices.groupings.fill(&s.chains)
	s.prices.forget()
	bounded := false
	for _, stage := range leg {
		if stage.sweeps+stage.counts == 0 && len(s.chains.arcs) > fewArcs && s.chains.total < nearlyAll {
			continue
		}
		if stage.counts > 0 && s.tiles.kept.broken == 0 {
			s.prices.agreeSoftly(softSweeps, bounded)
			bounded = true
		}
		if stage.sweeps > 0 {
			s.prices.agree(stage.sweeps, bounded)
		} else if !bounded {
			s.prices.bounds()
		}
		bounded = true
		if s.counting = stage.counts > 0 && s.counted.fill(); s.counting {
			s.counted.agree(stage.counts, s.goal)
		}
		if s.comparing = !s.tiles.host && stage.states > hardly; s.comparing {
			s.chains.compare()
		}
		if out := s.goOn(stage); out != paused {
			return out, nil
		}
	}
	return paused, nil
}

// goOn continues the search for as many states as the stage allows.
func (s *search) goOn(stage stage) outcome {
	s.stop, s.expansion.children = false, s.expansion.children[:0]
	s.pause = s.work + stage.states
	switch {
	case s.begin(stage.states > longStage):
		return complete
	case s.limit > 0 && s.work >= s.limit:
		return limited
	}
	return paused
}

// direction returns 1 for turned tiles, otherwise 0.
func (s *search) direction() int {
	if s.tiles.turned {
		return 1
	}
	return 0
}

// further reports whether the search has come further in the current direction than in the opposite direction.
func (s *search) further() bool { return s.doneTurned[s.direction()] > s.doneTurned[1-s.direction()] }

// recall selects the memo of the current direction. What an earlier turn stored there still holds, because bounds in
// the memo do not contain prices. If first is set, recall clears the memo.
func (s *search) recall(first bool) {
	s.known = &s.memos[s.direction()]
	if first {
		s.known.clear()
	}
}

// jokerPrice returns the price of a joker: the cost of one and a quarter tiles in the first leg, which ends most
// searches sooner, and of two tiles in later legs, which the hard positions need. If every tile will be laid, the price
// is that of a set that does not stay.
func (s *search) jokerPrice(leg int) int32 {
	if s.tiles.jokers == 0 {
		return 0
	}
	if s.tiles.kept.broken > 0 && s.best <= s.tiles.cost[1] {
		return s.tiles.kept.broken
	}
	tile := s.tiles.cost[numbers/2+1]
	if leg == 0 {
		return tile * 5 / 4
	}
	return 2 * tile
}
