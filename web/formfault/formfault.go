// Package formfault shows the errors of a rejected form on its page. It fills in the submitted values, marks each
// invalid field with the reason, focuses the first one, and adds a summary at the top that links to each. It changes
// the rendered page, so it works with every form, and forms only need a label for each field.
package formfault

import (
	"bytes"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"meldhall/templates/desk"
	"meldhall/templates/locale"
)

// Form is a submitted form: its address, method and values.
type Form struct {
	Method, Path string
	Typed        url.Values
}

// Fault describes the problem with a submitted value. Fields are the names of the fields concerned; the first one
// that the form has is used. If the form repeats that field, Nth selects one. A name that ends in * matches the first
// field with that prefix. Problem is the page's own message, which the summary replaces; Text is the message at the
// field.
type Fault struct {
	Fields        []string
	Nth           int
	Problem, Text string
}

// Show returns a page with the faults at their fields. If the page does not contain the form, it is returned unchanged.
// The form is filled with the submitted values if a fault has a field in it, or if keep is set.
func Show(ctx context.Context, page []byte, form Form, faults []Fault, keep bool) ([]byte, error) {
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return nil, err
	}
	sent := form.in(doc)
	if sent == nil {
		return page, nil
	}
	controls := controlsOf(sent)
	at := make([]*html.Node, len(faults))
	for i, f := range faults {
		at[i] = f.find(controls)
		keep = keep || at[i] != nil
	}
	if keep {
		form.fill(controls)
	}
	if err := mark(ctx, doc, sent, form, faults, at); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = html.Render(&out, doc)
	return out.Bytes(), err
}

// mark adds the faults to their fields, and the summary to the top of the page.
func mark(ctx context.Context, doc, sent *html.Node, form Form, faults []Fault, at []*html.Node) error {
	var said []desk.FieldProblem
	for i, f := range faults {
		if at[i] == nil || slices.ContainsFunc(said, func(p desk.FieldProblem) bool {
			return p.Name == attr(at[i],
				"id")
		}) {
			continue
		}
		problem := desk.FieldProblem{Name: placeOf(doc, at[i], len(said)), Label: label(doc, at[i]), Text: f.Text}
		if !offers(at[i], form.Typed.Get(attr(at[i], "name"))) {
			problem.Text = locale.T(ctx, "event_rules.choose")
		}
		if attr(at[i], "aria-invalid") != "true" {
			if err := note(ctx, at[i], problem); err != nil {
				return err
			}
		}
		said = append(said, problem)
	}
	if len(said) == 0 {
		return nil
	}
	for _, n := range all(doc, func(n *html.Node) bool { return has(n, "autofocus") }) {
		unset(n, "autofocus")
	}
	first := slices.IndexFunc(at, func(n *html.Node) bool { return n != nil })
	set(at[first], "autofocus", "")
	set(sent, "hx-morph-skip", "") // updates of the page's stream must not replace the form
	return summary(ctx, doc, sent, faults, at, said)
}

// note inserts a message after a field and links the two.
func note(ctx context.Context, field *html.Node, p desk.FieldProblem) error {
	id := p.Name + "-fault"
	same := []*html.Node{field}
	if kind := attr(field, "type"); kind == "radio" {
		same = controlsNamed(controlsOf(up(field, "form")), attr(field, "name"))
	}
	for _, n := range same {
		set(n, "aria-invalid", "true")
		set(n, "aria-describedby", strings.TrimSpace(id+" "+attr(n, "aria-describedby")))
	}
	after := same[len(same)-1]
	if l := up(after, "label"); l != nil {
		after = l
	}
	for d := up(field, "details"); d != nil; d = up(d.Parent, "details") {
		set(d, "open", "")
	}
	nodes, err := drawn(ctx, desk.FieldNote(id, p.Text))
	for _, n := range nodes {
		after.Parent.InsertBefore(n, after.NextSibling)
	}
	return err
}

// summary adds the summary at the top of the page, or of the dialog shown over it. It removes the page's own messages
// that are now at the fields.
func summary(ctx context.Context, doc, sent *html.Node, faults []Fault, at []*html.Node,
	said []desk.FieldProblem) error {
	top := sent
	for top.Parent != nil && !hasClass(top, "confirm") && top.Data != "main" && top.Data != "body" {
		top = top.Parent
	}
	for _, flash := range all(doc, func(n *html.Node) bool { return hasClass(n, "flash") && hasClass(n, "bad") }) {
		text := textOf(flash)
		for i, f := range faults {
			if at[i] != nil && flash.Parent != nil && (text == spaced(f.Problem) || text == spaced(f.Text)) {
				flash.Parent.RemoveChild(flash)
			}
		}
	}
	nodes, err := drawn(ctx, desk.FaultSummary(said))
	for _, n := range slices.Backward(nodes) {
		top.InsertBefore(n, top.FirstChild)
	}
	return err
}

// spaced collapses whitespace like Text.
func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

func drawn(ctx context.Context, c templ.Component) ([]*html.Node, error) {
	var text bytes.Buffer
	if err := c.Render(ctx, &text); err != nil {
		return nil, err
	}
	return html.ParseFragment(&text, &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
}
