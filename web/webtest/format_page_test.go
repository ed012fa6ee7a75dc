package webtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"meldhall/tournament"
	"meldhall/tournament/format"
	"meldhall/tournament/rights"
	"meldhall/web/api"
)

// TestOrganizerEditsAFormat copies a preset in the browser's form, sees its problems at their fields, and creates a
// tournament with it.
func TestOrganizerEditsAFormat(t *testing.T) {
	t.Parallel()
	h, _, _ := newStaffed(t)
	o := h.signedIn("organizer")

	o.get(t, "/desk/formats").is(http.StatusOK).says("main", "You have no formats of your own").says("main",
		"Germany, Wermelskirchen").says("main", "rp-online.de")
	o.get(t, "/desk/formats").says("main", "8 players or more, in blocks of 4").says("main",
		"12 to 60 players").says("main", "16 players or more")
	form := o.get(t, "/desk/formats/new?from=belgium").is(http.StatusOK)
	if form.value("name") != "Belgium (copy)" || form.value("stages[1].cut") != "8" ||
		form.value("rules[0].value") != "25" || form.value("rules[1].value") != "" {
		t.Fatalf("got %q, cut %q, a rule of %q", form.value("name"), form.value("stages[1].cut"),
			form.value("rules[0].value"))
	}
	t.Run("what is wrong stands at its field", func(t *testing.T) { showFormatProblems(t, form) })
	t.Run("a rule is picked from all that there are", func(t *testing.T) { pickARule(t, form) })
	t.Run("it says before the event for how many players it cannot work", func(t *testing.T) {
		form.submit("/desk/formats/new", "do", "check", "players", "37").is(http.StatusOK).says(".fit",
			"No problems found.").says(".fit", "Semi-final : 8").says(".fit", "Final : 4")
		form.submit("/desk/formats/new", "do", "check", "players", "7").is(http.StatusOK).says(".fit", "too few")
		form.submit("/desk/formats/new", "do", "check", "players", "10", "stages[1].cut", "12", "stages[2].cut",
			"4").is(http.StatusOK).says(".fit", "there are 10")
		finals := o.get(t, "/desk/formats/new?from=gwinnett").is(http.StatusOK)
		finals.submit("/desk/formats/new", "do", "check", "players", "100").is(http.StatusOK).says(".fit", "at most 64")
		finals.submit("/desk/formats/new", "do", "check", "players", "100", "players_max",
			"0").is(http.StatusOK).says(".fit", "at most 64 players")
	})
	t.Run("stages come and go", func(t *testing.T) { addAndDropStages(t, form) })
	list := form.submit("/desk/formats/new", "do", "save", "name", "Our cup", "stages[0].rounds",
		"2").is(http.StatusOK).says(".flash", "Our cup has been saved").says("main", "Our cup")
	if list.path != "/desk/formats" {
		t.Errorf("led to %s", list.path)
	}
	form.submit("/desk/formats/new", "do", "save", "name", "our CUP").is(http.StatusConflict).says(".flash", "already")

	page := o.get(t, "/desk/new").submit("/desk/new", "name", "Cup", "format", "own-1").is(http.StatusOK)
	if page.path != "/desk/1/roster" {
		t.Fatalf("led to %s: %s", page.path, page.text("main"))
	}
	tour, err := tournament.TournamentByID(t.Context(), h.store, 1)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := tour.Format(); err != nil || f.Name != "Our cup" || f.Stages[0].Rounds != 2 ||
		f.Stages[0].Seating != "chart" || f.Scoring.TieBreaks[0] != "wins" {
		t.Errorf("got %+v, %v", f, err)
	}
	if rules, err := tour.Rules(); err != nil || rules.JokerPoints != 25 {
		t.Errorf("a joker costs %d, %v", rules.JokerPoints, err)
	}
	t.Run("the desk warns while the format cannot work", func(t *testing.T) { warnOfAMisfit(t, o) })
	t.Run("a referee makes none", func(t *testing.T) {
		ref := h.signedIn(string(rights.RoleReferee))
		ref.get(t, "/desk/formats").is(http.StatusForbidden)
		ref.get(t, "/desk/1/format").is(http.StatusForbidden)
		ref.post(t, "/desk/formats/new", url.Values{"do": {"save"}}).is(http.StatusForbidden)
	})
	o.get(t, "/desk/formats").submit("/format.remove", "typed", "cup").is(http.StatusUnprocessableEntity).says(".flash",
		"Nothing was done")
	o.get(t, "/desk/formats").submit("/format.remove", "typed", "our cup").is(http.StatusOK).says(".flash", "removed")
	o.get(t, "/desk/formats/1").is(http.StatusNotFound)
	o.get(t, "/desk/1").is(http.StatusOK).says(".facts", "Our cup")
}

func showFormatProblems(t *testing.T, form *leaf) {
	page := form.submit("/desk/formats/new", "do", "save", "name", "", "stages[1].cut", "five", "stages[2].rounds",
		"99").is(http.StatusUnprocessableEntity)
	page.says(".flash", "3 fields")
	problems := find(page.doc, ".field-problem")
	for i, want := range []struct{ at, text string }{{"name", "must not be empty"},
		{"stages[1].cut", "must be a whole number"}, {"stages[2].rounds", "between 1 and 40"}} {
		if len(problems) != 3 || attr(problems[i], "id") != want.at+"-problem" ||
			!strings.Contains(textOf(problems[i]), want.text) {
			t.Fatalf("got %d problems, want %q at %s", len(problems), want.text, want.at)
		}
	}
	if page.value("stages[1].cut") != "five" || page.value("stages[2].rounds") != "99" {
		t.Error("what was typed is lost")
	}
}

func pickARule(t *testing.T, form *leaf) {
	var names []string
	for _, o := range find(find(form.doc, "select[name=stages[2].rules[0].name]")[0], "option")[1:] {
		names = append(names, attr(o, "value"))
	}
	if len(names) < 50 || !slices.Contains(names, "turn_seconds") ||
		!slices.Contains(names, "last_to_open_relief=true") || !slices.Contains(names, "starter=rotate") {
		t.Fatalf("got %q", names)
	}
	if text := form.text("select[name=stages[2].rules[0].name]"); inside.MatchString(text) ||
		!strings.Contains(text, "Who begins: A draw before the first game, then the next seat") {
		t.Errorf("it offers %s", text)
	}
	page := form.submit("/desk/formats/new", "do", "save", "stages[2].rules[0].name", "turn_seconds",
		"stages[2].rules[0].value", "5000",
		"rules[1].name", "win_bonus", "rules[1].value", "", "rules[2].value", "7").is(http.StatusUnprocessableEntity)
	page.says(".flash", "3 fields")
	got := map[string]string{}
	for _, p := range find(page.doc, ".field-problem") {
		got[strings.TrimSuffix(attr(p, "id"), "-problem")] = textOf(p)
	}
	for at, want := range map[string]string{"rules[1]": "Bonus for the winner may be: 0–",
		"rules[2]": "must not be empty", "stages[2].rules[0]": "Seconds per turn (0: no clock) may be: 0–3600"} {
		if !strings.Contains(got[at], want) {
			t.Errorf("%s: got %q, want %q", at, got[at], want)
		}
	}
	mended := page.submit("/desk/formats/new", "do", "check", "stages[2].rules[0].value", "40", "rules[1].value", "5",
		"rules[2].name", "last_to_open_relief=true", "rules[2].value", "7").is(http.StatusOK)
	if got, typed := mended.count(".field-problem"), fieldsOf(find(mended.doc, "form.form")[0]); got != 0 ||
		typed.Get("rules[2].name") != "last_to_open_relief=true" || typed.Get("rules[2].value") != "" {
		t.Errorf("got %d problems, and the rule %s %s", got, typed.Get("rules[2].name"), typed.Get("rules[2].value"))
	}
}

func addAndDropStages(t *testing.T, form *leaf) {
	page := form.submit("/desk/formats/new", "do", "add").is(http.StatusOK)
	if page.value("stages") != "4" || page.value("stages[3].cut") != "4" {
		t.Fatalf("got %s stages, cut %q", page.value("stages"), page.value("stages[3].cut"))
	}
	page = page.submit("/desk/formats/new", "do", "drop 1").is(http.StatusOK)
	if page.value("stages") != "3" || page.value("stages[1].cut") != "4" || page.value("stages[1].name") != "Final" {
		t.Errorf("got %s stages, the second is %q with a cut of %q", page.value("stages"), page.value("stages[1].name"),
			page.value("stages[1].cut"))
	}
}

func warnOfAMisfit(t *testing.T, o *reader) {
	for _, name := range []string{"Ann", "Bob", "Cid", "Dee"} {
		o.get(t, "/desk/1/roster").submit("/roster/add", "name", name).is(http.StatusOK)
	}
	o.get(t, "/desk/1").says(".misfit", "4 players are too few")
	form := o.get(t, "/desk/1/format").is(http.StatusOK)
	form.submit("/desk/1/format", "do", "save", "players_min", "", "stages[1].cut", "3", "stages[2].cut", "2", "why",
		"we are few").is(http.StatusOK).says(".flash", "has been changed")
	if page := o.get(t, "/desk/1"); page.count(".misfit") != 0 {
		t.Errorf("still: %s", page.text(".misfit"))
	}
}

func TestQualificationPage(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	o := e.signedIn("organizer")
	page := o.get(t, "/desk/1/qualification").is(http.StatusOK).says("main", "gives no qualifying places")
	if page.count("table.qualify") != 0 || strings.Contains(page.text("main"), "0 places") {
		t.Errorf("somebody qualifies before the first result, or for nothing: %s", page.text("main"))
	}
	o.post(t, "/desk/1/qualification", url.Values{"player": {"3"}, "state": {"declined"}, "why": {"a wedding"},
		"division": {"junior"}}).is(http.StatusOK).says(".flash", "Saved").says("h2", "junior")
	o.post(t, "/desk/1/qualification", url.Values{"player": {"3"},
		"state": {"lazy"}}).is(http.StatusUnprocessableEntity)
	o.get(t, "/events/1/why").is(http.StatusOK).says(".ties", "wins")
	e.signedIn("referee").get(t, "/desk/1/qualification").is(http.StatusForbidden)
}

// TestNoPlacesToQualifyFor checks that a format without qualifying places or divisions shows one sentence and no form.
func TestNoPlacesToQualifyFor(t *testing.T) {
	t.Parallel()
	e, _ := playedOut(t, func(f *format.Format) { f.Stages[0].Rounds = 2 })
	o := e.signedIn("organizer")
	page := o.get(t, "/desk/1/qualification").is(http.StatusOK).says("main", "gives no qualifying places")
	if page.count("main form") != 0 || strings.Contains(page.text("main"), "takes no place") {
		t.Errorf("it asks for what is not there: %s", page.text("main"))
	}
	o.get(t, "/desk/1/format").submit("/desk/1/format", "do", "save", "qualification.berths", "1").is(http.StatusOK)
	o.get(t, "/desk/1/qualification").says("main", "1 place").says("table.qualify", "1 Player")
}

// TestPlacesOfEachDivision checks that the form gives each division its places, and that the page, the API and the file
// list the qualifiers by division. Seats 1, 4, 3 and 2 of the only table are in places 1 to 4.
func TestPlacesOfEachDivision(t *testing.T) {
	t.Parallel()
	e, _ := playedOut(t, func(f *format.Format) { f.Stages[0].Rounds = 2 })
	o := e.signedIn("organizer")
	form := o.get(t, "/desk/1/format")
	form.submit("/desk/1/format", "do", "save", "qualification.berths", "1", "qualification.per_division",
		"true").is(http.StatusUnprocessableEntity).
		says(".field-problem", "no divisions")
	form.submit("/desk/1/format", "do", "save", "qualification.berths", "1", "qualification.reserves", "1",
		"qualification.per_division", "true",
		"divisions", "junior, senior").is(http.StatusOK).says(".flash", "has been changed")
	seats := e.round.Tables[0].Seats
	o.get(t, "/desk/1/qualification").says("main", "4 players are in no division")
	var page *leaf
	// the fourth seat, in second place, has no division
	for i, division := range []string{"senior", "junior", "junior"} {
		page = o.post(t, "/desk/1/qualification", url.Values{"player": {fmt.Sprint(seats[i].Player.ID)},
			"division": {division}}).is(http.StatusOK)
	}
	page.says(".title", "2 places · 1 reserve in each division")
	var list []string
	for _, section := range find(page.doc, "section") {
		list = append(list, textOf(find(section, "h2")[0]))
		for _, table := range find(section, "table.qualify") {
			for _, row := range find(table, "tr")[1:] {
				list = append(list, textOf(row))
			}
		}
	}
	for i, want := range [][2]string{{"Division: junior"}, {"1 " + seats[2].Player.Name + " Italy In first place.",
		"qualifies, place 1"},
		{"2 " + seats[1].Player.Name + " Italy Fewer points than", "reserve 1"}, {"Division: senior"},
		{"1 " + seats[0].Player.Name + " Italy", "qualifies, place 1"}, {"In no division"},
		{"1 " + seats[3].Player.Name + " Italy –"}} {
		if i >= len(list) || !strings.HasPrefix(list[i], want[0]) || !strings.Contains(list[i], want[1]) {
			t.Fatalf("line %d: want %q in %q", i+1, want, list)
		}
	}
	for _, seat := range seats {
		if n := len(slices.DeleteFunc(page.inside("main", "th", ".name"),
			func(n *html.Node) bool { return textOf(n) != seat.Player.Name })); n != 1 {
			t.Errorf("%s is in the list %d times", seat.Player.Name, n)
		}
	}
	_, _, file := e.public().send(http.MethodGet, "/tournaments/1/export/qualification.csv", nil)
	if got, want := string(file), fmt.Sprintf("junior,1,%d,%s,IT,,,qualifies,1\r\n", seats[2].Player.Number,
		seats[2].Player.Name); !strings.Contains(got, want) {
		t.Errorf("got %q, want %q in it", got, want)
	}
	var view api.QualificationView
	e.public().must(http.MethodGet, "/tournaments/1/qualification", nil, &view)
	if !view.PerDivision || view.Places != 2 || len(view.Entries) != 4 || view.Entries[2].Division != "senior" ||
		view.Entries[2].State != "qualifies" || view.Divisions[1].Places != 1 {
		t.Errorf("got %+v", view)
	}
	t.Run("one for every so many says so", func(t *testing.T) {
		o.get(t, "/desk/1/format").submit("/desk/1/format", "do", "save", "qualification.per_players", "2",
			"qualification.per_division", "", "divisions", "").is(http.StatusOK)
		o.get(t, "/desk/1/qualification").says(".title", "2 places · 1 reserve · one place for every 2 of 4 players")
	})
}

// TestTheFormatFormShowsWords checks that names from the presets' files are shown translated but stay unchanged in the
// format.
func TestTheFormatFormShowsWords(t *testing.T) {
	t.Parallel()
	h, _, tournamentID := seatedEvent(t, "Cup", "quick", 8)
	o, page := h.signedIn("organizer"), fmt.Sprintf("/desk/%d/format", tournamentID)
	form := o.get(t, page).is(http.StatusOK)
	for field, want := range map[string]string{"name": "Short evening", "stages[0].name": "Preliminaries",
		"stages[1].name": "Final"} {
		if got := form.value(field); got != want {
			t.Errorf("%s: got %q, want %q", field, got, want)
		}
	}
	refused := form.submit(page, "do", "save", "stages[0].rounds", "99").is(http.StatusUnprocessableEntity)
	refused.submit(page, "do", "check", "players", "8", "stages[0].rounds", "3").is(http.StatusOK).says(".fit",
		"Preliminaries")
	refused.submit(page, "do", "save", "stages[0].rounds", "3", "stages[1].name", "Last table", "why",
		"time").is(http.StatusOK)
	tour, err := tournament.TournamentByID(t.Context(), h.store, tournamentID)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := tour.Format(); err != nil || f.Name != "quick" || f.Stages[0].Name != "preliminary" ||
		f.Stages[0].Rounds != 3 || f.Stages[1].Name != "Last table" {
		t.Errorf("got %+v, %v", f, err)
	}
	made := o.get(t, "/desk/formats/new?from=quick").is(http.StatusOK)
	if made.value("stages[0].name") != "Preliminaries" {
		t.Errorf("a copy has %q", made.value("stages[0].name"))
	}
	made.submit("/desk/formats/new", "do", "save", "name", "Belgium").is(http.StatusOK).says("main", "Belgium")
	if own, err := tournament.FindOwnFormat(t.Context(), h.store, rights.Staff(rights.RoleOrganizer, "Eve"),
		1); err != nil || own.Name != "Belgium" {
		t.Errorf("got %+v, %v", own, err)
	}
	// an organizer's own format named like a preset's file keeps its name
	called := made.submit("/desk/formats/new", "do", "check", "name", "open").is(http.StatusOK)
	if called.value("name") != "open" {
		t.Errorf("typed open, and it says %q", called.value("name"))
	}
	called.submit("/desk/formats/new", "do", "save").is(http.StatusOK)
	if edited := o.get(t, "/desk/formats/2").is(http.StatusOK); edited.value("name") != "open" ||
		edited.value("stages[0].name") != "Preliminaries" {
		t.Errorf("it is %q, its first stage %q", edited.value("name"), edited.value("stages[0].name"))
	}
}

// TestFormatFormKeepsAll saves a format with every tie-break unchanged and checks that none is lost. A replaced format
// gets the next version, and a copy under a new name starts at version 1.
func TestFormatFormKeepsAll(t *testing.T) {
	t.Parallel()
	h, organizer, _ := newStaffed(t)
	o := h.signedIn("organizer")
	want, err := h.server.View.Presets.Format("belgium")
	if err != nil {
		t.Fatal(err)
	}
	want.Name, want.Scoring.TieBreaks = "All words", format.TieBreaks
	want.Scoring.TablePoints = [][]int{{4, 3, 1, 0}, {4, 2, 1}}
	want.Scoring.WinnerOnly = true
	own := want.Scoring
	want.Stages[1].Scoring = &own
	want.Rules = map[string]any{"joker_points": 25, "last_to_open_relief": false, "starter": "rotate"}
	want.Stages[0].Rules = map[string]any{"turn_seconds": 40}
	want.Divisions, want.Qualification = []string{"junior", "senior"},
		format.Qualification{Berths: 2, Reserves: 1, PerDivision: true}
	var made api.FormatView
	organizer.must(http.MethodPost, "/formats", api.FormatBody{Format: want}, &made)
	page := o.get(t, "/desk/formats/1").is(http.StatusOK)
	if got := page.count("select[name=scoring.tie_breaks[7]]"); got != 1 {
		t.Fatalf("got %d eighth places", got)
	}
	page.submit("/desk/formats/1", "do", "save").is(http.StatusOK).says(".flash", "saved")
	o.get(t, "/desk/formats/new?from=own-1").submit("/desk/formats/new", "do", "save", "name",
		"A copy").is(http.StatusOK).says(".flash", "saved")
	for id, is := range map[int]struct {
		name    string
		version int
	}{1: {"All words", 2}, 2: {"A copy", 1}} {
		var view api.FormatView
		organizer.must(http.MethodGet, fmt.Sprintf("/formats/%d", id), nil, &view)
		want.Name, want.Version = is.name, is.version
		wanted, _ := json.Marshal(want)
		if got, _ := json.Marshal(view.Format); string(got) != string(wanted) {
			t.Errorf("format %d is now\n%s\nwant\n%s", id, got, wanted)
		}
	}
}
