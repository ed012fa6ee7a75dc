package hosting

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// Delete takes an organization out with all that it has: its events with their people, rounds, games, logs, results and records, its officials
// with their devices and what was noted of them, its formats, its texts and what was recorded of it. Its transaction marks it as deleting, from
// when on nobody sees it any more, and records that it is gone; then the rows go, in many short transactions, so that whoever plays elsewhere on
// the server waits for none of them (takeOut). What is only appended goes by that mark alone, which the triggers look for. What is left is that
// an organization of a number was deleted, by whom and when, and an empty row of each account, whose numbers are never given again. The file is
// written anew then, as soon as no round is played on the server.
type Delete struct {
	Organization int64 `json:"organization,omitempty" path:"id" minimum:"1"`
}

// Deleted is what went, or would go.
type Deleted struct {
	Events    int `json:"events"`
	Officials int `json:"officials"`
}

var _ = door.NewKind[Delete](door.Kind{Name: "organization.delete", Right: rights.MayHost, Final: true, Details: door.Keep[Deleted]})

// After tells how much it was.
func (d Deleted) After() []door.Phrase {
	return []door.Phrase{door.Say("hosting.events", "n", d.Events), door.Say("hosting.officials", "n", d.Officials)}
}

func (d Delete) Do(tx *door.Tx) (out Deleted, err error) {
	o, err := find(tx.DB, d.Organization)
	if err != nil {
		return out, err
	}
	var playing int64
	if err := tx.Raw(`SELECT count(*) FROM rounds r JOIN tournaments t ON t.id = r.tournament_id WHERE t.organization_id = ? AND r.status = 'running' AND t.removed_at = 0
		AND t.rehearsed_by <> 'training'`, o.ID).Scan(&playing).Error; err != nil {
		return out, err
	}
	if playing > 0 {
		return out, refuse.Conflict("err_organization_playing")
	}
	w := deleting{Tx: tx, of: map[string]any{"o": o.ID}}
	if err := w.look(); err != nil {
		return out, err
	}
	out = Deleted{w.counted, len(w.accounts)}
	if tx.Preview { // what has to be typed
		tx.Record(door.Entry{On: door.About{Number: o.ID, Name: o.Name}, Is: out})
		return out, nil
	}
	for _, step := range []func() error{w.hide, w.lent} {
		if err := step(); err != nil {
			return out, fmt.Errorf("delete organization %d: %w", o.ID, err)
		}
	}
	tx.Record(door.Entry{On: door.About{Number: o.ID}, Is: out})
	w.tell()
	tx.Then(func(ctx context.Context, g *game.Games) error {
		g.Forget(w.games)
		return takeOut(ctx, g.DB, o)
	})
	return out, nil
}

// deleting is a deletion at work.
type deleting struct {
	*door.Tx
	of                      map[string]any
	events, games, accounts []int64
	names                   []string // of the events
	counted                 int      // events as people count them
}

func (w *deleting) look() error {
	for query, into := range map[string]any{
		"SELECT id FROM tournaments WHERE organization_id = @o ORDER BY id":                                                &w.events,
		"SELECT g.id FROM games g JOIN tournaments t ON t.id = g.tournament_id WHERE t.organization_id = @o ORDER BY g.id": &w.games,
		"SELECT DISTINCT name FROM tournaments WHERE organization_id = @o":                                                 &w.names,
		"SELECT id FROM accounts WHERE organization_id = @o ORDER BY id":                                                   &w.accounts,
		"SELECT count(*) FROM tournaments WHERE organization_id = @o AND practice = '' AND rehearses = 0":                  &w.counted,
	} {
		if err := w.Raw(query, w.of).Scan(into).Error; err != nil {
			return err
		}
	}
	return nil
}

// hide has nobody see the organization any more, nor what it has: its events are out of everything, its officials and players signed out.
func (w *deleting) hide() error {
	w.of["now"] = w.Now()
	for _, sql := range []string{
		"UPDATE organizations SET deleting = 1 WHERE id = @o",
		"UPDATE tournaments SET removed_at = @now WHERE organization_id = @o AND removed_at = 0",
		"DELETE FROM sessions WHERE token IN (SELECT session FROM devices WHERE " + ofOfficials + ")",
		"UPDATE accounts SET removed_at = @now WHERE organization_id = @o AND removed_at = 0",
	} {
		if err := run(w.DB, sql, w.of); err != nil {
			return err
		}
	}
	return nil
}

// lent takes the events from the house's officials to whom they were given; who has no other is removed, or would serve all of the house's.
func (w *deleting) lent() error {
	var rows []struct {
		ID     int64
		Events string
	}
	if err := w.Raw("SELECT id, events FROM accounts WHERE organization_id = 0 AND removed_at = 0 AND events IS NOT NULL").Scan(&rows).Error; err != nil {
		return err
	}
	for _, r := range rows {
		var events []int64
		if err := json.Unmarshal([]byte(r.Events), &events); err != nil {
			return fmt.Errorf("events of account %d: %w", r.ID, err)
		}
		left := slices.DeleteFunc(slices.Clone(events), func(id int64) bool { return slices.Contains(w.events, id) })
		if len(left) == len(events) {
			continue
		}
		text, err := json.Marshal(left)
		if err != nil {
			return err
		}
		removed := engine.Millis(0)
		if len(left) == 0 {
			text, removed = []byte(r.Events), w.Now()
			if err := w.Exec("DELETE FROM sessions WHERE token IN (SELECT session FROM devices WHERE account_id = ?)", r.ID).Error; err != nil {
				return err
			}
		}
		if err := w.Exec("UPDATE accounts SET events = ?, removed_at = ? WHERE id = ?", string(text), removed, r.ID).Error; err != nil {
			return err
		}
	}
	_, err := w.EraseHouse(func(r *door.Record) { // who was given them, by their names
		for _, name := range w.names {
			if quoted, err := json.Marshal(name); err == nil {
				r.Data = strings.ReplaceAll(r.Data, string(quoted), `"`+storage.Erased+`"`)
			}
		}
	})
	return err
}

// tell has all who watch look again.
func (w *deleting) tell() {
	for _, event := range w.events {
		w.Touched(door.Changed{Tournament: event, Topics: []door.Topic{{What: door.TopicStandings}, {What: door.TopicSeats}, {What: door.TopicPeople}, {What: door.TopicDevices},
			{What: door.TopicSettings}, {What: door.TopicNews}, {What: door.TopicHall}, {What: door.TopicScreens}}})
	}
	officials := door.Changed{}
	for _, id := range w.accounts {
		officials.Add(door.Topic{What: door.TopicOfficials, ID: id})
	}
	w.Touched(officials)
}
