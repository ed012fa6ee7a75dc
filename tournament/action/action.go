package action

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
	"meldhall/tournament/displayname"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Desk executes all actions that organizers, referees and players take on tournaments, and those that the program takes
// on their behalf. Moves at the tables go through Games.Submit instead.
type Desk struct {
	// DB is the database, and Games runs the games at the tables.
	DB    *store.DB
	Games *game.Games
	// Searches tracks the running searches for seats.
	Searches Searches
	// Seeds returns an independent seed for every draw of seats or lots. It is RandomSeed unless draws must be
	// reproducible.
	Seeds func() int64
	// Machine describes what the program can do for organizers on its machine. Set it before the first action.
	Machine Machine

	watchers   []func(Changed)
	readers    []func(Record)
	lastRecord int64 // the newest record checked, see Watch
	behind     bool  // the last check failed
	soon       chan struct{}
	own        ownRecords
}

// Machine holds the folders to which the program may copy its database, besides the USB sticks that it finds, and the
// function that restores a copy.
type Machine struct {
	// CopyTo lists the folders that the operator has named.
	CopyTo []string
	// Restore switches the program to the database copy at the path copied once the requests in progress have been
	// answered; by is the official who restores it. Restore is nil if the program can't restore copies.
	Restore func(copied string, by rights.Actor)
}

// NewDesk returns the Desk of a store and its games. A program has one.
func NewDesk(db *store.DB, games *game.Games) *Desk {
	d := &Desk{DB: db, Games: games, Seeds: RandomSeed, soon: make(chan struct{}, 1)}
	d.lookFrom()
	return d
}

// RandomSeed returns a seed from the operating system's random generator: from 1 to 2^53-1, exact in a JSON number.
func RandomSeed() int64 {
	for {
		var b [8]byte
		rand.Read(b[:]) // never fails
		if seed := int64(binary.LittleEndian.Uint64(b[:]) >> 11); seed != 0 {
			return seed
		}
	}
}

// Action is a value that describes something that a person does to a tournament, with all its input. API clients send
// the same value. It is an ActionOf its outcome. Its type has a kind (NewKind), which determines who may perform it.
// The tags of its fields document the API. If the address identifies the action's subject (tag path), the subject is
// the first field.
type Action any

// ActionOf is an action with its outcome. Do checks, writes and records it in a transaction, which is rolled back after
// an error or a preview.
type ActionOf[O any] interface{ Do(tx *Tx) (O, error) }

// planned is an action with work to do before its transaction, so that no table waits for it: a search for seats, or
// hashing a password. Plan returns the action with the result.
type planned interface {
	Plan(ctx context.Context, d *Desk, actor rights.Actor) (Action, error)
}

// ErrMoved reports that the data on which an action was planned changed before its transaction.
var ErrMoved = errors.New("the state the action was planned on has changed")

// planTries is the maximum number of times that an action is planned.
const planTries = 3

// Do executes an action of an actor: it authorizes, runs and records it, runs its functions for the tables (Tx.Then),
// and notifies all listeners once (Desk.OnChanged), after the commit. A refusal is a *refuse.Error, and then nothing
// has changed. An error with an outcome comes from the tables, after the commit.
func Do[O any](ctx context.Context, d *Desk, actor rights.Actor, a ActionOf[O]) (O, error) {
	out, err := d.Do(ctx, actor, a)
	typed, _ := out.(O)
	return typed, err
}

// Preview returns what Do would return, including refusals. Nothing is changed and no listener is called.
func Preview[O any](ctx context.Context, d *Desk, actor rights.Actor, a ActionOf[O]) (O, error) {
	out, err := d.Preview(ctx, actor, a)
	typed, _ := out.(O)
	return typed, err
}

// Do is like the function Do, for callers that do not know the type of the action.
func (d *Desk) Do(ctx context.Context, actor rights.Actor, a Action) (any, error) {
	_, out, err := d.through(ctx, actor, a, false)
	return out, err
}

// Preview is like the function Preview, for callers that do not know the type of the action.
func (d *Desk) Preview(ctx context.Context, actor rights.Actor, a Action) (any, error) {
	_, out, err := d.through(ctx, actor, a, true)
	return out, err
}

// Records executes or previews an action and returns its records, for callers that use the registry of kinds without
// knowing every action. An action without effect has no records.
func (d *Desk) Records(ctx context.Context, actor rights.Actor, a Action, preview bool) ([]Record, error) {
	tx, _, err := d.through(ctx, actor, a, preview)
	if tx == nil {
		return nil, err
	}
	return tx.records, err
}

func (d *Desk) through(ctx context.Context, actor rights.Actor, a Action, preview bool) (tx *Tx, out any, err error) {
	ctx = displayname.InFull(ctx) // records use the full names of people
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
				err = tx.follow(context.WithoutCancel(ctx)) // continues even if the client has gone
			}
			return tx, out, err
		}
	}
	return nil, nil, refuse.Conflict("err_draw_moved")
}

// copyBefore copies the database before the final action a. It returns an error without copying if a preview of a
// fails.
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

// Tx is an action in its transaction: the database to write to, and what to announce after the commit.
type Tx struct {
	*gorm.DB
	Actor rights.Actor // an action that identifies its actor (by ticket or code) sets it

	Desk    *Desk
	kind    *Kind
	Preview bool
	entries []Entry
	records []Record
	changed []Changed
	after   []func(ctx context.Context) error
	asked   bool
	apart   bool // see InPractice
}

// run executes the action and writes its records, or rolls it back.
func (tx *Tx) run(ctx context.Context, a Action) (out any, err error) {
	do := func(db *gorm.DB) (err error) {
		tx.DB = db
		if out, err = tx.kind.run(tx, a); err != nil {
			return err
		}
		if tx.kind.Own && !tx.asked {
			panic("the action " + tx.kind.Name + " did not check its rights")
		}
		tx.sign(ctx)
		return tx.write()
	}
	if d := tx.Desk; tx.kind.Many && !tx.Preview && d.Games.DB == d.DB { // in some tests the games use another database
		err = d.Games.Log.Together(ctx, do)
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
			c.Topics = slices.DeleteFunc(c.Topics, func(t Topic) bool {
				return t.What == TopicSeats ||
					t.What == TopicPeople || t.What == TopicDevices
			})
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

// follow invalidates cached seats, runs the functions for the tables (Tx.Then) and notifies the listeners.
func (tx *Tx) follow(ctx context.Context) error {
	tx.Desk.own.add(tx.Desk.DB.Nodes.Name(), tx.records)
	for _, c := range tx.changed { // first, since what follows at the tables is already being watched
		tx.Desk.reseat(c)
	}
	var errs []error
	for _, f := range tx.after {
		errs = append(errs, f(ctx))
	}
	for _, c := range tx.changed {
		tx.Desk.notify(c)
	}
	for _, read := range tx.Desk.readers {
		for _, r := range tx.records {
			read(r)
		}
	}
	return errors.Join(errs...)
}

// Record adds a record of the action. Without a record, listeners are called only after Touched.
func (tx *Tx) Record(e Entry) { tx.entries = append(tx.entries, e) }

// Then runs f for the tables once the action is committed, even if the client has gone. Do returns the errors of f. If
// f fails, the next start of the program does the missing work.
func (tx *Tx) Then(f func(ctx context.Context, g *game.Games) error) {
	tx.after = append(tx.after, func(ctx context.Context) error { return f(ctx, tx.Desk.Games) })
}

// InPractice marks the action as one at a practice table. Its records do not announce changed seats, people or devices,
// so viewers of tournaments in progress are not woken.
func (tx *Tx) InPractice() {
	tx.apart = true
}

// Made gives the actor the right to serve a tournament just created.
func (tx *Tx) Made(tournamentID int64) { tx.Actor = tx.Actor.Serving(tournamentID) }

// Touched notifies listeners of a change that leaves no record.
func (tx *Tx) Touched(c Changed) { tx.changed = unite(tx.changed, c) }

// Own records that the subject is the actor's own, so that the action needs no right.
func (tx *Tx) Own() { tx.asked = true }

// Authorize returns an error if the actor does not have the right at the place.
func (tx *Tx) Authorize(at rights.Place, right rights.Right) error {
	tx.asked = true
	return rights.Authorize(tx.Actor, at, right)
}

// Now returns the time of the database's clock.
func (tx *Tx) Now() engine.Millis { return tx.Desk.DB.Millis() }

// Searches tracks the progress of the running searches for seats.
type Searches struct {
	// Steps limits a search; 0: as many as the field needs.
	Steps int

	mu   sync.Mutex
	part map[int64]int // percent, by tournament
	// moved is called when a search begins, at every tenth of it and at its end.
	moved func(tournamentID int64)
}

// Report records the progress of a tournament's search for seats: done is the completed part of the total work, of.
func (s *Searches) Report(tournamentID int64, done, of int) {
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

// End records that a tournament's search for seats has ended.
func (s *Searches) End(tournamentID int64) {
	s.mu.Lock()
	_, there := s.part[tournamentID]
	delete(s.part, tournamentID)
	s.mu.Unlock()
	if s.moved != nil && there {
		s.moved(tournamentID)
	}
}

// Of returns the progress of the search for seats of a tournament, in percent. ok is false if none is running.
func (s *Searches) Of(tournamentID int64) (percent int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	percent, ok = s.part[tournamentID]
	return percent, ok
}

// OnMoved sets the function that is called when a search for seats has progressed or ended. The search waits for it.
func (s *Searches) OnMoved(moved func(tournamentID int64)) { s.moved = moved }
