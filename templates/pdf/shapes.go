package pdf

// Shapes are artifacts: readers skip them.

// Ink is a colour: red, green and blue from 0 to 255.
type Ink = [3]int

// Rule draws a horizontal line.
func (d *Doc) Rule(x, y, w, thick float64) { d.Tint(x, y, w, thick, 0) }

// Box draws an empty box.
func (d *Doc) Box(x, y, w, h, thick float64) {
	d.mark(nil, func() {
		d.f.SetDrawColor(0, 0, 0)
		d.f.SetLineWidth(thick)
		d.f.Rect(d.left(x, w), y, w, h, "D")
	})
}

// tick draws a tick into a box, which readers read as its sign.
func (d *Doc) tick(x, y, side float64) {
	d.mark(d.holder("✓", 1), func() {
		d.f.SetDrawColor(0, 0, 0)
		d.f.SetLineWidth(side * 0.14)
		left := d.left(x, side)
		d.f.Line(left+side*0.15, y+side*0.5, left+side*0.42, y+side*0.8)
		d.f.Line(left+side*0.42, y+side*0.8, left+side*1.05, y-side*0.05)
	})
}

// Tint fills an area with grey; 255 is white. Writing with a pen should stay visible on it.
func (d *Doc) Tint(x, y, w, h float64, grey int) {
	d.mark(nil, func() {
		d.f.SetFillColor(grey, grey, grey)
		d.f.Rect(d.left(x, w), y, w, h, "F")
	})
}

// Dashes draws a cutting line across or down the page.
func (d *Doc) Dashes(x1, y1, x2, y2 float64) {
	d.mark(nil, func() {
		d.f.SetDrawColor(150, 150, 150)
		d.f.SetLineWidth(0.2)
		d.f.SetDashPattern([]float64{1.5, 1.5}, 0)
		d.f.Line(d.left(x1, 0), y1, d.left(x2, 0), y2)
		d.f.SetDashPattern([]float64{}, 0)
	})
}

// Pen draws a path, in millimetres from the page's left and top.
type Pen interface {
	MoveTo(x, y float64)
	LineTo(x, y float64)
	CurveBezierCubicTo(cx0, cy0, cx1, cy1, x, y float64)
	ClosePath()
}

// Line draws the lines of a path.
func (d *Doc) Line(ink Ink, thick float64, path func(Pen)) {
	d.mark(nil, func() {
		d.f.SetDrawColor(ink[0], ink[1], ink[2])
		d.f.SetLineWidth(thick)
		path(d.f)
		d.f.DrawPath("D")
	})
}

// Area fills the inside of a path.
func (d *Doc) Area(ink Ink, path func(Pen)) {
	d.mark(nil, func() {
		d.f.SetFillColor(ink[0], ink[1], ink[2])
		path(d.f)
		d.f.DrawPath("F")
	})
}
