package solve

// BestUnlisted is Best with the search for many tiles, even if there are few.
func BestUnlisted(p Position, q Question) Play { return bestIn(legs, p, q) }

// BestTurned is BestUnlisted with nearly all of the search from the end other than the one where it would begin.
func BestTurned(p Position, q Question) Play {
	return bestIn([][]stage{{}, {{0, 2, 0}, {1, 3, 0}, {2, 1 << 60, 0}}}, p, q)
}

// BestInShortTurns is BestUnlisted with a search that turns often, so that one turn proves what another one found.
func BestInShortTurns(p Position, q Question) Play {
	return bestIn([][]stage{{{0, 9, 0}}, {{0, 14, 0}}, {{1, 16, 1}}, {{1, 18, 0}}, {{2, 20, 2}}, {{2, 1 << 60, 3}}}, p,
		q)
}

// BestWithin is BestUnlisted with lower limits of the chains. slowly reports whether the last case exceeded one.
func BestWithin(mostStates, mostSeated int, p Position, q Question) (play Play, slowly bool) {
	s := newSolver(legs, 0)
	s.search.chains.limits = limits{mostStates, mostSeated}
	return bestBy(s, p, q), s.slow != nil
}

func bestIn(legs [][]stage, p Position, q Question) Play { return bestBy(newSolver(legs, 0), p, q) }

func bestBy(s *solver, p Position, q Question) Play {
	s.ask(p, q)
	s.optimum()
	if q.Keep {
		s.tidy()
	}
	return s.play()
}
