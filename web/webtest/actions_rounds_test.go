package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/people"
	"meldhall/web/api"
	"meldhall/web/live"
	"meldhall/web/request"
	"meldhall/web/view"
)

// roundsTopic covers a round from its draw to its start.
func roundsTopic() topic {
	set := func(t *testing.T) *event { return newEntered(t, "Test", roster(7), nil) }
	rows := []tried{seats("plan of nobody", "err_seating_method"), seats("random", ""), again,
		keptApart(1, 2, ""), keptApart(1, 1, "err_swap_players"),
		starts("err_slot_none"), plan("2030-01-01T10:00", "2030-01-01T09:00", "err_slot_times"),
		plan("2030-01-01T10:00", "2030-01-01T12:00", ""), starts(""),
		ofRound("round.check", "/check", ""), swap(0, 1, ""), swap(0, 0, "err_swap_players"), duplicate(""), redraw,
		again,
		ofRound("round.discard", "/discard", ""), seats("random", ""), again,
		tiles("real", ""), tiles("wood", "err_tiles"), tiles("digital", ""),
		ofNoRound("round.publish", "/publish"), ofRound("round.publish", "/publish", ""), again,
		ofRound("round.check", "/check", "err_round_published"),
		ofRound("round.discard", "/discard", "err_round_published"),
		swap(0, 1, ""), move(0, 1, ""), again, move(1, 1, "err_move_table"), move(1, 0, ""), withdraw(""),
		withdraw("err_round_not_published"), ofRound("round.publish", "/publish", ""), again,
		tableTiles("real", ""), tableTiles("wood", "err_tiles"), again}
	rows = append(rows, joinRows()...)
	rows = append(rows, startTable(0, ""), startTable(99, "err_table_not_found"), duplicate("err_round_begun"),
		withdraw("err_round_begun"), swap(0, 1, "err_round_begun"), move(0, 1, "err_round_begun"),
		ofNoRound("round.start", "/start"), ofRound("round.start", "/start", ""), again,
		promise("by nobody", "err_promise_method"), promise("", ""))
	return topic{"rounds", set, rows}
}

// again reloads the newest round.
var again = tried{step: func(w *walker) {
	var now api.TournamentDetail
	w.organizer.must(http.MethodGet, w.own(""), nil, &now)
	w.round = api.RoundDetail{}
	w.organizer.must(http.MethodGet, fmt.Sprint("/rounds/", now.Rounds[len(now.Rounds)-1].ID), nil, &w.round)
}}

func seats(method, code string) tried {
	return tried{kind: "round.seat", code: code, ask: func(w *walker) asked {
		return asked{page: w.desk("/rounds"), form: form("method", method), own: w.own("/rounds"),
			send: fields{"method": method},
			body: fields{"tournament": w.id, "method": method}}
	}}
}

// redraw redraws a draft round, with more games.
var redraw = tried{kind: "round.seat", ask: func(w *walker) asked {
	return asked{page: w.roundPage("/draw"), form: form("method", "random", "note", "too like", "games", 2),
		own:  w.own("/rounds"),
		send: fields{"method": "random", "note": "too like", "games": 2},
		body: fields{"tournament": w.id, "method": "random", "note": "too like", "games": 2}}
}}

func keptApart(a, b int64, code string) tried {
	return tried{kind: "seating.apart", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/seating.apart", form: form("tournament", w.id, "a", a, "b", b, "apart", true,
			"back", w.desk("")), own: w.own("/apart"), send: draw.KeepApart{A: a, B: b, Apart: true},
			body: fields{"tournament": w.id, "a": a, "b": b, "apart": true}}
	}}
}

// millisAt returns a time of a form; 0 if text is none.
func millisAt(text string) engine.Millis {
	at, err := time.ParseInLocation(view.DayFormat, text, time.Local)
	if err != nil {
		return 0
	}
	return engine.MillisOf(at)
}

func plan(from, until, code string) tried {
	slot := api.SlotBody{Round: 1, Starts: millisAt(from), Ends: millisAt(until)}
	return tried{kind: "slots.set", code: code, ask: func(w *walker) asked {
		return asked{page: w.desk("/plan"), form: form("what", 1, "name", "", "from", from, "until", until),
			own:  w.own("/schedule"),
			send: api.ScheduleBody{Slots: []api.SlotBody{slot}},
			body: fields{"tournament": w.id, "slots": []api.SlotBody{slot}}}
	}}
}

func starts(code string) tried {
	const at = "2030-01-01T11:00"
	return tried{kind: "slots.move", code: code, ask: func(w *walker) asked {
		return asked{page: w.roundPage("/starts"), form: form("starts", at),
			body: fields{"round": w.round.ID, "starts_at": millisAt(at)}}
	}}
}

// ofRound is an action on the current round that needs no other fields.
func ofRound(kind, rest, code string) tried {
	return tried{kind: kind, code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/" + kind, form: form("round", w.round.ID, "back", w.desk("")),
			own: w.roundOwn(rest), body: fields{"round": w.round.ID}}
	}}
}

// ofNoRound is ofRound for a round that does not exist.
func ofNoRound(kind, rest string) tried {
	return tried{kind: kind, code: "err_round_not_found", ask: func(w *walker) asked {
		return asked{page: "/actions/" + kind, form: form("round", 999, "back", w.desk("")), own: "/rounds/999" + rest,
			body: fields{"round": 999}}
	}}
}

// swap exchanges the first seats of tables a and b.
func swap(a, b int, code string) tried {
	return tried{kind: "round.swap", code: code, ask: func(w *walker) asked {
		one, other := w.player(a, 0), w.player(b, 0)
		return asked{page: w.roundPage("/swap"), form: form("a", one, "b", other, "why", "sisters"),
			own:  w.roundOwn("/swap"),
			send: people.SwapSeats{A: one, B: other, Why: "sisters"},
			body: fields{"round": w.round.ID, "a": one, "b": other, "why": "sisters"}}
	}}
}

// move moves the last player of one table to a free seat at another.
func move(from, to int, code string) tried {
	return tried{kind: "round.move", code: code, ask: func(w *walker) asked {
		seats, table := w.round.Tables[from].Seats, w.round.Tables[to].Number
		player := seats[len(seats)-1].Player.ID
		return asked{page: w.roundPage("/move"), form: form("player", player, "table", table, "why", "stairs"),
			own:  w.roundOwn("/move"),
			send: people.MoveSeat{Player: player, Table: table, Why: "stairs"},
			body: fields{"round": w.round.ID, "player": player, "table": table, "why": "stairs"}}
	}}
}

func withdraw(code string) tried {
	return tried{kind: "round.withdraw", code: code, ask: func(w *walker) asked {
		return asked{page: w.roundPage("/withdraw"), form: form("why", "no light"),
			own: w.roundOwn("/withdraw?why=no+light"), body: fields{"round": w.round.ID, "why": "no light"}}
	}}
}

func duplicate(code string) tried {
	return tried{kind: "round.duplicate", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/round.duplicate", form: form("round", w.round.ID, "duplicate", true, "back",
			w.roundPage("")), own: w.roundOwn("/duplicate"), send: draw.SetDuplicate{Duplicate: true},
			body: fields{"round": w.round.ID, "duplicate": true}}
	}}
}

func tiles(of, code string) tried {
	return tried{kind: "tournament.tiles", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/tournament.tiles", form: form("tournament", w.id, "tiles", of, "back", w.desk("")),
			own: w.own("/tiles"), send: tournament.SetTiles{Tiles: of}, body: fields{"tournament": w.id, "tiles": of}}
	}}
}

// tableTiles sets the kind of tiles at the second table.
func tableTiles(of, code string) tried {
	return tried{kind: "table.tiles", code: code, ask: func(w *walker) asked {
		table := w.round.Tables[1].ID
		return asked{page: "/actions/table.tiles", form: form("table", table, "tiles", of, "back", w.roundPage("")),
			own: fmt.Sprintf("/tables/%d/tiles", table), send: tournament.SetTableTiles{Tiles: of},
			body: fields{"table": table, "tiles": of}}
	}}
}

// joinRows cover join codes: table 1 uses tablets, table 2 real tiles.
func joinRows() []tried {
	join := func(codeOf func(w *walker) string, refusal string) tried {
		return tried{kind: "seat.join", code: refusal, ask: func(w *walker) asked {
			code := codeOf(w)
			return asked{by: w.public(), page: "/join/" + code, form: form("seat", 0), own: "/join",
				send: people.Join{Code: code}}
		}}
	}
	joinTable := func(codeOf func(w *walker) string, refusal string) tried {
		return tried{kind: "table.join", code: refusal, ask: func(w *walker) asked {
			code := codeOf(w)
			return asked{by: w.public(), page: "/join/" + code, form: form("table", "yes"), own: "/join-table",
				send: people.JoinTable{Code: code}}
		}}
	}
	reissue := func(table, seat int, code string) tried {
		return tried{kind: "seat.reissue", code: code, ask: func(w *walker) asked {
			id := w.round.Tables[table].ID
			return asked{by: w.referee, page: w.hallPage("/devices/swap"), form: form("table", id, "seat", seat),
				own: fmt.Sprintf("/tables/%d/code", id), send: api.ReissueBody{Seat: seat},
				body: fields{"table": id, "seat": seat}}
		}}
	}
	reissueTable := func(table int, code string) tried {
		return tried{kind: "table.reissue", code: code, ask: func(w *walker) asked {
			id := w.round.Tables[table].ID
			return asked{by: w.referee, page: w.hallPage("/devices/swap"),
				form: form("table", id, "seat", request.WholeTable), own: fmt.Sprintf("/tables/%d/code", id),
				send: api.ReissueBody{Seat: request.WholeTable}, body: fields{"table": id}}
		}}
	}
	wrong := func(*walker) string { return "AAAA-AAAA" }
	joined := func(w *walker) (at api.JoinedView) { // a tablet takes the second seat
		var now api.RoundDetail
		w.referee.must(http.MethodGet, w.roundOwn(""), nil, &now)
		w.public().must(http.MethodPost, "/join", people.Join{Code: now.Tables[0].Seats[1].Code}, &at)
		return at
	}
	heard := tried{step: func(w *walker) {
		actor, err := people.ActorByToken(w.t.Context(), w.store, joined(w).Token)
		if err != nil {
			w.t.Fatal(err)
		}
		w.server.View.Presence.Reported(actor, live.DeviceReport{Agent: "Chrome/ Android", Charge: 60})
	}}
	forgotten := tried{step: func(w *walker) {
		joined(w)
		var hall view.HallDevices
		w.referee.must(http.MethodGet, w.own("/devices"), nil, &hall)
		for _, d := range hall.Seats {
			if d.Charge != nil {
				w.t.Errorf("of the tablet that was taken out it is still said: %+v", d)
			}
		}
	}}
	return []tried{join(func(w *walker) string { return w.round.Tables[0].Seats[0].Code }, ""),
		join(wrong, "err_code_wrong"),
		joinTable(func(w *walker) string { return w.round.Tables[1].Code }, ""), joinTable(wrong, "err_code_wrong"),
		heard, reissue(0, 1, ""), forgotten, reissue(1, 3, "err_seat_not_found"), reissueTable(1, ""),
		reissueTable(0, "err_table_digital")}
}

// startTable starts a table of the round; 99 means a table that does not exist.
func startTable(table int, code string) tried {
	return tried{kind: "table.start", code: code, ask: func(w *walker) asked {
		id := int64(999)
		if table < len(w.round.Tables) {
			id = w.round.Tables[table].ID
		}
		return asked{by: w.referee, page: "/actions/table.start", form: form("table", id, "back", w.roundPage("")),
			own: fmt.Sprintf("/tables/%d/start", id), body: fields{"table": id}}
	}}
}

func promise(method, code string) tried {
	return tried{kind: "round.promise", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/round.promise", form: form("tournament", w.id, "method", method, "back",
			w.desk("")), own: w.own("/promise?method=" + url.QueryEscape(method)),
			body: fields{"tournament": w.id, "method": method}}
	}}
}
