package paper

import (
	"math"

	"meldhall/templates/pdf"
)

// paler mixes an ink with white; 0 leaves it, 1 is white.
func paler(ink pdf.Ink, white float64) pdf.Ink {
	for i, c := range ink {
		ink[i] = c + int(float64(255-c)*white)
	}
	return ink
}

// plot draws a smooth curve through at(0) to at(1), in a number of segments.
func plot(pen pdf.Pen, segments int, at func(t float64) (x, y float64)) {
	const near = 1e-4
	step := 1 / float64(segments)
	slope := func(t float64) (dx, dy float64) {
		x0, y0 := at(t - near)
		x1, y1 := at(t + near)
		return (x1 - x0) / (2 * near) * step / 3, (y1 - y0) / (2 * near) * step / 3
	}
	x, y := at(0)
	pen.MoveTo(x, y)
	for i := range segments {
		t := float64(i) * step
		dx0, dy0 := slope(t)
		dx1, dy1 := slope(t + step)
		toX, toY := at(t + step)
		pen.CurveBezierCubicTo(x+dx0, y+dy0, toX-dx1, toY-dy1, toX, toY)
		x, y = toX, toY
	}
}

// around returns a closed curve around a centre, whose radius depends on the angle.
func around(x, y float64, radius func(angle float64) float64) func(t float64) (float64, float64) {
	return func(t float64) (float64, float64) {
		angle := 2 * math.Pi * t
		return x + radius(angle)*math.Cos(angle), y + radius(angle)*math.Sin(angle)
	}
}

func circle(x, y, radius float64) func(pdf.Pen) {
	return func(pen pdf.Pen) { plot(pen, 8, around(x, y, func(float64) float64 { return radius })) }
}

func polygon(points ...[2]float64) func(pdf.Pen) {
	return func(pen pdf.Pen) {
		for i, p := range points {
			if i == 0 {
				pen.MoveTo(p[0], p[1])
			} else {
				pen.LineTo(p[0], p[1])
			}
		}
		pen.ClosePath()
	}
}

func rectangle(x, y, w, h float64) func(pdf.Pen) {
	return polygon([2]float64{x, y}, [2]float64{x + w, y}, [2]float64{x + w, y + h}, [2]float64{x, y + h})
}

// The border of a certificate, in millimetres from the edge of the page.
const (
	borderEdge  = 8.5
	borderBand  = 14.6 // middle of the band
	borderInner = 20.5
	bandHalf    = 2.7 // amplitude of the waves
)

// border draws interlaced waves between two lines around the page, with a rosette in each corner, on a ground.
func border(d *pdf.Doc, ink, ground pdf.Ink) {
	w, h := d.Page()
	if ground != white {
		d.Area(ground, rectangle(borderEdge, borderEdge, w-2*borderEdge, h-2*borderEdge))
	}
	frame := func(at, thick float64) { d.Line(ink, thick, rectangle(at, at, w-2*at, h-2*at)) }
	frame(borderEdge, 1.1)
	frame(borderEdge+1.7, 0.2)
	long, high := w-2*borderBand, h-2*borderBand
	for _, y := range []float64{borderBand, h - borderBand} {
		band(d, ink, long, func(along, off float64) (float64, float64) { return borderBand + along, y + off })
	}
	for _, x := range []float64{borderBand, w - borderBand} {
		band(d, ink, high, func(along, off float64) (float64, float64) { return x + off, borderBand + along })
	}
	notched(d, ink, borderInner-1.7, 0.2)
	notched(d, ink, borderInner, 0.55)
	for _, x := range []float64{borderBand, w - borderBand} {
		for _, y := range []float64{borderBand, h - borderBand} {
			rosette(d, ink, ground, x, y)
		}
	}
}

// band draws the waves of a side; place converts a distance along the side and one across it to a position.
func band(d *pdf.Doc, ink pdf.Ink, long float64, place func(along, off float64) (x, y float64)) {
	const wave, strands = 13.0, 6
	waves := math.Round(long / wave)
	for strand := range strands {
		shade, thick := paler(ink, 0.35), 0.16
		if strand%3 == 0 {
			shade, thick = ink, 0.24
		}
		d.Line(shade, thick, func(pen pdf.Pen) {
			plot(pen, int(waves)*8, func(t float64) (float64, float64) {
				return place(t*long, bandHalf*math.Sin(2*math.Pi*(t*waves+float64(strand)/strands)))
			})
		})
	}
}

// notched draws a frame with corners that curve inwards.
func notched(d *pdf.Doc, ink pdf.Ink, at, thick float64) {
	const radius, bend = 6.5, 0.5523 // of a quarter of a circle
	w, h := d.Page()
	l, t, r, b := at, at, w-at, h-at
	k := radius * bend
	d.Line(ink, thick, func(pen pdf.Pen) {
		pen.MoveTo(l+radius, t)
		pen.LineTo(r-radius, t)
		pen.CurveBezierCubicTo(r-radius, t+k, r-k, t+radius, r, t+radius)
		pen.LineTo(r, b-radius)
		pen.CurveBezierCubicTo(r-k, b-radius, r-radius, b-k, r-radius, b)
		pen.LineTo(l+radius, b)
		pen.CurveBezierCubicTo(l+radius, b-k, l+k, b-radius, l, b-radius)
		pen.LineTo(l, t+radius)
		pen.CurveBezierCubicTo(l+k, t+radius, l+radius, t+k, l+radius, t)
		pen.ClosePath()
	})
}

// rosette draws the ornament of a corner, which covers the ends of the bands.
func rosette(d *pdf.Doc, ink, ground pdf.Ink, x, y float64) {
	const radius = 5.6
	d.Area(ground, circle(x, y, radius))
	d.Line(ink, 0.45, circle(x, y, radius))
	for i := range 3 {
		turn := float64(i) * math.Pi / 12
		d.Line(paler(ink, 0.2), 0.2, func(pen pdf.Pen) {
			plot(pen, 64, around(x, y, func(angle float64) float64 {
				return radius * (0.62 + 0.28*math.Cos(8*(angle+turn)))
			}))
		})
	}
	d.Area(ink, circle(x, y, radius*0.2))
}

// flourish draws a tapering line with a diamond in its middle.
func flourish(d *pdf.Doc, x, y, wide float64, ink pdf.Ink) {
	const gap, thick, diamond = 4.0, 0.3, 1.3
	for _, side := range []float64{-1, 1} {
		d.Area(ink, polygon([2]float64{x + side*gap, y - thick}, [2]float64{x + side*wide/2, y},
			[2]float64{x + side*gap, y + thick}))
	}
	d.Area(ink, polygon([2]float64{x - diamond, y}, [2]float64{x, y - diamond}, [2]float64{x + diamond, y},
		[2]float64{x, y + diamond}))
}

// seal draws a seal with a place, with ribbons for a medal and a laurel for the champion.
func seal(d *pdf.Doc, x, y float64, won prize, ink pdf.Ink) {
	const radius = 11.5
	if won.medal() {
		ribbons(d, x, y, radius, paler(ink, 0.15))
	}
	if won.place == 1 {
		laurel(d, x, y, radius*1.3, ink)
	}
	d.Area(ink, func(pen pdf.Pen) {
		plot(pen, 4*32, around(x, y, func(angle float64) float64 { return radius * (1 + 0.035*math.Cos(32*angle)) }))
	})
	d.Line(white, 0.5, circle(x, y, radius*0.86))
	d.Line(white, 0.2, circle(x, y, radius*0.78))
	d.Artifact(func() { // the place is in the text
		side := radius * 1.3
		d.Fill(x-side/2, y-side/2, side, side, ltr(won.text),
			pdf.Style{Size: 36, Serif: true, Ink: white, Align: pdf.Centre})
	})
}

// ribbons draws two ends of ribbon below a seal.
func ribbons(d *pdf.Doc, x, y, radius float64, ink pdf.Ink) {
	for _, side := range []float64{-1, 1} {
		at := func(right, down float64) [2]float64 {
			const lean = 0.32
			return [2]float64{x + side*(right*math.Cos(lean)+down*math.Sin(lean))*1,
				y + down*math.Cos(lean) - right*math.Sin(lean)}
		}
		const half = 3.6
		d.Area(ink, polygon(at(-half, radius*0.5), at(half, radius*0.5), at(half, radius*1.62), at(0, radius*1.42),
			at(-half, radius*1.62)))
	}
}

// laurel draws two branches around a centre, open at the top.
func laurel(d *pdf.Doc, x, y, radius float64, ink pdf.Ink) {
	const leaves, from, to = 10, 0.20 * math.Pi, 0.98 * math.Pi // angles from below
	for _, side := range []float64{-1, 1} {
		at := func(angle, radius float64) (float64, float64) {
			return x + side*radius*math.Sin(angle), y + radius*math.Cos(angle)
		}
		d.Line(ink, 0.35, func(pen pdf.Pen) {
			plot(pen, 12, func(t float64) (float64, float64) { return at(from+(to-from-0.2)*t, radius) })
		})
		for i := range leaves {
			angle := from + (to-from-0.25)*float64(i)/(leaves-1)
			for _, outwards := range []float64{-0.7, 0.55} {
				leaf(d, ink, radius*0.24, func(along, across float64) (float64, float64) {
					// the leaf leans away from the branch
					forward := along*math.Cos(outwards) - across*math.Sin(outwards)
					out := along*math.Sin(outwards) + across*math.Cos(outwards)
					return at(angle+forward/radius, radius+out)
				})
			}
		}
	}
}

// leaf draws a pointed leaf; place converts a distance along it and one across it to a position.
func leaf(d *pdf.Doc, ink pdf.Ink, long float64, place func(along, across float64) (x, y float64)) {
	d.Area(ink, func(pen pdf.Pen) {
		x, y := place(0, 0)
		pen.MoveTo(x, y)
		for _, side := range []float64{1, -1} {
			x0, y0 := place(long*(0.5-side*0.2), side*long*0.3)
			x1, y1 := place(long*(0.5+side*0.3), side*long*0.22)
			x, y = place(long*(1+side)/2, 0)
			pen.CurveBezierCubicTo(x0, y0, x1, y1, x, y)
		}
		pen.ClosePath()
	})
}
