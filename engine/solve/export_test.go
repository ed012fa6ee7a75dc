package solve

// BestTurned is Best with nearly all of the search from 13 down to 1, whatever else Best would do.
func BestTurned(p Position, q Question) Play {
	s := newSolver([][]stage{{}, {{0, 2}, {1, 3}, {2, 1 << 60}}})
	s.ask(p, q)
	s.optimum()
	if q.Keep {
		s.tidy()
	}
	return s.play()
}
