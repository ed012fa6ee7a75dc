package game

import (
	"context"
	"database/sql"
	"errors"

	"gorm.io/gorm"
)

// errPanicked has undone what panicked.
var errPanicked = errors.New("it panicked")

// Together does something in the transaction that the writer makes next, after the appends in it: for what a whole hall asks for at once
// and is done soon, so that it takes one commit with them and not one each. f must use tx only, and must not wait for a game. It is
// answered after the commit. What it fails at is undone and its own answer, what it panics at its caller's; the others are written.
// On a server's database it has a transaction alone, where commits do not wait for one another.
func (g *Games) Together(ctx context.Context, f func(tx *gorm.DB) error) error {
	if g.DB.Served() {
		return g.DB.Tx(ctx, f)
	}
	var panicked any
	do := func(tx *sql.Tx) (err error) {
		defer func() {
			if panicked = recover(); panicked != nil {
				err = errPanicked
			}
		}()
		return f(g.DB.On(ctx, tx))
	}
	req := g.log.answered.Get().(*appendRequest)
	req.project = do
	err := g.log.ask(ctx, g.log.requests, req)
	if panicked != nil {
		panic(panicked)
	}
	return err
}
