package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"meldhall/data"
	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/web/api"
	"meldhall/web/request"
)

// season is a server with an ended tournament, one of 68 players whose second round is running, and one that has not
// begun. Names are in five scripts, and every second one has 30 letters.
type season struct {
	over, running, coming *event
	ticket                string // the ticket's path of a player in the coming tournament
}

func newSeason(t *testing.T) season {
	t.Helper()
	s := season{over: cup(t)}
	s.running = s.over.beside(t, fields{"name": "Internationale Meisterschaften der Alpenländer 2026",
		"place": "Kongresshaus, Saal Säntis", "format": "open",
		"rules": fields{"preset": "wrc", "turn_seconds": 900, "start_seconds": 900}, "seed": 5})
	s.running.inPlay(t)
	s.coming = s.over.beside(t, fields{"name": "Open d’été", "place": "Lausanne", "format": "open",
		"rules": fields{"preset": "wrc"}})
	at := fmt.Sprintf("/tournaments/%d", s.coming.id)
	begins := engine.Millis(time.Now().AddDate(0, 0, 9).Truncate(24 * time.Hour).Add(8 * time.Hour).UnixMilli())
	s.coming.organizer.must(http.MethodPost, at+"/schedule",
		api.ScheduleBody{Slots: []api.SlotBody{{Round: 1, Starts: begins, Ends: begins + 3_600_000},
			{Name: "Déjeuner au bord du lac", Starts: begins + 3_600_000, Ends: begins + 7_200_000},
			{Round: 2, Starts: begins + 7_200_000, Ends: begins + 10_800_000}}}, nil)
	s.coming.organizer.must(http.MethodPost, at+"/people", request.PeopleBody{Kind: "settings",
		Settings: &tournament.PeopleSettingsOf{RegistrationOpen: true, Capacity: 96, NoShowMinutes: 10}}, nil)
	var made api.TicketAnswer
	s.coming.public().must(http.MethodPost, at+"/registration",
		request.EntryBody{Name: "Maximiliane Schwarzenberger-Uhl"}, &made)
	s.ticket = "/ticket/" + made.Ticket
	return s
}

// beside creates another tournament on the same server, with 68 players.
func (e *event) beside(t *testing.T, of fields) *event {
	t.Helper()
	next := &event{hall: e.hall, organizer: e.organizer, referee: e.referee, players: map[int64]*caller{}}
	var made api.TournamentDetail
	e.organizer.must(http.MethodPost, "/tournaments", of, &made)
	next.id = made.ID
	people, err := data.Demo.ReadFile("demo/roster.csv")
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Count(strings.TrimSpace(string(people)), "\n")
	for _, list := range []string{string(people), boardNames(68 - known)} {
		e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", next.id), list, nil)
	}
	return next
}

// inPlay plays a first round with real tiles, and a second one until one table has sets on it and two are finished.
func (e *event) inPlay(t *testing.T) {
	t.Helper()
	draw := func() {
		e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), fields{"games": 1}, &e.round)
		e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
		e.joinAll()
	}
	scored := func(table int) {
		e.countAs(table, e.round.Tables[table].Games[0].ID, -15-table, 0, -7-2*table, -35-table%5)
		e.confirmed(e.round.Tables[table].Games[0].ID)
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/tiles", e.id),
		tournament.SetTiles{Tiles: tournament.RealTiles}, nil)
	draw()
	e.start()
	for table := range e.round.Tables {
		scored(table)
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/tiles", e.id),
		tournament.SetTiles{Tiles: tournament.DigitalTiles}, nil)
	draw()
	e.realTables(2, 3)
	e.games.Deal = func() engine.Deal { return preparedDeal(t, preparedRacks...) }
	e.start()
	scored(1)
	scored(2)
	game := e.begin(0)
	e.play(0, game, 0, "O10 O11 O12")
	e.play(1, game, 39, "R9 R10 J R12")
	e.play(2, game, 52, "B8 B9 B10 B11 B12")
	e.draw(3, game)
	e.play(0, game, 13, "K4 K5 K6")
}

// addresses returns the public pages by name.
func (s season) addresses(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{"home": "/", "guide": "/guide", "practice": "/practice", "join": "/join",
		"sign-in": "/sign-in", "check": "/check", "nothing": "/nothing", "ticket": s.ticket}
	pages["coming-register"] = fmt.Sprintf("/events/%d/register", s.coming.id) // its other pages are hidden
	for name, e := range map[string]*event{"over": s.over, "running": s.running} {
		at := fmt.Sprintf("/events/%d", e.id)
		for _, page := range []string{"", "/rounds", "/players", "/crosstable", "/statistics", "/tables", "/why",
			"/regulations", "/schedule"} {
			pages[strings.TrimSuffix(name+"-"+strings.TrimPrefix(page, "/"), "-")] = at + page
		}
		table := e.round.Tables[0]
		player := fmt.Sprintf("%s/players/%d", at, table.Seats[0].Player.ID)
		pages[name+"-round"] = fmt.Sprintf("%s/rounds/%d", at, e.round.ID)
		pages[name+"-player"], pages[name+"-together"] = player,
			fmt.Sprintf("%s?with=%d", player, table.Seats[1].Player.ID)
		pages[name+"-table"] = fmt.Sprintf("%s/tables/%d", at, table.ID)
	}
	tablets := s.over.rowsOf(t, "SELECT MIN(id) FROM games WHERE tournament_id = ?1")[0]
	game := fmt.Sprintf("/events/%d/games/%s", s.over.id, tablets)
	pages["over-game"], pages["over-turn"], pages["over-best"] = game, game+"/turns/1", game+"/turns/1/best"
	pages["over-game-real"] = fmt.Sprintf("/events/%d/games/%d", s.over.id, s.over.round.Tables[0].Games[0].ID)
	return pages
}
