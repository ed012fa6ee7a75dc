package webtest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"meldhall/templates"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
	"meldhall/web/api"
)

// TestAFormAsksByKind checks that a form can request an action by its kind, as API clients do.
func TestAFormAsksByKind(t *testing.T) {
	t.Parallel()
	w := newWalker(newEvent(t, 8, nil))
	id := w.account(rights.RoleReferee)
	org, ref := w.signedIn("organizer"), w.signedIn("referee")
	zone := string(templates.ActionPath("zone.set"))
	fill := func(tables string) []any {
		return []any{"tournament", w.id, "account", id, "tables", tables, "back", string(templates.ZonesPath(w.id))}
	}
	page := org.post(t, zone, form(fill("1-3")...)).is(http.StatusOK).says("main", "referee")
	if page.path != string(templates.ZonesPath(w.id)) || page.count("input[value=1-3]") != 1 {
		t.Errorf("it goes on to %s: %s", page.path, page.text("main"))
	}
	byForm := w.told()
	w.organizer.must(http.MethodPost, "/actions/zone.set", fields{"tournament": w.id, "account": id, "tables": ""}, nil)
	w.told()
	w.organizer.must(http.MethodPost, "/actions/zone.set", fields{"tournament": w.id, "account": id, "tables": "1-3"},
		nil)
	if byKind := w.told(); byForm != byKind || byForm == "" {
		t.Errorf("by form:\n%s\nby its kind:\n%s", byForm, byKind)
	}
	org.post(t, zone, form(fill("one")...)).is(http.StatusUnprocessableEntity)
	org.post(t, zone, form("tournament", w.id, "account", "x", "back",
		string(templates.ZonesPath(w.id)))).is(http.StatusUnprocessableEntity).says(".flash", "account")
	org.post(t, zone, form(fill("3")...), "Origin", "https://evil.example").is(http.StatusForbidden)
	ref.post(t, zone, form(fill("3")...)).is(http.StatusForbidden)
	for _, kind := range []string{"display.pair", "people.register", "zone.unset"} { // guarded, public, unknown
		org.post(t, string(templates.ActionPath(kind)), form()).is(http.StatusNotFound)
	}
	if page := w.reader().post(t, zone, form(fill("3")...)); page.path != "/sign-in" {
		t.Errorf("the public comes to %s", page.path)
	}
	if told := w.told(); told != "" {
		t.Errorf("what was refused left %s", told)
	}
	elsewhere := form("tournament", w.id, "account", id, "tables", "4", "back", "https://evil.example/")
	if page := org.post(t, zone, elsewhere).is(http.StatusOK); page.path != "/" {
		t.Errorf("it goes on to %s", page.path)
	}
}

// TestAFormAtItsAddress checks that forms at addresses of their own act only on the tournament of the address, read
// numbers as people write them, and name each field that holds none.
func TestAFormAtItsAddress(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	var made api.TournamentView
	e.organizer.must(http.MethodPost, "/tournaments", fields{"name": "Other", "format": "open",
		"rules": fields{"preset": "wrc"}, "roster": "name\nEve\nFay\nGil\nHal\n"}, &made)
	other, org := made.ID, e.signedIn("organizer")
	player, swap := e.round.Tables[0].Seats[0].Player.ID, fmt.Sprintf("/rounds/%d/swap?a=1&b=2", e.round.ID)
	org.post(t, fmt.Sprintf("/desk/%d/roster/time", other), form("player", player,
		"seconds", 30)).is(http.StatusNotFound)
	org.get(t, fmt.Sprintf("/desk/%d%s", other, swap)).is(http.StatusNotFound)
	org.post(t, fmt.Sprintf("/desk/%d/roster/time", e.id), form("player", player,
		"seconds", "３０ ")).is(http.StatusOK).says("main", "30 extra seconds")
	people := fmt.Sprintf("/desk/%d/people", e.id)
	org.get(t, people).submit(people, "capacity", "many", "no_show_minutes",
		"few").is(http.StatusUnprocessableEntity).says("main", "many").says("main", "few")
	for _, reader := range []*reader{e.signedIn("referee"), e.readerAt(0, 0)} {
		reader.post(t, fmt.Sprintf("/desk/%d/roster/time", e.id), form("player", "x")).is(http.StatusForbidden)
	}
}

// addressesOf returns the route's address, or for the route of actions by kind the addresses of all those actions.
func addressesOf(route string) []string {
	if route != string(templates.ActionPath(":kind")) {
		return []string{route}
	}
	var all []string
	for _, k := range action.Kinds() {
		if k.ByKind() {
			all = append(all, string(templates.ActionPath(k.Name)))
		}
	}
	return all
}

// refereesForm reports whether a referee may send a form, including the players' forms at tables with real tiles.
func refereesForm(path string) bool {
	ends := []string{"/call-time", "/code", "/check-in", "/results/:game"}
	kind, byKind := strings.CutPrefix(path, string(templates.ActionPath("")))
	switch {
	case byKind:
		return slices.Contains(action.KindNamed(kind).Roles(), rights.RoleReferee)
	case strings.HasPrefix(path, "/play"), strings.HasPrefix(path, "/practice"):
		ends = []string{"/ready", "/starter", "/end-turn", "/pool-empty", "/count-racks", "/count-preview"}
	case !strings.HasPrefix(path, "/desk"):
		return !strings.HasPrefix(path, "/accounts")
	}
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(path, end) })
}
