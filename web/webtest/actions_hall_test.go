package webtest

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/tournament/account"
	"meldhall/tournament/practice"
	"meldhall/tournament/rights"
	"meldhall/tournament/screen"
	"meldhall/web/api"
)

// hallTopic covers announcements and screens in the hall, zones of officials, copies, rehearsal and training.
func hallTopic() topic {
	set := func(t *testing.T) *event { return newPublished(t, "Test", roster(8), nil) }
	rows := []tried{announce("Lunch", ""), announce("", "err_announcement_text"), endNews(1, ""),
		endNews(99, "err_announcement_not_found"),
		copyTo("", ""), copyTo("/no/such/stick", "err_copy_place"), planCopies(7, ""), planCopies(0, "err_copy_keep"),
		{step: makeCopy}, ofCopy("copy.drill", ""), ofCopy("copy.drill", "err_copy_not_found"), ofCopy("copy.take", ""),
		ofCopy("copy.take", "err_copy_not_found"),
		ofCopy("copy.restore", "err_copy_no_restore"),
		{step: func(w *walker) { w.hall.desk.Machine.Restore = func(string, rights.Actor) {} }},
		ofCopy("copy.restore", ""),
		pairScreen(1, ""), pairScreen(0, "err_display_number"), moveScreen(2, ""), moveScreen(0, "err_display_number"),
		pairBoard("names"), showBoard(9, "names", "err_display_not_found"), showBoard(1, "felt", "err_board"),
		showBoard(1, "standings", ""), showBoard(0, "clock", ""), fitBoard(43, ""), fitBoard(3, "err_board_inches"),
		callTable(2, ""), callTable(0, "err_display_number"), feature(2, ""), feature(0, "err_display_number"),
		lookStream(125, ""), lookStream(80, "err_stream_look"),
		reveal(1, "err_reveal_early"), hideReveals(9999, "err_tournament_not_found"),
		removeScreen(1, ""), removeScreen(1, "err_display_not_found"),
		zone("1", ""), zone("one", "err_zone_tables"), zone("", ""), bindZones(0, ""),
		bindZones(9999, "err_tournament_not_found"),
		practise("novice", ""), practise("nobody", "err_practice_bots"),
		rehearse("tables", ""), rehearse("tables", "err_rehearsal_running"), removeRehearsal(""),
		removeRehearsal("err_rehearsal_none"),
		train(0, ""), train(9999, "err_tournament_not_found"), trainAgain(true, ""),
		trainAgain(false, "err_training_none"), trainNoMore(false, "err_training_over"), trainNoMore(true, "")}
	return topic{"hall", set, rows}
}

func copyTo(folder, code string) tried {
	return tried{kind: "backup", code: code, ask: func(w *walker) asked {
		body := fields{"folder": folder}
		return asked{page: "/actions/backup", form: form("folder", folder, "back", "/desk/copies"),
			own: "/backups?folder=" + url.QueryEscape(folder), body: body}
	}}
}

func planCopies(keep int, code string) tried {
	return tried{kind: "copy.plan", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/copy.plan", form: form("every", 15, "keep", keep, "back", "/desk/copies"),
			body: fields{"every": 15, "keep": keep}}
	}}
}

// makeCopy makes a database copy for the rows that follow.
func makeCopy(w *walker) {
	made, err := w.store.CopyBeside(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	w.left["copy"] = made.File
}

// ofCopy applies an action to that copy, or to a missing one if the code is err_copy_not_found.
func ofCopy(kind, code string) tried {
	return tried{kind: kind, code: code, ask: func(w *walker) asked {
		file, page := w.left["copy"], "/actions/"+kind
		if code == "err_copy_not_found" {
			file = "hall-of-nobody.db"
		}
		if kind == "copy.take" {
			page = "/desk/copies/file"
		}
		return asked{page: page, form: form("file", file, "typed", file, "back", "/desk/copies"),
			body: fields{"file": file}}
	}}
}

func announce(text, code string) tried {
	return tried{kind: "announce", code: code, ask: func(w *walker) asked {
		texts := map[string]string{"en": text}
		return asked{page: w.hallPage("/announcements"), form: form("level", "note", "minutes", 5, "text-en", text),
			own:  w.own("/announcements"),
			send: screen.Announce{Level: "note", Texts: texts, Minutes: 5},
			body: fields{"tournament": w.id, "level": "note", "minutes": 5, "texts": texts}}
	}}
}

func endNews(id int64, code string) tried {
	return tried{kind: "announce.end", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/announce.end", form: form("id", id, "back", w.hallPage("/announcements")),
			own: fmt.Sprintf("/announcements/%d/end", id), body: fields{"id": id}}
	}}
}

// pairScreen pairs a new screen with a table, using the code that the screen shows.
func pairScreen(number int, code string) tried {
	return tried{kind: "display.pair", code: code, ask: func(w *walker) asked {
		shown := w.reader().get(w.t, "/display").is(http.StatusOK).text("code")
		return asked{by: w.referee, page: "/displays/" + shown, form: form("event", w.id, "number", number)}
	}}
}

func moveScreen(number int, code string) tried {
	return tried{kind: "display.move", code: code, ask: func(w *walker) asked {
		return asked{by: w.referee, page: "/actions/display.move",
			form: form("tournament", w.id, "id", 1, "number", number, "back", w.hallPage("/displays")),
			body: fields{"tournament": w.id, "id": 1, "number": number}}
	}}
}

func removeScreen(id int64, code string) tried {
	return tried{kind: "display.remove", code: code, ask: func(w *walker) asked {
		return asked{by: w.referee, page: "/actions/display.remove",
			form: form("tournament", w.id, "id", id, "back", w.hallPage("/displays")),
			body: fields{"tournament": w.id, "id": id}}
	}}
}

// pairBoard pairs a new screen with a board, using the code that the screen shows.
func pairBoard(board string) tried {
	row := pairScreen(0, "")
	ask := row.ask
	row.ask = func(w *walker) asked {
		a := ask(w)
		a.form.Del("number")
		a.form.Set("boards", board)
		return a
	}
	return row
}

// byKindAlone is an action that is requested only by its kind, from the page of the screens. The organizer asks for
// champion actions, the referee for all others.
func byKindAlone(kind, code string, body func(w *walker) fields) tried {
	return tried{kind: kind, code: code, ask: func(w *walker) asked {
		sent := body(w)
		form := url.Values{"back": {w.hallPage("/displays")}}
		for name, value := range sent {
			form.Set(name, fmt.Sprint(value))
			if list, ok := value.([]string); ok {
				form[name] = list
			}
		}
		by := w.referee
		if strings.HasPrefix(kind, "champion.") {
			by = w.organizer
		}
		return asked{by: by, page: "/actions/" + kind, form: form, body: sent}
	}}
}

func showBoard(screen int, board, code string) tried {
	return byKindAlone("board.show", code, func(w *walker) fields {
		return fields{"tournament": w.id, "id": screen,
			"boards": []string{board}}
	})
}

func fitBoard(inches int, code string) tried {
	return byKindAlone("board.fit", code, func(w *walker) fields {
		return fields{"tournament": w.id, "id": 1, "inches": inches, "metres": 8, "theme": "light"}
	})
}

func callTable(number int, code string) tried {
	return byKindAlone("board.call", code, func(w *walker) fields {
		return fields{"tournament": w.id,
			"number": number}
	})
}

func feature(number int, code string) tried {
	return byKindAlone("stream.feature", code, func(w *walker) fields {
		return fields{"tournament": w.id,
			"number": number}
	})
}

func lookStream(size int, code string) tried {
	return byKindAlone("stream.look", code, func(w *walker) fields {
		return fields{"tournament": w.id, "size": size, "place": "top-left", "colours": "event", "logo": true}
	})
}

// reveal reveals the player in a place to the hall.
func reveal(place int, code string) tried {
	return byKindAlone("champion.reveal", code, func(w *walker) fields {
		return fields{"tournament": w.id,
			"place": place}
	})
}

// hideReveals hides the places of a tournament that were revealed.
func hideReveals(tournamentID int64, code string) tried {
	return byKindAlone("champion.hide", code, func(w *walker) fields {
		return fields{"tournament": cmp.Or(tournamentID,
			w.id)}
	})
}

// zone assigns tables to the referee.
func zone(tables, code string) tried {
	return tried{kind: "zone.set", code: code, ask: func(w *walker) asked {
		id := w.account(rights.RoleReferee)
		return asked{page: w.hallPage("/zones"), form: form("account", id, "tables", tables), own: w.own("/zones"),
			send: screen.SetZone{Account: id, Tables: tables},
			body: fields{"tournament": w.id, "account": id, "tables": tables}}
	}}
}

// bindZones restricts a tournament's officials to their zones.
func bindZones(tournamentID int64, code string) tried {
	return tried{kind: "zone.bind", code: code, ask: func(w *walker) asked {
		tournamentID := cmp.Or(tournamentID, w.id)
		return asked{page: "/actions/zone.bind", form: form("tournament", tournamentID, "bind", true, "back",
			w.hallPage("/zones")), body: fields{"tournament": tournamentID, "bind": true}}
	}}
}

// account returns the account that is named after a role.
func (w *walker) account(role rights.Role) int64 {
	w.t.Helper()
	id, err := account.AccountNamed(w.t.Context(), w.store, string(role))
	if err != nil || id == 0 {
		w.t.Fatal(role, err)
	}
	return id
}

func practise(strength, code string) tried {
	return tried{kind: "practice.open", code: code, ask: func(w *walker) asked {
		return asked{by: w.public(), page: "/practice", form: form("strength", strength, "rules", "wrc"),
			own: "/practice", send: api.PracticeBody{Strength: strength, Rules: "wrc"}}
	}}
}

// rehearse makes a copy of the tournament that bots play. Requests by kind must include its name.
func rehearse(by, code string) tried {
	return tried{kind: "rehearsal.start", code: code, ask: func(w *walker) asked {
		return asked{page: w.desk("/rehearsal"), form: form("by", by), own: w.own("/rehearsal"),
			send: api.RehearsalBody{By: by},
			body: fields{"tournament": w.id, "by": by, "name": "Rehearsal · Test"}}
	}}
}

// removeRehearsal removes the rehearsal, or tries to remove the tournament itself if it has none.
func removeRehearsal(code string) tried {
	return tried{kind: "rehearsal.remove", code: code, ask: func(w *walker) asked {
		copied, ok, err := practice.RehearsalOf(w.t.Context(), w.store, w.id)
		if err != nil {
			w.t.Fatal(err)
		}
		if !ok {
			copied.ID = w.id
		}
		return asked{page: w.desk("/rehearsal"), form: form("remove", "yes"),
			own: fmt.Sprintf("/rehearsals/%d/remove", copied.ID), body: fields{"id": copied.ID}}
	}}
}

// train opens a training for the walker's tournament, or for another id that does not exist.
func train(tournamentID int64, code string) tried {
	return tried{kind: "training.open", code: code, ask: func(w *walker) asked {
		of := cmp.Or(tournamentID, w.id)
		return asked{by: w.referee, page: "/actions/training.open",
			form: form("tournament", of, "name", "Training", "back", w.hallPage("/training")),
			body: fields{"tournament": of, "name": "Training"}}
	}}
}

// trainNoMore closes the training, or tries to close the tournament as one.
func trainNoMore(own bool, code string) tried {
	return tried{kind: "training.close", code: code, ask: func(w *walker) asked {
		tournamentID := w.id
		if own {
			if err := w.store.ReadSQL.QueryRow("SELECT max(r.tournament_id) FROM trainings r JOIN tournaments t ON t.id = r.tournament_id WHERE t.removed_at = 0").Scan(&tournamentID); err != nil {
				w.t.Fatal(err)
			}
		}
		return asked{by: w.referee, page: "/actions/training.close",
			form: form("tournament", tournamentID, "back", w.hallPage("/training")),
			body: fields{"tournament": tournamentID}}
	}}
}

// trainAgain restarts a training table, or tries to restart one of the tournament's own tables.
func trainAgain(own bool, code string) tried {
	return tried{kind: "training.again", code: code, ask: func(w *walker) asked {
		table := w.round.Tables[0].ID
		if own {
			if err := w.store.ReadSQL.QueryRow("SELECT max(t.id) FROM tables t JOIN trainings USING (tournament_id)").Scan(&table); err != nil {
				w.t.Fatal(err)
			}
		}
		return asked{by: w.referee, page: "/actions/training.again",
			form: form("table", table, "back", w.hallPage("/training")), body: fields{"table": table}}
	}}
}
