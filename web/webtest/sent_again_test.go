package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/web/request"
)

// TestTheLastMoveSentAgain checks a round's last move whose response is lost and which is sent again after the round is
// confirmed. It gets the same response; no other move is accepted.
func TestTheLastMoveSentAgain(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600})
	e.start()
	var path string
	var last request.TurnRequest
	var mover *caller
	var first, again request.CommandAnswer
	games := e.round.Tables[0].Games
	for _, g := range games {
		path = fmt.Sprintf("/games/%d/draw", g.ID)
		for seat := range e.round.Tables[0].Seats {
			e.at(0, seat).must(http.MethodPost, fmt.Sprintf("/games/%d/ready", g.ID),
				request.TurnRequest{Turn: e.public().view(g.ID).Turn.Number, Key: e.key()}, nil)
		}
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/call-time", g.ID),
			map[string]any{"key": e.key(), "reason": "test"}, nil)
		for range e.round.Tables[0].Seats {
			turn := e.public().view(g.ID).Turn
			mover, last = e.at(0, turn.Seat), request.TurnRequest{Turn: turn.Number, Key: e.key()}
			mover.must(http.MethodPost, path, last, &first)
		}
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", g.ID), map[string]any{"rev": 1}, nil)
	}
	game := games[len(games)-1].ID
	if mover.must(http.MethodPost, path, last, &again); !again.Again || again.Seq != first.Seq ||
		again.Outcome != first.Outcome {
		t.Errorf("answered %+v, and before %+v", again, first)
	}
	mover.refusedWith(t, http.StatusConflict, "err_table_left", http.MethodPost, path,
		request.TurnRequest{Turn: last.Turn, Key: e.key()})
	mover.refusedWith(t, http.StatusUnprocessableEntity, "err_key_reused", http.MethodPost,
		fmt.Sprintf("/games/%d/pass", game), last)
}

// TestTheLastCountSentAgain checks the same for the count at a table with real tiles, from its shared tablet and from a
// player's own.
func TestTheLastCountSentAgain(t *testing.T) {
	t.Parallel()
	t.Run("the one tablet", func(t *testing.T) {
		e := newRealEvent(t, 4, map[string]any{"turn_seconds": 0})
		device := e.joinTable(1)
		e.start()
		e.countsAgain(t, device, func(game int64) { device.post(game, "ready", fields{"turn": 0}) },
			func(game int64, turn int) {
				device.post(game, "end-turn", fields{"turn": turn, "seat": turn - 1, "opened": true})
			})
	})
	t.Run("a player's own", func(t *testing.T) {
		e := newEvent(t, 4, map[string]any{"turn_seconds": 0})
		e.realTables(1)
		e.start()
		e.countsAgain(t, e.at(0, 1), func(game int64) {
			for seat := range 4 {
				e.at(0, seat).post(game, "ready", fields{"turn": 0})
			}
		}, func(game int64, turn int) {
			e.at(0, turn-1).post(game, "end-turn", fields{"turn": turn, "opened": true})
		})
	})
}

// countsAgain plays the round of a table with real tiles to its end and sends its last count again.
func (e *event) countsAgain(t *testing.T, from *caller, ready func(game int64), ends func(game int64, turn int)) {
	t.Helper()
	var path string
	var count fields
	var first, again request.CommandAnswer
	for _, g := range e.round.Tables[0].Games {
		from.post(g.ID, "starter", fields{"seat": 0})
		ready(g.ID)
		e.referee.post(g.ID, "call-time", fields{"reason": "the slot is over"})
		for turn := 1; turn <= 4; turn++ {
			ends(g.ID, turn)
		}
		path = fmt.Sprintf("/games/%d/count-racks", g.ID)
		count = fields{"totals": []fields{{"points": -15, "opened": true}, {"points": 0, "opened": true, "won": true},
			{"points": -7, "opened": true},
			{"points": -35, "opened": true}}, "lowest": 5, "key": e.key()}
		from.must(http.MethodPost, path, count, &first)
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", g.ID), map[string]any{"rev": 1}, nil)
	}
	if from.must(http.MethodPost, path, count, &again); !again.Again || again.Seq != first.Seq ||
		again.Outcome != first.Outcome {
		t.Errorf("answered %+v, and before %+v", again, first)
	}
	count["key"] = e.key()
	from.refusedWith(t, http.StatusConflict, "err_table_left", http.MethodPost, path, count)
}
