package pdf

import (
	"bytes"
	"fmt"
	"strings"

	"codeberg.org/go-pdf/fpdf"
)

// Stamp is content that is drawn once and can be placed on any number of pages. It is compressed immediately, while
// content drawn directly on a page stays uncompressed until the document ends. Documents of hundreds of pages therefore
// use stamps.
type Stamp struct {
	fpdf.Template // its other methods are never called
	id            string
	number        int
	size          fpdf.SizeType
	packed        []byte
	text          string // of all it contains
}

// ID returns the stamp's name in its document.
func (s *Stamp) ID() string { return s.id }

// Size returns the size of the page that the stamp was drawn for.
func (s *Stamp) Size() (fpdf.PointType, fpdf.SizeType) { return fpdf.PointType{}, s.size }

// Bytes returns the compressed content.
func (s *Stamp) Bytes() []byte { return s.packed }

// Images returns nil: a stamp has no images.
func (s *Stamp) Images() map[string]*fpdf.ImageInfoType { return nil }

// Templates returns nil: a stamp has no nested templates.
func (s *Stamp) Templates() []fpdf.Template { return nil }

// Stamp draws content that can be placed on pages of the current size any number of times. Readers read its texts as
// one paragraph.
func (d *Doc) Stamp(draw func()) *Stamp {
	var texts []string
	was := d.tags.flat
	d.tags.flat = &texts
	s := d.stamp(draw)
	d.tags.flat = was
	s.text = strings.Join(texts, "\n")
	return s
}

// Pack draws content on the page through a stamp of its own, with its structure.
func (d *Doc) Pack(draw func()) {
	d.tags.stamp = d.stamps + 1
	d.tags.on[d.tags.stamp] = d.f.PageNo()
	s := d.stamp(draw)
	d.tags.stamp = 0
	d.lay(s, 0)
}

func (d *Doc) stamp(draw func()) *Stamp {
	d.stamps++
	// the PDF library sorts stamps by ID, and the structure needs to know their order
	s := &Stamp{id: fmt.Sprintf("%07d", d.stamps), number: d.stamps, size: fpdf.SizeType{Wd: d.w, Ht: d.h}}
	page := d.f
	drawn := page.CreateTemplateCustom(fpdf.PointType{}, s.size, func(t *fpdf.Tpl) {
		d.f = &t.Fpdf
		draw()
		page.SetError(t.Error())
	})
	d.f = page
	s.packed = bytes.Clone(d.packer.pack(drawn.Bytes()))
	return s
}

// Lay places a stamp on the page, lower by down than it was drawn.
func (d *Doc) Lay(s *Stamp, down float64) {
	var e *element
	if d.tags.artifacts == 0 && s.text != "" {
		e = d.tags.add(&element{role: Paragraph, actual: s.text})
	}
	d.mark(e, func() { d.lay(s, down) })
}

func (d *Doc) lay(s *Stamp, down float64) {
	d.laid = append(d.laid, s.number)
	d.f.UseTemplateScaled(s, fpdf.PointType{Y: down}, s.size)
}
