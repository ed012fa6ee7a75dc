package tournament

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
func PracticePlayer(ref GameRef, seat int) rights.Actor {
	return rights.Actor{Role: rights.RolePlayer, Tournament: ref.TournamentID, Player: ref.Players[seat], Table: ref.TableID, Seat: seat}
}

// PersonSeat is the seat of the person at a practice table.
func (r GameRef) PersonSeat() int { return practiceSeat }

// CallPractice ends the game of a practice table after the running lap, as a referee would who calls time.
func (g *Games) CallPractice(ctx context.Context, game int64, why string) error {
	_, err := g.Submit(ctx, practiceActor, game, "", engine.CallTime{Grounds: engine.Grounds{Reason: why}})
	return err
}

// ClosePractice confirms the result of a practice table's game that has ended, in the place of a referee: the
// table is over with it. One that is closed stays as it is.
func (d *Desk) ClosePractice(ctx context.Context, game int64) error {
	result, err := LatestResult(ctx, d.store, game)
	if err != nil || result.Confirmed() {
		return err
	}
	_, err = d.Do(ctx, practiceActor, ConfirmResult{game, result.Rev})
	return err
}
