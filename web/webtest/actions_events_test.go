package webtest

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"testing"
	"time"

	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/archive"
	"meldhall/tournament/format"
	"meldhall/tournament/people"
	"meldhall/tournament/preset"
	"meldhall/tournament/rights"
	"meldhall/web/api"
)

// eventsTopic covers creating and planning a tournament, and the organizers' own formats.
func eventsTopic() topic {
	set := func(t *testing.T) *event { return newPublished(t, "Test", roster(8), nil) }
	rows := []tried{create("Cup", ""), create("", "err_tournament_name"), createWith("name\nAnna\nBen\n", ""),
		createWith("name\nAnna\nAnna\n", "err_roster_problems"),
		exports(0, ""), exports(99, "err_tournament_not_found"), imports("", ""), imports("", "err_archive_here"),
		imports("PK", "err_archive_none"),
		saveFormat(0, ""), saveFormat(99, "err_format_not_found"), saveFormat(1, ""), removeFormat(1, ""),
		removeFormat(99, "err_format_not_found"),
		changeFormat("seating", "standings", "after the cup", func(s *format.Stage) { s.Seating = "standings" }, ""),
		changeFormat("games_per_round", "2", "fewer", func(s *format.Stage) { s.GamesPerRound = 2 },
			"err_format_begun"),
		publishes("all", "hidden", 0, ""), publishes("tables", "delayed", 5, ""),
		publishes("tables", "delayed", 0, "err_publish_minutes"),
		publishes("racks", "public", 0, "err_publish_part"),
		embeds("https://club.example", ""), embeds("javascript:alert(1)", "err_embed_site"),
		stageRounds(4, "", ""), stageRounds(999, "", "err_format_field"),
		tooLong(stageRounds(5, letters(501), "err_why_missing"))}
	rows = append(rows, changeRules(90, "a slow hall", ""), tooLong(changeRules(80, letters(501), "err_why_missing")),
		tried{step: func(w *walker) { w.start() }},
		ruleFrom(2, 40, "late", ""), tooLong(ruleFrom(2, 30, letters(501), "err_why_missing")),
		rulesBack(1, ""), rulesBack(1, "err_rules_change_not_found"))
	rows = append(rows, describes("The Cup", "Europe/Rome", ""), describes("The Cup", "Europe/Atlantis",
		"err_time_zone"), logo(pixel, ""), logo("R0lG", "err_logo"),
		photo(pixel, "The hall", ""), photo("R0lG", "The hall", "err_photo"), photo(pixel, "", "err_caption"),
		changesPhoto(1, "The great hall", ""), changesPhoto(99, "None", "err_photo_not_found"),
		removesPhoto(1, ""), removesPhoto(99, "err_photo_not_found"),
		aboutEvent("tournament.cancel", 0, ""), aboutEvent("tournament.cancel", 99, "err_tournament_not_found"),
		aboutEvent("tournament.unlist", 0, ""), aboutEvent("tournament.unlist", 99, "err_tournament_not_found"),
		repeats("Cup 2", ""), repeats(" ", "err_tournament_name"),
		aboutEvent("tournament.delete", 2, ""), aboutEvent("tournament.delete", 99, "err_tournament_not_found"),
		saveRules("House rules", ""), saveRules("", "err_rules_name"),
		removeRules(1, ""), removeRules(1, "err_rules_not_found"))
	return topic{"events", set, rows}
}

// detail returns the tournament's public details, including its whole format and rules.
func (w *walker) detail() (now api.TournamentDetail) {
	w.t.Helper()
	w.organizer.must(http.MethodGet, w.own(""), nil, &now)
	return now
}

// pixel is a PNG of one pixel, in base64.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func describes(name, zone, code string) tried {
	return tried{kind: "tournament.describe", code: code, ask: func(w *walker) asked {
		page := w.desk("/details")
		return asked{page: "/actions/tournament.describe",
			form: w.formAt(page, "/actions/tournament.describe", "name", name, "time_zone", zone, "first_day",
				"2027-03-27", "last_day", "", "place", "Rome"),
			body: fields{"tournament": w.id, "name": name, "time_zone": zone, "first_day": "2027-03-27",
				"place": "Rome"}}
	}}
}

func logo(picture, code string) tried {
	return tried{kind: "tournament.logo", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/tournament.logo", form: form("tournament", w.id, "picture", picture, "back",
			w.desk("/details")), body: fields{"tournament": w.id, "picture": picture}}
	}}
}

func photo(picture, caption, code string) tried {
	return tried{kind: "photo.add", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/photo.add", form: form("tournament", w.id, "picture", picture, "caption", caption,
			"back", w.desk("/details")), body: fields{"tournament": w.id, "picture": picture, "caption": caption}}
	}}
}

func changesPhoto(id int64, caption, code string) tried {
	return tried{kind: "photo.change", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/photo.change", form: form("id", id, "caption", caption, "position", 1,
			"back", w.desk("/details")), body: fields{"id": id, "caption": caption, "position": 1}}
	}}
}

func removesPhoto(id int64, code string) tried {
	return tried{kind: "photo.remove", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/photo.remove", form: form("id", id, "back", w.desk("/details")),
			body: fields{"id": id}}
	}}
}

// aboutEvent requests an action whose only input is the tournament; 0 means the walker's own.
func aboutEvent(kind string, tournamentID int64, code string) tried {
	return tried{kind: kind, code: code, ask: func(w *walker) asked {
		id := cmp.Or(tournamentID, w.id)
		return asked{page: "/actions/" + kind, form: form("tournament", id, "typed", "Cup", "back", "/desk"),
			body: fields{"tournament": id}}
	}}
}

func repeats(name, code string) tried {
	return tried{kind: "tournament.again", code: code, ask: func(w *walker) asked {
		page := w.desk("/again")
		all := w.formAt(page, page, "name", name, "first_day", "2027-04-03", "last_day", "")
		var players []int64
		for _, text := range all["players"] {
			id, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				w.t.Fatal(err)
			}
			players = append(players, id)
		}
		return asked{page: page, form: all, body: fields{"tournament": w.id, "name": name, "first_day": "2027-04-03",
			"players": players}}
	}}
}

func saveRules(name, code string) tried {
	return tried{kind: "rules.save", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/rules.save", form: form("tournament", w.id, "name", name, "back",
			w.desk("/rules")), body: fields{"tournament": w.id, "name": name}}
	}}
}

func removeRules(id int64, code string) tried {
	return tried{kind: "rules.remove", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/rules.remove", form: form("id", id, "typed", "House rules", "back",
			w.desk("/rules")), body: fields{"id": id}}
	}}
}

func publishes(part, how string, minutes int, code string) tried {
	return tried{kind: "publishing.set", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/publishing.set", form: form("tournament", w.id, "part", part, "how", how,
			"minutes", minutes, "back", w.desk("/publishing")), own: w.own("/publishing"),
			send: fields{"part": part, "how": how, "minutes": minutes},
			body: fields{"tournament": w.id, "part": part, "how": how, "minutes": minutes}}
	}}
}

func embeds(sites, code string) tried {
	return tried{kind: "embedding.set", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/embedding.set", form: form("tournament", w.id, "sites", sites, "back",
			w.desk("/publishing")), own: w.own("/embedding"),
			send: fields{"sites": sites}, body: fields{"tournament": w.id, "sites": sites}}
	}}
}

func create(name, code string) tried {
	return tried{kind: "tournament.create", code: code, ask: func(w *walker) asked {
		like := w.detail()
		return asked{page: "/desk/new", form: form("name", name, "place", "Rome", "format", "open", "rules", "wrc"),
			own:  "/tournaments",
			send: api.TournamentBody{Name: name, Place: "Rome", Format: "open", Rules: fields{"preset": "wrc"}},
			body: fields{"name": name, "place": "Rome", "format": like.Format, "rules": like.Rules}}
	}}
}

// exports exports a tournament's archive; 0 means the walker's own tournament.
func exports(tournamentID int64, code string) tried {
	return tried{kind: "tournament.export", code: code, ask: func(w *walker) asked {
		tournamentID := cmp.Or(tournamentID, w.id)
		return asked{page: "/actions/tournament.export", form: form("tournament", tournamentID),
			body: fields{"tournament": tournamentID}}
	}}
}

// imports imports a tournament from another server, or a file that is no archive.
func imports(file, code string) tried {
	return tried{kind: "tournament.import", code: code, ask: func(w *walker) asked {
		file := cmp.Or(file, archiveFromElsewhere(w.t))
		return asked{page: "/actions/tournament.import", form: form("file", file), body: fields{"file": file}}
	}}
}

// archiveFromElsewhere returns the archive of a tournament without players, in base64. Every call returns the same
// archive.
func archiveFromElsewhere(t *testing.T) string {
	t.Helper()
	presets, err := preset.Load(os.DirFS("../../data"))
	if err != nil {
		t.Fatal(err)
	}
	n := people.CreateTournament{Name: "From elsewhere"}
	if n.Format, err = presets.Format("open"); err != nil {
		t.Fatal(err)
	}
	if n.Rules, err = presets.Ruleset("wrc", nil); err != nil {
		t.Fatal(err)
	}
	desk := actiontest.Desk(t)
	desk.DB.Now = func() time.Time { return time.Date(2020, 1, 1, 9, 0, 0, 0, time.UTC) }
	e, err := action.Do(t.Context(), desk, rights.Staff(rights.RoleOrganizer, "Ann"), n)
	if err != nil {
		t.Fatal(err)
	}
	a, err := archive.Of(t.Context(), desk.DB, e.ID)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := a.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	return archive.Import(out.Bytes()).File
}

// createWith creates a tournament with its players.
func createWith(roster, code string) tried {
	return tried{kind: "tournament.create", code: code, ask: func(w *walker) asked {
		like := w.detail()
		return asked{page: "/desk/new", form: form("name", "With players", "format", "open", "rules", "wrc", "players",
			roster), own: "/tournaments",
			send: api.TournamentBody{Name: "With players", Format: "open", Rules: fields{"preset": "wrc"},
				Roster: roster},
			body: fields{"name": "With players", "format": like.Format, "rules": like.Rules, "roster": roster}}
	}}
}

// formAt returns what the form for action on the page at path would send, with some fields changed.
func (w *walker) formAt(path, action string, nameValues ...any) url.Values {
	w.t.Helper()
	for _, f := range find(w.as(w.organizer).get(w.t, path).is(http.StatusOK).doc, "form") {
		if attr(f, "action") == action {
			values := fieldsOf(f)
			for name, value := range form(nameValues...) {
				values[name] = value
			}
			return values
		}
	}
	w.t.Fatalf("%s has no form to %s", path, action)
	return nil
}

// saveFormat stores a copy of a format, or changes the format with the given id.
func saveFormat(id int64, code string) tried {
	return tried{kind: "format.save", code: code, ask: func(w *walker) asked {
		name, own, page := "Ours", "/formats", "/desk/formats/new"
		if id != 0 {
			name, own, page = "Ours again", fmt.Sprint("/formats/", id), fmt.Sprint("/desk/formats/", id)
		}
		f := w.detail().Format
		f.Name = name
		return asked{page: page, form: w.formAt("/desk/formats/new?from=open", "/desk/formats/new", "do", "save",
			"name", name), own: own, send: api.FormatBody{Format: f},
			body: fields{"id": id, "format": f}}
	}}
}

func removeFormat(id int64, code string) tried {
	return tried{kind: "format.remove", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/format.remove", form: form("id", id, "typed", "Ours again", "back",
			"/desk/formats"), own: fmt.Sprintf("/formats/%d/remove", id), body: fields{"id": id}}
	}}
}

// changeFormat changes a field of the first stage, by its name in the form and in the format.
func changeFormat(field, value, why string, change func(*format.Stage), code string) tried {
	return tried{kind: "tournament.format", code: code, ask: func(w *walker) asked {
		f, page := w.detail().Format, w.desk("/format")
		change(&f.Stages[0])
		return asked{page: page, form: w.formAt(page, page, "do", "save", "why", why, "stages[0]."+field, value),
			own: w.own("/format"), send: api.FormatBody{Format: f, Why: why},
			body: fields{"tournament": w.id, "format": f, "why": why}}
	}}
}

func changeRules(seconds int, why, code string) tried {
	return tried{kind: "tournament.rules", code: code, ask: func(w *walker) asked {
		rules := fields{"turn_seconds": seconds}
		return asked{page: w.desk("/rules"), form: form("do", "save", "turn_seconds", seconds, "why", why),
			own: w.own("/rules"), send: fields{"rules": rules, "why": why},
			body: fields{"tournament": w.id, "rules": rules, "why": why}}
	}}
}

func ruleFrom(round, seconds int, why, code string) tried {
	return tried{kind: "tournament.rules_from", code: code, ask: func(w *walker) asked {
		rules := fields{"turn_seconds": seconds}
		return asked{page: w.desk("/rules"), form: form("do", "save", "round", round, "turn_seconds", seconds, "why",
			why), own: w.own("/rules-from"),
			send: fields{"round": round, "rules": rules, "why": why},
			body: fields{"tournament": w.id, "round": round, "rules": rules, "why": why}}
	}}
}

func rulesBack(number int, code string) tried {
	return tried{kind: "tournament.rules_back", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/tournament.rules_back",
			form: form("tournament", w.id, "number", number, "back", w.desk("/rules")), own: w.own("/rules-back"),
			send: fields{"number": number}, body: fields{"tournament": w.id, "number": number}}
	}}
}

func stageRounds(n int, why, code string) tried {
	return tried{kind: "tournament.rounds", code: code, ask: func(w *walker) asked {
		return asked{page: "/actions/tournament.rounds", form: form("tournament", w.id, "stage", 0, "rounds", n, "why",
			why, "back", w.desk("")), own: w.own("/stages/1/rounds"), send: api.StageRoundsBody{Rounds: n, Why: why},
			body: fields{"tournament": w.id, "stage": 0, "rounds": n, "why": why}}
	}}
}
