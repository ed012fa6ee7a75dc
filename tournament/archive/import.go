package archive

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/housekeeping"
	"meldhall/tournament/organization"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// ImportEvent imports a tournament from an archive, with everything that was decided and played: rounds, replayable
// games, results and places. The archive is verified first. A tournament that already exists here is refused, and so is
// one that was in progress when the archive was made.
type ImportEvent struct {
	File string `json:"file" doc:"the archive, a ZIP file, in base64"`

	archive *Archive
	rows    map[string]rows
}

var _ = action.NewKind[ImportEvent](action.Kind{Name: "tournament.import", Right: rights.MayCreateTournament,
	Changes: []action.What{action.TopicSettings}, Details: action.Keep[imported]})

// imported is the audit record of an import: which archive it was and what it contained.
type imported struct {
	SHA256  string `json:"sha256"`
	Players int    `json:"players"`
	Rounds  int    `json:"rounds"`
	Games   int    `json:"games"`
}

// After returns the archive's hash.
func (i imported) After() []action.Phrase { return action.Typed(i.SHA256) }

// Import returns the action that imports a file with this content.
func Import(data []byte) ImportEvent {
	return ImportEvent{File: base64.StdEncoding.EncodeToString(data)}
}

// Imported is an imported or previewed tournament, and its archive's manifest.
type Imported struct {
	Event    tournament.Tournament
	Manifest Manifest
}

// Plan reads and verifies the archive before the transaction, so that no table waits for it.
func (i ImportEvent) Plan(ctx context.Context, _ *action.Desk, _ rights.Actor) (_ action.Action, err error) {
	data, err := base64.StdEncoding.DecodeString(i.File)
	if err != nil {
		return i, refuse.Invalid("err_archive_none")
	}
	if i.archive, err = Read(data); err != nil {
		return i, err
	}
	if i.archive.Manifest.Event.Status == tournament.StatusRunning {
		return i, refuse.Conflict("err_archive_in_play")
	}
	if _, err := i.archive.Verify(ctx); err != nil {
		return i, refusal(err)
	}
	if i.rows, err = i.archive.rows(); err == nil && !i.over() {
		err = refuse.Conflict("err_archive_in_play")
	}
	return i, err
}

// over reports whether every round of the archive is finished, so that no game would start here.
func (i ImportEvent) over() bool {
	status := (&collecting{rows: i.rows}).texts("rounds", "status")
	return !slices.ContainsFunc(status, func(s string) bool { return s != tournament.RoundFinished })
}

// refusal returns the first fault as an error for users.
func refusal(err error) error {
	var refused *refuse.Error
	if errors.As(err, &refused) {
		return refused
	}
	var fault *Fault
	if errors.As(err, &fault) {
		return refuse.Invalid("err_archive_fault", "file", fault.File, "why", fault.What)
	}
	return err
}

func (i ImportEvent) Do(tx *action.Tx) (out Imported, err error) {
	out.Manifest = i.archive.Manifest
	err = i.isNew(tx)
	if err != nil {
		return out, err
	}
	by, err := rename(tx.DB, i.rows)
	if err != nil {
		return out, err
	}
	id, err := i.archive.load(tx.DB, i.rows, by)
	if err != nil {
		return out, err
	}
	if err := i.belongs(tx, id); err != nil {
		return out, err
	}
	if out.Event, err = tournament.FindTournament(tx.DB, id); err != nil {
		return out, err
	}
	if err := stands(out.Event); err != nil {
		return out, err
	}
	if err := housekeeping.CheckLogo(tx.DB, id); err != nil {
		return out, err
	}
	e := out.Manifest.Event
	tx.Record(action.Entry{Event: id, On: action.About{Name: out.Event.Name},
		Is: imported{out.Manifest.SHA256, e.Players, e.Rounds, e.Games}})
	return out, nil
}

// belongs assigns the tournament to the importing organization, unless that exceeds the organization's limits.
func (i ImportEvent) belongs(tx *action.Tx, tournamentID int64) error {
	org := tx.Actor.Organization
	if err := organization.RoomForEvent(tx.DB, org); err != nil {
		return err
	}
	if err := organization.RoomForPlayers(tx.DB, org, tournamentID, 0); err != nil {
		return err
	}
	tx.Made(tournamentID)
	return tx.Model(&tournament.Tournament{}).Where("id = ?", tournamentID).Update("organization_id", org).Error
}

// stands rejects a tournament that could not have been created here.
func stands(t tournament.Tournament) error {
	f, err := t.Format()
	if err != nil {
		return refuse.Invalid("err_archive_field", "file", formatName, "field", "format", "why", err.Error())
	}
	rules, err := t.Rules()
	if err == nil {
		_, err = people.CreateTournament{Name: t.Name, Place: t.Place, Format: f, Rules: rules,
			Tiles: t.Tiles, Details: t.Details}.New()
	}
	return err
}

// isNew rejects a tournament that already exists here under any name, and one with times in the future, because the
// database's clock would follow them.
func (i ImportEvent) isNew(tx *action.Tx) error {
	newest, err := i.newest()
	if err != nil {
		return err
	}
	if newest > tx.Now() {
		return refuse.Conflict("err_archive_later")
	}
	m := i.archive.Manifest
	imported := "CASE action WHEN 'tournament.import' THEN " + store.JSONField(tx.DB, "data", "sha256") + " = ? END"
	here, ok, err := store.First[tournament.Tournament](tx.
		Where("removed_at = 0 AND organization_id = ?", tx.Actor.Organization).
		Where("created_at = ? AND (name = ? OR id IN (SELECT tournament_id FROM audit "+
			"WHERE action = 'tournament.describe')) OR id IN (SELECT tournament_id FROM audit WHERE "+imported+")",
			m.Event.Created, m.Event.Name, m.SHA256))
	if err == nil && ok {
		err = refuse.Conflict("err_archive_here", "name", here.Name)
	}
	return err
}

// newest returns the latest time in the archive, including its logs.
func (i ImportEvent) newest() (engine.Millis, error) {
	newest := i.archive.Manifest.Event.Until
	for _, name := range i.archive.gameFiles() {
		g, err := i.archive.game(name)
		if err != nil {
			return 0, err
		}
		for _, e := range g.Events {
			newest = max(newest, e.At)
		}
	}
	return newest, nil
}
