package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/engine/testmode"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/api"
)

// TestBrowserRealTilesWithoutATablet plays a round of nine players with real tiles, using only the organizer's laptop.
// One table's turns are followed by the clock to the score sheet; for the others only the starting player and the
// remaining tiles are entered.
func TestBrowserRealTilesWithoutATablet(t *testing.T) {
	e := newRealEvent(t, 9, map[string]any{"turn_seconds": 60, "no_meld_able": 0, "no_meld_unable": 0})
	e.start()
	p := startChromium(t).tab(t, 1366, 768)
	p.still()
	w := &eventWalk{event: e, p: p, whole: t}
	w.signIn()
	w.open(fmt.Sprintf("/referee/%d/real", e.id))
	axe := axeScript(t)
	look := func(name string) {
		t.Helper()
		for _, violation := range barriers(p, axe) {
			t.Errorf("%s: %s", name, violation)
		}
		w.themes(name)
	}
	look("1-hall")
	if n := eval[int](p, `document.querySelectorAll(".table-card").length`); n != 3 {
		t.Fatalf("%d tables, want 3", n)
	}
	first := e.round.Tables[0]
	game := func(table int) int64 { return e.round.Tables[table].Games[0].ID }
	who := func(table, seat int) string { return e.round.Tables[table].Seats[seat].Player.Name }

	w.press("#table-2 button[name=seat][value='1']")
	w.says("#table-2", who(1, 1)+" begins.")
	if v := e.public().view(game(1)); v.Starter != 1 || v.Phase != engine.PhaseDealt {
		t.Errorf("%+v", v)
	}

	w.byTheClock(look)

	t.Run("a count that cannot stand is told at its table, and none is entered", func(t *testing.T) {
		within(t, &w.t, &p.t)
		w.count(game(1), "", "16", "x")
		w.count(game(2), "5", "7", "1")
		w.press("button[value=look]")
		w.says("#table-2", "must be a whole number")
		w.says("#table-3", "every rack has points")
		look("4-wrong")
	})
	w.count(game(1), "", "16", "102")
	w.count(game(2), "20", "", "12")
	w.press("button[value=look]")
	w.says("#table-2", "+118")
	w.says("#table-3", "+32")
	if v := e.public().view(game(1)); v.Phase == engine.PhaseOver {
		t.Error("it was entered before it was looked at")
	}
	look("5-looked-at")
	w.press("button[value=enter]")
	w.says(".flash", "2 counts entered and confirmed")
	e.counted(t, map[int][3]int{1: {118, -16, -102}, 2: {-20, 32, -12}})
	w.says("#table-2", fmt.Sprintf("Game 2 of %d", len(first.Games)))
	for _, complaint := range p.complaints() {
		if !strings.Contains(complaint, "422") { // impossible counts are rejected
			t.Errorf("the page complained: %s", complaint)
		}
	}
}

// counted checks the confirmed points of the first games of some tables.
func (e *event) counted(t *testing.T, tables map[int][3]int) {
	t.Helper()
	for table, want := range tables {
		game := e.round.Tables[table].Games[0].ID
		var count api.CountView
		e.referee.must(http.MethodGet, fmt.Sprintf("/games/%d/count", game), nil, &count)
		for seat, points := range want {
			if got := count.View.Result.Points[seat]; got != score.Whole(points) {
				t.Errorf("table %d seat %d: %v, want %d", table+1, seat, got, points)
			}
		}
		latest, err := result.LatestResult(t.Context(), e.store, game)
		if err != nil || !latest.Confirmed() {
			t.Errorf("table %d: %+v, %v", table+1, latest, err)
		}
	}
}

// coveredByClock lists the parts of a real table's page that its clock covers.
const coveredByClock = `(() => {
	const box = (part) => document.querySelector(part).getBoundingClientRect(), clock = box(".clock.huge");
	return [".r-head", "#whose", ".r-book", ".r-acts"].filter((part) =>
		box(part).top < clock.bottom - 1 && box(part).bottom > clock.top + 1);
})()`

// byTheClock follows a game at table 1 on its turn clock, from choosing the starting player to the count.
func (w *eventWalk) byTheClock(look func(name string)) {
	w.t.Helper()
	p, game := w.p, w.round.Tables[0].Games[0].ID
	who := func(seat int) string { return w.round.Tables[0].Seats[seat].Player.Name }
	w.press(fmt.Sprintf(`#table-1 a[href="%s"]`, templates.ClockPath(w.id, w.round.Tables[0].ID)))
	p.tap("[data-act=starter][data-seat='2']")
	p.wait(fmt.Sprintf(`document.getElementById("ready")?.innerText.includes(%q)`, who(2)))
	look("2-start")
	p.tap("#ready")
	p.wait(fmt.Sprintf(`document.getElementById("whose")?.innerText.includes(%q)`, who(2)))
	p.tap(".r-opened input", "#end-turn")
	p.wait(fmt.Sprintf(`document.getElementById("whose")?.innerText.includes(%q)`, who(0)))
	look("3-turn")
	for _, size := range [][2]int64{{390, 844}, {360, 740}} {
		p.size(size[0], size[1])
		p.wait(fmt.Sprintf("innerWidth === %d", size[0]))
		if covered := eval[[]string](p, coveredByClock); len(covered) > 0 {
			w.t.Errorf("on a phone of %d px the clock covers %q", size[0], covered)
		}
	}
	p.size(1366, 768)
	w.referee.post(game, "penalty", map[string]any{"seat": 1, "tiles": 2, "reason": "touched another rack"})
	p.wait(`document.querySelector(".r-book")?.innerText.includes("Touched another rack")`)
	p.tap("#out")
	p.wait(`document.querySelector("#sure[open] #sure-text")?.innerText.includes("no tiles left")`)
	p.tap("#sure-yes")
	p.wait(`!document.getElementById("moment").hidden`)
	p.tap("#moment")
	p.wait(`document.getElementById("sheet") && document.getElementById("moment").hidden`)
	p.tap("#tab1", "#rack-opened", "[data-face=R3]", "[data-face=K13]", "#tab2", "[data-face=O2]")
	p.wait(`document.getElementById("sheet-points").innerText.includes("+18")`)
	p.tap("#hand-in")
	w.press(".r-acts a.go") // opens the count for confirmation
	w.named("main", "The count is right")
	w.open(fmt.Sprintf("/referee/%d/real", w.id))
}

// signIn signs the organizer in through the form.
func (w *eventWalk) signIn() {
	w.t.Helper()
	w.p.open(w.http.URL + "/sign-in")
	w.fill("name", "organizer")
	w.fill("password", password)
	w.press("main form .primary")
}

// count enters the remaining points of a game's racks on the page of all tables.
func (w *eventWalk) count(game int64, left ...string) {
	w.t.Helper()
	for seat, text := range left {
		id := fmt.Sprintf("sum-%d-%d", game, seat)
		w.p.wait(fmt.Sprintf(`document.getElementById(%q)`, id))
		eval[bool](w.p, fmt.Sprintf(`(document.getElementById(%q).value = %q, true)`, id, text))
	}
}

// themes takes pictures of a page on a laptop, a tablet and a phone, in light and dark.
func (w *eventWalk) themes(name string) {
	w.t.Helper()
	for _, width := range []int64{360, 1024, 1366} {
		w.p.size(width, 768)
		for _, theme := range []string{"light", "dark"} {
			eval[bool](w.p, fmt.Sprintf(`(document.documentElement.dataset.theme = %q, true)`, theme))
			w.p.picture(fmt.Sprintf("%s-%d-%s", name, width, theme))
		}
	}
	w.p.size(1366, 768)
}

// clubWalk is an evening of nine players as an organizer at one laptop clicks it, from an empty database on. It counts
// clicks on buttons, links and choices, but not typing.
type clubWalk struct {
	*eventWalk
	clicks, pages int
}

func (w *clubWalk) click(selector string) {
	w.t.Helper()
	w.clicks++
	w.pages++
	w.press(selector)
}

// newClub opens the address that the server prints, and enters the organizer, the tournament's name and its players.
func newClub(t *testing.T, real bool) *clubWalk {
	t.Helper()
	h := newHall(t)
	token, err := account.SetupToken(t.Context(), h.store)
	if err != nil {
		t.Fatal(err)
	}
	p := startChromium(t).tab(t, 1366, 768)
	p.still()
	w := &clubWalk{eventWalk: &eventWalk{event: &event{hall: h, players: map[int64]*caller{}}, p: p, whole: t}}
	w.open("/setup?token=" + token)
	w.typed("name", "Anna")
	w.typed("password", password)
	w.click("main form .primary")
	w.organizer = h.staff(rights.RoleOrganizer) // a second account, used only by the test
	w.typed("name", "Club evening")
	w.typed("players", "Anna\nBen\nCarla\nDavid\nEva\nFranz\nGreta\nHugo\nIda")
	w.themes("new-event")
	if real {
		w.clicks++
		w.choose("tiles", "real")
	}
	w.click(".wide-form .primary")
	if _, err := fmt.Sscanf(eval[string](p, "location.pathname"), "/desk/%d", &w.id); err != nil {
		t.Fatal(err)
	}
	w.says(".flash", "with 9 players")
	w.click(".next .primary")
	return w
}

// typed writes into a field that is reached by the keyboard.
func (w *clubWalk) typed(id, text string) {
	w.t.Helper()
	w.p.wait(fmt.Sprintf(`document.getElementById(%q)`, id))
	eval[bool](w.p, fmt.Sprintf(`(document.getElementById(%q).value = %q, true)`, id, text))
}

// TestBrowserClubEveningWithOneLaptop runs an evening of nine players with real tiles and no tablets, from an empty
// database to the champion.
func TestBrowserClubEveningWithOneLaptop(t *testing.T) {
	testmode.SkipUnlessLong(t)
	w := newClub(t, true)
	w.themes("draft")
	w.click(`form[action$="/begin"] button`)
	w.says("h1", "Enter results (real tiles)")
	w.click("#table-1 button[name=seat][value='0']")
	w.click(`#table-1 a[href$="/clock"]`)
	w.p.wait(`document.getElementById("ready")?.disabled === false`)
	w.clicks++
	w.p.tap("#ready")
	w.p.wait(`document.getElementById("whose")`)
	begun, pages := w.clicks+len(w.asked), w.pages
	t.Logf("from nothing to the first turn: %d clicks, %d pages", begun, pages)
	if begun > 8 {
		t.Errorf("%d clicks to the first turn, want at most 8", begun)
	}
	w.clicks++
	w.open(fmt.Sprintf("/referee/%d/real", w.id)) // one click on the browser's back button
	for wave := 0; eval[string](w.p, "location.pathname") != fmt.Sprintf("/events/%d", w.id); wave++ {
		if wave > 40 {
			t.Fatal("the evening does not end")
		}
		if eval[bool](w.p,
			`location.pathname.startsWith("/desk/") && !!document.querySelector(".next .primary")?.innerText.includes("final standings")`) {
			break
		}
		switch {
		case eval[bool](w.p, `!!document.querySelector("button[value=look]")`):
			for k, id := range eval[[]string](w.p,
				`[...document.querySelectorAll("input[id^=sum-]")].map((el) => el.id)`) {
				w.typed(id, []string{"", fmt.Sprint(11 + 7*k + wave), fmt.Sprint(30 + 5*k + 3*wave),
					"64"}[eval[int](w.p, fmt.Sprintf(`Number(%q.split("-")[2])`, id))])
			}
			w.click("button[value=look]")
			w.click("button[value=enter]")
		case eval[bool](w.p, `!!document.querySelector('form[action$="/begin"] button')`):
			w.click(`form[action$="/begin"] button`)
		case eval[bool](w.p, `!!document.querySelector(".next form .primary")`):
			w.click(".next form .primary")
		default:
			t.Fatalf("stuck at %s: %s", eval[string](w.p, "location.pathname"),
				eval[string](w.p, `document.querySelector("main").innerText`))
		}
	}
	w.themes("over")
	event, err := tournament.TournamentByID(t.Context(), w.store, w.id)
	if err != nil || event.Status != tournament.StatusFinished {
		t.Errorf("the event is %s, %v", event.Status, err)
	}
	t.Logf("to the champion: %d clicks, %d pages", w.clicks+len(w.asked), w.pages)
	for _, complaint := range w.p.complaints() {
		t.Errorf("the page complained: %s", complaint)
	}
}

// TestBrowserClubEveningWithTablets counts the organizer's clicks up to the first turn when nine players have a tablet
// each.
func TestBrowserClubEveningWithTablets(t *testing.T) {
	testmode.SkipUnlessLong(t)
	w := newClub(t, false)
	w.click(`form[action$="/round.publish"] button`)
	w.join()
	w.p.wait(`!document.querySelector("main").innerText.includes("0 of 9")`)
	w.click(`form[action$="/round.start"] button`)
	w.latest()
	w.begin(0)
	if v := w.public().view(w.round.Tables[0].Games[0].ID); v.Phase != engine.PhasePlaying {
		t.Errorf("%+v", v)
	}
	begun := w.clicks + len(w.asked)
	t.Logf("from nothing to the first turn: %d clicks, %d pages; each player besides: the code of the seat, and that the table may begin", begun, w.pages)
	if begun > 8 {
		t.Errorf("%d clicks to the first turn, want at most 8", begun)
	}
}
