package organization

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Delete removes an organization with everything it has: its tournaments with their people, rounds, games, logs,
// results and records; its officials with their devices and data; its formats, texts and records.
//
// The transaction marks the organization as deleting, which hides it, and records the deletion. The rows are then
// removed in many short transactions (takeOut), so that games of other tournaments on the server do not wait. The
// triggers of append-only tables allow deletions only for organizations with that mark.
//
// A record remains that names the organization, the official and the time. An empty row remains for each account,
// because account IDs are never reused. The file is rewritten as soon as no round is in play on the server.
type Delete struct {
	Organization int64 `json:"organization,omitempty" path:"id" minimum:"1"`
}

// Deleted counts the deleted rows, or those that would be deleted.
type Deleted struct {
	Events    int `json:"events"`
	Officials int `json:"officials"`
}

var _ = action.NewKind[Delete](action.Kind{Name: "organization.delete", Right: rights.MayHost, Final: true,
	Details: action.Keep[Deleted]})

// After describes the amount.
func (d Deleted) After() []action.Phrase {
	return []action.Phrase{action.Say("hosting.events", "n", d.Events),
		action.Say("hosting.officials", "n", d.Officials)}
}

func (d Delete) Do(tx *action.Tx) (out Deleted, err error) {
	o, err := find(tx.DB, d.Organization)
	if err != nil {
		return out, err
	}
	w := deleting{Tx: tx, of: map[string]any{"o": o.ID}}
	if err := w.idle("err_organization_playing"); err != nil {
		return out, err
	}
	if err := w.look(); err != nil {
		return out, err
	}
	out = Deleted{w.counted, len(w.accounts)}
	if tx.Preview { // the preview has the name, which must be typed
		tx.Record(action.Entry{On: action.About{Number: o.ID, Name: o.Name}, Is: out})
		return out, nil
	}
	tx.Record(action.Entry{On: action.About{Number: o.ID}, Is: out})
	return out, w.begin(o)
}

// deleting is a deletion in progress.
type deleting struct {
	*action.Tx
	of                      map[string]any
	events, games, accounts []int64
	names                   []string // of the tournaments
	counted                 int      // number of tournaments as shown to people
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

// hide hides the organization and everything it has: it marks the tournaments and officials as removed and ends the
// officials' sessions.
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

// lent removes the tournaments from the limits of the server's officials. An official left without any is removed,
// because no limit would mean all of the server's tournaments. It also erases the tournaments' names from the records
// of such limits.
func (w *deleting) lent() error {
	var rows []struct {
		ID     int64
		Events string
	}
	if err := w.Table("accounts").Select("id", "events").
		Where("organization_id = 0 AND removed_at = 0 AND events IS NOT NULL").Find(&rows).Error; err != nil {
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
			if err := w.Exec("DELETE FROM sessions WHERE token IN (SELECT session FROM devices WHERE account_id = ?)",
				r.ID).Error; err != nil {
				return err
			}
		}
		if err := w.Table("accounts").Where("id = ?", r.ID).Updates(map[string]any{"events": string(text),
			"removed_at": removed}).Error; err != nil {
			return err
		}
	}
	_, err := w.EraseServer(func(r *action.Record) { // records of officials' tournaments, which contain the names
		for _, name := range w.names {
			if quoted, err := json.Marshal(name); err == nil {
				r.Data = strings.ReplaceAll(r.Data, string(quoted), `"`+store.Erased+`"`)
			}
		}
	})
	return err
}

// tell notifies all listeners.
func (w *deleting) tell() {
	for _, tournamentID := range w.events {
		w.Touched(action.Changed{Tournament: tournamentID, Topics: []action.Topic{{What: action.TopicStandings},
			{What: action.TopicSeats}, {What: action.TopicPeople}, {What: action.TopicDevices},
			{What: action.TopicSettings}, {What: action.TopicNews}, {What: action.TopicHall},
			{What: action.TopicScreens}}})
	}
	officials := action.Changed{}
	for _, id := range w.accounts {
		officials.Add(action.Topic{What: action.TopicOfficials, ID: id})
	}
	w.Touched(officials)
}
