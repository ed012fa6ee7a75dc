package organization

import (
	"context"
	"fmt"

	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// DeleteEvent removes a tournament with everything that belongs to it, its rehearsals and trainings included, if none
// of its rounds was published or Test states that it was only a test. The rows go as those of a deleted organization
// do: the tournament is moved to a hidden one of its own, which is then taken out.
type DeleteEvent struct {
	Tournament int64 `json:"tournament,omitempty" path:"id" minimum:"1"`
	Test       bool  `json:"test,omitempty" doc:"the event was only a test; needed once a round was published"`
}

// EventDeleted counts what a deleted tournament had.
type EventDeleted struct {
	Players int `json:"players"`
	Rounds  int `json:"rounds"`
}

var _ = action.NewKind[DeleteEvent](action.Kind{Name: "tournament.delete", Right: rights.MayCreateTournament,
	Final: true, Details: action.Keep[EventDeleted]})

// After describes the amount.
func (d EventDeleted) After() []action.Phrase {
	return []action.Phrase{action.Say("event.players", "n", d.Players), action.Say("desk.rounds_of", "n", d.Rounds)}
}

func (d DeleteEvent) Do(tx *action.Tx) (out EventDeleted, err error) {
	var t struct {
		ID, OrganizationID int64
		Name               string
		Published          int
		EventDeleted
	}
	if err := tx.Raw(`SELECT id, name, organization_id,
		(SELECT count(*) FROM players WHERE tournament_id = t.id) AS players,
		(SELECT count(*) FROM rounds WHERE tournament_id = t.id) AS rounds,
		(SELECT count(*) FROM rounds WHERE tournament_id = t.id AND status <> 'draft') AS published
		FROM tournaments t WHERE id = ? AND removed_at = 0 AND practice = '' AND rehearses = 0`, d.Tournament).
		Scan(&t).Error; err != nil {
		return out, err
	}
	if t.ID == 0 {
		return out, refuse.NotFound("err_tournament_not_found", "id", d.Tournament)
	}
	if t.Published > 0 && !d.Test {
		return out, refuse.Conflict("err_event_published", "field", "test")
	}
	o := Organization{Slug: fmt.Sprintf("!event-%d", t.ID), CreatedAt: tx.Now()}
	if err := tx.Create(&o).Error; err != nil {
		return out, err
	}
	w := deleting{Tx: tx, of: map[string]any{"o": o.ID, "event": t.ID}}
	if err := run(tx.DB, "UPDATE tournaments SET organization_id = @o WHERE id = @event OR rehearses = @event",
		w.of); err != nil {
		return out, err
	}
	if err := w.idle("err_event_playing"); err != nil {
		return out, err
	}
	tx.Record(action.Entry{On: action.About{Name: t.Name}, Is: t.EventDeleted, Organization: t.OrganizationID})
	if tx.Preview {
		return t.EventDeleted, nil
	}
	return t.EventDeleted, w.begin(o)
}

// idle returns the error with this key while a round of the organization is being played.
func (w *deleting) idle(key string) error {
	var playing int64
	err := w.Raw(`SELECT count(*) FROM rounds r JOIN tournaments t ON t.id = r.tournament_id
		WHERE t.organization_id = @o AND r.status = 'running' AND t.removed_at = 0
		AND t.rehearsed_by <> 'training'`, w.of).Scan(&playing).Error
	if err == nil && playing > 0 {
		err = refuse.Conflict(key)
	}
	return err
}

// begin hides the organization and everything it has, and deletes the rows after the transaction.
func (w *deleting) begin(o Organization) error {
	for _, step := range []func() error{w.look, w.hide, w.lent} {
		if err := step(); err != nil {
			return fmt.Errorf("delete organization %d: %w", o.ID, err)
		}
	}
	w.tell()
	w.Then(func(ctx context.Context, g *game.Games) error {
		g.Forget(w.games)
		return takeOut(ctx, g.DB, o)
	})
	return nil
}
