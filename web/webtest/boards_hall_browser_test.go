package webtest

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http"
	"net/url"
	"testing"
	"time"

	"meldhall/engine/testmode"
	"meldhall/tournament/screen"
)

// boardAddress returns the public address of a board.
func (e *event) boardAddress(board string) string {
	return fmt.Sprintf("%s/events/%d/boards/%s", e.http.URL, e.id, board)
}

// wholeBoard lists the elements that do not lie fully in the inner 90 % of the screen or in their list, or that are too
// small for the farthest reader.
const wholeBoard = `(() => {
	const wrong = [], list = document.querySelector(".b.on [data-list]")?.getBoundingClientRect();
	const u = parseFloat(getComputedStyle(document.querySelector(".stage")).fontSize);
	for (const el of document.querySelectorAll(".b.on *, .b-foot *, #link")) {
		const box = el.getBoundingClientRect();
		if (!box.width || !box.height || el.closest(".vh, .b-keys") || !el.checkVisibility()) continue;
		const say = (what) => wrong.push(what + ": " + el.className + " " + (el.textContent || "").slice(0, 30) + " " + JSON.stringify(box));
		if (box.left < innerWidth * .05 - 1 || box.right > innerWidth * .95 + 1 || box.top < innerHeight * .05 - 1 || box.bottom > innerHeight * .95 + 1) say("outside");
		if (list && el.parentElement.matches("[data-list]") && (box.bottom > list.bottom + 1 || box.top < list.top - 1)) say("half a row");
		if (el.matches(".name") && el.scrollWidth > el.clientWidth + 1) say("cut");
		const style = getComputedStyle(el);
		for (const side of ["Top", "Bottom", "Left", "Right"]) if (style["border" + side + "Style"] !== "none" && parseFloat(style["border" + side + "Width"]) < 2) say("a thin line");
		if ([...el.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) &&
			parseFloat(style.fontSize) < u * .99) say("small");
	}
	return wrong;
})()`

// smallLetters returns the height of a name's small letters in px.
const smallLetters = `(() => {
	const probe = document.createElement("span");
	probe.style.cssText = "position: absolute; height: 1ex; width: 1px";
	document.querySelector(".b.on li:not([hidden]) .name").append(probe);
	const high = probe.getBoundingClientRect().height;
	probe.remove();
	return high;
})()`

// TestBrowserBoardLetters checks on every screen that small letters are at least as high as 1/500 of the viewing
// distance.
func TestBrowserBoardLetters(t *testing.T) {
	b := startChromium(t)
	e := newPublished(t, "Test", roster(40), nil)
	p := b.tab(t, 1920, 1080)
	p.still()
	for _, row := range []struct {
		inches, metres int
		width, height  int64
		want           float64
	}{{55, 6, 1920, 1080, 19}, {43, 6, 1920, 1080, 24}, {55, 10, 1920, 1080, 32}, {43, 10, 1920, 1080, 40},
		{55, 6, 3840, 2160, 38}, {55, 6, 1280, 720, 13}} {
		p.size(row.width, row.height)
		p.open(e.boardAddress("names") + fmt.Sprintf("?inches=%d&metres=%d", row.inches, row.metres))
		p.wait(isLive + ` && document.fonts.status === "loaded" && document.querySelector(".b.on")`)
		if got := eval[float64](p, smallLetters); got < row.want-.55 {
			t.Errorf("%d inches at %d m, %d wide: small letters are %.1f px high, want at least %.0f",
				row.inches, row.metres, row.width, got, row.want)
		}
		for _, wrong := range eval[[]string](p, wholeBoard) {
			t.Errorf("%d inches at %d m: %s", row.inches, row.metres, wrong)
		}
	}
}

// TestBrowserBoardPages checks that 200 players with long names in five scripts take at most six pages of whole rows,
// at the usual size and distance. Every player is on one of them. A page stays for ten seconds, arrow keys turn pages,
// and the rotation can be stopped.
func TestBrowserBoardPages(t *testing.T) {
	b := startChromium(t)
	e := boardEvent(t, 0)
	p := b.tab(t, 1920, 1080)
	p.still()
	const shown = `[...document.querySelectorAll(".b.on [data-list] .name")].filter((n) => n.offsetParent).map((n) => n.textContent)`
	const said = `document.querySelector(".b-page").textContent`
	for _, board := range []string{"names", "tables"} {
		p.open(e.boardAddress(board))
		p.wait(isLive + ` && document.fonts.status === "loaded" && ` + said + `.includes("page ")`)
		p.press(" ")
		// the page may have turned already
		for at := eval[int](p, said+`.match(/(\d+)/)[1] | 0`); at != 1; at = eval[int](p,
			said+`.match(/(\d+)/)[1] | 0`) {
			p.press("ArrowRight")
			p.wait(fmt.Sprintf(`!%s.includes("page %d of")`, said, at))
		}
		seen := map[string]bool{}
		pages := eval[int](p, said+`.match(/(\d+)$/)[1] | 0`)
		if pages > 6 {
			t.Errorf("%s take %d pages", board, pages)
		}
		for n := range pages {
			p.wait(fmt.Sprintf(`%s.includes("page %d of %d") && document.fonts.status === "loaded"`, said, n+1, pages))
			time.Sleep(200 * time.Millisecond)
			for _, name := range eval[[]string](p, shown) {
				seen[name] = true
			}
			for _, wrong := range eval[[]string](p, wholeBoard) {
				t.Errorf("%s, page %d: %s", board, n+1, wrong)
			}
			p.press("ArrowRight")
		}
		if len(seen) != 200 {
			t.Errorf("%s: %d of 200 players are seen on %d pages", board, len(seen), pages)
		}
		p.wait(said + `.includes("page 1 of")`) // from the last to the first
		eval[bool](p, `window.turned = [], new MutationObserver(() => turned.push(performance.now())).observe(
			document.querySelector(".b-page"), { childList: true, characterData: true, subtree: true }), true`)
		p.press(" ")
		time.Sleep(22 * time.Second)
		gaps := eval[[]float64](p, `turned.slice(1).map((at, i) => at - turned[i])`)
		for _, ms := range gaps {
			if ms < 9_000 { // a busy machine may note the first turn late, shortening the gap
				t.Errorf("%s: a page stayed %.0f ms", board, ms)
			}
		}
		if len(gaps) < 1 {
			t.Errorf("%s: the pages do not turn", board)
		}
	}
	p.size(1280, 720) // here small letters fall on whole pixels
	p.open(e.boardAddress("tables"))
	p.wait(isLive + ` && document.fonts.status === "loaded" && ` + said + `.includes("page ")`)
	time.Sleep(time.Second)
	for _, wrong := range eval[[]string](p, wholeBoard) {
		t.Errorf("1280 x 720: %s", wrong)
	}
}

// pairedTab returns the tab of a television that was paired with the hall.
func (e *event) pairedTab(b *chromium, server string, boards ...string) *tab {
	e.t.Helper()
	p := b.tab(e.t, 1920, 1080)
	p.still()
	e.pair(p, server, boards...)
	return p
}

// pair opens a screen's page in a tab and pairs it with the hall.
func (e *event) pair(p *tab, server string, boards ...string) {
	e.t.Helper()
	p.open(server + "/board")
	p.wait(`document.querySelector("code")`)
	code := eval[string](p, `document.querySelector("code").textContent`)
	e.signedIn("referee").post(e.t, "/displays/"+code, url.Values{"event": {fmt.Sprint(e.id)},
		"boards": boards}).is(http.StatusOK)
	p.wait(`location.pathname === "/board" && document.querySelector(".b.on") && ` + isLive)
}

// TestBrowserBoardLivesAlone checks that a television needs no operator. It opens its board when the desk chooses one
// and switches boards within 2 s without a reload. It shows announcements while they last. When it is not live it says
// so and hides its clock, and it reconnects when the server returns.
func TestBrowserBoardLivesAlone(t *testing.T) {
	b := startChromiumTimed(t)
	e := newPublished(t, "Test", roster(8), nil)
	r := newRelay(t, e.hall)
	p := e.pairedTab(b, r.url, "names")
	p.atStart(`const later = setTimeout;
		window.setTimeout = (f, ms, ...more) => later(f, ms > 30000 && ms < 61000 ? ms / 20 : ms, ...more);`)
	p.reload()
	p.wait(isLive + ` && document.querySelector(".b.on")`)
	eval[bool](p, `window.same = true`)
	pressed := time.Now()
	e.shows(1, "clock")
	p.wait(`document.querySelector(".of-clock.on")`)
	held(t, "another board", time.Since(pressed), 2*time.Second)
	p.wait(`/^\d\d:\d\d:\d\d$/.test(document.querySelector(".b-now").textContent)`)
	pressed = time.Now()
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/announcements", e.id),
		screen.Announce{Level: "urgent", Texts: map[string]string{"en": "Lunch is served"}, Minutes: 1}, nil)
	p.wait(`document.querySelector(".news-item")?.getBoundingClientRect().height > 60`)
	held(t, "the announcement", time.Since(pressed), 2*time.Second)
	p.picture("announced")
	p.wait(`!document.querySelector(".news-item")`) // one minute at twenty times the speed
	r.vanish(true)
	p.wait(`document.querySelector(".stage.lost #link")?.textContent.includes("not live since")`)
	if seen := eval[bool](p, `document.querySelector(".b-now").checkVisibility({ visibilityProperty: true })`); seen {
		t.Error("it is not live, and shows a clock")
	}
	p.picture("lost")
	e.restart(t)
	r.vanish(false)
	took := p.within("the way back", 10*time.Second,
		isLive+` && !document.querySelector(".stage.lost") && /\d/.test(document.querySelector(".b-now").textContent)`)
	t.Logf("back %v after the server", took.Round(time.Millisecond))
	if !eval[bool](p, `window.same`) {
		t.Error("it was loaded anew")
	}
	e.shows(1, "tables")
	p.wait(`document.querySelector(".of-tables.on")`)
	eval[bool](p, `(() => { const now = Date.now; Date.now = () => now() + 13 * 60_000; return true; })()`)
	// after 13 minutes without a change the image shifts slightly
	p.wait(`getComputedStyle(document.querySelector(".stage")).left !== "0px"`)
}

// TestBrowserBoardGong checks that a board plays a gong at the start of a round if that is configured, and that other
// boards stay silent.
func TestBrowserBoardGong(t *testing.T) {
	b := startChromium(t)
	e := newPublished(t, "Test", roster(8), nil)
	loud, still := e.pairedTab(b, e.http.URL, "clock"), e.pairedTab(b, e.http.URL, "clock")
	e.referee.must(http.MethodPost, "/actions/board.fit", fields{"tournament": e.id, "id": 1, "inches": 55, "metres": 6,
		"gong": true}, nil)
	for _, p := range []*tab{loud, still} {
		p.atStart(`window.tones = 0;
			const part = () => ({ connect: (to) => to, start() { window.tones++; }, stop() {}, frequency: {}, gain: { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} } });
			window.AudioContext = class { state = "running"; currentTime = 0; createOscillator = part; createGain = part; resume = async () => {}; };`)
		p.reload()
		p.wait(isLive + ` && document.querySelector(".b.on")`)
		p.press("ArrowRight") // browsers allow sound only after a key press
	}
	e.start()
	loud.wait(`window.tones > 0`)
	still.wait(`document.querySelector(".of-clock").textContent.includes("being played")`)
	if tones := eval[int](still, `window.tones`); tones != 0 {
		t.Errorf("a screen that nobody wanted to sound sounds %d tones", tones)
	}
}

// TestBrowserBoardsAreNotWhite checks that no area is pure white in daylight colours, on a board or on a screen that
// waits for one.
func TestBrowserBoardsAreNotWhite(t *testing.T) {
	b := startChromium(t)
	e := newPublished(t, "Test", roster(8), nil)
	p := b.tab(t, 1280, 720)
	p.still()
	for _, path := range []string{"/board?theme=light", "/events/1/boards/code?theme=light",
		"/events/1/boards/champion?theme=light", "/events/1/boards/names?theme=light", "/events/1/boards/code"} {
		p.open(e.http.URL + path)
		p.wait(isLive + ` && document.fonts.status === "loaded"`)
		picture, err := png.Decode(bytes.NewReader(p.seeThrough()))
		if err != nil {
			t.Fatal(err)
		}
		white := 0
		for y := range picture.Bounds().Dy() {
			for x := range picture.Bounds().Dx() {
				if r, g, b, a := picture.At(x, y).RGBA(); r&g&b&a == 0xffff {
					white++
				}
			}
		}
		if white > 200 {
			t.Errorf("%s: %d pixels are pure white", path, white)
		}
	}
}

// TestBrowserBoardTwelveHours turns pages and pushes changes as often as in twelve hours, but quickly; without -figures
// as often as in three. The page's memory may grow by at most 10 %.
func TestBrowserBoardTwelveHours(t *testing.T) {
	b := startChromium(t)
	e := newPublished(t, "Test", roster(60), nil)
	turns, pushes := 400, 10
	if testmode.Long {
		turns, pushes = 3*360, 20 // the last of each ten are taken back
	}
	if *figures {
		turns, pushes = 12*360, 60
	}
	p := b.tab(t, 1920, 1080)
	p.open(e.boardAddress("names,tables,called,clock,standings"))
	p.wait(isLive + ` && document.querySelector(".b.on")`)
	work := func(turns, pushes int) {
		for i := range pushes {
			e.referee.must(http.MethodPost, "/actions/board.call",
				fields{"tournament": e.id, "number": 1 + i%5, "done": i/5%2 == 1}, nil)
			time.Sleep(600 * time.Millisecond)
		}
		for ; turns > 0; turns -= 240 {
			eval[bool](p, `(async () => {
				for (let i = 0; i < 240; i++) {
					document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
					if (i % 20 === 0) await new Promise(requestAnimationFrame);
				}
				return true;
			})()`)
		}
	}
	work(turns/10, 20) // the first hour, including one-time allocations
	bytes, nodes := p.heap()
	work(turns, pushes)
	after, left := p.heap()
	t.Logf("%d turns, %d pushes: %.2f MB and %.0f nodes, then %.2f MB and %.0f nodes", turns, pushes, bytes/1e6, nodes,
		after/1e6, left)
	if after > 1.1*bytes || left > 1.1*nodes {
		t.Errorf("the page grew from %.0f bytes and %.0f nodes to %.0f and %.0f", bytes, nodes, after, left)
	}
}

// TestBrowserChampion checks that tiles rain when the organizer reveals the champion and disappear afterwards, and that
// reduced motion shows none.
func TestBrowserChampion(t *testing.T) {
	b := startChromium(t)
	e := newPlayed(t)
	e.organizer.must(http.MethodPost, "/tournaments/1/stages/1/rounds", fields{"rounds": 1}, nil)
	e.confirmed(e.round.Tables[0].Games[0].ID)
	e.count(1, e.round.Tables[1].Games[0].ID)
	e.confirmed(e.round.Tables[1].Games[0].ID)
	moved, still := b.tab(t, 1920, 1080), b.tab(t, 1280, 720)
	still.still()
	for _, p := range []*tab{moved, still} {
		p.open(e.boardAddress("champion"))
		p.wait(isLive + ` && document.querySelector(".b-wait")`)
	}
	for _, place := range []int{3, 1} {
		e.organizer.must(http.MethodPost, "/actions/champion.reveal", fields{"tournament": e.id, "place": place}, nil)
		moved.wait(fmt.Sprintf(`document.querySelector(".b-place-%d")`, place))
		if rain := eval[bool](moved, `!!document.querySelector(".b-rain")`); rain != (place == 1) {
			t.Errorf("place %d: tiles rain: %t", place, rain)
		}
	}
	time.Sleep(2500 * time.Millisecond)
	moved.picture("champion")
	still.wait(`document.querySelector(".b-place-1")`)
	still.picture("still")
	if eval[bool](still, `!!document.querySelector(".b-rain")`) {
		t.Error("tiles rain for who wants no motion")
	}
	moved.wait(`!document.querySelector(".b-rain")`)
}
