package webtest

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/pdf/pdftest"
	"meldhall/tournament"
	"meldhall/tournament/rights"
	"meldhall/web/request"
)

// signIn stands for a redirect to the sign-in page.
const signIn = -1

// pageRow lists the status of a page for each reader: the public, the player whose turn it is, a player of another
// table, a referee and an organizer.
type pageRow [5]int

// pageRows returns the rows of all pages by pattern: public ones, those for all officials of the tournament, for
// organizers, and others.
func pageRows() map[string]pageRow {
	rows := map[string]pageRow{
		"/desk/:event/people/undo/:change":            {signIn, 403, 403, 403, 409}, // the round has begun
		"/desk/:event/results/:game/racks":            {signIn, 403, 403, 404, 404}, // the game is running
		"/desk/:event/results/:game/correct":          {signIn, 403, 403, 422, 422}, // the query has no numbers
		"/desk/:event/rounds/:round/swap":             {signIn, 403, 403, 403, 409}, // the round has begun
		"/desk/:event/rounds/:round/move":             {signIn, 403, 403, 403, 409},
		"/desk/:event/rounds/:round/withdraw":         {signIn, 403, 403, 403, 409},
		"/desk/:event/tiles":                          {signIn, 403, 403, 403, 422}, // without a kind of tiles
		"/desk/:event/rounds/:round/tiles":            {signIn, 403, 403, 404, 404}, // without a table
		"/desk/:event/reopen":                         {signIn, 403, 403, 403, 409}, // the tournament is not over
		"/desk/formats/:format":                       {signIn, 403, 403, 403, 404}, // it does not exist
		"/displays/:code":                             {signIn, 403, 403, 404, 404}, // no screen shows this code
		"/events/:event/games/:game":                  {409, 409, 409, 409, 409},    // the game is running
		"/events/:event/games/:game/turns/:turn":      {409, 409, 409, 409, 409},
		"/events/:event/games/:game/turns/:turn/best": {409, 409, 409, 409, 409},
		"/referee/:event/displays/:number":            {signIn, 403, 403, 404, 404}, // the screen does not exist
		"/invite/:token":                              {410, 410, 410, 410, 410},    // used or never issued
		// full: seat holders are redirected, officials go to the sheet
		"/join/:code": {409, 200, 409, 200, 200},
		// without a seat it redirects to the code page
		"/play":                                    {200, 200, 200, 403, 403},
		"/play/game":                               {200, 200, 200, 403, 403},
		"/play/live":                               {signIn, 200, 200, 403, 403},
		"/play/next":                               {signIn, 200, 200, 403, 403},
		"/play/referee":                            {200, 200, 200, 403, 403},
		"/play/referee/sheet":                      {200, 200, 200, 403, 403},
		"/play/waiting":                            {signIn, 200, 200, 403, 403},
		"/practice/game":                           {200, 200, 200, 403, 403},
		"/practice/game/:id/hint":                  {signIn, signIn, signIn, 403, 403}, // for practice tables
		"/practice/live":                           {signIn, signIn, signIn, 403, 403},
		"/referee/:event/games/:game/count":        {signIn, 403, 403, 409, 409}, // the game is running
		"/referee/:event/games/:game/count/live":   {signIn, 403, 403, 409, 409},
		"/referee/:event/games/:game/count/replay": {signIn, 403, 403, 404, 404},
		"/referee/:event/tables/:table/proposals/:seat": {signIn, 403, 403, 409, 409}, // there is no proposal
		"/referee/:event/tables/:table/clock":           {signIn, 403, 403, 409, 409}, // the table plays on tablets
		"/referee/:event/tables/:table/clock/live":      {signIn, 403, 403, 409, 409},
		// for players too once the game is over
		"/referee/:event/games/:game/protocol": {signIn, 409, 409, 200, 200},
		"/referee/:event/games/:game/paper":    {signIn, 409, 409, 200, 200}, // like its page
		// for players too at a table with real tiles
		"/referee/:event/games/:game/sheet": {signIn, 404, 403, 404, 404},
	}
	for _, class := range []struct {
		row   pageRow
		pages []string
	}{
		{pageRow{200, 200, 200, 200, 200}, []string{
			"/", "/check", "/check/live", "/display", "/display/live", "/board", "/board/live",
			"/events/:event/boards/:boards", "/events/:event/boards/:boards/live", "/overlay/:event/:overlay",
			"/overlay/:event/:overlay/live", "/events/:event/commentary", "/events/:event/commentary/live",
			"/events/:event", "/events/:event/display/:number",
			"/events/:event/display/:number/live", "/events/:event/display/:number/turns/:turn", "/events/:event/live",
			"/events/:event/register",
			"/events/:event/proof", "/events/:event/proof/live",
			"/events/:event/regulations", "/events/:event/schedule", "/events/:event/schedule/live",
			"/events/:event/tables", "/events/:event/tables/:table",
			"/events/:event/tables/:table/live", "/events/:event/tables/live", "/events/:event/why",
			"/events/:event/rounds", "/events/:event/rounds/:round",
			"/events/:event/players", "/events/:event/players/:player", "/events/:event/crosstable",
			"/events/:event/statistics", "/api", "/guide", "/healthz", "/join", "/practice", "/verify",
			"/readyz",
			"/setup", "/sign-in", "/ticket/:ticket", "/robots.txt", "/events/:event/calendar.ics",
			"/events/:event/results.atom",
			"/card.png", "/events/:event/card.png", "/events/:event/players/:player/card.png",
			"/events/:event/tables/:table/card.png", "/events/:event/games/:game/card.png",
			"/embed/events/:event", "/embed/events/:event/live", "/embed/events/:event/tables",
			"/embed/events/:event/tables/live",
			"/embed/events/:event/tables/:table", "/embed/events/:event/tables/:table/live",
			"/events/:event/paper/by-name", "/events/:event/paper/by-table", "/events/:event/paper/standings",
			"/events/:event/paper/crosstable", "/events/:event/paper/podium",
		}},
		// the server has no own authority
		{pageRow{404, 404, 404, 404, 404}, []string{"/certificate", "/certificate/authority.crt",
			"/o/:slug",                     // there are no organizations
			"/colours.css", "/flags/:name", // the address names neither a colour nor a country
			"/events/:event/logo.png", "/events/:event/photos/:photo", // the event has none
			"/events/:event/log/key", "/events/:event/log/policy",
			"/events/:event/log/tile/*tile"}},
		{pageRow{204, 204, 204, 204, 204}, []string{"/events/:event/log/checkpoint"}}, // there is none yet
		{pageRow{422, 422, 422, 422, 422}, []string{ // no numbers
			"/events/:event/log/consistency", "/events/:event/log/inclusion"}},
		{pageRow{signIn, 403, 403, 403, 404}, []string{"/organizations/:organization"}},
		{pageRow{signIn, 403, 403, 200, 200}, []string{
			"/account", "/account/second", "/desk/:event/find", "/desk/:event/check-in", "/desk/:event/check-in/live",
			"/desk/:event/log", "/desk/:event/results", "/desk/:event/results/:game",
			"/desk/:event/rounds/:round", "/desk/:event/rounds/:round/live", "/referee/:event",
			"/desk/:event/paper", "/desk/:event/paper/announcer", "/desk/:event/paper/blank",
			"/desk/:event/paper/cards", "/desk/:event/paper/check-in", "/desk/:event/paper/pack",
			"/desk/:event/paper/pairing", "/desk/:event/paper/scores", "/referee/:event/announcements",
			"/referee/:event/devices", "/referee/:event/devices/:table/:seat",
			"/referee/:event/devices/:table/:seat/live",
			"/referee/:event/devices/live", "/referee/:event/displays", "/referee/:event/games/:game/turns/:turn",
			"/referee/:event/live",
			"/referee/:event/pace", "/referee/:event/pace/live", "/referee/:event/penalties",
			"/referee/:event/penalties/live", "/referee/:event/protests",
			"/referee/:event/protests/live", "/referee/:event/ready", "/referee/:event/real",
			"/referee/:event/ready/live", "/referee/:event/rounds/:round/call-time",
			"/referee/:event/rounds/:round/pause", "/referee/:event/rounds/:round/resume",
			"/referee/:event/rounds/:round/time",
			"/referee/:event/tables/:table", "/referee/:event/tables/:table/live",
			"/referee/:event/tables/:table/rule/:action", "/referee/:event/training", "/referee/:event/zones",
		}},
		{pageRow{signIn, 403, 403, 403, 200}, []string{
			"/accounts", "/accounts/:account", "/accounts/security", "/organizations", "/desk", "/desk/:event",
			"/desk/:event/format", "/desk/:event/live", "/desk/:event/people",
			"/desk/:event/champion", "/desk/:event/people/do", "/desk/:event/plan", "/desk/:event/privacy",
			"/desk/:event/publishing", "/desk/:event/publishing/set", "/desk/:event/players/:player",
			"/desk/:event/qualification", "/desk/:event/rehearsal",
			"/desk/:event/roster", "/desk/:event/rules", "/desk/:event/stages/:stage/rounds",
			"/desk/:event/paper/tickets", "/desk/copies", "/desk/copies/live", "/desk/formats", "/desk/formats/new",
			"/desk/new", "/desk/:event/details", "/desk/:event/again",
		}},
	} {
		for _, page := range class.pages {
			rows[page] = class.row
		}
	}
	return rows
}

// queries holds the queries that pages need to show anything.
var queries = map[string]string{
	"/referee/:event/rounds/:round/time":            "?seconds=30",
	"/referee/:event/tables/:table/rule/:action":    "?game=:game",
	"/referee/:event/tables/:table/proposals/:seat": "?game=:game",
	"/desk/:event/stages/:stage/rounds":             "?rounds=2",
	"/desk/:event/publishing/set":                   "?part=all&how=public",
	"/desk/:event/people/do":                        "?kind=no_show&player=:player",
	"/events/:event/players/:player":                "?with=:other",
}

// examples lists pages with sample tiles that belong to no game.
var examples = map[string]string{
	"/guide":                     "the steps of a turn, always the same tiles",
	"/events/:event/regulations": "articles with examples",
	"/verify":                    "the names of all tiles, in a script",
	"/api":                       "descriptions with examples",
	"/practice":                  "the tiles of the lesson's offer",
	"/practice/game":             "the same, where no game is being practised",
}

// TestEveryPageByRole requests every page as five readers while two games are running. Each gets the status in its row,
// and no page shows a tile that its reader cannot see. A new page without a row fails.
func TestEveryPageByRole(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := newEvent(t, 8, map[string]any{"turn_seconds": 0})
	e.start()
	game := e.begin(0)
	e.begin(1)
	turn := e.public().view(game).Turn
	e.at(0, turn.Seat).must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
		request.TurnRequest{Turn: turn.Number, Key: e.key()}, nil)
	turn = e.public().view(game).Turn
	e.relate(t)
	readers := []*reader{e.reader(), e.readerAt(0, turn.Seat), e.readerAt(1, 0), e.signedIn("referee"),
		e.signedIn("organizer")}
	judge := e.pageJudge(t, turn.Seat)
	fill := e.addresses(t, game)
	rows, asked, families := pageRows(), map[string]bool{}, 0
	for _, route := range e.server.Routes() {
		pattern := route.Path
		if route.Method != http.MethodGet || strings.HasPrefix(pattern, request.APIBase) ||
			strings.HasPrefix(pattern, "/assets/") {
			continue
		}
		path := fill.Replace(pattern + queries[pattern])
		if strings.Contains(path, ":") {
			t.Errorf("%s: no value for a part of its address", pattern)
			continue
		}
		var got pageRow
		for i, r := range readers {
			var body string
			if got[i], body = r.first(t, path); examples[pattern] == "" {
				if told := strings.Contains(body, familyName); told && i < 4 {
					t.Errorf("%s tells the %s a family", path, callerNames[i])
				} else if told {
					families++
				}
				for _, leak := range judge.leaks(i, body) {
					t.Errorf("%s shows %s to the %s", path, leak, callerNames[i])
				}
			}
		}
		want, ok := rows[pattern]
		if asked[pattern] = true; !ok {
			t.Errorf("no row: %q: {%s},", pattern, strings.Trim(strings.ReplaceAll(fmt.Sprint(got), " ", ", "), "[]"))
		} else if got != want {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
	for pattern := range rows {
		if !asked[pattern] {
			t.Errorf("%s has a row and is no page", pattern)
		}
	}
	if judge.shown < 100 {
		t.Errorf("only %d tiles were looked at", judge.shown)
	}
	if families < 2 { // on the roster and a player's page
		t.Errorf("families were on %d pages of the organizer", families)
	}
	t.Run("a leak would be found", func(t *testing.T) {
		for i := range readers {
			if len(judge.leaks(i, fmt.Sprintf(`<i data-face="%s"></i>`, judge.hidden[i]))) == 0 {
				t.Errorf("%s shown to the %s was not found", judge.hidden[i], callerNames[i])
			}
		}
	})
}

// addresses returns a replacer that fills the parameters of addresses with existing objects.
func (e *event) addresses(t *testing.T, game int64) *strings.Replacer {
	t.Helper()
	players, err := tournament.PlayersFull(t.Context(), e.store, rights.Staff(rights.RoleOrganizer, "organizer"), e.id)
	if err != nil {
		t.Fatal(err)
	}
	player := players[0]
	return strings.NewReplacer(":event", fmt.Sprint(e.id), ":round", fmt.Sprint(e.round.ID), ":table",
		fmt.Sprint(e.round.Tables[0].ID), ":game", fmt.Sprint(game),
		":turn", "1", ":player", fmt.Sprint(player.ID), ":other", fmt.Sprint(players[1].ID), ":number", "1", ":boards",
		"names,tables,standings,clock,called,results,code,news,champion", ":overlay", "table", ":account", "1",
		":seat", "1", ":action", "pause",
		":format", "1", ":change", "1", ":token", "wrong", ":ticket", *player.Ticket, ":code", e.round.Tables[0].Code,
		":id", fmt.Sprint(game), ":stage", "0", ":organization", "1", ":slug", "none", ":photo", "1", ":name", "none")
}

// first requests a page, or the first message of a stream, and returns the status and the body. The status is signIn
// after a redirect to the sign-in page.
func (r *reader) first(t *testing.T, path string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.http.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	status := res.StatusCode
	if strings.HasPrefix(res.Request.URL.Path, "/sign-in") && !strings.HasPrefix(path, "/sign-in") {
		status = signIn
	}
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		if res.Header.Get("Content-Type") == "application/pdf" {
			return status, pdftest.TextOr(body, "")
		}
		if res.Header.Get("Content-Type") == "image/png" {
			return status, said(t, string(body))
		}
		return status, unzipped(string(body))
	}
	quiet := time.AfterFunc(300*time.Millisecond, cancel) // some streams are silent at first
	defer quiet.Stop()
	var body []byte
	for chunk := make([]byte, 64<<10); ; {
		n, err := res.Body.Read(chunk)
		body = append(body, chunk[:n]...)
		if err != nil || bytes.Contains(body, []byte("data: ")) && bytes.HasSuffix(body, []byte("\n\n")) {
			return status, string(body)
		}
	}
}

// pageJudge holds which tiles each reader may see.
type pageJudge struct {
	may    [5][]tile.Face
	hidden [5]tile.Face // a tile that the reader must not see
	shown  int
}

var quotedFace = regexp.MustCompile(`(?:&#34;|")((?:[KRBO](?:1[0-3]|[1-9])|J)'?)(?:&#34;|")`)

func (e *event) pageJudge(t *testing.T, seat int) *pageJudge {
	t.Helper()
	j := &pageJudge{}
	var last [2]engine.State
	var open []tile.Face
	for i := range last {
		states := e.statesOf(t, e.round.Tables[i].Games[0].ID)
		last[i] = states[len(states)-1]
		open = append(open, slices.Concat(last[i].Table.Faces()...)...)
		for _, d := range states[1].Draws {
			open = append(open, d.Tile)
		}
	}
	for i := range j.may {
		j.may[i] = open
	}
	j.may[1] = slices.Concat(open, tile.FacesOf(last[0].Racks[seat]))
	j.may[2] = slices.Concat(open, tile.FacesOf(last[1].Racks[0]))
	for i := range j.may {
		for _, f := range slices.Concat(tile.FacesOf(last[0].Racks[(seat+1)%4]),
			tile.FacesOf(last[0].Racks[(seat+2)%4])) {
			if !slices.Contains(j.may[i], f) {
				j.hidden[i] = f
			}
		}
	}
	return j
}

func (j *pageJudge) leaks(reader int, body string) (found []string) {
	for _, key := range []string{"command.help", "command.which_tiles"} { // tiles that are only examples
		body = strings.ReplaceAll(body, html.EscapeString(locale.T(context.Background(), key)), "")
	}
	var texts []string
	for _, m := range faceAttr.FindAllStringSubmatch(body, -1) {
		texts = append(texts, strings.Fields(m[2])...)
	}
	for _, m := range quotedFace.FindAllStringSubmatch(body, -1) {
		texts = append(texts, m[1])
	}
	for _, text := range texts {
		if !faceText.MatchString(text) {
			continue
		}
		j.shown++
		f, err := tile.ParseFace(strings.TrimSuffix(text, "'"))
		if err != nil || !slices.Contains(j.may[reader], f) {
			found = append(found, text)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(found)))
}
