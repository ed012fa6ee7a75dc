package webtest

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"
	"time"

	"meldhall/templates"
	"meldhall/templates/screens"
	"meldhall/tournament"
)

// overlayAddress returns the address of an overlay for the tournament's video stream.
func (e *event) overlayAddress(kind string) string {
	return e.http.URL + string(templates.OverlayPath(e.id, kind))
}

// TestBrowserOverlays checks that an overlay has a transparent background and opaque letters. The desk chooses its
// table within 2 s and at the same address, and the overlay obeys the publishing policy.
func TestBrowserOverlays(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 8, map[string]any{"turn_seconds": 600})
	e.start()
	e.begin(0)
	e.begin(1)
	p := b.tab(t, 1920, 1080)
	p.still()
	words := map[string]string{"table": ".o-seats .name", "lower": ".o-head b", "turn": ".o-mover .name",
		"clock": ".o-time b", "standings": ".o"}
	for _, kind := range screens.Overlays {
		p.open(e.overlayAddress(kind))
		p.wait(fmt.Sprintf(`document.readyState === "complete" && document.fonts.status === "loaded" &&
			document.querySelector(%q) && (document.querySelector(%q).textContent || %q === "standings")`, words[kind], words[kind], kind))
		p.wait(`document.getAnimations().every((a) => a.playState === "finished")`)
		p.frame()
		shot := p.seeThrough()
		p.picture(kind)
		picture, err := png.Decode(bytes.NewReader(shot))
		if err != nil {
			t.Fatal(err)
		}
		if clear := alpha(picture, 4, 4); clear != 0 {
			t.Errorf("%s: the corner has alpha %d", kind, clear)
		}
		if kind == "standings" {
			if seen := eval[bool](p, `!!document.querySelector(".o-panel")`); seen {
				t.Error("nobody has a result, and there is a panel for them")
			}
			continue
		}
		box := eval[[]float64](p,
			fmt.Sprintf(`(() => { const b = document.querySelector(%q).getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; })()`, words[kind]))
		solid, light := 0, 0
		for y := int(box[1]); y < int(box[3]); y++ {
			for x := int(box[0]); x < int(box[2]); x++ {
				if alpha(picture, x, y) == 255 {
					solid++
					if r, _, _, _ := picture.At(x, y).RGBA(); r>>8 > 200 {
						light++
					}
				}
			}
		}
		if light < 50 {
			t.Errorf("%s: %d pixels of its letters let nothing through, of %d", kind, light, solid)
		}
	}
	p.open(e.overlayAddress("lower"))
	first, second := e.round.Tables[0].Seats[0].Player.Name, e.round.Tables[1].Seats[0].Player.Name
	p.wait(fmt.Sprintf(`document.querySelector(".o").textContent.includes(%q)`, first))
	pressed := time.Now()
	e.referee.must(http.MethodPost, "/actions/stream.feature", fields{"tournament": e.id, "number": 2}, nil)
	p.wait(fmt.Sprintf(`document.querySelector(".o").textContent.includes(%q)`, second))
	held(t, "another table", time.Since(pressed), 2*time.Second)
	e.shown(tournament.SetShown{Part: tournament.PartTables, How: tournament.ShownHidden})
	for _, kind := range []string{"table", "lower", "turn"} {
		e.pass()
		if body := e.signedIn("organizer").body(t, string(templates.OverlayPath(e.id, kind))); strings.Contains(body,
			second) {
			t.Errorf("%s: hidden tables are on the stream", kind)
		}
	}
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("complaints: %q", got)
	}
}

// TestBrowserOverlayNames checks that an overlay shows names of thirty letters in full, in at most two lines.
func TestBrowserOverlayNames(t *testing.T) {
	b := startChromium(t)
	e := newNamedEvent(t, "Cup",
		"name,country\nJean-Sébastien Vandermeulen-Pauw,BE\nАлександра Константинопольская,KZ\n欧阳修远司马相如诸葛孔明,CN\nשרה-לאה אברהמי בן ציון הלוי,IL\n", map[string]any{"turn_seconds": 0})
	e.start()
	e.begin(0)
	p := b.tab(t, 1920, 1080)
	p.still()
	for _, kind := range []string{"table", "lower", "turn"} {
		p.open(e.overlayAddress(kind))
		p.wait(`document.readyState === "complete" && document.fonts.status === "loaded" &&
			document.querySelector(".o .name")?.textContent`)
		for _, width := range []int64{1920, 1280} {
			p.size(width, width*9/16)
			if cut := eval[[]string](p, `[...document.querySelectorAll(".o .name")].filter((el) => {
				const s = getComputedStyle(el), box = el.getBoundingClientRect(), panel = el.closest("li, .o-panel").getBoundingClientRect();
				return el.scrollWidth > el.clientWidth + 1 || box.left < panel.left || box.right > panel.right || box.height > parseFloat(s.lineHeight) * 2.1 || box.bottom > innerHeight;
			}).map((el) => el.textContent)`); len(cut) > 0 {
				t.Errorf("%s at %d: %q", kind, width, cut)
			}
		}
		p.picture(kind)
	}
}

func alpha(picture image.Image, x, y int) uint32 {
	_, _, _, a := picture.At(x, y).RGBA()
	return a >> 8
}

// TestCommentary checks that a commentator of the chosen table sees its turns live, and the possible plays only for
// ended games whose plays are public.
func TestCommentary(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, map[string]any{"turn_seconds": 0})
	e.start()
	game := e.begin(0)
	public := e.reader()
	const page = "/events/1/commentary"
	if n := len(public.get(t, page).is(http.StatusOK).inside("details", "a")); n != 0 {
		t.Errorf("the game goes on, and what was possible in %d turns is offered", n)
	}
	e.shown(tournament.SetShown{Part: tournament.PartResults, How: tournament.ShownFrozen})
	e.byDraws(game)
	e.confirmed(game)
	e.pass()
	if n := len(public.get(t, page).inside("details", "a")); n != 0 {
		t.Errorf("its result is frozen, and %d turns are offered", n)
	}
	e.shown(tournament.SetShown{Part: "all", How: tournament.ShownPublic})
	e.pass()
	links := public.get(t, page).inside("details", "a")
	if len(links) < 4 {
		t.Fatalf("the game is over and shown, and %d turns are offered", len(links))
	}
	public.get(t, attr(links[0], "href")).is(http.StatusOK)
}
