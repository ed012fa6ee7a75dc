package formfault

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// loose lists fields that a page generates anew each time, including numbered ones such as seen-7. Two renderings of a
// form may differ in them.
var loose = []string{"epoch", "seen", "key", "rev", "revision", "back", "from"}

// in returns the form on a page that has the same address and the same hidden fields as those submitted, or nil.
func (f Form) in(doc *html.Node) *html.Node {
	same := all(doc, func(n *html.Node) bool { return n.Data == "form" && f.fits(n) })
	if len(same) == 1 && f.differs(same[0]) == 0 {
		return same[0]
	}
	for _, n := range same {
		if f.differs(n) == 0 && slices.ContainsFunc(controlsOf(n),
			func(c *html.Node) bool { return f.Typed.Has(attr(c, "name")) }) {
			return n
		}
	}
	return nil
}

func (f Form) fits(n *html.Node) bool {
	method := strings.ToUpper(attr(n, "method"))
	if method == "" {
		method = "GET"
	}
	to := func(address string) bool {
		u, err := url.Parse(address)
		return err == nil && u.Path == f.Path
	}
	return method == f.Method && (to(attr(n, "action")) ||
		len(all(n, func(b *html.Node) bool { return has(b, "formaction") && to(attr(b, "formaction")) })) > 0)
}

// differs counts the hidden fields of a form that differ from those submitted.
func (f Form) differs(n *html.Node) (count int) {
	for _, h := range all(n, func(n *html.Node) bool { return n.Data == "input" && attr(n, "type") == "hidden" }) {
		name := attr(h, "name")
		kind, _, _ := strings.Cut(name, "-")
		if name != "" && !slices.Contains(loose, kind) && !slices.Contains(f.Typed[name], attr(h, "value")) {
			count++
		}
	}
	return count
}

// fill writes the submitted values into the fields, except for passwords and files.
func (f Form) fill(controls []*html.Node) {
	seen := map[string]int{}
	for _, n := range controls {
		name, kind := attr(n, "name"), attr(n, "type")
		typed := f.Typed[name]
		nth := seen[name]
		seen[name]++
		switch {
		case has(n, "disabled") || kind == "password" || kind == "file":
		case kind == "checkbox" || kind == "radio":
			if unset(n, "checked"); slices.Contains(typed, attr(n, "value")) {
				set(n, "checked", "")
			}
		case nth >= len(typed):
		case n.Data == "select":
			choose(n, typed[nth])
		case n.Data == "textarea":
			for n.FirstChild != nil {
				n.RemoveChild(n.FirstChild)
			}
			n.AppendChild(&html.Node{Type: html.TextNode, Data: typed[nth]})
		default:
			set(n, "value", typed[nth])
		}
	}
}

func choose(n *html.Node, value string) {
	options := all(n, func(n *html.Node) bool { return n.Data == "option" })
	i := slices.IndexFunc(options, func(o *html.Node) bool { return valueOf(o) == value })
	if i < 0 {
		return
	}
	for _, o := range options {
		unset(o, "selected")
	}
	set(options[i], "selected", "")
}

// offers reports whether a select or radio field offers a value. It returns true for other fields.
func offers(field *html.Node, value string) bool {
	if attr(field, "type") == "radio" {
		return slices.ContainsFunc(controlsNamed(controlsOf(up(field, "form")), attr(field, "name")),
			func(n *html.Node) bool { return attr(n, "value") == value })
	}
	return field.Data != "select" || len(all(field, func(n *html.Node) bool {
		return n.Data == "option" &&
			valueOf(n) == value
	})) > 0
}

func valueOf(option *html.Node) string {
	if has(option, "value") {
		return attr(option, "value")
	}
	return textOf(option)
}

// find returns the field of a fault, or nil.
func (f Fault) find(controls []*html.Node) *html.Node {
	for _, name := range f.Fields {
		if same := controlsNamed(controls, name); f.Nth < len(same) {
			return same[f.Nth]
		}
	}
	return nil
}

func controlsNamed(controls []*html.Node, name string) (same []*html.Node) {
	begin, some := strings.CutSuffix(name, "*")
	for _, n := range controls {
		if have := attr(n, "name"); have == name || some && strings.HasPrefix(have, begin) {
			same = append(same, n)
		}
	}
	return same
}

// controlsOf returns the visible fields of a form.
func controlsOf(form *html.Node) []*html.Node {
	return all(form, func(n *html.Node) bool {
		return attr(n, "name") != "" && (n.Data == "select" || n.Data == "textarea" ||
			n.Data == "input" && !slices.Contains([]string{"hidden", "submit", "button", "image"}, attr(n, "type")))
	})
}

// placeOf returns the ID of a field, and assigns one if it has none.
func placeOf(doc, field *html.Node, n int) string {
	id := attr(field, "id")
	if id == "" {
		id = "field-" + strconv.Itoa(n+1)
		set(field, "id", id)
	}
	return id
}

// label returns the label of a field, preceded by the label of its group.
func label(doc, field *html.Node) string {
	own := ownLabel(doc, field)
	if group := up(field, "fieldset"); group != nil && attr(field, "aria-label") == "" {
		if legend := all(group, func(n *html.Node) bool { return n.Data == "legend" }); len(legend) > 0 &&
			textOf(legend[0]) != own {
			return textOf(legend[0]) + " · " + own
		}
	}
	return own
}

func ownLabel(doc, field *html.Node) string {
	if attr(field, "type") == "radio" {
		if group := up(field, "fieldset"); group != nil {
			if legend := all(group, func(n *html.Node) bool { return n.Data == "legend" }); len(legend) > 0 {
				return textOf(legend[0])
			}
		}
	}
	if text := attr(field, "aria-label"); text != "" {
		return text
	}
	for _, l := range all(doc, func(n *html.Node) bool {
		return n.Data == "label" &&
			attr(n, "for") == attr(field, "id")
	}) {
		return textOf(l)
	}
	if l := up(field, "label"); l != nil {
		return textOf(l)
	}
	return attr(field, "placeholder")
}

// textOf returns the text of an element, without the contents of its fields.
func textOf(n *html.Node) string {
	var words []string
	var read func(n *html.Node)
	read = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			words = append(words, strings.Fields(n.Data)...)
		case n.Type == html.ElementNode && slices.Contains([]string{"select", "textarea", "small", "datalist",
			"script"}, n.Data):
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			read(c)
		}
	}
	read(n)
	return strings.Join(words, " ")
}

// all returns the descendant elements that match.
func all(n *html.Node, fits func(*html.Node) bool) (found []*html.Node) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && fits(d) {
			found = append(found, d)
		}
	}
	return found
}

// up returns the closest element with a name, starting at n and going up, or nil.
func up(n *html.Node, name string) *html.Node {
	for ; n != nil; n = n.Parent {
		if n.Type == html.ElementNode && n.Data == name {
			return n
		}
	}
	return nil
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func set(n *html.Node, name, value string) {
	unset(n, name)
	n.Attr = append(n.Attr, html.Attribute{Key: name, Val: value})
}

func unset(n *html.Node, name string) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func hasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attr(n, "class")), class)
}
