package housekeeping

import (
	"bytes"
	"encoding/binary"
	"image"
	_ "image/jpeg" // decoders of the accepted files
	"sync"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

// decoding limits the memory that uploaded pictures take: one is decoded at a time.
var decoding sync.Mutex

// redrawn decodes a picture, turns it upright and scales it down to at most side by side pixels. Nothing else of the
// file remains, such as the place where a photo was taken. A picture of more than most pixels is an error.
func redrawn(sent []byte, most, side int) (*image.NRGBA, error) {
	size, _, err := image.DecodeConfig(bytes.NewReader(sent))
	if err != nil || size.Width < 1 || size.Height < 1 || size.Width > most/size.Height {
		return nil, image.ErrFormat
	}
	decoding.Lock()
	defer decoding.Unlock()
	from, _, err := image.Decode(bytes.NewReader(sent))
	if err != nil {
		return nil, err
	}
	w, h := size.Width, size.Height
	if longest := max(w, h); longest > side {
		w, h = max(1, w*side/longest), max(1, h*side/longest)
	}
	to := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.CatmullRom.Scale(to, to.Bounds(), from, from.Bounds(), draw.Src, nil)
	return upright(to, orientation(sent)), nil
}

// upright turns and mirrors a picture as an Exif orientation from 1 to 8 says.
func upright(from *image.NRGBA, orientation int) *image.NRGBA {
	w, h := from.Bounds().Dx(), from.Bounds().Dy()
	var source func(x, y int) (int, int) // the pixel of from to show at a place
	switch orientation {
	case 2:
		source = func(x, y int) (int, int) { return w - 1 - x, y }
	case 3:
		source = func(x, y int) (int, int) { return w - 1 - x, h - 1 - y }
	case 4:
		source = func(x, y int) (int, int) { return x, h - 1 - y }
	case 5:
		source = func(x, y int) (int, int) { return y, x }
	case 6:
		source = func(x, y int) (int, int) { return y, h - 1 - x }
	case 7:
		source = func(x, y int) (int, int) { return w - 1 - y, h - 1 - x }
	case 8:
		source = func(x, y int) (int, int) { return w - 1 - y, x }
	default:
		return from
	}
	if orientation >= 5 {
		w, h = h, w
	}
	to := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			to.SetNRGBA(x, y, from.NRGBAAt(source(x, y)))
		}
	}
	return to
}

// orientation returns the Exif orientation of a JPEG, from 1 to 8. It is 1 for other files and without a valid one.
func orientation(file []byte) int {
	if !bytes.HasPrefix(file, []byte{0xff, 0xd8}) {
		return 1
	}
	for at := 2; at+4 <= len(file) && file[at] == 0xff && file[at+1] != 0xda; {
		end := at + 2 + int(binary.BigEndian.Uint16(file[at+2:]))
		if end > len(file) {
			break
		}
		if body, ok := bytes.CutPrefix(file[at+4:max(end, at+4)], []byte("Exif\x00\x00")); ok && file[at+1] == 0xe1 {
			return orientationIn(body)
		}
		at = end
	}
	return 1
}

// orientationIn returns the orientation of the first directory of a TIFF structure, or 1.
func orientationIn(tiff []byte) int {
	const tag, entry = 0x0112, 12
	if len(tiff) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.BigEndian
	if tiff[0] == 'I' {
		order = binary.LittleEndian
	}
	start := order.Uint32(tiff[4:])
	if uint64(start)+2 > uint64(len(tiff)) {
		return 1
	}
	list := tiff[start+2:]
	for n := int(order.Uint16(tiff[start:])); n > 0 && len(list) >= entry; n, list = n-1, list[entry:] {
		if order.Uint16(list) != tag {
			continue
		}
		if turn := int(order.Uint16(list[8:])); turn >= 1 && turn <= 8 {
			return turn
		}
		break
	}
	return 1
}
