// Package practice provides tournaments that do not count and that no public list contains: practice tables, at which a
// person plays against bots; rehearsals, in which bots play a copy of a tournament; and trainings, in which an official
// rules on sample disputes. It creates and ends them. Package web/bots plays the bots' seats.
package practice

import (
	"context"
	"errors"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
)

// oneGame returns a format with one round of one game.
func oneGame(name string) format.Format {
	return format.Format{Name: name, Version: 1, Stages: []format.Stage{{
		Name: name, Kind: format.Preliminary, Rounds: 1, GamesPerRound: 1, Seating: format.Random,
		SeatChange: format.EveryRound, CarryOver: format.CarryAll,
	}}}
}

// newPlayers returns players for a tournament with the given names and start numbers from first on. It does not store
// them.
func newPlayers(tournamentID int64, first int, names []string) []tournament.Player {
	players := make([]tournament.Player, len(names))
	for i, name := range names {
		players[i] = tournament.Player{TournamentID: tournamentID, Number: first + i, Name: name, Written: name,
			NameKey: spelling.Fold(name)}
	}
	return players
}

// newRound creates a running round.
func newRound(tx *action.Tx, tournamentID int64) (tournament.Round, error) {
	now := tx.Now()
	round := tournament.Round{TournamentID: tournamentID, Number: 1, StageRound: 1, Games: 1,
		Status: tournament.RoundRunning, Method: format.Random,
		CreatedAt: now, PublishedAt: now, StartedAt: now}
	return round, tx.Create(&round).Error
}

// newTable creates a table of a round with its seats and its only game.
func newTable(tx *action.Tx, round tournament.Round, table tournament.Table, players []tournament.Player,
	status string) (tournament.Game, error) {
	table.TournamentID, table.RoundID = round.TournamentID, round.ID
	if err := tx.Create(&table).Error; err != nil {
		return tournament.Game{}, err
	}
	seats := make([]tournament.Seat, len(players))
	for i, p := range players {
		seats[i] = tournament.Seat{RoundID: round.ID, TableID: table.ID, Seat: i, PlayerID: p.ID}
	}
	if err := tx.Create(&seats).Error; err != nil {
		return tournament.Game{}, err
	}
	played := tournament.Game{TournamentID: round.TournamentID, TableID: table.ID, Number: 1, Status: status}
	return played, tx.Create(&played).Error
}

// letBotsPlay makes the bots play a new rehearsal or training once the transaction is committed.
func letBotsPlay(tx *action.Tx, tournamentID int64) {
	tx.Then(func(_ context.Context, g *game.Games) error {
		if g.Rehearsed != nil {
			g.Rehearsed(tournamentID)
		}
		return nil
	})
}

// Advance takes the next step of the desk in a tournament: it pairs a round, draws a lot if a cut is tied, publishes
// the draft, or starts the published round. If there is no step to take because a round is being played, it returns
// true.
func Advance(ctx context.Context, d *action.Desk, by rights.Actor, tournamentID int64) (playing bool, err error) {
	rounds, err := draw.Rounds(ctx, d.DB, tournamentID)
	if err != nil {
		return false, err
	}
	var last tournament.Round
	if len(rounds) > 0 {
		last = rounds[len(rounds)-1]
	}
	switch last.Status {
	case tournament.RoundDraft:
		_, err = action.Do(ctx, d, by, draw.PublishRound{Round: last.ID})
	case tournament.RoundPublished, tournament.RoundRunning:
		if last.StartedAt != 0 {
			return true, nil
		}
		_, err = action.Do(ctx, d, by, draw.StartRound{Round: last.ID}) // perhaps one of its tables has been started
	default:
		_, err = action.Do(ctx, d, by, draw.PairRound{Tournament: tournamentID})
		if errors.Is(err, &refuse.Error{Kind: refuse.KindConflict, Key: "err_cut_tied"}) {
			_, err = action.Do(ctx, d, by, ranking.DrawLot{Tournament: tournamentID})
		}
	}
	return false, err
}

// Confirm confirms the newest result of a finished game on behalf of an actor. It does nothing if the result is already
// confirmed.
func Confirm(ctx context.Context, d *action.Desk, by rights.Actor, gameID int64) error {
	res, err := result.LatestResult(ctx, d.DB, gameID)
	if err != nil || res.Confirmed() {
		return err
	}
	_, err = d.Do(ctx, by, result.ConfirmResult{Game: gameID, Rev: res.Rev})
	return err
}

// Referee is the actor with which the program rules in a rehearsal.
var Referee = rights.Staff(rights.RoleReferee, "rehearsal")

// End calls time in the games of a rehearsal or a training that are still being played, so that they end.
func End(ctx context.Context, g *game.Games, tournamentID int64) error {
	rounds, err := draw.Rounds(ctx, g.DB, tournamentID)
	if err != nil {
		return err
	}
	for _, r := range rounds {
		if r.Status != tournament.RoundRunning {
			continue
		}
		call := engine.CallTime{Grounds: engine.Grounds{Reason: "The rehearsal is over", By: Referee.Name}}
		if _, err := g.RuleAll(ctx, Referee, r.ID, "rehearsal-over", call); err != nil {
			return err
		}
	}
	return nil
}
