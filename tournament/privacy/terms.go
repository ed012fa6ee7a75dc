package privacy

import (
	"context"
	"errors"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// Retention periods in days: for contact data, after the last round of a finished tournament, or after the last action
// in one that is never closed; and for the addresses of sign-ins.
const (
	DaysAfter   = 30
	DaysIdle    = 180
	DaysSignIns = 30
)

const day = engine.Millis(24 * 3_600_000)

// TakeOut removes the data that can reach the people of a finished tournament and their devices: e-mail addresses,
// families, tickets, which device plays for whom, and how it reads the player's hand. Without a tournament, it removes
// expired network addresses from the security log. The program does this when the retention period ends; an organizer
// may do it at any time after the tournament.
type TakeOut struct {
	Tournament int64 `json:"tournament,omitempty" path:"id" minimum:"1"`
}

var _ = action.NewKind[TakeOut](action.Kind{Name: "privacy.take_out", Right: rights.MayEditRoster, Own: true,
	Changes: []action.What{action.TopicPeople, action.TopicDevices},
	Details: action.Keep[takenNoted]})

// takenNoted is the content of the record.
type takenNoted struct {
	Rows int64 `json:"rows"`
}

// After describes how many rows were cleared.
func (n takenNoted) After() []action.Phrase {
	return []action.Phrase{action.Say("log.is.taken_out", "n", n.Rows)}
}

// program is the actor for the automatic removal.
var program = rights.Actor{Role: rights.RoleProgram, Name: "privacy", Seat: -1}

func (o TakeOut) Do(tx *action.Tx) (n int64, err error) {
	if tx.Actor.Role == rights.RoleProgram {
		tx.Own()
	} else if err := tx.Authorize(rights.Place{Tournament: o.Tournament}, rights.MayEditRoster); err != nil {
		return 0, err
	}
	if o.Tournament == 0 {
		done := tx.Table("security_log").Where("address <> '' AND last < ?", tx.Now()-DaysSignIns*day).
			Update("address", "")
		return tookOut(tx, done.RowsAffected, done.Error, action.Entry{})
	}
	t, err := tournament.FindTournament(tx.DB, o.Tournament)
	if err != nil {
		return 0, err
	}
	if t.Status != tournament.StatusFinished && tx.Actor.Role != rights.RoleProgram {
		return 0, refuse.Conflict("err_take_out_early")
	}
	done := tx.Table("players").Where("tournament_id = ? AND "+reachable, t.ID).Updates(map[string]any{
		"email": "", "family": "", "ticket": nil, "device_hash": nil, "device_key": "", "device_at": 0,
		"hand": ""})
	return tookOut(tx, done.RowsAffected, done.Error, action.Entry{Event: t.ID, On: action.About{Name: t.Name}})
}

// reachable is the SQL condition for players with data that is to be removed.
const reachable = "(email <> '' OR family <> '' OR ticket IS NOT NULL OR device_hash IS NOT NULL OR hand <> '')"

func tookOut(tx *action.Tx, n int64, err error, e action.Entry) (int64, error) {
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

// Keep removes all data whose retention period has ended, and rewrites the database file if that is due and no round is
// in play.
func Keep(ctx context.Context, d *action.Desk) error {
	now := d.DB.Millis()
	due, err := d.DB.IDs(ctx, `SELECT t.id FROM tournaments t WHERE EXISTS (SELECT 1 FROM players WHERE tournament_id = t.id AND `+reachable+`) AND CASE t.status
			WHEN 'finished' THEN coalesce((SELECT max(finished_at) FROM rounds
				WHERE tournament_id = t.id), t.created_at) < $1
			ELSE coalesce((SELECT max(at) FROM audit WHERE tournament_id = t.id), t.created_at) < $2 END
				ORDER BY t.id`, now-DaysAfter*day, now-DaysIdle*day)
	if err != nil {
		return err
	}
	var errs []error
	for _, tournamentID := range append(due, 0) {
		_, err := action.Do(ctx, d, program, TakeOut{Tournament: tournamentID})
		errs = append(errs, err)
	}
	return errors.Join(append(errs, d.DB.RewriteIdle(ctx))...)
}
