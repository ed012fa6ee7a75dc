package webtest

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"meldhall/engine/score"
	"meldhall/tournament/account"
	"meldhall/tournament/format"
	"meldhall/tournament/people"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/api"
)

// newPlayed returns a tournament with real tiles and one game at each of its two tables. All players have joined, and
// the first game is counted.
func newPlayed(t *testing.T) *event {
	t.Helper()
	e := newEntered(t, "Test", roster(8), map[string]any{"turn_seconds": 0})
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), fields{"games": 1}, &e.round)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	e.joinAll()
	e.realTables(1, 2)
	e.start()
	e.count(0, e.round.Tables[0].Games[0].ID)
	return e
}

// count plays a game with real tiles up to its score sheet: the second seat wins, the others lose 15, 7 and 35.
func (e *event) count(table int, game int64) {
	e.t.Helper()
	e.countAs(table, game, -15, 0, -7, -35)
}

// countAs is count with the given points by seat; the second seat wins.
func (e *event) countAs(table int, game int64, points ...int) {
	e.t.Helper()
	e.at(table, 1).post(game, "starter", fields{"seat": 0})
	for seat := range 4 {
		e.at(table, seat).post(game, "ready", fields{"turn": 0})
	}
	e.referee.post(game, "call-time", fields{"reason": "the slot is over"})
	for turn := 1; turn <= 4; turn++ {
		e.at(table, turn-1).post(game, "end-turn", fields{"turn": turn, "opened": true})
	}
	totals := make([]fields, len(points))
	for seat, p := range points {
		if totals[seat] = (fields{"points": p, "opened": true}); seat == 1 {
			totals[seat]["won"] = true
		}
	}
	e.referee.post(game, "count-racks", fields{"totals": totals, "lowest": 5})
}

// resultsTopic covers a count: the players' agreement, a protest, its confirmation, corrections, a replay, and ending
// and reopening the tournament.
func resultsTopic() topic {
	rows := []tried{agree(1, ""), agree(9, "err_result_changed"), protest("he looked", ""),
		protest("he looked", "err_protest_open"),
		confirm(0, 1, "err_protest_undecided"), decide("rejected", ""), decide("rejected", "err_protest_decided"),
		confirm(0, 1, ""), confirm(0, 9, "err_result_changed"),
		correct(1, "a slip of the pen", "err_result_changed"), correct(2, "a slip of the pen", ""),
		recount(2, "R5", "err_result_changed"), recount(3, "R5", ""), recount(4, "R5 R5 R5", "count_face"),
		recountSums(4, 5, ""),
		secondOver(100_001, "err_correction_weight"), secondOver(20, ""),
		{step: func(w *walker) { w.event.count(1, w.round.Tables[1].Games[0].ID) }},
		replay(1, ""), again, {step: func(w *walker) {
			w.referee.must(http.MethodPost, "/own/pin", account.SetPIN{PIN: "246802", Password: password}, nil)
		}},
		show(0, "246802", ""), show(0, "135791", "err_pin_wrong"),
		{kind: "account.pin", ask: pin("975310")}, show(1, "975310", ""), // a new PIN starts without failed attempts
		bind(0, strings.Repeat("A", 43), ""), bind(0, strings.Repeat("!", 43), "err_device_key"),
		replay(1, "err_result_not_found"), {step: func(w *walker) { w.event.count(1, w.game(1)) }},
		{step: func(w *walker) {
			w.organizer.must(http.MethodPost, w.own("/stages/1/rounds"), api.StageRoundsBody{Rounds: 1}, nil)
		}},
		reopen("one more", "err_reopen_not_over"), confirm(1, 1, ""), reveal(4, "err_reveal_place"), reveal(1, ""),
		hideReveals(0, ""), tooLong(reopen(letters(501), "err_why_missing")), reopen("one more", "")}
	return topic{"results", newPlayed, rows}
}

// game returns a table's last game.
func (w *walker) game(table int) int64 {
	games := w.round.Tables[table].Games
	return games[len(games)-1].ID
}

func agree(rev int, code string) tried {
	return tried{kind: "result.agree", code: code, ask: func(w *walker) asked {
		return asked{by: w.at(0, 0), page: "/play", form: form("do", "agree", "game", w.game(0), "rev", rev),
			own: fmt.Sprintf("/games/%d/agree", w.game(0)), send: api.AgreeBody{Rev: rev}}
	}}
}

func protest(text, code string) tried {
	return tried{kind: "protest.make", code: code, ask: func(w *walker) asked {
		return asked{by: w.at(0, 2), page: fmt.Sprintf("/play/game/%d/protest", w.game(0)), form: form("text", text),
			own: fmt.Sprintf("/games/%d/protest", w.game(0)), send: result.MakeProtest{Text: text}}
	}}
}

func decide(outcome, code string) tried {
	return tried{kind: "protest.decide", code: code, ask: func(w *walker) asked {
		return asked{page: w.hallPage("/protests/1"), form: form("outcome", outcome, "reason", "nobody saw it"),
			own: "/protests/1/decide", send: result.DecideProtest{Outcome: outcome, Reason: "nobody saw it"},
			body: fields{"protest": 1, "outcome": outcome, "reason": "nobody saw it"}}
	}}
}

func confirm(table, rev int, code string) tried {
	return tried{kind: "result.confirm_result", code: code, ask: func(w *walker) asked {
		id := w.game(table)
		return asked{by: w.referee, page: "/actions/result.confirm_result",
			form: form("game", id, "rev", rev, "back", w.hallPage("")), own: fmt.Sprintf("/games/%d/confirm", id),
			send: result.ConfirmResult{Rev: rev},
			body: fields{"game": id, "rev": rev}}
	}}
}

// correct changes the first table's points: the first seat loses 25.
func correct(rev int, why, code string) tried {
	return tried{kind: "result.correct_result", code: code, ask: func(w *walker) asked {
		id, points := w.game(0), []int{-25, 57, -7, -25}
		typed := form("rev", rev, "why", why)
		var lines []api.CorrectLine
		for seat, n := range points {
			line := api.CorrectLine{Seat: seat, Points: score.Whole(n), Reason: "", Opened: true}
			if seat == 1 {
				line.Wins = score.Whole(1)
			}
			lines = append(lines, line)
			for name, value := range form(fmt.Sprint("points-", seat), n, fmt.Sprint("wins-", seat), line.Wins,
				fmt.Sprint("charge-", seat), 0) {
				typed[name] = value
			}
		}
		return asked{page: w.desk(fmt.Sprint("/results/", id)), form: typed, own: fmt.Sprintf("/games/%d/correct", id),
			send: fields{"rev": rev, "why": why, "lines": lines},
			body: fields{"game": id, "rev": rev, "why": why, "lines": lines}}
	}}
}

// recount recounts the first table by its racks; least is the rack of the second seat, which has the fewest points.
func recount(rev int, least, code string) tried {
	return tried{kind: "result.recount", code: code, ask: func(w *walker) asked {
		id := w.game(0)
		typed, racks := form("rev", rev, "why", "counted again", "by", "racks", "ended", "time_called"), []fields{}
		for seat, rack := range []string{"R10 B10", least, "R12", "K13 B13 O4 J"} {
			typed[fmt.Sprint("rack-", seat)], typed[fmt.Sprint("opened-", seat)] = []string{rack}, []string{"yes"}
			racks = append(racks, fields{"tiles": strings.Fields(rack), "opened": true})
		}
		send := fields{"rev": rev, "why": "counted again", "ended": "time_called", "racks": racks}
		body := maps.Clone(send)
		body["game"] = id
		return asked{page: w.desk(fmt.Sprint("/results/", id)), form: typed, own: fmt.Sprintf("/games/%d/recount", id),
			send: send, body: body}
	}}
}

// recountSums recounts the first table by the sums of its racks; least is the sum of the second seat, which has the
// fewest points.
func recountSums(rev, least int, code string) tried {
	return tried{kind: "result.recount", code: code, ask: func(w *walker) asked {
		id := w.game(0)
		typed, sums := form("rev", rev, "why", "added up again", "by", "sums", "ended", "time_called"), []fields{}
		for seat, sum := range []int{20, least, 12, 41} {
			typed[fmt.Sprint("sum-", seat)] = []string{fmt.Sprint(sum)}
			sums = append(sums, fields{"sum": sum, "opened": true})
		}
		send := fields{"rev": rev, "why": "added up again", "ended": "time_called", "sums": sums}
		body := maps.Clone(send)
		body["game"] = id
		return asked{page: w.desk(fmt.Sprint("/results/", id)), form: typed, own: fmt.Sprintf("/games/%d/recount", id),
			send: send, body: body}
	}}
}

func secondOver(points int, code string) tried {
	return tried{kind: "result.second_over", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/result.second_over", form: form("tournament", w.id, "points", points, "back",
			w.desk("/results")), own: w.own("/second-over"), send: fields{"points": points},
			body: fields{"tournament": w.id, "points": points}}
	}}
}

func replay(rev int, code string) tried {
	return tried{kind: "result.replay", code: code, ask: func(w *walker) asked {
		id := w.game(1)
		return asked{by: w.referee, page: "/actions/result.replay",
			form: form("game", id, "rev", rev, "why", "tiles were missing", "back", w.hallPage("")),
			own:  fmt.Sprintf("/games/%d/replay", id),
			send: api.ReplayBody{Rev: rev, Why: "tiles were missing"},
			body: fields{"game": id, "rev": rev, "why": "tiles were missing"}}
	}}
}

// show enters the referee's PIN on the tablet of a player whose game is running.
func show(seat int, pin, code string) tried {
	return tried{kind: "badge.show", code: code, ask: func(w *walker) asked {
		return asked{by: w.at(1, seat), page: "/play/referee", form: form("who", rights.RoleReferee, "pin", pin)}
	}}
}

// bind sends the key of a player's tablet.
func bind(seat int, key, code string) tried {
	return tried{kind: "device.key", code: code, ask: func(w *walker) asked {
		return asked{by: w.at(1, seat), page: "/play/key", form: form("key", key), own: "/seat/key",
			send: people.BindKey{Key: key}}
	}}
}

func reopen(why, code string) tried {
	return tried{kind: "tournament.reopen", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/tournament.reopen", form: form("tournament", w.id, "why", why, "back", w.desk("")),
			own: w.own("/reopen"), send: api.ReopenBody{Why: why}, body: fields{"tournament": w.id, "why": why}}
	}}
}

// cutTopic covers a cut at which two players tie for one place.
func cutTopic() topic {
	set := func(t *testing.T) *event {
		e := newPlayed(t)
		e.confirmed(e.round.Tables[0].Games[0].ID)
		e.count(1, e.round.Tables[1].Games[0].ID)
		e.confirmed(e.round.Tables[1].Games[0].ID)
		var now api.TournamentDetail
		e.organizer.must(http.MethodGet, fmt.Sprintf("/tournaments/%d", e.id), nil, &now)
		f := now.Format
		f.Stages[0].Rounds = 1
		f.Stages = append(f.Stages, format.Stage{Name: "final", Kind: format.Final, Rounds: 1, GamesPerRound: 1, Cut: 3,
			Seating: "standings", SeatChange: "every_round", CarryOver: "all"})
		e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/format", e.id), api.FormatBody{Format: f}, nil)
		return e
	}
	return topic{"cut", set, []tried{lot(1, ""), lot(1, "err_lot_drawn")}}
}

func lot(tournamentID int64, code string) tried {
	return tried{kind: "cut.lot", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/cut.lot", form: form("tournament", tournamentID, "back", w.desk("")),
			own: w.own("/lot"), body: fields{"tournament": tournamentID}}
	}}
}
