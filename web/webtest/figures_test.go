package webtest

import (
	"flag"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// figures makes the test take as many samples as the printed table needs. Without it the test only shows that each can
// be measured.
var figures = flag.Bool("figures", false, "measure the tablet properly and print a table")

// inTurn reports whether case k of n is checked for page i: without -figures each page is checked in one case.
func inTurn(i, k, n int) bool { return *figures || i%n == k%n }

// held logs a measured time and its goal. A missed goal fails the test only with -figures.
func held(t *testing.T, what string, took, goal time.Duration) {
	t.Helper()
	t.Logf("%s after %v", what, took.Round(time.Millisecond))
	if *figures && took > goal {
		t.Errorf("%s after %v, the goal is %v", what, took, goal)
	}
}

// meter records in the page when a tile was released and when the result was painted: after the next frame, as the
// browser's event loop sees it.
const meter = `(() => {
	const m = window.meter = { drops: [], twice: [], undos: [], frames: [], ticks: [], shown: [] };
	let let_go = 0, undone = 0, down = false, last = 0;
	const painted = (then) => requestAnimationFrame(() => {
		const c = new MessageChannel();
		c.port1.onmessage = () => then(performance.now());
		c.port2.postMessage(0);
	});
	const frame = (t) => {
		if (last && down) m.frames.push(t - last);
		last = down ? t : 0;
		if (down) requestAnimationFrame(frame);
	};
	addEventListener("pointerdown", () => { if (!down) { down = true; requestAnimationFrame(frame); } }, true);
	addEventListener("pointerup", (e) => {
		setTimeout(() => (down = false), 50);
		if (e.target.closest?.("#undo")) undone = e.timeStamp;
		else let_go = e.timeStamp;
	}, true);
	const has = (list, selector) => list.some((r) => [...r.addedNodes].some((n) => n.nodeType === 1 && n.matches(selector)));
	new MutationObserver((list) => {
		if (let_go && has(list, "#table .tag")) {
			const from = let_go;
			let_go = 0;
			painted((t) => m.drops.push(t - from));
			requestAnimationFrame(() => requestAnimationFrame(() => m.twice.push(performance.now() - from)));
		}
		if (undone && has(list, ".cell > .tile, .slot > .tile")) {
			const from = undone;
			undone = 0;
			painted((t) => m.undos.push(t - from));
		}
	}).observe(document.getElementById("live"), { childList: true, subtree: true });

	let seconds = -1, seq = "";
	const state = () => (document.getElementById("game") || document.getElementById("display"))?.dataset.seq;
	new MutationObserver(() => {
		const clock = document.getElementById("clock");
		const text = clock?.querySelector(".digits")?.textContent.trim() || "";
		const now = text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
		if (text && clock.dataset.due && now === seconds - 1) {
			const error = Math.abs(Number(clock.dataset.due) - Date.now() - now * 1000);
			painted(() => m.ticks.push(error));
		}
		seconds = now;
		if (state() === seq) return;
		seq = state();
		const what = seq;
		painted(() => m.shown.push({ seq: what, at: Date.now() }));
	}).observe(document.getElementById("live"), { childList: true, subtree: true, characterData: true, attributes: true });
	return true;
})()`

// eightyDeal returns a deal in which the seats can lay whole runs. After crowd, 80 tiles are on the table.
func eightyDeal() engine.Deal {
	const colours = "KRBO"
	deal := engine.Deal{Salt: strings.Repeat("0", 32)}
	used := map[tile.Tile]bool{}
	take := func(colour byte, number, copy int) {
		face, err := tile.ParseFaces(fmt.Sprintf("%c%d", colour, number))
		if err != nil {
			panic(err)
		}
		one := tile.Of(face[0], copy)
		used[one] = true
		deal.Pool = append(deal.Pool, one)
	}
	for c := range colours {
		for n := 1; n <= 13; n++ {
			take(colours[c], n, 0)
		}
		take(colours[c], 13, 1)
	}
	for n := 1; n <= 12; n++ {
		for c := range colours {
			take(colours[c], n, 1)
		}
	}
	for _, one := range tile.All() {
		if !used[one] {
			deal.Pool = append(deal.Pool, one)
		}
	}
	highest := deal.Pool[12]
	deal.Draws = tile.List{highest}
	for _, one := range tile.All() {
		if one != highest {
			deal.Draws = append(deal.Draws, one)
		}
	}
	return deal
}

// span is a run of a seat's colour, by its lowest and highest number; none if it is empty.
type span [2]int

// crowd returns a game with 80 tiles on the table. It is the turn of seat 0, which holds K8 and K13.
func crowd(t *testing.T) (*event, int64) {
	t.Helper()
	return crowded(t, [4]span{{1, 13}, {1, 13}, {1, 13}, {1, 13}}, 8, [4]span{{1, 7}, {1, 7}, {1, 7}, {1, 7}})
}

// sixty returns a game with 60 tiles on the table. It is the turn of seat 0, which holds K8 and 19 other tiles.
func sixty(t *testing.T) (*event, int64) {
	t.Helper()
	return crowded(t, [4]span{{9, 13}, {1, 13}, {1, 13}, {1, 13}}, 10, [4]span{{}, {1, 6}, {1, 5}, {1, 5}})
}

// crowded returns a game in which each seat has laid a run, drawn tiles, and laid another run or drawn once more.
func crowded(t *testing.T, first [4]span, draws int, second [4]span) (*event, int64) {
	t.Helper()
	e := newEvent(t, 4, map[string]any{"turn_seconds": 900, "start_seconds": 120})
	e.games.Deal = eightyDeal
	game := e.round.Tables[0].Games[0].ID
	e.start()
	e.readyBut(0, game)
	lay := func(seat, lane int, run span) {
		var names []string
		for n := run[0]; n <= run[1]; n++ {
			names = append(names, fmt.Sprintf("%c%d", "KRBO"[seat], n))
		}
		e.play(seat, game, lane*tile.LaneCells, strings.Join(names, " "))
	}
	for seat := range 4 {
		lay(seat, seat, first[seat])
	}
	for range draws {
		for seat := range 4 {
			e.draw(seat, game)
		}
	}
	for seat := range 4 {
		if second[seat] == (span{}) {
			e.draw(seat, game)
		} else {
			lay(seat, 4+seat, second[seat])
		}
	}
	return e, game
}

// TestTabletFigures measures latencies that a player notices, over the loopback. With -figures it takes enough samples
// for the table that it prints; otherwise just enough to show that each figure can be measured. No bound depends on the
// machine.
//
//	go test ./web/webtest -run TestTabletFigures -v -figures
func TestTabletFigures(t *testing.T) {
	start := startChromium
	if *figures {
		start = startChromiumAlone
	}
	b := start(t)
	m := &measured{t: t, many: *figures}
	e, game := crowd(t)
	p := b.tab(t, 1280, 800)
	p.seat(e.http.URL, e.at(0, 0).token)
	p.open(e.http.URL + "/play/game")
	p.wait(`document.getElementById("game").dataset.mine === "true" &&
		document.getElementById("link").classList.contains("live")`)
	p.wait(`document.querySelectorAll("#table .tile").length === 80`)
	eval[bool](p, meter)
	p.picture("eighty")
	m.drops(p, "drop to verdict", m.times(200))
	m.undos(p)
	if m.many { // throttling the processor keeps a core busy
		p.slow(4)
	}
	m.drops(p, "drop to verdict, 4x slower processor", m.times(50))
	m.drags(p)
	p.slow(1)
	m.clock(p)
	m.shown(b, e, game)
	m.firstViews(b, e, game)
	m.seat(b)
	t.Log("\n" + m.table.String())
}

// TestBrowserDropToVerdict measures the time from a drop until its verdict is painted and the next frame begins, with 60
// tiles on the table and 20 on the rack, on a processor slowed six times.
//
//	go test -tags long ./web/webtest -run TestBrowserDropToVerdict -v -figures
func TestBrowserDropToVerdict(t *testing.T) {
	start := startChromium
	if *figures {
		start = startChromiumAlone
	}
	b := start(t)
	m := &measured{t: t, many: *figures}
	e, _ := sixty(t)
	p := b.tab(t, 1024, 768)
	p.seat(e.http.URL, e.at(0, 0).token)
	p.open(e.http.URL + "/play/game")
	p.wait(myTurn + ` && document.querySelectorAll("#table .tile").length === 60 &&
		document.querySelectorAll("#rack .tile").length === 20`)
	eval[bool](p, meter)
	p.picture("sixty")
	drop := func(i int) (work float64) {
		from, to := p.middle(own), p.middle(free(p, i))
		p.touch(input.DispatchTouchEventTypeTouchStart, &from)
		p.touch(input.DispatchTouchEventTypeTouchMove, &to)
		p.frame()
		before, had := p.spent(), eval[int](p, "meter.twice.length")
		p.touch(input.DispatchTouchEventTypeTouchEnd, nil)
		p.wait(fmt.Sprintf("meter.twice.length > %d", had))
		return p.spent() - before
	}
	for _, slower := range []float64{1, 6} {
		p.slow(slower)
		eval[bool](p, `(meter.twice = [], true)`)
		var work []float64
		for i := range m.times(100) {
			work = append(work, drop(i))
		}
		got := eval[[]float64](p, "meter.twice")
		p.slow(1)
		m.row(fmt.Sprintf("drop to verdict, processor %.0fx slower", slower), "p99 <= 100 ms",
			"p50 %.0f ms, p95 %.0f ms, p99 %.0f ms, n = %d", at(got, .5), at(got, .95), at(got, .99), len(got))
		m.row("work of the page's main thread for it", "", "p50 %.1f ms, p95 %.1f ms", at(work, .5), at(work, .95))
		p.tap("#reset")
		p.wait(`document.querySelectorAll("#table .tile").length === 60`)
	}
	t.Log("\n" + m.table.String())
}

type measured struct {
	t     *testing.T
	many  bool
	table strings.Builder
}

func (m *measured) times(n int) int {
	if m.many {
		return n
	}
	return 2
}

func (m *measured) row(name, goal, format string, values ...any) {
	line := fmt.Sprintf("%-48s %-46s %s\n", name, fmt.Sprintf(format, values...), goal)
	m.table.WriteString(line)
	if m.many {
		m.t.Log(line) // shows progress, as the run takes minutes
	}
}

// at returns a percentile of samples; part is between 0 and 1.
func at(samples []float64, part float64) float64 {
	sorted := slices.Sorted(slices.Values(samples))
	return sorted[min(len(sorted)-1, int(part*float64(len(sorted))))]
}

// lots waits until there are enough samples of a figure and returns them.
func (m *measured) lots(p *tab, name string, least int) []float64 {
	m.t.Helper()
	p.wait(fmt.Sprintf("meter.%s.length >= %d", name, least))
	return eval[[]float64](p, "meter."+name)
}

// own selects the tile that is moved, on the table or the rack.
const own = `#table .tile.laid[data-face="K8"], #rack .tile[data-face="K8"]`

// free returns a cell without neighbouring tiles, varying with i.
func free(p *tab, i int) string {
	p.t.Helper()
	return cell(freeCell(p, 3) + i%3)
}

// drops measures repeated drops of one tile until the verdict appears.
func (m *measured) drops(p *tab, name string, times int) {
	m.t.Helper()
	eval[bool](p, `(meter.drops = [], true)`)
	m.each(p, "drops", times, func(i int) { p.drag(own, free(p, i)) })
	got := eval[[]float64](p, "meter.drops")
	m.row(name, "<= 100 ms", "p50 %.0f ms, p99 %.0f ms, n = %d", at(got, .5), at(got, .99), len(got))
	p.tap("#reset")
	p.wait(`document.querySelectorAll("#table .tile").length === 80`)
}

// each repeats do until there are enough samples. A repetition may give none if a busy machine moved the finger so
// slowly that it counted as a long press.
func (m *measured) each(p *tab, name string, times int, do func(i int)) {
	m.t.Helper()
	count := "meter." + name + ".length"
	for i, had := 0, 0; had < times; i++ {
		if i > times+times/10+2 {
			m.t.Fatalf("%s: %d samples of %d", name, had, i)
		}
		do(i)
		for end := time.Now().Add(5 * time.Second); eval[int](p, count) == had && time.Now().Before(end); {
			time.Sleep(20 * time.Millisecond)
		}
		had = eval[int](p, count)
	}
}

func (m *measured) undos(p *tab) {
	m.t.Helper()
	m.each(p, "undos", m.times(20), func(i int) {
		p.drag(own, free(p, i))
		p.wait(`!document.getElementById("undo").disabled`)
		p.tap("#undo")
	})
	got := eval[[]float64](p, "meter.undos")
	m.row("undo", "", "p50 %.0f ms, p95 %.0f ms, n = %d", at(got, .5), at(got, .95), len(got))
	p.wait(`document.querySelectorAll("#table .tile").length === 80`)
}

// drags measures dragging a tile over 80 others.
func (m *measured) drags(p *tab) {
	m.t.Helper()
	idle := eval[[]float64](p, fmt.Sprintf(`new Promise((done) => {
		const list = [];
		let last = 0;
		const frame = (t) => { if (last) list.push(t - last); last = t; if (list.length < %d) requestAnimationFrame(frame); else done(list); };
		requestAnimationFrame(frame);
	})`, 30*m.times(10)))
	m.row("frames with nothing to do, for comparison", "", "p50 %.1f ms, p95 %.1f ms", at(idle, .5), at(idle, .95))
	eval[bool](p, `(meter.frames = [], true)`)
	times := m.times(20)
	for i := range times {
		p.wander(own, free(p, i), 60)
	}
	got := m.lots(p, "frames", 10*times)
	late := 0
	for _, ms := range got {
		if ms > 32 {
			late++
		}
	}
	m.row("frames of a drag, 80 tiles, 4x slower processor", "p95 <= 32 ms",
		"p50 %.1f ms, p95 %.1f ms, %d of %d over 32 ms", at(got, .5), at(got, .95), late, len(got))
	p.tap("#reset")
}

// clock compares the displayed seconds with the deadline whenever they change.
func (m *measured) clock(p *tab) {
	m.t.Helper()
	eval[bool](p, `(meter.ticks = [], true)`)
	got := m.lots(p, "ticks", m.times(18)) // one sample per second
	m.row("error of the clock shown", "<= 100 ms", "p50 %.0f ms, p95 %.0f ms, most %.0f ms, n = %d", at(got, .5),
		at(got, .95), slices.Max(got), len(got))
}

type shownAt struct {
	Seq string
	At  float64
}

// shown lets each seat in turn draw a tile and measures when another tablet and the display show it. The time starts
// when the move is sent, so it includes storing it on the server.
func (m *measured) shown(b *chromium, e *event, game int64) {
	m.t.Helper()
	tablet, display := b.tab(m.t, 1280, 800), b.tab(m.t, 1920, 1080)
	tablet.seat(e.http.URL, e.at(0, 3).token)
	tablet.open(e.http.URL + "/play/game")
	display.open(fmt.Sprintf("%s/events/%d/display/1", e.http.URL, e.id))
	watched := map[string]*tab{"another tablet": tablet, "the table display": display}
	delays := map[string][]float64{}
	for _, p := range watched {
		p.wait(`document.getElementById("link").classList.contains("live")`)
		eval[bool](p, meter)
	}
	for range m.times(16) {
		view := e.public().view(game)
		seq := fmt.Sprint(view.Seq)
		for _, p := range watched {
			p.wait(`(document.getElementById("game") || document.getElementById("display")).dataset.seq === "` + seq +
				`"`)
			eval[bool](p, `(meter.shown = [], true)`)
		}
		sent := time.Now().UnixMilli()
		e.draw(view.Turn.Seat, game)
		for name, p := range watched {
			p.wait(`meter.shown.length > 0`)
			delays[name] = append(delays[name], eval[shownAt](p,
				`({ Seq: meter.shown[0].seq, At: meter.shown[0].at })`).At-float64(sent))
		}
	}
	for _, name := range []string{"another tablet", "the table display"} {
		got := delays[name]
		m.row("move sent to shown on "+name, "", "p50 %.0f ms, p95 %.0f ms, n = %d", at(got, .5), at(got, .95),
			len(got))
	}
}

// firstViews measures what a device with an empty cache fetches.
func (m *measured) firstViews(b *chromium, e *event, game int64) {
	m.t.Helper()
	waiting, _ := newPreparedTable(m.t, preparedRacks...)
	type page struct {
		name, server, path, token string
		live                      bool
	}
	for _, v := range []page{
		{"the tablet in a game", e.http.URL, "/play/game", e.at(0, 0).token, true},
		{"the waiting room", waiting.http.URL, "/play", waiting.at(0, 0).token, true},
		{"the leaderboard", e.http.URL, fmt.Sprintf("/events/%d", e.id), "", true},
		{"the table display", e.http.URL, fmt.Sprintf("/events/%d/display/1", e.id), "", true},
		{"the code's page", waiting.http.URL, "/join", "", false},
	} {
		p := b.tab(m.t, 1280, 800)
		if v.token != "" {
			p.seat(v.server, v.token)
		}
		heard := p.traffic()
		p.open(v.server + v.path)
		p.wait(`document.readyState === "complete"`)
		if v.live {
			p.wait(`document.getElementById("link").classList.contains("live")`)
		}
		p.wait(`document.fonts.status === "loaded"`)
		requests, bytes := heard.sum()
		most := 100.0
		if strings.HasPrefix(v.name, "the tablet") {
			most = 110 // with the scripts that shuffle and sign
		}
		m.row("first view of "+v.name, fmt.Sprintf("<= %.0f KiB", most), "%.1f KiB, %d requests", bytes/1024, requests)
		m.t.Logf("%s in bytes: %s", v.name, eval[string](p,
			`[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map((r) => new URL(r.name).pathname.split("/").pop() + " " + r.transferSize).join(", ")`))
		if requests < 3 || bytes < 4096 {
			m.t.Errorf("%s: got %d requests, %.0f bytes: not everything is counted", v.name, requests, bytes)
		}
		if bytes > most*1024 {
			m.t.Errorf("the first view of %s is %.1f KiB, want at most %.0f", v.name, bytes/1024, most)
		}
	}
}

// seat measures a player's way: the QR code's address, one tap, the player's own seat; then the table, when the round
// starts.
func (m *measured) seat(b *chromium) {
	m.t.Helper()
	e, _ := newPreparedTable(m.t, preparedRacks...)
	p := b.tab(m.t, 1280, 800)
	from := time.Now()
	e.join(p)
	m.row("QR address to own seat (one tap, loopback)", "<= 10 s", "%.2f s", time.Since(from).Seconds())
	from = time.Now()
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/start", e.round.ID), nil, nil)
	p.wait(`location.pathname === "/play/game" && document.querySelectorAll("#rack .tile").length === 14`)
	m.row("round started to own tiles shown", "", "%.2f s", time.Since(from).Seconds())
}
