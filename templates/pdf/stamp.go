package pdf

import (
	"bytes"
	"strconv"

	"codeberg.org/go-pdf/fpdf"
)

// Stamp is drawn once, to be laid on pages as often as it is wanted. It is packed as soon as it is drawn, while what is drawn on a page
// itself is kept as it is until the document ends: what fills hundreds of pages is laid on them.
type Stamp struct {
	fpdf.Template // its other methods are nowhere called
	id            string
	size          fpdf.SizeType
	packed        []byte
}

// ID is the stamp's name in its document.
func (s *Stamp) ID() string { return s.id }

// Size is that of the page that it was drawn for.
func (s *Stamp) Size() (fpdf.PointType, fpdf.SizeType) { return fpdf.PointType{}, s.size }

// Bytes are what is drawn, packed.
func (s *Stamp) Bytes() []byte { return s.packed }

// Images are none.
func (s *Stamp) Images() map[string]*fpdf.ImageInfoType { return nil }

// Templates are none.
func (s *Stamp) Templates() []fpdf.Template { return nil }

// Stamp draws what is to be laid on pages like this one.
func (d *Doc) Stamp(draw func()) *Stamp {
	d.stamps++
	s := &Stamp{id: strconv.Itoa(d.stamps), size: fpdf.SizeType{Wd: d.w, Ht: d.h}}
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

// Lay lays a stamp on the page, so far further down than it was drawn.
func (d *Doc) Lay(s *Stamp, down float64) {
	d.f.UseTemplateScaled(s, fpdf.PointType{Y: down}, s.size)
}
