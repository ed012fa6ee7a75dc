package webtest

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/privacy"
	"meldhall/tournament/ranking"
	"meldhall/web/api"
	"meldhall/web/request"
)

// peopleDo is an action of the family "people.", requested by the form on a player's page, by POST …/people and by its
// kind.
func peopleDo(name, code string, say fields) tried {
	return tried{kind: "people." + name, code: code, ask: func(w *walker) asked {
		typed, send, body := form("kind", name), maps.Clone(say), maps.Clone(say)
		for field, value := range say {
			switch v := value.(type) {
			case []request.EntryBody:
				typed.Set("name", v[0].Name)
				typed.Set("country", v[0].Country)
			default:
				typed.Set(field, fmt.Sprint(v))
			}
		}
		send["kind"], body["tournament"] = name, w.id
		return asked{page: w.desk("/people/do"), form: typed, own: w.own("/people"), send: send, body: body}
	}}
}

// named returns an entry with a name.
func named(name string) []request.EntryBody { return []request.EntryBody{{Name: name, Country: "IT"}} }

// settings changes the tournament's registration, capacity and check-in.
func settings(capacity int, code string) tried {
	return tried{kind: "people.settings", code: code, ask: func(w *walker) asked {
		set := tournament.PeopleSettingsOf{RegistrationOpen: true, Capacity: capacity, CheckInOpen: true,
			NoShowMinutes: 15, MissedCharge: 30}
		return asked{page: w.desk("/people"), form: form("registration_open", true, "check_in_open", true, "capacity",
			capacity, "no_show_minutes", 15, "missed_charge", 30),
			own: w.own("/people"), send: request.PeopleBody{Kind: "settings", Settings: &set},
			body: fields{"tournament": w.id, "settings": set}}
	}}
}

// undone undoes the newest change, or an earlier one: before counts the changes after it.
func undone(before int, why, code string) tried {
	return tried{kind: "people.undo", code: code, ask: func(w *walker) asked {
		var changes []api.PeopleChangeView
		w.organizer.must(http.MethodGet, w.own("/changes"), nil, &changes)
		id := changes[before].ID
		return asked{page: "/actions/people.undo", form: form("change", id, "why", why, "back", w.desk("/people")),
			own: fmt.Sprintf("/changes/%d/undo", id), send: api.UndoBody{Why: why},
			body: fields{"change": id, "why": why}}
	}}
}

// peopleTopic covers entering, leaving, checking in and substituting players in a tournament whose first round is
// published.
func peopleTopic() topic {
	rows := []tried{
		settings(11, ""), settings(-1, "err_capacity"),
		peopleDo(tournament.PeopleEnter, "", fields{"entries": named("Anna")}),
		peopleDo(tournament.PeopleEnter, "err_player_entered", fields{"entries": named("Anna")}),
		peopleDo(tournament.PeopleEnter, "", fields{"entries": named("Bruno"), "why": "came late"}),
		peopleDo(tournament.PeopleMoveUp, "err_not_waiting", fields{"player": 1}),
		peopleDo(tournament.PeopleMoveUp, "", fields{"player": 12}),
		peopleDo(tournament.PeopleCheckIn, "", fields{"player": 1}),
		peopleDo(tournament.PeopleCheckOut, "", fields{"player": 1}),
		peopleDo(tournament.PeopleLeave, "", fields{"player": 2, "why": "ill"}),
		peopleDo(tournament.PeopleLeave, "err_plays_not", fields{"player": 2}),
		peopleDo(tournament.PeopleCheckIn, "err_check_in_state", fields{"player": 2}),
		peopleDo(tournament.PeopleCheckOut, "err_check_in_state", fields{"player": 2}),
		peopleDo(tournament.PeopleBack, "", fields{"player": 2}),
		peopleDo(tournament.PeopleBack, "err_plays_already", fields{"player": 2}),
		peopleDo(tournament.PeopleNoShow, "", fields{"player": 3}),
		peopleDo(tournament.PeopleNoShow, "err_plays_not", fields{"player": 3}),
		peopleDo(tournament.PeopleMissed, "", fields{"player": 3, "number": 1, "points": 20, "why": "agreed"}),
		peopleDo(tournament.PeopleMissed, "err_missed_none", fields{"player": 4, "number": 1, "points": 20}),
		peopleDo(tournament.PeopleSubstitute, "", fields{"player": 4, "entries": named("Carlo")}),
		peopleDo(tournament.PeopleSubstitute, "err_substitute_keep",
			fields{"player": 5, "entries": named("Dario"), "keep": "nobody"}),
		peopleDo(tournament.PeopleReturn, "", fields{"player": 4}),
		peopleDo(tournament.PeopleReturn, "err_stand_in_same", fields{"player": 4}),
		peopleDo(tournament.PeopleFixTable, "", fields{"player": 5, "number": 1}),
		peopleDo(tournament.PeopleFixTable, "err_table_number", fields{"player": 5, "number": 9999}),
		peopleDo(tournament.PeopleCloseTable, "", fields{"number": 2, "why": "wobbles"}),
		peopleDo(tournament.PeopleCloseTable, "err_table_closed", fields{"number": 2}),
		peopleDo(tournament.PeopleOpenTable, "", fields{"number": 2}),
		peopleDo(tournament.PeopleOpenTable, "err_table_not_closed", fields{"number": 2}),
		peopleDo(tournament.PeopleCorrect, "", fields{"player": 6, "entries": named("Elena"), "why": "misspelt"}),
		peopleDo(tournament.PeopleCorrect, "err_player_entered", fields{"player": 7, "entries": named("Elena")}),
		tooLong(undone(0, letters(501), "err_why_missing")), undone(0, "a mistake", ""),
		undone(0, "a mistake", "err_undone_already"),
	}
	set := func(t *testing.T) *event { return newPublished(t, "Test", roster(10), nil) }
	return topic{"people", set, slices.Concat(rows, rosterRows(), doorRows())}
}

// rosterRows cover players' data and the imported lists.
func rosterRows() []tried {
	list := func(text, code string) tried {
		return tried{kind: "people.import", code: code, ask: func(w *walker) asked {
			return asked{page: w.desk("/roster/import"), form: form("text", text), own: w.own("/roster"), send: text,
				body: fields{"tournament": w.id, "file": text}}
		}}
	}
	ofPlayer := func(kind, page, own, code string, say url.Values, send any, body fields) tried {
		return tried{kind: kind, code: code, ask: func(w *walker) asked {
			return asked{page: w.desk(page), form: say, own: "/players/1" + own, send: send, body: body}
		}}
	}
	time := func(seconds int, code string) tried {
		return ofPlayer("player.extra_time", "/roster/time", "/time", code,
			form("player", 1, "seconds", seconds, "why", "agreed"),
			tournament.SetExtraTime{Seconds: seconds, Why: "agreed"},
			fields{"player": 1, "seconds": seconds, "why": "agreed"})
	}
	family := func(text, code string) tried {
		return ofPlayer("player.family", "/roster/family", "/family", code, form("player", 1, "family", text),
			tournament.SetFamily{Family: text}, fields{"player": 1, "family": text})
	}
	waiver := func(state, code string) tried {
		return ofPlayer("qualification.set", "/qualification", "/waiver", code,
			form("player", 1, "state", state, "why", "asked for"),
			ranking.SetWaiver{State: state, Why: "asked for"},
			fields{"player": 1, "state": state, "why": "asked for"})
	}
	division := func(name, code string) tried {
		return ofPlayer("player.division", "/qualification", "/division", code,
			form("player", 1, "state", "declined", "why", "asked for", "division", name),
			tournament.SetDivision{Division: name}, fields{"player": 1, "division": name})
	}
	naming := func(way, code string) tried {
		return tried{kind: "player.naming", code: code, ask: func(w *walker) asked {
			return asked{page: "/actions/player.naming", form: form("player", 1, "way", way, "back",
				w.desk("/players/1")), own: "/players/1/naming",
				send: privacy.NamePlayer{Way: way}, body: fields{"player": 1, "way": way}}
		}}
	}
	drawn := func(number int, code string) tried {
		return tried{kind: "player.drawn", code: code, ask: func(w *walker) asked {
			send := []draw.DrawnNumber{{Player: 1, Number: number}}
			return asked{page: w.desk("/roster/drawn"), form: form("drawn-1", number), own: w.own("/drawn"),
				send: draw.WriteDrawn{Numbers: send},
				body: fields{"tournament": w.id, "numbers": send}}
		}}
	}
	return []tried{list("name\nFranco\nGaia\n", ""), list("name\nHugo\nHugo\n", "err_roster_problems"),
		time(30, ""), time(9999, "err_extra_time"), family("Rossi", ""), family(letters(61), "err_player_field_long"),
		naming("short", ""), naming("loud", "err_naming_way"), waiver("declined", ""),
		waiver("lazy", "err_waiver_state"), division("junior", ""), division(letters(61), "err_player_field_long"),
		drawn(5, ""), drawn(-1, "err_drawn_range")}
}

// doorRows cover registration and check-in without the desk, both accepted and rejected.
func doorRows() []tried {
	enter := func(name, code string) tried {
		return tried{kind: "people.register", code: code, ask: func(w *walker) asked {
			return asked{by: w.public(), page: fmt.Sprintf("/events/%d/register", w.id), form: form("name", name),
				own: w.own("/registration"), send: request.EntryBody{Name: name}}
		}}
	}
	ownName := func(way, code string) tried {
		return tried{kind: "player.naming_own", code: code, ask: func(w *walker) asked {
			var all []api.PersonView
			w.organizer.must(http.MethodGet, w.own("/people"), nil, &all)
			return asked{by: w.public(), page: "/ticket/" + all[0].Ticket + "/naming", form: form("way", way),
				own: "/tickets/" + all[0].Ticket + "/naming", send: fields{"way": way}}
		}}
	}
	ticket := func(by func(w *walker) *caller, code string) tried {
		return tried{kind: "people.ticket", code: code, ask: func(w *walker) asked {
			var all []api.PersonView
			w.organizer.must(http.MethodGet, w.own("/people"), nil, &all)
			for _, p := range all {
				if p.Name == "Hugo" {
					return asked{by: by(w), page: "/ticket/" + p.Ticket + "/check-in", own: "/tickets/" + p.Ticket +
						"/check-in"}
				}
			}
			panic("nobody has a ticket")
		}}
	}
	lots := func(event func(w *walker) int64, code string) tried {
		return tried{kind: "player.drawn_lot", code: code, ask: func(w *walker) asked {
			id := event(w)
			return asked{page: fmt.Sprintf("/desk/%d/roster/drawn", id), form: form("lots", "yes"),
				own:  fmt.Sprintf("/tournaments/%d/drawn/lots", id),
				body: fields{"tournament": id}}
		}}
	}
	numbered := tried{step: func(w *walker) { // all but one, so only one lot is possible
		var all []api.PersonView
		w.organizer.must(http.MethodGet, w.own("/people"), nil, &all)
		var numbers []draw.DrawnNumber
		for _, p := range all {
			if p.ID != 1 && p.State != tournament.StateWaiting {
				numbers = append(numbers, draw.DrawnNumber{Player: p.ID, Number: int(p.ID)})
			}
		}
		w.organizer.must(http.MethodPost, w.own("/drawn"), draw.WriteDrawn{Numbers: append(numbers,
			draw.DrawnNumber{Player: 1, Number: 0})}, nil)
	}}
	return []tried{settings(20, ""), enter("Hugo", ""), enter("Hugo", "err_player_entered"), ownName("number", ""),
		ownName("loud", "err_naming_way"), ticket(func(w *walker) *caller { return w.referee }, ""), enter("Irma", ""),
		{step: func(w *walker) {
			w.organizer.must(http.MethodPost, w.own("/people"),
				request.PeopleBody{Kind: "settings", Settings: &tournament.PeopleSettingsOf{NoShowMinutes: 15}}, nil)
		}}, ticket((*walker).nobody, "err_check_in_closed"), enter("Karl", "err_registration_closed"),
		numbered, lots(func(w *walker) int64 { return w.id }, ""),
		lots(func(*walker) int64 { return 999 }, "err_tournament_not_found"),
		peopleDo(tournament.PeopleAllHere, "", fields{"why": "roll call"}),
		peopleDo(tournament.PeopleAllHere, "err_nobody_absent", fields{}),
		peopleDo(tournament.PeopleCheckOut, "", fields{"player": 1}),
		peopleDo(tournament.PeopleRemoveAbsent, "", fields{"why": "not here"}),
		peopleDo(tournament.PeopleRemoveAbsent, "err_nobody_absent", fields{})}
}

// letters returns a text of n characters.
func letters(n int) string { return fmt.Sprintf("%0*d", n, 0) }
