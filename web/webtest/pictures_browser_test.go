package webtest

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/web/page"
)

// looked lists the languages, widths and themes of the pictures.
var looked = []struct {
	language string
	width    int64
	theme    string
}{{"en", 320, "light"}, {"en", 390, "dark"}, {"en", 1366, "light"}, {"en", 320, "dark"}, {"en", 390, "light"},
	{"en", 1366, "dark"},
	{"it", 1366, "light"}, {"he", 390, "light"}, {"he", 1366, "dark"}, {"de", 320, "dark"}, {"ja", 390, "light"}}

// TestPictures takes pictures of all pages for review: the public ones of an ended, a running and a coming tournament,
// and those of players and officials. Without a picture folder it only opens the public pages at one width, which must
// log no errors.
func TestPictures(t *testing.T) {
	testmode.SkipUnlessLong(t)
	looked := looked[:]
	if os.Getenv("MELDHALL_PICTURES") == "" {
		looked = looked[:1]
	}
	b := startChromium(t)
	season, screens := newSeason(t), newScreens(t)
	pages := season.addresses(t)
	p := b.tab(t, 320, 640)
	p.still()
	for _, look := range looked {
		p.size(look.width, max(640, min(844, look.width)))
		taken := func(server, name, path string) {
			t.Run(fmt.Sprintf("%s/%s-%d-%s", name, look.language, look.width, look.theme), func(t *testing.T) {
				within(t, &p.t)
				p.cookie(server, page.ThemeCookie, look.theme)
				p.cookie(server, "lang", look.language)
				p.open(server + path)
				p.wait(`document.fonts.status === "loaded" && (!document.querySelector("#link") || ` + isLive + `)`)
				p.whole("")
			})
		}
		for _, name := range slices.Sorted(maps.Keys(pages)) {
			taken(season.over.http.URL, name, pages[name])
		}
		if look.language != "en" && look.language != "he" || look.width == 320 {
			continue
		}
		for _, v := range screens.all() {
			if v.who == "" {
				continue
			}
			p.open("about:blank") // leave the page of the previous role
			screens.become(p, v.who, look.language)
			taken(screens.http.URL, "as-"+strings.Fields(v.who)[0]+"-"+v.name, v.path)
		}
		screens.become(p, "", look.language)
	}
	for _, complaint := range p.complaints() {
		// rejected pages are expected
		if !strings.Contains(complaint, "/nothing:") && !strings.Contains(complaint, "/reopen:") {
			t.Error(complaint)
		}
	}
}
