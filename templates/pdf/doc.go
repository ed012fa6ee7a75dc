// Package pdf renders printable sheets: pages with a header and a footer, text of every script in boxes, tables across
// pages, QR codes. Positions are in millimetres from the side on which reading starts, so that a Hebrew sheet mirrors
// an English one. The fonts of all letters are embedded, as subsets of the program's own fonts.
package pdf

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// Size is a paper size in millimetres.
type Size struct {
	Name          string
	Width, Height float64
}

// Supported paper sizes.
var (
	A4     = Size{"a4", 210, 297}
	Letter = Size{"letter", 215.9, 279.4}
	Sizes  = []Size{A4, Letter}
)

// SizeNamed returns the paper size with the given name, and reports whether there is one.
func SizeNamed(name string) (Size, bool) {
	for _, s := range Sizes {
		if s.Name == name {
			return s, true
		}
	}
	return Size{}, false
}

// Doc is a document under construction. Errors are reported by Write.
type Doc struct {
	f      *fpdf.Fpdf
	size   Size
	rtl    bool
	loaded map[string]bool
	head   Head
	first  int // first page of the section
	foot   func(page, of int) (start, end string)
	w, h   float64  // size of the page
	stamps int      // number of stamps
	laid   []int    // numbers of the placed stamps
	title  string   // of the event
	names  []string // of the sections
	tags   tags
	packer packer

	// Y is the current position in the section, from the top of the page.
	Y float64
}

// Margin is the white margin around a page, in millimetres.
const Margin = 12.0

const footRoom = 9.0 // height of the footer, above the margin

// New starts a document. Its title is the given one, after the name of its section if there is only one. Its bytes
// depend only on its content and on made.
func New(size Size, language string, rtl bool, title string, made time.Time) *Doc {
	f := fpdf.NewCustom(&fpdf.InitType{OrientationStr: "P", UnitStr: "mm",
		Size: fpdf.SizeType{Wd: size.Width, Ht: size.Height}})
	f.SetMargins(0, 0, 0)
	f.SetAutoPageBreak(false, 0)
	f.SetCatalogSort(true)
	f.SetCompression(false) // see packer
	f.SetCreationDate(made)
	f.SetModificationDate(made)
	f.SetProducer("Meldhall", true)
	f.SetLang(language)
	return &Doc{f: f, size: size, rtl: rtl, loaded: map[string]bool{}, w: size.Width, h: size.Height, title: title,
		tags: newTags()}
}

// Head is the header of each page of a section; on continuation pages it is one line.
type Head struct {
	Event, Title, Sub string
	Landscape         bool
	Bare              bool // no header and footer: cards and certificates fill the page
}

// Begin starts a section on a new page. foot returns the texts at the start and the end of the footer of each page.
func (d *Doc) Begin(head Head, foot func(page, of int) (start, end string)) {
	d.end()
	d.tags.section()
	d.head, d.foot, d.first = head, foot, d.f.PageNo()+1
	d.NextPage()
}

// NextPage continues the section on a new page and draws its header.
func (d *Doc) NextPage() {
	d.w, d.h = d.size.Width, d.size.Height
	if d.head.Landscape {
		d.w, d.h = d.h, d.w
	}
	d.f.AddPageFormat("P", fpdf.SizeType{Wd: d.w, Ht: d.h})
	d.Y = Margin
	switch {
	case d.head.Bare:
	case d.f.PageNo() == d.first:
		d.Fill(Margin, d.Y, d.Wide()*0.6, 5, d.head.Event, Style{Size: 11, Grey: true})
		d.Fill(Margin+d.Wide()*0.6, d.Y, d.Wide()*0.4, 5, d.head.Sub, Style{Size: 11, Grey: true, Align: End})
		d.Within(Heading, func() {
			d.Fill(Margin, d.Y+5.5, d.Wide(), 9.5, d.head.Title, Style{Size: 22, Bold: true})
		})
		d.Rule(Margin, d.Y+16.5, d.Wide(), 0.7)
		d.Y += 20
	default:
		d.Artifact(func() {
			d.Fill(Margin, d.Y, d.Wide()*0.6, 5, d.head.Title, Style{Size: 11, Bold: true})
			d.Fill(Margin+d.Wide()*0.6, d.Y, d.Wide()*0.4, 5, d.head.Event, Style{Size: 10, Grey: true, Align: End})
		})
		d.Rule(Margin, d.Y+6.5, d.Wide(), 0.4)
		d.Y += 9
	}
}

// end draws the footers of the finished section, whose number of pages is now known.
func (d *Doc) end() {
	last := d.f.PageNo()
	if d.foot == nil || d.head.Bare || last < d.first {
		return
	}
	for page := d.first; page <= last; page++ {
		d.f.SetPage(page)
		start, end := d.foot(page-d.first+1, last-d.first+1)
		y := d.h - Margin - 4
		d.Rule(Margin, y-1.5, d.Wide(), 0.2)
		d.Artifact(func() {
			d.Fill(Margin, y, d.Wide()*0.8, 4, start, Style{Size: 8, Grey: true})
			d.Fill(Margin+d.Wide()*0.8, y, d.Wide()*0.2, 4, end, Style{Size: 8, Grey: true, Align: End})
		})
	}
	d.f.SetPage(last)
}

// Wide returns the width between the margins.
func (d *Doc) Wide() float64 { return d.w - 2*Margin }

// Bottom returns the lower limit of a page's content, above the footer.
func (d *Doc) Bottom() float64 {
	if d.head.Bare {
		return d.h - Margin
	}
	return d.h - Margin - footRoom
}

// Page returns the size of the whole page.
func (d *Doc) Page() (w, h float64) { return d.w, d.h }

// Room moves to the next page if the current page has no room for an item of this height.
func (d *Doc) Room(height float64) {
	if d.Y+height > d.Bottom() {
		d.NextPage()
	}
}

// left returns the distance of an item's left edge from the page's left edge. x is the item's distance from the side on
// which reading starts, w its width.
func (d *Doc) left(x, w float64) float64 {
	if d.rtl {
		return d.w - x - w
	}
	return x
}

// Mark adds the section to the document's outline.
func (d *Doc) Mark(title string) {
	d.names = append(d.names, title)
	d.use(faces().regular[0], 8)
	d.f.Bookmark(printable(title), 0, 0)
}

// Write finishes the document and writes it to w.
func (d *Doc) Write(w io.Writer) error {
	d.end()
	if len(d.names) == 1 {
		d.title = d.names[0] + " · " + d.title
	}
	d.f.SetTitle(d.title, true)
	slices.Sort(d.laid)
	structure := &tree{tags: d.tags, placed: slices.Compact(d.laid)}
	if err := d.f.Output(packing{&d.packer, w, structure}); err != nil {
		return fmt.Errorf("draw a sheet: %w", err)
	}
	return nil
}

// use selects a font face and adds it to the document on first use.
func (d *Doc) use(f *face, size float64) {
	if !d.loaded[f.name] {
		d.loaded[f.name] = true
		d.f.AddUTF8FontFromBytes(f.name, "", bytes.Clone(f.ttf)) // which the library changes
	}
	d.f.SetFont(f.name, "", size)
}
