package webtest

import (
	"fmt"
	"testing"
)

// fillForm types into every field of a page's largest form, and returns the form's values by name.
const fillForm = `(() => {
	const forms = [...document.querySelectorAll("main form[method=post]")];
	const form = forms.sort((a, b) => b.elements.length - a.elements.length)[0];
	window.largest = form;
	form.noValidate = true;
	for (const el of form.elements) {
		if (el.matches("textarea, input[type=text]") && !el.readOnly) el.value += "x";
		if (el.matches("input[type=number]")) el.value = String(Number(el.value || el.min || 0) + 1);
		if (el.matches("input[type=checkbox]")) el.checked = !el.checked;
	}
	return JSON.stringify(window.values(form));
})()`

// formValues defines how the values of a form are read, on every page.
const formValues = `window.values = (form) => [...form.elements]
	.filter((el) => el.name && el.matches("textarea, select, input:not([type=hidden], [type=file], [type=password])"))
	.map((el) => [el.name, el.matches("[type=checkbox], [type=radio]") ? el.value + el.checked : el.value]);`

// TestBrowserFormSurvivesTheSession ends the session while each of the largest forms is filled in. After the sign-in,
// the same form holds what was typed, and nothing has been sent.
func TestBrowserFormSurvivesTheSession(t *testing.T) {
	e := newPublished(t, "Test", roster(8), nil)
	p := startChromium(t).tab(t, 1280, 800)
	p.still()
	p.atStart(formValues)
	w := &eventWalk{event: e, p: p, whole: t}
	w.signIn()
	for _, path := range []string{"/desk/new", "/desk/1/roster", "/desk/1/format", "/desk/1/rules", "/desk/1/plan",
		"/desk/1/details", "/desk/1/people", "/referee/1/announcements", "/referee/1/penalties",
		"/desk/formats/new?from=open"} {
		t.Run(path, func(t *testing.T) {
			within(t, &w.t, &p.t)
			w.open(path)
			typed := eval[string](p, fillForm)
			action := eval[string](p, `window.largest.getAttribute("action")`)
			p.cookie(e.http.URL, "meldhall-staff", "ended")
			eval[bool](p, `(window.left = true,
				window.largest.requestSubmit(window.largest.querySelector("button:not([type=button])")), true)`)
			p.wait(here)
			w.says("main", "what you have typed is kept")
			w.fill("name", "organizer")
			w.fill("password", password)
			w.press("main form .primary")
			w.says("main", "Nothing has been sent yet")
			p.picture("kept")
			if got := eval[string](p, fmt.Sprintf(`JSON.stringify(window.values(
				[...document.querySelectorAll("form[method=post]")]
					.filter((f) => f.getAttribute("action") === %q)
					.sort((a, b) => b.elements.length - a.elements.length)[0]))`,
				action)); got != typed {
				t.Errorf("got %s, typed %s", got, typed)
			}
		})
	}
}

// TestBrowserFormSurvivesARestart sends a form while the server cannot be reached, and again once it can.
func TestBrowserFormSurvivesARestart(t *testing.T) {
	e := newPublished(t, "Test", roster(8), nil)
	p := startChromium(t).tab(t, 1280, 800)
	p.still()
	w := &eventWalk{event: e, p: p, whole: t}
	w.signIn()
	w.open("/desk/new")
	w.fill("name", "Autumn Open")
	p.offline(true)
	p.tap(p.reach(".wide-form .primary"))
	w.says(".unreachable", "What you have typed stays here")
	p.picture("unreachable")
	p.offline(false)
	w.press(".wide-form .primary")
	w.says("h1", "Roster")
	w.says(".event", "Autumn Open")
}
