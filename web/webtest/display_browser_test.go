package webtest

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/templates/public"
	"meldhall/templates/screens"
	"meldhall/web/guard"
	"meldhall/web/page"
	"meldhall/web/request"
)

// longNames are names of 30 characters, as they occur in rosters.
var longNames = []string{
	"Maximiliane Schwarzenberger-Uhl", "אברהם־יצחק בן־ציון רוזנבלום־כהן", "عبد الرحمن بن محمد الخطيب الكبير",
	"欧阳慕容司马诸葛上官东方独孤令狐宇文长孙皇甫尉迟公孙轩辕",
}

// displayOf serves one screen that renders a view, without a game. Later views are at /1, /2 and so on.
func displayOf(t *testing.T, h *hall, set screens.DisplaySettings, views ...screens.DisplayView) string {
	t.Helper()
	p := part.Page{Title: "Table", Path: "/", Assets: h.server.View.Build, Theme: "dark"}
	if set.Theme == "light" {
		p.Theme = "light"
	}
	return h.samples(t, set.Lang, func(path string) templ.Component {
		at, _ := strconv.Atoi(strings.Trim(path, "/"))
		return screens.DisplayPage(p, set, "/", screens.DisplayRegion(views[at]))
	})
}

// samples serves a page for each path, with the files of the hall's server, and returns the address.
func (h *hall) samples(t *testing.T, language string, shown func(path string) templ.Component) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/assets/", h.server)
	mux.Handle("/flags/", h.server)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		html, err := page.Render(locale.WithLanguage(r.Context(), language), shown(r.URL.Path))
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", guard.Policy)
		_, _ = w.Write(html)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// sampleDisplay returns a running game with this many tiles on the table, in sets of 3 to 13.
func sampleDisplay(t *testing.T, names []string, tiles int) screens.DisplayView {
	t.Helper()
	view := screens.DisplayView{Event: 1, Name: "World Championship", Number: 7, Round: 3, HasGame: true}
	view.Game = play.Game{ID: 1, Place: play.GamePlace{Event: "World Championship", Table: 7, Round: 3,
		Number: 2, Of: 4}}
	for _, name := range names {
		view.Game.Seats = append(view.Game.Seats, play.Person{Name: name, Country: "IT"})
	}
	v := &view.Game.View
	v.Seat, v.Phase, v.Pool, v.TurnLimit, v.Now = engine.Spectator, engine.PhasePlaying, 23, 60, 1_000_000
	v.Turn = engine.Turn{Number: 12, Seat: 1, Started: 980_000, Due: 1_047_000}
	v.Seats = []engine.SeatView{{Tiles: 9, Opened: true}, {Tiles: 12, Opened: true}, {Tiles: 17},
		{Tiles: 4, Opened: true}}
	sets := []string{"R1 R2 R3 R4 R5 R6 R7", "K7 B7 O7", "B3 B4 B5 B6", "K10 R10 B10 O10", "O2 O3 O4", "J K11 K12 K13",
		"R9 B9 O9", "K1 K2 K3 K4 K5", "B11 B12 B13", "O10 O11 O12 O13",
		"K8 R8 B8", "R11 J R13", "O5 O6 O7 O8", "K6 R6 O6", "K1 R1 B1 O1", "B2 B3 B4 B5 B6 B7", "R3 R4 R5",
		"K9 K10 K11 K12", "O8 O9 O10 O11", "R12 B12 O12"}
	lane, cell, laid := 0, 0, 0
	for _, text := range sets {
		set := faces(t, text)
		if laid += len(set); laid > tiles {
			break
		}
		if cell+len(set) > tile.LaneCells {
			lane, cell = lane+1, 0
		}
		v.Table = append(v.Table, tile.LaidView{At: lane*tile.LaneCells + cell, Tiles: set})
		cell += len(set) + 1
	}
	if len(v.Table) > 2 {
		v.Table[2].New, v.Table[1].New = []int{3}, []int{0, 1, 2}
	}
	kinds := []engine.Event{engine.TilesPlayed{}, engine.TileDrawn{}, engine.TilesPlayed{}, engine.TurnExpired{},
		engine.TilesPlayed{}}
	for i, kind := range kinds {
		view.Turns = append(view.Turns, screens.TurnLine{Number: 30 + i, Name: names[i%len(names)],
			Did: public.Deed{Kind: kind.Kind(), Played: 4 * (1 - i%2), Drawn: 1 * (i % 2)}})
	}
	return view
}

var fourNames = []string{"Anna Rossi", "Lena Brandt", "Noa Levi", "Hyun-woo Park"}

var displayScreens = []struct {
	name          string
	width, height int64
	pxPerMM       float64
}{
	{"24 inch", 1920, 1080, 1920 / 531.4}, // 16:9, 24 inches diagonally: 531.4 mm wide
	{"24 inch of 4K", 3840, 2160, 3840 / 531.4},
	{"10 inch", 1280, 800, 5.9},
	{"10 inch upright", 800, 1280, 5.9},
}

func TestDisplayPictures(t *testing.T) {
	b := startChromium(t)
	h := newHall(t)
	displays := displayScreens[:]
	if os.Getenv("MELDHALL_PICTURES") == "" {
		displays = displays[:1]
	}
	for _, s := range displays {
		for _, row := range []struct {
			name  string
			set   screens.DisplaySettings
			names []string
			tiles int
			twist func(*screens.DisplayView)
		}{
			{"game", screens.DisplaySettings{}, fourNames, 46, nil},
			{"light", screens.DisplaySettings{Theme: "light"}, fourNames, 46, nil},
			{"names", screens.DisplaySettings{}, longNames, 80, nil},
			{"sides", screens.DisplaySettings{Sides: 2}, fourNames, 46, nil},
			{"ruling", screens.DisplaySettings{Lang: "it"}, fourNames, 30, func(v *screens.DisplayView) {
				v.Game.View.Ruling = &engine.Ruling{Kind: engine.PenaltyGiven{}.Kind(), Seat: 3, Tiles: 3,
					Reason: "Talked about the tiles"}
			}},
			{"over", screens.DisplaySettings{}, fourNames, 80, func(v *screens.DisplayView) {
				v.Game.View.Phase = engine.PhaseOver
				v.Game.View.Result = &engine.ResultView{Why: ruleset.EndedEmptied,
					Points: []score.Twelfth{-9 * 12, 61 * 12, -40 * 12, -12 * 12}, Wins: []score.Twelfth{0, 12, 0, 0},
					Charges: make([]score.Charge, 4)}
			}},
			{"rest", screens.DisplaySettings{}, fourNames, 0, func(v *screens.DisplayView) {
				v.HasGame, v.Game.View, v.Turns = false, engine.View{Seat: engine.Spectator}, nil
			}},
		} {
			t.Run(s.name+" "+row.name, func(t *testing.T) {
				view := sampleDisplay(t, row.names, row.tiles)
				if row.twist != nil {
					row.twist(&view)
				}
				p := b.tab(t, s.width, s.height)
				p.open(displayOf(t, h, row.set, view))
				p.wait(`document.fonts.status === "loaded" && document.querySelector(".d-seat")`)
				p.picture("screen")
				if got := p.complaints(); len(got) > 0 {
					t.Errorf("the page complained: %q", got)
				}
			})
		}
	}
}

// heights returns the height of a letter or digit in elements, in mm.
const heights = `(selector, letter, pxPerMM) => [...document.querySelectorAll(selector)].filter((el) => el.getClientRects().length).map((el) => {
	const style = getComputedStyle(el), ink = document.createElement("canvas").getContext("2d");
	ink.font = style.fontWeight + " " + style.fontSize + " " + style.fontFamily;
	return ink.measureText(letter).actualBoundingBoxAscent / pxPerMM;
})`

// cutTexts lists names and sentences that overflow their boxes, take more than two lines or are broken within a word.
const cutTexts = `[...document.querySelectorAll(".fit")].filter((box) => box.checkVisibility()).filter((box) => {
	const text = box.firstElementChild, lines = text.offsetHeight / parseFloat(getComputedStyle(text).lineHeight);
	const broken = [...text.textContent.matchAll(/(?:(?![\p{Script=Han}\p{Script=Hangul}\p{Script=Katakana}\p{Script=Hiragana}])[\p{L}\p{M}])+/gu)].some((word) => {
		const range = document.createRange();
		range.setStart(text.firstChild, word.index);
		range.setEnd(text.firstChild, word.index + word[0].length);
		return new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1;
	});
	return text.offsetHeight > box.clientHeight || text.scrollWidth > box.clientWidth || lines > 2.1 || broken;
}).map((box) => box.className + " " + box.textContent)`

// TestBrowserDisplayIsLegible checks that from across the table tiles are the largest, then the clock, the counts and
// the names, and that no name is cut in any script. The head, the foot and the felt stay in place during rulings.
func TestBrowserDisplayIsLegible(t *testing.T) {
	b := startChromium(t)
	h := newHall(t)
	p := b.tab(t, 1920, 1080)
	for i, names := range [][]string{fourNames, longNames} {
		for _, sides := range []int{1, 2} {
			view := sampleDisplay(t, names, 80)
			places := map[string]string{}
			onScreens := func(then func(name string, large bool, pxPerMM float64)) {
				p.size(displayScreens[0].width, displayScreens[0].height)
				p.open(displayOf(t, h, screens.DisplaySettings{Sides: sides}, view))
				for _, s := range displayScreens {
					p.size(s.width, s.height)
					p.wait(fmt.Sprintf(`innerWidth === %d && document.fonts.status === "loaded" &&
						document.querySelector(".board.laid")`, s.width))
					eval[bool](p,
						`new Promise((laid) => requestAnimationFrame(() => requestAnimationFrame(() => laid(true))))`)
					if cut := eval[[]string](p, cutTexts); len(cut) > 0 {
						t.Errorf("%s, %d heads: cut, broken or of more than two lines: %q", s.name, sides, cut)
					}
					then(s.name, s.width >= 1500, s.pxPerMM)
				}
			}
			const place = `JSON.stringify([...document.querySelectorAll("#felt, #head, .d-foot, .d-seat, .set")].map((el) => el.getBoundingClientRect()))`
			onScreens(func(name string, large bool, pxPerMM float64) {
				t.Logf("%s, %d heads", name, sides)
				legible(t, p, large, pxPerMM, i == 0)
				places[name] = eval[string](p, place)
				p.picture(fmt.Sprint(name, i, sides))
			})
			if i != sides-1 {
				continue // rulings are shown with only one combination
			}
			view.Game.View.Ruling = &engine.Ruling{Kind: engine.PenaltyGiven{}.Kind(), Seat: 0, Tiles: 3,
				Reason: "Talked about the tiles of the player on the left with the people behind"}
			onScreens(func(name string, _ bool, _ float64) {
				if eval[string](p, place) != places[name] {
					t.Errorf("%s, %d heads: a ruling moves what is on the screen", name, sides)
				}
				p.picture(fmt.Sprint(name, i, sides, "ruled"))
			})
		}
	}
}

// legible checks a screen's sizes for reading at 2 m (capitals and digits of 8 mm, names of 4 mm without ascenders) and
// their order. On ten inches the tiles of a full table are smaller than the clock.
func legible(t *testing.T, p *tab, large bool, pxPerMM float64, short bool) {
	t.Helper()
	least := func(selector, letter string, mm float64) float64 {
		t.Helper()
		got := eval[[]float64](p, fmt.Sprintf("(%s)(%q, %q, %v)", heights, selector, letter, pxPerMM))
		if len(got) == 0 || slices.Min(got) < mm {
			t.Errorf("%s: the heights are %.2f mm, want %v", selector, got, mm)
			return 0
		}
		return slices.Min(got)
	}
	least(".d-count", "7", 8)
	least("#clock .digits", "7", 8)
	tiles, names := 7.0, 1.5 // for 75 tiles and the longest names
	switch {
	case large && short:
		tiles, names = 8, 4
	case large:
		tiles, names = 8, 3
	case short:
		names = 3
	}
	numerals := least(".board .tile:not(.J) b", "7", tiles)
	t.Logf("numerals of tiles %.1f mm, of the clock %.1f, of counts %.1f, x of names %.1f", numerals,
		least("#clock .digits", "7", 0), least(".d-count", "7", 0), least(".d-name > span", "x", names))
	order := []string{".board .tile:not(.J) b", "#clock .digits", ".d-count", ".d-name > span"}
	if !large {
		order = []string{".board .tile:not(.J) b", ".d-name > span"}
	}
	sizes := eval[[]float64](p,
		fmt.Sprintf(`["%s"].map((s) => Math.max(...[...document.querySelectorAll(s)].filter((el) => el.getClientRects().length).map((el) => parseFloat(getComputedStyle(el).fontSize))))`, strings.Join(order, `", "`)))
	if !slices.IsSortedFunc(sizes, func(a, b float64) int { return cmp.Compare(b, a) }) {
		t.Errorf("the sizes of %q are %v px, want the largest first", order, sizes)
	}
	outside := eval[[]string](p, `[...document.querySelectorAll(".d-seat, .d-name, .tile, .clock .digits, .d-now, .d-pool b")].filter((el) => {
		const b = el.getBoundingClientRect();
		return b.width && (b.left < innerWidth * .024 || b.right > innerWidth * .976 || b.top < innerHeight * .024 || b.bottom > innerHeight * .976);
	}).map((el) => el.className + " " + JSON.stringify(el.getBoundingClientRect()))`)
	if len(outside) > 0 {
		t.Errorf("outside the inner 95 %%: %q", outside[:min(3, len(outside))])
	}
	over := eval[[]string](p, `(() => {
		const found = [], felt = document.getElementById("felt").getBoundingClientRect();
		for (const seat of document.querySelectorAll(".d-seat")) {
			const box = seat.getBoundingClientRect();
			for (const el of seat.querySelectorAll(".d-count, .d-name, .d-state")) {
				const b = el.getBoundingClientRect();
				if (b.width && (b.top < box.top - 1 || b.bottom > box.bottom + 1 || b.right > box.right + 1)) found.push("out of its seat: " + el.className + " " + el.textContent);
			}
		}
		for (const tile of document.querySelectorAll(".board .tile")) {
			const b = tile.getBoundingClientRect(), number = tile.querySelector("b")?.getBoundingClientRect();
			if (b.bottom > felt.bottom + 1 || b.right > felt.right + 1) found.push("out of the felt: " + tile.dataset.face);
			if (number && number.width > b.width) found.push("wider than its tile: " + tile.dataset.face);
		}
		return found;
	})()`)
	if len(over) > 0 {
		t.Errorf("%q", over)
	}
}

// onDisplay returns a two-sided table screen behind a relay, in the first turn.
func onDisplay(t *testing.T, b *chromium) (*event, int64, *relay, *tab) {
	t.Helper()
	e, game := newPreparedTable(t, preparedRacks...)
	e.start()
	e.readyBut(0, game)
	p := b.tab(t, 1920, 1080)
	r := newRelay(t, e.hall)
	p.open(fmt.Sprintf("%s/events/%d/display/1?sides=2", r.url, e.id))
	p.wait(`document.getElementById("link").classList.contains("live") && document.querySelector(".d-seat.turn")`)
	return e, game, r, p
}

// TestBrowserDisplayIsLive checks that a draft is shown while it is changed, and a play within 300 ms.
func TestBrowserDisplayIsLive(t *testing.T) {
	e, game, _, p := onDisplay(t, startChromiumAlone(t))
	turn := e.public().view(game).Turn
	e.at(0, 0).must(http.MethodPost, fmt.Sprintf("/games/%d/draft", game),
		request.DraftRequest{Turn: turn.Number, Table: []tile.LaidFaces{{At: 0, Faces: faces(t, "O10 O11")}}}, nil)
	p.wait(`document.querySelectorAll(".laying #table .tile.new").length === 2`)
	eval[bool](p,
		`new MutationObserver(() => { if (document.querySelectorAll("#table .tile").length === 3 &&
			!document.querySelector(".laying")) window.shownAt ||= Date.now(); }).observe(document.getElementById("live"), { childList: true, subtree: true, attributes: true }), true`)
	e.play(0, game, 0, "O10 O11 O12")
	accepted := time.Now().UnixMilli()
	p.wait(`window.shownAt`)
	held(t, "shown", time.Duration(eval[int64](p, "shownAt")-accepted)*time.Millisecond, 300*time.Millisecond)
	p.picture("played")
}

func TestBrowserDisplayGoesOn(t *testing.T) {
	e, game, r, p := onDisplay(t, startChromium(t))
	e.play(0, game, 0, "O10 O11 O12")
	p.wait(`document.querySelectorAll("#table .tile").length === 3`)
	t.Run("the clock of the other side shows the same", func(t *testing.T) {
		within(t, &p.t)
		p.wait(`document.querySelector(".d-twin .digits").textContent === document.querySelector("#clock .digits").textContent`)
	})
	t.Run("without a choice it is dark, and the clock is a number and a ring", func(t *testing.T) {
		within(t, &p.t)
		if !eval[bool](p, `getComputedStyle(document.documentElement).colorScheme === "dark" &&
			document.querySelector("#clock .digits").checkVisibility() && document.querySelector("#clock .ring-left").getBoundingClientRect().width > 40`) {
			t.Error("it is not")
		}
	})
	t.Run("live has a place of its own", func(t *testing.T) {
		within(t, &p.t)
		for _, s := range displayScreens {
			p.size(s.width, s.height)
			p.wait(fmt.Sprintf(`innerWidth === %d`, s.width))
			if over := eval[[]string](p, `[...document.querySelectorAll(".d-seat, .d-now > .fit > span, .d-turns a, .set, .d-clock")].filter((el) => {
				const a = el.getBoundingClientRect(), b = document.getElementById("link").getBoundingClientRect();
				return a.width && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
			}).map((el) => el.className + " " + el.textContent)`); len(over) > 0 {
				t.Errorf("%s: it lies over %q", s.name, over)
			}
		}
		p.size(1920, 1080)
	})
	t.Run("axe finds nothing", func(t *testing.T) {
		within(t, &p.t)
		for _, violation := range barriers(p, axeScript(t)) {
			t.Error(violation)
		}
	})
	t.Run("an earlier turn is looked at, and live comes back", func(t *testing.T) {
		within(t, &p.t)
		p.tap(".d-turns li:last-child a")
		p.wait(`!document.getElementById("past").hidden && document.querySelectorAll("#past .tile.new").length === 3`)
		p.picture("past")
		eval[bool](p, `(() => { const real = Date.now; Date.now = () => real() + 20000; return true; })()`)
		p.wait(`document.getElementById("past").hidden`)
	})
	t.Run("a screen on which nothing moves moves itself", func(t *testing.T) {
		within(t, &p.t)
		const place = `(() => { const b = document.querySelector(".stage").getBoundingClientRect(); return b.left + " " + b.top; })()`
		eval[bool](p,
			`(() => { const real = Date.now; window.ahead = 9; Date.now = () => real() + ahead * 60_000; return true; })()`)
		time.Sleep(1200 * time.Millisecond) // the page checks once a second
		was := "0 0"
		if at := eval[string](p, place); at != was {
			t.Errorf("after 9 minutes it stands at %s", at)
		}
		for range 2 { // the first change may have another cause
			p.wait(fmt.Sprintf(`(window.ahead += 0.25, %s) !== %q`, place, was))
			was = eval[string](p, place)
		}
	})
	t.Run("a lost link is said, the clock hidden, and the board comes back by itself", func(t *testing.T) {
		within(t, &p.t, &e.t)
		r.hush(true, true)
		p.wait(`document.querySelector(".stage.lost") && document.getElementById("link").textContent.match(/not live since .*\d:\d\d:\d\d/) && getComputedStyle(document.getElementById("clock")).visibility === "hidden"`)
		p.picture("lost")
		e.play(1, game, 39, "R9 R10 J R12")
		r.hush(false, false)
		back := time.Now()
		p.wait(`!document.querySelector(".stage.lost") && document.querySelectorAll("#table .tile").length === 7`)
		held(t, "the right board", time.Since(back), 10*time.Second)
	})
}
