package webtest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/web/api"
)

// TestThePromisedSeedCanBeChecked reads the hash on the public page before the draw and the seed's text after the round
// is published, and verifies the hash as the page explains.
func TestThePromisedSeedCanBeChecked(t *testing.T) {
	t.Parallel()
	h, organizer, _ := newStaffed(t)
	var made api.TournamentDetail
	organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Promised", "format": "quick",
		"rules": map[string]any{"preset": "family"}}, &made)
	organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", made.ID), roster(8), nil)
	page, list := fmt.Sprintf("/events/%d/proof", made.ID), fmt.Sprintf("/tournaments/%d/promises", made.ID)
	var promised tournament.ToldPromise
	organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/promise", made.ID), nil, &promised)

	var round api.RoundDetail
	for _, step := range []string{"promised", "drawn"} {
		if step == "drawn" {
			organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", made.ID), map[string]any{}, &round)
		}
		if body := h.signedIn("referee").bodyOf(t, page); !strings.Contains(body, promised.Hash) ||
			strings.Contains(body, "salt ") {
			t.Errorf("%s: the page shows the hash %t, the salt %t", step, strings.Contains(body, promised.Hash),
				strings.Contains(body, "salt "))
		}
		var told []tournament.ToldPromise
		organizer.must(http.MethodGet, list, nil, &told)
		if len(told) != 1 || told[0] != promised {
			t.Errorf("%s: got %+v, want %+v alone", step, told, promised)
		}
	}

	organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", round.ID), nil, &round)
	if body := h.reader().bodyOf(t, fmt.Sprintf("/events/%d", made.ID)); !strings.Contains(body, `href="`+page+`"`) {
		t.Error("the standings do not lead to the promise")
	}
	check := ""
	// the public page is rendered twice a second
	for end := time.Now().Add(20 * time.Second); check == "" && time.Now().Before(end); {
		check = h.reader().get(t, page).is(http.StatusOK).text(".check")
	}
	text, ok := strings.CutPrefix(check, "printf %s '")
	text, _, end := strings.Cut(text, "' | sha256sum")
	if sum := sha256.Sum256([]byte(text)); !ok || !end || hex.EncodeToString(sum[:]) != promised.Hash {
		t.Errorf("%q does not give %s", check, promised.Hash)
	}
	var told []tournament.ToldPromise
	h.public().must(http.MethodGet, list, nil, &told)
	if len(told) != 2 || told[0].Kept != "kept" || told[0].Text != text ||
		!strings.Contains(text, fmt.Sprintf("seed %d,", told[0].Seed)) {
		t.Errorf("got %+v", told)
	}
	if lot := told[1]; lot.Lot != 1 || len(lot.Hash) != len(promised.Hash) || lot.Text != "" || lot.Seed != 0 {
		t.Errorf("of the lot that may come at the cut it is told %+v", lot)
	}
	if stored, err := draw.RoundByID(t.Context(), h.store, round.ID); err != nil || stored.Seed != told[0].Seed {
		t.Errorf("drawn with seed %d, %v; told %d", stored.Seed, err, told[0].Seed)
	}
}

// TestTheDeskOffersOnlyAPromiseThatBinds checks that for a stage that is planned as a whole the first round's seed can
// be promised, and a later one's only if that round is drawn differently.
func TestTheDeskOffersOnlyAPromiseThatBinds(t *testing.T) {
	t.Parallel()
	h, organizer, _ := newStaffed(t)
	var made api.TournamentDetail
	organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Planned", "format": "rounds",
		"rules": map[string]any{"preset": "wrc"}}, &made)
	organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", made.ID), roster(8), nil)
	r, desk, path := h.signedIn("organizer"), fmt.Sprintf("/desk/%d", made.ID),
		fmt.Sprintf("/tournaments/%d/promise", made.ID)
	const button = "form[action=/actions/round.promise]"
	if r.get(t, desk).is(http.StatusOK).count(button) != 1 {
		t.Error("before the draw there is no button")
	}
	var round api.RoundDetail
	organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", made.ID), map[string]any{}, &round)
	organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", round.ID), nil, &round)
	page := r.get(t, desk).is(http.StatusOK)
	forms := find(page.doc, button)
	if len(forms) != 1 || len(find(forms[0], "option[value=]")) != 0 ||
		len(find(forms[0], "option[value=plan]")) != 0 || len(find(forms[0], "option[value=random]")) != 1 {
		t.Error("it is not offered for a draw that is otherwise than planned, and for that alone")
	}
	for _, query := range []string{"", "?method=plan"} {
		organizer.refusedWith(t, http.StatusConflict, "err_promise_planned", http.MethodPost, path+query, nil)
	}
	organizer.refusedWith(t, http.StatusUnprocessableEntity, "err_promise_method", http.MethodPost,
		path+"?method=manual", nil)
	page.submit("/round.promise", "method", "random").is(http.StatusOK).says(".promised",
		"Seated at random").says(".promised", "The random seed of round 2 is promised")
	var told []tournament.ToldPromise
	h.public().must(http.MethodGet, path+"s", nil, &told)
	if len(told) != 1 || told[0].Method != "random" || told[0].Text != "" {
		t.Errorf("told %+v", told)
	}
}

// TestTheDeskNamesThePromisedWay checks that a draw without a chosen method uses the promised one and says so.
func TestTheDeskNamesThePromisedWay(t *testing.T) {
	t.Parallel()
	h, organizer, _ := newStaffed(t)
	var made api.TournamentDetail
	organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Lots", "format": "open",
		"rules": map[string]any{"preset": "wrc"}}, &made)
	organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", made.ID), roster(8), nil)
	r, desk := h.signedIn("organizer"), fmt.Sprintf("/desk/%d", made.ID)
	page := r.get(t, desk).is(http.StatusOK).says("#seating-how", "as in the format")
	page.submit("/round.promise", "method", "chart").is(http.StatusOK).says("#seating-how",
		"as promised: By the number chart")
	var round api.RoundDetail
	organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", made.ID), map[string]any{}, &round)
	if round.Method != "chart" {
		t.Errorf("drawn by %s", round.Method)
	}
}
