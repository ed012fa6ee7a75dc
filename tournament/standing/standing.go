// Package standing makes places of results. It is pure, and all sums are integers: points and wins
// are counted in twelfths, so that shared ones add up exactly.
package standing

import (
	"cmp"
	"slices"

	"meldhall/engine"
)

// Player is one who is ranked.
type Player struct {
	ID        int64
	Number    int // the start number, by which players of one place are listed
	Withdrawn bool
	// Disqualified stands after everybody else and goes on to no later stage.
	Disqualified bool
}

// Line is what one player got in one game.
type Line struct {
	Player      int64
	Round       int // number in the tournament, from 1
	Stage       int // from 0
	Wins        engine.Twelfth
	Points      engine.Twelfth
	Provisional bool
}

// Penalty is points off a player's total, apart from any game: given in a round, so that it counts where that round's
// results count. Round 0 is before the first one. Points are above 0.
type Penalty struct {
	Player int64
	Round  int
	Stage  int
	Points engine.Twelfth
}

// Stage is a part of the tournament. Entrants of the first one are all players; FirstRound is the
// number of its first round. A stage that has not been drawn is not given.
type Stage struct {
	FirstRound int
	Entrants   []int64
	CarryAll   bool // earlier stages' results count in this one's places
}

// Input is all that places are made of. Method is the rule set's standings field. Where the lowest
// total wins, penalties are added to it, elsewhere they are taken from it.
type Input struct {
	Method    string
	Players   []Player
	Stages    []Stage
	Lines     []Line
	Penalties []Penalty
}

// Row is one player's standing. Place is shared by those who tie: 1, 2, 2, 4. Stage is the last one
// that the player reached; Games, Wins and Points are those that count there, Points of the games alone. Penalties are
// the penalty points that count there, and Total is what the place is made of: Points without them, or with them where
// the lowest total wins. Last is the newest round's part of the games. Move is how many places were won (more than 0) or lost
// since the round before.
type Row struct {
	Place       int
	Player      int64
	Stage       int
	Games       int
	Wins        engine.Twelfth
	Points      engine.Twelfth
	Penalties   engine.Twelfth
	Total       engine.Twelfth
	LastWins    engine.Twelfth
	LastPoints  engine.Twelfth
	LastPlayed  bool
	Provisional bool
	Withdrawn   bool
	Move        int
	HasMove     bool // there was a round before

	Disqualified bool
}

// Rank gives all players' standings, best first. Who reached a later stage is placed before all who did
// not; within a stage the method decides (rules.md section 7). Players who tie share the place and are listed by
// start number. Who has played no game stands after those who have. Who is disqualified stands after everybody else,
// whatever the stage.
func Rank(in Input) []Row {
	last := 0
	for _, l := range in.Lines {
		last = max(last, l.Round)
	}
	rows := rank(in)
	at := make(map[int64]*Row, len(rows))
	for i := range rows {
		at[rows[i].Player] = &rows[i]
	}
	for _, l := range in.Lines {
		if r := at[l.Player]; r != nil && l.Round == last {
			r.LastPlayed = true
			r.LastWins += l.Wins
			r.LastPoints += l.Points
		}
	}
	addMoves(in, last, rows)
	return rows
}

func addMoves(in Input, last int, rows []Row) {
	before := Input{Method: in.Method, Players: in.Players}
	for _, l := range in.Lines {
		if l.Round < last {
			before.Lines = append(before.Lines, l)
		}
	}
	if len(before.Lines) == 0 {
		return
	}
	for _, p := range in.Penalties {
		if p.Round < last {
			before.Penalties = append(before.Penalties, p)
		}
	}
	for i, s := range in.Stages {
		if i == 0 || s.FirstRound < last {
			before.Stages = append(before.Stages, s)
		}
	}
	places := map[int64]int{}
	for _, r := range rank(before) {
		places[r.Player] = r.Place
	}
	for i := range rows {
		rows[i].Move = places[rows[i].Player] - rows[i].Place
		rows[i].HasMove = true
	}
}

// rank places everybody, without the last round's part and the moves.
func rank(in Input) []Row {
	reached := map[int64]int{}
	for s, stage := range in.Stages {
		for _, p := range stage.Entrants {
			reached[p] = s
		}
	}
	var rows []Row
	for _, out := range []bool{false, true} {
		for s := max(len(in.Stages)-1, 0); s >= 0; s-- {
			var players []Player
			for _, p := range in.Players {
				if reached[p.ID] == s && p.Disqualified == out {
					players = append(players, p)
				}
			}
			part := rankStage(in, s, players)
			for i := range part {
				part[i].Place += len(rows)
			}
			rows = append(rows, part...)
		}
	}
	return rows
}

// rankStage places players among each other by what counts in a stage.
func rankStage(in Input, stage int, players []Player) []Row {
	from := stage
	for from > 0 && from < len(in.Stages) && in.Stages[from].CarryAll {
		from--
	}
	sums := make(map[int64]*Row, len(players))
	rows := make([]*Row, len(players))
	numbers := make(map[int64]int, len(players))
	for i, p := range players {
		rows[i] = &Row{Player: p.ID, Stage: stage, Withdrawn: p.Withdrawn, Disqualified: p.Disqualified}
		sums[p.ID], numbers[p.ID] = rows[i], p.Number
	}
	for _, l := range in.Lines {
		if r := sums[l.Player]; r != nil && l.Stage >= from && l.Stage <= stage {
			r.Games++
			r.Wins += l.Wins
			r.Points += l.Points
			r.Provisional = r.Provisional || l.Provisional
		}
	}
	for _, p := range in.Penalties {
		if r := sums[p.Player]; r != nil && p.Stage >= from && p.Stage <= stage {
			r.Penalties += p.Points
		}
	}
	for _, r := range rows {
		r.Total = r.Points - r.Penalties
		if in.Method == engine.LowestPoints {
			r.Total = r.Points + r.Penalties
		}
	}
	slices.SortFunc(rows, func(a, b *Row) int {
		return cmp.Or(compare(in.Method, a, b), cmp.Compare(numbers[a.Player], numbers[b.Player]))
	})
	placed := make([]Row, len(rows))
	for i, r := range rows {
		r.Place = i + 1
		if i > 0 && compare(in.Method, rows[i-1], r) == 0 {
			r.Place = placed[i-1].Place
		}
		placed[i] = *r
	}
	return placed
}

// compare is below 0 when a stands before b. Under the lowest total, those who withdrew stand last:
// they would win by not playing.
func compare(method string, a, b *Row) int {
	if c := cmp.Compare(min(b.Games, 1), min(a.Games, 1)); c != 0 {
		return c
	}
	switch method {
	case engine.ByPoints:
		return cmp.Compare(b.Total, a.Total)
	case engine.LowestPoints:
		return cmp.Or(compareBool(a.Withdrawn, b.Withdrawn), cmp.Compare(a.Total, b.Total))
	default:
		return cmp.Or(cmp.Compare(b.Wins, a.Wins), cmp.Compare(b.Total, a.Total))
	}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
