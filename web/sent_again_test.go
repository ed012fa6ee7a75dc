package web

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/web/shell"
)

// TestTheLastMoveSentAgain: the last move of a round is taken, its answer is lost, and the round is confirmed before it is sent again. It is
// answered as it was; nothing else is taken from there.
func TestTheLastMoveSentAgain(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600})
	e.start()
	var path string
	var last shell.TurnRequest
	var mover *caller
	var first, again shell.CommandAnswer
	games := e.round.Tables[0].Games
	for _, g := range games {
		path = fmt.Sprintf("/games/%d/draw", g.ID)
		for seat := range e.round.Tables[0].Seats {
			e.at(0, seat).must(http.MethodPost, fmt.Sprintf("/games/%d/ready", g.ID), shell.TurnRequest{Turn: e.public().view(g.ID).Turn.Number, Key: e.key()}, nil)
		}
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/call-time", g.ID), map[string]any{"key": e.key(), "reason": "test"}, nil)
		for range e.round.Tables[0].Seats {
			turn := e.public().view(g.ID).Turn
			mover, last = e.at(0, turn.Seat), shell.TurnRequest{Turn: turn.Number, Key: e.key()}
			mover.must(http.MethodPost, path, last, &first)
		}
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", g.ID), map[string]any{"rev": 1}, nil)
	}
	if mover.must(http.MethodPost, path, last, &again); !again.Again || again.Seq != first.Seq || again.Outcome != first.Outcome {
		t.Errorf("answered %+v, and before %+v", again, first)
	}
	mover.refusedWith(t, http.StatusConflict, "err_table_left", http.MethodPost, path, shell.TurnRequest{Turn: last.Turn, Key: e.key()})
	mover.refusedWith(t, http.StatusUnprocessableEntity, "err_key_reused", http.MethodPost, fmt.Sprintf("/games/%d/pass", games[len(games)-1].ID), last)
}
