package webtest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"meldhall/data"
	"meldhall/engine/bot"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/testmode"
	"meldhall/engine/tile"
	"meldhall/tournament/preset"
)

// feltScreens are the screens on which the felt is measured. possible is how wide tiles can be with 20, 40, 60, 80 and
// 106 tiles on the table: the 5th of 100 random tables and the median, packed first-fit in whole rows (a table from the
// design).
var feltScreens = []struct {
	wide, high int64
	possible   [5][2]float64
}{
	{1024, 768, [5][2]float64{{83, 90}, {65, 66}, {58, 58}, {52, 54}, {45, 45}}},
	{768, 1024, [5][2]float64{{82, 87}, {67, 71}, {57, 61}, {49, 52}, {43, 46}}},
	{390, 844, [5][2]float64{{42, 54}, {34, 40}, {31, 34}, {29, 29}, {25, 27}}},
	{1080, 810, [5][2]float64{{90, 96}, {71, 71}, {62, 62}, {55, 58}, {49, 49}}},
	{810, 1080, [5][2]float64{}},
	{1180, 820, [5][2]float64{}},
	{1280, 800, [5][2]float64{{96, 96}, {78, 83}, {70, 70}, {57, 57}, {52, 54}}},
	{800, 1280, [5][2]float64{}},
	{360, 640, [5][2]float64{}},
}

// gridScript returns the module that lays out tiles, as an object of a page.
func gridScript(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("..", "assets", "js", "grid.js"))
	if err != nil {
		t.Fatal(err)
	}
	bare := regexp.MustCompile(`(?m)^export `).ReplaceAllString(string(source), "")
	return "window.felt = (() => {" + bare + "; return { flow, largest, gridOf }; })(), true"
}

// randomWidths computes, for each number of tiles, the 5th smallest and the median tile width of 100 random tables of
// sets of 3 to 13 on the current felt.
const randomWidths = `[20, 40, 60, 80, 106].map((n) => {
	const box = document.querySelector(".felt"), style = getComputedStyle(box);
	const size = { wide: box.offsetWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight), high: box.offsetHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom) };
	let seed = 7;
	const random = (k) => (seed = (seed * 48271) % 2147483647) % k;
	const widths = Array.from({ length: 100 }, () => {
		const lengths = [];
		for (let left = n; left > 0;) {
			const longest = Math.min(13, left);
			let set = 3;
			while (set < longest && random(2)) set++;
			if (left - set < 3) set = left <= 5 || left === set ? left : left - 3;
			lengths.push(set);
			left -= set;
		}
		return felt.largest(lengths, size).w;
	}).sort((a, b) => a - b);
	return [widths[4], widths[49]];
})`

// TestBrowserFeltMatrix prints the tile widths for racks and tables of all sizes and checks their minimum.
func TestBrowserFeltMatrix(t *testing.T) {
	b, address := startChromium(t), stage(t)
	p := b.tab(t, 1024, 768)
	p.still()
	racks, tables := []int{14, 20, 21, 31}, []int{0, 20, 40, 60, 80, 106}
	measured := map[string]sizes{}
	random := map[string][5][2]float64{}
	for _, rack := range racks {
		for _, table := range tables {
			if (rack == 20 || rack == 21) && table != 0 && table != 106 {
				continue // where a third ledge begins: the extremes suffice
			}
			p.open(fmt.Sprintf("%s/stage?rack=%d&table=%d", address, rack, table))
			p.wait(`document.fonts.status === "loaded" && document.documentElement.dataset.table === "whole" &&
				document.querySelector("#rack .tile")`)
			eval[bool](p, gridScript(t))
			for _, s := range feltScreens {
				p.size(s.wide, s.high)
				p.wait(fmt.Sprintf(`innerWidth === %d && innerHeight === %d`, s.wide, s.high))
				eval[bool](p,
					`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
				key := fmt.Sprint(s.wide, s.high, rack, table)
				measured[key] = eval[sizes](p, measureSizes)
				if table == 60 && rack == 14 {
					random[fmt.Sprint(s.wide, s.high)] = eval[[5][2]float64](p, randomWidths)
				}
				if table%53 == 0 || table == 60 {
					p.picture(fmt.Sprintf("%dx%d-rack-%d-table-%d", s.wide, s.high, rack, table))
				}
			}
		}
	}
	var text strings.Builder
	for _, s := range feltScreens {
		for _, rack := range racks {
			fmt.Fprintf(&text, "\n| %dx%d | %d | %.0f |", s.wide, s.high, rack,
				measured[fmt.Sprint(s.wide, s.high, rack, 0)].RackWide)
			for _, table := range tables[1:] {
				got, there := measured[fmt.Sprint(s.wide, s.high, rack, table)]
				if !there {
					continue
				}
				fmt.Fprintf(&text, " %.0f |", got.TableWide)
				holdFloor(t, fmt.Sprintf("%dx%d, %d on the rack, %d on the table", s.wide, s.high, rack, table),
					s.wide >= 768, rack, got)
			}
		}
	}
	t.Logf("the widths of tiles, on the rack and with %v on the table:%s", tables[1:], text.String())
	for _, s := range feltScreens {
		got := random[fmt.Sprint(s.wide, s.high)]
		t.Logf("%dx%d, 100 random tables each, the 5th and the median: %v; possible %v", s.wide, s.high, got,
			s.possible)
		for i := range got {
			for k := range got[i] {
				if got[i][k] < 0.87*s.possible[i][k] { // an order of sets takes more room than the densest packing
					t.Errorf("%dx%d, %d tiles: got %v px, possible are %v", s.wide, s.high, tables[i+1], got[i][k],
						s.possible[i][k])
				}
			}
		}
	}
}

// holdFloor checks that on a tablet no tile is narrower than a finger needs and tiles of a usual rack are wider; on a
// phone it checks the rack's tiles only.
func holdFloor(t *testing.T, where string, tablet bool, rack int, got sizes) {
	t.Helper()
	least := 44.0
	if tablet && rack <= 20 {
		least = 56
	}
	if got.RackWide < least {
		t.Errorf("%s: tiles of the rack are %.1f px wide, want %v", where, got.RackWide, least)
	}
	if tablet && got.TableWide < 44 {
		t.Errorf("%s: tiles of the table are %.1f px wide, want 44", where, got.TableWide)
	}
	if got.Rack != rack || got.Seen != rack {
		t.Errorf("%s: %d tiles on the rack, %d of them in sight", where, got.Rack, got.Seen)
	}
	for what, ratio := range map[string]float64{"rack": got.RackHigh / got.RackWide,
		"table": got.TableHigh / got.TableWide} {
		if tablet && got.RackWide >= 44 && (ratio < 1 || ratio > 1.5) {
			t.Errorf("%s: a tile of the %s is 1 : %.2f", where, what, ratio)
		}
	}
}

// botTables returns the tables of a game of four bots, one for each turn that changed the table, as in the log.
func botTables(rules ruleset.Ruleset, seed uint64) (tables [][]tile.LaidView) {
	pool := tile.FacesOf(tile.All())
	rng := rand.New(rand.NewPCG(seed, 15))
	rng.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	var racks [4][]tile.Face
	for i := range racks {
		racks[i], pool = slices.Clone(pool[:14]), pool[14:]
	}
	var opened [4]bool
	var table []tile.LaidView
	for turn, passed := 0, 0; passed < 4 && turn < 300; turn++ {
		seat := turn % 4
		var before [][]tile.Face
		for _, laid := range table {
			before = append(before, laid.Tiles)
		}
		style := []bot.Style{bot.Novice, bot.Club}[seat%2]
		after, laid := bot.Choose(style, bot.Turn{Rules: rules, Pool: len(pool),
			Move: judge.Move{Opened: opened[seat], Before: before, Rack: racks[seat]}})
		switch {
		case laid > 0:
			played := tile.CountFaces(after...).Minus(tile.CountFaces(before...))
			racks[seat] = tile.CountFaces(racks[seat]).Minus(played).List()
			table, opened[seat], passed = laidOut(table, after), true, 0
			tables = append(tables, table)
		case len(pool) > 0:
			racks[seat], pool, passed = append(racks[seat], pool[0]), pool[1:], 0
		default:
			passed++
		}
		if len(racks[seat]) == 0 {
			break
		}
	}
	return tables
}

// laidOut assigns sets their places in the log: a set that goes on keeps its place, a new one comes last.
func laidOut(was []tile.LaidView, sets [][]tile.Face) []tile.LaidView {
	faces := make([]tile.LaidFaces, len(sets))
	was = slices.Clone(was)
	for i, set := range sets {
		faces[i] = tile.LaidFaces{At: tile.SomewhereFree, Faces: set}
		if k := slices.IndexFunc(was, func(old tile.LaidView) bool { return slices.Contains(old.Tiles, set[0]) }); k >= 0 {
			faces[i].At = was[k].At
			was = slices.Delete(was, k, k+1)
		}
	}
	table := make([]tile.LaidView, len(sets))
	for i, set := range tile.Placed(faces) {
		table[i] = tile.LaidView{At: set.At, Tiles: set.Faces}
	}
	return table
}

// replayed counts what happened to untouched sets while games were shown on one screen.
type replayed struct{ Turns, Sets, Scales, ScaleMoves, Rows, Shifts, Lost, Least int }

const replayGames = `(games, size) => {
	const sum = { Turns: 0, Sets: 0, Scales: 0, ScaleMoves: 0, Rows: 0, Shifts: 0, Lost: 0, Least: 96 };
	for (const tables of games) {
		let was;
		for (const table of tables) {
			const lengths = table.map((s) => s.tiles.length), grid = felt.largest(lengths, size);
			const cells = felt.flow(lengths, grid);
			sum.Turns++;
			sum.Least = Math.min(sum.Least, grid.w);
			if (!cells) sum.Lost++;
			const now = table.map((s, k) => ({ text: s.tiles.join(), row: Math.floor(cells[k] / grid.cols), col: cells[k] % grid.cols }));
			const scaled = was && was.w !== grid.w;
			if (scaled) sum.Scales++;
			for (const old of was ? was.sets : []) {
				const same = now.find((s) => s.text === old.text);
				if (!same) continue;
				sum.Sets++;
				if (scaled) sum.ScaleMoves += same.row !== old.row || same.col !== old.col;
				else if (same.row !== old.row) sum.Rows++;
				else if (same.col !== old.col) sum.Shifts++;
			}
			was = { w: grid.w, sets: now };
		}
	}
	return sum;
}`

// TestBrowserUntouchedSetsStay replays 20 games, in long runs 200, through the module that lays out tiles, and prints
// how often a set moves that no player touched.
func TestBrowserUntouchedSetsStay(t *testing.T) {
	b, address := startChromium(t), stage(t)
	p := b.tab(t, 1024, 768)
	p.open(address + "/stage?rack=14&table=0")
	eval[bool](p, gridScript(t))
	type set struct {
		Tiles []tile.Face `json:"tiles"`
	}
	var games [][][]set
	presets, err := preset.Load(data.Rules, data.Formats)
	if err != nil {
		t.Fatal(err)
	}
	played := 20
	if testmode.Long {
		played = 200
	}
	for seed := range uint64(played) {
		var tables [][]set
		for _, table := range botTables(presets.Rules["wrc"], seed) {
			var sets []set
			for _, laid := range table {
				sets = append(sets, set{laid.Tiles})
			}
			tables = append(tables, sets)
		}
		games = append(games, tables)
	}
	text, err := json.Marshal(games)
	if err != nil {
		t.Fatal(err)
	}
	eval[bool](p, "window.games = "+string(text)+", true")
	for name, size := range map[string]string{"1024x768": "{ wide: 1000, high: 494 }",
		"768x1024": "{ wide: 752, high: 642 }", "1280x800": "{ wide: 1256, high: 510 }",
		"390x844": "{ wide: 382, high: 515 }"} {
		got := eval[replayed](p, "("+replayGames+")(games, "+size+")")
		t.Logf("%s: %d turns that changed the table; untouched sets were seen %d times and moved %d times with %d changes of "+
			"scale, else %d times to another row and %d times along their row; the narrowest tile was %d px", name,
			got.Turns, got.Sets, got.ScaleMoves, got.Scales, got.Rows, got.Shifts, got.Least)
		if got.Lost > 0 {
			t.Errorf("%s: %d tables were not laid out", name, got.Lost)
		}
		if name != "390x844" && got.Least < 44 {
			t.Errorf("%s: tiles were %d px wide, want 44", name, got.Least)
		}
		if got.Turns < 10*played {
			t.Errorf("only %d turns were shown", got.Turns)
		}
	}
}

// TestBrowserPhoneReaches checks that every tile of a large rack and a full table can be reached on a phone by touch
// alone.
func TestBrowserPhoneReaches(t *testing.T) {
	b, address := startChromium(t), stage(t)
	p := b.tab(t, 360, 640)
	p.still()
	for _, screen := range [][2]int64{{360, 640}, {390, 844}} {
		t.Run(fmt.Sprintf("%d x %d", screen[0], screen[1]), func(t *testing.T) {
			within(t, &p.t)
			p.size(screen[0], screen[1])
			p.open(address + "/stage?rack=31&table=60")
			p.wait(fmt.Sprintf(`innerWidth === %d && document.fonts.status === "loaded" &&
				document.documentElement.dataset.table === "whole"`, screen[0]))
			got := eval[sizes](p, measureSizes)
			if got.Seen != 31 || got.RackWide < 44 || got.Key < 44 || got.Act < 44 {
				t.Errorf("got %+v with 31 tiles on the rack", got)
			}
			last := `#rack .slot:has(.tile[data-face="O6"])`
			p.tap(last)
			p.wait(`document.querySelectorAll("#rack .tile.held").length === 1`)
			p.tap(last)
			p.picture("whole")

			tile := `#table .tile[data-face="B7"]`
			p.tap(`#table .cell:has(.tile[data-face="B7"])`)
			p.wait(`document.documentElement.dataset.table === "large" &&
				document.getElementById("zoom").getAttribute("aria-pressed") === "true"`)
			if held := eval[int](p, `document.querySelectorAll(".tile.held").length`); held != 0 {
				t.Errorf("the touch that opens a part takes %d tiles", held)
			}
			if wide := eval[float64](p, `document.querySelector('`+tile+`').getBoundingClientRect().width`); wide < 44 {
				t.Errorf("a tile of the part is %v px wide", wide)
			}
			p.tap(`#table .cell:has(.tile[data-face="B7"])`)
			p.wait(`document.querySelector('` + tile + `').classList.contains("held")`)
			p.picture("part")
			// takes the tile, then its whole set, then nothing
			for eval[bool](p, `!!document.querySelector(".tile.held")`) {
				p.tap(`#table .cell:has(.tile[data-face="B7"])`)
			}
			from := eval[float64](p, `document.querySelector(".felt").scrollLeft`)
			bare := eval[string](p, `[...document.querySelectorAll("#table .cell:not(:has(.tile), .grip)")].find((el) => {
				const box = el.getBoundingClientRect(), felt = document.querySelector(".felt").getBoundingClientRect();
				const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
				return x > felt.left && x < felt.right && y > felt.top && y < felt.bottom;
			}).id`)
			p.swipe("#"+bare, map[bool]float64{true: 120, false: -120}[from > 0], 0)
			p.wait(fmt.Sprintf(`document.querySelector(".felt").scrollLeft !== %v`, from))
			p.tap("#zoom")
			p.wait(`document.documentElement.dataset.table === "whole"`)

			p.open(address + "/stage?rack=40&table=20")
			p.wait(`document.fonts.status === "loaded" && document.querySelectorAll("#rack .tile").length === 40`)
			hidden := eval[string](p, `[...document.querySelectorAll("#rack .slot:has(.tile)")].at(-1).id`)
			if eval[bool](p, inReach("#"+hidden)) {
				t.Fatalf("%s is in sight before the swipe", hidden)
			}
			p.swipe("#r10", 0, -90)
			p.wait(`document.querySelector(".well").scrollTop > 0`)
			p.wait(inReach("#" + hidden))
			if held := eval[int](p, `document.querySelectorAll(".tile.held, .ghost").length`); held != 0 {
				t.Errorf("the swipe lifts %d tiles", held)
			}
			p.tap("#" + hidden)
			p.wait(`document.querySelectorAll("#rack .tile.held").length === 1`)
			p.picture("forty")
		})
	}
}

// TestBrowserRunsGoFromLeftToRight checks that on a page from right to left, the numbers of runs rise to the right, in
// the table and in the list.
func TestBrowserRunsGoFromLeftToRight(t *testing.T) {
	b, address := startChromium(t), stage(t)
	p := b.tab(t, 1024, 768)
	p.still()
	p.open(address + "/stage?rack=14&table=60&lang=he")
	p.wait(isWhole + ` && document.documentElement.dir === "rtl"`)
	rising := func(view string) {
		t.Helper()
		if !eval[bool](p, fmt.Sprintf(`["R4", "R5", "R6", "R7"]
			.map((face) => document.querySelector('%s [data-face="' + face + '"]').getBoundingClientRect().left)
			.every((left, k, all) => !k || left > all[k - 1])`, view)) {
			t.Errorf("red 4 to red 7 do not rise in %s", view)
		}
	}
	rising("#table")
	p.presses("#list")
	p.wait(`document.querySelector(".set-row")`)
	rising("#set-rows .set-row:first-child")
}
