package record

import (
	"cmp"
	"math"
	"slices"

	"meldhall/engine"
)

// stop is a period in which a game's clock was stopped; until is 0 while it lasts.
type stop struct{ since, until engine.Millis }

// time records how an event affects the times of a game.
func (f *fold) time(e engine.Event) {
	switch e := e.(type) {
	case engine.PlayBegan:
		f.began = e.At
	case engine.GamePaused:
		f.stood = append(slices.Clone(f.stood), stop{since: e.At})
	case engine.GameResumed:
		if n := len(f.stood); n > 0 && f.stood[n-1].until == 0 {
			f.stood = slices.Clone(f.stood)
			f.stood[n-1].until = e.At
		}
	}
}

// PaceSample is the data about a table's game at a moment. Pool is -1 if it is unknown, as with real tiles. Left is the
// number of turns left if the engine knows it, otherwise 0.
type PaceSample struct {
	Phase engine.Phase
	Seats int
	Began engine.Millis   // start of the first turn; 0: not yet
	Ends  []engine.Millis // when turns ended, in order
	Stood []stop
	Pool  int
	Least int // tiles on the smallest rack; 0: unknown
	Left  int
	After int      // games that the table plays after this one in the round
	Table Measured // its finished games in the round: these players' own pace
}

// Typical is an average game of a tournament so far: its turns, the time per turn, and the time between two games at a
// table, for the count.
type Typical struct {
	Turns    float64
	TurnTime engine.Millis
	Gap      engine.Millis
}

// The estimates that are used before a game has been measured. 84 games of four mixed bots had 38 turns on average,
// 10 to 65. At a limit of one minute, people need 12 to 15 minutes for a game, which is about a third of the limit
// for a turn.
const (
	lapsBefore     = 9.5 // turns per seat in a game
	turnShare      = 350 // ms per second of the turn limit
	unlimitedTurn  = engine.Millis(20_000)
	gapBefore      = engine.Millis(90_000)
	beliefGames    = 4.0  // weight of the estimates, in games
	beliefTurns    = 8.0  // weight of other games, in turns of this game
	recentTurns    = 8    // turns from which the pace is computed
	turnsVary      = 0.35 // standard deviation of a game's number of turns, relative
	paceVaries     = 0.2  // standard deviation of the time per turn between tables, relative
	poolFull       = 106
	tilesDealtEach = 14
)

// Coefficients for the remaining turns of a game, as a share of a typical game's turns, by the turns played and the
// smallest rack. They are fitted to the means of the 170,000 turns of 4,000 games of four mixed bots. A long game is no
// nearer to its end than another one with the same racks: after a typical game's turns 0.45 of them remain, and 0.2
// with one tile on a rack.
const (
	leftAtFirst = 0.95
	leftFalls   = 0.85
	leftAtLeast = 0.45
	leastCuts   = 0.64 // with one tile on the smallest rack
	leastFades  = 0.4  // for each further tile
)

// Measured sums up the finished games of a tournament.
type Measured struct {
	Games, Turns int
	Time         engine.Millis
	Gaps         int
	GapTime      engine.Millis
}

// TypicalOf combines the measurements with the estimates for games with a turn limit in seconds, 0 for none.
func TypicalOf(m Measured, seats, turnSeconds int) Typical {
	t := Typical{Turns: lapsBefore * float64(seats), TurnTime: engine.Millis(turnSeconds * turnShare), Gap: gapBefore}
	if turnSeconds == 0 {
		t.TurnTime = unlimitedTurn
	}
	believed := t.Turns * beliefGames
	if m.Turns > 0 {
		t.TurnTime = engine.Millis((float64(m.Time) + believed*float64(t.TurnTime)) / (float64(m.Turns) + believed))
	}
	if m.Games > 0 {
		t.Turns = (float64(m.Turns) + believed) / (float64(m.Games) + beliefGames)
	}
	if m.Gaps > 0 {
		t.Gap = engine.Millis((float64(m.GapTime) + beliefGames*float64(t.Gap)) / (float64(m.Gaps) + beliefGames))
	}
	return t
}

// Pace is the progress of a table. PerMinute is turns per minute over the last turns, 0 before there are two. GameEnds
// and RoundEnds are the likely ends of its game and of its part of the round, including the last count. Spread is the
// standard deviation of RoundEnds.
type Pace struct {
	Turns     int
	PerMinute float64
	TurnsLeft int
	GameEnds  engine.Millis
	RoundEnds engine.Millis
	Spread    engine.Millis
}

// NewPace computes the pace of a table and the likely end of its game.
func NewPace(s PaceSample, typical Typical, now engine.Millis) Pace {
	p := Pace{Turns: len(s.Ends)}
	turn := s.turnTime(typical, now)
	game := typical.Turns * turn
	switch {
	case s.Phase == engine.PhaseOver:
		p.GameEnds = now
	case s.Began == 0:
		p.TurnsLeft = int(typical.Turns)
		p.GameEnds = now + engine.Millis(game)
	default:
		p.PerMinute = s.perMinute(now)
		p.TurnsLeft = s.turnsLeft(typical)
		p.GameEnds = now + engine.Millis(float64(p.TurnsLeft)*turn)
	}
	after := float64(s.After) * game
	p.RoundEnds = p.GameEnds + engine.Millis(after) + engine.Millis(s.After+1)*typical.Gap
	varied := turnsVary * turnsVary * turn * turn * typical.Turns * (float64(p.TurnsLeft) +
		float64(s.After)*typical.Turns)
	unknown := paceVaries * math.Sqrt(beliefTurns/(beliefTurns+float64(len(s.Ends)+s.Table.Turns))) * (float64(p.GameEnds-now) + after)
	p.Spread = engine.Millis(math.Sqrt(varied + unknown*unknown))
	return p
}

// LastOver returns when the last of several tables is likely to finish, or 0 for no tables. This is later than the
// latest of the single forecasts, because some table takes longer than expected. The calculation combines the tables
// one by one with the mean of the maximum of two normal variables (C. E. Clark, The greatest of a finite set of random
// variables, 1961).
func LastOver(tables []Pace) engine.Millis {
	if len(tables) == 0 {
		return 0
	}
	from := tables[0].RoundEnds // timestamps are too large to be squared
	mean, variance := 0.0, square(tables[0].Spread)
	for _, t := range tables[1:] {
		other, own := float64(t.RoundEnds-from), square(t.Spread)
		apart := math.Sqrt(variance + own)
		if apart < 1 {
			mean = max(mean, other)
			continue
		}
		a := (mean - other) / apart
		first, both := (1+math.Erf(a/math.Sqrt2))/2, math.Exp(-a*a/2)/math.Sqrt(2*math.Pi)
		greatest := mean*first + other*(1-first) + apart*both
		squares := (mean*mean+variance)*first + (other*other+own)*(1-first) + (mean+other)*apart*both
		mean, variance = greatest, max(squares-greatest*greatest, 0)
	}
	return from + engine.Millis(mean)
}

func square(m engine.Millis) float64 { return float64(m) * float64(m) }

// turnTime returns how long a turn at this table takes, in ms: the average so far, weighted with other games.
func (s PaceSample) turnTime(typical Typical, now engine.Millis) float64 {
	played := s.Table.Time
	if n := len(s.Ends); n > 0 {
		played += s.running(s.Began, s.Ends[n-1])
		// a turn known to take long counts already
		if open := s.running(s.Ends[n-1], now); s.Phase == engine.PhasePlaying && open > typical.TurnTime {
			played += open - typical.TurnTime
		}
	}
	return (float64(played) + beliefTurns*float64(typical.TurnTime)) / (float64(len(s.Ends)+s.Table.Turns) +
		beliefTurns)
}

// turnsLeft returns the likely number of remaining turns. It falls with the turns played and with the smallest rack.
// The limit is how long the pool lasts at the rate at which tiles were drawn, plus one lap.
func (s PaceSample) turnsLeft(typical Typical) int {
	if s.Left > 0 {
		return s.Left
	}
	left := typical.Turns * max(leftAtLeast, leftAtFirst*math.Exp(-leftFalls*float64(len(s.Ends))/typical.Turns))
	if s.Least > 0 {
		left *= 1 - leastCuts*math.Exp(-leastFades*float64(s.Least-1))
	}
	drawn := poolFull - s.Seats*tilesDealtEach - s.Pool
	if s.Pool >= 0 && len(s.Ends) >= s.Seats && drawn > 0 {
		rate := float64(drawn) / float64(len(s.Ends))
		left = min(left, float64(s.Pool)/rate+float64(s.Seats))
	}
	return int(left + .5)
}

// LeastRack returns the number of tiles on the smallest rack of the occupied seats, 0 before the deal.
func LeastRack(s engine.State) int {
	least := 0
	for seat := range s.Seats {
		if n := len(s.Racks[seat]); !s.Out[seat] && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}

// perMinute returns turns per minute over the last turns, 0 with fewer than two. The current turn counts as soon as it
// is longer than their average.
func (s PaceSample) perMinute(now engine.Millis) float64 {
	n := min(len(s.Ends), recentTurns)
	if n < 2 {
		return 0
	}
	since := s.Began
	if len(s.Ends) > n {
		since = s.Ends[len(s.Ends)-n-1]
	}
	last := s.Ends[len(s.Ends)-1]
	turns, took := float64(n), s.running(since, last)
	if open := s.running(last, now); float64(open) > float64(took)/turns {
		turns, took = turns+1, took+open
	}
	return turns * 60_000 / float64(max(took, 1))
}

// running returns how long the clock ran between two moments.
func (s PaceSample) running(from, to engine.Millis) engine.Millis {
	ran := max(to-from, 0)
	for _, p := range s.Stood {
		since, until := max(p.since, from), min(cmp.Or(p.until, to), to)
		ran -= max(until-since, 0)
	}
	return max(ran, 0)
}
