package web

import (
	"context"

	"meldhall/tournament"
	"meldhall/tournament/rights"
)

// swapDevice gives the code for another tablet at a seat, or at a whole table: whoever holds it hears nothing more from now on.
func (s *shell) swapDevice(ctx context.Context, actor rights.Actor, table int64, seat int) (code string, err error) {
	at, err := tournament.TableByID(ctx, s.venue.store, table)
	if err != nil {
		return "", err
	}
	var holder int64
	if seat == wholeTable {
		holder = tournament.TableDeviceID(at.TournamentID, at.Number)
		code, err = tournament.Do(ctx, s.desk, actor, tournament.ReissueTableCode{Table: table})
	} else if code, err = tournament.Do(ctx, s.desk, actor, tournament.ReissueCode{Table: table, Seat: seat}); err == nil {
		holder = at.Seats[seat].PlayerID
	}
	if err == nil {
		s.venue.presence.ForgetDevice(holder)
	}
	return code, err
}

// wholeTable is the seat of the one tablet that serves a table.
const wholeTable = -1
