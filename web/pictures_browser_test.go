package web

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/web/frame"
)

// looked are the languages, widths and themes in which pages are looked at.
var looked = []struct {
	language string
	width    int64
	theme    string
}{{"en", 320, "light"}, {"en", 390, "dark"}, {"en", 1366, "light"}, {"en", 320, "dark"}, {"en", 390, "light"}, {"en", 1366, "dark"},
	{"it", 1366, "light"}, {"he", 390, "light"}, {"he", 1366, "dark"}, {"de", 320, "dark"}, {"ja", 390, "light"}}

// TestPictures takes pictures of all pages, to be looked at: those of everybody, of an event that is over, one in play and one to come,
// and those of players and officials. Where no folder is named for them, everybody's pages are opened at one width, and must not complain.
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
				p.cookie(server, frame.ThemeCookie, look.theme)
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
			p.open("about:blank") // the page that is open is somebody else's
			screens.become(p, v.who, look.language)
			taken(screens.http.URL, "as-"+strings.Fields(v.who)[0]+"-"+v.name, v.path)
		}
		screens.become(p, "", look.language)
	}
	for _, complaint := range p.complaints() {
		if !strings.Contains(complaint, "/nothing:") && !strings.Contains(complaint, "/reopen:") { // which are refused
			t.Error(complaint)
		}
	}
}
