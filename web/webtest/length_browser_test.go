package webtest

import (
	"fmt"
	"testing"
)

// pageHigh is a page's initial height in screens: Whole, and Own without its lists.
type pageHigh struct{ Whole, Own float64 }

// measureHigh measures it; tables and rows count as lists.
const measureHigh = `(() => {
	const list = ":is(table, .rows, .row-list, .revisions, .cards, ol, .told, .course, .turns, .articles)";
	const listed = [...document.querySelectorAll("main " + list)].filter((el) => !el.parentElement.closest(list)).reduce((sum, el) => sum + el.getBoundingClientRect().height, 0);
	const stale = document.querySelector(".stale")?.getBoundingClientRect().height || 0; // under load
	const high = document.documentElement.scrollHeight - stale;
	return { Whole: high / innerHeight, Own: (high - listed) / innerHeight };
})()`

// wholeLists are pages that consist of a list: a game's turns, all fields of a rule set, all sheets of paper.
var wholeLists = map[string]bool{"replay": true, "rules": true, "paper": true}

// TestDeskPagesAreShort checks that no official's page opens longer than two screens, not counting its lists, on a
// laptop and on a phone.
func TestDeskPagesAreShort(t *testing.T) {
	b := startChromium(t)
	s := newScreens(t)
	p := b.tab(t, 1366, 768)
	p.still()
	for _, v := range s.all() {
		if v.who != "organizer" && v.who != "referee" {
			continue
		}
		t.Run(v.name, func(t *testing.T) {
			within(t, &p.t, &s.t)
			v.act = nil // the page as it opens
			s.show(p, v, "en")
			for _, size := range [][2]int64{{1366, 768}, {390, 844}} {
				p.size(size[0], size[1])
				p.wait(fmt.Sprintf(`innerWidth === %d`, size[0]))
				high := eval[pageHigh](p, measureHigh)
				t.Logf("%d x %d: %.1f screens, %.1f without its lists", size[0], size[1], high.Whole, high.Own)
				if high.Own > 2 && !wholeLists[v.name] {
					t.Errorf("%d x %d: %.2f screens without its lists", size[0], size[1], high.Own)
				}
			}
		})
	}
}
