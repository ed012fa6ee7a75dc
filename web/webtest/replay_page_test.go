package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/engine/testmode"
	"meldhall/engine/tile"
	"meldhall/tournament/export"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/api"
	"meldhall/web/request"
)

// byDraws ends the first game of table 1: time is called, and every player draws.
func (e *event) byDraws(game int64) {
	e.t.Helper()
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/call-time", game),
		map[string]string{"key": e.key(), "reason": "late"}, nil)
	for range 8 {
		view := e.public().view(game)
		if view.Phase == engine.PhaseOver {
			return
		}
		e.at(0, view.Turn.Seat).must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
			request.TurnRequest{Turn: view.Turn.Number, Key: e.key()}, nil)
	}
	e.t.Fatal("the game goes on")
}

// seated returns a reader whose device holds a seat.
func (e *event) seated(c *caller) *reader {
	e.t.Helper()
	base, err := url.Parse(e.http.URL)
	if err != nil {
		e.t.Fatal(err)
	}
	r := e.reader()
	r.client.Jar.SetCookies(base, []*http.Cookie{{Name: "meldhall-seat", Value: c.token, Path: "/"}})
	return r
}

// TestReplayByRole requests the replay of a game through the API and as a page: while the game is running, when it is
// over, and after its count is confirmed.
func TestReplayByRole(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	game := e.begin(0)
	callers := [5]*caller{e.public(), e.at(0, 1), e.at(1, 0), e.referee, e.organizer}
	readers := [5]*reader{e.reader(), e.seated(e.at(0, 1)), e.seated(e.at(1, 0)), e.signedIn("referee"),
		e.signedIn("organizer")}
	list := fmt.Sprintf("/events/1/games/%d", game)
	ask := func(t *testing.T, want [5]int) {
		t.Helper()
		for i := range callers {
			if status, _, body := callers[i].send(http.MethodGet, fmt.Sprintf("/games/%d/replay", game),
				nil); status != want[i] {
				t.Errorf("the API to %s: got %d, want %d: %.200s", callerNames[i], status, want[i], body)
			}
			for _, path := range []string{list, list + "/turns/1", list + "/turns/1/best"} {
				page := readers[i].get(t, path)
				if page.status != want[i] {
					t.Errorf("%s to %s: got %d, want %d: %s", path, callerNames[i], page.status, want[i],
						page.text("main"))
				}
				if tiles := page.count("span.tile") + strings.Count(page.text("main"),
					"Rack"); page.status != http.StatusOK && tiles > 0 {
					t.Errorf("%s to %s shows %d tiles", path, callerNames[i], tiles)
				}
			}
		}
	}
	t.Run("while it runs nobody sees it", func(t *testing.T) { ask(t, [5]int{409, 409, 409, 409, 409}) })
	e.byDraws(game)
	t.Run("over: its players and the officials", func(t *testing.T) { ask(t, [5]int{403, 200, 403, 200, 200}) })
	t.Run("before the count is confirmed the public page of the table shows no proof and no link", func(t *testing.T) {
		page := e.reader().get(t, fmt.Sprintf("/events/1/tables/%d", e.round.Tables[0].ID)).is(http.StatusOK)
		if page.count(".proof") != 0 || strings.Contains(page.text("main"), "turn by turn") {
			t.Errorf("it says %s", page.text("main"))
		}
	})
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), result.ConfirmResult{Rev: 1}, nil)
	t.Run("confirmed: everybody", func(t *testing.T) { ask(t, [5]int{200, 200, 200, 200, 200}) })
	t.Run("a corrected result is shown as what counts", func(t *testing.T) {
		if page := readers[0].get(t, list); strings.Contains(page.text("main"), "corrected") {
			t.Error("a result is called corrected that is not")
		}
		lines := []api.CorrectLine{{Seat: 0, Wins: score.Whole(1), Points: score.Whole(7)}, {Seat: 1}, {Seat: 2},
			{Seat: 3, Points: score.Whole(-7), Charge: 7}}
		e.organizer.must(http.MethodPost, fmt.Sprintf("/games/%d/correct", game),
			api.CorrectBody{Rev: 2, Why: "miscounted", Lines: lines}, nil)
		readers[0].get(t, list).is(http.StatusOK).says("main", "as corrected by the referee").says("main", "+7")
	})
	t.Run("addresses of nothing", func(t *testing.T) {
		for _, path := range []string{"/events/2/games/1", "/events/1/games/99", "/events/1/games/x", list + "/turns/0",
			list + "/turns/5", list + "/turns/x", list + "/turns/9999999999999999999"} {
			readers[3].get(t, path).is(http.StatusNotFound)
		}
	})
}

// TestReplayPages walks through a game as its player does, and checks every page against the log.
func TestReplayPages(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := newEvent(t, 4, map[string]any{"turn_seconds": 0, "exhausted": "last_lap"})
	e.start()
	game := e.begin(0)
	e.playOut(t, game)
	var replay api.ReplayView
	e.at(0, 0).must(http.MethodGet, fmt.Sprintf("/games/%d/replay", game), nil, &replay)
	states := e.statesOf(t, game)
	if len(replay.Turns) < 8 {
		t.Fatalf("%d turns", len(replay.Turns))
	}
	player := e.seated(e.at(0, 0))
	list := player.get(t, fmt.Sprintf("/events/1/games/%d", game)).is(http.StatusOK)
	if rows := len(find(find(list.doc, "table.turns")[0], "tr")) - 1; rows != len(replay.Turns) {
		t.Errorf("%d rows for %d turns", rows, len(replay.Turns))
	}
	played := 0
	for i, turn := range replay.Turns {
		before := states[turn.Seq-1]
		if got, want := tile.CountFaces(turn.Rack),
			tile.CountFaces(tile.FacesOf(before.Racks[turn.Seat])); got != want || before.Turn.Seat != turn.Seat ||
			before.Turn.Number != turn.Number {
			t.Errorf("turn %d: rack %v of seat %d, turn %d in the log", turn.Turn, turn.Rack, turn.Seat,
				before.Turn.Number)
		}
		if turn.Proven && turn.Possible < turn.Played {
			t.Errorf("turn %d: %d tiles laid, and at most %d possible", turn.Turn, turn.Played, turn.Possible)
		}
		if turn.Played > 0 {
			played++
		}
		if i > 3 && i < len(replay.Turns)-1 && turn.Played == 0 {
			continue
		}
		e.checkTurn(t, player, game, len(replay.Turns), turn, states[turn.Seq])
	}
	if played == 0 {
		t.Error("nobody laid a tile in this game: it shows nothing")
	}
	t.Run("step by step from the first to the last", func(t *testing.T) {
		page := list
		for n := range len(replay.Turns) {
			address := fmt.Sprintf("/events/1/games/%d/turns/%d", game, n+1)
			if links := find(page.doc, "a[rel=next]"); n > 0 &&
				(len(links) != 1 || attr(links[0], "href") != address+"#turn") {
				t.Fatalf("from turn %d there is no way to the next", n)
			}
			page = player.get(t, address).is(http.StatusOK)
		}
		if page.count("a[rel=next]") != 0 || page.count("a[rel=prev]") != 1 {
			t.Error("the last turn has a next one, or none before it")
		}
	})
	t.Run("links from the player's pages and the referee's", func(t *testing.T) {
		want := fmt.Sprintf("/events/1/games/%d", game)
		for path, r := range map[string]*reader{"/play": player, "/play/game": player,
			fmt.Sprintf("/referee/1/games/%d/count", game): e.signedIn("referee"),
			fmt.Sprintf("/desk/1/results/%d", game):        e.signedIn("organizer")} {
			if r.get(t, path).count("a[href="+want+"]") != 1 {
				t.Errorf("%s does not lead to the replay", path)
			}
		}
	})
}

// statesOf returns a game's state before the first event and after each event.
func (e *event) statesOf(t *testing.T, game int64) []engine.State {
	t.Helper()
	exported, err := export.OfGame(t.Context(), e.store, game)
	if err != nil {
		t.Fatal(err)
	}
	states := []engine.State{{}}
	for _, row := range exported.Events {
		event, err := engine.Decode(row.Kind, row.Version, row.Data)
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, engine.Apply(states[len(states)-1], event))
	}
	return states
}

// checkTurn checks the two pages of a turn.
func (e *event) checkTurn(t *testing.T, r *reader, game int64, of int, turn api.ReplayTurnView, after engine.State) {
	t.Helper()
	page := r.get(t, fmt.Sprintf("/events/1/games/%d/turns/%d", game, turn.Turn)).is(http.StatusOK)
	page.says(".where", fmt.Sprintf("Turn %d of %d", turn.Turn, of)).says("h1",
		e.round.Tables[0].Seats[turn.Seat].Player.Name)
	onTable := 0
	if table := find(page.doc, "#table"); len(table) > 0 {
		onTable = len(find(table[0], "span.tile"))
	}
	if want := tile.CountFaces(after.Table.Faces()...).Total(); onTable != want {
		t.Errorf("turn %d: %d tiles on the table, want %d", turn.Turn, onTable, want)
	}
	if rack := len(find(find(page.doc, "ul.rack-then")[0], "span.tile")); rack != len(turn.Rack) {
		t.Errorf("turn %d: %d tiles on the rack, want %d", turn.Turn, rack, len(turn.Rack))
	}
	if turn.Played > 0 && page.count("span.new") != 2*turn.Played {
		t.Errorf("turn %d: %d tiles are marked on rack and table, %d were laid", turn.Turn, page.count("span.new"),
			turn.Played)
	}
	if turn.Possible == 0 {
		return
	}
	best := r.get(t, fmt.Sprintf("/events/1/games/%d/turns/%d/best", game, turn.Turn)).is(http.StatusOK)
	if best.count("span.new") < 2*turn.Possible {
		t.Errorf("turn %d: %d tiles are marked in the best play, %d are possible", turn.Turn, best.count("span.new"),
			turn.Possible)
	}
}

// TestOpeningProofPages checks that the proofs of a game in which no player opened appear wherever the charge is shown.
func TestOpeningProofPages(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	game := e.begin(0)
	e.byDraws(game)
	var count api.CountView
	e.referee.must(http.MethodGet, fmt.Sprintf("/games/%d/count", game), nil, &count)
	if len(count.Openings) != 4 {
		t.Fatalf("%d proofs for four players", len(count.Openings))
	}
	for _, p := range count.Openings {
		if (count.View.Result.Charges[p.Seat].Reason == score.ReasonNoMeldAble) != p.Able ||
			p.Able != (p.Points >= p.Need) {
			t.Errorf("seat %d is charged %+v, the proof is %+v", p.Seat, count.View.Result.Charges[p.Seat], p)
		}
	}
	for path, r := range map[string]*reader{
		fmt.Sprintf("/referee/1/games/%d/count", game): e.signedIn(string(rights.RoleReferee)),
		fmt.Sprintf("/desk/1/results/%d", game):        e.signedIn(string(rights.RoleOrganizer)),
		"/play":                                        e.seated(e.at(0, 2)),
		"/play/game":                                   e.seated(e.at(0, 3)),
		fmt.Sprintf("/events/1/games/%d", game):        e.seated(e.at(0, 3)),
	} {
		page := r.get(t, path).is(http.StatusOK)
		proofs := find(page.doc, ".proof")
		if len(proofs) != 4 {
			t.Errorf("%s shows %d proofs", path, len(proofs))
			continue
		}
		for i, p := range count.Openings {
			text, laid := textOf(proofs[i]), 0
			for _, set := range p.Sets {
				laid += len(set)
			}
			word := "Could not open"
			if p.Able {
				word = "Could have opened"
			}
			if !strings.HasPrefix(text, word) || p.Points > 0 &&
				!strings.Contains(text, fmt.Sprintf("%d points", p.Points)) {
				t.Errorf("%s, seat %d: %s", path, p.Seat, text)
			}
			if sets := find(proofs[i], "ul.proof-sets"); laid > 0 && len(find(sets[0], "span.tile")) != laid {
				t.Errorf("%s, seat %d: the sets have %d tiles, want %d", path, p.Seat, len(find(sets[0], "span.tile")),
					laid)
			}
		}
	}
}
