package formfault

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// loose are fields that a page writes anew each time, also one for each of several things as seen-7: two drawings of one form may differ
// in them.
var loose = []string{"epoch", "seen", "key", "rev", "revision", "back", "from"}

// in finds the form on a page: one to the same address whose hidden fields are those that were sent.
func (f Form) in(doc *html.Node) *html.Node {
	same := all(doc, func(n *html.Node) bool { return n.Data == "form" && f.fits(n) })
	if len(same) == 1 && f.differs(same[0]) == 0 {
		return same[0]
	}
	for _, n := range same {
		if f.differs(n) == 0 && slices.ContainsFunc(controlsOf(n), func(c *html.Node) bool { return f.Typed.Has(attr(c, "name")) }) {
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

// differs is how many hidden fields of a form are others than those that were sent.
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

// fill writes into the fields what was typed. What is secret, and files, are not sent back.
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

// offers tells whether a field that is chosen from a list has a value in it.
func offers(field *html.Node, value string) bool {
	if attr(field, "type") == "radio" {
		return slices.ContainsFunc(controlsNamed(controlsOf(up(field, "form")), attr(field, "name")), func(n *html.Node) bool { return attr(n, "value") == value })
	}
	return field.Data != "select" || len(all(field, func(n *html.Node) bool { return n.Data == "option" && valueOf(n) == value })) > 0
}

func valueOf(option *html.Node) string {
	if has(option, "value") {
		return attr(option, "value")
	}
	return Text(option)
}

// find is the field of a fault.
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

// controlsOf are the fields of a form that somebody sees.
func controlsOf(form *html.Node) []*html.Node {
	return all(form, func(n *html.Node) bool {
		return attr(n, "name") != "" && (n.Data == "select" || n.Data == "textarea" ||
			n.Data == "input" && !slices.Contains([]string{"hidden", "submit", "button", "image"}, attr(n, "type")))
	})
}

// placeOf is the id of a field, which has one from now on.
func placeOf(doc, field *html.Node, n int) string {
	id := attr(field, "id")
	if id == "" {
		id = "field-" + strconv.Itoa(n+1)
		set(field, "id", id)
	}
	return id
}

// label is what the page calls a field, after what it calls the group that it is in.
func label(doc, field *html.Node) string {
	own := ownLabel(doc, field)
	if group := up(field, "fieldset"); group != nil && attr(field, "aria-label") == "" {
		if legend := all(group, func(n *html.Node) bool { return n.Data == "legend" }); len(legend) > 0 && Text(legend[0]) != own {
			return Text(legend[0]) + " · " + own
		}
	}
	return own
}

func ownLabel(doc, field *html.Node) string {
	if attr(field, "type") == "radio" {
		if group := up(field, "fieldset"); group != nil {
			if legend := all(group, func(n *html.Node) bool { return n.Data == "legend" }); len(legend) > 0 {
				return Text(legend[0])
			}
		}
	}
	if text := attr(field, "aria-label"); text != "" {
		return text
	}
	for _, l := range all(doc, func(n *html.Node) bool { return n.Data == "label" && attr(n, "for") == attr(field, "id") }) {
		return Text(l)
	}
	if l := up(field, "label"); l != nil {
		return Text(l)
	}
	return attr(field, "placeholder")
}

// Text is what an element says, without what its fields hold.
func Text(n *html.Node) string {
	var words []string
	var read func(n *html.Node)
	read = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			words = append(words, strings.Fields(n.Data)...)
		case n.Type == html.ElementNode && slices.Contains([]string{"select", "textarea", "small", "datalist", "script"}, n.Data):
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			read(c)
		}
	}
	read(n)
	return strings.Join(words, " ")
}

// all are the elements below a node that fit.
func all(n *html.Node, fits func(*html.Node) bool) (found []*html.Node) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && fits(d) {
			found = append(found, d)
		}
	}
	return found
}

// up is the next element of a name around a node.
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
