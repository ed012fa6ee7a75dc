package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/engine/tile"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/web"
	"meldhall/web/request"
)

// A draft is shown to all players at the table, so it may not hold more tiles than the game has.
func TestTablesThatAreTooLarge(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	game := e.begin(0)
	turn := e.public().view(game).Turn
	long := tile.LaidFaces{At: -1, Faces: make(tile.FaceList, tile.Count+1)}
	for name, table := range map[string][]tile.LaidFaces{"one set": {long},
		"sets of nothing": make([]tile.LaidFaces, tile.Count+1)} {
		t.Run(name, func(t *testing.T) {
			e.at(0, turn.Seat).refusedWith(t, 422, "err_table_too_large", http.MethodPost,
				fmt.Sprintf("/games/%d/draft", game), request.DraftRequest{Turn: turn.Number, Table: table})
			e.at(0, turn.Seat).refusedWith(t, 422, "err_table_too_large", http.MethodPost,
				fmt.Sprintf("/games/%d/play", game),
				request.PlayRequest{TurnRequest: request.TurnRequest{Turn: turn.Number, Key: "too-large-1"},
					Table: table})
		})
	}
}

// The sign-in throttle treats different spellings of an account name as one account.
func TestSpellingsOfAnAccount(t *testing.T) {
	if a, b := spelling.Fold("Ann"), spelling.Fold(" \uff21\u200bnn"); a != b {
		t.Errorf("%q and %q are one account by two keys", a, b)
	}
}

// A game that cannot be read appears as broken on the floor page and does not affect other tables.
func TestFloorWithOneBrokenGame(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	good, bad := e.begin(0), e.begin(1)
	sql, err := e.store.Write.DB()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sql.Exec(`INSERT INTO game_events (game_id, seq, kind, version, data, actor, at)
		SELECT game_id, max(seq)+1, 'seat_ready', 1, '{"at":1,"seat":77}', 'clock', 1 FROM game_events WHERE game_id = ? GROUP BY game_id`, bad); err != nil {
		t.Fatal(err)
	}
	log := game.OpenLog(e.store)
	games := result.NewGames(e.store, log)
	t.Cleanup(func() { games.Close(); log.Close() })
	again, err := web.New(action.NewDesk(e.store, games), e.config)
	if err != nil {
		t.Fatal(err)
	}
	if err := games.Boot(t.Context()); err != nil {
		t.Fatal(err)
	}
	snap, err := games.Look(t.Context(), good)
	if err != nil {
		t.Fatal(err)
	}
	floor, err := again.View.Floor(t.Context(), rights.Staff(rights.RoleReferee, "R"), snap.Ref.RoundID)
	if err != nil {
		t.Fatal(err)
	}
	needs := map[int64]string{}
	for _, line := range floor.Tables {
		needs[line.Game] = line.Need
		if len(line.Names) != 4 {
			t.Errorf("table %d names %v", line.Table, line.Names)
		}
	}
	if needs[good] != "paused" || needs[bad] != "broken" {
		t.Errorf("got %v, want game %d paused and game %d broken", needs, good, bad)
	}
	if _, err := again.View.TableRows(t.Context(), snap.Ref.RoundID); err != nil {
		t.Errorf("the pages: %v", err)
	}
}

// A base64 text in place of a list of tiles is rejected: encoding/json would decode it into faces that do not exist.
func TestTilesInBase64AreRefused(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	game := e.begin(0)
	turn := e.public().view(game).Turn
	for _, tiles := range []any{"/////w==", "AAAA", []any{nil}} {
		table := []any{map[string]any{"at": 0, "tiles": tiles}}
		for _, name := range []string{"draft", "play"} {
			body := map[string]any{"turn": turn.Number, "key": e.key(), "table": table}
			if status, _, _ := e.at(0, turn.Seat).send(http.MethodPost, fmt.Sprintf("/games/%d/%s", game, name),
				body); status < 400 || status >= 500 {
				t.Errorf("a %s of %v is answered %d", name, tiles, status)
			}
		}
	}
	if now := e.public().view(game).Turn; now != turn {
		t.Errorf("the turn is %+v, was %+v", now, turn)
	}
}
