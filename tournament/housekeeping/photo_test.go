package housekeeping_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/housekeeping"
)

// gps is what a phone writes about the place of a photo; maker is another field of the same file.
const gps, maker = "N45.0703 E7.6869", "PhoneMaker X"

// taken returns a JPEG as a phone takes it: with an orientation, a maker and a place in its Exif data. Its left half is
// red, its right half blue.
func taken(t *testing.T, w, h int, orientation uint16) []byte {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			picture.Set(x, y, color.RGBA{R: 0xff, A: 0xff})
			if x >= w/2 {
				picture.Set(x, y, color.RGBA{B: 0xff, A: 0xff})
			}
		}
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, picture, nil); err != nil {
		t.Fatal(err)
	}
	exif := []byte("Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01")
	exif = binary.BigEndian.AppendUint16(exif, orientation)
	exif = append(exif, "\x00\x00\x00\x00\x00\x00"+maker+gps...)
	head := binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, 0xe1}, uint16(len(exif)+2))
	return slices.Concat(head, exif, file.Bytes()[2:])
}

func text64(data []byte) string { return base64.StdEncoding.EncodeToString(data) }

// TestPhotoKeepsOnlyThePicture checks that neither the place nor anything else of a phone's file is stored, that the
// picture is scaled down, and that it is turned as the phone was held.
func TestPhotoKeepsOnlyThePicture(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 2)
	sent := taken(t, 2000, 1000, 6) // to be turned clockwise: red is above
	photo := actiontest.Do(e, housekeeping.AddPhoto{Tournament: e.ID, Picture: text64(sent), Caption: " The final "})
	file, found, err := housekeeping.PhotoJPEG(t.Context(), e.DB, e.ID, photo.ID)
	if err != nil || !found {
		t.Fatal(found, err)
	}
	for _, secret := range []string{gps, maker, "Exif"} {
		if !bytes.Contains(sent, []byte(secret)) || bytes.Contains(file, []byte(secret)) {
			t.Errorf("%q is in the stored file, or was not sent", secret)
		}
	}
	is, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil || is.Bounds().Dx() != 800 || is.Bounds().Dy() != 1600 || photo.Width != 800 || photo.Height != 1600 {
		t.Fatalf("got %v, %+v, %v", is.Bounds(), photo.SHA256, err)
	}
	if r, _, b, _ := is.At(400, 100).RGBA(); r < b {
		t.Error("the upper half is not red")
	}
	if r, _, b, _ := is.At(400, 1500).RGBA(); b < r {
		t.Error("the lower half is not blue")
	}
	all, err := housekeeping.Photos(t.Context(), e.DB, e.ID)
	if err != nil || len(all) != 1 || all[0].Caption != "The final" || all[0].Picture != "" {
		t.Errorf("got %+v, %v", all, err)
	}
	if _, found, err := housekeeping.PhotoJPEG(t.Context(), e.DB, e.ID+1, photo.ID); found || err != nil {
		t.Error("another event shows the photo")
	}
}

func TestPhotosAreOrderedAndRemoved(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 2)
	small := text64(taken(t, 8, 6, 1))
	for n := range housekeeping.PhotosMost {
		actiontest.Do(e, housekeeping.AddPhoto{Tournament: e.ID, Picture: small, Caption: string(rune('A' + n))})
	}
	captions := func() (text string) {
		all, err := housekeeping.Photos(t.Context(), e.DB, e.ID)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range all {
			if p.Position != i+1 {
				t.Errorf("%s has position %d, want %d", p.Caption, p.Position, i+1)
			}
			text += p.Caption
		}
		return text
	}
	actiontest.Do(e, housekeeping.ChangePhoto{ID: 3, Caption: "c", Position: 1})
	if got := captions(); got != "cABDEFGHIJKL" {
		t.Errorf("got %s", got)
	}
	actiontest.Do(e, housekeeping.RemovePhoto{ID: 2})
	if got := captions(); got != "cADEFGHIJKL" {
		t.Errorf("got %s", got)
	}
	actiontest.Do(e, housekeeping.AddPhoto{Tournament: e.ID, Picture: small, Caption: "M"})
	for key, refused := range map[string]string{
		"err_photos_many":     refusal(e, housekeeping.AddPhoto{Tournament: e.ID, Picture: small, Caption: "N"}),
		"err_caption":         refusal(e, housekeeping.ChangePhoto{ID: 3, Caption: " ", Position: 1}),
		"err_photo_not_found": refusal(e, housekeeping.RemovePhoto{ID: 2}),
	} {
		if refused != key {
			t.Errorf("got %q, want %s", refused, key)
		}
	}
	if got := captions(); got != "cADEFGHIJKLM" {
		t.Errorf("got %s", got)
	}
}

// TestUnfitPhotosAreRefused checks the limits of a photo, and that only JPEG and similar pictures are accepted.
func TestUnfitPhotosAreRefused(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 2)
	whole := taken(t, 8, 6, 1)
	huge := slices.Clone(whole) // claims 60,000 by 60,000 pixels
	at := bytes.Index(huge, []byte{0xff, 0xc0})
	binary.BigEndian.PutUint16(huge[at+5:], 60_000)
	binary.BigEndian.PutUint16(huge[at+7:], 60_000)
	for name, file := range map[string][]byte{"no picture": []byte("<svg/>"), "cut off": whole[:120],
		"too many pixels": huge, "too large": append(whole, make([]byte, 8<<20)...)} {
		add := housekeeping.AddPhoto{Tournament: e.ID, Picture: text64(file), Caption: "A"}
		if key := refusal(e, add); key != "err_photo" {
			t.Errorf("%s: got %q", name, key)
		}
	}
	for _, caption := range []string{"", strings.Repeat("x", 201)} {
		add := housekeeping.AddPhoto{Tournament: e.ID, Picture: text64(whole), Caption: caption}
		if key := refusal(e, add); key != "err_caption" {
			t.Errorf("got %q", key)
		}
	}
	if all, err := housekeeping.Photos(t.Context(), e.DB, e.ID); err != nil || len(all) != 0 {
		t.Errorf("got %d photos, %v", len(all), err)
	}
}
