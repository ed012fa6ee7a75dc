package webtest

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/export"
	"meldhall/tournament/rights"
	"meldhall/web/request"
)

// TestSecrecy plays a game over HTTP with four seats, a referee and a spectator, and checks every body that the server
// sent against the log: no client may receive a face that it cannot see at that time.
func TestSecrecy(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, map[string]any{"turn_seconds": 0, "exhausted": "last_lap"})
	var streams []<-chan message
	for seat := range 4 {
		streams = append(streams, e.at(0, seat).watch("/seat/live"))
	}
	game := e.round.Tables[0].Games[0].ID
	live := fmt.Sprintf("/games/%d/live", game)
	streams = append(streams, e.referee.watch(live), e.public().watch(live), e.at(0, 2).watch(live))
	e.start()
	e.begin(0)
	for _, c := range []*caller{e.public(), e.referee, e.organizer, e.at(0, 0)} {
		c.send(http.MethodGet, fmt.Sprintf("/games/%d/replay", game), nil)
		c.send(http.MethodGet, fmt.Sprintf("/games/%d/turns/1/evidence", game), nil)
		c.send(http.MethodGet, fmt.Sprintf("/games/%d/protocol", game), nil)
	}
	e.playOut(t, game)
	for i, stream := range streams {
		for m := next(t, stream); !strings.Contains(m.data, `"phase":"over"`); m = next(t, stream) {
			if m.event == "over" {
				t.Fatalf("stream %d ended before the game", i)
			}
		}
	}
	readEverything(t, e, game)
	exported, err := export.OfGame(t.Context(), e.store, game)
	if err != nil {
		t.Fatal(err)
	}
	judge := secrecy{states: []engine.State{{}}}
	for _, row := range exported.Events {
		event, err := engine.Decode(row.Kind, row.Version, row.Data)
		if err != nil {
			t.Fatal(err)
		}
		judge.states = append(judge.states, engine.Apply(judge.states[len(judge.states)-1], event))
	}
	e.mu.Lock()
	sent := slices.Clone(e.sent)
	e.mu.Unlock()
	views := 0
	for _, s := range sent {
		leaks, n := judge.leaks(s)
		views += n
		for _, leak := range leaks {
			t.Errorf("to %s by %s: %s\n%.600s", s.who, s.path, leak, s.body)
		}
	}
	if turns := judge.states[len(judge.states)-1].Turn.Number; views < 5*turns {
		t.Errorf("only %d views were looked at in %d turns", views, turns)
	}
	t.Run("a leak would be found", func(t *testing.T) { findEveryLeak(t, judge, sent) })
}

// findEveryLeak addresses every rack to readers who may not see it, and each leak must be found.
func findEveryLeak(t *testing.T, judge secrecy, sent []sentBody) {
	found := 0
	for _, s := range sent {
		if strings.HasPrefix(s.who, "table 1 seat ") && strings.Contains(s.body, `"rack":[`) {
			for _, who := range []string{"public", "referee", "table 1 seat " +
				string('0'+('4'-s.who[len(s.who)-1]+3)%4)} {
				if who == s.who || (isReplay(s) || isProtocol(s)) && who != "public" {
					continue
				}
				s := s
				s.who = who
				leaks, _ := judge.leaks(s)
				switch {
				case len(leaks) > 0:
					found++
				case !judge.holdsAsMuch(s):
					t.Fatalf("%s sent to %s was not found", s.body, who)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no rack was sent at all")
	}
}

var (
	rackText = regexp.MustCompile(`"rack":\[([^\]]*)\]`)
	seqText  = regexp.MustCompile(`"seq":(\d+)`)
)

// holdsAsMuch reports whether the seat that a rack was sent to also has each of its faces. With few tiles left that is
// possible, because a face does not show its owner.
func (s secrecy) holdsAsMuch(sent sentBody) bool {
	rack, seq := rackText.FindStringSubmatch(sent.body), seqText.FindStringSubmatch(sent.body)
	if rack == nil || seq == nil || !strings.HasPrefix(sent.who, "table 1 seat ") {
		return false
	}
	n, err := strconv.Atoi(seq[1])
	if err != nil || n >= len(s.states) {
		return false
	}
	own := tile.FacesOf(s.states[n].Racks[sent.who[len(sent.who)-1]-'0'])
	for text := range strings.SplitSeq(rack[1], ",") {
		if f, err := tile.ParseFace(strings.Trim(text, `"`)); err != nil || !slices.Contains(own, f) {
			return false
		}
	}
	return true
}

// readEverything requests everything readable about a game in every role.
func readEverything(t *testing.T, e *event, game int64) {
	for _, c := range []*caller{e.public(), e.referee, e.organizer, e.at(0, 0)} {
		c.view(game)
		for _, row := range e.routesTable(game, 0) { // it lists every route
			if path, ok := strings.CutPrefix(row.route, "GET "); ok && !strings.Contains(path, "/live") {
				c.send(http.MethodGet, path, nil)
			}
		}
		for n := range 20 {
			c.send(http.MethodGet, fmt.Sprintf("/games/%d/turns/%d", game, n), nil)
			c.send(http.MethodGet, fmt.Sprintf("/games/%d/turns/%d/evidence", game, n), nil)
		}
	}
}

// playOut plays the game to its end: sets from the rack if there are enough points or the seat has opened, a tile added
// to a run or a group, otherwise a draw. Some turns show a draft first.
func (e *event) playOut(t *testing.T, game int64) {
	t.Helper()
	for range 1000 {
		if e.playTurn(t, game) {
			return
		}
	}
	t.Fatal("the game did not end in 1000 turns")
}

// playTurn plays the current turn by simple means; over reports that the game had already ended.
func (e *event) playTurn(t *testing.T, game int64) (over bool) {
	t.Helper()
	view := e.public().view(game)
	if view.Phase == engine.PhaseOver {
		return true
	}
	me := e.at(0, view.Turn.Seat)
	mine := me.view(game)
	table, laid := layable(mine)
	post := func(name string, body any) int {
		status, _, _ := me.send(http.MethodPost, fmt.Sprintf("/games/%d/%s", game, name), body)
		return status
	}
	if laid {
		post("draft", request.DraftRequest{Turn: mine.Turn.Number, Table: table})
		e.at(0, (view.Turn.Seat+1)%4).send(http.MethodPost, fmt.Sprintf("/games/%d/play", game),
			request.PlayRequest{TurnRequest: request.TurnRequest{Turn: mine.Turn.Number, Key: e.key()}, Table: table})
		if post("play", request.PlayRequest{TurnRequest: request.TurnRequest{Turn: mine.Turn.Number, Key: e.key()},
			Table: table}) == http.StatusOK {
			return false
		}
	}
	if mine.Pool == 0 {
		post("pass", request.TurnRequest{Turn: mine.Turn.Number, Key: e.key()})
	} else {
		post("draw", request.TurnRequest{Turn: mine.Turn.Number, Key: e.key()})
	}
	return false
}

// layable returns the table with what the seat can lay on it by simple means; laid reports whether it can lay anything.
func layable(v *engine.View) (table []tile.LaidFaces, laid bool) {
	for _, set := range v.Table {
		table = append(table, tile.LaidFaces{At: set.At, Faces: set.Tiles})
	}
	rack := slices.Clone([]tile.Face(v.Rack))
	for i := 0; i < len(rack); i++ {
		for _, set := range setsWith(rack[i]) {
			if held := tile.CountFaces(set); held.Within(tile.CountFaces(rack)) {
				table, laid = append(table, tile.LaidFaces{At: tile.SomewhereFree, Faces: set}), true
				rack = tile.CountFaces(rack).Minus(held).List()
				i = -1
				break
			}
		}
	}
	if !v.Seats[v.Seat].Opened {
		return table, laid
	}
	for i := range table {
		for _, f := range slices.Clone(rack) {
			if longer := append(slices.Clone([]tile.Face(table[i].Faces)), f); tile.Valid(longer) {
				table[i] = tile.LaidFaces{At: tile.SomewhereFree, Faces: longer}
				rack = tile.CountFaces(rack).Minus(tile.CountFaces([]tile.Face{f})).List()
				laid = true
			}
		}
	}
	return table, laid
}

// setsWith returns the run that begins with a face, and the group of its number without the next colour.
func setsWith(f tile.Face) [][]tile.Face {
	var sets [][]tile.Face
	if f.IsJoker() {
		return nil
	}
	if f.Number() <= 11 {
		sets = append(sets, []tile.Face{f, f + 1, f + 2})
	}
	var group []tile.Face
	for c := range tile.Colour(4) {
		if c != (f.Colour()+1)%4 {
			group = append(group, tile.NewFace(c, f.Number()))
		}
	}
	return append(sets, group)
}

// secrecy holds the state of a game after each event.
type secrecy struct{ states []engine.State }

var marks = regexp.MustCompile(`<[^>]*>`)

var faceText = regexp.MustCompile(`^([KRBO](1[0-3]|[1-9])|J)'?$`)

// leaks returns every face in a body that its reader could not see at its sequence number, and the number of views it
// contained.
func (s secrecy) leaks(sent sentBody) (leaks []string, views int) {
	over := s.states[len(s.states)-1].Phase == engine.PhaseOver // afterwards the whole log is public
	if strings.Contains(sent.path, "openapi") || strings.HasSuffix(sent.path, "/presets") || over &&
		strings.HasSuffix(sent.path, "/export") {
		return nil, 0
	}
	var body any
	switch err := json.Unmarshal([]byte(sent.body), &body); {
	case sent.body == "": // a stream that was only tried
		return nil, 0
	case err != nil && strings.HasSuffix(sent.path, ".zip"):
		body = strings.NewReplacer(",", " ", ":", " ", "\"", " ").Replace(unzipped(sent.body))
	case err != nil && strings.HasSuffix(sent.path,
		".xlsx"): // the cells' content, not their names, which look like tiles
		body = marks.ReplaceAllString(unzipped(sent.body), " ")
	case err != nil && strings.Contains(sent.path, ".csv"):
		body = strings.NewReplacer(",", " ", ";", " ", "\"", " ").Replace(sent.body)
	case err != nil:
		return []string{"no JSON: " + err.Error()}, 0
	}
	w := walk{secrecy: s, viewer: engine.Spectator, seq: -1}
	switch {
	case sent.who == string(rights.RoleReferee), sent.who == string(rights.RoleOrganizer):
		w.viewer = engine.Referee
	case strings.HasPrefix(sent.who, "table 1 seat "):
		w.viewer = int(sent.who[len(sent.who)-1] - '0')
	}
	w.replay = isReplay(sent) && strings.Contains(sent.body, `"status":"finished"`) || isProtocol(sent) &&
		strings.Contains(sent.body, `"end_text"`)
	if started, ok := bodyNumber(body, "started"); ok && sent.status == http.StatusOK &&
		strings.HasSuffix(sent.path, "/evidence") {
		for _, one := range s.states { // turns may begin within one millisecond
			if one.Phase == engine.PhasePlaying && one.Turn.Started == engine.Millis(started) {
				w.evidence = append(w.evidence, one)
			}
		}
	}
	w.at("$", body)
	return w.found, w.views
}

// unzipped returns the files of an archive, without the logs and results of ended games, which the organizer may have.
// It returns other data unchanged.
func unzipped(data string) string {
	z, err := zip.NewReader(strings.NewReader(data), int64(len(data)))
	if err != nil {
		return data
	}
	var all strings.Builder
	for _, f := range z.File {
		var one strings.Builder
		in, err := f.Open()
		if err == nil {
			_, err = io.Copy(&one, in)
		}
		if err != nil {
			return data
		}
		if text := one.String(); f.Name != "results.json" && !strings.Contains(text, `"kind":"game_ended"`) {
			all.WriteString(text)
		}
	}
	return all.String()
}

func bodyNumber(body any, field string) (float64, bool) {
	fields, _ := body.(map[string]any)
	n, ok := fields[field].(float64)
	return n, ok
}

func isProtocol(sent sentBody) bool {
	return sent.status == http.StatusOK && strings.HasSuffix(sent.path, "/protocol")
}

func isReplay(sent sentBody) bool {
	return sent.status == http.StatusOK && (strings.HasSuffix(sent.path, "/replay") ||
		strings.HasSuffix(sent.path, "/count"))
}

type walk struct {
	secrecy
	viewer, seq, views int
	replay             bool           // an ended game's racks are visible to players and officials
	evidence           []engine.State // a turn's evidence, for officials
	found              []string
}

func (w *walk) at(path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		if seq, ok := v["seq"].(float64); ok && v["phase"] != nil {
			w.views++
			outer := w.seq
			w.seq = int(seq)
			defer func() { w.seq = outer }()
		} else if seq, ok := v["seq"].(float64); ok && v["before"] != nil { // a turn: the table before and after it
			outer := w.seq
			w.seq = int(seq)
			defer func() { w.seq = outer }()
		} else if seq, ok := v["seq"].(float64); ok && v["kind"] != nil && v["text"] != nil { // a line of a protocol
			outer := w.seq
			w.seq = int(seq)
			defer func() { w.seq = outer }()
		} else if view, ok := v["view"].(map[string]any); ok { // the draft belongs to the view's sequence number
			outer := w.seq
			w.seq = int(view["seq"].(float64))
			defer func() { w.seq = outer }()
		}
		for name, inner := range v {
			w.at(path+"."+name, inner)
		}
	case []any:
		for _, inner := range v {
			w.at(path+"[]", inner)
		}
	case string:
		for token := range strings.FieldsSeq(v) {
			if faceText.MatchString(token) {
				w.face(path, strings.TrimSuffix(token, "'"))
			}
		}
	}
}

// face checks that a face may appear at a path: only in a known field of the view, and only if the reader sees it
// there.
func (w *walk) face(path, text string) {
	f, err := tile.ParseFace(text)
	if err != nil {
		panic(err)
	}
	var may []tile.Face
	s := engine.State{}
	if w.seq >= 0 {
		s = w.states[w.seq]
	}
	last := w.states[len(w.states)-1]
	switch field := path[max(0, strings.LastIndex(strings.TrimRight(path, "[]"), "."))+1:]; {
	case w.replay && w.viewer != engine.Spectator:
		return
	case w.evidence != nil &&
		w.viewer == engine.Referee: // what the player to move has put on the table for all to see, or submitted
		for _, one := range w.evidence {
			may = append(append(may, slices.Concat(one.Table.Faces()...)...), tile.FacesOf(one.Racks[one.Turn.Seat])...)
		}
	case strings.HasSuffix(path, ".table[].tiles[]") && !strings.Contains(path, "draft"):
		may = slices.Concat(s.Table.Faces()...)
	case strings.HasSuffix(path, ".draft.table[].tiles[]"): // what the player to move has put there for all to see
		may = append(slices.Concat(s.Table.Faces()...), tile.FacesOf(s.Racks[s.Turn.Seat])...)
	case path == "$.before[].tiles[]" && w.seq > 0:
		may = slices.Concat(w.states[w.seq-1].Table.Faces()...)
	case path == "$.after[].tiles[]":
		may = slices.Concat(s.Table.Faces()...)
	case path == "$.laid[]", path == "$.course[].laid[]":
		may = tile.FacesOf(s.Actions.Last().Played)
	case field == "rack[]" && w.viewer >= 0:
		may = tile.FacesOf(s.Racks[w.viewer])
	case field == "drawn[]" && w.viewer >= 0 && s.Actions.Last().Seat == w.viewer:
		may = tile.FacesOf(s.Actions.Last().Drawn)
	case strings.HasSuffix(path, ".last.played[]"):
		may = tile.FacesOf(s.Actions.Last().Played)
	case path == "$.played[]" && w.viewer >= 0: // the verdict on one's own draft
		return
	case strings.HasSuffix(path, ".draws[].tile"):
		if path == "$.draws[].tile" { // in a protocol
			s = w.states[1]
		}
		for _, d := range s.Draws {
			may = append(may, d.Tile)
		}
	case (strings.HasSuffix(path, ".result.order") || strings.HasSuffix(path, ".result.draw_order")) &&
		s.Phase == engine.PhaseOver:
		return
	case strings.HasSuffix(path, ".result.racks[][]") && s.Phase == engine.PhaseOver && w.viewer != engine.Spectator,
		strings.HasSuffix(path, ".lines[].tiles") && last.Phase == engine.PhaseOver && w.viewer == engine.Referee:
		return
	}
	if !slices.Contains(may, f) {
		w.found = append(w.found, fmt.Sprintf("%s at %s, seq %d", text, path, w.seq))
	}
}
