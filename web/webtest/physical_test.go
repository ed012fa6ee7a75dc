package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/result"
	"meldhall/web"
	"meldhall/web/api"
	"meldhall/web/live"
	"meldhall/web/request"
)

// realTables switches the tables with these numbers to real tiles.
func (e *event) realTables(numbers ...int) {
	e.t.Helper()
	for _, n := range numbers {
		e.referee.must(http.MethodPost, fmt.Sprintf("/tables/%d/tiles", e.round.Tables[n-1].ID),
			tournament.SetTableTiles{Tiles: tournament.RealTiles}, &e.round)
	}
}

// newRealEvent returns a published tournament with real tiles that no player has joined yet.
func newRealEvent(t *testing.T, n int, rules map[string]any, change ...func(*web.Config)) *event {
	t.Helper()
	e := newPublished(t, "Test", roster(n), rules, change...)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/tiles", e.id),
		tournament.SetTiles{Tiles: tournament.RealTiles}, nil)
	return e
}

// joinTable makes a device the shared tablet of a table.
func (e *event) joinTable(number int) *caller {
	e.t.Helper()
	var joined api.TableJoined
	e.public().must(http.MethodPost, "/join-table", people.JoinTable{Code: e.round.Tables[number-1].Code}, &joined)
	return &caller{e.hall, fmt.Sprintf("device of table %d", number), joined.Token}
}

// post sends a game command.
func (c *caller) post(game int64, name string, body map[string]any) {
	c.hall.t.Helper()
	body["key"] = c.hall.key()
	c.must(http.MethodPost, fmt.Sprintf("/games/%d/%s", game, name), body, nil)
}

func TestPhysicalTableByItsOneDevice(t *testing.T) {
	t.Parallel()
	e := newRealEvent(t, 4, map[string]any{"turn_seconds": 0})
	device := e.joinTable(1)
	e.start()
	gameID := e.round.Tables[0].Games[0].ID
	if v := e.public().view(gameID); !v.Physical || v.Starter != engine.NoStarter || v.Phase != engine.PhaseDealt {
		t.Fatalf("%+v", v)
	}
	device.refusedWith(t, http.StatusConflict, engine.RefusedNoStarter, http.MethodPost,
		fmt.Sprintf("/games/%d/ready", gameID), request.TurnRequest{Turn: 0, Key: e.key()})
	device.post(gameID, "starter", map[string]any{"seat": 2})
	device.post(gameID, "ready", map[string]any{"turn": 0})
	for turn := 1; turn < 6; turn++ {
		device.post(gameID, "end-turn", map[string]any{"turn": turn, "seat": (turn + 1) % 4, "opened": turn < 4})
	}
	e.referee.post(gameID, "penalty", map[string]any{"seat": 1, "tiles": 2, "reason": "touched another rack"})
	device.post(gameID, "end-turn", map[string]any{"turn": 6, "seat": 3, "out": true})
	v := e.public().view(gameID)
	if v.Counting != ruleset.EndedEmptied || len(v.Book) != 1 || v.Book[0].Tiles != 2 || !v.Seats[3].Opened {
		t.Fatalf("%+v", v)
	}
	unopened := []string{"R10", "B10", "K10", "O1", "O2", "B4", "K6", "R1", "B6", "O12", "K3", "R8", "B13", "O5"}
	racks := []map[string]any{{"tiles": []string{"R3", "K13"}, "opened": true}, {"tiles": unopened},
		{"tiles": []string{"J", "O2"}, "opened": true}, {"tiles": []string{}, "opened": true}}
	var preview game.SheetPreview
	device.must(http.MethodPost, fmt.Sprintf("/games/%d/count-preview", gameID), map[string]any{"racks": racks},
		&preview)
	if p := preview.Seats[1]; p.Charge.Points != 200 || p.Opening == nil || !p.Opening.Able ||
		len(p.Opening.Sets) == 0 {
		t.Errorf("%+v", p)
	}
	if preview.Refusal != nil || preview.Points[3] != score.Whole(318) {
		t.Errorf("%+v", preview)
	}
	device.post(gameID, "count-racks", map[string]any{"racks": racks})
	for seat := range 3 {
		device.must(http.MethodPost, fmt.Sprintf("/games/%d/agree", gameID), map[string]any{"rev": 1, "seat": seat},
			nil)
	}
	var count api.CountView
	e.referee.must(http.MethodGet, fmt.Sprintf("/games/%d/count", gameID), nil, &count)
	if len(count.Openings) != 1 || !count.Openings[0].Able || count.View.Result.Charges[1].Points != 200 ||
		count.Count.All() != 3 {
		t.Errorf("%+v", count)
	}
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", gameID), result.ConfirmResult{Rev: 1}, nil)
}

// A referee is alerted about a table's shared tablet as about a player's own.
func TestTheTablesOneTabletGone(t *testing.T) {
	t.Parallel()
	e := newRealEvent(t, 4, map[string]any{"turn_seconds": 0})
	var ahead atomic.Int64
	e.store.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	device := e.joinTable(1)
	e.start()
	game := e.round.Tables[0].Games[0].ID
	device.post(game, "starter", map[string]any{"seat": 2})
	device.post(game, "ready", map[string]any{"turn": 0})
	reports := func(charge int) {
		t.Helper()
		actor, err := people.ActorByToken(t.Context(), e.store, device.token)
		if err != nil {
			t.Fatal(err)
		}
		e.server.View.Presence.Reported(actor, live.DeviceReport{Agent: "Chrome/ Android", Charge: charge})
	}
	ref, floor := e.signedIn("referee"), fmt.Sprintf("/referee/%d", e.id)
	sheet := fmt.Sprintf("%s/tables/%d", floor, e.round.Tables[0].ID)
	if page := ref.get(t, floor).says(".floor-line", "running"); strings.Contains(page.text("main"),
		"the table’s tablet") {
		t.Errorf("it is there: %s", page.text("main"))
	}
	reports(9)
	ref.get(t, floor).says(".need", "battery 9%").says(".floor-line", "running")
	ref.get(t, sheet).says(".sheet-head", "the table’s tablet battery 9%")
	reports(80)
	ahead.Store(int64(time.Minute))
	page := ref.get(t, floor).says(".need", "offline").says(".need", "the table’s tablet").says("main", "is offline")
	if page.count("li.need-offline") != 1 {
		t.Errorf("the row is not one that needs somebody: %s", page.text("main"))
	}
	ref.get(t, sheet).says(".sheet-head", "offline since")
	e.reader().get(t, fmt.Sprintf("/events/%d/tables", e.id)).says("main", "running")
	device.view(game)
	ref.get(t, floor).says(".floor-line", "running")
}

func TestPhysicalTableByItsPlayers(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, map[string]any{"turn_seconds": 0})
	e.realTables(1)
	e.start()
	game := e.round.Tables[0].Games[0].ID
	e.at(0, 3).post(game, "starter", map[string]any{"seat": 0})
	e.begin(0)
	e.at(0, 1).refusedWith(t, http.StatusForbidden, "err_not_your_seat", http.MethodPost,
		fmt.Sprintf("/games/%d/end-turn", game),
		map[string]any{"turn": 1, "seat": 0, "key": e.key()})
	e.at(0, 0).post(game, "end-turn", map[string]any{"turn": 1})
	e.referee.post(game, "end-turn", map[string]any{"turn": 2, "seat": 1})
	e.at(0, 0).post(game, "pool-empty", map[string]any{"seat": 1})
	for turn := 3; turn <= 6; turn++ {
		e.at(0, (turn-1)%4).post(game, "end-turn", map[string]any{"turn": turn, "passed": true})
	}
	if v := e.public().view(game); v.Counting != ruleset.EndedLastLap || !v.PoolEmpty {
		t.Fatalf("%+v", v)
	}
	totals := []map[string]any{{"points": -15, "opened": true}, {"points": 0, "opened": true, "won": true},
		{"points": -7, "opened": true}, {"points": -35, "opened": true}}
	e.referee.post(game, "count-racks", map[string]any{"totals": totals, "lowest": 5})
	if v := e.public().view(game); v.Result == nil || v.Result.Points[3] != score.Whole(-35) ||
		v.Result.Wins[1] != score.Whole(1) {
		t.Errorf("%+v", v.Result)
	}
	t.Run("once its first game has begun a table stays as it is", func(t *testing.T) {
		e.referee.refusedWith(t, http.StatusConflict, "err_table_started", http.MethodPost,
			fmt.Sprintf("/tables/%d/tiles", e.round.Tables[0].ID), tournament.SetTableTiles{Tiles: ""})
	})
}
