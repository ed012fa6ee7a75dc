package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/engine/score"
)

// TestCouldOpenOrCouldNot checks the hall's form and the correction of a player who has not opened. Both ask whether
// the rack could have, and take the charge from the answer without a sum. An impossible count is reported at the
// player's field.
func TestCouldOpenOrCouldNot(t *testing.T) {
	t.Parallel()
	e := newRealEvent(t, 4, nil)
	e.start()
	game := e.round.Tables[0].Games[0].ID
	name := func(seat int) string { return e.round.Tables[0].Seats[seat].Player.Name }
	o := e.signedIn("organizer")
	send := func(page *leaf, do string, typed ...string) *leaf {
		t.Helper()
		values := fieldsOf(find(page.doc, "form.flow")[0])
		values.Set("do", do)
		values.Set(fmt.Sprint("why-", game), "emptied")
		for i := 0; i+1 < len(typed); i += 2 {
			values.Set(fmt.Sprintf(typed[i], game), typed[i+1])
		}
		return o.post(t, fmt.Sprintf("/referee/%d/real", e.id), values)
	}
	page := o.get(t, fmt.Sprintf("/referee/%d/real", e.id)).says("main", "could open (200)").says("main",
		"could not open (100)")
	wrong := send(page, "look", "sum-%d-1", "10", "sum-%d-2", "20", "sum-%d-3",
		"990").is(http.StatusUnprocessableEntity).says(".flash", name(3))
	if marked := find(wrong.doc, "[aria-invalid=true]"); len(marked) != 1 ||
		attr(marked[0], "name") != fmt.Sprintf("sum-%d-3", game) {
		t.Errorf("%d fields are marked: %s", len(marked), wrong.text(".flash"))
	}
	all := []string{"sum-%d-1", "10", "sum-%d-2", "", "shut-%d-2", "able", "sum-%d-3", "", "shut-%d-3", "unable"}
	seen := send(page, "look", all...).is(http.StatusOK).says("form.flow", "+310").says("form.flow",
		"−200").says("form.flow", "−100")
	send(seen, "enter").is(http.StatusOK)
	if r := e.result(game); !r.Confirmed() || r.Lines[0].Points != score.Whole(310) || r.Lines[2].Charge != 200 ||
		r.Lines[2].Opened || r.Lines[3].Charge != 100 {
		t.Fatalf("%+v", r)
	}
	form := o.get(t, fmt.Sprintf("/desk/%d/results/%d/racks", e.id, game)).is(http.StatusOK)
	typed := fieldsOf(find(form.doc, "form.recount-form")[0])
	if typed.Get("sum-2") != "" || typed.Get("shut-2") != "able" || typed.Get("shut-3") != "unable" ||
		typed.Get("sum-1") != "10" {
		t.Errorf("the form has %v", typed)
	}
	form.look(t, "/correct", "shut-2", "unable", "why", "counted again").is(http.StatusOK).says("main", "+210")
}
