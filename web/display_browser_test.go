package web

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"meldhall/engine"
	"meldhall/templates"
)

// longNames are names of 30 characters, as rosters have them.
var longNames = []string{
	"Maximiliane Schwarzenberger-Uhl", "אברהם־יצחק בן־ציון רוזנבלום־כהן", "عبد الرحمن بن محمد الخطيب الكبير", "欧阳慕容司马诸葛上官东方独孤令狐宇文长孙皇甫尉迟公孙轩辕",
}

// displayOf serves one screen as a view draws it, without a game behind it.
func displayOf(t *testing.T, h *hall, set templates.DisplaySettings, view templates.DisplayView) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/assets/", h.server.Handler())
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		ctx := templates.WithLanguage(r.Context(), set.Lang)
		theme := "dark"
		if set.Theme == "light" {
			theme = "light"
		}
		p := templates.Page{Title: "Table", Path: "/", Assets: h.server.assets.Base(), Theme: theme}
		html, err := render(ctx, templates.DisplayPage(p, set, "/", templates.DisplayRegion(view)))
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", policy)
		_, _ = w.Write(html)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// sampleDisplay is a running game with so many tiles on the table, in sets of 3 to 13.
func sampleDisplay(t *testing.T, names []string, tiles int) templates.DisplayView {
	t.Helper()
	view := templates.DisplayView{Event: 1, Name: "World Championship", Number: 7, Round: 3, HasGame: true}
	view.Game = templates.Game{ID: 1, Place: templates.GamePlace{Event: "World Championship", Table: 7, Round: 3, Number: 2, Of: 4}}
	for _, name := range names {
		view.Game.Seats = append(view.Game.Seats, templates.Person{Name: name, Country: "IT"})
	}
	v := &view.Game.View
	v.Seat, v.Phase, v.Pool, v.TurnLimit, v.Now = engine.Spectator, engine.PhasePlaying, 23, 60, 1_000_000
	v.Turn = engine.Turn{Number: 12, Seat: 1, Started: 980_000, Due: 1_047_000}
	v.Seats = []engine.SeatView{{Tiles: 9, Opened: true}, {Tiles: 12, Opened: true}, {Tiles: 17}, {Tiles: 4, Opened: true}}
	sets := []string{"R1 R2 R3 R4 R5 R6 R7", "K7 B7 O7", "B3 B4 B5 B6", "K10 R10 B10 O10", "O2 O3 O4", "J K11 K12 K13", "R9 B9 O9", "K1 K2 K3 K4 K5", "B11 B12 B13", "O10 O11 O12 O13",
		"K8 R8 B8", "R11 J R13", "O5 O6 O7 O8", "K6 R6 O6", "K1 R1 B1 O1", "B2 B3 B4 B5 B6 B7", "R3 R4 R5", "K9 K10 K11 K12", "O8 O9 O10 O11", "R12 B12 O12"}
	lane, cell, laid := 0, 0, 0
	for _, text := range sets {
		set := faces(t, text)
		if laid += len(set); laid > tiles {
			break
		}
		if cell+len(set) > engine.LaneCells {
			lane, cell = lane+1, 0
		}
		v.Table = append(v.Table, engine.LaidView{At: lane*engine.LaneCells + cell, Tiles: set})
		cell += len(set) + 1
	}
	if len(v.Table) > 2 {
		v.Table[2].New, v.Table[1].New = []int{3}, []int{0, 1, 2}
	}
	kinds := []engine.Event{engine.TilesPlayed{}, engine.TileDrawn{}, engine.TilesPlayed{}, engine.TurnExpired{}, engine.TilesPlayed{}}
	for i, kind := range kinds {
		view.Turns = append(view.Turns, templates.TurnLine{Number: 30 + i, Name: names[i%len(names)],
			Did: templates.Deed{Kind: kind.Kind(), Played: 4 * (1 - i%2), Drawn: 1 * (i % 2)}})
	}
	return view
}

var fourNames = []string{"Anna Rossi", "Lena Brandt", "Noa Levi", "Hyun-woo Park"}

var displayScreens = []struct {
	name          string
	width, height int64
	pxPerMM       float64
}{
	{"24 inch", 1920, 1080, 1920 / 531.4}, // 16:9, 24 inches across: 531.4 mm wide
	{"10 inch", 1280, 800, 5.9},
	{"10 inch upright", 800, 1280, 5.9},
}

func TestDisplayPictures(t *testing.T) {
	b := startChromium(t)
	h := newHall(t)
	for _, s := range displayScreens {
		for _, row := range []struct {
			name  string
			set   templates.DisplaySettings
			names []string
			tiles int
			twist func(*templates.DisplayView)
		}{
			{"game", templates.DisplaySettings{}, fourNames, 46, nil},
			{"light", templates.DisplaySettings{Theme: "light"}, fourNames, 46, nil},
			{"names", templates.DisplaySettings{}, longNames, 80, nil},
			{"sides", templates.DisplaySettings{Sides: 2}, fourNames, 46, nil},
			{"ruling", templates.DisplaySettings{Lang: "it"}, fourNames, 30, func(v *templates.DisplayView) {
				v.Game.View.Ruling = &engine.Ruling{Kind: engine.PenaltyGiven{}.Kind(), Seat: 3, Tiles: 3, Reason: "Talked about the tiles"}
			}},
			{"over", templates.DisplaySettings{}, fourNames, 80, func(v *templates.DisplayView) {
				v.Game.View.Phase = engine.PhaseOver
				v.Game.View.Result = &engine.ResultView{Why: engine.EndedEmptied, Points: []engine.Twelfth{-9 * 12, 61 * 12, -40 * 12, -12 * 12}, Wins: []engine.Twelfth{0, 12, 0, 0}, Charges: make([]engine.Charge, 4)}
			}},
			{"rest", templates.DisplaySettings{}, fourNames, 0, func(v *templates.DisplayView) {
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

func TestBrowserShowsTheLastTurnAgain(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, preparedRacks...)
	e.draw(0, game)
	e.play(1, game, 39, "R9 R10 J R12")
	p.wait(`!document.getElementById("again").hidden && document.querySelectorAll("#table .tile").length === 4`)
	layer := `document.querySelectorAll(".again-layer .tile").length`
	t.Run("the tiles glide from the seat, for three seconds at most", func(t *testing.T) {
		p.t = t
		eval[bool](p, `new MutationObserver((list) => { for (const m of list) {
			for (const n of m.addedNodes) if (n.className === "again-layer") window.shownAt = performance.now();
			for (const n of m.removedNodes) if (n.className === "again-layer") window.goneAt = performance.now();
		} }).observe(document.body, { childList: true }), true`)
		p.tap("#again")
		p.wait(layer + " === 4")
		p.picture("gliding")
		p.wait(`document.querySelectorAll(".again-layer .tile.new").length === 4`)
		p.picture("after")
		p.wait(`!document.querySelector(".again-layer")`)
		if took := eval[float64](p, "goneAt - shownAt"); took > 3000 {
			t.Errorf("it took %v ms", took)
		}
	})
	t.Run("a touch ends it", func(t *testing.T) {
		p.t = t
		p.tap("#again")
		p.wait(`document.querySelector(".again-layer")`)
		p.tap(inRack("K4"))
		p.wait(`!document.querySelector(".again-layer")`)
		p.tap(inRack("K4"))
	})
	t.Run("news end it", func(t *testing.T) {
		p.t, e.t = t, t
		p.tap("#again")
		p.wait(`document.querySelector(".again-layer")`)
		e.draw(2, game)
		p.wait(`!document.querySelector(".again-layer") && document.getElementById("again").hidden`)
	})
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}
