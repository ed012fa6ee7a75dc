package web

import (
	"fmt"
	"net/http"
	"testing"
)

// TestWhoBeginsLeavesTheCounts: saying who begins at one table leaves what was typed at another.
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
