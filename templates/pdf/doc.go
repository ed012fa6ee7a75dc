// Package pdf renders printable sheets: pages with a header and a footer, text of every script in boxes, tables across
// pages, QR codes. Positions are in millimetres from the side on which reading starts, so that a Hebrew sheet mirrors
// an English one. The fonts of all letters are embedded, as subsets of the program's own fonts.
package pdf

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	_ "image/png" // for backgrounds
	"io"
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
	w, h   float64 // size of the page
	stamps int     // number of stamps
	packer packer

	// Y is the current position in the section, from the top of the page.
	Y float64
}

// Margin is the white margin around a page, in millimetres.
const Margin = 12.0

const footRoom = 9.0 // height of the footer, above the margin

// New starts a document. Its bytes depend only on its content and on made.
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
	f.SetTitle(title, true)
	f.SetLang(language)
	return &Doc{f: f, size: size, rtl: rtl, loaded: map[string]bool{}, w: size.Width, h: size.Height}
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
		d.Fill(Margin, d.Y+5.5, d.Wide(), 9.5, d.head.Title, Style{Size: 22, Bold: true})
		d.Rule(Margin, d.Y+16.5, d.Wide(), 0.7)
		d.Y += 20
	default:
		d.Fill(Margin, d.Y, d.Wide()*0.6, 5, d.head.Title, Style{Size: 11, Bold: true})
		d.Fill(Margin+d.Wide()*0.6, d.Y, d.Wide()*0.4, 5, d.head.Event, Style{Size: 10, Grey: true, Align: End})
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
		d.Fill(Margin, y, d.Wide()*0.8, 4, start, Style{Size: 8, Grey: true})
		d.Fill(Margin+d.Wide()*0.8, y, d.Wide()*0.2, 4, end, Style{Size: 8, Grey: true, Align: End})
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

// Rule draws a horizontal line.
func (d *Doc) Rule(x, y, w, thick float64) {
	d.f.SetFillColor(0, 0, 0)
	d.f.Rect(d.left(x, w), y, w, thick, "F")
}

// Box draws an empty box.
func (d *Doc) Box(x, y, w, h, thick float64) {
	d.f.SetDrawColor(0, 0, 0)
	d.f.SetLineWidth(thick)
	d.f.Rect(d.left(x, w), y, w, h, "D")
}

// tick draws a tick into a box.
func (d *Doc) tick(x, y, side float64) {
	d.f.SetDrawColor(0, 0, 0)
	d.f.SetLineWidth(side * 0.14)
	left := d.left(x, side)
	d.f.Line(left+side*0.15, y+side*0.5, left+side*0.42, y+side*0.8)
	d.f.Line(left+side*0.42, y+side*0.8, left+side*1.05, y-side*0.05)
}

// Tint fills an area with grey; 255 is white. Writing with a pen should stay visible on it.
func (d *Doc) Tint(x, y, w, h float64, grey int) {
	d.f.SetFillColor(grey, grey, grey)
	d.f.Rect(d.left(x, w), y, w, h, "F")
}

// Dashes draws a cutting line across or down the page.
func (d *Doc) Dashes(x1, y1, x2, y2 float64) {
	d.f.SetDrawColor(150, 150, 150)
	d.f.SetLineWidth(0.2)
	d.f.SetDashPattern([]float64{1.5, 1.5}, 0)
	d.f.Line(d.left(x1, 0), y1, d.left(x2, 0), y2)
	d.f.SetDashPattern([]float64{}, 0)
}

// Mark adds the section to the document's outline.
func (d *Doc) Mark(title string) {
	d.use(faces().regular[0], 8)
	d.f.Bookmark(printable(title), 0, 0)
}

// pixelsMost limits the size of a picture; an A4 page has nine million pixels at 300 dots per inch.
const pixelsMost = 30_000_000

// Picture converts an uploaded PNG or JPEG to the format that Background takes.
func Picture(sent []byte) ([]byte, error) {
	size, _, err := image.DecodeConfig(bytes.NewReader(sent))
	if err != nil {
		return nil, err
	}
	if size.Width*size.Height > pixelsMost {
		return nil, fmt.Errorf("an image of %d by %d pixels is too large", size.Width, size.Height)
	}
	picture, _, err := image.Decode(bytes.NewReader(sent))
	if err != nil {
		return nil, err
	}
	onWhite := image.NewRGBA(picture.Bounds())
	draw.Draw(onWhite, onWhite.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(onWhite, onWhite.Bounds(), picture, picture.Bounds().Min, draw.Over)
	var out bytes.Buffer
	err = jpeg.Encode(&out, onWhite, &jpeg.Options{Quality: 92})
	return out.Bytes(), err
}

// Background draws a Picture across the whole page.
func (d *Doc) Background(picture []byte) {
	options := fpdf.ImageOptions{ImageType: "jpeg"}
	d.f.RegisterImageOptionsReader("background", options, bytes.NewReader(picture))
	d.f.ImageOptions("background", 0, 0, d.w, d.h, false, options, 0, "")
}

// Write finishes the document and writes it to w.
func (d *Doc) Write(w io.Writer) error {
	d.end()
	if err := d.f.Output(packing{&d.packer, w}); err != nil {
		return fmt.Errorf("draw a sheet: %w", err)
	}
	return nil
}

// use selects a font face and adds it to the document on first use.
func (d *Doc) use(f *face, size float64) {
	if !d.loaded[f.name] {
		d.loaded[f.name] = true
		d.f.AddUTF8FontFromBytes(f.name, "", f.ttf)
	}
	d.f.SetFont(f.name, "", size)
}
