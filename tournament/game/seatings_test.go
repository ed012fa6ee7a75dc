package game

import "testing"

// TestSeatingsAreCountedByEvent checks that a tournament's seats are read again after a change in it, or after one that
// may affect any tournament, but not after a change in another one.
func TestSeatingsAreCountedByEvent(t *testing.T) {
	var s Seatings
	var one, two, all uint64
	for i, c := range []struct {
		tournamentID int64
		one, two     bool
	}{{1, true, false}, {2, false, true}, {1, true, false}, {0, true, true}, {3, false, false}} {
		s.Changed(c.tournamentID)
		if is := s.Of(1) != one; is != c.one {
			t.Errorf("change %d of event %d: counted for event 1: %v", i, c.tournamentID, is)
		}
		if is := s.Of(2) != two; is != c.two {
			t.Errorf("change %d of event %d: counted for event 2: %v", i, c.tournamentID, is)
		}
		if s.All() <= all {
			t.Errorf("change %d of event %d is not counted in all", i, c.tournamentID)
		}
		one, two, all = s.Of(1), s.Of(2), s.All()
	}
}
