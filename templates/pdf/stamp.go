package pdf

import (
	"bytes"
	"strconv"

	"codeberg.org/go-pdf/fpdf"
)

// Stamp is content that is drawn once and can be placed on any number of pages. It is compressed immediately, while
// content drawn directly on a page stays uncompressed until the document ends. Documents of hundreds of pages therefore
// use stamps.
type Stamp struct {
	fpdf.Template // its other methods are never called
	id            string
	size          fpdf.SizeType
	packed        []byte
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

// Stamp draws content that can be placed on pages of the current size.
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

// Lay places a stamp on the page, lower by down than it was drawn.
func (d *Doc) Lay(s *Stamp, down float64) {
	d.f.UseTemplateScaled(s, fpdf.PointType{Y: down}, s.size)
}
