// Package displayname decides how players are named to readers who do not run their tournament. In public a player may
// have a short name, or only the start number. No other package decides this. Reading a player's row yields the name
// that the reader of the context may see; a context without a reader counts as the public.
package displayname

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/tournament/rights"
)

// How a player is named in public.
const (
	Whole  = "whole"  // as in the roster
	Short  = "short"  // Anna B.
	Number = "number" // № 17
)

// Ways lists the ways of naming a player.
var Ways = []string{Whole, Short, Number}

// Another reports whether a way of naming a player in public differs from the roster's name.
func Another(way string) bool { return way == Short || way == Number }

type readerKey struct{}

// reader is the reader of a context. whole gives the program itself all full names, for its records.
type reader struct {
	actor *rights.Actor // nil if whole is set
	whole bool

	once  sync.Once
	mates map[int64]bool // players met at a table; for a table's device, those seated there
	err   error
}

// For returns a context whose reader is an actor. Officials of a tournament see its full names; players see those of
// the people who sit or sat at a table with them.
func For(ctx context.Context, actor rights.Actor) context.Context {
	return new(Context).For(ctx, &actor)
}

// Context is a context with its reader. It can be allocated together with the other data of a request.
type Context struct {
	context.Context
	reader reader
}

// For sets the parent context and the reader, an actor that must not change afterwards.
func (c *Context) For(ctx context.Context, actor *rights.Actor) *Context {
	c.Context, c.reader.actor = ctx, actor
	return c
}

// Value also returns the reader.
func (c *Context) Value(key any) any {
	if key == (readerKey{}) {
		return &c.reader
	}
	return c.Context.Value(key)
}

// ForAll returns a context that reads as the public, for data that every client gets.
func ForAll(ctx context.Context) context.Context { return For(ctx, rights.Public()) }

// InFull returns a context that reads full names: for records, and for data that is only shown to people who may see
// them anyway.
func InFull(ctx context.Context) context.Context {
	return context.WithValue(ctx, readerKey{}, &reader{whole: true})
}

// Full reports whether the reader of a context sees the full names of everyone at a tournament's table.
func Full(ctx context.Context, tournamentID, table int64) bool {
	r, ok := ctx.Value(readerKey{}).(*reader)
	return ok && (r.official(tournamentID) || r.actor.Tournament == tournamentID && table != 0 &&
		r.actor.Table == table && atTable(*r.actor))
}

// Alike reports whether the reader of a context sees a tournament's names as a whole group does, and returns that
// group: all officials, or the public. Each player sees a different set of full names.
func Alike(ctx context.Context, tournamentID int64) (readers string, alike bool) {
	r, ok := ctx.Value(readerKey{}).(*reader)
	switch {
	case ok && r.official(tournamentID):
		return "whole", true
	case ok && atTable(*r.actor):
		return "", false
	}
	return "public", true
}

func atTable(a rights.Actor) bool { return a.Role == rights.RolePlayer || a.Role == rights.RoleTable }

func (r *reader) official(tournamentID int64) bool {
	return r.whole || rights.Authorize(*r.actor, rights.Place{Tournament: tournamentID}, rights.MaySeeDesk) == nil
}

// Person is the data on which a name depends.
type Person struct {
	Event, Player      int64
	Number             int
	Way, Written, Mark string // Mark comes after a name that two people share
}

// Seen returns the name by which the reader of a database's context sees a player. If the reader sees the full name,
// name is empty and other is false.
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

// Met reports whether a player sits or sat at a table with the reader of a database's context, who then sees the
// player's full name.
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

// InPublic returns a player's name in public.
func InPublic(p Person) string {
	switch p.Way {
	case Short:
		name := shortened(p.Written)
		if p.Mark != "" {
			name += " (" + p.Mark + ")"
		}
		return name
	case Number:
		return Numbered(p.Number)
	}
	return p.Written
}

// Numbered returns the name of a player without a public name. It uses a sign and not a word, because it is read in
// every language.
func Numbered(number int) string { return "№\u00a0" + strconv.Itoa(number) }

// shortened returns a name's first word and the first letter of its last word, or only the first letter of a single
// word. The part after a comma comes first: Berg, Anna becomes Anna B.
func shortened(name string) string {
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
