package webtest

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"testing"

	"meldhall/engine/tile"
	"meldhall/templates/screens"
	"meldhall/web/request"
)

// recordMoves stops each animation of a tile of the table at its start and records it.
const recordMoves = `(() => {
	window.moves = [];
	const real = Element.prototype.animate;
	Element.prototype.animate = function (frames, options) {
		const made = real.call(this, frames, options);
		if (!this.closest("#table, .again-layer")) return made;
		made.pause();
		moves.push({ made, el: this, face: this.dataset.face, duration: options.duration, delay: options.delay || 0 });
		return made;
	};
	return true;
})()`

// glides returns the recorded movements and where their tiles are seen.
const glides = `moves.map(({ made, el, face, duration, delay }) => {
	const { x, y, width, height } = el.getBoundingClientRect();
	return { face, duration, delay, state: made.playState, x: x + width / 2, y: y + height / 2 };
})`

// tileMiddles returns the middle of each tile on the table by its face.
const tileMiddles = `Object.fromEntries([...document.querySelectorAll("#table .tile")].map((el) => {
	const { x, y, width, height } = el.getBoundingClientRect();
	return [el.dataset.face, { x: x + width / 2, y: y + height / 2 }];
}))`

type middle struct{ X, Y float64 }

func (m middle) near(o middle) bool { return math.Hypot(m.X-o.X, m.Y-o.Y) < 2 }

type glided struct {
	middle
	Face, State     string
	Duration, Delay float64
}

// glidedFrom checks that exactly these tiles glide, all for the given time, and that each starts at its place.
func glidedFrom(t *testing.T, p *tab, time float64, from map[string]middle) {
	t.Helper()
	p.wait(fmt.Sprintf("moves.length >= %d", len(from)))
	got := eval[[]glided](p, glides)
	seen := map[string]bool{}
	for _, g := range got {
		seen[g.Face] = true
		want, ok := from[g.Face]
		if g.Duration != time || g.Delay != 0 || g.State != "paused" {
			t.Errorf("%s glides for %v ms after %v ms (%s), want %v ms at once", g.Face, g.Duration, g.Delay, g.State, time)
		}
		if !ok || !g.near(want) {
			t.Errorf("%s starts at %v, want %v", g.Face, g.middle, want)
		}
	}
	if len(got) != len(from) || len(seen) != len(from) {
		t.Errorf("%d tiles glide, want %d: %v", len(got), len(from), got)
	}
}

// seatMiddle returns the middle of a player's place on a display.
func seatMiddle(p *tab, seat int) middle {
	p.t.Helper()
	return eval[middle](p, fmt.Sprintf(`(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(
		document.getElementById("seat%d").getBoundingClientRect())`, seat))
}

// TestBrowserDisplayReplaysTurns checks that a confirmed turn glides once into place, in 0.8 s in all, on a screen of
// either direction, and that the screen shows the new table from the start.
func TestBrowserDisplayReplaysTurns(t *testing.T) {
	b := startChromium(t)
	for _, query := range []string{"", "?turn=180"} {
		t.Run("address"+query, func(t *testing.T) {
			replaysTurns(t, b, query)
		})
	}
}

func replaysTurns(t *testing.T, b *chromium, query string) {
	e, game := newPreparedTable(t, preparedRacks...)
	e.start()
	e.readyBut(0, game)
	p := b.tab(t, 1280, 800)
	p.open(fmt.Sprintf("%s/events/%d/display/1%s", e.http.URL, e.id, query))
	still := b.tab(t, 1280, 800)
	still.still()
	still.open(fmt.Sprintf("%s/events/%d/display/1%s", e.http.URL, e.id, query))
	still.wait(`document.querySelector(".d-seat.turn")`)
	eval[bool](still, recordMoves)
	p.wait(`document.getElementById("link").classList.contains("live") && document.querySelector(".d-seat.turn")`)
	eval[bool](p, recordMoves)
	from := func(seat int, faces ...string) map[string]middle {
		places := map[string]middle{}
		for _, f := range faces {
			places[f] = seatMiddle(p, seat)
		}
		return places
	}
	t.Run("tiles that were laid before the turn was ended come from the player's place", func(t *testing.T) {
		within(t, &p.t, &e.t)
		e.at(0, 0).must(http.MethodPost, fmt.Sprintf("/games/%d/draft", game),
			request.DraftRequest{Turn: e.public().view(game).Turn.Number,
				Table: []tile.LaidFaces{{At: 0, Faces: faces(t, "O10 O11 O12")}}}, nil)
		p.wait(`document.querySelectorAll(".laying #table .tile.new").length === 3`)
		if n := eval[int](p, "moves.length"); n > 0 {
			t.Errorf("%d tiles glide before the turn is ended", n)
		}
		e.play(0, game, 0, "O10 O11 O12")
		glidedFrom(t, p, 800, from(0, "O10", "O11", "O12"))
	})
	t.Run("an update of something else does not end it", func(t *testing.T) {
		within(t, &p.t, &e.t)
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/time", game),
			map[string]any{"seconds": 5, "reason": "test", "key": e.key()}, nil)
		p.wait(`document.querySelector(".d-ruling")`)
		if got := eval[[]glided](p, glides); len(got) != 3 || got[0].State != "paused" {
			t.Errorf("the movement is now %v", got)
		}
	})
	t.Run("a new turn ends it at once", func(t *testing.T) {
		within(t, &p.t, &e.t)
		eval[bool](p, "window.first = moves, window.moves = [], true")
		e.play(1, game, 39, "R9 R10 J R12")
		glidedFrom(t, p, 800, from(1, "R9", "R10", "J", "R12"))
		if states := eval[[]string](p, "first.map((m) => m.made.playState)"); slices.Contains(states, "paused") {
			t.Errorf("the tiles of the turn before are %q", states)
		}
	})
	t.Run("tiles of the table come from their places", func(t *testing.T) {
		within(t, &p.t, &e.t)
		e.play(2, game, 78, "B8 B9 B10 B11 B12")
		e.draw(3, game)
		p.wait(`document.querySelectorAll("#table .tile").length === 12 && document.querySelector("#seat0.turn")`)
		eval[bool](p, "moves.forEach((m) => m.made.finish()), window.moves = [], true")
		want, were := from(0, "O13", "R11", "R13", "K13"), eval[map[string]middle](p, tileMiddles)
		for _, face := range []string{"R9", "R10", "R12", "J"} {
			want[face] = were[face]
		}
		view := e.public().view(game)
		table := []tile.LaidFaces{{At: 0, Faces: faces(t, "O10 O11 O12 O13")},
			{At: 39, Faces: faces(t, "R9 R10 R11 R12")}, {At: 60, Faces: faces(t, "J R13 K13")},
			{At: 78, Faces: faces(t, "B8 B9 B10 B11 B12")}}
		e.at(0, 0).must(http.MethodPost, fmt.Sprintf("/games/%d/play", game), request.PlayRequest{
			TurnRequest: request.TurnRequest{Turn: view.Turn.Number, Key: e.key()}, Table: table}, nil)
		glidedFrom(t, p, 800, want)
		if n := eval[int](p, `document.querySelectorAll("#table .tile").length`); n != 16 {
			t.Errorf("the table has %d tiles while they glide, want 16", n)
		}
		p.picture("gliding")
	})
	t.Run("nothing glides where motion is reduced", func(t *testing.T) {
		within(t, &still.t)
		still.wait(`document.querySelectorAll("#table .tile").length === 16`)
		if got := eval[[]glided](still, glides); len(got) > 0 {
			t.Errorf("%v glide", got)
		}
	})
	if got := append(p.complaints(), still.complaints()...); len(got) > 0 {
		t.Errorf("the pages complained: %q", got)
	}
}

// TestBrowserShowsTheLastTurnAgain checks the replay of a turn that a player asks for: 0.8 s in all, above the table,
// until a touch or news.
func TestBrowserShowsTheLastTurnAgain(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, preparedRacks...)
	e.draw(0, game)
	e.play(1, game, 39, "R9 R10 J R12")
	p.wait(`!document.getElementById("again").hidden && document.querySelectorAll("#table .tile").length === 4`)
	eval[bool](p, recordMoves)
	gone := `!document.querySelector(".again-layer")`
	ask := func() {
		p.t.Helper()
		eval[bool](p, "window.moves = [], true")
		p.tap("#again")
		p.wait(`document.querySelectorAll(".again-layer .tile.new").length === 4 && moves.length > 0`)
	}
	t.Run("the tiles glide from the seat", func(t *testing.T) {
		within(t, &p.t)
		ask()
		from, seat := map[string]middle{}, seatMiddle(p, 1)
		for _, face := range []string{"R9", "R10", "J", "R12"} {
			from[face] = seat
		}
		glidedFrom(t, p, 800, from)
		eval[bool](p, "moves.forEach((m) => m.made.currentTime = 300), true")
		p.picture("gliding")
		eval[bool](p, "moves.forEach((m) => m.made.currentTime = 799.9), true")
		boxes := func(selector string) []string {
			return eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((el) => {
				const { x, y, width, height } = el.getBoundingClientRect();
				return el.dataset.face + [x, y, width, height].map((v) => " " + Math.round(v)).join("");
			}).sort()`, selector))
		}
		if got, want := boxes(".again-layer .tile"), boxes("#table .tile"); !slices.Equal(got, want) {
			t.Errorf("the tiles end at %q, want %q", got, want)
		}
		eval[bool](p, "moves.forEach((m) => m.made.finish()), true")
		p.wait(gone)
	})
	t.Run("a touch ends it, and it can be asked for again", func(t *testing.T) {
		within(t, &p.t)
		ask()
		p.tap(inRack("K4"))
		p.wait(gone)
		p.tap(inRack("K4"))
		ask()
		ask()
	})
	t.Run("news end it", func(t *testing.T) {
		within(t, &p.t, &e.t)
		e.draw(2, game)
		p.wait(gone + ` && document.getElementById("again").hidden`)
	})
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}

// TestBrowserLastTurnWithoutMotion checks that the table before the turn is shown for as long where motion is reduced.
func TestBrowserLastTurnWithoutMotion(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, preparedRacks...)
	p.still()
	e.play(0, game, 0, "O10 O11 O12")
	e.play(1, game, 39, "R9 R10 J R12")
	p.wait(`!document.getElementById("again").hidden && document.querySelectorAll("#table .tile").length === 7`)
	eval[bool](p, recordMoves)
	eval[bool](p, `window.waits = [],
		window.setTimeout = ((real) => (f, ms) => (waits.push(ms), real(f, ms)))(window.setTimeout), true`)
	p.tap("#again")
	p.wait(`document.querySelectorAll(".again-layer .tile").length === 3`)
	p.wait(`!document.querySelector(".again-layer")`)
	if got := eval[string](p, `moves.length + " " + waits.includes(800)`); got != "0 true" {
		t.Errorf("movements, and whether it ends after 0.8 s: %s", got)
	}
}

// TestBrowserDisplayRescales checks that sets glide from their visible places to the new ones in one short movement
// when the tiles become smaller.
func TestBrowserDisplayRescales(t *testing.T) {
	b := startChromium(t)
	h := newHall(t)
	p := b.tab(t, 1280, 800)
	few, many := sampleDisplay(t, fourNames, 0), sampleDisplay(t, fourNames, 0)
	few.Game.View.Table, many.Game.View.Table = mixedSets(11, 1), mixedSets(20, 1)
	p.open(displayOf(t, h, screens.DisplaySettings{}, few, many))
	p.wait(`document.fonts.status === "loaded" && document.querySelector(".board.laid")`)
	eval[bool](p, recordMoves)
	const edges = `[...document.querySelectorAll("#table .tile")].slice(0, 30).flatMap((el) => {
		const { left, top, right } = el.getBoundingClientRect();
		return [left, top, right];
	})`
	farthest := func(a, b []float64) (most float64) {
		for i := range a {
			most = max(most, math.Abs(a[i]-b[i]))
		}
		return most
	}
	was := eval[[]float64](p, edges)
	eval[bool](p, `fetch("/1").then((reply) => reply.text()).then((text) => {
		const live = document.getElementById("live");
		live.replaceChildren(...new DOMParser().parseFromString(text, "text/html").getElementById("live").childNodes);
		live.dispatchEvent(new Event("htmx:after:swap"));
		return true;
	})`)
	if far := farthest(was, eval[[]float64](p, edges)); far > 1 {
		t.Errorf("a tile jumps by %v px", far)
	}
	times := eval[[]float64](p, "moves.map((m) => m.duration)")
	if len(times) < 30 || slices.Max(times) > 200 {
		t.Errorf("the tiles glide for %v ms", times)
	}
	eval[bool](p, "moves.forEach((m) => m.made.finish()), true")
	if far := farthest(was, eval[[]float64](p, edges)); far < 100 {
		t.Errorf("the tiles move by %v px at most", far)
	}
	p.picture("twenty")
}
