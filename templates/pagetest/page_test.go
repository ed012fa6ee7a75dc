package pagetest

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"meldhall/engine"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/templates/letters"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/templates/public"
	"meldhall/templates/referee"
)

// screensDir is a folder to which the sample pages are written for viewing in a browser.
var screensDir = flag.String("screens", "", "write every sample page, in every language, below this folder")

func TestScreens(t *testing.T) {
	for _, l := range locale.LanguagesOf(t.Context()) {
		ctx := locale.WithLanguage(t.Context(), l.Tag)
		for _, s := range samples(ctx) {
			t.Run(l.Tag+"/"+s.name, func(t *testing.T) {
				var page bytes.Buffer
				if err := s.page.Render(ctx, &page); err != nil {
					t.Fatal(err)
				}
				if *screensDir == "" {
					return
				}
				if err := os.WriteFile(filepath.Join(*screensDir, l.Tag+"-"+s.name+".html"), page.Bytes(),
					0o644); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// parse renders a page and parses the resulting HTML.
func parse(t *testing.T, ctx context.Context, page templ.Component) *html.Node {
	t.Helper()
	var text bytes.Buffer
	if err := page.Render(ctx, &text); err != nil {
		t.Fatal(err)
	}
	doc, err := html.Parse(&text)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attr(n, "class")), class)
}

// all returns the elements below n that match.
func all(n *html.Node, match func(*html.Node) bool) []*html.Node {
	var found []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && match(d) {
			found = append(found, d)
		}
	}
	return found
}

func byTag(tag string) func(*html.Node) bool { return func(n *html.Node) bool { return n.Data == tag } }

func byID(id string) func(*html.Node) bool {
	return func(n *html.Node) bool { return attr(n, "id") == id }
}

func byClass(class string) func(*html.Node) bool {
	return func(n *html.Node) bool { return hasClass(n, class) }
}

// one returns the only match and fails the test if there is not exactly one.
func one(t *testing.T, n *html.Node, what string, match func(*html.Node) bool) *html.Node {
	t.Helper()
	found := all(n, match)
	if len(found) != 1 {
		t.Fatalf("%s: got %d, want 1", what, len(found))
	}
	return found[0]
}

func textOf(n *html.Node) string {
	var text strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			text.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(text.String()), " ")
}

func TestEveryPage(t *testing.T) {
	for _, l := range locale.LanguagesOf(t.Context()) {
		ctx := locale.WithLanguage(t.Context(), l.Tag)
		for _, s := range samples(ctx) {
			t.Run(l.Tag+"/"+s.name, func(t *testing.T) {
				doc := parse(t, ctx, s.page)
				if got := attr(one(t, doc, "html", byTag("html")), "lang"); got != l.Tag {
					t.Errorf("got lang %q, want %q", got, l.Tag)
				}
				one(t, doc, "main", byTag("main"))
				one(t, doc, "h1", byTag("h1"))
				one(t, doc, "skip link", byClass("skip"))
				if got := textOf(one(t, doc, "title", func(n *html.Node) bool {
					return n.Data == "title" &&
						n.Parent.Data == "head"
				})); got == "· Meldhall" {
					t.Error("the page has no title")
				}
				strictPolicy(t, doc)
				idsOnce(t, doc)
				labelled(t, doc)
				namesIsolated(t, doc)
				translated(t, doc)
				apart(t, doc)
				placesThere(t, doc)
			})
		}
	}
}

// ownFiles are the addresses of the files that pages load: the assets, flags, and an event's colours and photos.
var ownFiles = []string{"/assets/test/", letters.Path, "/flags/", "/colours.css?of=", "/events/7/photos/"}

// strictPolicy checks that the page contains no inline scripts or styles, as the content security policy requires.
func strictPolicy(t *testing.T, doc *html.Node) {
	t.Helper()
	for _, n := range all(doc, func(*html.Node) bool { return true }) {
		if n.Data == "style" || n.Data == "script" && (attr(n, "src") == "" || n.FirstChild != nil) {
			t.Errorf("<%s> within the page", n.Data)
		}
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") || strings.HasPrefix(a.Key, "hx-on") {
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
			if (a.Key == "src" || n.Data == "link" && a.Key == "href") && !slices.ContainsFunc(ownFiles,
				func(own string) bool { return strings.HasPrefix(a.Val, own) }) {
				t.Errorf("<%s %s=%q> is not one of our files", n.Data, a.Key, a.Val)
			}
		}
	}
}

// placesThere checks that a place named by a form exists on its page, unless the form belongs to another page.
func placesThere(t *testing.T, doc *html.Node) {
	t.Helper()
	for _, n := range all(doc, func(n *html.Node) bool { return attr(n, "name") == "at" }) {
		if len(all(doc, byID(part.PlaceID(attr(n, "value"))))) != 1 && len(all(doc, byClass("told"))) > 0 {
			t.Errorf("no place %q on the page", attr(n, "value"))
		}
	}
}

func idsOnce(t *testing.T, doc *html.Node) {
	t.Helper()
	seen := map[string]bool{}
	for _, n := range all(doc, func(n *html.Node) bool { return attr(n, "id") != "" }) {
		if seen[attr(n, "id")] {
			t.Errorf("two elements have the id %q", attr(n, "id"))
		}
		seen[attr(n, "id")] = true
	}
}

// labelled checks that every field has a label and every label a field.
func labelled(t *testing.T, doc *html.Node) {
	t.Helper()
	for _, n := range all(doc, func(n *html.Node) bool {
		return slices.Contains([]string{"input", "select", "textarea"},
			n.Data)
	}) {
		if attr(n, "type") == "hidden" || n.Parent.Data == "label" {
			continue
		}
		id := attr(n, "id")
		if found := all(doc, func(l *html.Node) bool { return l.Data == "label" && attr(l, "for") == id }); id == "" ||
			len(found) != 1 || textOf(found[0]) == "" {
			t.Errorf("<%s name=%q> has no label", n.Data, attr(n, "name"))
		}
	}
	for _, n := range all(doc, byTag("button")) {
		if textOf(n) == "" && attr(n, "aria-label") == "" {
			t.Errorf("button %q says nothing", attr(n, "id"))
		}
	}
}

// namesIsolated checks that a name in another text direction cannot affect the sentence around it: it is in a bdi or
// option element or between isolates.
func namesIsolated(t *testing.T, doc *html.Node) {
	t.Helper()
	for n := range doc.Descendants() {
		if n.Type != html.TextNode {
			continue
		}
		for _, p := range sampleSeats {
			before, _, found := strings.Cut(n.Data, p.Name)
			if !found || slices.Contains([]string{"bdi", "option", "title", "textarea"}, n.Parent.Data) ||
				strings.HasSuffix(before, "\u2068") {
				continue
			}
			if within(n, "log") {
				continue // written by the server, which isolates names
			}
			t.Errorf("the name %q stands bare in <%s>: %q", p.Name, n.Parent.Data, strings.TrimSpace(n.Data))
		}
	}
}

func within(n *html.Node, class string) bool {
	for p := range n.Ancestors() {
		if p.Type == html.ElementNode && hasClass(p, class) {
			return true
		}
	}
	return false
}

var looksLikeKey = regexp.MustCompile(`^[a-z]+\.[a-z_.]+$`)

// translated checks that no key is visible, which T returns for a key without a text.
func translated(t *testing.T, doc *html.Node) {
	t.Helper()
	for n := range doc.Descendants() {
		if n.Type == html.TextNode && looksLikeKey.MatchString(strings.TrimSpace(n.Data)) {
			t.Errorf("the key %q shows", n.Data)
		}
		for _, a := range n.Attr {
			if (a.Key == "aria-label" || strings.HasPrefix(a.Key, "data-")) && looksLikeKey.MatchString(a.Val) {
				t.Errorf("the key %q shows in %s", a.Val, a.Key)
			}
		}
	}
}

// apart checks that text for screen readers after a button's word is a separate word, as in "Swap Anna".
func apart(t *testing.T, doc *html.Node) {
	t.Helper()
	for n := range doc.Descendants() {
		before := n.PrevSibling
		if n.Type != html.ElementNode || !hasClass(n, "vh") || before == nil || before.Type != html.TextNode ||
			n.FirstChild == nil {
			continue
		}
		if said := n.FirstChild.Data; strings.TrimRight(before.Data, " \n\t") == before.Data &&
			strings.TrimLeft(said, " \n\t") == said {
			t.Errorf("%q is said as one word with %q", said, before.Data)
		}
	}
}

func gamePage(t *testing.T, g play.Game) *html.Node {
	t.Helper()
	ctx := t.Context()
	return parse(t, ctx, play.GamePage(play.GameView{Page: samplePage(ctx, "game.table", part.RolePlayer,
		templates.GamePath), Game: g}))
}

func TestGamePage(t *testing.T) {
	t.Run("the table has every set with its place in the log", func(t *testing.T) {
		g := samplePlaying()
		doc := gamePage(t, g)
		sets := all(one(t, doc, "table", byID("table")), byClass("set"))
		if len(sets) != len(g.View.Table) || len(sets) == 0 {
			t.Fatalf("got %d sets, want %d", len(sets), len(g.View.Table))
		}
		for i, laid := range g.View.Table {
			if got := attr(sets[i], "data-at"); got != locale.Num(laid.At) {
				t.Errorf("set %d: got place %q, want %d", i, got, laid.At)
			}
			tiles := all(sets[i], byClass("tile"))
			if len(tiles) != len(laid.Tiles) {
				t.Fatalf("set %d: got %d tiles, want %d", i, len(tiles), len(laid.Tiles))
			}
			for k, f := range laid.Tiles {
				if attr(tiles[k], "data-face") != f.String() ||
					textOf(one(t, tiles[k], "name", byClass("vh"))) != play.TileName(t.Context(), f) {
					t.Errorf("set %d, tile %d: got %q, %q, want %s", i, k, attr(tiles[k], "data-face"),
						textOf(tiles[k]), f)
				}
			}
		}
		if got := len(all(one(t, doc, "table", byID("table")), byClass("new"))); got != 3 {
			t.Errorf("got %d tiles marked as just laid, want 3", got)
		}
	})
	t.Run("the rack holds the own tiles, the drawn one marked", func(t *testing.T) {
		rack := one(t, gamePage(t, samplePlaying()), "rack", byID("rack"))
		if got := len(all(rack, byClass("tile"))); got != 11 {
			t.Errorf("got %d tiles, want 11", got)
		}
		if got := attr(one(t, rack, "drawn tile", byClass("new")), "data-face"); got != "R9" {
			t.Errorf("got %s marked, want R9", got)
		}
	})
}

func TestButtonsOfAGamePage(t *testing.T) {
	t.Run("the buttons are those of the moment", func(t *testing.T) {
		empty := samplePlaying()
		empty.View.Pool = 0
		ready := sampleDealt()
		ready.View.Seats[3].Ready = true
		ready.View.MayRedeal = false
		for _, test := range []struct {
			name    string
			game    play.Game
			on, off []string
			absent  []string
		}{
			{"own turn", samplePlaying(), []string{"draw", "call"}, []string{"play", "undo", "reset"},
				[]string{"pass", "ready", "redeal"}},
			{"another's turn", sampleOther(), []string{"call"}, []string{"draw", "play"}, []string{"pass"}},
			{"pool empty", empty, []string{"pass"}, []string{"play"}, []string{"draw"}},
			{"dealt with three doubles", sampleDealt(), []string{"ready", "redeal"}, nil, []string{"draw", "play"}},
			{"ready", ready, nil, []string{"ready"}, []string{"redeal"}},
			{"over", sampleOver(), nil, nil, []string{"draw", "play", "ready", "rack", "table"}},
		} {
			doc := gamePage(t, test.game)
			for _, id := range slices.Concat(test.on, test.off) {
				b := one(t, doc, test.name+": "+id, byID(id))
				disabled := slices.ContainsFunc(b.Attr, func(a html.Attribute) bool { return a.Key == "disabled" })
				if disabled != slices.Contains(test.off, id) {
					t.Errorf("%s: %s: got disabled %t", test.name, id, disabled)
				}
			}
			for _, id := range test.absent {
				if len(all(doc, byID(id))) > 0 {
					t.Errorf("%s: %s is there", test.name, id)
				}
			}
		}
	})
}

func TestPlayersOfAGamePage(t *testing.T) {
	t.Run("the players stand in turn order, the reader last", func(t *testing.T) {
		g := samplePlaying()
		g.View.Seat, g.View.Turn.Seat = 1, 1
		seats := all(gamePage(t, g), byClass("seat"))
		var got []string
		for _, s := range seats {
			got = append(got, attr(s, "id"))
		}
		if want := []string{"seat2", "seat3", "seat0", "seat1"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if !hasClass(seats[3], "turn") || !strings.Contains(textOf(seats[3]), "your turn") {
			t.Errorf("got %q, want your turn", textOf(seats[3]))
		}
	})
}

// TestNoRackForOthers checks that a rack that is in the view by mistake is not rendered for readers who only watch.
func TestNoRackForOthers(t *testing.T) {
	ctx := t.Context()
	g := sampleOther() // its view contains a rack
	for name, page := range map[string]templ.Component{
		"spectator": public.WatchPage(public.WatchView{Page: samplePage(ctx, "watch.log", part.RolePublic,
			templates.HomePath), Game: g}),
		"referee": referee.RulingPage(referee.RulingView{Page: samplePage(ctx, "hall.title", part.RoleReferee,
			templates.HomePath), Game: g,
			HasGame: true}),
	} {
		doc := parse(t, ctx, page)
		tiles, onTable := all(doc, byClass("tile")), all(one(t, doc, name+": table", byID("table")), byClass("tile"))
		if len(onTable) == 0 || len(tiles) != len(onTable) {
			t.Errorf("%s: got %d tiles, %d of them on the table: want all there, and some", name, len(tiles),
				len(onTable))
		}
		if strings.Contains(textOf(doc), "commit") || len(all(doc, byID("rack"))) > 0 {
			t.Errorf("%s: a rack is drawn", name)
		}
	}
}

func TestQR(t *testing.T) {
	path, side := part.QrPath("http://192.168.1.10:8080/join/TBL1-X8")
	if side != 29+8 || !strings.HasPrefix(path, "M4 4h7v1h-7z") {
		t.Errorf("got side %d, path %.20q: want version 3 with its quiet zone", side, path)
	}
	if path, side := part.QrPath(strings.Repeat("x", 4000)); path != "" || side != 0 {
		t.Errorf("a text that is too long: got side %d, want none", side)
	}
}

func TestDraftReply(t *testing.T) {
	table := []tile.LaidFaces{{At: 0, Faces: faces("R4 J R6")}, {At: 13, Faces: faces("K5 O5")}}
	for _, test := range []struct {
		name    string
		verdict judge.Verdict
		opened  bool
		want    string
	}{
		{"legal", judge.Verdict{Legal: true, Played: faces("R4 R6")}, true, "2 tiles laid · all sets valid"},
		{"opening", judge.Verdict{Legal: true, Points: 33, Played: faces("R4 R6")}, false, "33 of 30 · you can open"},
		{"short", judge.Verdict{Code: judge.CodeMeldShort, Points: 24}, false, "24 of 30 points to open"},
		{"illegal", judge.Verdict{Code: judge.CodeInvalidSet, Set: 1}, true, "A set on the table is not valid."},
	} {
		reply := play.NewDraftReply(t.Context(), table, test.verdict, test.opened, ruleset.Ruleset{MeldPoints: 30})
		if reply.Message != test.want {
			t.Errorf("%s: got %q, want %q", test.name, reply.Message, test.want)
		}
		if got, want := reply.Sets, []play.DraftSet{{At: 0, OK: true, Word: "run"},
			{At: 13, OK: false, Word: "too short"}}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", test.name, got, want)
		}
	}
}

// TestCallsAreNotPublic checks that calls for the referee are visible only to players and referees.
func TestCallsAreNotPublic(t *testing.T) {
	ctx := t.Context()
	g := samplePlaying() // seat 2 is calling
	g.View.Seat, g.View.Rack = engine.Spectator, nil
	page := samplePage(ctx, "nav.tables", part.RolePublic, templates.HomePath)
	for name, everyone := range map[string]templ.Component{
		"table":  public.WatchPage(public.WatchView{Page: page, Game: g}),
		"tables": public.TablesPage(public.TablesView{Page: page, Tables: sampleTables()}),
	} {
		if got := textOf(parse(t, ctx, everyone)); strings.Contains(got, locale.T(ctx, "seat.called")) {
			t.Errorf("%s: the public sees a call", name)
		}
	}
	if got := textOf(parse(t, ctx, referee.FloorPage(sampleFloor(ctx)))); !strings.Contains(got,
		locale.T(ctx, "seat.called")) {
		t.Error("the referees do not see the call")
	}
}
