package webtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"

	"meldhall/tournament/result"
)

// listener plays only by the accessibility tree and the keyboard, as with a screen reader.
type listener struct{ p *tab }

// spoken is what a screen reader can say about one node: its role, its name, its text, and for a cell its position and
// grid.
type spoken struct {
	role, name, text, grid string
	row, col               int
	focused, off, loud     bool // loud: announced when it changes
}

// hears returns the visible nodes of the accessibility tree from top to bottom.
func (l listener) hears() (all []spoken) {
	l.p.t.Helper()
	got, err := chromedp.Call(l.p.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		l.p.t.Fatal(err)
	}
	nodes := map[accessibility.NodeID]*accessibility.Node{}
	for _, n := range got.Nodes {
		nodes[n.NodeID] = n
	}
	grid, row, col := "", -1, -1
	var walk func(id accessibility.NodeID) string
	walk = func(id accessibility.NodeID) string {
		n := nodes[id]
		if n == nil {
			return ""
		}
		s := spokenOf(n)
		switch s.role {
		case "StaticText":
			return s.name + " "
		case "grid":
			grid, row = s.name, -1
		case "row":
			row, col = row+1, -1
		case "gridcell":
			col++
			s.grid, s.row, s.col = grid, row, col
		}
		at := len(all)
		all = append(all, s)
		for _, child := range n.ChildIDs {
			all[at].text += walk(child)
		}
		return all[at].text
	}
	walk(got.Nodes[0].NodeID)
	return slices.DeleteFunc(all, func(s spoken) bool { return s.role == "" })
}

func spokenOf(n *accessibility.Node) (s spoken) {
	if n.Ignored {
		return s
	}
	say := func(v *accessibility.Value) (text string) {
		if v != nil {
			_ = json.Unmarshal(v.Value, &text)
		}
		return text
	}
	s.role, s.name = say(n.Role), say(n.Name)
	for _, p := range n.Properties {
		switch p.Name {
		case accessibility.PropertyNameFocused:
			s.focused = string(p.Value.Value) == "true"
		case accessibility.PropertyNameDisabled:
			s.off = string(p.Value.Value) == "true"
		case accessibility.PropertyNameLive:
			s.loud = true
		}
	}
	return s
}

// until waits for a node that satisfies heard and returns it.
func (l listener) until(what string, heard func(s spoken) bool) spoken {
	l.p.t.Helper()
	var all []spoken
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		all = l.hears()
		if i := slices.IndexFunc(all, heard); i >= 0 {
			return all[i]
		}
	}
	var told []string
	for _, s := range all {
		if s.loud || s.role == "heading" {
			told = append(told, s.role+" "+s.name+": "+s.text)
		}
	}
	l.p.t.Fatalf("%s is not to be heard, but %q", what, told)
	return spoken{}
}

// told waits until a live region contains a text.
func (l listener) told(text string) {
	l.p.t.Helper()
	l.until(text, func(s spoken) bool { return s.loud && strings.Contains(s.text, text) })
}

// at returns the innermost focused node.
func (l listener) at() (s spoken) {
	l.p.t.Helper()
	for _, one := range l.hears() {
		if one.focused {
			s = one
		}
	}
	return s
}

// tabTo presses Tab until the focused node satisfies there.
func (l listener) tabTo(what string, there func(s spoken) bool) spoken {
	l.p.t.Helper()
	for range 60 {
		if s := l.at(); there(s) {
			return s
		}
		l.p.press("Tab")
	}
	l.p.t.Fatalf("60 times Tab and no %s", what)
	return spoken{}
}

// key presses a button by its name.
func (l listener) key(name string) {
	l.p.t.Helper()
	l.until(name, func(s spoken) bool { return s.role == "button" && s.name == name && !s.off })
	l.tabTo(name, func(s spoken) bool { return s.role == "button" && s.name == name })
	l.p.press("Enter")
}

// cells returns the cells of a grid by row.
func (l listener) cells(grid string) (rows [][]string) {
	l.p.t.Helper()
	for _, s := range l.hears() {
		if s.role != "gridcell" || s.grid != grid {
			continue
		}
		for len(rows) <= s.row {
			rows = append(rows, nil)
		}
		// an empty cell that serves as a set's handle
		rows[s.row] = append(rows[s.row], strings.TrimPrefix(s.name, "Take the whole set"))
	}
	return rows
}

// place is a cell's position on the table.
type place struct{ row, col int }

// on finds a tile on the table by the tile before it; "" means that it begins a set.
func (l listener) on(name, after string) place {
	l.p.t.Helper()
	for row, cells := range l.cells("Table") {
		for col, cell := range cells {
			if cell == name && (col == 0 && after == "" || col > 0 && cells[col-1] == after) {
				return place{row, col}
			}
		}
	}
	l.p.t.Fatalf("no %s after %q on %q", name, after, l.cells("Table"))
	return place{}
}

// free returns the first of n consecutive free cells with an empty one on either side.
func (l listener) free(n int) place {
	l.p.t.Helper()
	for row, cells := range l.cells("Table") {
		for col := 1; col+n < len(cells); col++ {
			if !slices.ContainsFunc(cells[col-1:col+n+1], func(name string) bool { return name != "" }) {
				return place{row, col}
			}
		}
	}
	l.p.t.Fatalf("no %d free cells", n)
	return place{}
}

// goTo moves the focus to a cell of the table by arrow keys, from its first cell.
func (l listener) goTo(to place) {
	l.p.t.Helper()
	l.tabTo("the table", func(s spoken) bool { return s.grid == "Table" })
	l.p.press("Ctrl+Home")
	for range to.row {
		l.p.press("ArrowDown")
	}
	for range to.col {
		l.p.press("ArrowRight")
	}
	if s := l.at(); s.grid != "Table" || (place{s.row, s.col}) != to {
		l.p.t.Fatalf("the arrows lead to %+v, want %+v", s, to)
	}
}

// lay takes tiles from the rack and puts them on the table.
func (l listener) lay(to place, names ...string) {
	l.p.t.Helper()
	for _, name := range names {
		l.tabTo("the rack", func(s spoken) bool { return s.grid == "Your rack" })
		l.p.press("Ctrl+Home")
		for range slices.Index(slices.Concat(l.cells("Your rack")...), name) {
			l.p.press("ArrowRight")
		}
		if at := l.at(); at.name != name {
			l.p.t.Fatalf("the arrows lead to %+v, want %s", at, name)
		}
		l.p.press("Enter")
		l.told(name)
	}
	l.goTo(to)
	l.p.press("Enter")
}

// move moves a tile of the table to another cell.
func (l listener) move(from, to place) {
	l.p.t.Helper()
	l.goTo(from)
	l.p.press("Enter")
	l.told("in hand")
	l.goTo(to)
	l.p.press("Enter")
}

// endTurn ends the turn and waits for the next player's.
func (l listener) endTurn() {
	l.p.t.Helper()
	l.key("End turn")
	l.until("the end of the turn", func(s spoken) bool {
		return s.role == "button" && s.name == "Draw a tile" &&
			s.off
	})
	l.told("Accepted")
}

// ownTurn waits for the player's own turn.
func (l listener) ownTurn() {
	l.p.t.Helper()
	l.until("the own turn", func(s spoken) bool { return s.role == "button" && s.name == "Draw a tile" && !s.off })
	l.told("Your turn")
}

// TestBrowserPlaysByEar plays a game from the first tile to the count with a screen reader's information and keys only:
// it lays sets, splits a run, frees a joker, and the winner hears all players' charges.
func TestBrowserPlaysByEar(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, preparedRacks...)
	p.still()
	l := listener{p}
	l.ownTurn()
	for _, set := range [][]string{{"orange 10", "orange 11", "orange 12"}, {"black 4", "black 5", "black 6"},
		{"blue 1", "red 1", "orange 1"}} {
		l.lay(l.free(3), set...)
		l.told(set[0])
	}
	l.told("51 of 30")
	l.endTurn()

	e.play(1, game, 39, "R9 R10 J R12")
	e.play(2, game, 52, "B8 B9 B10 B11 B12")
	e.draw(3, game)
	l.ownTurn()
	l.lay(l.free(3), "blue 10")
	l.move(l.on("blue 11", "blue 10"), beside(l.on("blue 10", "")))
	l.move(l.on("blue 12", ""), beside(l.on("blue 11", "blue 10")))
	l.lay(l.on("joker", "red 10"), "red 11")
	l.move(l.on("joker", "red 12"), l.free(3))
	l.lay(beside(l.on("joker", "")), "black 13", "red 13")
	l.endTurn()

	for seat := 1; seat < 4; seat++ {
		e.draw(seat, game)
	}
	l.ownTurn()
	l.lay(beside(l.on("orange 12", "orange 11")), "orange 13")
	l.key("End turn")
	l.until("the win", func(s spoken) bool {
		return s.role == "heading" &&
			strings.Contains(s.name, "Rummikub! You win.")
	})
	l.until("a charge with its tiles", func(s spoken) bool {
		return s.role == "listitem" && strings.Contains(s.text, "red 7 red 8 red 9") &&
			strings.Contains(s.text, "Charge  200 Points  −200") && strings.Contains(s.text, "98 points, 30 needed")
	})
	l.until("the own place", func(s spoken) bool {
		return s.role == "row" && strings.Contains(s.text, "you 1") && strings.Contains(s.text, "+317")
	})
	l.key("The count is right")
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), result.ConfirmResult{Rev: 1}, nil)
	l.until("the next game", func(s spoken) bool { return strings.Contains(s.text, "Game 2 of") })
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}

func beside(p place) place { return place{p.row, p.col + 1} }
