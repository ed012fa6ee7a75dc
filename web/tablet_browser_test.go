package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/templates"
)

// stage shows the tablet with any rack and any table, without a game behind it. What is shown is asked for in the
// address: rack and table are numbers of tiles, phase dealt or over, lang and theme as usual.
func stage(t *testing.T) string {
	t.Helper()
	assets, err := LoadAssets()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/assets/", assets)
	mux.HandleFunc("/stage", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		rack, _ := strconv.Atoi(q.Get("rack"))
		table, _ := strconv.Atoi(q.Get("table"))
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		ctx := templates.WithLanguage(r.Context(), q.Get("lang"))
		page := templates.Page{Title: "Table 7", Path: "/play/game", Assets: assets.Base(), Theme: q.Get("theme"), Role: templates.RolePlayer}
		if err := templates.GamePage(templates.GameView{Page: page, Game: stageGame(t, rack, table)}).Render(ctx, w); err != nil {
			t.Error(err)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

const (
	stageNow = engine.Millis(1_795_240_000_000)
	// stageSets are 60 tiles as a game leaves them.
	stageSets = "R4 R5 R6 R7;K1 B1 O1;B8 B9 B10 B11 B12;K11 R11 O11;O2 O3 O4 O5;K13 R13 B13 O13;K5 O5 B5;K6 K7 K8 K9;R1 R2 R3;" +
		"B2 B3 B4;O10 J O12;K10 R10 B10;R8 R9 R10;O6 O7 O8 O9 O10 O11;B5 B6 B7;K2 R2 O2;K3 K4 K5"
)

func stageGame(t *testing.T, rack, table int) templates.Game {
	t.Helper()
	view := engine.View{
		Seq: 57, Now: stageNow, Phase: engine.PhasePlaying, Seat: 3,
		Seats:     []engine.SeatView{{Tiles: 9, Opened: true}, {Tiles: 21}, {Tiles: 5, Opened: true}, {Tiles: rack, Opened: true}},
		Turn:      engine.Turn{Number: 31, Seat: 3, Started: stageNow - 23_000, Due: stageNow + 37_000},
		TurnLimit: 60, MeldPoints: 30, Pool: 31, Table: stageTable(t, table), Rack: stageRack(t, rack),
		Calls: []engine.CallView{{Seat: 2, Call: engine.Call{Since: stageNow - 40_000}}},
	}
	if table > 0 {
		view.Last = &engine.LastView{Kind: "tiles_played", Seat: 2, Played: faces(t, "K5 K7 K8")}
	}
	return templates.Game{ID: 41, View: view,
		Place: templates.GamePlace{Event: "World Championship", Stage: "Preliminaries", Round: 2, Table: 7, Number: 3, Of: 4},
		Seats: []templates.Person{{Name: "Mei-Ling Chen", Country: "Taiwan"}, {Name: "Piotr Wiśniewski-Kowalczyk", Country: "Poland"},
			{Name: "נועה לוי", Country: "Israel"}, {Name: "Giulia Bianchi", Country: "Italy"}},
	}
}

// stageTable lays n tiles out from the first lane on; more than 60 are the longest runs, so that lanes are full.
func stageTable(t *testing.T, n int) []engine.LaidView {
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
	var table []engine.LaidView
	at, left := 0, n
	for _, set := range sets {
		laid := faces(t, set)
		laid = laid[:min(len(laid), left)]
		if len(laid) == 0 {
			break
		}
		if at%engine.LaneCells+len(laid) > engine.LaneCells {
			at = (at/engine.LaneCells + 1) * engine.LaneCells
		}
		view := engine.LaidView{At: at, Tiles: laid}
		if len(table) == 6 || len(table) == 7 {
			view.New = []int{0, len(laid) - 1}
		}
		table = append(table, view)
		if at += len(laid); at%engine.LaneCells > 0 {
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
	all := faces(t, "R1 R3 R9 B1 B4 B13 K2 K6 K11 O1 O8 O12 O13 J R5 R6 B6 B7 K8 K12 O3 O4 R12 B9 K3 K4 B11 O6 R8 K13 B2 O9 R13 K7 B12 O5 R2 K10 B8 J R7 K9")
	if n > len(all) {
		t.Fatalf("a rack of %d tiles was not prepared", n)
	}
	return all[:n]
}

// vision shows the page as somebody sees it who sees colours otherwise.
func (p *tab) vision(kind emulation.SetEmulatedVisionDeficiencyType) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedVisionDeficiency, emulation.SetEmulatedVisionDeficiencyParams{Type: kind}); err != nil {
		p.t.Fatal(err)
	}
}

// TestTabletPictures takes pictures to be looked at.
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
		vision        emulation.SetEmulatedVisionDeficiencyType
	}{
		{"land-dark-14-60", 1280, 800, "rack=14&table=60&theme=dark", emulation.SetEmulatedVisionDeficiencyTypeNone},
		{"land-light-30-60", 1280, 800, "rack=30&table=60&theme=light", emulation.SetEmulatedVisionDeficiencyTypeNone},
		{"land-dark-40-106", 1280, 800, "rack=40&table=106&theme=dark", emulation.SetEmulatedVisionDeficiencyTypeNone},
		{"land-dark-14-0", 1280, 800, "rack=14&table=0&theme=dark", emulation.SetEmulatedVisionDeficiencyTypeNone},
		{"port-dark-14-60", 800, 1280, "rack=14&table=60&theme=dark", emulation.SetEmulatedVisionDeficiencyTypeNone},
		{"port-light-30-106", 800, 1280, "rack=30&table=106&theme=light", emulation.SetEmulatedVisionDeficiencyTypeNone},
		{"port-dark-40-0", 800, 1280, "rack=40&table=0&theme=dark", emulation.SetEmulatedVisionDeficiencyTypeNone},
		{"phone-dark-14-60", 390, 844, "rack=14&table=60&theme=dark", emulation.SetEmulatedVisionDeficiencyTypeNone},
		{"phone-small-light-30-106", 360, 740, "rack=30&table=106&theme=light", emulation.SetEmulatedVisionDeficiencyTypeNone},
		{"phone-land-dark-14-60", 740, 360, "rack=14&table=60&theme=dark", emulation.SetEmulatedVisionDeficiencyTypeNone},
		{"ipad-land-14-60", 1024, 768, "rack=14&table=60&theme=dark", emulation.SetEmulatedVisionDeficiencyTypeNone},
		{"land-italian", 1280, 800, "rack=20&table=60&theme=dark&lang=it", emulation.SetEmulatedVisionDeficiencyTypeNone},
		{"port-italian", 800, 1280, "rack=20&table=60&theme=light&lang=it", emulation.SetEmulatedVisionDeficiencyTypeNone},
		{"land-grey", 1280, 800, "rack=14&table=60&theme=dark", emulation.SetEmulatedVisionDeficiencyTypeAchromatopsia},
		{"land-protan", 1280, 800, "rack=14&table=60&theme=dark", emulation.SetEmulatedVisionDeficiencyTypeProtanopia},
		{"land-deutan", 1280, 800, "rack=14&table=60&theme=dark", emulation.SetEmulatedVisionDeficiencyTypeDeuteranopia},
		{"land-tritan", 1280, 800, "rack=14&table=60&theme=dark", emulation.SetEmulatedVisionDeficiencyTypeTritanopia},
	} {
		p.size(shot.width, shot.height)
		p.open(address + "/stage?" + shot.query)
		p.vision(shot.vision)
		p.wait(`document.fonts.status === "loaded" && document.querySelector("#rack .tile")`)
		p.picture(shot.name)
		p.vision(emulation.SetEmulatedVisionDeficiencyTypeNone)
	}
}
