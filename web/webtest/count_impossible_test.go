package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/web/api"
)

// TestACountThatCannotBeIsRefusedEverywhere checks that score sheets and corrections reject a count that no tiles can
// give, and leave the game unchanged.
func TestACountThatCannotBeIsRefusedEverywhere(t *testing.T) {
	t.Parallel()
	e := newRealEvent(t, 4, map[string]any{"turn_seconds": 0})
	e.start()
	game := e.round.Tables[0].Games[0].ID
	count := fmt.Sprintf("/games/%d/count-racks", game)
	total := func(points any, won bool) fields { return fields{"points": points, "opened": true, "won": won} }
	rack := func(tiles ...string) fields { return fields{"tiles": tiles, "opened": true} }
	for name, c := range map[string]struct {
		code string
		body fields
	}{
		"a rack of 5000": {engine.RefusedCountRack,
			fields{"totals": []fields{total(5030, true), total(-5000, false), total(-10, false), total(-20, false)}}},
		"more than there is": {engine.RefusedCountTiles,
			fields{"totals": []fields{total(1500, true), total(-500, false), total(-500, false), total(-500, false)}}},
		"a winner with a rack": {engine.RefusedCountLowest,
			fields{"lowest": 7, "totals": []fields{total(60, true), total(-10, false), total(-20, false),
				total(-30, false)}}},
		"what does not add up": {engine.RefusedCountSum,
			fields{"totals": []fields{total(59, true), total(-10, false), total(-20, false), total(-30, false)}}},
		"three jokers": {engine.RefusedCountFace,
			fields{"racks": []fields{rack(), rack("J"), rack("J"), rack("J")}}},
		"two winners by empty rack": {engine.RefusedCountEmpty,
			fields{"racks": []fields{rack(), rack(), rack("R1"), rack("R2")}}},
	} {
		c.body["why"], c.body["key"] = "emptied", e.key()
		if e.referee.refusedWith(t, http.StatusUnprocessableEntity, c.code, http.MethodPost, count,
			c.body); e.public().view(game).Phase == engine.PhaseOver {
			t.Fatalf("%s was entered", name)
		}
	}
	for name, points := range map[string]any{"a part of a twelfth": -10.03, "text": "4O", "no number": "",
		"nothing": []int{}} {
		body := fields{"why": "emptied", "key": e.key(), "totals": []fields{total(60, true), total(points, false),
			total(-20, false), total(-30, false)}}
		if status, _, text := e.referee.send(http.MethodPost, count, body); status/100 != 4 ||
			e.public().view(game).Phase == engine.PhaseOver {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	e.referee.post(game, "count-racks", fields{"why": "emptied",
		"totals": []fields{total(60, true), total(-10, false), total(-20, false), total(-30, false)}})
	sums := []engine.SummedRack{{Opened: true}, {Sum: 5000, Opened: true}, {Sum: 5, Opened: true},
		{Sum: 5, Opened: true}}
	e.referee.refusedWith(t, http.StatusUnprocessableEntity, engine.RefusedCountRack, http.MethodPost,
		fmt.Sprintf("/games/%d/recount", game), fields{"rev": 1, "why": "x", "sums": sums})
	lines := []api.CorrectLine{{Seat: 0, Wins: 12, Points: 720}, {Seat: 1, Points: -120, Charge: 5000},
		{Seat: 2, Points: -240}, {Seat: 3, Points: -360}}
	e.referee.refusedWith(t, http.StatusUnprocessableEntity, "err_result_charge", http.MethodPost,
		fmt.Sprintf("/games/%d/correct", game), api.CorrectBody{Rev: 1, Why: "x", Lines: lines})
	if r := e.result(game); r.Rev != 1 || r.Lines[0].Points != score.Whole(60) {
		t.Errorf("%+v", r)
	}
}

// TestNumbersOnFormsAreReadInAnyScript checks that the hall's form and the form of a decided result accept the digits
// of any script. For other text the error names the field and repeats the text.
func TestNumbersOnFormsAreReadInAnyScript(t *testing.T) {
	t.Parallel()
	e := newRealEvent(t, 4, nil)
	e.start()
	game := e.round.Tables[0].Games[0].ID
	name := func(seat int) string { return e.round.Tables[0].Seats[seat].Player.Name }
	o := e.signedIn("organizer")
	path := fmt.Sprintf("/referee/%d/real", e.id)
	send := func(page *leaf, do string, sums ...string) *leaf {
		t.Helper()
		values := fieldsOf(find(page.doc, "form.flow")[0])
		values.Set("do", do)
		values.Set(fmt.Sprint("why-", game), "emptied")
		for i, sum := range sums {
			values.Set(fmt.Sprintf("sum-%d-%d", game, i+1), sum)
		}
		return o.post(t, path, values)
	}
	page := o.get(t, path)
	for _, wrong := range []string{"4O", "abc", "\u201320"} {
		said := send(page, "look", "10", wrong, "30").is(http.StatusUnprocessableEntity).text(".flash")
		if !strings.Contains(said, name(2)) || !strings.Contains(said, wrong) || strings.Contains(said, name(1)) {
			t.Errorf("%q: %s", wrong, said)
		}
	}
	seen := send(page, "look", "١٠", "२०", "３０").is(http.StatusOK)
	send(seen, "enter").is(http.StatusOK)
	if r := e.result(game); r.Lines[0].Points != score.Whole(60) || r.Lines[3].Points != -score.Whole(30) {
		t.Fatalf("%+v", r)
	}
	result := fmt.Sprintf("/desk/%d/results/%d", e.id, game)
	o.get(t, result).look(t, "/correct", "points-1", "\u2212١١", "points-0", "６１", "why",
		"x").is(http.StatusOK).says("main", "−11")
	if said := o.get(t, result).look(t, "/correct", "points-1", "\u201320", "why",
		"x").is(http.StatusUnprocessableEntity).text("main"); !strings.Contains(said, name(1)+" · Points") {
		t.Errorf("a dash is no minus: %s", said)
	}
}
