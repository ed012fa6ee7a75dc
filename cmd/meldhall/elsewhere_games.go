package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament/format"
	"meldhall/tournament/preset"
	"meldhall/tournament/standing"
)

// mostElsewhere is the limit below which the table numbers of a document must be.
const mostElsewhere = 1000

// readResults converts the games to lines. A stage starts with its first game, and its players are its entrants.
func (e *elsewhere) readResults(_ preset.Library, in playedElsewhere) error {
	everybody := make([]int64, len(e.players))
	for i := range everybody {
		everybody[i] = int64(i + 1)
	}
	e.begin(0, 1, everybody)
	stageOf := map[int]int{}  // by round
	played := map[int64]int{} // number of games, by table
	seats := seatsElsewhere{}
	for i, g := range in.Results {
		field := fmt.Sprintf("results[%d]", i)
		g.Stage, g.Table = cmp.Or(g.Stage, 1), cmp.Or(g.Table, 1)
		if err := e.check(field, g); err != nil {
			return err
		}
		stage, known := stageOf[g.Round]
		if known && stage != g.Stage-1 {
			return &fieldError{field + ".stage", fmt.Errorf("round %d is already part of stage %d", g.Round, stage+1)}
		}
		for round, stage := range stageOf {
			if (round < g.Round) != (stage <= g.Stage-1) && stage != g.Stage-1 {
				return &fieldError{field + ".round",
					fmt.Errorf("round %d of stage %d conflicts with round %d of stage %d", g.Round, g.Stage, round,
						stage+1)}
			}
		}
		stageOf[g.Round] = g.Stage - 1
		seated, err := e.named(field+".players", g.Players)
		if err == nil {
			err = seats.take(field, g, seated)
		}
		if err != nil {
			return err
		}
		if err := e.enter(field, g, seated); err != nil {
			return err
		}
		table := int64(g.Round*mostElsewhere + g.Table)
		played[table]++
		wins := g.Wins
		if wins == nil {
			wins = winsBy(g.Points, e.rules[g.Stage-1].Points == ruleset.Penalty)
		}
		for turn, player := range seated {
			e.input.Lines = append(e.input.Lines, standing.Line{Player: player, Round: g.Round, Stage: g.Stage - 1,
				Game: int64(i + 1), Table: table,
				Order: played[table], Turn: turn, PlayOff: g.PlayOff, Wins: wins[turn], Points: g.Points[turn]})
		}
	}
	return nil
}

// rounds returns the number of rounds up to the end of a stage; stage counts from 1.
func (e *elsewhere) rounds(stage int) (rounds int) {
	for _, s := range e.format.Stages[:stage] {
		rounds += s.Rounds
	}
	return rounds
}

// seatsElsewhere holds the tables with their players, by round and play-off.
type seatsElsewhere map[[2]int][]seatedElsewhere

type seatedElsewhere struct {
	table   int
	players []int64
}

// take seats the players of a game. It returns an error for a player who sits at another table of the round. Tables
// without a number are identified by their players, some of whom may miss a game.
func (s seatsElsewhere) take(field string, g gameElsewhere, players []int64) error {
	round := [2]int{g.Round, g.PlayOff}
	for _, other := range s[round] {
		both := 0
		for i, p := range players {
			if !slices.Contains(other.players, p) {
				continue
			}
			if both++; other.table != g.Table {
				return &fieldError{field + ".table", fmt.Errorf("%q also sits at table %d of round %d", g.Players[i],
					other.table, g.Round)}
			}
		}
		if both > 0 && both < min(len(players), len(other.players)) {
			i := slices.IndexFunc(players, func(p int64) bool { return slices.Contains(other.players, p) })
			return &fieldError{field + ".players", fmt.Errorf("%q sits at two tables of round %d", g.Players[i],
				g.Round)}
		}
	}
	s[round] = append(s[round], seatedElsewhere{g.Table, players})
	return nil
}

func (e *elsewhere) check(field string, g gameElsewhere) error {
	if g.Stage < 1 || g.Stage > len(e.format.Stages) {
		return &fieldError{field + ".stage", fmt.Errorf("%d, but the format has only %d", g.Stage,
			len(e.format.Stages))}
	}
	switch most := e.rounds(g.Stage); {
	case g.Round < 1 || g.Round > most:
		return &fieldError{field + ".round", fmt.Errorf("%d is not between 1 and %d, the rounds up to stage %d",
			g.Round, most, g.Stage)}
	case g.Table < 1 || g.Table >= mostElsewhere:
		return &fieldError{field + ".table", fmt.Errorf("%d is not between 1 and %d", g.Table, mostElsewhere-1)}
	case g.PlayOff < 0 || g.PlayOff > format.PlayOffsMost:
		return &fieldError{field + ".play_off", fmt.Errorf("%d is not between 0 and %d", g.PlayOff,
			format.PlayOffsMost)}
	case len(g.Players) < 2 || len(g.Players) > ruleset.MaxSeats:
		return &fieldError{field + ".players", fmt.Errorf("%d players, but a table has 2 to %d", len(g.Players),
			ruleset.MaxSeats)}
	case len(g.Points) != len(g.Players):
		return &fieldError{field + ".points", fmt.Errorf("%d for %d players", len(g.Points), len(g.Players))}
	case g.Wins != nil && len(g.Wins) != len(g.Players):
		return &fieldError{field + ".wins", fmt.Errorf("%d for %d players", len(g.Wins), len(g.Players))}
	}
	return e.checkScore(field, g)
}

// checkScore rejects points and wins that are impossible in a game.
func (e *elsewhere) checkScore(field string, g gameElsewhere) error {
	most := mostPoints(e.rules[g.Stage-1])
	for i, p := range g.Points {
		if p > most || p < -most {
			return &fieldError{fmt.Sprintf("%s.points[%d]", field, i),
				fmt.Errorf("%v, but a game has %v points at most", p, most)}
		}
	}
	won := score.Twelfth(0)
	for i, w := range g.Wins {
		if won += w; w < 0 || won > score.Whole(1) {
			return &fieldError{fmt.Sprintf("%s.wins[%d]", field, i),
				errors.New("the wins of a game must not be negative or exceed one in total")}
		}
	}
	return nil
}

// mostPoints returns an upper bound for a player's points in a game: three opponents pay for all tiles of the game and
// for not having opened.
func mostPoints(r ruleset.Ruleset) score.Twelfth {
	tiles := 2*r.JokerPoints + 2*len("KRBO")*(1+13)*13/2
	return score.Whole((ruleset.MaxSeats - 1) * (tiles + max(r.NoMeldAble, r.NoMeldUnable)))
}

// begin adds a stage.
func (e *elsewhere) begin(stage, round int, entrants []int64) {
	e.input.Stages = append(e.input.Stages, standing.Stage{FirstRound: round, Entrants: entrants,
		Carry:   e.format.Stages[stage].CarryOver,
		Scoring: e.format.ScoringOf(stage), Lowest: e.rules[stage].Points == ruleset.Penalty})
}

// enter adds a game's players to its stage.
func (e *elsewhere) enter(field string, g gameElsewhere, seated []int64) error {
	begun := len(e.input.Stages)
	switch {
	case g.Stage == 1:
		return nil
	case g.Stage > begun+1:
		return &fieldError{field + ".stage", fmt.Errorf("no game of stage %d precedes it", g.Stage-1)}
	case g.Stage == begun+1:
		e.begin(begun, g.Round, nil)
	}
	at := &e.input.Stages[g.Stage-1]
	at.FirstRound = min(at.FirstRound, g.Round)
	for _, player := range seated {
		if !slices.Contains(at.Entrants, player) {
			at.Entrants = append(at.Entrants, player)
		}
	}
	return nil
}

// winsBy awards the win to the player with the most points or, if points are penalties, with the fewest. Tied players
// share the win.
func winsBy(points []score.Twelfth, lowest bool) []score.Twelfth {
	best := slices.Max(points)
	if lowest {
		best = slices.Min(points)
	}
	winners := 0
	for _, p := range points {
		if p == best {
			winners++
		}
	}
	wins := make([]score.Twelfth, len(points))
	for i, p := range points {
		if p == best {
			wins[i] = score.Whole(1) / score.Twelfth(winners)
		}
	}
	return wins
}

// readDecisions adds the penalties and the lots.
func (e *elsewhere) readDecisions(_ preset.Library, in playedElsewhere) error {
	for i, p := range in.Penalties {
		field := fmt.Sprintf("penalties[%d]", i)
		who, err := e.named(field+".player", []string{p.Player})
		if err != nil {
			return err
		}
		if p.Points <= 0 {
			return &fieldError{field + ".points", errors.New("must be above 0")}
		}
		if most := e.rounds(len(e.format.Stages)); p.Round < 1 || p.Round > most {
			return &fieldError{field + ".round", fmt.Errorf("%d is not between 1 and %d", p.Round, most)}
		}
		given := standing.Penalty{Player: who[0], Round: p.Round, Points: p.Points}
		for stage, s := range e.input.Stages {
			if p.Round >= s.FirstRound {
				given.Stage = stage
			}
		}
		e.input.Penalties = append(e.input.Penalties, given)
	}
	for i, lot := range in.Lots {
		field := fmt.Sprintf("lots[%d]", i)
		drawn, err := e.named(field+".drawn", lot.Drawn)
		if err != nil {
			return err
		}
		if lot.Stage < 1 || lot.Stage > len(e.format.Stages) {
			return &fieldError{field + ".stage", fmt.Errorf("%d is not between 1 and %d", lot.Stage,
				len(e.format.Stages))}
		}
		for j, player := range drawn {
			if lot.Stage > len(e.input.Stages) || !slices.Contains(e.input.Stages[lot.Stage-1].Entrants, player) {
				return &fieldError{field + ".drawn", fmt.Errorf("%q has not played in stage %d", lot.Drawn[j],
					lot.Stage)}
			}
		}
		e.input.Lots = append(e.input.Lots, standing.Lot{Stage: lot.Stage, Drawn: drawn})
	}
	return nil
}
