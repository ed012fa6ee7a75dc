package webtest

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
	"meldhall/web/api"
)

// TestEveryActionByRole requests every registered action as every role. Roles without the right are rejected before
// anything is read, the others are not, and a request without fields changes nothing.
func TestEveryActionByRole(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := newEvent(t, 4, nil)
	callers := map[rights.Role]*caller{rights.RolePublic: e.public(), rights.RolePlayer: e.at(0, 0),
		rights.RoleOrganizer: e.organizer, rights.RoleReferee: e.referee}
	for _, role := range rights.OfficialRoles {
		if callers[role] == nil {
			callers[role] = e.staff(role)
		}
	}
	var listed []api.ActionView
	e.public().must(http.MethodGet, "/actions", nil, &listed)
	before := e.recordsOf(t)
	for _, k := range action.Kinds() {
		i := slices.IndexFunc(listed, func(v api.ActionView) bool { return v.Kind == k.Name })
		if (i >= 0) != k.Does() {
			t.Errorf("%s is listed: %t", k.Name, i >= 0)
		}
		if i >= 0 && (listed[i].Name == k.Name || listed[i].Here != byKind(k)) {
			t.Errorf("%s is told as %+v", k.Name, listed[i])
		}
		for _, role := range slices.Sorted(maps.Keys(callers)) {
			got, body := callers[role].probe(http.MethodPost, "/actions/"+k.Name+"?preview=true", map[string]any{})
			var want bool
			switch {
			case !byKind(k):
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

// byKind reports whether API clients may perform an action by its kind alone.
func byKind(k *action.Kind) bool { return k.Does() && !k.Guarded && len(k.Roles()) > 0 }
