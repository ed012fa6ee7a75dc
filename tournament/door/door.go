package door

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"slices"
	"sync"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/naming"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// Desk is the one door by which people act on competitions: organizers, referees and players at the desk, and the program in
// their place. What is played at the tables goes through Games.Submit.
type Desk struct {
	// DB is the database, Games the games that run at the tables.
	DB    *storage.DB
	Games *game.Games
	// Searches is how far the searches for seats are that run now.
	Searches Searches
	// Seeds gives every draw of seats or lots a seed of its own, which nothing else follows from: RandomSeed, unless draws are to be
	// repeated.
	Seeds func() int64
	// Machine is what the program can do for organizers on the machine that it runs on; to be set before anything is done.
	Machine Machine

	watchers   []func(Changed)
	readers    []func(Record)
	lastRecord int64 // the newest one that was looked at, see Watch
	behind     bool  // the last look failed
	soon       chan struct{}
	own        ownRecords
}

// Machine is where a program may write copies of its database, besides the sticks that it finds, and how it goes on with one.
type Machine struct {
	// CopyTo are folders that the operator has named.
	CopyTo []string
	// Restore has the program go on with the copy at a path as soon as what is under way has been answered; nil where it cannot.
	Restore func(copied string, by rights.Actor)
}

// NewDesk gives the desk over a store and the runner of its games. A program has one.
func NewDesk(store *storage.DB, games *game.Games) *Desk {
	d := &Desk{DB: store, Games: games, Seeds: RandomSeed, soon: make(chan struct{}, 1)}
	d.lookFrom()
	return d
}

// RandomSeed is a seed from the operating system's generator: from 1 to 2^53-1, exact in a JSON number.
func RandomSeed() int64 {
	for {
		var b [8]byte
		rand.Read(b[:]) // never fails
		if seed := int64(binary.LittleEndian.Uint64(b[:]) >> 11); seed != 0 {
			return seed
		}
	}
}

// Action is something that a person does to a competition: a value with all that was said, which is also what programs send. It
// is an ActionOf its outcome whose type has a kind (NewKind), which says who may do it. The tags of its fields are what the
// interface for programs says of them; its first one is what it is done to, where its address names that (tag path).
type Action any

// ActionOf is an action with its outcome. Do does it in a transaction that is rolled back when it fails, or was only to be
// looked at; it checks, writes, and records.
type ActionOf[O any] interface{ Do(tx *Tx) (O, error) }

// planned is an action with work to do before its transaction, for which no table waits: a search for seats, a hash of a password.
// It gives the action with what it found.
type planned interface {
	Plan(ctx context.Context, d *Desk, actor rights.Actor) (Action, error)
}

// ErrMoved is that what an action was planned on has changed before its transaction.
var ErrMoved = errors.New("what the action was planned on has changed meanwhile")

// planTries is how often an action is planned again.
const planTries = 3

// Do does an action for an actor: authorize, transaction, act, record, what follows at the tables, and one word to everybody who
// watches (Desk.OnChanged), after the commit. Errors are *Error for what is refused; then nothing has changed. An error with an
// outcome comes from the tables, after the commit.
func Do[O any](ctx context.Context, d *Desk, actor rights.Actor, a ActionOf[O]) (O, error) {
	out, err := d.Do(ctx, actor, a)
	typed, _ := out.(O)
	return typed, err
}

// Preview tells what Do would do, or refuse. Nothing is changed and nobody is notified.
func Preview[O any](ctx context.Context, d *Desk, actor rights.Actor, a ActionOf[O]) (O, error) {
	out, err := d.Preview(ctx, actor, a)
	typed, _ := out.(O)
	return typed, err
}

// Do is the function Do for an action of any kind.
func (d *Desk) Do(ctx context.Context, actor rights.Actor, a Action) (any, error) {
	_, out, err := d.through(ctx, actor, a, false)
	return out, err
}

// Preview is the function Preview for an action of any kind.
func (d *Desk) Preview(ctx context.Context, actor rights.Actor, a Action) (any, error) {
	_, out, err := d.through(ctx, actor, a, true)
	return out, err
}

// Records does an action, or with preview only looks at it, and gives what is recorded of it: for who knows the registry of kinds
// and not every action. Nothing is recorded where nothing has changed.
func (d *Desk) Records(ctx context.Context, actor rights.Actor, a Action, preview bool) ([]Record, error) {
	tx, _, err := d.through(ctx, actor, a, preview)
	if tx == nil {
		return nil, err
	}
	return tx.records, err
}

func (d *Desk) through(ctx context.Context, actor rights.Actor, a Action, preview bool) (tx *Tx, out any, err error) {
	ctx = naming.InFull(ctx) // what is recorded names people as they are
	k := KindOf(a)
	if !k.Own {
		if err := rights.Authorize(actor, rights.Place{Seat: -1}, k.Right); err != nil {
			return nil, nil, err
		}
	}
	if err := serves(d.DB.Read.WithContext(ctx), actor, a); err != nil {
		return nil, nil, err
	}
	if k.Final && !preview {
		if err := d.copyBefore(ctx, actor, a); err != nil {
			return nil, nil, err
		}
	}
	for range planTries {
		ready := a
		if p, ok := a.(planned); ok {
			if ready, err = p.Plan(ctx, d, actor); err != nil {
				return nil, nil, err
			}
		}
		tx = &Tx{Actor: actor, Desk: d, kind: k, Preview: preview}
		if out, err = tx.run(ctx, ready); !errors.Is(err, ErrMoved) {
			if err == nil && !preview {
				err = tx.follow(context.WithoutCancel(ctx)) // it is done even if nobody waits for the answer
			}
			return tx, out, err
		}
	}
	return nil, nil, refuse.Conflict("err_draw_moved")
}

// copyBefore makes a copy of the database for an action that is final and would be done.
func (d *Desk) copyBefore(ctx context.Context, actor rights.Actor, a Action) error {
	if _, _, err := d.through(ctx, actor, a, true); err != nil {
		return err
	}
	made, err := d.DB.CopyBeside(ctx)
	if err != nil {
		return err
	}
	return d.DB.Write.WithContext(ctx).Create(&made).Error
}

// Tx is an action in its transaction: the database to write to, and what is to be said of it when it is committed.
type Tx struct {
	*gorm.DB
	Actor rights.Actor // who does it; an action that finds out who it is (a ticket, a code) sets it

	Desk    *Desk
	kind    *Kind
	Preview bool
	entries []Entry
	records []Record
	changed []Changed
	after   []func(ctx context.Context) error
	asked   bool
	apart   bool // see inPractice
}

// run does the action and keeps its records, or rolls it back.
func (tx *Tx) run(ctx context.Context, a Action) (out any, err error) {
	do := func(db *gorm.DB) (err error) {
		tx.DB = db
		if out, err = tx.kind.run(tx, a); err != nil {
			return err
		}
		if tx.kind.Own && !tx.asked {
			panic("the action " + tx.kind.Name + " did not ask who may do it there")
		}
		return tx.write()
	}
	if d := tx.Desk; tx.kind.Many && !tx.Preview && d.Games.DB == d.DB { // another one's games, as a test has, are not in its transaction
		err = d.Games.Together(ctx, do)
	} else {
		err = d.DB.Try(ctx, tx.Preview, do)
	}
	return out, err
}

func (tx *Tx) write() error {
	for _, e := range tx.entries {
		if e.Kind == nil {
			e.Kind = tx.kind
		}
		at := rights.Place{Tournament: e.Event, Number: cmp.Or(e.On.Table, rights.NoTable), Practice: tx.apart}
		if err := rights.Within(tx.Actor, at, e.Kind.Right); err != nil {
			return err
		}
		c := Changed{Tournament: e.Event}
		for _, what := range e.Kind.Changes {
			c.Add(Topic{What: what})
		}
		c.Add(e.Topics...)
		if tx.apart {
			c.Topics = slices.DeleteFunc(c.Topics, func(t Topic) bool { return t.What == TopicSeats || t.What == TopicPeople || t.What == TopicDevices })
		}
		tx.changed = unite(tx.changed, c)
		e.Topics = c.Topics
		r, err := e.record(tx.Actor, tx.Now())
		if err == nil {
			err = tx.keep(&r)
		}
		if err != nil {
			return err
		}
		tx.records = append(tx.records, r)
	}
	return nil
}

// follow does what follows at the tables, and tells those who watch.
func (tx *Tx) follow(ctx context.Context) error {
	tx.Desk.own.add(tx.Desk.DB.Node(), tx.records)
	for _, c := range tx.changed { // what follows at the tables is watched already
		tx.Desk.reseat(c)
	}
	var errs []error
	for _, f := range tx.after {
		errs = append(errs, f(ctx))
	}
	for _, c := range tx.changed {
		tx.Desk.say(c)
	}
	for _, read := range tx.Desk.readers {
		for _, r := range tx.records {
			read(r)
		}
	}
	return errors.Join(errs...)
}

// Record stores what was done. An action that records nothing has changed nothing, and nobody is notified.
func (tx *Tx) Record(e Entry) { tx.entries = append(tx.entries, e) }

// Then does something at the tables once the action is committed, whoever waits for the answer. What it fails at is told, and
// made good when the program starts next.
func (tx *Tx) Then(f func(ctx context.Context, g *game.Games) error) {
	tx.after = append(tx.after, func(ctx context.Context) error { return f(ctx, tx.Desk.Games) })
}

// InPractice says that it is done at a practice table: whoever plays an event need not look again when somebody practises.
func (tx *Tx) InPractice() {
	tx.apart = true
}

// Made says that an event was made, which its maker serves from now on.
func (tx *Tx) Made(event int64) { tx.Actor = tx.Actor.Serving(event) }

// Touched has all who watch look again at what no record is left of.
func (tx *Tx) Touched(c Changed) { tx.changed = unite(tx.changed, c) }

// Own says that an actor does it to what is the actor's own, for which nobody needs a right.
func (tx *Tx) Own() { tx.asked = true }

// Authorize asks for a right at a place.
func (tx *Tx) Authorize(at rights.Place, right rights.Right) error {
	tx.asked = true
	return rights.Authorize(tx.Actor, at, right)
}

func (tx *Tx) Now() engine.Millis { return tx.Desk.DB.Millis() }

// Searches is how far the searches for seats are that run now.
type Searches struct {
	// Steps bounds a search; 0: as many as the field needs.
	Steps int

	mu   sync.Mutex
	part map[int64]int // by tournament: percent
	// moved is called when a search begins, at every tenth of it and at its end.
	moved func(tournamentID int64)
}

// Tell says how far the search for seats of a tournament is.
func (s *Searches) Tell(tournamentID int64, done, of int) {
	percent := min(100, done*100/max(of, 1))
	s.mu.Lock()
	was, there := s.part[tournamentID]
	if s.part == nil {
		s.part = map[int64]int{}
	}
	s.part[tournamentID] = percent
	s.mu.Unlock()
	const step = 10 // percent
	if s.moved != nil && (!there || percent/step != was/step) {
		s.moved(tournamentID)
	}
}

// End says that it is over.
func (s *Searches) End(tournamentID int64) {
	s.mu.Lock()
	_, there := s.part[tournamentID]
	delete(s.part, tournamentID)
	s.mu.Unlock()
	if s.moved != nil && there {
		s.moved(tournamentID)
	}
}

// Of tells how much of a search for seats of a tournament is done, in percent; not ok when none runs.
func (s *Searches) Of(tournamentID int64) (percent int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	percent, ok = s.part[tournamentID]
	return percent, ok
}

// OnMoved sets who is told that a search for seats has come further or has ended. It is called in between, and the search
// waits for it.
func (s *Searches) OnMoved(moved func(tournamentID int64)) { s.moved = moved }
