package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/result"
	"meldhall/tournament/secret"
	"meldhall/web"
	"meldhall/web/api"
	"meldhall/web/request"
)

// screen is a page in one state, as one reader sees it.
type pageState struct {
	name  string
	who   string // referee, organizer, person, "seat TABLE SEAT"; "" is the public
	path  string
	ready string       // a condition for when the page is ready; "" is at once
	act   func(p *tab) // done before the page is checked
}

// screenNames holds realistic names of up to 30 letters in five scripts.
const screenNames = `name,country
Maximiliana Featherstonehaugh-B,Germany
נועה בן־ארי־ליבוביץ׳,Israel
Piotr Wiśniewski-Kowalczyk,Poland
田中 優希,日本
عبد الرحمن بن خالد الحسيني,Jordan
Giulia Bianchi,Italy
Mei-Ling Chen,Taiwan
Eszter Kovács-Szabó,Hungary
Jean-Baptiste Grandmaison de la Tour,France
Sofie de Vries,Netherlands
Ó,Ireland
Thi Ngoc Bich Nguyen,Vietnam
`

// screens is a tournament in which every kind of page has content: at table 1 a game is running, at table 2 the tiles
// are being checked, and at table 3 a game has ended. A second tournament is a draft, and a third has a counted game.
type pageStates struct {
	*event
	games   [3]int64
	second  int64     // the draft tournament
	draft   int64     // its round
	drafted [2]int64  // two of its players at different tables
	third   int64     // the tournament with real tiles
	counted int64     // its counted game
	partly  int64     // its round
	codes   [2]string // of a free table there and of one of its seats
}

func newScreens(t *testing.T, change ...func(*web.Config)) *pageStates {
	t.Helper()
	s := &pageStates{event: newNamedEvent(t, "Campionati europei a squadre", screenNames,
		map[string]any{"turn_seconds": 900, "start_seconds": 900}, change...)}
	s.http.Config.WriteTimeout = time.Minute
	s.event.games.Deal = func() engine.Deal { return preparedDeal(t, preparedRacks...) }
	s.start()
	for i := range s.games {
		s.games[i] = s.round.Tables[i].Games[0].ID
	}
	s.begin(0)
	s.play(0, s.games[0], 0, "O10 O11 O12")
	s.play(1, s.games[0], 39, "R9 R10 J R12")
	s.play(2, s.games[0], 52, "B8 B9 B10 B11 B12")
	s.draw(3, s.games[0])
	s.at(0, 2).must(http.MethodPost, fmt.Sprintf("/games/%d/call", s.games[0]), request.CallRequest{Key: s.key()}, nil)
	table := []tile.LaidFaces{{At: 0, Faces: faces(t, "O10 O11 O12")}, {At: 39, Faces: faces(t, "R9 R10 J R12")},
		{At: 52, Faces: faces(t, "B8 B9 B10 B11 B12")},
		{At: 13, Faces: faces(t, "K4 K5 K6")}, {At: 30, Faces: faces(t, "B1 R1")}}
	s.at(0, 0).must(http.MethodPost, fmt.Sprintf("/games/%d/draft", s.games[0]),
		request.DraftRequest{Turn: s.public().view(s.games[0]).Turn.Number, Table: table}, nil)

	s.at(0, 0).send(http.MethodPost, fmt.Sprintf("/games/%d/play", s.games[0]),
		request.PlayRequest{TurnRequest: request.TurnRequest{Turn: s.public().view(s.games[0]).Turn.Number,
			Key: s.key()}, Table: table})

	s.begin(2)
	s.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/call-time", s.games[2]),
		map[string]any{"reason": "late", "key": s.key()}, nil)
	for seat := range 4 {
		s.at(2, seat).must(http.MethodPost, fmt.Sprintf("/games/%d/draw", s.games[2]),
			request.TurnRequest{Turn: s.public().view(s.games[2]).Turn.Number, Key: s.key()}, nil)
	}
	s.at(2, 3).must(http.MethodPost, fmt.Sprintf("/games/%d/protest", s.games[2]),
		result.MakeProtest{Text: "My last tile lay on the table when time was called."}, nil)
	for _, given := range []api.SanctionBody{
		{Kind: "points", Points: 50,
			PenaltyGrounds: result.PenaltyGrounds{Player: s.round.Tables[2].Seats[0].Player.ID, Rule: "7.6",
				Reason: "Talked to the neighbouring table again and again"}},
		{Kind: "disqualification",
			PenaltyGrounds: result.PenaltyGrounds{Player: s.round.Tables[2].Seats[2].Player.ID,
				Reason: "Left the hall with the tiles"}},
	} {
		s.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/sanctions", s.id), given, nil)
	}
	var made api.TournamentDetail
	s.organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Club night", "format": "quick",
		"rules": map[string]any{"preset": "family"}, "seed": 3}, &made)
	var round api.RoundDetail
	s.second = made.ID
	s.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", s.second), screenNames, nil)
	s.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/promise", s.second), nil, nil)
	s.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", s.second), map[string]any{}, &round)
	s.draft = round.ID
	for part, how := range map[string]fields{"standings": {"how": "frozen"},
		"tables": {"how": "delayed", "minutes": 15}} {
		how["part"] = part
		s.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/publishing", s.second), how, nil)
	}
	s.drafted = [2]int64{round.Tables[0].Seats[1].Player.ID, round.Tables[1].Seats[2].Player.ID}
	s.addCounted()
	return s
}

// practises opens a table against bots and returns the person's token. Each screen needs a new one, because an older
// game may be over: its clock and bots continue meanwhile.
func (s *pageStates) practises() (token string) {
	s.t.Helper()
	var joined api.JoinedView
	s.public().must(http.MethodPost, "/practice", api.PracticeBody{Strength: "novice", Rules: "wrc"}, &joined)
	return joined.Token
}

// all returns the screens. Add a row here for each new kind of page.
func (s *pageStates) all() []pageState {
	return slices.Concat(s.ofEverybody(), s.ofReferees(), s.ofOrganizers(), s.ofResults(), s.ofTheHall())
}

func (s *pageStates) ofEverybody() []pageState {
	e, live := fmt.Sprintf("/events/%d", s.id), isLive
	return []pageState{
		{name: "home", path: "/"},
		{name: "leaderboard", path: e, ready: live},
		{name: "tables", path: e + "/tables", ready: live},
		{name: "past-rounds", path: e + "/rounds"},
		{name: "past-round", path: fmt.Sprintf("%s/rounds/%d", e, s.round.ID)},
		{name: "players", path: e + "/players"},
		{name: "past-player", path: fmt.Sprintf("%s/players/%d?with=%d", e, s.round.Tables[2].Seats[0].Player.ID,
			s.round.Tables[2].Seats[1].Player.ID)},
		{name: "crosstable", path: e + "/crosstable"},
		{name: "statistics", path: e + "/statistics"},
		{name: "regulations", path: e + "/regulations"},
		{name: "regulations-found", path: e + "/regulations?q=joker"},
		{name: "watch", path: fmt.Sprintf("%s/tables/%d", e, s.round.Tables[0].ID), ready: live},
		{name: "display", path: e + "/display/1", ready: `document.querySelectorAll(".tile").length > 8`},
		{name: "check", path: "/check"},
		{name: "sign-in", path: "/sign-in"},
		{name: "join", path: "/join"},
		{name: "code", path: "/join/" + secret.SpellCode(s.round.Tables[0].Code)},
		{name: "seats", path: "/join/" + s.codes[0], ready: `document.querySelectorAll(".take-seat").length > 2`},
		{name: "seat", path: "/join/" + s.codes[1], ready: `document.querySelector(".take-seat.only")`},
		{name: "guide", path: "/guide"},
		{name: "practice", path: "/practice"},
		{name: "nothing", path: "/nothing"},
		{name: "waiting", who: "seat 2 0", path: "/play", ready: live},
		{name: "game", who: "seat 0 0", path: "/play/game", ready: live +
			` && document.querySelectorAll("#table .tag").length > 1`},
		{name: "game-other", who: "seat 0 1", path: "/play/game", ready: live},
		{name: "game-start", who: "seat 1 0", path: "/play/game", ready: live},
		{name: "game-over", who: "seat 2 1", path: "/play/game", ready: live},
		{name: "practice-start", who: "person", path: "/practice/game", ready: live},
	}
}

// settings is the settings sheet over a running game.
func (s *pageStates) settings() pageState {
	return pageState{name: "settings", who: "seat 0 0", path: "/play/game", ready: isLive, act: func(p *tab) {
		p.tap("#settings")
		p.wait(`document.getElementById("settings-sheet").open`)
	}}
}

func (s *pageStates) ofReferees() []pageState {
	referee, live := fmt.Sprintf("/referee/%d", s.id), isLive
	ended := fmt.Sprintf("/events/%d/games/%d", s.id, s.games[2])
	return []pageState{
		{name: "hall", who: "referee", path: referee, ready: live, act: noSound},
		{name: "ruling", who: "referee", path: fmt.Sprintf("%s/tables/%d", referee, s.round.Tables[0].ID), ready: live,
			act: func(p *tab) {
				noSound(p)
				eval[bool](p, `document.querySelectorAll("main details").forEach((d) => d.open = true), true`)
			}},
		{name: "card", who: "referee", path: fmt.Sprintf("%s/games/%d/turns/0", referee, s.games[0])},
		{name: "protocol", who: "referee", path: fmt.Sprintf("%s/games/%d/protocol", referee, s.games[2])},
		{name: "protests", who: "organizer", path: referee + "/protests", ready: live},
		{name: "count", who: "referee", path: fmt.Sprintf("%s/games/%d/count", referee, s.games[2]), ready: live},
		{name: "replay", who: "referee", path: ended},
		{name: "turn", who: "referee", path: ended + "/turns/1"},
		{name: "best", who: "referee", path: ended + "/turns/1/best"},
		{name: "guide-desks", who: "referee", path: "/guide#referee",
			act: func(p *tab) {
				eval[bool](p, `document.querySelectorAll("main details").forEach((d) => d.open = true), true`)
			}},
	}
}

func (s *pageStates) ofOrganizers() []pageState {
	e, desk, live := fmt.Sprintf("/events/%d", s.id), fmt.Sprintf("/desk/%d", s.id), isLive
	return []pageState{
		{name: "events", who: "organizer", path: "/desk"},
		{name: "new-event", who: "organizer", path: "/desk/new"},
		{name: "formats", who: "organizer", path: "/desk/formats"},
		{name: "format", who: "organizer", path: desk + "/format",
			act: func(p *tab) {
				eval[bool](p, `document.querySelectorAll("details").forEach((d) => d.open = true), true`)
			}},
		{name: "rules", who: "organizer", path: desk + "/rules"},
		{name: "why", path: e + "/why"},
		{name: "qualification", who: "organizer", path: desk + "/qualification"},
		{name: "desk", who: "organizer", path: desk, ready: live},
		{name: "roster", who: "organizer", path: desk + "/roster"},
		{name: "people", who: "organizer", path: desk + "/people"},
		{name: "people-do", who: "organizer", path: fmt.Sprintf("%s/people/do?kind=leave&player=%d", desk,
			s.round.Tables[1].Seats[0].Player.ID)},
		{name: "player", who: "organizer", path: fmt.Sprintf("%s/players/%d", desk,
			s.round.Tables[1].Seats[0].Player.ID)},
		{name: "check-in", who: "organizer", path: desk + "/check-in", ready: live},
		{name: "paper", who: "organizer", path: desk + "/paper"},
		{name: "log", who: "organizer", path: desk + "/log"},
		{name: "find", who: "organizer", path: desk + "/find?words=1"},
		{name: "register", path: fmt.Sprintf("/events/%d/register", s.second)},
		{name: "ticket", path: s.ticket()},
	}
}

// ofResults returns the pages about results and rounds.
func (s *pageStates) ofResults() []pageState {
	desk, live := fmt.Sprintf("/desk/%d", s.id), isLive
	return []pageState{
		{name: "results", who: "organizer", path: desk + "/results"},
		{name: "result", who: "organizer", path: fmt.Sprintf("%s/results/%d", desk, s.games[2])},
		{name: "correct", who: "organizer", path: fmt.Sprintf("/desk/%d/results/%d/correct?%s", s.third, s.counted,
			correctionOf(1))},
		{name: "round", who: "organizer", path: fmt.Sprintf("%s/rounds/%d", desk, s.round.ID), ready: live},
		{name: "round-partly", who: "organizer", path: fmt.Sprintf("/desk/%d/rounds/%d", s.third, s.partly),
			ready: live},
		{name: "round-draft", who: "organizer", path: fmt.Sprintf("/desk/%d/rounds/%d", s.second, s.draft),
			ready: live},
		{name: "round-draft-open", who: "organizer", path: fmt.Sprintf("/desk/%d/rounds/%d?swap=%d", s.second, s.draft,
			s.drafted[0]), ready: live,
			act: func(p *tab) {
				eval[bool](p, `document.querySelectorAll("main details").forEach((d) => d.open = true), true`)
			}},
		{name: "swap", who: "organizer", path: fmt.Sprintf("/desk/%d/rounds/%d/swap?a=%d&b=%d", s.second, s.draft,
			s.drafted[0], s.drafted[1])},
	}
}

// ofTheHall returns the pages about officials, the hall and the day.
func (s *pageStates) ofTheHall() []pageState {
	referee, desk, live := fmt.Sprintf("/referee/%d", s.id), fmt.Sprintf("/desk/%d", s.id), isLive
	return []pageState{
		{name: "accounts", who: "organizer", path: "/accounts"},
		{name: "penalties", who: "organizer", path: referee + "/penalties", ready: live,
			act: func(p *tab) {
				eval[bool](p, `document.querySelectorAll("details").forEach((d) => d.open = true), true`)
			}},
		{name: "account", who: "organizer", path: "/accounts/2",
			act: func(p *tab) {
				eval[bool](p, `document.querySelectorAll("details").forEach((d) => d.open = true), true`)
			}},
		{name: "own-account", who: "organizer", path: "/account"},
		{name: "invited", path: s.invitation()},
		{name: "badge", who: "seat 0 0", path: "/play/referee"},
		{name: "zones", who: "organizer", path: referee + "/zones"},
		{name: "training", who: "referee", path: referee + "/training"},
		{name: "announcements", who: "organizer", path: referee + "/announcements"},
		{name: "ready", who: "organizer", path: referee + "/ready", ready: live},
		{name: "pace", who: "organizer", path: referee + "/pace", ready: live},
		{name: "devices", who: "organizer", path: referee + "/devices", ready: live},
		{name: "tablet-swap", who: "referee", path: fmt.Sprintf("%s/devices/%d/4", referee, s.round.Tables[1].ID),
			ready: live},
		{name: "plan", who: "organizer", path: desk + "/plan"},
		{name: "stage-rounds", who: "organizer", path: fmt.Sprintf("/desk/%d/stages/0/rounds?rounds=6", s.second)},
		{name: "reopen", who: "organizer", path: desk + "/reopen"},
		{name: "rehearsal", who: "organizer", path: desk + "/rehearsal"},
		{name: "publishing", who: "organizer", path: fmt.Sprintf("/desk/%d/publishing", s.second),
			act: func(p *tab) {
				eval[bool](p, `document.querySelectorAll("details").forEach((d) => d.open = true), true`)
			}},
		{name: "privacy", who: "organizer", path: desk + "/privacy?player=1"},
		{name: "publishing-set", who: "organizer", path: desk + "/publishing/set?part=standings&how=frozen"},
		{name: "standings-held", who: "organizer", path: fmt.Sprintf("/events/%d", s.second), ready: live},
		{name: "schedule", who: "organizer", path: fmt.Sprintf("/events/%d/schedule", s.second), ready: live},
	}
}

// addCounted adds a third tournament with real tiles. One of its tables was started separately and has a counted game,
// which can be corrected because there is no protest.
func (s *pageStates) addCounted() {
	var made api.TournamentDetail
	var round api.RoundDetail
	s.organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Real tiles", "format": "open",
		"rules": map[string]any{"preset": "wrc"}, "seed": 3}, &made)
	s.third = made.ID
	names := strings.Join(strings.Split(screenNames, "\n")[:9], "\n")
	s.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", s.third), names, nil)
	s.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/tiles", s.third),
		tournament.SetTiles{Tiles: tournament.RealTiles}, nil)
	s.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", s.third), map[string]any{}, &round)
	s.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", round.ID), nil, &round)
	s.organizer.must(http.MethodPost, fmt.Sprintf("/tables/%d/start", round.Tables[0].ID), nil, &round)
	s.partly = round.ID
	s.codes = [2]string{secret.SpellCode(round.Tables[1].Code), secret.SpellCode(round.Tables[1].Seats[0].Code)}
	s.counted = round.Tables[0].Games[0].ID
	s.referee.post(s.counted, "starter", map[string]any{"seat": 0})
	s.referee.post(s.counted, "ready", map[string]any{"turn": 0})
	s.referee.post(s.counted, "end-turn", map[string]any{"turn": 1, "seat": 0, "opened": true, "out": true})
	racks := []map[string]any{{"tiles": []string{}, "opened": true}, {"tiles": []string{"R13", "R7"}, "opened": true},
		{"tiles": []string{"K13"}, "opened": true}, {"tiles": []string{"O4"}, "opened": true}}
	s.referee.post(s.counted, "count-racks", map[string]any{"racks": racks})
}

// correctionOf returns the query of a correction for a game of four; winner is the winning seat.
func correctionOf(winner int) string {
	fields := url.Values{"rev": {"1"}, "why": {"Two racks were written down the wrong way round"}}
	for seat := range 4 {
		points, wins := "-40", "0"
		if seat == winner {
			points, wins = "120", "1"
		}
		fields.Set(fmt.Sprintf("points-%d", seat), points)
		fields.Set(fmt.Sprintf("wins-%d", seat), wins)
		fields.Set(fmt.Sprintf("charge-%d", seat), "40")
	}
	return fields.Encode()
}

// noSound dismisses the request for sound at the foot of an official's page.
func noSound(p *tab) {
	p.t.Helper()
	eval[bool](p, `document.getElementById("sound-off").click(), true`)
	p.wait(`!document.getElementById("sound-bar").checkVisibility()`)
}

// ticket enters a player in the second tournament and returns the ticket's path.
func (s *pageStates) ticket() string {
	s.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/people", s.second),
		request.PeopleBody{Kind: "settings",
			Settings: &tournament.PeopleSettingsOf{RegistrationOpen: true, Capacity: 12, CheckInOpen: true,
				NoShowMinutes: 10}}, nil)
	var made api.TicketAnswer
	s.public().must(http.MethodPost, fmt.Sprintf("/tournaments/%d/registration", s.second),
		request.EntryBody{Name: fmt.Sprintf("Late One %s", s.key())}, &made)
	return string(templates.TicketPath(made.Ticket))
}

// invitation creates an invitation and returns its path.
func (s *pageStates) invitation() string {
	var made api.InviteAnswer
	s.organizer.must(http.MethodPost, "/accounts/2/invite", nil, &made)
	return made.Address[strings.Index(made.Address, "/invite/"):]
}

// become gives a tab the cookies of a reader.
func (s *pageStates) become(p *tab, who, language string) {
	p.t.Helper()
	s.becomeAt(p, s.http.URL, who, language)
}

// becomeAt is become for another address of the server.
func (s *pageStates) becomeAt(p *tab, address, who, language string) {
	p.t.Helper()
	seat, staff, person := "", "", ""
	switch who {
	case "referee":
		staff = s.referee.token
	case "organizer":
		staff = s.organizer.token
	case "person":
		person = s.practises()
	case "":
	default:
		var table, at int
		if _, err := fmt.Sscanf(who, "seat %d %d", &table, &at); err != nil {
			p.t.Fatal(err)
		}
		seat = s.at(table, at).token
	}
	for name, value := range map[string]string{"meldhall-seat": seat, "meldhall-staff": staff,
		"meldhall-practice": person, request.LanguageCookie: language} {
		p.cookie(address, name, value)
	}
}

// show opens a screen in a language and waits until it is ready.
func (s *pageStates) show(p *tab, v pageState, language string) {
	p.t.Helper()
	if strings.Contains(v.path, "#") || v.who == "person" {
		// otherwise the browser would only scroll within the open page, or that page might end the practice
		p.open("about:blank")
	}
	s.become(p, v.who, language)
	p.open(s.http.URL + v.path)
	u, err := url.Parse(v.path)
	if err != nil {
		p.t.Fatal(err)
	}
	if got := eval[string](p, `location.pathname + " " + document.documentElement.lang`); got != u.Path+" "+language {
		p.t.Fatalf("got %s, want %s in %s", got, u.Path, language)
	}
	if v.ready != "" {
		p.wait(v.ready)
	}
	if v.act != nil {
		v.act(p)
	}
}

// pseudo returns a language for tests: English with every text 40 % longer.
func pseudo(t *testing.T, english map[string]any) map[string]any {
	t.Helper()
	longer := map[string]any{}
	for key, value := range english {
		switch text := value.(type) {
		case string:
			longer[key] = stretched(text)
		case map[string]any:
			forms := map[string]any{}
			for form, one := range text {
				forms[form] = stretched(one.(string))
			}
			longer[key] = forms
		}
	}
	longer["language.name"], longer["language.dir"] = "Pseudo", "ltr"
	return longer
}

// stretched makes a text 40 % longer within its words, as other languages do, and keeps placeholders.
func stretched(text string) string {
	var out strings.Builder
	owed, inside := 0, 0
	var last rune
	grow := func() {
		if last != 0 {
			out.WriteString(strings.Repeat(string(last), owed/5))
			owed %= 5
		}
	}
	for _, r := range text {
		switch {
		case r == '{':
			inside++
		case r == '}':
			inside--
		case inside == 0 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'):
			out.WriteRune(r)
			owed, last = owed+2, r|0x20
			grow()
			continue
		case inside == 0:
			owed += 2
		}
		out.WriteRune(r)
	}
	grow()
	return out.String()
}
