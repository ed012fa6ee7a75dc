package webtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"meldhall/templates"
	"meldhall/templates/screens"
	"meldhall/tournament"
	"meldhall/web/api"
	"meldhall/web/request"
)

// TestStreamsOfAnEvent checks that programs follow all tables and the standings without a token, that they see what the
// public pages show and no rack, and that a table's next turn and a confirmed result arrive.
func TestStreamsOfAnEvent(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, map[string]any{"turn_seconds": 600})
	e.start()
	game := e.begin(0)
	at := fmt.Sprintf("/tournaments/%d", e.id)
	tables, standings := e.public().watch(at+"/tables/live"), e.public().watch(at+"/standings/live")
	read := func(m message) (v api.TablesNowView) {
		t.Helper()
		if err := json.Unmarshal([]byte(m.data), &v); err != nil {
			t.Fatal(err, m.data)
		}
		return v
	}
	first := read(next(t, tables))
	if len(first.Tables) != 2 || first.Round != 1 || len(first.Tables[0].Seats) != 4 || first.Tables[0].Pool == nil ||
		first.Tables[0].Due == 0 || first.Tables[0].Seats[0].Player.Name == "" {
		t.Errorf("the first state is %+v", first)
	}
	turn := e.public().view(game).Turn
	e.at(0, turn.Seat).must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
		request.TurnRequest{Turn: turn.Number, Key: e.key()}, nil)
	for now := read(next(t, tables)); *now.Tables[0].Pool != *first.Tables[0].Pool-1; now = read(next(t, tables)) {
	}
	if rows := next(t, standings).data; !strings.Contains(rows, `"rows":[`) {
		t.Errorf("the standings begin with %s", rows)
	}
	e.byDraws(game)
	e.confirmed(game)
	for m := next(t, standings); !strings.Contains(m.data, `"games":1`); m = next(t, standings) {
	}
	e.shown(tournament.SetShown{Part: tournament.PartPairing, How: tournament.ShownHidden})
	for now := read(next(t, tables)); len(now.Tables) > 0; now = read(next(t, tables)) {
	}
	var hidden, whole api.TablesNowView
	e.public().must(http.MethodGet, at+"/tables", nil, &hidden)
	e.referee.must(http.MethodGet, at+"/tables", nil, &whole)
	if len(hidden.Tables) != 0 || len(whole.Tables) != 2 {
		t.Errorf("hidden tables: the public sees %d, a referee %d", len(hidden.Tables), len(whole.Tables))
	}
	_, document := e.asked(t, http.MethodGet, request.APIBase+"/openapi.json")
	for _, path := range []string{"/tournaments/{id}/tables", "/tournaments/{id}/tables/live",
		"/tournaments/{id}/standings/live"} {
		if !strings.Contains(document, `"`+path+`"`) {
			t.Errorf("the document lacks %s", path)
		}
	}
}

// outsideSafe lists what of an overlay leaves the inner 90 % of the picture, and panels whose text is cut.
const outsideSafe = `[...document.querySelectorAll(".o .o-panel, .o .o-panel *, .o .tile")].filter((el) => {
	const b = el.getBoundingClientRect();
	if (!b.width || !b.height || el.closest(".vh") || !el.checkVisibility()) return false;
	return b.left < innerWidth * .05 - 1 || b.right > innerWidth * .95 + 1 || b.top < innerHeight * .05 - 1 ||
		b.bottom > innerHeight * .95 + 1 ||
		el.matches(".name, bdi") && el.scrollWidth > el.clientWidth + 1 && el.clientWidth > 0;
}).map((el) => el.className + " " + el.textContent)`

// TestBrowserOverlayLook checks that the desk sets size, position, colours and logo of the overlays, which follow
// within 2 s and stay in the inner 90 % of a picture of 720 or 1080 lines. The lower third names the country.
func TestBrowserOverlayLook(t *testing.T) {
	b := startChromium(t)
	const name = "World Championship of the Federation"
	e := newNamedEvent(t, name, "name,country\nJean-Sébastien Vandermeulen-Pauw,BE\n"+
		"Александра Константинопольская,KZ\n欧阳修远司马相如诸葛孔明,CN\nשרה-לאה אברהמי בן ציון הלוי,IL\n",
		map[string]any{"turn_seconds": 0})
	e.start()
	game := e.begin(0)
	p := b.tab(t, 1920, 1080)
	p.still()
	p.open(e.overlayAddress("lower"))
	p.wait(`[...document.querySelectorAll(".o.size-100 .o-who small")].some((el) => el.textContent === "Belgium")`)
	desk := e.signedIn("referee").get(t, fmt.Sprintf("/referee/%d/displays", e.id)).is(http.StatusOK)
	pressed := time.Now()
	desk.submit("/stream.look", "size", "150", "place", "top-right", "colours", "event", "logo", "true").
		is(http.StatusOK).says("#look", "The overlays look like this now.")
	p.wait(`document.querySelector(".o.size-150.at-top-right")`)
	held(t, "another look", time.Since(pressed), 2*time.Second)
	if seen := eval[bool](p, `!!document.querySelector(".o-face, .o-logo")`); seen {
		t.Error("the event has no colour and no logo, and an overlay shows them")
	}
	details := fields{"tournament": e.id, "name": name, "colour": "#ffdd00"}
	e.organizer.must(http.MethodPost, "/actions/tournament.describe", details, nil)
	e.byDraws(game)
	e.confirmed(game)
	for _, place := range []string{"top-left", "bottom-right"} {
		e.referee.must(http.MethodPost, "/actions/stream.look", fields{"tournament": e.id, "size": 150, "place": place,
			"colours": "event"}, nil)
		for _, kind := range screens.Overlays {
			p.open(e.overlayAddress(kind))
			p.wait(`document.readyState === "complete" && document.fonts.status === "loaded" &&
				document.querySelector(".o.at-` + place + `")`)
			for _, width := range []int64{1920, 1280} {
				p.size(width, width*9/16)
				p.frame()
				if out := eval[[]string](p, outsideSafe); len(out) > 0 {
					t.Errorf("%s %s at %d: %q", kind, place, width, out)
				}
			}
			p.picture(kind + "-" + place)
		}
	}
	p.open(e.overlayAddress("standings"))
	p.wait(`document.querySelector(".o-head.ink-dark .o-face rect")?.getAttribute("fill") === "#ffdd00"`)
}

// TestBrowserCommentaryGrid checks that nine tables stand before a commentator at 1366 × 768 without scrolling, with
// their clocks, pools, initial melds and places, and that only officials see tables that are hidden from the public.
func TestBrowserCommentaryGrid(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 36, map[string]any{"turn_seconds": 600})
	e.start()
	e.begin(0)
	p := b.tab(t, 1366, 768)
	p.still()
	p.open(e.http.URL + string(templates.CommentaryPath(e.id)))
	p.wait(isLive + ` && document.fonts.status === "loaded" && document.querySelectorAll(".desk-table").length === 9`)
	p.picture("nine")
	const bottom = `Math.max(...[...document.querySelectorAll(".desk-table")]
		.map((el) => el.getBoundingClientRect().bottom))`
	if low := eval[float64](p, bottom); low > 768 {
		t.Errorf("the last table ends at %.0f of 768 px", low)
	}
	first := eval[string](p, `document.querySelector(".desk-table").innerText`)
	for _, want := range []string{"Table 1", "Pool", "s\n"} {
		if !strings.Contains(first, want) {
			t.Errorf("the first table lacks %q: %q", want, first)
		}
	}
	e.shown(tournament.SetShown{Part: tournament.PartTables, How: tournament.ShownHidden})
	e.pass()
	path := string(templates.CommentaryPath(e.id))
	if n := e.reader().get(t, path).count(".desk-table"); n != 0 {
		t.Errorf("hidden tables: the public sees %d", n)
	}
	if n := e.signedIn("referee").get(t, path).count(".desk-table"); n != 9 {
		t.Errorf("hidden tables: an official sees %d", n)
	}
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("complaints: %q", got)
	}
}
