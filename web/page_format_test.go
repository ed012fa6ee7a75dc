package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/format"
)

// TestOrganizerEditsAFormat makes a copy of a preset in the browser's form, sees its problems at the fields, and an event
// is made with it.
func TestOrganizerEditsAFormat(t *testing.T) {
	h := newHall(t)
	h.account(tournament.RoleOrganizer)
	h.account(tournament.RoleReferee)
	o := h.signedIn("organizer")

	o.get(t, "/desk/formats").is(http.StatusOK).says("main", "No format of your own").says("main", "Germany, Wermelskirchen").says("main", "rp-online.de")
	form := o.get(t, "/desk/formats/new?from=belgium").is(http.StatusOK)
	if form.value("name") != "Belgium (copy)" || form.value("stages[1].cut") != "8" || form.value("rules") != "" && !strings.Contains(form.text("main"), "joker_points = 25") {
		t.Fatalf("got %q, cut %q, %s", form.value("name"), form.value("stages[1].cut"), form.text("main"))
	}
	t.Run("what is wrong stands at its field", func(t *testing.T) {
		page := form.submit("/desk/formats/new", "do", "save", "name", "", "stages[1].cut", "five", "stages[2].rounds", "99").is(http.StatusUnprocessableEntity)
		page.says(".flash", "3 fields")
		problems := find(page.doc, ".field-problem")
		for i, want := range []struct{ at, text string }{{"name", "must not be empty"}, {"stages[1].cut", "no whole number"}, {"stages[2].rounds", "between 1 and 40"}} {
			if len(problems) != 3 || attr(problems[i], "id") != want.at+"-problem" || !strings.Contains(textOf(problems[i]), want.text) {
				t.Fatalf("got %d problems, want %q at %s", len(problems), want.text, want.at)
			}
		}
		if page.value("stages[1].cut") != "five" || page.value("stages[2].rounds") != "99" {
			t.Error("what was typed is lost")
		}
	})
	t.Run("it says before the event for how many players it cannot work", func(t *testing.T) {
		form.submit("/desk/formats/new", "do", "check", "players", "37").is(http.StatusOK).says(".fit", "This works.").says(".fit", "Semi-final : 8").says(".fit", "Final : 4")
		form.submit("/desk/formats/new", "do", "check", "players", "7").is(http.StatusOK).says(".fit", "too few")
		form.submit("/desk/formats/new", "do", "check", "players", "10", "stages[1].cut", "12", "stages[2].cut", "4").is(http.StatusOK).says(".fit", "there are 10")
	})
	t.Run("stages come and go", func(t *testing.T) {
		page := form.submit("/desk/formats/new", "do", "add").is(http.StatusOK)
		if page.value("stages") != "4" || page.value("stages[3].cut") != "4" {
			t.Fatalf("got %s stages, cut %q", page.value("stages"), page.value("stages[3].cut"))
		}
		page = page.submit("/desk/formats/new", "do", "drop 1").is(http.StatusOK)
		if page.value("stages") != "3" || page.value("stages[1].cut") != "4" || page.value("stages[1].name") != "final" {
			t.Errorf("got %s stages, the second is %q with a cut of %q", page.value("stages"), page.value("stages[1].name"), page.value("stages[1].cut"))
		}
	})
	list := form.submit("/desk/formats/new", "do", "save", "name", "Our cup", "stages[0].rounds", "2").is(http.StatusOK).says(".flash", "Our cup is saved").says("main", "Our cup")
	if list.path != "/desk/formats" {
		t.Errorf("led to %s", list.path)
	}
	form.submit("/desk/formats/new", "do", "save", "name", "our CUP").is(http.StatusConflict).says(".flash", "already")

	page := o.get(t, "/desk/new").submit("/desk/new", "name", "Cup", "format", "own-1").is(http.StatusOK)
	if page.path != "/desk/1/roster" {
		t.Fatalf("led to %s: %s", page.path, page.text("main"))
	}
	tour, err := h.store.TournamentByID(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := tour.Format(); err != nil || f.Name != "Our cup" || f.Stages[0].Rounds != 2 || f.Stages[0].Seating != "chart" || f.Scoring.TieBreaks[0] != "wins" {
		t.Errorf("got %+v, %v", f, err)
	}
	if rules, err := tour.Rules(); err != nil || rules.JokerPoints != 25 {
		t.Errorf("a joker costs %d, %v", rules.JokerPoints, err)
	}
	t.Run("the desk warns while the format cannot work", func(t *testing.T) {
		for _, name := range []string{"Ann", "Bob", "Cid", "Dee"} {
			o.get(t, "/desk/1/roster").submit("/roster/add", "name", name).is(http.StatusOK)
		}
		o.get(t, "/desk/1").says(".misfit", "4 players are too few")
		form := o.get(t, "/desk/1/format").is(http.StatusOK)
		form.submit("/desk/1/format", "do", "save", "players_min", "", "stages[1].cut", "3", "stages[2].cut", "2", "why", "we are few").is(http.StatusOK).says(".flash", "is changed")
		if page := o.get(t, "/desk/1"); page.count(".misfit") != 0 {
			t.Errorf("still: %s", page.text(".misfit"))
		}
	})
	t.Run("a referee makes none", func(t *testing.T) {
		ref := h.signedIn(string(tournament.RoleReferee))
		ref.get(t, "/desk/formats").is(http.StatusForbidden)
		ref.get(t, "/desk/1/format").is(http.StatusForbidden)
		ref.post(t, "/desk/formats/new", url.Values{"do": {"save"}}).is(http.StatusForbidden)
	})
	o.get(t, "/desk/formats").submit("/desk/formats/1/remove").is(http.StatusOK).says(".flash", "removed")
	o.get(t, "/desk/formats/1").is(http.StatusNotFound)
	o.get(t, "/desk/1").is(http.StatusOK).says(".facts", "Our cup")
}

func TestQualificationPage(t *testing.T) {
	e := newEvent(t, 8, nil)
	o := e.signedIn("organizer")
	page := o.get(t, "/desk/1/qualification").is(http.StatusOK).says("main", "0 places")
	if page.count("table.qualify") != 0 {
		t.Error("somebody qualifies before the first result")
	}
	o.post(t, "/desk/1/qualification", url.Values{"player": {"3"}, "state": {"declined"}, "why": {"a wedding"}, "division": {"junior"}}).is(http.StatusOK).says(".flash", "noted").says("h2", "junior")
	o.post(t, "/desk/1/qualification", url.Values{"player": {"3"}, "state": {"lazy"}}).is(http.StatusUnprocessableEntity)
	o.get(t, "/events/1/why").is(http.StatusOK).says(".ties", "wins")
	e.signedIn("referee").get(t, "/desk/1/qualification").is(http.StatusForbidden)
}

// TestFormatFormKeepsAll saves a format with every tie-break that there is, unchanged: none is lost, the one that is replaced
// gets the next version, and a copy under a new name begins at the first.
func TestFormatFormKeepsAll(t *testing.T) {
	h := newHall(t)
	organizer := h.staff("organizer")
	o := h.signedIn("organizer")
	want, err := h.server.config.Presets.Format("belgium")
	if err != nil {
		t.Fatal(err)
	}
	want.Name, want.Scoring.TieBreaks = "All words", format.TieBreaks
	want.Scoring.TablePoints = [][]int{{4, 3, 1, 0}, {4, 2, 1}}
	own := want.Scoring
	want.Stages[1].Scoring = &own
	var made FormatView
	organizer.must(http.MethodPost, "/formats", FormatBody{Format: want}, &made)
	page := o.get(t, "/desk/formats/1").is(http.StatusOK)
	if got := page.count("select[name=scoring.tie_breaks[7]]"); got != 1 {
		t.Fatalf("got %d eighth places", got)
	}
	page.submit("/desk/formats/1", "do", "save").is(http.StatusOK).says(".flash", "saved")
	o.get(t, "/desk/formats/new?from=own-1").submit("/desk/formats/new", "do", "save", "name", "A copy").is(http.StatusOK).says(".flash", "saved")
	for id, is := range map[int]struct {
		name    string
		version int
	}{1: {"All words", 2}, 2: {"A copy", 1}} {
		var view FormatView
		organizer.must(http.MethodGet, fmt.Sprintf("/formats/%d", id), nil, &view)
		want.Name, want.Version = is.name, is.version
		wanted, _ := json.Marshal(want)
		if got, _ := json.Marshal(view.Format); string(got) != string(wanted) {
			t.Errorf("format %d is now\n%s\nwant\n%s", id, got, wanted)
		}
	}
}
