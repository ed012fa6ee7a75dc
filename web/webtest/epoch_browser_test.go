package webtest

import (
	"path/filepath"
	"testing"
)

// After an older copy is restored, a tablet with later moves reloads with the copy's board and continues from it, even
// if the game has reached the same sequence number again.
func TestBrowserTakesTheBoardOfAnOlderCopy(t *testing.T) {
	b := startChromium(t)
	e, game, r, p := linked(t, b)
	older := filepath.Join(t.TempDir(), "copy.db")
	if err := e.store.Backup(t.Context(), older); err != nil {
		t.Fatal(err)
	}
	movers[0].lay(p, 0, "O10", "O11", "O12")
	p.wait(`document.querySelectorAll("#table .tag.good").length === 1`)
	p.tap("#play")
	p.wait(`document.querySelectorAll("#table .tile").length === 3 &&
		document.getElementById("game").dataset.mine === "false"`)
	eval[bool](p, `window.mark = true`)
	r.vanish(true)
	p.wait(isLost)
	e.restartOn(t, older)
	r.vanish(false)
	// the draft is laid again but not played
	p.wait(`!window.mark && document.getElementById("game").dataset.own === "true" && ` + opening + " && " + isLive)
	if view := e.at(0, 0).view(game); len(view.Table) != 0 || len(view.Rack) != 14 {
		t.Errorf("%d sets are played in the copy, %d tiles are on the rack", len(view.Table), len(view.Rack))
	}
	e.resume(e.referee, game)
	p.wait(myTurn)
	p.tap("#play")
	p.wait(`document.querySelectorAll("#table .tile").length === 3 &&
		document.getElementById("game").dataset.mine === "false"`)
	if view := e.at(0, 0).view(game); len(view.Table) != 1 || len(view.Rack) != 11 {
		t.Errorf("%d sets are played after it, %d tiles are on the rack", len(view.Table), len(view.Rack))
	}
}
