// Package security logs sign-ins, rejected access and changes of rights. Organizers see the log in a table of limited
// size; operators get it as JSON lines. It contains no password, PIN, code or token, and no typed name without an
// account, because that may be a password in the wrong field.
package security

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Kind is the kind of an entry.
type Kind string

// The kinds of entries.
const (
	SignedIn  Kind = "sign_in"
	Refused   Kind = "refused"   // a wrong password, PIN, code or other secret
	Throttled Kind = "throttled" // too many attempts
	Foreign   Kind = "foreign"   // a change sent from a page of another origin
	Forged    Kind = "forged"    // an unknown or expired token
	Denied    Kind = "denied"    // a signed-in user without the right to do it
	Input     Kind = "input"     // input that none of our pages sends
	Rights    Kind = "rights"    // accounts and their rights
)

// Kinds lists all kinds in display order.
var Kinds = []Kind{SignedIn, Refused, Throttled, Foreign, Forged, Denied, Input, Rights}

// Entry is an event that happened Times times from At to Last. Name is an official's name, or empty. What is the kind
// of secret, a path of the program, or the kind of an action. About is the person whom an action concerns.
type Entry struct {
	ID      int64
	At      engine.Millis
	Last    engine.Millis
	Times   int
	Kind    Kind
	Name    string
	Address string
	What    string
	About   string
	Request string `gorm:"-"` // request ID in the program's log; for repeats, the last one
}

// TableName returns the name of the table.
func (Entry) TableName() string { return "security_log" }

const (
	keptOfKind = 2000 // entries per kind, so that a flood of one kind cannot displace others
	atOnce     = 100  // entries per commit
	waitMost   = 1000 // queued entries; further ones are only counted as lost
	together   = engine.Millis(60_000)
	recentMost = 4000 // entries remembered for repeats
	lookEvery  = time.Minute
)

// folded lists the kinds that anyone can cause at no cost. Their repeats are counted before they are written.
var folded = map[Kind]bool{Throttled: true, Foreign: true, Forged: true, Denied: true, Input: true}

// Log writes entries in the background.
type Log struct {
	db      *store.DB
	lines   *slog.Logger
	entries chan Entry
	lost    atomic.Int64
	end     func() // closes ended, once
	ended   chan struct{}
	done    chan struct{}
	recent  map[Entry]Entry // by Entry.same

	mu      sync.Mutex
	repeats map[Entry]*repeat // repeats of folded kinds
}

// repeat counts the repeats of an entry since it was last written.
type repeat struct {
	written engine.Millis
	again   Entry // Times is 0 if there were none
}

// Open starts a log in a database. It also writes JSON lines to out, unless out is nil.
func Open(db *store.DB, out io.Writer) *Log {
	if out == nil {
		out = io.Discard
	}
	l := &Log{db: db, lines: slog.New(slog.NewJSONHandler(out, nil)), entries: make(chan Entry, waitMost),
		ended: make(chan struct{}), done: make(chan struct{}), recent: map[Entry]Entry{}, repeats: map[Entry]*repeat{}}
	l.end = sync.OnceFunc(func() { close(l.ended) })
	go l.run()
	return l
}

// Close writes the queued entries and ends the log. Entries noted later are lost.
func (l *Log) Close() {
	l.end()
	<-l.done
}

// Note queues an entry. Repeats of the folded kinds are written once a minute with their number. If entries arrive
// faster than they can be written, some are lost; their number is logged.
func (l *Log) Note(e Entry) {
	e.At = l.db.Millis()
	e.Last, e.Times = e.At, 1
	if folded[e.Kind] && l.counted(&e) {
		return
	}
	select {
	case l.entries <- e:
	default:
		l.lost.Add(1)
	}
}

// counted reports whether an entry was only counted for now. Otherwise it must be written, and includes the repeats
// counted before it.
func (l *Log) counted(e *Entry) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.repeats[e.same()]
	switch {
	case r == nil && len(l.repeats) >= recentMost:
		l.lost.Add(1)
		return true
	case r == nil:
		l.repeats[e.same()] = &repeat{written: e.At}
		return false
	case r.again.Times > 0:
		e.At, e.Times = r.again.At, r.again.Times+1
	}
	if e.Last-r.written < together {
		r.again = *e
		return true
	}
	*r = repeat{written: e.Last}
	return false
}

// due returns the counted repeats that must be written now, or all of them, and forgets entries that no longer repeat.
func (l *Log) due(all bool) (due []Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.db.Millis()
	for same, r := range l.repeats {
		switch {
		case !all && now-r.written < together:
		case r.again.Times == 0:
			delete(l.repeats, same)
		default:
			due = append(due, r.again)
			*r = repeat{written: now}
		}
	}
	return due
}

// same returns the key that equal entries have in common.
func (e Entry) same() Entry {
	e.At, e.Last, e.Times, e.Request = 0, 0, 0, ""
	return e
}

func (l *Log) run() {
	defer close(l.done)
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case e := <-l.entries:
			l.take(e)
		case <-look.C:
			l.putDue(false)
		case <-l.ended:
			for len(l.entries) > 0 {
				l.take(<-l.entries)
			}
			l.putDue(true)
			return
		}
	}
}

// take writes an entry together with other queued ones.
func (l *Log) take(e Entry) {
	batch := []Entry{e}
	for len(batch) < atOnce && len(l.entries) > 0 {
		batch = append(batch, <-l.entries)
	}
	l.put(batch)
}

// putDue writes the counted repeats that are due, or all of them.
func (l *Log) putDue(all bool) {
	for batch := range slices.Chunk(l.due(all), atOnce) {
		l.put(batch)
	}
}

// put writes entries as JSON lines and as rows.
func (l *Log) put(batch []Entry) {
	for _, e := range batch {
		line := []any{"kind", e.Kind, "name", e.Name, "address", e.Address, "what", e.What, "about", e.About}
		if e.Request != "" {
			line = append(line, "request", e.Request)
		}
		if e.Times > 1 {
			line = append(line, "times", e.Times)
		}
		l.lines.Info("security", line...)
	}
	if lost := l.lost.Swap(0); lost > 0 {
		slog.Warn("entries of the security log were lost: the buffer is full", "lost", lost)
	}
	if err := l.write(batch); err != nil {
		slog.Error("writing the security log failed", "entries", len(batch), "err", err)
	}
}

func (l *Log) write(batch []Entry) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return l.db.Tx(ctx, func(tx *gorm.DB) error {
		kinds := map[Kind]bool{}
		for _, e := range batch {
			kinds[e.Kind] = true
			if err := l.add(tx, e); err != nil {
				clear(l.recent) // their rows may have been rolled back
				return err
			}
		}
		for kind := range kinds {
			if err := tx.Exec(`DELETE FROM security_log WHERE kind = ? AND id <= (SELECT id FROM security_log WHERE kind = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`,
				kind, kind, keptOfKind).Error; err != nil {
				return err
			}
		}
		return nil
	})
}

// add writes an entry. A repeat within a minute only increments its row, except for sign-ins and changes of rights.
func (l *Log) add(tx *gorm.DB, e Entry) error {
	same, again := e.same(), e.Kind != SignedIn && e.Kind != Rights
	if before, ok := l.recent[same]; ok && again && e.At-before.At < together {
		counted := tx.Model(&Entry{}).Where("id = ?", before.ID).Updates(map[string]any{"times": gorm.Expr("times + ?",
			e.Times), "last": e.Last})
		if counted.Error != nil || counted.RowsAffected > 0 {
			return counted.Error
		}
	}
	if err := tx.Create(&e).Error; err != nil {
		return err
	}
	if again {
		if len(l.recent) >= recentMost {
			clear(l.recent)
		}
		l.recent[same] = e
	}
	return nil
}

// Entries returns the newest entries of a kind ("" for all) that are older than the entry with ID before (0 for no
// limit), and whether there are more. Only organizers may call it; those of an organization only see entries of its own
// officials.
func Entries(ctx context.Context, s *store.DB, actor rights.Actor, kind Kind, before int64, limit int) (list []Entry,
	more bool, err error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MaySeeSecurity); err != nil {
		return nil, false, err
	}
	q := s.Read.WithContext(ctx)
	if actor.Organization != 0 {
		q = q.Where("name IN (SELECT name FROM accounts WHERE organization_id = ?)", actor.Organization)
	}
	if kind != "" {
		q = q.Where("kind = ?", kind)
	}
	if before > 0 {
		q = q.Where("id < ?", before)
	}
	list, err = store.All[Entry](q.Order("id DESC").Limit(limit + 1))
	if more = len(list) > limit; more {
		list = list[:limit]
	}
	return list, more, err
}
