package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/web/api"
)

// TestOwnFormats walks a copy of a format through the API: check, store, read, change, use, remove.
func TestOwnFormats(t *testing.T) {
	t.Parallel()
	h, organizer, _ := newStaffed(t)
	var presets api.PresetsView
	h.public().must(http.MethodGet, "/presets", nil, &presets)
	f := presets.Formats["wrc"]
	f.Name, f.Source = "Our league", "the club's own"

	var view api.FormatView
	organizer.must(http.MethodPost, "/formats/check", api.FormatBody{Format: f, Players: 33}, &view)
	if view.ID != 0 || view.Fit == nil || !view.Fit.Works || len(view.Fit.Stages) != len(f.Stages) ||
		view.Fit.Stages[0] != 33 {
		t.Errorf("33 players: got %+v", view.Fit)
	}
	organizer.must(http.MethodPost, "/formats/check", api.FormatBody{Format: f, Players: 5}, &view)
	if fit := view.Fit; fit.Works || fit.Code != "err_players_unseatable" || fit.Message == "" {
		t.Errorf("5 players: got %+v", fit)
	}
	organizer.must(http.MethodPost, "/formats", api.FormatBody{Format: f}, &view)
	id := view.ID
	if id == 0 || view.Name != f.Name || view.Format.Version != 1 {
		t.Fatalf("stored: got %+v", view)
	}
	organizer.refusedWith(t, http.StatusConflict, "err_format_name_taken", http.MethodPost, "/formats",
		api.FormatBody{Format: f})
	f.Stages[0].Rounds = 7
	organizer.must(http.MethodPost, fmt.Sprintf("/formats/%d", id), api.FormatBody{Format: f, Players: 33}, nil)
	organizer.must(http.MethodGet, fmt.Sprintf("/formats/%d?players=33", id), nil, &view)
	if view.Format.Version != 2 || view.Format.Stages[0].Rounds != 7 || view.Fit == nil || !view.Fit.Works {
		t.Errorf("changed: got %+v with %+v", view.Format, view.Fit)
	}
	f.Stages[0].Rounds = 0
	organizer.refusedWith(t, http.StatusUnprocessableEntity, "err_format_field", http.MethodPost,
		fmt.Sprintf("/formats/%d", id), api.FormatBody{Format: f})

	var made api.TournamentDetail
	organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "League",
		"format": fmt.Sprintf("own-%d", id), "rules": map[string]any{"preset": "wrc"}}, &made)
	organizer.must(http.MethodPost, fmt.Sprintf("/formats/%d/remove", id), nil, nil)
	var all []api.FormatView
	if organizer.must(http.MethodGet, "/formats", nil, &all); len(all) != 0 {
		t.Errorf("after the removal: got %+v", all)
	}
	organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", made.ID), roster(5), nil)
	path := fmt.Sprintf("/tournaments/%d/format", made.ID)
	organizer.must(http.MethodGet, path, nil, &view)
	if view.Format.Stages[0].Rounds != 7 || view.Fit == nil || view.Fit.Works || view.Fit.Players != 5 {
		t.Errorf("the event's copy: got %+v with %+v", view.Format, view.Fit)
	}
	view.Format.Stages[0].Rounds = 8
	organizer.must(http.MethodPost, path, api.FormatBody{Format: view.Format, Why: "one more"}, &view)
	if view.Format.Stages[0].Rounds != 8 {
		t.Errorf("the event's copy changed: got %+v", view.Format)
	}
}
