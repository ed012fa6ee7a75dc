package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/web/request"
)

// lays plays a whole table, with the sets in free places.
func (e *event) lays(seat int, game int64, sets ...string) {
	e.t.Helper()
	var table []tile.LaidFaces
	for _, set := range sets {
		table = append(table, tile.LaidFaces{At: tile.SomewhereFree, Faces: faces(e.t, set)})
	}
	e.at(0, seat).must(http.MethodPost, fmt.Sprintf("/games/%d/play", game), request.PlayRequest{
		TurnRequest: request.TurnRequest{Turn: e.public().view(game).Turn.Number, Key: e.key()}, Table: table}, nil)
}

// TestPagesNameTheTilesOfAPlay checks that the pages about a game say what a play changed on the table, and the tablet
// of the player who played only how many tiles.
func TestPagesNameTheTilesOfAPlay(t *testing.T) {
	t.Parallel()
	e, game := newPreparedTable(t, "R10 R11 R12 R13 R9 O13 K13 K1 K3 K5 K7 O1 O3 O5", "", "", "")
	e.start()
	e.readyBut(0, game)
	e.lays(0, game, "R10 R11 R12 R13")
	tablet := e.seated(e.at(0, 2))
	tablet.get(t, "/play/game").says("#last", ": new run: red 10 to red 13.")
	for seat := 1; seat < 4; seat++ {
		e.draw(seat, game)
	}
	e.lays(0, game, "R9 R10 R11 R12", "R13 O13 K13")
	const turn = 5
	want := "new group of 13: red, orange, black; took red 13 from red 10–13; red 9 to red 10–13"
	for seat := 1; seat < 4; seat++ {
		e.seated(e.at(0, seat)).get(t, "/play/game").says("#last", ": "+want+".")
	}
	if page := e.seated(e.at(0, 0)).get(t, "/play/game"); page.text("#last") != "You laid 3 tiles." {
		t.Errorf("the player's own tablet says %q", page.text("#last"))
	}
	id, table := e.id, e.round.Tables[0]
	e.reader().get(t, string(templates.WatchPath(id, table.ID))).says("#watch", want)
	e.reader().get(t, string(templates.DisplayPath(id, table.Number))).says("#display", want)
	e.reader().get(t, string(templates.DisplayTurnPath(id, table.Number, turn))).says("#past", want)
	referee := e.signedIn("referee")
	referee.get(t, string(templates.RulingPath(id, table.ID))).says(".sheet-back", want)
	referee.get(t, string(templates.CardPath(id, game, turn))).says(".moments", want)
	italian := tablet.send(t, http.MethodGet, "/play/game", nil, "", "Accept-Language", "it")
	italian.says("#last", ": nuovo gruppo di 13: rosso, arancio, nero; prende 13 rosso da scala rossa 10–13; "+
		"9 rosso su scala rossa 10–13.")
	e.byDraws(game)
	replay := e.seated(e.at(0, 2))
	replay.get(t, string(templates.ReplayPath(id, game))).says(".turns", want)
	replay.get(t, string(templates.ReplayTurnPath(id, game, turn))).says("main", want+".")
	drew := replay.get(t, string(templates.ReplayTurnPath(id, game, turn+1))).text("main")
	if strings.Contains(drew, " to red") {
		t.Errorf("a draw changes the table: %q", drew)
	}
}
