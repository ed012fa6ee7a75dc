package sequencer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/store"
	"meldhall/tournament/transparency"
)

// WitnessesMost is the number of witnesses whose cosignatures a log stores.
const WitnessesMost = 32

// cosignatureRow is the signature of a witness under a checkpoint. Witness is its key.
type cosignatureRow struct {
	LogID   int64
	Size    int64
	Witness string
	Line    string
}

func (cosignatureRow) TableName() string { return "log_cosignatures" }

// notLogged is the refusal for a tournament without a log.
func notLogged(tournamentID int64) error {
	return refuse.NotFound("err_log_none", "event", tournamentID)
}

// verifier returns the server's public key. It returns an error if there is no key yet.
func verifier(db *gorm.DB) (note.Verifier, error) {
	vkey, err := publicKey(db)
	if err != nil {
		return nil, err
	}
	return note.NewVerifier(vkey)
}

// publicKey returns the server's public key as a vkey, empty if there is none yet.
func publicKey(db *gorm.DB) (string, error) {
	key, found, err := store.First[keyRow](db)
	if err != nil || !found {
		return "", err
	}
	return transparency.PublicKey(key.Secret)
}

// Key returns the server's public key as a vkey. It is empty before the first log.
func (s *Sequencer) Key(ctx context.Context) (string, error) {
	return publicKey(s.db.Read.WithContext(ctx))
}

// Signed is a checkpoint with its cosignatures. Witnesses are the keys of the witnesses, as vkeys.
type Signed struct {
	Size      int64
	Note      string
	At        engine.Millis
	Witnesses []string
}

// Checkpoint returns the newest checkpoint of a tournament's log, or NotFound.
func (s *Sequencer) Checkpoint(ctx context.Context, tournamentID int64) (signed Signed, err error) {
	return signed, s.db.Snapshot(ctx, func(db *gorm.DB) error {
		log, err := s.current(db, tournamentID)
		if err != nil {
			return err
		}
		last, found, err := newest(db, log.ID)
		if err == nil && !found {
			err = notLogged(tournamentID)
		}
		if err == nil {
			signed, err = cosigned(db, last)
		}
		return err
	})
}

// cosigned adds the cosignatures to a checkpoint.
func cosigned(db *gorm.DB, of checkpointRow) (Signed, error) {
	s := Signed{Size: of.Size, Note: of.Note, At: of.At, Witnesses: []string{}}
	rows, err := store.All[cosignatureRow](db.Where("log_id = ? AND size = ?", of.LogID, of.Size).Order("witness"))
	for _, r := range rows {
		s.Note += r.Line
		s.Witnesses = append(s.Witnesses, r.Witness)
	}
	return s, err
}

// Tree returns the tree of a tournament's log, or NotFound.
func (s *Sequencer) Tree(ctx context.Context, tournamentID int64) (tree transparency.Tree, err error) {
	return tree, s.db.Snapshot(ctx, func(db *gorm.DB) error {
		log, err := s.current(db, tournamentID)
		if err == nil && log.ID == 0 {
			err = notLogged(tournamentID)
		}
		if err == nil {
			tree, err = s.tree(db, log)
		}
		return err
	})
}

// Leaves returns the leaves of a tournament's log from position from to before until, or NotFound if it has not all of
// them.
func (s *Sequencer) Leaves(ctx context.Context, tournamentID, from, until int64) (leaves []transparency.Leaf,
	err error) {
	return leaves, s.db.Snapshot(ctx, func(db *gorm.DB) error {
		log, err := s.current(db, tournamentID)
		if err != nil {
			return err
		}
		if leaves, err = leavesOf(db, log, from, until); err == nil && int64(len(leaves)) != until-from {
			err = notLogged(tournamentID)
		}
		return err
	})
}

func leavesOf(db *gorm.DB, log Log, from, until int64) (leaves []transparency.Leaf, err error) {
	rows, err := store.All[leafRow](db.Where("log_id = ? AND position >= ? AND position < ?", log.ID, from,
		until).Order("position"))
	for _, r := range rows {
		leaves = append(leaves, r.leaf())
	}
	return leaves, err
}

// Cosign stores the cosignature of a witness. text has three lines: the witness's key as a vkey, the size of the
// checkpoint, and the signature line. Anyone may be a witness; readers decide whom they trust.
func (s *Sequencer) Cosign(ctx context.Context, tournamentID int64, text string) error {
	lines := slices.Collect(strings.Lines(text))
	if len(lines) != 3 {
		return refuse.Invalid("err_cosignature")
	}
	witness, err := transparency.ParseWitness(strings.TrimSuffix(lines[0], "\n"))
	size, wrong := strconv.ParseInt(strings.TrimSuffix(lines[1], "\n"), 10, 64)
	if errors.Join(err, wrong) != nil {
		return refuse.Invalid("err_cosignature")
	}
	return s.db.Tx(ctx, func(tx *gorm.DB) error {
		log, err := s.current(tx, tournamentID)
		if err != nil {
			return err
		}
		of, found, err := store.First[checkpointRow](tx.Where("log_id = ? AND size = ?", log.ID, size))
		if err != nil {
			return err
		}
		if !found {
			return refuse.NotFound("err_log_none", "event", tournamentID)
		}
		c, err := opened(tx, of.Note)
		if err != nil {
			return err
		}
		if _, err := c.CheckCosignature(lines[2], witness); err != nil {
			return refuse.Invalid("err_cosignature")
		}
		var others int64
		if err := tx.Raw(`SELECT count(DISTINCT witness) FROM log_cosignatures WHERE log_id = ? AND witness <> ?`,
			log.ID, witness.String()).Scan(&others).Error; err != nil {
			return err
		}
		if others >= WitnessesMost {
			return refuse.Conflict("err_witnesses_many", "most", WitnessesMost)
		}
		return tx.Clauses(clause.OnConflict{DoNothing: true}).
			Create(&cosignatureRow{log.ID, size, witness.String(), lines[2]}).Error
	})
}

// Cosigned is a witness of a log, with the size of the newest checkpoint that it has cosigned, and the time by its own
// clock, in seconds since 1970.
type Cosigned struct {
	Witness transparency.Witness
	Size    int64
	At      int64
}

// Witnesses returns the witnesses of a tournament's log, the one with the newest checkpoint first.
func (s *Sequencer) Witnesses(ctx context.Context, tournamentID int64) (all []Cosigned, err error) {
	db := s.db.Read.WithContext(ctx)
	log, err := s.current(db, tournamentID)
	if err != nil {
		return nil, err
	}
	rows, err := store.All[cosignatureRow](db.Where(`log_id = ? AND size = (SELECT max(size) FROM log_cosignatures c
		WHERE c.log_id = log_cosignatures.log_id AND c.witness = log_cosignatures.witness)`, log.ID).
		Order("size DESC, witness"))
	for _, r := range rows {
		one := Cosigned{Size: r.Size}
		if one.Witness, err = transparency.ParseWitness(r.Witness); err != nil {
			return nil, err
		}
		if one.At, err = transparency.CosignedAt(r.Line); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, err
}

// Whole is the log of a tournament as an archive holds it.
type Whole struct {
	Key         string // the server's, as a vkey
	Leaves      []transparency.Leaf
	Checkpoints []Signed
}

// WholeIn returns the newest log of a tournament with its newest checkpoint, and the newest checkpoint that each
// witness has cosigned. found is false if there is none. If the log starts with a reference to an earlier one, that
// one's newest checkpoint comes first.
func WholeIn(db *gorm.DB, tournamentID int64) (w Whole, found bool, err error) {
	logs, err := store.All[Log](db.Where("tournament_id = ?", tournamentID).Order("id DESC").Limit(2))
	if err != nil || len(logs) == 0 {
		return w, false, err
	}
	last, found, err := newest(db, logs[0].ID)
	if err != nil || !found {
		return w, false, err
	}
	if w.Key, err = publicKey(db); err != nil {
		return w, false, err
	}
	if w.Leaves, err = leavesOf(db, logs[0], 0, last.Size); err != nil {
		return w, false, err
	}
	if int64(len(w.Leaves)) != last.Size {
		return w, false, store.Fault(fmt.Sprintf("leaves of the log %s are missing", logs[0].Origin))
	}
	var rows []checkpointRow
	if len(logs) == 2 && w.Leaves[0].Kind == transparency.KindLog {
		rows, err = store.All[checkpointRow](db.Where("log_id = ? AND size = ?", logs[1].ID, w.Leaves[0].Of))
	}
	if err == nil {
		var more []checkpointRow
		more, err = store.All[checkpointRow](db.Where(`log_id = @log AND (size = @size OR size IN
			(SELECT max(size) FROM log_cosignatures WHERE log_id = @log GROUP BY witness))`,
			map[string]any{"log": logs[0].ID, "size": last.Size}).Order("size"))
		rows = append(rows, more...)
	}
	for i := 0; err == nil && i < len(rows); i++ {
		var signed Signed
		signed, err = cosigned(db, rows[i])
		w.Checkpoints = append(w.Checkpoints, signed)
	}
	return w, err == nil, err
}
