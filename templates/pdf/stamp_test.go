package pdf

import (
	"bytes"
	"errors"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine/testmode"
	"meldhall/templates/pdf/pdftest"
)

// TestStampsAreSeenAsWhatIsDrawn checks that stamped content looks the same as content drawn directly, in both reading
// directions, and that its text can be found.
func TestStampsAreSeenAsWhatIsDrawn(t *testing.T) {
	testmode.SkipUnlessLong(t)
	const down, pages = 2 * 25.4, 3 // an integer number of points
	for _, rtl := range []bool{false, true} {
		one := func(d *Doc, y float64) {
			d.Fill(Margin, y, d.Wide(), 8, names[0]+" "+names[1]+" "+names[6], Style{Size: 14, Bold: true})
			d.QR(Margin, y+10, 30, "http://192.168.1.10:8080/join/BQXK7TMP")
			d.Box(Margin+40, y+10, 20, 10, 0.3)
		}
		direct := drawn(t, rtl, func(d *Doc) {
			for range pages {
				d.NextPage()
				one(d, 40)
				one(d, 40+down)
			}
		})
		stamped := drawn(t, rtl, func(d *Doc) {
			s := d.Stamp(func() { one(d, 40) })
			for range pages {
				d.NextPage()
				d.Lay(s, 0)
				d.Lay(s, down)
			}
		})
		same := func(a, b image.Image) bool { return bytes.Equal(pixels(a), pixels(b)) }
		if !slices.EqualFunc(pdftest.Pictures(t, direct, "72"), pdftest.Pictures(t, stamped, "72"), same) {
			t.Errorf("rtl %v: a stamp is seen elsewhere, or otherwise", rtl)
		}
		if got := strings.Count(pdftest.Text(t, stamped), "Maximiliane"); got != 2*pages {
			t.Errorf("rtl %v: the name is found %d times", rtl, got)
		}
		if got := pdftest.Codes(t, stamped); len(got) != 2*pages {
			t.Errorf("rtl %v: %d codes are read", rtl, len(got))
		}
		if len(stamped) >= len(direct) {
			t.Errorf("rtl %v: stamped it takes %d bytes, drawn %d", rtl, len(stamped), len(direct))
		}
	}
}

func pixels(picture image.Image) (all []byte) {
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			r, g, b, _ := picture.At(x, y).RGBA()
			all = append(all, byte(r>>8), byte(g>>8), byte(b>>8))
		}
	}
	return all
}

// fullDisk is a writer with room for that many bytes.
type fullDisk int

var errFull = errors.New("no space left")

func (d *fullDisk) Write(p []byte) (int, error) {
	if len(p) > int(*d) {
		return 0, errFull
	}
	*d -= fullDisk(len(p))
	return len(p), nil
}

// TestADocumentThatIsCutOffIsAnError checks that Write returns an error when the disk is full, at whatever byte that
// happens.
func TestADocumentThatIsCutOffIsAnError(t *testing.T) {
	draw := func() *Doc {
		d := New(A4, "en", false, "Names", time.Unix(1_000_000_000, 0))
		d.Begin(Head{Event: "Event", Title: "Names"}, nil)
		return d
	}
	var whole bytes.Buffer
	if err := draw().Write(&whole); err != nil {
		t.Fatal(err)
	}
	for _, room := range []int{0, 5000, whole.Len() - 1} {
		disk := fullDisk(room)
		if err := draw().Write(&disk); !errors.Is(err, errFull) {
			t.Errorf("%d bytes of %d have room: %v", room, whole.Len(), err)
		}
	}
}
