package record

import (
	"testing"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// every returns the ends of n turns that took ms each.
func every(began, ms engine.Millis, n int) []engine.Millis {
	ends := make([]engine.Millis, n)
	for i := range ends {
		ends[i] = began + engine.Millis(i+1)*ms
	}
	return ends
}

func TestPace(t *testing.T) {
	const minute = engine.Millis(60_000)
	typical := Typical{Turns: 40, TurnTime: 20_000, Gap: minute}
	playing := func(change func(*PaceSample)) PaceSample {
		s := PaceSample{Phase: engine.PhasePlaying, Seats: 4, Began: minute, Pool: -1}
		change(&s)
		return s
	}
	for _, test := range []struct {
		name   string
		sample PaceSample
		now    engine.Millis
		want   Pace
	}{
		{"nothing is dealt: a typical game", PaceSample{Seats: 4, Pool: -1, After: 1}, 0,
			Pace{TurnsLeft: 40, GameEnds: 800_000, RoundEnds: 800_000 + minute + 800_000 + minute}},
		{"over: nothing is left", PaceSample{Phase: engine.PhaseOver, Seats: 4, Pool: 9, Ends: every(0, 1000, 30)},
			5 * minute,
			Pace{Turns: 30, GameEnds: 5 * minute, RoundEnds: 5*minute + minute}},
		{"as fast as others", playing(func(s *PaceSample) { s.Ends = every(minute, 20_000, 10) }), minute + 200_000,
			Pace{Turns: 10, PerMinute: 3, TurnsLeft: 31, GameEnds: minute + 820_000, RoundEnds: minute + 820_000 +
				minute}},
		{"twice as slow, weighed with eight turns of others",
			playing(func(s *PaceSample) { s.Ends = every(minute, 40_000, 8) }), minute + 320_000,
			Pace{Turns: 8, PerMinute: 1.5, TurnsLeft: 32, GameEnds: minute + 320_000 + 32*30_000, RoundEnds: minute +
				320_000 + 32*30_000 + minute}},
		{"the games before told how slow these players are",
			PaceSample{Seats: 4, Pool: -1, After: 1, Table: Measured{Games: 1, Turns: 32, Time: 32 * 40_000}}, 0,
			Pace{TurnsLeft: 40, GameEnds: 40 * 36_000, RoundEnds: 2*40*36_000 + minute + minute}},
		{"the engine knows the last lap", playing(func(s *PaceSample) {
			s.Ends, s.Left = every(minute, 20_000, 10),
				2
		}), minute + 200_000,
			Pace{Turns: 10, PerMinute: 3, TurnsLeft: 2, GameEnds: minute + 240_000, RoundEnds: minute + 240_000 +
				minute}},
		{"longer than a typical game: no nearer to its end",
			playing(func(s *PaceSample) { s.Ends = every(minute, 20_000, 60) }), minute + 1_200_000,
			Pace{Turns: 60, PerMinute: 3, TurnsLeft: 18, GameEnds: minute + 1_560_000, RoundEnds: minute + 1_560_000 +
				minute}},
		{"a full rack each says no more than the turns", playing(func(s *PaceSample) {
			s.Ends,
				s.Least = every(minute, 20_000, 20), 14
		}), minute + 400_000,
			Pace{Turns: 20, PerMinute: 3, TurnsLeft: 25, GameEnds: minute + 900_000, RoundEnds: minute + 900_000 +
				minute}},
		{"somebody has one tile left", playing(func(s *PaceSample) { s.Ends, s.Least = every(minute, 20_000, 20), 1 }),
			minute + 400_000,
			Pace{Turns: 20, PerMinute: 3, TurnsLeft: 9, GameEnds: minute + 580_000, RoundEnds: minute + 580_000 +
				minute}},
		{"the pool is nearly out: 40 of 50 tiles in 20 turns",
			playing(func(s *PaceSample) { s.Ends, s.Pool = every(minute, 20_000, 20), 10 }), minute + 400_000,
			Pace{Turns: 20, PerMinute: 3, TurnsLeft: 9, GameEnds: minute + 580_000, RoundEnds: minute + 580_000 +
				minute}},
		{"a clock that stood does not slow a table", playing(func(s *PaceSample) {
			s.Ends = append(every(minute, 20_000, 4), every(minute+380_000, 20_000, 4)...)
			s.Stood = []stop{{minute + 81_000, minute + 381_000}}
		}), minute + 460_000, Pace{Turns: 8, PerMinute: 3, TurnsLeft: 32, GameEnds: minute + 460_000 + 32*20_000,
			RoundEnds: minute + 460_000 + 32*20_000 + minute}},
		{"a clock that stands", playing(func(s *PaceSample) {
			s.Ends, s.Stood = every(minute, 20_000, 8), []stop{{since: minute + 160_000}}
		}), minute + 900_000, Pace{Turns: 8, PerMinute: 3, TurnsLeft: 32, GameEnds: minute + 900_000 + 32*20_000,
			RoundEnds: minute + 900_000 + 32*20_000 + minute}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := NewPace(test.sample, typical, test.now)
			if (got.Spread == 0) != (test.sample.Phase == engine.PhaseOver) {
				t.Errorf("a spread of %d", got.Spread)
			}
			got.Spread = 0
			if got != test.want {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
	t.Run("a turn that goes on for long is counted at once", func(t *testing.T) {
		s := playing(func(s *PaceSample) { s.Ends = every(minute, 20_000, 8) })
		if got := NewPace(s, typical, minute+160_000+140_000).PerMinute; got != 1.8 {
			t.Errorf("got %v turns a minute, want 9 in 300 s: 1.8", got)
		}
	})
}

func TestTypical(t *testing.T) {
	for _, test := range []struct {
		name           string
		m              Measured
		seats, seconds int
		want           Typical
	}{
		{"nothing measured: 38 turns of 21 s", Measured{}, 4, 60, Typical{38, 21_000, 90_000}},
		{"no limit", Measured{}, 3, 0, Typical{28.5, 20_000, 90_000}},
		{"four games weigh as much as the belief", Measured{Games: 4, Turns: 200, Time: 200 * 10_000, Gaps: 4,
			GapTime: 4 * 30_000}, 4, 60,
			Typical{44, engine.Millis((200*10_000 + 152*21_000) / 352), 60_000}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := TypicalOf(test.m, test.seats, test.seconds); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestLastOver(t *testing.T) {
	const minute = engine.Millis(60_000)
	at := func(minutes, spread engine.Millis) Pace {
		return Pace{RoundEnds: 1_800_000_000_000 + minutes*minute, Spread: spread * minute}
	}
	for _, test := range []struct {
		name        string
		tables      []Pace
		least, most engine.Millis // in minutes
	}{
		{"one table alone: its own end", []Pace{at(30, 10)}, 30, 30},
		{"all known for sure: the latest", []Pace{at(30, 0), at(50, 0), at(40, 0)}, 50, 50},
		{"two alike: one of them takes longer, by 0.56 of the spread", []Pace{at(30, 10), at(30, 10)}, 35, 36},
		{"eight alike: by 1.42", []Pace{at(30, 10), at(30, 10), at(30, 10), at(30, 10), at(30, 10), at(30, 10),
			at(30, 10), at(30, 10)}, 43, 45},
		{"one far behind decides", []Pace{at(30, 5), at(90, 5), at(30, 5)}, 90, 90},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := LastOver(test.tables) - at(0, 0).RoundEnds
			if got < test.least*minute-minute/2 || got > test.most*minute+minute/2 {
				t.Errorf("got %.1f minutes", float64(got)/float64(minute))
			}
		})
	}
	if LastOver(nil) != 0 {
		t.Error("no table: no end")
	}
}

func TestLeastRack(t *testing.T) {
	s := engine.State{Seats: 3}
	if got := LeastRack(s); got != 0 {
		t.Errorf("before the deal: got %d", got)
	}
	for seat, n := range []int{9, 2, 5, 1} { // the fourth seat is empty
		s.Racks[seat] = make(tile.List, n)
	}
	if got := LeastRack(s); got != 2 {
		t.Errorf("got %d", got)
	}
	s.Out[1] = true
	if got := LeastRack(s); got != 5 {
		t.Errorf("without who plays no more: got %d", got)
	}
}
