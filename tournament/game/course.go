package game

import (
	"context"
	"errors"
	"sync"

	"meldhall/engine"
)

// Course is how a game that is over went, in numbers that tell no tile.
type Course struct {
	Turns     int
	TimeOuts  int
	Penalties int // given by an official, without those that were taken back
	Longest   CourseTurn
	Most      CourseTurn    // in which the most tiles were laid
	Last      engine.Millis // when the last thing in it happened
}

// CourseTurn is one turn of a game, the first of several that are equal; Number 0: there was none.
type CourseTurn struct {
	Number int
	Seat   int
	Took   engine.Millis // without the time in which the clock stood
	Laid   int
}

// coursesMost bounds how many courses are kept; some 100 bytes each.
const coursesMost = 50_000

// courses keeps how games went, each as of its last event.
type courses struct {
	mu    sync.Mutex
	games map[int64]keptCourse
}

type keptCourse struct {
	seq int
	Course
}

// Courses gives how the games of an event went that are over, by game. A log is read once, however many ask.
func (g *Games) Courses(ctx context.Context, event int64) (map[int64]Course, error) {
	rows, err := g.DB.ReadSQL.QueryContext(ctx, `SELECT id, (SELECT max(seq) FROM game_events WHERE game_id = games.id)
		FROM games WHERE tournament_id = ? AND status = 'finished'`, event)
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
	for game, seq := range seqs {
		course, err := g.courseOf(ctx, game, seq)
		if errors.Is(err, ErrBroken) {
			continue // nobody can tell; the others' stand
		}
		if err != nil {
			return nil, err
		}
		all[game] = course
	}
	return all, nil
}

func (g *Games) courseOf(ctx context.Context, game int64, seq int) (Course, error) {
	k := &g.courses
	k.mu.Lock()
	kept, ok := k.games[game]
	k.mu.Unlock()
	if ok && kept.seq == seq {
		return kept.Course, nil
	}
	snap, err := g.Look(ctx, game)
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
	for _, r := range s.Rulings {
		if r.Kind == (engine.PenaltyGiven{}).Kind() && r.Cancelled == 0 {
			c.Penalties++
		}
	}
	since := began
	for _, t := range turns {
		one := CourseTurn{Number: t.Number, Seat: t.Seat, Took: t.At - since - stoodBetween(stood, since, t.At), Laid: len(t.Played)}
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

// stoodBetween is for how long of a time the clock stood.
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
