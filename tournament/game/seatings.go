package game

import (
	"sync"
	"sync/atomic"
)

// Seatings counts the changes to who sits where: in total, per tournament, and those that may affect any tournament.
type Seatings struct {
	all, everywhere atomic.Uint64
	tournaments     sync.Map // values are *atomic.Uint64
}

// All returns the number of changes to seats and linked devices in all tournaments. Data about seats is still
// valid if the count is the same as before the data was read.
func (s *Seatings) All() uint64 { return s.all.Load() }

// Of returns the number of changes that affect one tournament. Hundreds may run at once, and a change in one must not
// invalidate the caches of the others.
func (s *Seatings) Of(tournamentID int64) uint64 {
	n := s.everywhere.Load()
	if own, ok := s.tournaments.Load(tournamentID); ok {
		n += own.(*atomic.Uint64).Load()
	}
	return n
}

// Changed counts a change in a tournament, or in any if tournamentID is 0. The total is raised first: a reader that
// finds it unchanged has also read the tournament's count from before the change.
func (s *Seatings) Changed(tournamentID int64) {
	s.all.Add(1)
	if tournamentID == 0 {
		s.everywhere.Add(1)
		return
	}
	own, _ := s.tournaments.LoadOrStore(tournamentID, new(atomic.Uint64))
	own.(*atomic.Uint64).Add(1)
}
