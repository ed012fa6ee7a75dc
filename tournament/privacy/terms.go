package privacy

import (
	"context"
	"errors"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// For how many days things are kept: what reaches a person, after the last round of an event that is over; of an event that nobody closes, after
// anything was last done in it; and where sign-ins came from.
const (
	DaysAfter   = 30
	DaysIdle    = 180
	DaysSignIns = 30
)

const day = engine.Millis(24 * 3_600_000)

// TakeOut takes out of an event that is over what reaches its people and their devices: e-mail addresses, families, tickets, and which device plays
// for whom; without an event, the network addresses in the security log whose term is over. The program does it when the term is over, an
// organizer at any time after the end.
type TakeOut struct {
	Tournament int64 `json:"tournament,omitempty" path:"id" minimum:"1"`
}

var _ = door.NewKind[TakeOut](door.Kind{Name: "privacy.take_out", Right: rights.MayEditRoster, Own: true, Changes: []door.What{door.TopicPeople, door.TopicDevices},
	Details: door.Keep[takenNoted]})

// takenNoted is what a record keeps of it.
type takenNoted struct {
	Rows int64 `json:"rows"`
}

// After tells of how many it was.
func (n takenNoted) After() []door.Phrase {
	return []door.Phrase{door.Say("log.is.taken_out", "n", n.Rows)}
}

// program is who keeps to the terms.
var program = rights.Actor{Role: rights.RoleProgram, Name: "privacy", Seat: -1}

func (o TakeOut) Do(tx *door.Tx) (n int64, err error) {
	if tx.Actor.Role == rights.RoleProgram {
		tx.Own()
	} else if err := tx.Authorize(rights.Place{Tournament: o.Tournament}, rights.MayEditRoster); err != nil {
		return 0, err
	}
	if o.Tournament == 0 {
		return o.signIns(tx)
	}
	t, err := tournament.FindTournament(tx.DB, o.Tournament)
	if err != nil {
		return 0, err
	}
	if t.Status != tournament.StatusFinished && tx.Actor.Role != rights.RoleProgram {
		return 0, refuse.Conflict("err_take_out_early")
	}
	done := tx.Exec("UPDATE players SET email = '', family = '', ticket = NULL, device_hash = NULL, device_at = 0 WHERE tournament_id = ? AND "+reachable, t.ID)
	return tookOut(tx, done.RowsAffected, done.Error, door.Entry{Event: t.ID, On: door.About{Name: t.Name}})
}

// reachable are the players of whom something is held that goes.
const reachable = "(email <> '' OR family <> '' OR ticket IS NOT NULL OR device_hash IS NOT NULL)"

// signIns takes out where sign-ins came from.
func (o TakeOut) signIns(tx *door.Tx) (int64, error) {
	done := tx.Exec("UPDATE security_log SET address = '' WHERE address <> '' AND last < ?", tx.Now()-DaysSignIns*day)
	return tookOut(tx, done.RowsAffected, done.Error, door.Entry{})
}

func tookOut(tx *door.Tx, n int64, err error, e door.Entry) (int64, error) {
	if err != nil || n == 0 {
		return 0, err
	}
	e.Is = takenNoted{n}
	tx.Record(e)
	if err := tx.Exec("INSERT INTO erasures (at) VALUES (?)", tx.Now()).Error; err != nil {
		return 0, err
	}
	tx.Then(func(ctx context.Context, g *game.Games) error { return g.DB.RewriteIdle(ctx) })
	return n, nil
}

// Keep takes out what has been held for its term, and writes the file anew where that is due.
func Keep(ctx context.Context, d *door.Desk) error {
	now := d.DB.Millis()
	due, err := d.DB.IDs(ctx, `SELECT t.id FROM tournaments t WHERE EXISTS (SELECT 1 FROM players WHERE tournament_id = t.id AND `+reachable+`) AND CASE t.status
			WHEN 'finished' THEN coalesce((SELECT max(finished_at) FROM rounds WHERE tournament_id = t.id), t.created_at) < ?
			ELSE coalesce((SELECT max(at) FROM audit WHERE tournament_id = t.id), t.created_at) < ? END ORDER BY t.id`, now-DaysAfter*day, now-DaysIdle*day)
	if err != nil {
		return err
	}
	var errs []error
	for _, event := range append(due, 0) {
		_, err := door.Do(ctx, d, program, TakeOut{Tournament: event})
		errs = append(errs, err)
	}
	return errors.Join(append(errs, d.DB.RewriteIdle(ctx))...)
}
