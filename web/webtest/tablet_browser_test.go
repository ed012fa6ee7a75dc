package webtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/web"
	"meldhall/web/guard"
)

// stage serves the tablet's page with any rack and table, without a game. The query sets what it shows: rack and table
// are numbers of tiles, phase is dealt or over, lang and theme are as usual.
func stage(t *testing.T) string {
	t.Helper()
	assets, err := web.LoadAssets()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/assets/", assets)
	mux.HandleFunc("/stage", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		rack, _ := strconv.Atoi(q.Get("rack"))
		table, _ := strconv.Atoi(q.Get("table"))
		w.Header().Set("Content-Security-Policy", guard.Policy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		ctx := locale.WithLanguage(r.Context(), q.Get("lang"))
		page := part.Page{Title: "Table 7", Path: "/play/game", Assets: assets.Base(), Theme: q.Get("theme"),
			Role: part.RolePlayer}
		if err := play.GamePage(play.GameView{Page: page, Game: stageGame(t, rack, table)}).Render(ctx,
			w); err != nil {
			t.Error(err)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

const (
	stageNow = engine.Millis(1_795_240_000_000)
	// stageSets are 60 tiles as at the end of a typical game.
	stageSets = "R4 R5 R6 R7;K1 B1 O1;B8 B9 B10 B11 B12;K11 R11 O11;O2 O3 O4 O5;K13 R13 B13 O13;K5 O5 B5;K6 K7 K8 K9;R1 R2 R3;" +
		"B2 B3 B4;O10 J O12;K10 R10 B10;R8 R9 R10;O6 O7 O8 O9 O10 O11;B5 B6 B7;K2 R2 O2;K3 K4 K5"
)

func stageGame(t *testing.T, rack, table int) play.Game {
	t.Helper()
	view := engine.View{
		Seq: 57, Now: stageNow, Phase: engine.PhasePlaying, Seat: 3,
		Seats: []engine.SeatView{{Tiles: 9, Opened: true}, {Tiles: 21}, {Tiles: 5, Opened: true},
			{Tiles: rack, Opened: true}},
		Turn:      engine.Turn{Number: 31, Seat: 3, Started: stageNow - 23_000, Due: stageNow + 37_000},
		TurnLimit: 60, MeldPoints: 30, Pool: 31, Table: stageTable(t, table), Rack: stageRack(t, rack),
		Calls: []engine.CallView{{Seat: 2, Call: engine.Call{Since: stageNow - 40_000}}},
	}
	if table > 0 {
		view.Last = &engine.LastView{Kind: "tiles_played", Seat: 2, Played: faces(t, "K5 K7 K8")}
	}
	return play.Game{ID: 41, View: view,
		Place: play.GamePlace{Event: "World Championship", Stage: "Preliminaries", Round: 2, Table: 7, Number: 3,
			Of: 4},
		Seats: []play.Person{{Name: "Mei-Ling Chen", Country: "Aotearoa New Zealand"},
			{Name: "Piotr Wiśniewski-Kowalczyk", Country: "Poland"},
			{Name: "נועה לוי", Country: "Israel"}, {Name: "Giulia Bianchi", Country: "Italy"}},
	}
}

// stageTable lays out n tiles from the first lane on; more than 60 are the longest runs, to fill lanes.
func stageTable(t *testing.T, n int) []tile.LaidView {
	t.Helper()
	sets := strings.Split(stageSets, ";")
	if n > 60 {
		sets = nil
		for _, colour := range "KRBOKRBO" {
			var run []string
			for number := 1; number <= 13; number++ {
				run = append(run, fmt.Sprintf("%c%d", colour, number))
			}
			sets = append(sets, strings.Join(run, " "))
		}
		sets = append(sets, "J J")
	}
	var table []tile.LaidView
	at, left := 0, n
	for _, set := range sets {
		laid := faces(t, set)
		laid = laid[:min(len(laid), left)]
		if len(laid) == 0 {
			break
		}
		if at%tile.LaneCells+len(laid) > tile.LaneCells {
			at = (at/tile.LaneCells + 1) * tile.LaneCells
		}
		view := tile.LaidView{At: at, Tiles: laid}
		if len(table) == 6 || len(table) == 7 {
			view.New = []int{0, len(laid) - 1}
		}
		table = append(table, view)
		if at += len(laid); at%tile.LaneCells > 0 {
			at++
		}
		left -= len(laid)
	}
	if left > 0 {
		t.Fatalf("%d of %d tiles found no place", left, n)
	}
	return table
}

func stageRack(t *testing.T, n int) []tile.Face {
	t.Helper()
	all := faces(t,
		"R1 R3 R9 B1 B4 B13 K2 K6 K11 O1 O8 O12 O13 J R5 R6 B6 B7 K8 K12 O3 O4 R12 B9 K3 K4 B11 O6 R8 K13 B2 O9 R13 K7 B12 O5 R2 K10 B8 J R7 K9")
	if n > len(all) {
		t.Fatalf("a rack of %d tiles was not prepared", n)
	}
	return all[:n]
}

// TestTabletPictures takes pictures for review.
func TestTabletPictures(t *testing.T) {
	if os.Getenv("MELDHALL_PICTURES") == "" {
		t.Skip("pictures are taken when MELDHALL_PICTURES names a folder")
	}
	b, address := startChromium(t), stage(t)
	p := b.tab(t, 1280, 800)
	for _, shot := range []struct {
		name          string
		width, height int64
		query         string
		vision        string
	}{
		{"land-dark-14-60", 1280, 800, "rack=14&table=60&theme=dark", "none"},
		{"land-light-30-60", 1280, 800, "rack=30&table=60&theme=light", "none"},
		{"land-dark-40-106", 1280, 800, "rack=40&table=106&theme=dark", "none"},
		{"land-dark-14-0", 1280, 800, "rack=14&table=0&theme=dark", "none"},
		{"port-dark-14-60", 800, 1280, "rack=14&table=60&theme=dark", "none"},
		{"port-light-30-106", 800, 1280, "rack=30&table=106&theme=light", "none"},
		{"port-dark-40-0", 800, 1280, "rack=40&table=0&theme=dark", "none"},
		{"phone-dark-14-60", 390, 844, "rack=14&table=60&theme=dark", "none"},
		{"phone-small-light-30-106", 360, 740, "rack=30&table=106&theme=light", "none"},
		{"phone-land-dark-14-60", 740, 360, "rack=14&table=60&theme=dark", "none"},
		{"ipad-land-14-60", 1024, 768, "rack=14&table=60&theme=dark", "none"},
		{"land-italian", 1280, 800, "rack=20&table=60&theme=dark&lang=it", "none"},
		{"port-italian", 800, 1280, "rack=20&table=60&theme=light&lang=it", "none"},
		{"land-grey", 1280, 800, "rack=14&table=60&theme=dark", "achromatopsia"},
		{"land-protan", 1280, 800, "rack=14&table=60&theme=dark", "protanopia"},
		{"land-deutan", 1280, 800, "rack=14&table=60&theme=dark", "deuteranopia"},
		{"land-tritan", 1280, 800, "rack=14&table=60&theme=dark", "tritanopia"},
	} {
		p.size(shot.width, shot.height)
		p.open(address + "/stage?" + shot.query)
		p.vision(shot.vision)
		p.wait(`document.fonts.status === "loaded" && document.querySelector("#rack .tile")`)
		p.picture(shot.name)
		p.vision("none")
	}
}

// millimetre is how many CSS px a 10-inch tablet of 1280 by 800 shows per mm.
const millimetre = 5.9

// boxesOverlap lists parts of the screen that overlap, stick out of it or have no room for their text.
const boxesOverlap = `(() => {
	const parts = [...document.querySelectorAll("#head .seat, #place, #clock, #table .lane, .minor .key, .told .last:not(.vh), #again, #verdict, .well, .large .key")]
		.filter((el) => el.checkVisibility()).map((el) => ({ el, name: el.id || el.className, box: el.getBoundingClientRect() }));
	const wrong = [];
	for (const [i, a] of parts.entries()) {
		if (a.box.left < -0.5 || a.box.top < -0.5 || a.box.right > innerWidth + 0.5 || a.box.bottom > innerHeight + 0.5) wrong.push(a.name + " sticks out of the screen");
		if (a.el.matches("button, .seat") && a.el.scrollWidth > a.el.clientWidth + 1) wrong.push(a.name + " has no room for its text");
		for (const b of parts.slice(i + 1)) {
			const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left), high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
			if (wide > 0.5 && high > 0.5) wrong.push(a.name + " overlaps " + b.name);
		}
	}
	for (const number of document.querySelectorAll(".tile > b")) {
		const spare = number.parentElement.getBoundingClientRect().width - number.getBoundingClientRect().width;
		if (spare < 3) wrong.push(number.textContent + " has no room on its tile: " + spare.toFixed(1) + " px are left");
	}
	return wrong;
})()`

// sizes holds the smallest sizes of each kind on the screen, in CSS px.
type sizes struct {
	RackWide, RackHigh, TableWide, TableHigh, Numeral, Shape, Apart, Act, Key float64
	Rack, Seen                                                                int
}

const measureSizes = `(() => {
	const boxes = (s) => [...document.querySelectorAll(s)].filter((el) => el.checkVisibility()).map((el) => el.getBoundingClientRect());
	const least = (list, of) => list.length ? Math.min(...list.map(of)) : 0;
	const rack = boxes("#rack .tile"), table = boxes("#table .tile"), acts = boxes(".large .key"), keys = boxes(".minor .key");
	const tiles = [...document.querySelectorAll("#rack .tile, #table .tile")];
	const away = (a, b) => Math.hypot(Math.max(0, a.left - b.right, b.left - a.right), Math.max(0, a.top - b.bottom, b.top - a.bottom));
	const well = document.querySelector(".well").getBoundingClientRect();
	return {
		RackWide: least(rack, (b) => b.width), RackHigh: least(rack, (b) => b.height), TableWide: least(table, (b) => b.width), TableHigh: least(table, (b) => b.height),
		Numeral: least(tiles, (el) => parseFloat(getComputedStyle(el).fontSize)),
		Shape: least(tiles, (el) => parseFloat(getComputedStyle(el, "::after").height)),
		Apart: least(keys.flatMap((k) => acts.map((a) => away(k, a))), (x) => x), Act: least(acts, (b) => b.height), Key: least(keys, (b) => Math.min(b.width, b.height)),
		Rack: rack.length, Seen: rack.filter((b) => b.top >= well.top - 1 && b.bottom <= well.bottom + 1).length,
	};
})()`

func TestBrowserTabletFits(t *testing.T) {
	b, address := startChromium(t), stage(t)
	p := b.tab(t, 1280, 800)
	for _, screen := range [][2]int64{{1280, 800}, {800, 1280}} {
		for _, lang := range []string{"en", "it"} {
			for _, tiles := range [][2]int{{14, 0}, {14, 60}, {30, 60}, {40, 106}} {
				if lang != "en" && tiles[0] != 30 {
					continue
				}
				t.Run(fmt.Sprintf("%d x %d, %d on the rack, %d on the table, %s", screen[0], screen[1], tiles[0],
					tiles[1], lang), func(t *testing.T) {
					within(t, &p.t)
					p.size(screen[0], screen[1])
					p.open(fmt.Sprintf("%s/stage?rack=%d&table=%d&lang=%s", address, tiles[0], tiles[1], lang))
					p.wait(fmt.Sprintf(`innerWidth === %d && document.fonts.status === "loaded"`, screen[0]))
					for _, wrong := range eval[[]string](p, boxesOverlap) {
						t.Error(wrong)
					}
					got := eval[sizes](p, measureSizes)
					t.Logf("%+v", got)
					if got.Rack != tiles[0] || got.Seen != tiles[0] {
						t.Errorf("%d tiles on the rack, %d in sight, want %d", got.Rack, got.Seen, tiles[0])
					}
					checkSizes(t, got, tiles[0] <= 30, tiles[1] > 0)
				})
			}
		}
	}
}

// checkSizes checks the minimum sizes of tiles and controls. large means that the rack's tiles have the size that they
// have on a rack of usual length.
func checkSizes(t *testing.T, got sizes, large, laid bool) {
	t.Helper()
	least := func(what string, got, want float64) {
		if got < want {
			t.Errorf("%s: %.2f px, want %.1f", what, got, want)
		}
	}
	high := 11 * millimetre
	if !large {
		high = 44
	}
	least("a rack tile's width", got.RackWide, 44)
	least("a rack tile's height", got.RackHigh, high)
	if laid {
		least("a table tile's width", got.TableWide, 44)
		least("a table tile's height", got.TableHigh, 11*millimetre)
	}
	least("a numeral", got.Numeral, 22)
	least("a shape", got.Shape, 2*millimetre)
	least("from Undo and its like to Draw and End turn", got.Apart, 16*millimetre)
	least("the height of Draw and End turn", got.Act, 14*millimetre)
	least("the other keys", got.Key, 44)
}

func TestBrowserSmallTabletFits(t *testing.T) {
	b, address := startChromium(t), stage(t)
	p := b.tab(t, 1024, 768)
	for _, screen := range [][2]int64{{1024, 768}, {1180, 820}, {960, 600}, {768, 1024}, {600, 960}} {
		for _, tiles := range []int{14, 40} {
			t.Run(fmt.Sprintf("%d x %d, %d on the rack", screen[0], screen[1], tiles), func(t *testing.T) {
				within(t, &p.t)
				p.size(screen[0], screen[1])
				p.open(fmt.Sprintf("%s/stage?rack=%d&table=60&lang=it", address, tiles))
				p.wait(fmt.Sprintf(`innerWidth === %d && document.fonts.status === "loaded"`, screen[0]))
				for _, wrong := range eval[[]string](p, boxesOverlap) {
					t.Error(wrong)
				}
				if cut := eval[[]string](p,
					`[...document.querySelectorAll(".seat .name")].filter((el) => el.scrollHeight > el.clientHeight + 2).map((el) => el.textContent)`); len(cut) > 0 && screen[0] >= 1024 {
					t.Errorf("names that end before they are told: %q", cut)
				}
				p.picture("small")
			})
		}
	}
}

func TestBrowserPhone(t *testing.T) {
	b, address := startChromium(t), stage(t)
	p := b.tab(t, 390, 844)
	for _, screen := range [][2]int64{{360, 740}, {390, 844}, {740, 360}} {
		t.Run(fmt.Sprintf("%d x %d", screen[0], screen[1]), func(t *testing.T) {
			within(t, &p.t)
			p.size(screen[0], screen[1])
			p.open(address + "/stage?rack=30&table=60")
			p.wait(fmt.Sprintf(`innerWidth === %d && document.readyState === "complete" &&
				document.fonts.status === "loaded" && document.documentElement.dataset.table === "whole"`, screen[0]))
			for _, wrong := range eval[[]string](p, boxesOverlap) {
				t.Error(wrong)
			}
			got := eval[sizes](p, measureSizes)
			t.Logf("%+v", got)
			if got.Key < 40 || got.Act < 44 || got.RackHigh < 36 || got.RackWide < 40 || got.TableWide < 24 {
				t.Errorf("got %+v: too small", got)
			}
			// Two fingers do not zoom while tiles are moved. The browser's zoom by keys and menu still works, and so
			// does the larger table.
			if eval[bool](p,
				`!!document.querySelector("meta[name=viewport]").content.match(/maximum-scale|user-scalable/)`) {
				t.Error("the browser's own zoom is shut out")
			}
			p.tap("#zoom")
			p.wait(`document.querySelector("#zoom").getAttribute("aria-pressed") === "true"`)
			large := eval[sizes](p, measureSizes)
			if large.TableWide < 44 || large.TableHigh < 44 || large.Numeral < 20 {
				t.Errorf("got %+v on the larger table", large)
			}
			if !eval[bool](p,
				`(() => { const felt = document.querySelector(".felt"); felt.scrollTo(9999, 9999); const last = document.querySelector("#table .lane:last-child .cell:last-child").getBoundingClientRect(), box = felt.getBoundingClientRect(); return felt.scrollTop > 0 && last.bottom <= box.bottom + 8 && last.right <= box.right + 8; })()`) {
				t.Error("the larger table does not scroll to its end")
			}
			p.picture("larger")
			p.reload()
			p.wait(`document.documentElement.dataset.table === "large"`)
			eval[bool](p, `localStorage.clear(), true`)
		})
	}
}
