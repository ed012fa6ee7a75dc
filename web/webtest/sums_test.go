package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/engine/score"
	"meldhall/tournament/rights"
)

// TestACountOfSumsIsCorrected checks that a count entered as points without tiles is corrected as points. The form
// shows the old points, the effects are previewed, a second official confirms, and the record has both results and the
// reason.
func TestACountOfSumsIsCorrected(t *testing.T) {
	t.Parallel()
	e, game := countedOnly(t)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/second-over", e.id), map[string]any{"points": 5},
		nil)
	e.account(rights.RoleHeadReferee)
	head := e.signedIn("head_referee")
	result := fmt.Sprintf("/desk/%d/results/%d", e.id, game)
	page := head.get(t, result+"/racks").is(http.StatusOK)
	for seat, sum := range []string{"0", "5", "10", "15"} {
		if got := page.value(fmt.Sprint("sum-", seat)); got != sum {
			t.Errorf("of %s that were left on rack %d the form has %q", sum, seat, got)
		}
	}
	if page.count(".tap") > 0 {
		t.Error("tiles are asked for, which nobody knows")
	}
	if tiles := head.get(t, result+"/racks?by=racks"); tiles.count(".tap-line") != 4 ||
		tiles.count("input[name=sum-0]") > 0 {
		t.Errorf("the tiles, that may be known by now, are not asked for: %s", tiles.text("main"))
	}
	name := func(seat int) string { return e.round.Tables[0].Seats[seat].Player.Name }
	lacking := page.look(t, "/correct", "sum-1", "", "sum-2", " ", "why",
		"read again").is(http.StatusUnprocessableEntity).says(".flash", "Missing.").
		says(".flash", name(1)).says(".flash", name(2))
	if said := lacking.text(".flash"); lacking.count("[aria-invalid=true]") != 2 || lacking.value("sum-3") != "15" ||
		strings.Contains(said, name(3)) {
		t.Errorf("two counts are missing: %d fields are marked, %q: %s", lacking.count("[aria-invalid=true]"),
			lacking.value("sum-3"), said)
	}
	for wrong, say := range map[string]string{"sum-0 3": "every rack has points", "sum-1 many": "whole number",
		"sum-1 0": "Only one rack can be empty", "ended time_called": "not how this game ended"} {
		field, value, _ := strings.Cut(wrong, " ")
		page.look(t, "/correct", field, value, "why", "x").is(http.StatusUnprocessableEntity).says("main", say)
	}
	look := page.look(t, "/correct", "sum-3", "26", "why", "an eleven was left out").is(http.StatusOK).says("main",
		"41").says("main", "−26").
		says("main", "calculated from the points left").says("#correct-standings", name(3)).says("main",
		"second official")
	if r := e.result(game); r.Rev != 2 {
		t.Fatalf("looking at it entered it: %+v", r)
	}
	links := find(find(look.doc, "main")[0], "a.btn")
	if back := head.get(t, attr(links[len(links)-1], "href")); back.value("sum-3") != "26" ||
		back.value("why") != "an eleven was left out" {
		t.Errorf("back at the form, what was typed is lost: %q", back.value("sum-3"))
	}
	look.submit(result).is(http.StatusOK).says("#waits", "an eleven was left out")
	if r := e.result(game); r.Rev != 2 {
		t.Fatalf("one official entered it: %+v", r)
	}
	second := e.signedIn("organizer").get(t, result)
	var look2 string
	for _, link := range second.inside("#waits", "a.primary") {
		look2 = attr(link, "href")
	}
	second.reader.get(t, look2).is(http.StatusOK).says("main", "−26").submit("/sanction.seconded").is(http.StatusOK)
	r := e.result(game)
	if r.Rev != 3 || r.Lines[3].Points != -score.Whole(26) || r.Lines[3].Charge != 26 ||
		r.Lines[0].Points != score.Whole(41) || r.Lines[0].Wins != score.Whole(1) ||
		r.Why != "an eleven was left out" || r.Lines[3].Tiles != "" {
		t.Errorf("entered: %+v", r)
	}
	second.reader.get(t, result).says(".revisions", "an eleven was left out").says(".revisions",
		"−15").says(".revisions", "−26")
}
