package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/api"
)

// officialsTopic covers accounts, their secrets and their devices.
func officialsTopic() topic {
	set := func(t *testing.T) *event {
		e := newEntered(t, "Test", roster(4), nil)
		e.http.URL = atLocalhost(e.http.URL)
		return e
	}
	referee := func(w *walker) *caller { return w.referee }
	rows := []tried{createAccount("Ann", ""), createAccount("x:y", "err_account_name"), invite("Ben", ""),
		invite("x:y", "err_account_name"),
		{step: func(w *walker) {
			var made api.InviteAnswer
			w.organizer.must(http.MethodPost, fmt.Sprintf("/accounts/%d/invite", w.account("Ben")), nil, &made)
			w.left["invitation"] = made.Token
		}}, accept("", ""), accept("wrong", "err_invite_over"),
		ofAccount("account.role", "/role", "Ben", "role", "scorekeeper", ""),
		ofAccount("account.role", "/role", "organizer", "role", "referee", "err_last_organizer"),
		ofEvents("Ben", 1, ""), ofEvents("Ben", 9999, "err_tournament_not_found"),
		ofEvents("organizer", 1, "err_last_organizer"),
		ofAccount("account.password", "/password", "Ann", "password", "another long one", ""),
		ofAccount("account.password", "/password", "Ann", "password", "short", "err_password_short"),
		{kind: "account.pin", ask: pin("246802")}, {kind: "account.pin", code: "err_pin_form", ask: pin("12")},
		addSecond(0, ""), addSecond(0, "err_second_on"), resetSecond(""), resetSecond("err_second_none"),
		addSecond(0, ""), dropSecond(9, "err_second_wrong"), dropSecond(1, ""),
		addPasskey("wrong", "err_password_wrong"), addPasskey(password, ""), dropPasskey("wrong", "err_password_wrong"),
		dropPasskey(password, ""),
		ownPassword("wrong", "err_password_wrong"), ownPassword(password, ""),
		revoke(9999, "err_device_not_found"), ofAccount("account.remove", "/remove", "organizer", "", "",
			"err_last_organizer"),
		ofAccount("account.remove", "/remove", "Ben", "", "", ""),
		{kind: "device.revoke", ask: func(w *walker) asked {
			var devices []api.DeviceView
			referee(w).must(http.MethodGet, "/devices", nil, &devices)
			return revoke(devices[0].ID, "").ask(w)
		}}}
	return topic{"officials", set, rows}
}

// firstTopic covers creating the first account on a new server.
func firstTopic() topic {
	set := func(t *testing.T) *event { return &event{hall: newHall(t)} }
	setUp := func(name, wrong, code string) tried {
		return tried{kind: "account.setup", code: code, ask: func(w *walker) asked {
			token, err := account.SetupToken(w.t.Context(), w.store)
			if err != nil {
				w.t.Fatal(err)
			}
			return asked{by: w.public(), page: "/setup", form: form("token", token+wrong, "name", name, "password",
				password), own: "/setup",
				send: account.SetUp{Token: token + wrong, Name: name, Password: password}}
		}}
	}
	return topic{"the first account", set, []tried{setUp("Ann", "x", "err_setup_token_wrong"),
		setUp("x:y", "", "err_account_name"), setUp("Ann", "", "")}}
}

func createAccount(name, code string) tried {
	return tried{kind: "account.create", code: code, ask: func(w *walker) asked {
		return asked{page: "/accounts", form: form("name", name, "password", password, "role", "referee"),
			own:  "/accounts",
			send: account.CreateAccount{Name: name, Password: password, Role: "referee"}}
	}}
}

func invite(name, code string) tried {
	return tried{kind: "account.invite", code: code, ask: func(w *walker) asked {
		return asked{page: "/accounts/invite", form: form("invite-name", name, "role", "referee"), own: "/invites",
			send: api.InviteBody{Name: name, Role: "referee"}}
	}}
}

// ofEvents limits an official to one tournament.
func ofEvents(name string, tournamentID int64, code string) tried {
	return tried{kind: "account.events", code: code, ask: func(w *walker) asked {
		id := w.account(rights.Role(name))
		return asked{page: "/actions/account.events", form: form("account", id, "events", tournamentID, "back",
			fmt.Sprintf("/accounts/%d", id)),
			body: fields{"account": id, "events": []int64{tournamentID}}}
	}}
}

// accept uses the invitation that the organizer issued, or a wrong token.
func accept(token, code string) tried {
	return tried{kind: "account.accept", code: code, ask: func(w *walker) asked {
		if token == "" {
			token := w.left["invitation"]
			return asked{by: w.public(), page: "/invite/" + token, form: url.Values{}, own: "/invites/accept",
				send: account.AcceptInvite{Token: token}}
		}
		return asked{by: w.public(), page: "/invite/" + token, form: url.Values{}, own: "/invites/accept",
			send: account.AcceptInvite{Token: token}}
	}}
}

// ofAccount is an organizer's action on an account, with at most one field. If the action takes no secret, it is also
// requested by its kind.
func ofAccount(kind, rest, name, field, value, code string) tried {
	return tried{kind: kind, code: code, ask: func(w *walker) asked {
		id := w.account(rights.Role(name))
		a := asked{page: fmt.Sprintf("/accounts/%d%s", id, rest), form: form(field, value),
			own: fmt.Sprintf("/accounts/%d%s", id, rest)}
		body := fields{"account": id}
		if field != "" {
			a.send, body[field] = fields{field: value}, value
		}
		if byKind(action.KindNamed(kind)) {
			a.body = body
			a.page, a.form = "/actions/"+kind, form("account", id, field, value, "typed", name, "back", "/accounts")
		}
		return a
	}}
}

func pin(text string) func(w *walker) asked {
	return func(w *walker) asked {
		return asked{by: w.referee, page: "/account/pin", form: form("pin", text, "pin-password", password),
			own: "/own/pin", send: account.SetPIN{PIN: text, Password: password}}
	}
}

func ownPassword(old, code string) tried {
	return tried{kind: "account.own_password", code: code, ask: func(w *walker) asked {
		const next = "another long one"
		return asked{by: w.referee, page: "/account/password", form: form("old", old, "password", next),
			own: "/own/password", send: account.ChangePassword{Old: old, Password: next}}
	}}
}

// testSecret is the secret in the referee's authenticator app.
const testSecret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

// addSecond enables the referee's second factor with the code of the time step that is steps away from now.
func addSecond(steps int, code string) tried {
	return tried{kind: "account.second", code: code, ask: func(w *walker) asked {
		shown := w.appShows(testSecret, steps)
		return asked{by: w.referee, page: "/account/second",
			form: form("password", password, "secret", testSecret, "code", shown), own: "/own/second",
			send: account.AddSecond{Password: password, Secret: testSecret, Code: shown}}
	}}
}

func dropSecond(steps int, code string) tried {
	return tried{kind: "account.second_off", code: code, ask: func(w *walker) asked {
		shown := w.appShows(testSecret, steps)
		return asked{by: w.referee, page: "/account/second-off", form: form("second-password", password, "code", shown),
			own:  "/own/second-off",
			send: account.DropSecond{Password: password, Code: shown}}
	}}
}

// addPasskey adds a passkey to the referee's account, using a challenge that the page has just issued.
func addPasskey(typed, code string) tried {
	return tried{kind: "account.passkey", code: code, ask: func(w *walker) asked {
		page := w.as(w.referee).get(w.t, "/account/second")
		return asked{by: w.referee, page: "/account/passkeys",
			form: form("name", "laptop", "key-password", typed, "ticket", page.value("ticket"), "answer",
				newSoftKey(w.t).made(asks(page)))}
	}}
}

func dropPasskey(typed, code string) tried {
	return tried{kind: "account.passkey_off", code: code, ask: func(w *walker) asked {
		return asked{by: w.referee, page: "/account/passkeys/remove", form: form("passkey", 1, "key-password", typed)}
	}}
}

func resetSecond(code string) tried {
	return ofAccount("account.second_reset", "/second-reset", "referee", "", "", code)
}

func revoke(device int64, code string) tried {
	return tried{kind: "device.revoke", code: code, ask: func(w *walker) asked {
		return asked{page: fmt.Sprintf("/accounts/%d/revoke", w.account(rights.RoleReferee)),
			form: form("device", device),
			own:  fmt.Sprintf("/devices/%d/revoke", device)}
	}}
}

// penaltiesTopic covers deductions from a player's total and disqualifications.
func penaltiesTopic() topic {
	set := func(t *testing.T) *event { return newEntered(t, "Test", roster(4), nil) }
	rows := []tried{{step: func(w *walker) { w.head = w.staff(rights.RoleHeadReferee) }},
		penalty(10, ""), penalty(0, "err_sanction_points"), disqualification("cheats", ""),
		disqualification("", "err_why_missing"),
		second(2, (*walker).self, "err_second_official"), second(2, (*walker).chief, ""),
		cancel(1, "misread", ""), cancel(1, "misread", "err_sanction_cancelled")}
	return topic{"penalties", set, rows}
}

// self returns the organizer and chief the head referee.
func (w *walker) self() *caller  { return w.organizer }
func (w *walker) chief() *caller { return w.head }

func penalty(points int, code string) tried {
	return tried{kind: "sanction.give", code: code, ask: func(w *walker) asked {
		return asked{by: w.referee, page: w.hallPage("/penalties"),
			form: form("player", 1, "kind", "points", "points", points, "rule", "7.2", "reason", "late"),
			own:  w.own("/sanctions"), send: api.SanctionBody{Kind: "points", Points: points,
				PenaltyGrounds: result.PenaltyGrounds{Player: 1, Rule: "7.2", Reason: "late"}},
			body: fields{"tournament": w.id, "player": 1, "points": points, "rule": "7.2", "reason": "late"}}
	}}
}

func disqualification(reason, code string) tried {
	return tried{kind: "sanction.propose", code: code, ask: func(w *walker) asked {
		return asked{page: w.hallPage("/penalties"), form: form("player", 2, "kind", "disqualification", "reason",
			reason),
			own: w.own("/sanctions"), send: api.SanctionBody{Kind: "disqualification",
				PenaltyGrounds: result.PenaltyGrounds{Player: 2, Reason: reason}},
			body: fields{"tournament": w.id, "player": 2, "reason": reason}}
	}}
}

func second(id int64, by func(w *walker) *caller, code string) tried {
	return tried{kind: "sanction.seconded", code: code, ask: func(w *walker) asked {
		return asked{by: by(w), page: "/actions/sanction.seconded",
			form: form("id", id, "back", w.hallPage("/penalties")), own: fmt.Sprintf("/sanctions/%d/second", id),
			body: fields{"id": id}}
	}}
}

func cancel(id int64, why, code string) tried {
	return tried{kind: "sanction.cancelled", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/sanction.cancelled", form: form("id", id, "why", why, "back",
			w.hallPage("/penalties")), own: fmt.Sprintf("/sanctions/%d/cancel", id),
			send: result.CancelPenalty{Why: why}, body: fields{"id": id, "why": why}}
	}}
}
