package archive

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/hosting"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// ImportEvent takes an event in from an archive, with everything that was decided and played in it: its rounds, its games to be
// replayed, its results and its places. The archive is verified before. An event that is here already is refused, and so is one that
// was being played when the archive was made.
type ImportEvent struct {
	File string `json:"file" doc:"the archive, a ZIP file, in base64"`

	archive *Archive
	rows    map[string]rows
}

var _ = door.NewKind[ImportEvent](door.Kind{Name: "tournament.import", Right: rights.MayCreateTournament,
	Changes: []door.What{door.TopicSettings}, Details: door.Keep[imported]})

// imported is what a record of an imported event keeps: which archive it was, and how much was in it.
type imported struct {
	SHA256  string `json:"sha256"`
	Players int    `json:"players"`
	Rounds  int    `json:"rounds"`
	Games   int    `json:"games"`
}

// After tells which archive it was.
func (i imported) After() []door.Phrase { return door.Typed(i.SHA256) }

// Import is the action for a file of these bytes.
func Import(data []byte) ImportEvent {
	return ImportEvent{File: base64.StdEncoding.EncodeToString(data)}
}

// Imported is an event that was taken in, or would be, and what its archive held.
type Imported struct {
	Event    tournament.Tournament
	Manifest Manifest
}

// Plan reads and verifies the archive, for which no table waits.
func (i ImportEvent) Plan(ctx context.Context, _ *door.Desk, _ rights.Actor) (_ door.Action, err error) {
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

// over tells whether no game would begin here: every round of the archive is finished.
func (i ImportEvent) over() bool {
	status := (&collecting{rows: i.rows}).texts("rounds", "status")
	return !slices.ContainsFunc(status, func(s string) bool { return s != tournament.RoundFinished })
}

// refusal is the first thing that does not hold, for people.
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

func (i ImportEvent) Do(tx *door.Tx) (out Imported, err error) {
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
	e := out.Manifest.Event
	tx.Record(door.Entry{Event: id, On: door.About{Name: out.Event.Name}, Is: imported{out.Manifest.SHA256, e.Players, e.Rounds, e.Games}})
	return out, nil
}

// belongs makes the event one of whoever takes it in, as far as there is room for it.
func (i ImportEvent) belongs(tx *door.Tx, event int64) error {
	organization := tx.Actor.Organization
	if err := hosting.RoomForEvent(tx.DB, organization); err != nil {
		return err
	}
	if err := hosting.RoomForPlayers(tx.DB, organization, event, 0); err != nil {
		return err
	}
	tx.Made(event)
	return tx.Model(&tournament.Tournament{}).Where("id = ?", event).Update("organization_id", organization).Error
}

// stands refuses an event that could not have been made here.
func stands(t tournament.Tournament) error {
	f, err := t.Format()
	if err != nil {
		return refuse.Invalid("err_archive_field", "file", formatName, "field", "format", "why", err.Error())
	}
	rules, err := t.Rules()
	if err == nil {
		_, err = tournament.CreateTournament{Name: t.Name, Place: t.Place, Format: f, Rules: rules, Tiles: t.Tiles}.New()
	}
	return err
}

// isNew refuses an event that is here already, under whatever name, and one of a clock that is ahead: the database's own would
// follow it.
func (i ImportEvent) isNew(tx *door.Tx) error {
	newest, err := i.newest()
	if err != nil {
		return err
	}
	if newest > tx.Now() {
		return refuse.Conflict("err_archive_later")
	}
	m := i.archive.Manifest
	here, ok, err := storage.First[tournament.Tournament](tx.Where(`removed_at = 0 AND organization_id = ? AND (created_at = ? AND name = ? OR id IN (
		SELECT tournament_id FROM audit WHERE CASE action WHEN 'tournament.import' THEN json_extract(data, '$.sha256') = ? END))`, tx.Actor.Organization, m.Event.Created, m.Event.Name, m.SHA256))
	if err == nil && ok {
		err = refuse.Conflict("err_archive_here", "name", here.Name)
	}
	return err
}

// newest is the last moment in the archive, in its logs as well.
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
