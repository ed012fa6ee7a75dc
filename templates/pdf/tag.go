package pdf

import (
	"fmt"
	"slices"
	"strings"
)

// Role is a structure type of tagged PDF (ISO 32000-1, 14.8.4), by which a screen reader announces a part of a sheet.
type Role string

// Roles of the parts of a sheet.
const (
	Heading    Role = "H1"
	Subheading Role = "H2"
	Paragraph  Role = "P"
	Section    Role = "Sect"
	List       Role = "L"
	Item       Role = "LI"
	ItemLabel  Role = "Lbl"
	ItemBody   Role = "LBody"

	Table      Role = "Table"
	TableRow   Role = "TR"
	HeaderCell Role = "TH" // of a column
	Cell       Role = "TD"

	root   Role = "Document"
	figure Role = "Figure"
	span   Role = "Span"
)

// holdsText reports whether text can be directly in a part, rather than in a paragraph of it.
func (r Role) holdsText() bool {
	return !slices.Contains([]Role{root, Section, List, Item, Table, TableRow, figure}, r)
}

// element is a node of the structure tree. Actual replaces its text for readers, if it is not drawn in reading order
// or letter by letter. Alt describes a picture.
type element struct {
	role        Role
	attributes  string
	alt, actual string
	kids        []kid
	number      int // of its object
}

// kid is an element below another one or, if child is nil, marked content of a stream.
type kid struct {
	child  *element
	stream int
	id     int
}

// tags collects the structure of a document while it is drawn. A stream is a page, counted from 1, or a stamp, by its
// negative number.
type tags struct {
	open      []*element         // from the root to the current element
	marked    map[int][]*element // by stream: the element of each marked content
	on        map[int]int        // by stamp with its own structure: the page that it is on
	stamp     int                // number of the stamp that is drawn with its own structure, or 0
	flat      *[]string          // texts of the stamp that is drawn without structure
	artifacts int                // depth of artifacts: content that readers skip
}

func newTags() tags {
	return tags{open: []*element{{role: root}}, marked: map[int][]*element{}, on: map[int]int{}}
}

func (t *tags) top() *element { return t.open[len(t.open)-1] }

func (t *tags) add(e *element) *element {
	t.top().kids = append(t.top().kids, kid{child: e})
	return e
}

// section ends the open elements and begins a section of the document.
func (t *tags) section() {
	t.open = t.open[:1]
	t.open = append(t.open, t.add(&element{role: Section}))
}

// Within draws content as a part of the sheet in a role. Texts in it that need paragraphs become paragraphs.
func (d *Doc) Within(role Role, draw func()) {
	e := &element{role: role}
	if role == HeaderCell {
		e.attributes = "/O/Table/Scope/Column"
	}
	d.within(e, draw)
}

func (d *Doc) within(e *element, draw func()) {
	if d.tags.flat != nil || d.tags.artifacts > 0 {
		draw()
		return
	}
	d.tags.open = append(d.tags.open, d.tags.add(e))
	draw()
	d.tags.open = d.tags.open[:len(d.tags.open)-1]
}

// Artifact draws content that readers skip, such as ornaments.
func (d *Doc) Artifact(draw func()) {
	d.tags.artifacts++
	draw()
	d.tags.artifacts--
}

// holder returns the element that a text on some lines belongs to, or nil if the text has none.
func (d *Doc) holder(text string, lines int) *element {
	if d.tags.flat != nil {
		*d.tags.flat = append(*d.tags.flat, unmarked(text))
	}
	if d.tags.flat != nil || d.tags.artifacts > 0 {
		return nil
	}
	actual := actualText(text, lines)
	switch top := d.tags.top(); {
	case !top.role.holdsText():
		return d.tags.add(&element{role: Paragraph, actual: actual})
	case actual != "":
		return d.tags.add(&element{role: span, actual: actual})
	default:
		return top
	}
}

// mark draws content of an element; without one, it is an artifact.
func (d *Doc) mark(e *element, draw func()) {
	switch {
	case d.tags.flat != nil:
		draw()
		return
	case e == nil:
		d.f.RawWriteStr("/Artifact BMC")
	default:
		stream := -d.tags.stamp
		if stream == 0 {
			stream = d.f.PageNo()
		}
		id := len(d.tags.marked[stream])
		d.tags.marked[stream] = append(d.tags.marked[stream], e)
		e.kids = append(e.kids, kid{stream: stream, id: id})
		d.f.RawWriteStr(fmt.Sprintf("/P <</MCID %d>> BDC", id))
	}
	draw()
	d.f.RawWriteStr("EMC")
}

// pictured draws a picture, which readers describe by alt. Its place is relative to the reading direction.
func (d *Doc) pictured(alt string, x, y, w, h float64, draw func()) {
	if d.tags.flat != nil || d.tags.artifacts > 0 {
		d.mark(nil, draw)
		return
	}
	left := d.left(x, w) / point
	e := d.tags.add(&element{role: figure, alt: alt, attributes: fmt.Sprintf(
		"/O/Layout/Placement/Block/BBox[%.2f %.2f %.2f %.2f]", left, (d.h-y-h)/point, left+w/point, (d.h-y)/point)})
	d.mark(e, draw)
}

// unmarked returns a text without isolates.
func unmarked(text string) string {
	return strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, text)
}

// actualText returns the text for readers, or "" if they can read what is drawn. Lines have no spaces at their ends.
func actualText(text string, lines int) string {
	plain := unmarked(text)
	if lines == 1 && !strings.ContainsFunc(text, turned) && unmarked(printable(text)) == plain {
		return ""
	}
	return plain
}
