package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"meldhall/engine"
)

// linesShared is how many connections the commands of all tables share: where one device a table listens, and at more than linesOwn tables,
// whose eight connections each would be more than the 20,000 files that a process may often have open.
const (
	linesShared = 32
	linesOwn    = 2400
)

// sharedLines are connections that players take for a command each.
func sharedLines() chan *line {
	lines := make(chan *line, linesShared)
	for range linesShared {
		lines <- &line{}
	}
	return lines
}

// listensForAll is a table of whose players only the first one listens: it tells the others when it is their turn, and they ask for what
// they see then. So a machine holds more tables than it may have files open for the devices of all.
type listensForAll []*loadPlayer

// run plays until ctx ends.
func (all listensForAll) run(ctx context.Context) error {
	return listen(ctx, all[0].api, func(s sight, _ []byte) (bool, error) { return all[0].sees(s) && all[0].begins(s), nil }, all.act)
}

// act has all players say that they are ready, or the one whose turn it is play.
func (all listensForAll) act(ctx context.Context, now listened) error {
	if now.phase == string(engine.PhaseDealt) {
		for _, p := range all {
			if err := p.post(ctx, now.game, now.turn, "ready", nil); err != nil {
				return err
			}
		}
		return nil
	}
	p := all[now.seat]
	if p != all[0] {
		var own json.RawMessage
		if err := p.api.Call(ctx, http.MethodGet, fmt.Sprintf("/games/%d", now.game), nil, &own); err != nil {
			return err
		}
		now.data = own
	}
	err := p.act(ctx, now)
	all[0].stood.Store(p.stood.Swap(false))
	return err
}
