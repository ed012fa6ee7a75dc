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
// with their devices and what was noted of them, its formats, its texts and what was recorded of it. It is done in one transaction, or not at
// all: what is only appended goes in it alone, by the mark deleting that the triggers look for. What is left is that an organization of a
// number was deleted, by whom and when, and an empty row of each account, whose numbers are never given again. The file is written anew then,
// as soon as no round is played on the server.
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
	w := deleting{Tx: tx, of: map[string]any{"o": o.ID, "part": "%@" + o.Slug}}
	if err := w.look(); err != nil {
		return out, err
	}
	out = Deleted{w.counted, len(w.accounts)}
	if tx.Preview { // what has to be typed
		tx.Record(door.Entry{On: door.About{Number: o.ID, Name: o.Name}, Is: out})
		return out, nil
	}
	for _, step := range []func() error{w.open, w.rows, w.lent, w.officials, w.close} {
		if err := step(); err != nil {
			return out, fmt.Errorf("delete organization %d: %w", o.ID, err)
		}
	}
	tx.Record(door.Entry{On: door.About{Number: o.ID}, Is: out})
	w.tell()
	return out, tx.Exec("INSERT INTO erasures (at) VALUES (?)", tx.Now()).Error
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

func (w *deleting) open() error { return w.run("UPDATE organizations SET deleting = 1 WHERE id = @o") }

func (w *deleting) close() error { return w.run("DELETE FROM organizations WHERE id = @o") }

func (w *deleting) run(sql string) error {
	if err := w.Exec(sql, w.of).Error; err != nil {
		return fmt.Errorf("%s: %w", sql, err)
	}
	return nil
}

const (
	ofEvents    = "tournament_id IN (SELECT id FROM tournaments WHERE organization_id = @o)"
	ofGames     = "game_id IN (SELECT id FROM games WHERE " + ofEvents + ")"
	ofRounds    = "round_id IN (SELECT id FROM rounds WHERE " + ofEvents + ")"
	ofOfficials = "account_id IN (SELECT id FROM accounts WHERE organization_id = @o)"
)

// gone are the tables with what goes of each, those that others name last.
var gone = []struct{ table, of string }{
	{"signatures", ofGames}, {"protest_decisions", "protest_id IN (SELECT id FROM protests WHERE " + ofGames + ")"}, {"protests", ofGames},
	{"sanction_decisions", "sanction_id IN (SELECT id FROM sanctions WHERE " + ofEvents + ")"}, {"sanctions", ofEvents},
	{"result_lines", "result_id IN (SELECT id FROM results WHERE " + ofGames + ")"}, {"results", ofGames},
	{"game_events", ofGames}, {"evidence", ofGames}, {"games", ofEvents}, {"seats", ofRounds}, {"tables", ofEvents}, {"round_deals", ofRounds}, {"rounds", ofEvents},
	{"lots", ofEvents}, {"seed_promises", ofEvents}, {"stand_ins", ofEvents}, {"missed_rounds", ofEvents}, {"keep_apart", ofEvents}, {"qualifications", ofEvents},
	{"people_changes", ofEvents}, {"announcements", ofEvents}, {"slots", ofEvents}, {"closed_tables", ofEvents}, {"displays", ofEvents}, {"zones", ofEvents},
	{"table_devices", ofEvents}, {"showings", ofEvents}, {"trainings", ofEvents}, {"embeddings", ofEvents}, {"table_calls", ofEvents}, {"reveals", ofEvents},
	{"featured_tables", ofEvents}, {"audit", "(" + ofEvents + " OR organization_id = @o)"}, {"players", ofEvents}, {"tournaments", "organization_id = @o"},
	{"formats", "organization_id = @o"}, {"sessions", "token IN (SELECT session FROM devices WHERE " + ofOfficials + ")"}, {"devices", ofOfficials},
	{"invites", ofOfficials}, {"known_devices", ofOfficials}, {"second_factors", ofOfficials}, {"recovery_codes", ofOfficials}, {"passkeys", ofOfficials},
	{"security_log", "(name LIKE @part OR about LIKE @part)"},
}

// rows takes out all rows but those of accounts.
func (w *deleting) rows() error {
	for _, t := range gone {
		if err := w.run("DELETE FROM " + t.table + " WHERE " + t.of); err != nil {
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

// officials leaves of each account that its number was somebody's.
func (w *deleting) officials() error {
	for _, id := range w.accounts {
		if err := w.Exec("UPDATE accounts SET name = '', name_key = ?, role = 'observer', password = '', pin = '', removed_at = ?, events = NULL, made_by = 0, own_since = 0, organization_id = 0 WHERE id = ?",
			fmt.Sprintf("#%d", id), w.Now(), id).Error; err != nil {
			return err
		}
	}
	return nil
}

// tell has all who watch look again, and the file written anew once no round is played.
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
	w.Then(func(ctx context.Context, g *game.Games) error {
		g.Forget(w.games)
		return g.DB.RewriteIdle(ctx)
	})
}
