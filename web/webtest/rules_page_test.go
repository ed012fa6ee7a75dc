package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/web/api"
)

// TestOrganizerChangesTheRules checks that all rules are on one page until the first game is dealt, that wrong values
// are reported at their fields, and that a change is previewed and can be undone. Afterwards a ruling with a reason
// changes them from a round on, and the regulations say so.
func TestOrganizerChangesTheRules(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Test", roster(8), nil)
	o := e.signedIn("organizer")
	path := fmt.Sprintf("/desk/%d/rules", e.id)
	rules := func() ruleset.Ruleset {
		var d api.TournamentDetail
		e.organizer.must(http.MethodGet, fmt.Sprintf("/tournaments/%d", e.id), nil, &d)
		return d.Rules
	}
	page := o.get(t, path).is(http.StatusOK).says("main", "Seconds per turn").says("main", "Default: 60").says("main",
		"4.3 Time for a turn")
	for _, f := range ruleset.RuleFields() {
		if len(find(page.doc, "#"+f.Name)) != 1 || len(find(page.doc, "#"+f.Name+"-hint")) != 1 {
			t.Errorf("%s is not on the page with what it means", f.Name)
		}
	}
	t.Run("every wrong value stands at its field", func(t *testing.T) {
		typed := []string{"do", "look"}
		for _, f := range ruleset.RuleFields() {
			wrong := "perhaps"
			if f.Hi > 0 {
				wrong = fmt.Sprint(f.Hi + 1)
			}
			typed = append(typed, f.Name, wrong)
		}
		bad := page.submit("/rules", typed...).is(http.StatusUnprocessableEntity)
		if n := bad.count(".field-problem"); n != len(ruleset.RuleFields()) {
			t.Errorf("%d problems at their fields", n)
		}
		links := find(find(bad.doc, ".flash")[0], "a")
		if len(links) != len(ruleset.RuleFields()) {
			t.Errorf("%d links of the summary", len(links))
		}
		for _, a := range links {
			id := strings.TrimPrefix(attr(a, "href"), "#")
			if f := find(bad.doc, "#"+id); len(f) != 1 || attr(f[0], "aria-invalid") != "true" ||
				strings.Contains(textOf(a), "_") {
				t.Errorf("the summary leads to %q by %q", id, textOf(a))
			}
		}
		if first := find(bad.doc, "#turn_seconds"); bad.value("turn_seconds") != "3601" || !has(first[0], "autofocus") {
			t.Error("what was typed is lost, or the page does not open at the first field")
		}
		bad.says(".flash", "“3601” must be a whole number from 0 to 3600").says("#turn_seconds-problem",
			"“3601” must be a whole number from 0 to 3600")
	})
	page.submit("/rules", "do", "look", "seats_min", "4", "seats_max",
		"3").is(http.StatusUnprocessableEntity).says("#seats_max-problem", "must not be fewer")
	look := page.submit("/rules", "do", "look", "turn_seconds", "90", "starter", "rotate").is(http.StatusOK).
		says(".effects", "Seconds per turn (0: no clock): 60 → 90").says(".effects",
		"then the next seat").says(".effects", "No game has been dealt")
	if rules().TurnSeconds != 60 {
		t.Error("looking at it did it")
	}
	if again := look.submit("/rules", "do", "edit"); again.value("turn_seconds") != "90" ||
		again.value("joker_points") != "100" {
		t.Error("the form has lost what was typed")
	}
	saved := look.submit("/rules", "do", "save", "why", "a slow hall").is(http.StatusOK).says(".flash",
		"The rules have been changed").says("main", "Not the default: 60")
	if r := rules(); r.TurnSeconds != 90 || r.Starter != ruleset.Rotate || r.JokerPoints != 100 {
		t.Errorf("got %+v", r)
	}
	back := saved.submit("/rules", "do", "look").is(http.StatusOK).says(".effects", "90 → 60")
	back.submit("/rules", "do", "save").is(http.StatusOK)
	if r := rules(); r.TurnSeconds != 60 || r.Starter != ruleset.DrawStarter {
		t.Errorf("it was not taken back: %+v", r)
	}
	o.get(t, fmt.Sprintf("/desk/%d/log?q=slow+hall", e.id)).says("main", "Rules changed").says("main",
		"Seconds per turn (0: no clock): 90")
	late := o.get(t, path).submit("/rules", "do", "look", "turn_seconds", "120").is(http.StatusOK)
	e.start()
	late.submit("/rules", "do", "save", "why", "too late").is(http.StatusConflict).says(".flash",
		"from round 2 at the earliest")
	t.Run("then by a ruling", func(t *testing.T) { ruleFromARoundOn(t, e, o, path) })
}

func ruleFromARoundOn(t *testing.T, e *event, o *reader, path string) {
	page := o.get(t, path).is(http.StatusOK).says("main", "round 2 at the earliest")
	if fields := find(page.doc, "#standings"); len(fields) != 1 || !has(fields[0], "disabled") {
		t.Error("what holds for the whole event can be typed")
	}
	page.submit("/rules", "do", "look", "turn_seconds", "40").is(http.StatusUnprocessableEntity).says("#why-problem",
		"give a reason")
	page.submit("/rules", "do", "look", "turn_seconds", "40", "round", "1", "why",
		"x").is(http.StatusUnprocessableEntity).says("#round-problem", "from 2 to")
	third := page.submit("/rules", "do", "edit", "turn_seconds", "50", "round", "3").is(http.StatusOK).says("main",
		"are those of round 3")
	if third.value("turn_seconds") != "50" {
		t.Error("the form has lost what was typed")
	}
	look := page.submit("/rules", "do", "look", "turn_seconds", "40", "why",
		"The hall closes early").is(http.StatusOK).says(".effects", "60 → 40").says(".effects", "from round 2 on")
	look.submit("/rules", "do", "save").is(http.StatusOK).says(".flash", "applies from round 2 on").says("main",
		"Seconds per turn (0: no clock): 40")
	second := o.get(t, path)
	if was, is := page.value("turn_seconds"), second.value("turn_seconds"); was != "60" || is != "40" {
		t.Errorf("the form of round 2 has %s, then %s", was, is)
	}
	public := e.reader()
	text := public.get(t, fmt.Sprintf("/events/%d/regulations", e.id)).is(http.StatusOK).says("main",
		"From round 2 on").says("main", "The hall closes early").text("main")
	if strings.Contains(text, ": The hall closes early") || !strings.Contains(o.get(t, path).text("main"),
		": The hall closes early") {
		t.Error("the regulations name who ruled")
	}
	o.get(t, path).submit("/tournament.rules_back").is(http.StatusOK).says(".flash", "taken back")
	if strings.Contains(public.get(t, fmt.Sprintf("/events/%d/regulations", e.id)).text("main"), "From round 2 on") {
		t.Error("the regulations still have it")
	}
	e.signedIn("referee").get(t, path).is(http.StatusForbidden)
}

// TestSavedRulesAreOffered checks that rules saved from an event are offered for a new one and used as they are, even
// if the format of the new event has rules of its own.
func TestSavedRulesAreOffered(t *testing.T) {
	t.Parallel()
	e := newEntered(t, "Test", roster(8), map[string]any{"turn_seconds": 47, "meld_points": 25})
	o := e.signedIn("organizer")
	path := fmt.Sprintf("/desk/%d/rules", e.id)
	o.get(t, path).submit("/actions/rules.save", "name", "Our evening").is(http.StatusOK).
		says(".flash", "New events can use these rules")
	if o.get(t, path).count("form[action=/actions/rules.remove]") != 1 {
		t.Error("the saved rules cannot be deleted on the page")
	}
	if page := o.get(t, "/desk/new"); page.count("input[value=own-1]") != 1 {
		t.Fatal("a new event does not offer the saved rules")
	}
	o.post(t, "/desk/new", url.Values{"name": {"Second"}, "format": {"quick"}, "rules": {"own-1"},
		"rule-joker_points": {"20"}}).is(http.StatusOK)
	var d api.TournamentDetail
	e.organizer.must(http.MethodGet, fmt.Sprintf("/tournaments/%d", e.id+1), nil, &d)
	if d.Rules.Name != "Our evening" || d.Rules.TurnSeconds != 47 || d.Rules.MeldPoints != 25 ||
		d.Rules.JokerPoints != 20 {
		t.Errorf("got %+v", d.Rules)
	}
	o.post(t, "/desk/new", url.Values{"name": {"Third"}, "format": {"quick"}, "rules": {"own-9"}}).
		is(http.StatusNotFound)
}
