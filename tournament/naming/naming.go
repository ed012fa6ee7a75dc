// Package naming says how players are called before others than those who run an event: a player may have a short name in public, or
// none but the start number. It is the only place that decides it. Whoever reads a player's row gets the name that the reader of the
// context may see, and a context that nobody said a reader of is read by everybody.
package naming

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/tournament/rights"
)

// How a player is called in public.
const (
	Whole  = "whole"  // as the roster has it
	Short  = "short"  // Anna B.
	Number = "number" // № 17
)

// Ways are the ways of calling a player.
var Ways = []string{Whole, Short, Number}

// Another tells whether a way of calling a player in public is another name than the roster's.
func Another(way string) bool { return way == Short || way == Number }

type readerKey struct{}

// reader is for whom a context reads. Whole sees every name whole: the program itself, in what it records.
type reader struct {
	actor *rights.Actor // nil where all names are whole
	whole bool

	once  sync.Once
	mates map[int64]bool // whom a player has met at a table; of a table's own device, who sits there
	err   error
}

// For reads for an actor: officials of an event see whole names in it, players those of who sits or sat at a table with them.
func For(ctx context.Context, actor rights.Actor) context.Context {
	return new(Context).For(ctx, &actor)
}

// Context is a context with its reader, to be made together with what else there is for each request.
type Context struct {
	context.Context
	reader reader
}

// For makes it one that reads as ctx for an actor, who does not change.
func (c *Context) For(ctx context.Context, actor *rights.Actor) *Context {
	c.Context, c.reader.actor = ctx, actor
	return c
}

// Value gives the reader too.
func (c *Context) Value(key any) any {
	if key == (readerKey{}) {
		return &c.reader
	}
	return c.Context.Value(key)
}

// ForAll reads for everybody, whoever asks.
func ForAll(ctx context.Context) context.Context { return For(ctx, rights.Public()) }

// InFull reads whole names: for what is recorded, and for what only those see who see them anyhow.
func InFull(ctx context.Context) context.Context {
	return context.WithValue(ctx, readerKey{}, &reader{whole: true})
}

// Full tells whether all names of an event's table are whole for the reader of a context.
func Full(ctx context.Context, event, table int64) bool {
	r, ok := ctx.Value(readerKey{}).(*reader)
	return ok && (r.official(event) || r.actor.Tournament == event && table != 0 && r.actor.Table == table && atTable(*r.actor))
}

// Alike tells whether the reader of a context reads an event's names as many others do, and names those: all officials, or everybody. Players
// read those of who sits or sat with them otherwise, each of them others.
func Alike(ctx context.Context, event int64) (readers string, alike bool) {
	r, ok := ctx.Value(readerKey{}).(*reader)
	switch {
	case ok && r.official(event):
		return "whole", true
	case ok && atTable(*r.actor):
		return "", false
	}
	return "public", true
}

func atTable(a rights.Actor) bool { return a.Role == rights.RolePlayer || a.Role == rights.RoleTable }

func (r *reader) official(event int64) bool {
	return r.whole || rights.Authorize(*r.actor, rights.Place{Tournament: event}, rights.MaySeeDesk) == nil
}

// Person is what a name depends on.
type Person struct {
	Event, Player      int64
	Number             int
	Way, Written, Mark string // Mark stands after the name where two have the same
}

// Seen is the name by which the reader of a database's context sees a player, false for the whole one.
func Seen(db *gorm.DB, p Person) (name string, other bool, err error) {
	if !Another(p.Way) {
		return "", false, nil
	}
	if r, ok := db.Statement.Context.Value(readerKey{}).(*reader); ok && r.official(p.Event) {
		return "", false, nil
	}
	if met, err := Met(db, p.Player); met || err != nil {
		return "", false, err
	}
	return InPublic(p), true, nil
}

// Met tells whether a player sits or sat at a table with the reader of a database's context, who then reads the whole name.
func Met(db *gorm.DB, player int64) (bool, error) {
	r, ok := db.Statement.Context.Value(readerKey{}).(*reader)
	if !ok || r.whole || !atTable(*r.actor) {
		return false, nil
	}
	r.once.Do(func() {
		const at = `SELECT DISTINCT o.player_id FROM seats o JOIN rounds r ON r.id = o.round_id WHERE r.status <> 'draft' AND o.table_id `
		found := db.Raw(at+`= ?`, r.actor.Table)
		if r.actor.Role == rights.RolePlayer {
			found = db.Raw(at+`IN (SELECT table_id FROM seats WHERE player_id = ?)`, r.actor.Player)
		}
		var ids []int64
		r.err = found.Scan(&ids).Error
		r.mates = map[int64]bool{r.actor.Player: true}
		for _, id := range ids {
			r.mates[id] = true
		}
	})
	return r.mates[player], r.err
}

// InPublic is how everybody reads a player's name.
func InPublic(p Person) string {
	switch p.Way {
	case Short:
		name := Shortened(p.Written)
		if p.Mark != "" {
			name += " (" + p.Mark + ")"
		}
		return name
	case Number:
		return Numbered(p.Number)
	}
	return p.Written
}

// Numbered is what a player is called who has no name in public: a sign and no word, since it is read in every language.
func Numbered(number int) string { return "№\u00a0" + strconv.Itoa(number) }

// Shortened is a name's first word and the first letter of its last one; of a name that is one word, its first letter. What stands
// after a comma comes first: Berg, Anna is Anna B.
func Shortened(name string) string {
	if last, first, ok := strings.Cut(name, ","); ok {
		name = first + " " + last
	}
	words := strings.Fields(name)
	if len(words) == 0 {
		return ""
	}
	initial := func(word string) string {
		_, n := utf8.DecodeRuneInString(word)
		return word[:n] + "."
	}
	if len(words) == 1 {
		return initial(words[0])
	}
	return words[0] + " " + initial(words[len(words)-1])
}
