// Package sequencer keeps the transparency logs of tournaments in the database. It appends what is already stored there
// to the logs, signs checkpoints, and reads both for their readers. Package transparency defines the formats.
//
// A turn never waits for a log: the sequencer reads facts that were committed before. It adds the leaves and their
// checkpoint in one transaction. If two nodes append at the same time, one of them violates a unique key, and reads
// again. After a crash the next step continues with the facts that have no leaf.
package sequencer

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"golang.org/x/mod/sumdb/note"
	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/store"
	"meldhall/tournament/transparency"
)

const (
	atOnce    = 500 // most leaves of a transaction, so that turns do not wait for it
	tries     = 3   // of a step, if other nodes append at the same time
	treesMost = 200 // trees in memory
	nameChars = 12  // of a random name: 60 bits
)

// Sequencer appends to the logs of all tournaments of a database, and reads them. It is safe for concurrent use.
type Sequencer struct {
	db      *store.DB
	mu      sync.Mutex
	trees   map[int64]transparency.Tree // by log
	changed map[int64]bool              // tournaments that may have new facts
	soon    chan struct{}
}

// New returns a Sequencer for a database.
func New(db *store.DB) *Sequencer {
	return &Sequencer{db: db, trees: map[int64]transparency.Tree{}, changed: map[int64]bool{},
		soon: make(chan struct{}, 1)}
}

// Log is the log of a tournament in an epoch of the database.
type Log struct {
	ID           int64
	TournamentID int64
	Epoch        string
	Origin       string
}

// TableName returns the database table of logs.
func (Log) TableName() string { return "logs" }

// leafRow is a leaf with its position in a log.
type leafRow struct {
	LogID    int64
	Position int64
	Kind     transparency.Kind
	About    int64
	Seq      int
	Hash     string
}

func (leafRow) TableName() string { return "log_leaves" }

func (r leafRow) leaf() transparency.Leaf {
	return transparency.Leaf{Kind: r.Kind, Of: r.About, Seq: r.Seq, Hash: r.Hash}
}

// checkpointRow is a signed checkpoint.
type checkpointRow struct {
	LogID int64
	Size  int64
	Note  string
	At    engine.Millis
}

func (checkpointRow) TableName() string { return "log_checkpoints" }

// keyRow is the server's key.
type keyRow struct {
	ID     int64
	Secret string
	Signed int64
}

func (keyRow) TableName() string { return "log_keys" }

// errMoved means that another node has appended to the log.
var errMoved = errors.New("another node has appended to the log")

// Step appends the facts of a tournament that have no leaf yet, signs a checkpoint, and returns the number of new
// leaves. It does nothing for practice tables and rehearsals, and in a program that does not serve the database,
// because a copy that another program serves could then contradict it.
func (s *Sequencer) Step(ctx context.Context, tournamentID int64) (added int, err error) {
	if !s.db.Serves() {
		return 0, nil
	}
	for range tries {
		var n int
		n, err = s.step(ctx, tournamentID)
		if added += n; !errors.Is(err, errMoved) {
			break
		}
	}
	if err != nil {
		return added, fmt.Errorf("the log of event %d: %w", tournamentID, err)
	}
	return added, nil
}

func (s *Sequencer) step(ctx context.Context, tournamentID int64) (added int, err error) {
	var log Log
	var tree transparency.Tree
	var facts []fact
	at := s.db.Millis()
	err = s.db.Snapshot(ctx, func(db *gorm.DB) error {
		if log, err = s.current(db, tournamentID); err != nil {
			return err
		}
		if tree, err = s.tree(db, log); err != nil {
			return err
		}
		facts, err = factsOf(db, tournamentID, log, at)
		return err
	})
	if err != nil || len(facts) == 0 {
		return 0, err
	}
	for chunk := range slices.Chunk(facts, atOnce) {
		leaves := make([]transparency.Leaf, len(chunk))
		for i, f := range chunk {
			leaves[i] = f.Leaf
		}
		a := appending{db: s.db, tournamentID: tournamentID, log: log, tree: tree, leaves: leaves, at: at}
		err := s.db.Tx(ctx, a.do)
		if store.IsClash(err) {
			return added, errMoved
		}
		if err != nil {
			return added, err
		}
		log, tree, added = a.log, a.tree, added+len(leaves)
		s.keep(log.ID, tree)
	}
	return added, s.db.NoteServed(ctx)
}

// appending is the transaction of a step.
type appending struct {
	db           *store.DB
	tournamentID int64
	log          Log               // no ID: it does not exist yet
	tree         transparency.Tree // before, and after do
	leaves       []transparency.Leaf
	at           engine.Millis
}

func (a *appending) do(tx *gorm.DB) error {
	key, err := keyIn(tx)
	if err != nil {
		return err
	}
	if a.log.ID == 0 {
		if err := a.begin(tx, key.Name()); err != nil {
			return err
		}
	}
	rows := make([]leafRow, len(a.leaves))
	for i, l := range a.leaves {
		rows[i] = leafRow{a.log.ID, a.tree.Size() + int64(i), l.Kind, l.Of, l.Seq, l.Hash}
	}
	if err := tx.CreateInBatches(rows, 30).Error; err != nil { // few placeholders, see store.Values
		return err
	}
	a.tree = a.tree.Append(a.leaves...)
	text, err := transparency.SignCheckpoint(transparency.Checkpoint{Origin: a.log.Origin, Tree: a.tree.Head()}, key)
	if err != nil {
		return err
	}
	if err := tx.Create(&checkpointRow{a.log.ID, a.tree.Size(), text, a.at}).Error; err != nil {
		return err
	}
	return tx.Exec("UPDATE log_keys SET signed = signed + 1").Error
}

// begin creates the log. Its first leaf refers to the tournament's log in an earlier epoch, if there is one. The name
// is random, because the number of a deleted tournament may be used again.
func (a *appending) begin(tx *gorm.DB, key string) error {
	earlier, found, err := store.First[Log](tx.Where("tournament_id = ?", a.tournamentID).Order("id DESC"))
	if err != nil {
		return err
	}
	a.log = Log{TournamentID: a.tournamentID, Epoch: a.db.Epoch.Name,
		Origin: transparency.OriginOf(key, a.tournamentID, rand.Text()[:nameChars])}
	if err := tx.Create(&a.log).Error; err != nil || !found {
		return err
	}
	last, found, err := newest(tx, earlier.ID)
	if err != nil || !found {
		return err
	}
	was, err := opened(tx, last.Note)
	if err != nil {
		return err
	}
	slog.Warn("the database is a restored copy: the log of the event starts again", "event", a.tournamentID, "earlier",
		was.Origin, "leaves", was.N, "log", a.log.Origin)
	first := transparency.Leaf{Kind: transparency.KindLog, Of: was.N, Hash: hex.EncodeToString(was.Hash[:])}
	a.leaves = append([]transparency.Leaf{first}, a.leaves...)
	return nil
}

// keyIn returns the server's key. The first call creates it.
func keyIn(tx *gorm.DB) (note.Signer, error) {
	have, found, err := store.First[keyRow](tx)
	if err != nil {
		return nil, err
	}
	if !found {
		have.ID = 1
		if have.Secret, _, err = note.GenerateKey(rand.Reader, "meldhall/"+rand.Text()[:nameChars]); err != nil {
			return nil, err
		}
		if err := tx.Create(&have).Error; err != nil {
			return nil, err
		}
	}
	return note.NewSigner(have.Secret)
}

// newest returns the last checkpoint of a log.
func newest(db *gorm.DB, log int64) (checkpointRow, bool, error) {
	return store.First[checkpointRow](db.Where("log_id = ?", log).Order("size DESC"))
}

// current returns the tournament's log in this epoch. Its ID is 0 if there is none.
func (s *Sequencer) current(db *gorm.DB, tournamentID int64) (Log, error) {
	log, _, err := store.First[Log](db.Where("tournament_id = ? AND epoch = ?", tournamentID, s.db.Epoch.Name))
	return log, err
}

// tree returns the tree of a log up to its last checkpoint. It returns an error if the stored leaves contradict that
// checkpoint: then no further one may be signed.
func (s *Sequencer) tree(db *gorm.DB, log Log) (transparency.Tree, error) {
	s.mu.Lock()
	tree := s.trees[log.ID]
	s.mu.Unlock()
	last, found, err := newest(db, log.ID)
	if err != nil || !found || last.Size <= tree.Size() {
		return tree, err
	}
	rows, err := store.All[leafRow](db.Where("log_id = ? AND position >= ? AND position < ?", log.ID, tree.Size(),
		last.Size).Order("position"))
	if err != nil {
		return tree, err
	}
	for i, r := range rows {
		if r.Position != tree.Size() {
			return tree, store.Fault(fmt.Sprintf("leaf %d of the log %s is missing", int64(i)+tree.Size(), log.Origin))
		}
		tree = tree.Append(r.leaf())
	}
	signed, err := opened(db, last.Note)
	if err != nil {
		return tree, err
	}
	if tree.Head() != signed.Tree || signed.Origin != log.Origin {
		return tree, store.Fault(fmt.Sprintf("the leaves of the log %s are not those of its signed checkpoint",
			log.Origin))
	}
	s.keep(log.ID, tree)
	return tree, nil
}

// keep remembers a log's tree, unless it has a longer one.
func (s *Sequencer) keep(log int64, tree transparency.Tree) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.trees) >= treesMost {
		clear(s.trees)
	}
	if tree.Size() > s.trees[log].Size() {
		s.trees[log] = tree
	}
}

// opened reads a checkpoint of this server.
func opened(db *gorm.DB, text string) (transparency.Checkpoint, error) {
	key, err := verifier(db)
	if err != nil {
		return transparency.Checkpoint{}, err
	}
	return transparency.OpenCheckpoint(text, key)
}
