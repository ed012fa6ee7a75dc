package formfault

import (
	"net/url"
	"strings"
	"testing"

	"meldhall/templates/locale"
)

const twoForms = `<html><head></head><body><main><p class="flash bad"><span>Why not.</span></p><div id="live">
<form method="post" action="/give"><input type="hidden" name="who" value="1"><label for="a">Points</label><input id="a" name="points" value="0"></form>
<form method="post" action="/give"><input type="hidden" name="who" value="2"><input type="hidden" name="seen" value="9">
<details><fieldset><legend>Anna</legend><label for="b">Points</label><input id="b" name="points" value="0" aria-describedby="b-hint"></fieldset></details>
<label>Kind <select name="kind"><option value="x" selected>X</option><option value="y">Y</option></select></label>
<input name="from" aria-label="Line 1"><input name="from" aria-label="Line 2"><input type="password" name="secret"></form></div></main></body></html>`

func show(t *testing.T, typed url.Values, faults ...Fault) string {
	t.Helper()
	page, err := Show(locale.WithLanguage(t.Context(), "en"), []byte(twoForms),
		Form{Method: "POST", Path: "/give", Typed: typed}, faults, false)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// TestAFaultStandsAtItsField checks that a fault is shown only in the submitted form, which is focused there and keeps
// the submitted values except secrets.
func TestAFaultStandsAtItsField(t *testing.T) {
	typed := url.Values{"who": {"2"}, "seen": {"4"}, "points": {"many"}, "kind": {"y"}, "from": {"1", "2"},
		"secret": {"hush"}}
	got := show(t, typed, Fault{Fields: []string{"points"}, Problem: "Why not.", Text: "No number."},
		Fault{Fields: []string{"from"}, Nth: 1, Problem: "Why not.", Text: "Too late."})
	for _, want := range []string{`<a href="#b">Anna · Points</a>: No number.`, `>Line 2</a>: Too late.`,
		`id="b-fault"`, `aria-describedby="b-fault b-hint"`, `aria-invalid="true"`,
		`value="many"`, `<details open="">`, `hx-morph-skip`, `<option value="y" selected="">`,
		`id="a" name="points" value="0"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	for _, bad := range []string{"Why not.", "hush", `id="a-fault"`} {
		if strings.Contains(got, bad) {
			t.Errorf("%s is in %s", bad, got)
		}
	}
	if n := strings.Count(got, "autofocus"); n != 1 {
		t.Errorf("the page opens at %d fields", n)
	}
}

// TestWhatNoFieldCuresStaysAsItIs checks that a page does not change if it does not contain the form, or if the refusal
// concerns none of the form's fields.
func TestWhatNoFieldCuresStaysAsItIs(t *testing.T) {
	for _, typed := range []url.Values{{"who": {"3"}, "points": {"many"}}, {"who": {"2"}, "nothing": {"many"}}} {
		if got := show(t, typed, Fault{Fields: []string{"other"}, Problem: "Why not.",
			Text: "Why not."}); !strings.Contains(got, "Why not.") || strings.Contains(got, "aria-invalid") {
			t.Errorf("%v: %s", typed, got)
		}
	}
}

// TestAChoiceThatIsNoneIsSaidSo checks that an invalid choice does not show the internal names of the valid ones.
func TestAChoiceThatIsNoneIsSaidSo(t *testing.T) {
	got := show(t, url.Values{"who": {"2"}, "kind": {"z"}}, Fault{Fields: []string{"kind"}, Problem: "Why not.",
		Text: "Not x or y."})
	if !strings.Contains(got, "choose one from the list") || strings.Contains(got, "Not x or y") {
		t.Error(got)
	}
}

// TestPlacesAreRefusals checks that every key in places belongs to a text, to find typing errors.
func TestPlacesAreRefusals(t *testing.T) {
	for key := range places {
		if !locale.HasText(key) && !locale.HasText("refused."+key) {
			t.Errorf("%s refuses nothing", key)
		}
	}
}
