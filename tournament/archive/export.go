package archive

import (
	"context"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// ExportEvent creates the archive of a tournament. The tournament's public page shows the hash and the time of the last
// export.
type ExportEvent struct {
	Tournament int64 `json:"tournament,omitempty" path:"id" minimum:"1"`

	made *Archive
}

var _ = action.NewKind[ExportEvent](action.Kind{Name: store.ExportAction, Right: rights.MayEditRoster,
	Changes: []action.What{action.TopicSettings}, Details: action.Keep[exported]})

// exported is the audit record of an export.
type exported struct {
	SHA256 string `json:"sha256"`
	Head   string `json:"head"`
}

// After returns the archive's hash.
func (e exported) After() []action.Phrase { return action.Typed(e.SHA256) }

// Exported is a new archive with its manifest.
type Exported struct {
	Manifest Manifest `json:"manifest"`
	Archive  *Archive `json:"-"`
}

// Plan creates the archive before the transaction, so that no table waits for it.
func (e ExportEvent) Plan(ctx context.Context, d *action.Desk, actor rights.Actor) (_ action.Action, err error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: e.Tournament, Seat: -1},
		rights.MayEditRoster); err != nil {
		return e, err
	}
	e.made, err = Of(ctx, d.DB, e.Tournament)
	return e, err
}

// Do records the export unless the archive equals the last exported one.
func (e ExportEvent) Do(tx *action.Tx) (Exported, error) {
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
	tx.Record(action.Entry{Event: t.ID, On: action.About{Name: t.Name}, Is: exported{m.SHA256, m.Head}})
	return out, err
}

// Proof lets the public check a tournament: the head that covers its records, and the last exported archive.
type Proof struct {
	Head       string
	Archive    string // SHA-256, empty before the first export
	ArchivedAt engine.Millis
}

// ProofOf returns the current proof of a tournament.
func ProofOf(ctx context.Context, s *store.DB, tournamentID int64) (p Proof, err error) {
	t, err := tournament.TournamentByID(ctx, s, tournamentID)
	if err != nil {
		return p, err
	}
	records, games, err := store.HeadsOf(ctx, s.ReadSQL, tournamentID)
	return Proof{Head: store.EventHead(records, games), Archive: t.ArchiveHash, ArchivedAt: t.ArchivedAt}, err
}
