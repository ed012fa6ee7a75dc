package webtest

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"meldhall/templates/locale"
)

// hallNames returns n players with names as in a real hall; the third has a long one.
func hallNames(n int) string {
	first := strings.Fields("Anna Ben Carla Dmitri Elena Farid Giulia Hanna Ivan Jana Karol Lena Marco Noa Olga " +
		"Pavel Quentin Rosa Sofie")
	last := strings.Fields("Rossi Levi Brandt Chen Nowak Bianchi Park Kovács Tanaka Ortega Schmidt Papas Øster")
	var list strings.Builder
	list.WriteString("name,country\n")
	for i := range n {
		name := fmt.Sprintf("%s %s %c", first[i%len(first)], last[i/len(first)%len(last)], 'A'+i%7)
		if i == 2 {
			name = "Maximiliane Schwarzenberger-Uhl"
		}
		fmt.Fprintf(&list, "%s,IT\n", name)
	}
	return list.String()
}

// wideBoard describes the list that a board shows: columns, pages, the heights of table numbers and of the smallest
// name in px, and the headings of the columns.
const wideBoard = `(() => {
	const seen = (el) => el.checkVisibility() && el.getBoundingClientRect().height > 0;
	const size = (el) => parseFloat(getComputedStyle(el).fontSize);
	const rows = [...document.querySelectorAll(".b.on [data-list] > li")].filter(seen);
	return {
		Columns: new Set(rows.map((r) => Math.round(r.getBoundingClientRect().left))).size,
		Pages: Number(document.querySelector(".b-page").textContent.match(/(\d+)$/)?.[1] || 1),
		Number: Math.min(...[...document.querySelectorAll(".b.on .b-no")].filter(seen).map(size), 1e9),
		Name: Math.min(...[...document.querySelectorAll(".b.on .name")].filter(seen).map(size)),
		Heads: [...document.querySelectorAll(".b.on .b-caps > *")].filter(seen).map((el) => el.textContent),
	};
})()`

type wide struct {
	Columns, Pages int
	Number, Name   float64
	Heads          []string
}

// openWide opens a board at a size and returns what it shows once its fonts are loaded.
func openWide(t *testing.T, p *tab, e *event, board string, width int64) wide {
	t.Helper()
	p.size(width, width*9/16)
	p.open(e.boardAddress(board))
	p.wait(isLive + ` && document.fonts.status === "loaded" && document.querySelector(".b.on [data-list] .name")`)
	p.frame()
	for _, wrong := range eval[[]string](p, wholeBoard) {
		t.Errorf("%s at %d: %s", board, width, wrong)
	}
	p.picture(fmt.Sprintf("%s-%d", board, width))
	return eval[wide](p, wideBoard)
}

// TestBrowserBoardsUseTheWidth checks that nine tables stand on one page in three columns, with numbers of at least 84
// px and names of at least 34 px at 1080p, that 33 names stand on one page under their letters, and that the picture is
// the same at 720p and 2160p. 200 names take at most four pages.
func TestBrowserBoardsUseTheWidth(t *testing.T) {
	b := startChromium(t)
	e := newPublished(t, "Championship", hallNames(33), nil)
	p := b.tab(t, 1920, 1080)
	p.still()
	for _, board := range []string{"tables", "names"} {
		usual := openWide(t, p, e, board, 1920)
		if usual.Columns != 3 || usual.Pages != 1 || usual.Name < 33.9 || usual.Number < 84 {
			t.Errorf("%s: %+v", board, usual)
		}
		if board == "names" &&
			(len(usual.Heads) != 3 || usual.Heads[0][0] != 'A' || usual.Heads[2][len(usual.Heads[2])-1] != 'S') {
			t.Errorf("the columns go from and to %q", usual.Heads)
		}
		for _, width := range []int64{1280, 3840} {
			other, by := openWide(t, p, e, board, width), float64(width)/1920
			if other.Columns != usual.Columns || other.Pages != 1 || math.Abs(other.Name/by/usual.Name-1) > .06 {
				t.Errorf("%s at %d: %+v, at 1920 %+v", board, width, other, usual)
			}
		}
	}
	if large := newPublished(t, "Open", hallNames(200), nil); true {
		if names := openWide(t, p, large, "names", 1920); names.Pages > 4 || names.Columns < 3 {
			t.Errorf("200 names: %+v", names)
		}
		if tables := openWide(t, p, large, "tables", 1920); tables.Pages > 6 {
			t.Errorf("50 tables: %+v", tables)
		}
	}
}

// TestBrowserBoardsWithoutScripts checks that a browser that runs no scripts shows the names at once and continues with
// the plain pages, which keep the address's settings.
func TestBrowserBoardsWithoutScripts(t *testing.T) {
	b := startChromium(t)
	e := newPublished(t, "Test", hallNames(12), nil)
	page := e.reader().get(t, "/events/1/boards/names,tables?metres=9").is(http.StatusOK)
	if n := len(page.inside(".of-names", "li")); n != 12 {
		t.Errorf("the first response has %d names", n)
	}
	p := b.tab(t, 1280, 720)
	if err := p.unscripted(); err != nil {
		t.Fatal(err)
	}
	p.open(e.boardAddress("names,tables") + "?metres=9")
	p.picture("first")
	seen := eval[int](p, `[...document.querySelectorAll(".of-names .name")].filter((n) => n.checkVisibility()).length`)
	if seen != 12 {
		t.Errorf("%d of 12 names are visible", seen)
	}
	p.wait(`location.search.includes("plain=1") && location.search.includes("metres=9") &&
		document.querySelector(".plain .name")`)
	p.picture("plain")
}

// unscripted keeps the tab from running the scripts of pages.
func (p *tab) unscripted() error {
	_, err := chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true})
	return err
}

// TestBoardClock checks that the clock names the day of a round that is not today, and the time left in a running one.
func TestBoardClock(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Test", roster(8), nil)
	now := e.store.Millis()
	const day = 24 * 3_600_000
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/schedule", e.id), fields{"slots": []fields{
		{"round": 1, "starts_at": now + 2*day, "ends_at": now + 2*day + 3_600_000}}}, nil)
	board := e.boardNow(t, "clock")
	day2 := locale.DayOf(t.Context(), now+2*day)
	if next := board.text(".b-next"); !strings.Contains(next, day2) || board.count(".b-count") != 0 {
		t.Errorf("a round on %s begins %q, with %d countdowns", day2, next, board.count(".b-count"))
	}
	if board.count(".b-left") != 0 {
		t.Error("no round is running, and the board has a time left")
	}
	e.start()
	if board = e.boardNow(t, "clock"); board.count(".b-left") != 1 {
		t.Errorf("the board of a running round has no time left: %s", board.text("main"))
	}
}
