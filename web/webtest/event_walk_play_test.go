package webtest

import (
	"fmt"
	"net/http"

	"meldhall/tournament/result"
)

// playGames plays a game at a range of tables and confirms its count; number, from and to are indexes, to excluded.
func (w *eventWalk) playGames(number, from, to int) {
	w.t.Helper()
	for table := from; table < to; table++ {
		w.play(number, table)
		w.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", w.round.Tables[table].Games[number].ID),
			result.ConfirmResult{Rev: 1}, nil)
	}
}

// play lets the first seat that has not forfeited go out in its first turn. The others lose as many points as their
// start number.
func (w *eventWalk) play(number, table int) {
	w.t.Helper()
	at := w.round.Tables[table]
	game := at.Games[number].ID
	view := w.public().view(game)
	first := -1
	sum := 0
	totals := make([]map[string]any, len(at.Seats))
	for seat, s := range at.Seats {
		if first < 0 && !view.Seats[seat].Out {
			first = seat
			continue
		}
		sum += s.Player.Number
		totals[seat] = map[string]any{"points": -s.Player.Number, "opened": true}
	}
	totals[first] = map[string]any{"points": sum, "opened": true, "won": true}
	by := func(seat int) *caller { return w.players[at.Seats[seat].Player.ID] }
	by(first).post(game, "starter", map[string]any{"seat": first})
	for seat := range at.Seats {
		if !view.Seats[seat].Out {
			by(seat).post(game, "ready", map[string]any{"turn": 0})
		}
	}
	by(first).post(game, "end-turn", map[string]any{"turn": 1, "opened": true, "out": true})
	w.referee.post(game, "count-racks", map[string]any{"totals": totals})
}
