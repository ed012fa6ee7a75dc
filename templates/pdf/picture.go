package pdf

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"

	"codeberg.org/go-pdf/fpdf"
)

// pixelsMost limits the size of a picture; an A4 page has nine million pixels at 300 dots per inch.
const pixelsMost = 30_000_000

// Picture converts an uploaded PNG or JPEG to the format that Background takes.
func Picture(sent []byte) ([]byte, error) {
	picture, err := decoded(sent)
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

// Logo converts a PNG to the format that Doc.Logo takes, which keeps its transparent parts.
func Logo(stored []byte) ([]byte, error) {
	logo, err := decoded(stored)
	if err != nil {
		return nil, err
	}
	plain := image.NewNRGBA(logo.Bounds()) // the PDF library knows no 16 bits for a colour
	draw.Draw(plain, plain.Bounds(), logo, logo.Bounds().Min, draw.Src)
	var out bytes.Buffer
	err = png.Encode(&out, plain)
	return out.Bytes(), err
}

func decoded(sent []byte) (image.Image, error) {
	size, _, err := image.DecodeConfig(bytes.NewReader(sent))
	if err != nil {
		return nil, err
	}
	if size.Width*size.Height > pixelsMost {
		return nil, fmt.Errorf("an image of %d by %d pixels is too large", size.Width, size.Height)
	}
	picture, _, err := image.Decode(bytes.NewReader(sent))
	return picture, err
}

// Background draws a Picture across the whole page.
func (d *Doc) Background(picture []byte) {
	options := fpdf.ImageOptions{ImageType: "jpeg"}
	d.f.RegisterImageOptionsReader("background", options, bytes.NewReader(picture))
	d.mark(nil, func() { d.f.ImageOptions("background", 0, 0, d.w, d.h, false, options, 0, "") })
}

// Logo draws a Logo as large as it fits into a box, whose middle is x. alt describes it to readers.
func (d *Doc) Logo(x, y, w, h float64, logo []byte, alt string) {
	options := fpdf.ImageOptions{ImageType: "png"}
	info := d.f.RegisterImageOptionsReader("logo", options, bytes.NewReader(logo))
	if info == nil {
		return // Write reports the error
	}
	scale := min(w/info.Width(), h/info.Height())
	w, h, y = info.Width()*scale, info.Height()*scale, y+(h-info.Height()*scale)/2
	d.pictured(alt, x-w/2, y, w, h, func() { d.f.ImageOptions("logo", x-w/2, y, w, h, false, options, 0, "") })
}
