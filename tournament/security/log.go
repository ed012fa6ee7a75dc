// Package security keeps the log of who came in, who was kept out, and who changed what others may do: for organizers, in a table
// of bounded size, and as lines of JSON for whoever watches the machine. It holds no password, PIN, code or token, and no name that
// was typed and is nobody's: that may be a password in the wrong field.
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
	"meldhall/tournament/storage"
)

// Kind is what sort of thing an entry tells.
type Kind string

// The kinds of entries.
const (
	SignedIn  Kind = "sign_in"
	Refused   Kind = "refused"   // something secret was wrong
	Throttled Kind = "throttled" // there were too many tries
	Foreign   Kind = "foreign"   // a page of another origin sent a change
	Forged    Kind = "forged"    // a token that is nobody's, or no more
	Denied    Kind = "denied"    // somebody known asked for what they have no right to
	Input     Kind = "input"     // something came that no page of ours sends
	Rights    Kind = "rights"    // accounts and what they may do
)

// Kinds are all kinds, as pages list them.
var Kinds = []Kind{SignedIn, Refused, Throttled, Foreign, Forged, Denied, Input, Rights}

// Entry is something that happened, Times times until Last. Name is an official's, empty where none is known; What is which secret,
// which address of the program, or which kind of action; About is whom an action is about.
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
	Request string `gorm:"-"` // the number by which the program's own lines call it; of what came again, the last one's
}

// TableName is security_log.
func (Entry) TableName() string { return "security_log" }

const (
	keptOfKind = 2000 // entries of each kind, so that a flood of one pushes no other out
	atOnce     = 100  // entries a commit
	waitMost   = 1000 // entries that are not written yet; more are counted alone
	together   = engine.Millis(60_000)
	recentMost = 4000 // entries that may come again
	lookEvery  = time.Minute
)

// folded are the kinds that cost whoever causes them nothing: what comes again is counted before it is written.
var folded = map[Kind]bool{Throttled: true, Foreign: true, Forged: true, Denied: true, Input: true}

// Log writes entries. Nobody waits for it.
type Log struct {
	db      *storage.DB
	lines   *slog.Logger
	entries chan Entry
	lost    atomic.Int64
	end     func() // once
	ended   chan struct{}
	done    chan struct{}
	recent  map[Entry]Entry // by what makes an entry the same one

	mu      sync.Mutex
	repeats map[Entry]*repeat // of the kinds that are folded
}

// repeat is what has come again since its entry was written.
type repeat struct {
	written engine.Millis
	again   Entry // Times 0: nothing has
}

// Open begins a log over a database, with lines of JSON to out besides; nil: none.
func Open(db *storage.DB, out io.Writer) *Log {
	if out == nil {
		out = io.Discard
	}
	l := &Log{db: db, lines: slog.New(slog.NewJSONHandler(out, nil)), entries: make(chan Entry, waitMost), ended: make(chan struct{}), done: make(chan struct{}), recent: map[Entry]Entry{}, repeats: map[Entry]*repeat{}}
	l.end = sync.OnceFunc(func() { close(l.ended) })
	go l.run()
	return l
}

// Close writes what waits, and ends the log. What is noted after it is lost.
func (l *Log) Close() {
	l.end()
	<-l.done
}

// Note writes an entry soon; of what comes again within a minute, where anybody can make it come, the number, once a minute. Where
// entries come faster than they can be written some are lost, and how many is told.
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

// counted tells whether an entry is only counted for now. Else it is to be written, with those that were counted before it.
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

// due gives what was counted and is to be written by now, all of it in the end, and forgets what does not come any more.
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

// same is what makes an entry the same one as another.
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

// take writes an entry, with others that wait.
func (l *Log) take(e Entry) {
	batch := []Entry{e}
	for len(batch) < atOnce && len(l.entries) > 0 {
		batch = append(batch, <-l.entries)
	}
	l.put(batch)
}

// putDue writes what was counted and is to be written by now, or all of it.
func (l *Log) putDue(all bool) {
	for batch := range slices.Chunk(l.due(all), atOnce) {
		l.put(batch)
	}
}

// put writes entries as lines and as rows.
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
		slog.Warn("the security log was too slow", "lost", lost)
	}
	if err := l.write(batch); err != nil {
		slog.Error("write the security log", "entries", len(batch), "err", err)
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
				clear(l.recent) // they may have no rows
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

// add counts what comes again within a minute at its row; whoever comes in or changes rights has one of its own each time.
func (l *Log) add(tx *gorm.DB, e Entry) error {
	same, again := e.same(), e.Kind != SignedIn && e.Kind != Rights
	if before, ok := l.recent[same]; ok && again && e.At-before.At < together {
		counted := tx.Model(&Entry{}).Where("id = ?", before.ID).Updates(map[string]any{"times": gorm.Expr("times + ?", e.Times), "last": e.Last})
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

// Entries gives the newest entries of a kind first, "" for all, of those that are older than the one with the id before, 0 for none;
// and whether there are more. For organizers: those of an organization are told of its officials alone.
func Entries(ctx context.Context, s *storage.DB, actor rights.Actor, kind Kind, before int64, limit int) (list []Entry, more bool, err error) {
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
	list, err = storage.All[Entry](q.Order("id DESC").Limit(limit + 1))
	if more = len(list) > limit; more {
		list = list[:limit]
	}
	return list, more, err
}
