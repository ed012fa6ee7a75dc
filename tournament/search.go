package tournament

import "sync"

// searches is how far the searches for seats are that run now.
type searches struct {
	mu   sync.Mutex
	part map[int64]int // by tournament: percent
	// moved is called when a search begins, at every tenth of it and at its end.
	moved func(tournamentID int64)
}

func (s *searches) tell(tournamentID int64, done, of int) {
	percent := min(100, done*100/max(of, 1))
	s.mu.Lock()
	was, there := s.part[tournamentID]
	if s.part == nil {
		s.part = map[int64]int{}
	}
	s.part[tournamentID] = percent
	s.mu.Unlock()
	const step = 10 // percent
	if s.moved != nil && (!there || percent/step != was/step) {
		s.moved(tournamentID)
	}
}

func (s *searches) end(tournamentID int64) {
	s.mu.Lock()
	_, there := s.part[tournamentID]
	delete(s.part, tournamentID)
	s.mu.Unlock()
	if s.moved != nil && there {
		s.moved(tournamentID)
	}
}

// Searching tells how much of a search for seats of a tournament is done, in percent; not ok when none runs.
func (s *Store) Searching(tournamentID int64) (percent int, ok bool) {
	s.searches.mu.Lock()
	defer s.searches.mu.Unlock()
	percent, ok = s.searches.part[tournamentID]
	return percent, ok
}

// OnSearch sets who is told that a search for seats has come further or has ended. It is called in between, and the search
// waits for it.
func (s *Store) OnSearch(moved func(tournamentID int64)) { s.searches.moved = moved }
