package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"meldhall/engine/testmode"
	"meldhall/web/request"
)

// inside matches internal names: fields as in code, forms and JSON.
var inside = regexp.MustCompile(`\b[a-z]+(_[a-z]+)+\b|\b[a-z]+-\d+\b|\b[a-z]+\[\d+\]|\{\{|<no value>`)

// mistypes returns invalid values for a field of this kind.
func mistypes(n *html.Node) []string {
	switch kind := attr(n, "type"); {
	case attr(n, "name") == "", slices.Contains([]string{"hidden", "checkbox", "file", "search", "submit"}, kind),
		has(n, "disabled"):
		return nil
	case kind == "number" || attr(n, "inputmode") == "numeric":
		return []string{"many", "-7", "999999999"}
	case kind == "radio", n.Data == "select":
		return []string{"nonsuch"}
	case strings.HasPrefix(kind, "datetime"):
		return []string{"never"}
	}
	return []string{strings.Repeat("long ", 600)}
}

// wrongForms submits each form of a page once for every field and wrong value.
func wrongForms(t *testing.T, r *reader, path string, asked map[string]bool) (refused int) {
	t.Helper()
	page := r.get(t, path)
	// A finished set-up cannot be corrected; a screen's code opens its own page, where guesses are limited.
	if page.status != http.StatusOK || path == "/setup" || strings.HasSuffix(path, "/displays") {
		return 0
	}
	for _, form := range find(page.doc, "form") {
		action, method := attr(form, "action"), strings.ToUpper(attr(form, "method"))
		for _, field := range slices.Concat(find(form, "input"), find(form, "select"), find(form, "textarea")) {
			for _, value := range mistypes(field) {
				name := attr(field, "name")
				u, _ := url.Parse(action)
				if action == "" {
					continue // a script's form
				}
				if key := fmt.Sprint(method, u.Path, " ", name, value, attr(field, "id")); asked[key] {
					continue
				} else {
					asked[key] = true
				}
				typed := fieldsOf(form)
				typed.Set(name, value)
				answer := (*leaf)(nil)
				if method == http.MethodPost {
					answer = r.post(t, action, typed, "Referer", r.http.URL+page.path)
				} else {
					answer = r.get(t, u.Path+"?"+typed.Encode())
				}
				if method == http.MethodGet && field.Data == "select" &&
					answer.status == http.StatusUnprocessableEntity {
					refused++ // a page cannot mistype a choice; the error page names the value
					continue
				}
				if answer.status >= 400 {
					refused++
					answer.standsAtItsField(t, fmt.Sprintf("%s: %s with %s=%.12q", path, action, name, value),
						attr(field, "type"), name, value)
				}
			}
		}
	}
	return refused
}

// standsAtItsField checks that a page reports a problem at its field without internal names, keeps the typed value, and
// links to the field from its summary. A code is shown again as it was normalized.
func (p *leaf) standsAtItsField(t *testing.T, where, kind, name, typed string) {
	t.Helper()
	said := ""
	for _, n := range append(find(p.doc, ".flash"), find(p.doc, ".field-problem")...) {
		said += textOf(n) + "\n"
	}
	said = strings.ReplaceAll(said, strings.TrimSpace(typed), "")
	if words := inside.FindString(said); words != "" {
		t.Errorf("%s: says %q: %.400s", where, words, said)
	}
	if p.status == http.StatusTooManyRequests {
		return
	}
	marked := find(p.doc, "[aria-invalid=true]")
	if len(marked) == 0 && p.status == http.StatusConflict {
		return // a conflict that does not depend on the input
	}
	if len(marked) == 0 {
		t.Errorf("%s: %d, no field is marked: %.300s", where, p.status, said)
		return
	}
	n := marked[0]
	for _, id := range strings.Fields(attr(n, "aria-describedby")) {
		if !slices.ContainsFunc(everyElement(p.doc), func(n *html.Node) bool { return attr(n, "id") == id }) {
			t.Errorf("%s: is described by %s, which is not there", where, id)
		}
	}
	if !strings.Contains(attr(n, "aria-describedby"), "-fault") &&
		!strings.Contains(attr(n, "aria-describedby"), "-problem") {
		t.Errorf("%s: the field is not described by what is wrong", where)
	}
	if !slices.ContainsFunc(find(p.doc, "a"), func(a *html.Node) bool { return attr(a, "href") == "#"+attr(n, "id") }) {
		t.Errorf("%s: the summary does not lead to %s", where, attr(n, "id"))
	}
	if attr(n, "name") == name && name != "code" && (n.Data == "input" || n.Data == "textarea") && kind != "radio" &&
		kind != "password" && strings.TrimSpace(p.value(name)) != strings.TrimSpace(typed) &&
		!slices.ContainsFunc(marked, func(n *html.Node) bool { return attr(n, "value") == typed }) {
		t.Errorf("%s: %q is not kept: %.40q", where, typed, p.value(name))
	}
}

func everyElement(doc *html.Node) []*html.Node { return slices.Collect(doc.Descendants()) }

// TestEveryFormSaysWhatIsWrongAtItsField submits the forms of every page with wrong values: before a round, during
// games, and after a count, as an organizer and as the public.
func TestEveryFormSaysWhatIsWrongAtItsField(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	for name, set := range map[string]func(*testing.T) *event{
		"entered": func(t *testing.T) *event { return newPublished(t, "Test", roster(8), nil) },
		"counted": newPlayed,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := set(t)
			fill, asked, refused := e.addresses(t, e.round.Tables[0].Games[0].ID), map[string]bool{}, 0
			for _, r := range []*reader{e.signedIn("organizer"), e.reader()} {
				for _, route := range e.server.Routes() {
					path := fill.Replace(route.Path + queries[route.Path])
					if route.Method != http.MethodGet || strings.HasPrefix(route.Path, request.APIBase) ||
						strings.HasSuffix(route.Path, "/live") ||
						strings.HasPrefix(route.Path, "/assets/") || strings.Contains(path, ":") ||
						route.Path == "/play/waiting" ||
						route.Path == "/desk/:event/paper" /* choices in an address, no fields that are typed */ ||
						route.Path == "/play/next" {
						continue
					}
					refused += wrongForms(t, r, path, asked)
				}
			}
			if t.Logf("%d wrong values were refused", refused); refused < 60 {
				t.Errorf("only %d wrong values were refused", refused)
			}
		})
	}
}
