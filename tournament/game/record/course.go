package record

import (
	"context"
	"errors"
	"sync"

	"meldhall/engine"
	"meldhall/tournament/game"
)

// Course describes how a finished game went, in numbers that reveal no tile.
type Course struct {
	Turns     int
	TimeOuts  int
	Penalties int // given by an official and not cancelled
	Longest   CourseTurn
	Most      CourseTurn    // the turn with the most tiles laid
	Last      engine.Millis // time of the last event
}

// CourseTurn is the turn of a game that is greatest by some measure; of several equal ones, it is the first. Number 0
// means that there was none.
type CourseTurn struct {
	Number int
	Seat   int
	Took   engine.Millis // without the time while the clock was stopped
	Laid   int
}

// coursesMost limits how many courses are cached, at about 100 bytes each.
const coursesMost = 50_000

// courses caches the Course of each game, as of the game's last event.
type courses struct {
	mu    sync.Mutex
	games map[int64]keptCourse
}

type keptCourse struct {
	seq int
	Course
}

// Courses returns the courses of a tournament's finished games, by game. Each log is read once, regardless of the
// number of callers.
func (g *Reader) Courses(ctx context.Context, tournamentID int64) (map[int64]Course, error) {
	rows, err := g.Games.DB.ReadSQL.QueryContext(ctx, `SELECT id, (SELECT max(seq) FROM game_events WHERE game_id = games.id)
		FROM games WHERE tournament_id = $1 AND status = 'finished'`, tournamentID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	seqs := map[int64]int{}
	for rows.Next() {
		var game int64
		var seq *int
		if err := rows.Scan(&game, &seq); err != nil {
			return nil, err
		}
		if seq != nil {
			seqs[game] = *seq
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	all := make(map[int64]Course, len(seqs))
	for id, seq := range seqs {
		course, err := g.courseOf(ctx, id, seq)
		if errors.Is(err, game.ErrBroken) {
			continue // the log is unusable; the other games still count
		}
		if err != nil {
			return nil, err
		}
		all[id] = course
	}
	return all, nil
}

func (g *Reader) courseOf(ctx context.Context, game int64, seq int) (Course, error) {
	k := &g.courses
	k.mu.Lock()
	kept, ok := k.games[game]
	k.mu.Unlock()
	if ok && kept.seq == seq {
		return kept.Course, nil
	}
	snap, err := g.Games.Look(ctx, game)
	if err != nil {
		return Course{}, err
	}
	turns, began, stood, err := g.timesOf(ctx, game)
	if err != nil {
		return Course{}, err
	}
	course := newCourse(snap.State, turns, began, stood)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.games == nil || len(k.games) >= coursesMost {
		k.games = map[int64]keptCourse{}
	}
	k.games[game] = keptCourse{seq, course}
	return course, nil
}

func newCourse(s engine.State, turns []PublicTurn, began engine.Millis, stood []stop) Course {
	c := Course{Turns: len(turns), Last: s.At}
	for _, r := range s.Rulings.All {
		if r.Kind == (engine.PenaltyGiven{}).Kind() && r.Cancelled == 0 {
			c.Penalties++
		}
	}
	since := began
	for _, t := range turns {
		one := CourseTurn{Number: t.Number, Seat: t.Seat, Took: t.At - since - stoodBetween(stood, since, t.At),
			Laid: len(t.Played)}
		if since = t.At; t.Kind == (engine.TurnExpired{}).Kind() {
			c.TimeOuts++
		}
		if one.Took > c.Longest.Took {
			c.Longest = one
		}
		if one.Laid > c.Most.Laid {
			c.Most = one
		}
	}
	return c
}

// stoodBetween returns how long the clock was stopped between two moments.
func stoodBetween(stood []stop, from, until engine.Millis) (sum engine.Millis) {
	for _, s := range stood {
		end := s.until
		if end == 0 {
			end = until
		}
		sum += max(min(end, until)-max(s.since, from), 0)
	}
	return sum
}
