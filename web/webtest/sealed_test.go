package webtest

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/engine/tile"
	"meldhall/tournament/draw"
	"meldhall/web/request"
)

// TestADuplicateDealIsHeldBack ends a game at one of two tables with the same tiles. It then searches all that the
// public and the players of both tables receive: no face of the shared deal may appear, except for a player's own rack
// and the player's own table. After the last game is counted everything is shown.
func TestADuplicateDealIsHeldBack(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := newEvent(t, 8, map[string]any{"turn_seconds": 0, "exhausted": "last_lap"})
	e.games.Deal = func() engine.Deal { // racks of runs, so that the first turn can lay
		return engine.Deal{Pool: tile.List(tile.All()), Draws: tile.List(tile.All()), Salt: saltOfTest}
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/duplicate", e.round.ID),
		draw.SetDuplicate{Duplicate: true}, nil)
	e.start()
	game := e.begin(0)
	streams := map[string]<-chan message{"public": e.public().watch(fmt.Sprintf("/games/%d/live", game)),
		"other": e.at(1, 0).watch(fmt.Sprintf("/games/%d/live", game))}
	mover := e.at(0, e.public().view(game).Turn.Seat)
	mine := mover.view(game)
	table, laid := layable(mine)
	if !laid {
		t.Fatal("the first turn lays nothing")
	}
	mover.must(http.MethodPost, fmt.Sprintf("/games/%d/draft", game),
		request.DraftRequest{Turn: mine.Turn.Number, Table: table}, nil)
	e.nothingOf(t, game, "while a draft lies")
	mover.must(http.MethodPost, fmt.Sprintf("/games/%d/play", game),
		request.PlayRequest{TurnRequest: request.TurnRequest{Turn: mine.Turn.Number, Key: e.key()}, Table: table}, nil)
	e.nothingOf(t, game, "while the game runs")
	e.byDraws(game)
	e.nothingOf(t, game, "when the game is over")
	for who, stream := range streams {
		for m := next(t, stream); ; m = next(t, stream) {
			if found := facesIn(m.data); found != "" {
				t.Errorf("the stream to %s: %s", who, found)
			}
			if strings.Contains(m.data, `"phase":"over"`) {
				break
			}
		}
	}
	own := e.at(0, 1)
	if v := own.view(game); !v.Held || v.Result == nil || len(v.Rack) == 0 || len(v.Table) == 0 ||
		v.Result.Salt != "" || v.Result.Order != nil {
		t.Errorf("a player of the table: got %+v with %+v", v, v.Result)
	}
	e.confirmed(game)
	e.nothingOf(t, game, whenConfirmed)
	for _, path := range []string{"/games/%d/replay", "/games/%d/export"} {
		for _, c := range []*caller{own, e.referee, e.organizer} {
			c.refusedWith(t, http.StatusForbidden, "err_replay_duplicate", http.MethodGet, fmt.Sprintf(path, game), nil)
		}
	}
	own.refusedWith(t, http.StatusForbidden, "err_replay_duplicate", http.MethodGet,
		fmt.Sprintf("/games/%d/protocol", game), nil)
	e.referee.must(http.MethodGet, fmt.Sprintf("/games/%d/protocol", game), nil, nil) // as during a running game
	if found := e.racksTold(t, game); len(found) != 0 {
		t.Errorf("while the other table plays the deal, racks or the order are told at %q", found)
	}

	for table := range e.round.Tables {
		for _, g := range e.round.Tables[table].Games {
			if g.ID != game {
				e.drawOut(t, table, g.ID)
			}
		}
	}
	if found := e.racksTold(t, game); len(found) < 12 {
		t.Errorf("after the last game officials read racks only at %q", found)
	}
	if v := e.public().view(game); v.Held || len(v.Table) == 0 || v.Result.Salt != saltOfTest {
		t.Errorf("after the round: got %+v with %+v", v, v.Result)
	}
	for _, path := range e.pathsOf(game) {
		if strings.Contains(path, "/replay") || strings.Contains(path, "/turns/1") ||
			strings.HasSuffix(path, "/export") {
			if status, _, body := e.public().send(http.MethodGet, path, nil); status != http.StatusOK ||
				facesIn(string(body)) == "" {
				t.Errorf("after the round: %s: got %d with %.100s", path, status, body)
			}
		}
	}
}

// TestAGamePlayedAgainHasItsOwnDeal checks that replayed games of two tables get different deals, because the deal of a
// duplicate round may be known by then.
func TestAGamePlayedAgainHasItsOwnDeal(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, map[string]any{"turn_seconds": 0, "exhausted": "last_lap"})
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/duplicate", e.round.ID),
		draw.SetDuplicate{Duplicate: true}, nil)
	e.start()
	planned := len(e.round.Tables[0].Games)
	for table := range e.round.Tables {
		game := e.round.Tables[table].Games[planned-1].ID
		for _, g := range e.round.Tables[table].Games {
			e.drawOut(t, table, g.ID)
		}
		if table == 0 { // before the round is over
			e.organizer.must(http.MethodPost, fmt.Sprintf("/games/%d/replay", game), fields{"rev": 2, "why": "again"},
				nil)
		}
	}
	last := e.round.Tables[1].Games[planned-1].ID
	e.organizer.must(http.MethodPost, fmt.Sprintf("/games/%d/replay", last), fields{"rev": 2, "why": "again"}, nil)
	e.organizer.must(http.MethodGet, fmt.Sprintf("/rounds/%d", e.round.ID), nil, &e.round)
	one, two := e.public().view(e.round.Tables[0].Games[planned].ID),
		e.public().view(e.round.Tables[1].Games[planned].ID)
	if one.Commitment == "" || one.Commitment == two.Commitment || one.Held {
		t.Errorf("both tables play the deal %s again", one.Commitment)
	}
}

// racksTold returns the addresses that reveal the salt of the deal or a rack tile of the game at table 1. It requests
// them as officials and as a player of the table; for the player, only the other players' tiles count.
func (e *event) racksTold(t *testing.T, game int64) (found []string) {
	t.Helper()
	snap, err := e.games.Look(t.Context(), game)
	if err != nil {
		t.Fatal(err)
	}
	at, player := fmt.Sprintf("/events/%d", e.id), e.round.Tables[0].Seats[1].Player.ID
	paths := []string{at, at + "/tables", at + "/statistics", at + "/rounds",
		fmt.Sprintf("%s/rounds/%d", at, e.round.ID), fmt.Sprintf("%s/players/%d", at, player),
		fmt.Sprintf("%s/tables/%d", at, e.round.Tables[0].ID), fmt.Sprintf("%s/games/%d", at, game),
		fmt.Sprintf("%s/games/%d/turns/1", at, game),
		"/play", fmt.Sprintf("/desk/%d/results", e.id), fmt.Sprintf("/desk/%d/results/%d", e.id, game),
		fmt.Sprintf("/desk/%d/results/%d/racks", e.id, game),
		fmt.Sprintf("/referee/%d", e.id), fmt.Sprintf("/referee/%d/tables/%d", e.id, e.round.Tables[0].ID)}
	for _, page := range []string{"count", "protocol", "turns/1", "turns/0", "sheet"} {
		paths = append(paths, fmt.Sprintf("/referee/%d/games/%d/%s", e.id, game, page))
	}
	for _, path := range append(e.pathsOf(game), fmt.Sprintf("/games/%d/turns/0/evidence", game),
		fmt.Sprintf("/players/%d/held", player), fmt.Sprintf("/tournaments/%d/export/archive.zip", e.id)) {
		paths = append(paths, request.APIBase+path)
	}
	onTable := tile.CountFaces(snap.State.Table.Faces()...)
	for _, d := range snap.State.Draws {
		onTable[d.Tile] = 1
	}
	for who, r := range map[string]*reader{"organizer": e.signedIn("organizer"), "referee": e.signedIn("referee"),
		"player": e.seated(e.at(0, 1))} {
		var hidden []string
		for seat, rack := range snap.State.Racks[:snap.State.Seats] {
			for _, f := range tile.FacesOf(rack) {
				if own := who == "player" && slices.Contains(tile.FacesOf(snap.State.Racks[1]), f); onTable[f] == 0 &&
					!own && (who != "player" || seat != 1) {
					hidden = append(hidden, f.String())
				}
			}
		}
		text := strings.Join(hidden, "|")
		told := regexp.MustCompile(`data-face="(` + text + `)'?"|"(` + text + `)'?"|"tiles":"([^"]* )?(` + text +
			`)[ "]|value="([^"]* )?(` + text + `)[ "]|` + saltOfTest)
		for _, path := range paths {
			_, body := r.first(t, path)
			if strings.HasSuffix(path, "/racks") { // its JSON has a key for every face
				body = faceKeys.ReplaceAllString(body, "")
			}
			if told.MatchString(drawn.ReplaceAllString(body, "")) {
				found = append(found, who+" "+path+" "+told.FindString(body))
			}
		}
	}
	return found
}

func (e *event) confirmed(game int64) {
	e.t.Helper()
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), map[string]any{"rev": 1}, nil)
}

// drawOut plays a game without laying tiles and confirms its count.
func (e *event) drawOut(t *testing.T, table int, game int64) {
	t.Helper()
	for seat := range e.round.Tables[table].Seats {
		e.at(table, seat).must(http.MethodPost, fmt.Sprintf("/games/%d/ready", game),
			request.TurnRequest{Turn: e.referee.view(game).Turn.Number, Key: e.key()}, nil)
	}
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/call-time", game),
		map[string]string{"key": e.key(), "reason": "late"}, nil)
	for v := e.referee.view(game); v.Phase != engine.PhaseOver; v = e.referee.view(game) {
		e.at(table, v.Turn.Seat).must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
			request.TurnRequest{Turn: v.Turn.Number, Key: e.key()}, nil)
	}
	e.confirmed(game)
}

// pathsOf returns the API addresses about a game.
func (e *event) pathsOf(game int64) []string {
	var paths []string
	for _, path := range []string{"/games/%d", "/games/%d/replay", "/games/%d/protocol", "/games/%d/export",
		"/games/%d/count", "/games/%d/turns/0", "/games/%d/turns/1"} {
		paths = append(paths, fmt.Sprintf(path, game))
	}
	for _, path := range []string{"", "/floor", "/pace"} {
		paths = append(paths, fmt.Sprintf("/rounds/%d", e.round.ID)+path)
	}
	for _, path := range []string{"standings", "export/seating.json", "export/results.json", "export/standings.json",
		"devices", "log"} {
		paths = append(paths, fmt.Sprintf("/tournaments/%d/%s", e.id, path))
	}
	return paths
}

// nothingOf requests everything about a game as the public and as a player at another table, through the API and pages.
// No response may reveal a face.
func (e *event) nothingOf(t *testing.T, game int64, when string) {
	t.Helper()
	for name, c := range map[string]*caller{"the public": e.public(), "another table": e.at(1, 0)} {
		for _, path := range e.pathsOf(game) {
			if _, _, body := c.send(http.MethodGet, path, nil); facesIn(string(body)) != "" {
				t.Errorf("%s, %s to %s: %s", when, path, name, facesIn(string(body)))
			}
		}
	}
	table := e.round.Tables[0]
	for name, r := range map[string]*reader{"the public": e.reader(), "another table": e.seated(e.at(1, 0))} {
		paths := []string{"", "/tables", fmt.Sprintf("/games/%d", game), fmt.Sprintf("/games/%d/turns/1", game),
			fmt.Sprintf("/games/%d/turns/1/best", game)}
		if when != whenConfirmed { // later they show the next starting draw, which is public
			paths = append(paths, fmt.Sprintf("/tables/%d", table.ID), "/display/1", "/display/1/turns/1")
		}
		for _, path := range paths {
			if found := facesIn(r.bodyOf(t, fmt.Sprintf("/events/%d", e.id)+path)); found != "" {
				t.Errorf("%s, page %s to %s: %s", when, path, name, found)
			}
		}
	}
}

// bodyOf returns a page's HTML.
func (r *reader) bodyOf(t *testing.T, path string) string {
	t.Helper()
	answer, err := r.client.Get(r.http.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

const (
	whenConfirmed = "when the count is confirmed"
)

const saltOfTest = "salt-of-this-test"

var tilesSent = regexp.MustCompile(`data-face="[^"]+"|\[?"[KRBO](1[0-3]|[1-9])'?["\s]|"J'?"|(black|red|blue|orange) \d|salt-of-this-test`)

// facesIn returns the first tile that a body names, or the salt of the deal. Tiles of the starting draw, which are
// public, do not count.
func facesIn(body string) string {
	body = drawn.ReplaceAllString(body, "")
	return tilesSent.FindString(body)
}

var faceKeys = regexp.MustCompile(`data-face="[^"]*"`)

var drawn = regexp.MustCompile(`"draws":\[[^\]]*\]`)
