package game

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"runtime/debug"

	"gorm.io/gorm"
)

// errPanicked has what panicked undone.
var errPanicked = errors.New("it panicked")

// Together does something in the transaction that the writer makes next, with the appends in it: for what a whole hall asks for at once
// and takes little time, so that it takes one commit with them and not one each. It goes before moves, however many wait, since a table
// waits for it. f must use tx only, and must not wait for a game. It is answered after the commit. What it fails at is undone and its
// own answer, what it panics at its caller's; the others are written. On a server's database it has a transaction alone, where commits
// do not wait for one another.
func (g *Games) Together(ctx context.Context, f func(tx *gorm.DB) error) error {
	if g.DB.Served() {
		return g.DB.Tx(ctx, f)
	}
	var panicked any
	do := func(tx *sql.Tx) (err error) {
		defer func() {
			if panicked = recover(); panicked != nil {
				slog.Error("panic", "what", panicked, "stack", string(debug.Stack())) // which its caller no longer has
				err = errPanicked
			}
		}()
		return f(g.DB.On(ctx, tx))
	}
	req := g.log.answered.Get().(*appendRequest)
	req.project = do
	err := g.log.ask(ctx, g.log.first, req)
	if panicked != nil {
		panic(panicked)
	}
	return err
}
