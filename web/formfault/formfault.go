// Package formfault shows on a page what was refused in a form of it: what was typed stands there again, each field that is at fault is
// marked and says why, the page opens at the first, and a summary at the top leads to each. It changes the page as it was drawn, so
// that every form has this, whatever draws it, and none needs anything for it but a label for each field.
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

	"meldhall/templates"
)

// Form is a form that was sent: to where, how, and with what.
type Form struct {
	Method, Path string
	Typed        url.Values
}

// Fault is what is wrong with what was typed. Fields are the names of those that it is about, as the form has them; of several the first
// that there is, and of one that the form repeats the one that is Nth. A name with * at its end is the first that begins so.
// Problem is how the page itself says it, which the summary replaces, Text what stands at the field.
type Fault struct {
	Fields        []string
	Nth           int
	Problem, Text string
}

// Show gives a page with the faults at their fields, and as it is where none of them is a field of it. Keep fills the form with what was
// typed in any case.
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

// mark says at each field what is wrong with it, and above all of the page where.
func mark(ctx context.Context, doc, sent *html.Node, form Form, faults []Fault, at []*html.Node) error {
	var said []templates.FieldProblem
	for i, f := range faults {
		if at[i] == nil || slices.ContainsFunc(said, func(p templates.FieldProblem) bool { return p.Name == attr(at[i], "id") }) {
			continue
		}
		problem := templates.FieldProblem{Name: placeOf(doc, at[i], len(said)), Label: label(doc, at[i]), Text: f.Text}
		if !offers(at[i], form.Typed.Get(attr(at[i], "name"))) {
			problem.Text = templates.T(ctx, "event_rules.choose")
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
	set(sent, "hx-morph-skip", "") // the page's stream leaves what is being mended alone
	return summary(ctx, doc, sent, faults, at, said)
}

// note stands after a field, and describes it.
func note(ctx context.Context, field *html.Node, p templates.FieldProblem) error {
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
	nodes, err := drawn(ctx, templates.FieldNote(id, p.Text))
	for _, n := range nodes {
		after.Parent.InsertBefore(n, after.NextSibling)
	}
	return err
}

// summary replaces what the page says of what stands at its fields now: at the top of it, or of the sheet that is shown over it.
func summary(ctx context.Context, doc, sent *html.Node, faults []Fault, at []*html.Node, said []templates.FieldProblem) error {
	top := sent
	for top.Parent != nil && !hasClass(top, "confirm") && top.Data != "main" && top.Data != "body" {
		top = top.Parent
	}
	for _, flash := range all(doc, func(n *html.Node) bool { return hasClass(n, "flash") && hasClass(n, "bad") }) {
		text := Text(flash)
		for i, f := range faults {
			if at[i] != nil && flash.Parent != nil && (text == spaced(f.Problem) || text == spaced(f.Text)) {
				flash.Parent.RemoveChild(flash)
			}
		}
	}
	nodes, err := drawn(ctx, templates.FaultSummary(said))
	for _, n := range slices.Backward(nodes) {
		top.InsertBefore(n, top.FirstChild)
	}
	return err
}

// spaced is a text with single spaces, as Text gives it.
func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

func drawn(ctx context.Context, c templ.Component) ([]*html.Node, error) {
	var text bytes.Buffer
	if err := c.Render(ctx, &text); err != nil {
		return nil, err
	}
	return html.ParseFragment(&text, &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
}
