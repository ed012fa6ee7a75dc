package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
)

// TestEveryActionByRole asks for every action of the registry as everybody: those who may not do it are refused before anything
// is read, those who may are not, and what is asked for without its fields changes nothing.
func TestEveryActionByRole(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	callers := map[rights.Role]*caller{rights.RolePublic: e.public(), rights.RolePlayer: e.at(0, 0),
		rights.RoleOrganizer: e.organizer, rights.RoleReferee: e.referee}
	for _, role := range rights.OfficialRoles {
		if callers[role] == nil {
			callers[role] = e.staff(role)
		}
	}
	var listed []ActionView
	e.public().must(http.MethodGet, "/actions", nil, &listed)
	before := e.recordsOf(t)
	for _, k := range tournament.Kinds() {
		i := slices.IndexFunc(listed, func(v ActionView) bool { return v.Kind == k.Name })
		if (i >= 0) != k.Does() {
			t.Errorf("%s is listed: %t", k.Name, i >= 0)
		}
		if i >= 0 && (listed[i].Name == k.Name || listed[i].Here != offered(k)) {
			t.Errorf("%s is told as %+v", k.Name, listed[i])
		}
		for _, role := range slices.Sorted(maps.Keys(callers)) {
			got, body := callers[role].probe(http.MethodPost, "/actions/"+k.Name+"?preview=true", map[string]any{})
			var want bool
			switch {
			case !offered(k):
				want = got == http.StatusNotFound
			case role == rights.RolePublic:
				want = got == http.StatusUnauthorized
			case slices.Contains(k.Roles(), role):
				want = got != http.StatusUnauthorized && got != http.StatusForbidden && got < 500
			default:
				want = got == http.StatusForbidden
			}
			if !want {
				t.Errorf("%s as %s: %d %.200s", k.Name, role, got, body)
			}
		}
	}
	if after := e.recordsOf(t); len(after) != len(before) {
		t.Errorf("looking at actions wrote %d records", len(after)-len(before))
	}
}

// recordsOf are all records, those of no event too, the newest first.
func (e *event) recordsOf(t *testing.T) []tournament.Record {
	t.Helper()
	var all []tournament.Record
	for _, event := range []int64{e.id, 0} {
		some, err := tournament.Records(t.Context(), e.store, rights.Staff(rights.RoleOrganizer, "test"), event, 1000)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	return all
}

// sameAction is an action as a page's form asks for it, as its own address for programs does, and by its kind. Status is what
// programs are answered.
type sameAction struct {
	kind   string
	status int
	page   func(e *event) (string, url.Values)
	api    func(e *event) (string, any)
	body   func(e *event) any
}

func sameActions() []sameAction {
	first := func(e *event, i int) int64 { return e.round.Tables[0].Seats[i].Player.ID }
	desk := func(e *event, rest string) string { return fmt.Sprintf("/desk/%d%s", e.id, rest) }
	round := func(e *event, rest string) string { return desk(e, fmt.Sprintf("/rounds/%d%s", e.round.ID, rest)) }
	own := func(e *event, rest string) string { return fmt.Sprintf("/rounds/%d%s", e.round.ID, rest) }
	said := func(text string) sameAction {
		status := http.StatusOK
		if text == "" {
			status = http.StatusUnprocessableEntity
		}
		return sameAction{"announce", status,
			func(e *event) (string, url.Values) {
				return string(templates.AnnouncementsPath(e.id)), url.Values{"level": {"note"}, "minutes": {"5"}, "text-en": {text}}
			},
			func(e *event) (string, any) {
				return fmt.Sprintf("/tournaments/%d/announcements", e.id), AnnouncementBody{"note", map[string]string{"en": text}, 5}
			},
			func(e *event) any {
				return map[string]any{"tournament": e.id, "level": "note", "minutes": 5, "texts": map[string]string{"en": text}}
			}}
	}
	apart := func(b, status int) sameAction {
		return sameAction{"seating.apart", status,
			func(e *event) (string, url.Values) {
				return desk(e, "/apart"), url.Values{"a": {fmt.Sprint(first(e, 0))}, "b": {fmt.Sprint(first(e, b))}, "apart": {"1"}}
			},
			func(e *event) (string, any) {
				return fmt.Sprintf("/tournaments/%d/apart", e.id), ApartBody{first(e, 0), first(e, b), true}
			},
			func(e *event) any {
				return map[string]any{"tournament": e.id, "a": first(e, 0), "b": first(e, b), "apart": true}
			}}
	}
	ofRound := func(kind, address string, status int) sameAction {
		return sameAction{kind, status,
			func(e *event) (string, url.Values) { return round(e, address), url.Values{} },
			func(e *event) (string, any) { return own(e, address), nil },
			func(e *event) any { return map[string]any{"round": e.round.ID} }}
	}
	ofPlayer := func(kind string, status int) sameAction {
		return sameAction{"people." + kind, status,
			func(e *event) (string, url.Values) {
				return desk(e, "/people/do"), url.Values{"kind": {kind}, "player": {fmt.Sprint(first(e, 1))}, "why": {"ill"}}
			},
			func(e *event) (string, any) {
				return fmt.Sprintf("/tournaments/%d/people", e.id), PeopleBody{Kind: kind, Player: first(e, 1), Why: "ill"}
			},
			func(e *event) any { return map[string]any{"tournament": e.id, "player": first(e, 1), "why": "ill"} }}
	}
	family := func(text string, status int) sameAction {
		return sameAction{"player.family", status,
			func(e *event) (string, url.Values) {
				return desk(e, "/roster/family"), url.Values{"player": {fmt.Sprint(first(e, 1))}, "family": {text}}
			},
			func(e *event) (string, any) {
				return fmt.Sprintf("/players/%d/family", first(e, 1)), FamilyBody{text}
			},
			func(e *event) any { return map[string]any{"player": first(e, 1), "family": text} }}
	}
	return []sameAction{family("Rossi", http.StatusOK), family(strings.Repeat("x", 61), http.StatusUnprocessableEntity), ofPlayer(tournament.PeopleCheckIn, http.StatusOK), ofPlayer(tournament.PeopleLeave, http.StatusOK), ofPlayer(tournament.PeopleMoveUp, http.StatusConflict),
		said("Lunch"), said(""), apart(1, http.StatusOK), apart(0, http.StatusUnprocessableEntity),
		ofRound("round.discard", "/discard", http.StatusConflict), ofRound("round.check", "/check", http.StatusConflict),
		ofRound("round.publish", "/publish", http.StatusOK), ofRound("round.start", "/start", http.StatusOK)}
}

// TestAnActionIsOne: through a page, its address for programs and its kind an action writes the same record, wakes for the same
// topics, and is refused alike.
func TestAnActionIsOne(t *testing.T) {
	t.Parallel()
	for _, a := range sameActions() {
		t.Run(fmt.Sprint(a.kind, " ", a.status), func(t *testing.T) {
			var told [3]string
			for way := range told {
				e := newPublished(t, "Test", roster(8), nil)
				var changes []tournament.Changed
				e.desk.OnChanged(func(c tournament.Changed) { changes = append(changes, c) })
				before := len(e.recordsOf(t))
				switch way {
				case 0:
					path, form := a.page(e)
					if status := e.signedIn("Organizer").post(t, path, form).status; (status < 400) != (a.status == http.StatusOK) {
						t.Errorf("the page answers %d", status)
					}
				case 1:
					path, body := a.api(e)
					if got, _, text := e.organizer.send(http.MethodPost, path, body); got != a.status {
						t.Errorf("its address answers %d %s", got, text)
					}
				case 2:
					if got, _, text := e.organizer.send(http.MethodPost, "/actions/"+a.kind, a.body(e)); got != a.status {
						t.Errorf("its kind answers %d %s", got, text)
					}
				}
				told[way] = toldOf(e.recordsOf(t), before, changes)
			}
			if told[0] != told[1] || told[1] != told[2] {
				t.Errorf("by a page:\n%s\nby its address:\n%s\nby its kind:\n%s", told[0], told[1], told[2])
			}
			if refused := a.status != http.StatusOK; refused != (told[0] == "[] []") && a.kind != "round.publish" {
				t.Errorf("refused is %t, and it says %s", refused, told[0])
			}
		})
	}
}

// toldOf are the new records without their moment and number, and what was said to have changed.
func toldOf(records []tournament.Record, before int, changes []tournament.Changed) string {
	slices.SortFunc(records, func(a, b tournament.Record) int { return int(b.ID - a.ID) })
	var lines []string
	for _, r := range records[:len(records)-before] {
		lines = append(lines, strings.Join([]string{r.Kind, r.Actor, r.AboutJSON, r.Data, r.Topics, r.Why}, " | "))
	}
	text, err := json.Marshal(changes)
	if err != nil || changes == nil {
		text = []byte("[]")
	}
	return fmt.Sprint(lines, " ", string(text))
}
