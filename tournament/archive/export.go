package archive

import (
	"context"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// ExportEvent makes the archive of an event. The event's public page shows the hash and the time of the last export.
type ExportEvent struct {
	Tournament int64 `json:"tournament,omitempty" path:"id" minimum:"1"`

	made *Archive
}

var _ = door.NewKind[ExportEvent](door.Kind{Name: storage.ExportAction, Right: rights.MayEditRoster,
	Changes: []door.What{door.TopicSettings}, Details: door.Keep[exported]})

// exported is the data of a record of an export.
type exported struct {
	SHA256 string `json:"sha256"`
	Head   string `json:"head"`
}

// After returns the archive's hash.
func (e exported) After() []door.Phrase { return door.Typed(e.SHA256) }

// Exported is a new archive with its manifest.
type Exported struct {
	Manifest Manifest `json:"manifest"`
	Archive  *Archive `json:"-"`
}

// Plan makes the archive before the transaction, so that no table waits for it.
func (e ExportEvent) Plan(ctx context.Context, d *door.Desk, actor rights.Actor) (_ door.Action, err error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: e.Tournament, Seat: -1},
		rights.MayEditRoster); err != nil {
		return e, err
	}
	e.made, err = Of(ctx, d.DB, e.Tournament)
	return e, err
}

// Do records the export, unless the archive equals the last one that was exported.
func (e ExportEvent) Do(tx *door.Tx) (Exported, error) {
	m := e.made.Manifest
	out := Exported{m, e.made}
	t, err := tournament.FindTournament(tx.DB, e.Tournament)
	if err != nil || t.ArchiveHash == m.SHA256 {
		return out, err
	}
	if err := tx.Authorize(rights.Place{Tournament: t.ID, Seat: -1}, rights.MayEditRoster); err != nil {
		return out, err
	}
	err = tx.Model(&tournament.Tournament{}).Where("id = ?", t.ID).
		Updates(map[string]any{"archive_hash": m.SHA256, "archived_at": tx.Now()}).Error
	tx.Record(door.Entry{Event: t.ID, On: door.About{Name: t.Name}, Is: exported{m.SHA256, m.Head}})
	return out, err
}

// Proof lets the public check an event: the head that covers its records, and the last archive that was exported.
type Proof struct {
	Head       string
	Archive    string // SHA-256, empty before the first export
	ArchivedAt engine.Millis
}

// ProofOf reads the current proof of an event.
func ProofOf(ctx context.Context, s *storage.DB, event int64) (p Proof, err error) {
	t, err := tournament.TournamentByID(ctx, s, event)
	if err != nil {
		return p, err
	}
	records, games, err := storage.HeadsOf(ctx, s.ReadSQL, event)
	return Proof{Head: storage.EventHead(records, games), Archive: t.ArchiveHash, ArchivedAt: t.ArchivedAt}, err
}
