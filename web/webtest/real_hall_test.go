package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestWhoBeginsLeavesTheCounts checks that setting the starting player at one table keeps the counts typed at another.
func TestWhoBeginsLeavesTheCounts(t *testing.T) {
	t.Parallel()
	e := newRealEvent(t, 8, nil)
	e.start()
	first, second := e.round.Tables[0].Games[0].ID, e.round.Tables[1].Games[0].ID
	page := e.signedIn("referee").get(t, fmt.Sprintf("/referee/%d/real", e.id)).is(http.StatusOK)
	var begins string
	for _, key := range find(page.doc, "button[name=seat]") {
		if action := attr(key, "formaction"); action != "" && begins == "" {
			begins = action
		}
	}
	values := fieldsOf(find(page.doc, "form.flow")[0])
	values.Set(fmt.Sprintf("sum-%d-1", second), "17")
	values.Set(fmt.Sprintf("why-%d", second), "time_called")
	values.Set("seat", "2")
	after := page.reader.post(t, begins, values).is(http.StatusOK)
	if v := e.public().view(first); v.Starter != 2 {
		t.Errorf("begins: %+v", v.Starter)
	}
	if got := after.value(fmt.Sprintf("sum-%d-1", second)); got != "17" {
		t.Errorf("of 17 %q is left", got)
	}
}

// TestTheHallSaysWhyNothingIsEntered checks that an incomplete count names its table and player, and that a count
// changed since its preview is previewed again with a message. Each message is at its table, and nothing is entered.
func TestTheHallSaysWhyNothingIsEntered(t *testing.T) {
	t.Parallel()
	e := newRealEvent(t, 8, nil)
	e.start()
	first, second := e.round.Tables[0].Games[0].ID, e.round.Tables[1].Games[0].ID
	name := func(seat int) string { return e.round.Tables[1].Seats[seat].Player.Name }
	o := e.signedIn("referee")
	path := fmt.Sprintf("/referee/%d/real", e.id)
	send := func(page *leaf, do string, sums ...string) *leaf {
		t.Helper()
		values := fieldsOf(find(page.doc, "form.flow")[0])
		values.Set("do", do)
		for _, game := range []int64{first, second} {
			values.Set(fmt.Sprint("why-", game), "emptied")
		}
		for i := 0; i+1 < len(sums); i += 2 {
			values.Set(sums[i], sums[i+1])
		}
		return o.post(t, path, values)
	}
	at := func(game int64, seat int) string { return fmt.Sprintf("sum-%d-%d", game, seat) }
	page := o.get(t, path).is(http.StatusOK)
	for _, do := range []string{"look", "enter"} {
		send(page, do).is(http.StatusOK).says("form.flow", "No count has been typed yet")
	}
	all := []string{at(first, 1), "10", at(first, 2), "20", at(first, 3), "30"}
	lacking := send(page, "look", append([]string{at(second, 0), "12"}, all...)...).is(http.StatusUnprocessableEntity)
	said := lacking.text(".flash")
	for seat := range 4 {
		if strings.Contains(said, "Table 2: points left on the rack of \u2068"+name(seat)) != (seat > 0) {
			t.Errorf("seat %d of table 2 has a count: %v; it says: %s", seat, seat == 0, said)
		}
	}
	if strings.Contains(said, "Table 1") || strings.Contains(said, "xactly one") ||
		!strings.Contains(said, "Missing") || lacking.count("[aria-invalid=true]") != 3 {
		t.Errorf("it says: %s", said)
	}
	both := append([]string{at(second, 1), "1", at(second, 2), "2", at(second, 3), "3"}, all...)
	seen := send(page, "look", both...).is(http.StatusOK)
	if seen.count("[role=alert]") != page.count("[role=alert]") {
		t.Errorf("a count that stands is warned about: %s", seen.text("main"))
	}
	changed := send(seen, "enter", at(second, 3), "33").is(http.StatusOK)
	if here := changed.inside("#table-2", "[role=alert]"); len(here) != 1 || !has(here[0], "autofocus") ||
		!strings.Contains(textOf(here[0]), "has changed since you looked") {
		t.Errorf("a count that was changed is shown without a word: %s", changed.text("main"))
	}
	if len(changed.inside("#table-1", "[role=alert]")) > 0 || !strings.Contains(changed.text("form.flow"), "−33") {
		t.Errorf("after the change: %s", changed.text("form.flow"))
	}
	changed.says("form.flow", "look at table 2 first")
	for _, game := range []int64{first, second} {
		if v := e.public().view(game); v.Phase == "over" {
			t.Error("it was entered all the same")
		}
	}
	send(changed, "enter").is(http.StatusOK)
	for game, points := range map[int64]int{first: 60, second: 36} {
		if r := e.result(game); !r.Confirmed() || int(r.Lines[0].Points) != points*12 {
			t.Errorf("entered: %+v", r)
		}
	}
}
