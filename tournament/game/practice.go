package game

import (
	"context"
	"time"

	"meldhall/engine"
	"meldhall/tournament/rights"
)

// PracticeLife is how long a practice table may go on; then its game is ended after the running lap.
const PracticeLife = 24 * time.Hour

// practiceSeat is where the person sits at a practice table; the other seats are the bots'.
const practiceSeat = 0

// PracticePlayer is the actor of a seat at a practice table, for the bot that plays it.
func PracticePlayer(ref Ref, seat int) rights.Actor {
	return rights.Actor{Role: rights.RolePlayer, Tournament: ref.TournamentID, Player: ref.Players[seat], Table: ref.TableID, Seat: seat}
}

// PersonSeat is the seat of the person at a practice table.
func (r Ref) PersonSeat() int { return practiceSeat }

// CallPractice ends the game of a practice table after the running lap, as a referee would who calls time.
func (g *Games) CallPractice(ctx context.Context, game int64, why string) error {
	_, err := g.Submit(ctx, PracticeActor, game, "", engine.CallTime{Grounds: engine.Grounds{Reason: why}})
	return err
}
