package game

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"runtime/debug"

	"gorm.io/gorm"
)

// errPanicked makes the writer roll back work that panicked.
var errPanicked = errors.New("the work panicked")

// Together runs f in the writer's next transaction, together with the appends in it. It is meant for short work that a
// whole hall asks for at once, so that it shares one commit. It goes before moves, however many wait, because a table
// waits for it. f must use only tx and must not wait for a game. Together returns after the commit. If f fails or
// panics, its work is rolled back and its caller gets the error or the panic; the rest is written. On a server's
// database f gets a transaction of its own, because commits do not wait for one another there.
func (l *Log) Together(ctx context.Context, f func(tx *gorm.DB) error) error {
	if l.store.Served() {
		return l.store.Tx(ctx, f)
	}
	var panicked any
	do := func(tx *sql.Tx) (err error) {
		defer func() {
			if panicked = recover(); panicked != nil {
				// the re-panic in the caller loses this stack
				slog.Error("panic", "what", panicked, "stack", string(debug.Stack()))
				err = errPanicked
			}
		}()
		return f(l.store.On(ctx, tx))
	}
	req := l.answered.Get().(*appendRequest)
	req.project = do
	err := l.ask(ctx, l.first, req)
	if panicked != nil {
		panic(panicked)
	}
	return err
}
