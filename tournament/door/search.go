package door

import "sync"

// Searches is how far the searches for seats are that run now.
type Searches struct {
	// Steps bounds a search; 0: as many as the field needs.
	Steps int

	mu   sync.Mutex
	part map[int64]int // by tournament: percent
	// moved is called when a search begins, at every tenth of it and at its end.
	moved func(tournamentID int64)
}

// Tell says how far the search for seats of a tournament is.
func (s *Searches) Tell(tournamentID int64, done, of int) {
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

// End says that it is over.
func (s *Searches) End(tournamentID int64) {
	s.mu.Lock()
	_, there := s.part[tournamentID]
	delete(s.part, tournamentID)
	s.mu.Unlock()
	if s.moved != nil && there {
		s.moved(tournamentID)
	}
}

// Of tells how much of a search for seats of a tournament is done, in percent; not ok when none runs.
func (s *Searches) Of(tournamentID int64) (percent int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	percent, ok = s.part[tournamentID]
	return percent, ok
}

// OnMoved sets who is told that a search for seats has come further or has ended. It is called in between, and the search
// waits for it.
func (s *Searches) OnMoved(moved func(tournamentID int64)) { s.moved = moved }
