package sequencer

import (
	"context"

	"gorm.io/gorm"

	"meldhall/tournament/store"
	"meldhall/tournament/transparency"
)

// provenBy is how many witnesses a proof names, so that it fits into a code on paper.
const provenBy = 2

// Evidence shows without a network that a log has a leaf. The zero value shows nothing.
type Evidence struct {
	leaf      transparency.Leaf
	proof     transparency.Proof
	published Published // if the leaf is of standings
}

// Text returns the proof of the leaf, or "".
func (e Evidence) Text() string {
	if e.leaf.Kind == "" {
		return ""
	}
	return e.about(transparency.Statement{Leaf: e.leaf})
}

// OfPlayer returns the proof of a player's row in the standings, or "".
func (e Evidence) OfPlayer(player int64) string {
	at, found := e.published.place[player]
	if !found {
		return ""
	}
	tree := transparency.RowsTree(e.published.Rows)
	path, err := tree.Inclusion(int64(at), tree.Size())
	if err != nil {
		panic(err) // the row is one of the tree's
	}
	return e.about(transparency.Statement{Leaf: e.leaf, Row: &transparency.RowProof{Row: e.published.Rows[at],
		Index: int64(at), Size: tree.Size(), Path: path}})
}

func (e Evidence) about(s transparency.Statement) string {
	e.proof.Extra = s.Extra()
	return e.proof.String()
}

// ProveGame returns the evidence of a finished game's log; none if it is not in the log yet.
func (s *Sequencer) ProveGame(ctx context.Context, tournamentID, game int64) (Evidence, error) {
	return store.Look(ctx, s.db, func(db *gorm.DB) (e Evidence, err error) {
		log, err := s.current(db, tournamentID)
		if err != nil || log.ID == 0 {
			return e, err
		}
		row, err := lastOf(db, log, transparency.KindGame, game)
		if err != nil || row.LogID == 0 {
			return e, err
		}
		return s.prove(db, log, row)
	})
}

// ProveStandings returns the evidence of the standings that the public sees; none unless these are in the log.
func (s *Sequencer) ProveStandings(ctx context.Context, tournamentID int64) (Evidence, error) {
	return store.Look(ctx, s.db, func(db *gorm.DB) (e Evidence, err error) {
		log, err := s.current(db, tournamentID)
		if err != nil || log.ID == 0 {
			return e, err
		}
		p, found, err := PublishedIn(db, tournamentID, s.db.Millis())
		if err != nil || !found {
			return e, err
		}
		row, err := lastOf(db, log, transparency.KindStandings, 0)
		if err != nil || row.Hash != p.Hash() || row.Seq != p.Round {
			return e, err
		}
		e, err = s.prove(db, log, row)
		e.published = p
		return e, err
	})
}

// prove proves a leaf in the checkpoint that most witnesses have cosigned, the newest of these. Of its witnesses it
// names those that have cosigned most checkpoints of the log.
func (s *Sequencer) prove(db *gorm.DB, log Log, row leafRow) (e Evidence, err error) {
	of, found, err := store.First[checkpointRow](db.Where("log_id = ? AND size > ?", log.ID, row.Position).
		Order(`(SELECT count(*) FROM log_cosignatures c WHERE c.log_id = log_checkpoints.log_id
			AND c.size = log_checkpoints.size) DESC, size DESC`))
	if err != nil || !found {
		return e, err
	}
	lines, err := store.All[cosignatureRow](db.Where("log_id = ? AND size = ?", log.ID, of.Size).
		Order(`(SELECT count(*) FROM log_cosignatures c WHERE c.log_id = log_cosignatures.log_id
			AND c.witness = log_cosignatures.witness) DESC, witness`).Limit(provenBy))
	if err != nil {
		return e, err
	}
	tree, err := s.tree(db, log)
	if err != nil {
		return e, err
	}
	e.leaf = row.leaf()
	e.proof = transparency.Proof{Index: row.Position, Checkpoint: of.Note}
	for _, l := range lines {
		e.proof.Checkpoint += l.Line
	}
	e.proof.Path, err = tree.Inclusion(row.Position, of.Size)
	return e, err
}
