package pagetest

import (
	"context"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/templates/accounts"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/templates/public"
	"meldhall/templates/referee"
	"meldhall/templates/tablet"
)

// The samples are all pages with realistic content: long names, other scripts, ties, problems. Tests check them, and
// -screens writes them to files for viewing.

const sampleNow = engine.Millis(1_795_240_000_000)

func faces(text string) tile.FaceList {
	list, err := tile.ParseFaces(text)
	if err != nil {
		panic(err)
	}
	return list
}

func laid(text string) []tile.LaidView {
	var table []tile.LaidView
	for part := range strings.SplitSeq(text, ";") {
		lane, rest, _ := strings.Cut(strings.TrimSpace(part), ":")
		at := 0
		for _, c := range lane {
			at = at*10 + int(c-'0')
		}
		var set tile.LaidView
		set.At = at
		for i, f := range strings.Fields(rest) {
			if strings.HasSuffix(f, "*") {
				set.New = append(set.New, i)
			}
			set.Tiles = append(set.Tiles, faces(strings.TrimSuffix(f, "*"))...)
		}
		table = append(table, set)
	}
	return table
}

const sampleTable = "0:R4 R5 R6 R7;5:K1 B1 O1;13:B8 B9 B10 B11 B12;19:K11 R11 O11;26:O2 O3 O4 O5;31:K13 R13 B13 O13;39:K5* O5 B5;43:K6 K7* K8* K9;" +
	"52:R1 R2 R3;56:B2 B3 B4;60:O10 J O12;65:K10 R10 B10;69:R8 R9 R10;78:O6 O7 O8 O9 O10 O11;91:B5 B6 B7;95:K2 R2 O2;104:K3 K4 K5;130:R12 B12 O12"

var sampleSeats = []play.Person{{Name: "Mei-Ling Chen", Country: "Taiwan"},
	{Name: "Piotr Wiśniewski-Kowalczyk", Country: "Poland"},
	{Name: "נועה לוי", Country: "Israel"}, {Name: "Giulia Bianchi", Country: "Italy"}}

var samplePlace = play.GamePlace{Event: "World Championship", Stage: "Preliminaries", Round: 2, Table: 7, Number: 3,
	Of: 4}

func samplePlaying() play.Game {
	return play.Game{ID: 41, Place: samplePlace, Seats: sampleSeats, View: engine.View{
		Seq: 57, Now: sampleNow, Phase: engine.PhasePlaying, Seat: 3,
		Seats: []engine.SeatView{{Tiles: 9, Opened: true}, {Tiles: 21}, {Tiles: 5, Opened: true},
			{Tiles: 11, Opened: true}},
		Turn:      engine.Turn{Number: 31, Seat: 3, Started: sampleNow - 23_000, Due: sampleNow + 37_000},
		TurnLimit: 60, MeldPoints: 30, Pool: 31, Table: laid(sampleTable),
		Last: &engine.LastView{Kind: "tiles_played", Seat: 2, Played: faces("K5 K7 K8")},
		Rack: faces("K2 K6 R1 R3 R9 B1 B4 B13 O1 O8 J"),
	}, Meanwhile: engine.Meanwhile{Drawn: faces("R9")}}
}

func sampleOther() play.Game {
	g := samplePlaying()
	g.View.Turn.Seat = 0
	g.View.Rack = faces("K1 K2 K3 K6 K9 K10 K13 R1 R3 R3 R4 R9 R11 R12 B1 B1 B4 B6 B7 B9 B13 B13 O1 O3 O4 O6 O8 O9 O9 O12 O13 O13 J J")
	return g
}

func sampleDealt() play.Game {
	g := samplePlaying()
	g.View.Phase, g.View.Table, g.View.Last, g.Meanwhile.Drawn = engine.PhaseDealt, nil, nil, nil
	g.View.Turn = engine.Turn{Number: 0, Seat: 1, Started: sampleNow - 6_000, Due: sampleNow + 14_000}
	g.View.Seats = []engine.SeatView{{Tiles: 14, Ready: true}, {Tiles: 14}, {Tiles: 14, Ready: true}, {Tiles: 14}}
	g.View.Pool, g.View.Deal, g.View.Starter, g.View.MayRedeal = 50, 1, 1, true
	g.View.Draws = []engine.Drawn{{Round: 1, Seat: 0, Tile: faces("K9")[0]}, {Round: 1, Seat: 1, Tile: faces("R12")[0]},
		{Round: 1, Seat: 2, Tile: faces("B12")[0]}, {Round: 1, Seat: 3, Tile: faces("O3")[0]},
		{Round: 2, Seat: 1, Tile: faces("O11")[0]}, {Round: 2, Seat: 2, Tile: faces("K2")[0]}}
	g.View.Commitment = "9f2c61d0a4b7e8835512cd0f9f2c61d0a4b7e8835512cd0f9f2c61d0a4b7e883"
	g.View.Rack = faces("K2 K2 K6 R1 R1 R3 R9 B1 B4 B4 B13 O1 O8 J")
	return g
}

func sampleOver() play.Game {
	g := samplePlaying()
	g.View.Phase = engine.PhaseOver
	g.View.Turn.Due = 0
	g.View.Seats = []engine.SeatView{{Tiles: 0, Opened: true}, {Tiles: 14}, {Tiles: 3, Opened: true},
		{Tiles: 2, Opened: true}}
	g.View.Result = &engine.ResultView{
		Why: ruleset.EndedEmptied, Points: []score.Twelfth{score.Whole(318), score.Whole(-200), score.Whole(-16),
			score.Whole(-102)},
		Wins:    []score.Twelfth{score.Whole(1), 0, 0, 0},
		Charges: []score.Charge{{}, {Points: 200, Reason: score.ReasonNoMeldAble}, {Points: 16}, {Points: 102}},
	}
	g.Standing = sampleRanks()[:4]
	g.Openings, g.Replay = sampleProofs(), templates.ReplayPath(7, 41)
	return g
}

func sampleCount() play.Game {
	g := sampleOver()
	g.View.Seat = engine.Referee
	g.View.Result.Racks = []tile.FaceList{nil, sampleProofs()[0].Rack, faces("R3 B4 O9"), faces("O2 J")}
	return g
}

func sampleRanks() []play.RankRow {
	w := score.Whole
	return []play.RankRow{
		{Rank: "1", Name: "נועה לוי", Country: "Israel", Wins: w(7), Points: w(412), Total: w(412), LastWins: w(3),
			LastPoints: w(188), HasLast: true, Move: 2, HasMove: true, Through: true},
		{Rank: "2", Name: "Lena Brandt", Country: "Germany", Wins: w(6), Points: w(377), Total: w(377), LastWins: w(2),
			LastPoints: w(90), HasLast: true, Move: -1, HasMove: true, Through: true},
		{Rank: "3", Name: "Mei-Ling Chen", Country: "Taiwan", Wins: w(6), Points: w(351), Penalties: w(50),
			Total: w(301), LastWins: w(2), LastPoints: w(144), HasLast: true, Move: 5, HasMove: true,
			Provisional: true},
		{Rank: "4", Name: "Maximiliana Featherstonehaugh-Wolfeschle", Country: "Germany", Wins: 66, Points: w(266) + 6,
			Total: w(266) + 6, LastWins: w(1), LastPoints: w(12), HasLast: true, Move: -1, HasMove: true},
		{Rank: "=5", Name: "Giulia Bianchi", Country: "Italy", Wins: w(5), Points: w(198), Total: w(198),
			LastWins: w(2), LastPoints: w(75), HasLast: true, HasMove: true, Cut: true, Me: true},
		{Rank: "=5", Name: "Sofie de Vries", Country: "Netherlands", Wins: w(5), Points: w(198), Total: w(198),
			LastWins: w(1), LastPoints: w(-20), HasLast: true, Move: -2, HasMove: true},
		{Rank: "7", Name: "田中 優希", Country: "日本", Wins: w(4), Points: w(88), Total: w(88), LastWins: w(1),
			LastPoints: w(-41), HasLast: true, Move: -3, HasMove: true},
		{Rank: "8", Name: "Eszter Kovács", Country: "Hungary", Wins: w(0), Points: w(-90), Total: w(-90), HasLast: true,
			LastPoints: w(-121), HasMove: true, Withdrawn: true, Disqualified: true},
	}
}

func sampleTables() []public.TableRow {
	players := []play.TablePlayer{{Name: "Mei-Ling Chen", Tiles: 9, Opened: true},
		{Name: "Piotr Wiśniewski-Kowalczyk", Tiles: 21}, {Name: "נועה לוי", Tiles: 5, Opened: true, Turn: true},
		{Name: "Giulia Bianchi", Tiles: 11, Opened: true}}
	calling := append([]play.TablePlayer(nil), players...)
	calling[1].Called = true
	clock := public.RowClock{Now: sampleNow, Due: sampleNow + 24_000}
	return []public.TableRow{
		{ID: 3, Number: 3, Need: "called", Public: "running", Since: sampleNow - 40_000,
			Note: "Piotr Wiśniewski-Kowalczyk", GameID: 31, Game: 2, Of: 4, Players: calling, Clock: clock},
		{ID: 5, Number: 5, Need: "expired", Public: "expired", Since: sampleNow - 12_000, Note: "Mei-Ling Chen",
			GameID: 35, Game: 2, Of: 4, Players: players, Clock: clock},
		{ID: 1, Number: 1, Need: "count", Public: "count", Since: sampleNow - 300_000, GameID: 30, Game: 2, Of: 4,
			Players: players[:3]},
		{ID: 2, Number: 2, Need: "paused", Public: "paused", GameID: 32, Game: 2, Of: 4, Players: players,
			Clock: public.RowClock{Now: sampleNow, Left: 31_000, Stopped: true}},
		{ID: 4, Number: 4, Need: "running", Public: "running", GameID: 34, Game: 3, Of: 4, Players: players,
			Clock: public.RowClock{Now: sampleNow, Due: sampleNow + 7_000}},
		{ID: 6, Number: 6, Need: "waiting", Public: "waiting", GameID: 36, Game: 1, Of: 4, Players: players},
	}
}

func sampleRound() []desk.RoundTable {
	seats := []play.RoundSeat{{Seat: 0, Name: "Mei-Ling Chen", Country: "Taiwan", Joined: true},
		{Seat: 1, Name: "Piotr Wiśniewski-Kowalczyk", Country: "Poland", Code: "Q7KX-2M4P",
			JoinURL: "http://192.168.1.10:8080/join/Q7KX-2M4P"},
		{Seat: 2, Name: "נועה לוי", Country: "Israel", Joined: true},
		{Seat: 3, Name: "Giulia Bianchi", Country: "Italy", Code: "9FWD-RT3B",
			JoinURL: "http://192.168.1.10:8080/join/9FWD-RT3B"}}
	var tables []desk.RoundTable
	for i := range 6 {
		tables = append(tables, desk.RoundTable{ID: int64(i + 1), Number: i + 1, Code: "TBL" + locale.Num(i+1) + "-X8",
			JoinURL: "http://192.168.1.10:8080/join/TBL" + locale.Num(i+1) + "-X8", Seats: seats[:4-i%2],
			Games: []play.RoundGame{{ID: 1, Number: 1, Status: "confirmed"}, {ID: 2, Number: 2, Status: "finished"},
				{ID: 3, Number: 3, Status: "running"}, {ID: 4, Number: 4, Status: "waiting"}}})
	}
	return tables
}

func sampleLog() []public.LogLine {
	return []public.LogLine{{At: sampleNow, Text: "נועה לוי laid 3 tiles."}, {At: sampleNow - 31_000,
		Text: "Time up for Piotr Wiśniewski-Kowalczyk: 3 tiles drawn."},
		{At: sampleNow - 92_000, Text: "Mei-Ling Chen drew a tile."}}
}

// sample is one page in one state.
type sample struct {
	name string
	page templ.Component
}

func samplePage(ctx context.Context, key string, role part.Role, path templ.SafeURL) part.Page {
	p := part.Page{Title: locale.T(ctx, key), Path: string(path), Assets: "/assets/test", Role: role}
	if role == part.RoleOrganizer || role == part.RoleReferee {
		p.User = "Kasia"
	}
	return p
}

func inEvent(p part.Page) part.Page {
	p.Event = &part.EventRef{ID: 7, Name: "World Championship"}
	p.Live = part.Live{URL: "/live", Quiet: 20_000}
	return p
}

func samples(ctx context.Context) []sample {
	return slices.Concat(staffSamples(ctx), organizerSamples(ctx), playerSamples(ctx), practiceSamples(ctx),
		replaySamples(ctx))
}

func staffSamples(ctx context.Context) []sample {
	page := func(key string, role part.Role, path templ.SafeURL) part.Page {
		return samplePage(ctx, key, role, path)
	}
	return []sample{
		{"error", part.ErrorPage(part.ErrorView{Page: page("error.title", part.RolePublic, templates.HomePath),
			Status: 404,
			Text:   locale.T(ctx, "err_player_not_found")})},
		{"sign-in", accounts.SignInPage(accounts.SignInView{Page: page("signin.title", part.RolePublic,
			templates.SignInPath), Name: "kasia",
			Problem: locale.T(ctx, "err_sign_in_wrong")})},
		{"setup", accounts.SetupPage(accounts.SetupView{Page: page("setup.title", part.RolePublic,
			templates.SetupPath)})},
		{"organizations", accounts.HostedPage(accounts.HostedView{Page: page("hosting.title", part.RoleOrganizer,
			templates.HostedPath),
			Organizations: []accounts.Hosted{sampleHosted}})},
		{"organization", accounts.OrganizationPage(accounts.OrganizationView{Page: page("hosting.title",
			part.RoleOrganizer,
			templates.OrganizationPath(3)), Hosted: sampleHosted, House: true,
			Accounts: []accounts.Account{{ID: 9, Name: "Ann@blue", Role: part.RoleOrganizer}}})},
		{"accounts", accounts.AccountsPage(accounts.AccountsView{Page: page("accounts.title", part.RoleOrganizer,
			templates.AccountsPath),
			Accounts: []accounts.Account{{ID: 1, Name: "Kasia", Role: part.RoleOrganizer, Self: true, Devices: 2,
				Seen: sampleNow},
				{ID: 2, Name: "María José Ortega", Role: part.RoleReferee, Self: false, Devices: 0, Seen: 0}}})},
		{"hall", referee.FloorPage(sampleFloor(ctx))},
		{"confirm", referee.ConfirmPage(sampleConfirm(ctx))},
		{"ruling", referee.RulingPage(sampleRuling(ctx))},
		{"count", referee.CountPage(referee.CountView{Page: inEvent(page("status.count", part.RoleReferee,
			templates.CountPath(7, 41))), Event: 7,
			TableID: 7, Game: sampleCount(), Result: sampleResult("provisional", 1).Result})},
		{"devices", referee.DevicesPage(referee.DevicesView{Page: inEvent(page("devices.title", part.RoleReferee,
			templates.DevicesPath(7))), Event: 7,
			Round: 2, May: true,
			Rows: []referee.DeviceRow{{Table: 7, Number: 7, Name: "Anna", Device: "K7", State: "here", Delay: 20,
				Charge: 80},
				{Table: 7, Number: 7, Seat: 1, Name: "Giulia Bianchi", State: "none", Delay: -1, Charge: -1}}})},
		{"results", desk.ResultsPage(desk.ResultsView{Page: inEvent(page("nav.results", part.RoleOrganizer,
			templates.ResultsPath(7))), Event: 7,
			Games: []desk.ResultRow{{GameID: 30, Round: 2, Table: 1, Game: 2,
				Result: sampleResult("provisional", 1).Result},
				{GameID: 29, Round: 2, Table: 1, Game: 1, Result: sampleResult("confirmed", 2).Result}}})},
		{"result", desk.ResultPage(desk.ResultView{Page: inEvent(page("nav.results", part.RoleOrganizer,
			templates.ResultPath(7, 30))), Event: 7,
			GameID: 30, Round: 2, Table: 1, Game: 2, Openings: otherProofs(), Replay: templates.ReplayPath(7, 30),
			Revisions: []desk.Revision{sampleResult("confirmed", 2), sampleResult("provisional", 1)}})},
	}
}

func sampleRuling(ctx context.Context) referee.RulingView {
	g := sampleOther()
	g.View.Seat, g.View.Rack, g.View.Drawn = engine.Referee, nil, nil
	return referee.RulingView{Page: inEvent(samplePage(ctx, "hall.title", part.RoleReferee,
		templates.RulingPath(7, 7))), Event: 7, TableID: 7,
		Table: 7, Game: g, HasGame: true, May: true, Ruling: []string{"Anna"},
		Turns: []referee.SheetTurn{{At: sampleNow, Text: "נועה לוי laid 3 tiles."}},
		Rulings: []referee.RulingLine{{Seq: 40, At: sampleNow, Text: "Penalty", By: "Kasia", Rule: "4", May: true},
			{Seq: 30, At: sampleNow, Text: "Penalty", By: "Kasia", Cancelled: true}},
		Waiting: []referee.Proposal{{Seq: 50, Seat: 1, Name: sampleSeats[1].Name, Tiles: 3, Cause: "Time’s up.",
			RulingReason: engine.RulingReason{Code: "timeout", Rule: "4.4"}, At: sampleNow}},
		Alerts: []part.Alert{{Key: "call-1", Kind: "called", Text: "Table 3: \u2068" + sampleSeats[1].Name +
			"\u2069 calls the referee.", TableID: 3}}}
}

func sampleFloor(ctx context.Context) referee.FloorView {
	v := referee.FloorView{Page: inEvent(samplePage(ctx, "hall.title", part.RoleReferee, templates.HallPath(7))),
		Event: 7, Round: 2,
		RoundID: 2, Stage: "Preliminaries", Zones: true, Others: 2, May: true}
	for _, t := range sampleTables() {
		v.Tables = append(v.Tables, referee.FloorRow{TableRow: t,
			Needs: []referee.FloorNeed{{Kind: t.Need, Note: t.Note,
				Since: t.Since}}})
	}
	v.Tables[0].Ruling = []string{"Anna"}
	v.Tables[0].Alerts = []part.Alert{{Key: "call-1", Kind: "called", Text: "Table 3", TableID: 3}}
	return v
}

func sampleConfirm(ctx context.Context) referee.ConfirmView {
	return referee.ConfirmView{Page: samplePage(ctx, "hall.title", part.RoleReferee, templates.RulingPath(7, 7)),
		Event: 7, TableID: 7,
		Table: 7, Action: "penalty", Title: "3 penalty tiles for Anna",
		Effects: []string{"Anna draws 3 tiles: 17 on the rack.", "22 tiles left in the pool."}, Key: "ruling-1-2",
		Seen: 57, Game: 41, Fields: []part.FormField{{Name: "seat", Value: "1"}, {Name: "tiles", Value: "3"}},
		Back: templates.RulingPath(7, 7), Post: templates.RulingPath(7, 7) + "/penalty",
		Reasons: []referee.ReasonChoice{{RulingReason: play.ReasonsFor("penalty")[0], Chosen: true},
			{RulingReason: play.ReasonsFor("penalty")[1], Chosen: false}},
		Amount: &referee.Amount{Name: "tiles", Label: "Tiles", Value: 3, Least: 0, Most: 20},
		Since: []referee.RulingLine{{At: sampleNow, By: "Ben",
			Text: "A warning."}}, Ruling: []string{"Ben"}}
}

func sampleResult(status string, rev int) desk.Revision {
	r := desk.Revision{Result: play.Result{Rev: rev, Status: status}, At: sampleNow, Who: "Kasia"}
	for i, p := range sampleSeats {
		r.Lines = append(r.Lines, play.ResultLine{Name: p.Name, Points: score.Whole([]int{118, -16, -102, 0}[i]),
			Wins: score.Whole(max(0, 1-i)), Charge: []int{0, 16, 102, 0}[i]})
	}
	if rev > 1 {
		r.Why = "Joker was counted as 30 instead of 100"
	}
	return r
}

func organizerSamples(ctx context.Context) []sample {
	page := func(key string, path templ.SafeURL) part.Page { return samplePage(ctx, key, part.RoleOrganizer, path) }
	events := []public.EventRow{{ID: 7, Name: "World Championship", Place: "Gdańsk", Status: "running",
		State: part.StateLive, Players: 33, When: public.When{Today: true}, Colour: "#0e4d86",
		Now: locale.T(ctx, "event.now", "stage", "Preliminaries", "round", 2), Leader: "נועה לוי"},
		{ID: 6, Name: "Open di Torino", Place: "Torino", Status: "finished", State: part.StateEnded, Players: 64,
			Leader: "Giulia Bianchi", Leaders: []public.PastName{{ID: 3, Name: "Giulia Bianchi", Country: "IT"}}},
		{ID: 8, Name: "Club night", Status: "draft", State: part.StatePlanned, Register: true, Begins: sampleNow}}
	round := desk.RoundView{Page: inEvent(page("nav.desk", templates.RoundPath(7, 2))), Event: 7, ID: 2, Number: 2,
		Stage: "Preliminaries", Status: "running", Method: "random", Games: 4, Tables: sampleRound(),
		Progress: desk.Progress{Waiting: 4, Running: 6, Finished: 2, Confirmed: 12}}
	draft, published := round, round
	draft.Status, draft.MayDraw, published.Status = "draft", true, "published"
	lines := []desk.ImportLine{{Number: 2, Country: "TW", Cells: map[string]string{"name": "Mei-Ling Chen",
		"country": "Taiwan", "club": "Taipei Tiles", "rating": "1720", "division": "junior", "family": "Chen"}},
		{Number: 3, Country: "PL", Edit: true, Cells: map[string]string{"country": "Poland"},
			Problems: []desk.ImportProblem{{Column: "name", Text: "the name is missing"}}},
		{Number: 4, Country: "IL", Cells: map[string]string{"name": "נועה לוי", "country": "Israel", "rating": "1804",
			"email": "noa@example.org"}},
		{Number: 5, Country: "JP", Edit: true, Cells: map[string]string{"name": "田中 優希", "country": "日本",
			"rating": "15oo"}, Problems: []desk.ImportProblem{{Column: "rating",
			Text: "the rating “15oo” is no number"}}},
		{Number: 6, Country: "TW", Edit: true, Cells: map[string]string{"name": "Mei-Ling Chen", "country": "TW"},
			Problems: []desk.ImportProblem{{Column: "mark",
				Text: "Line 6: \u2068Mei-Ling Chen\u2069 is already on line 2."}}},
		{Number: 7, Edit: true, Out: true, Cells: map[string]string{"name": "total: 6"}}}
	roster := desk.RosterView{Page: inEvent(page("roster.title", templates.RosterPath(7))), ID: 7,
		Players: []desk.RosterPlayer{
			{ID: 1, Number: 1, Name: "Mei-Ling Chen", Written: "Mei-Ling Chen", Country: "TW", Club: "Taipei Tiles",
				Family: "Chen", Rating: "1720", Joined: true, Drawn: "7", State: "checked_in", Extra: 30},
			{ID: 2, Number: 2, Name: "Maximiliana Featherstonehaugh-Wolfeschle", Country: "DE", State: "registered"},
			{ID: 3, Number: 3, Name: "נועה לוי", Country: "IL", Rating: "1804", Withdrawn: true, State: "withdrawn"}}}
	preview := roster
	preview.Preview = &desk.ImportPreview{Lines: lines, Bad: 3, Out: 1, Mended: true,
		Countries: []desk.ImportCountry{{Code: "TW", Texts: []string{"Taiwan", "TW"}, Players: 2},
			{Code: "Formosa", Texts: []string{"Formosa"}, Players: 1, Unknown: true}}}
	good := roster
	good.Preview = &desk.ImportPreview{Lines: lines[:1]}
	return []sample{
		{"events", desk.DeskListPage(desk.DeskListView{Page: page("events.title", templates.DeskListPath),
			Events: events})},
		{"new-event", desk.NewEventPage(desk.NewEventView{Page: page("events.new", templates.NewEventPath),
			Formats: []play.Choice{{Value: "wrc", Name: "World championship",
				Text: "4 rounds of 4 games, 16 to the semi-finals, 4 to the final"},
				{Value: "swiss", Name: "One day", Text: "6 rounds of 2 games"}},
			RuleSets: []play.Choice{{Value: "wrc", Name: locale.T(ctx, "rules.wrc"),
				Text: locale.T(ctx, "rules.wrc.text")},
				{Value: "family", Name: locale.T(ctx, "rules.family"), Text: locale.T(ctx, "rules.family.text")}}})},
		{"event-details", desk.DetailsPage(desk.DetailsView{
			Page: inEvent(page("details.title", templates.DetailsPath(7))), Event: 7, Name: "World Championship",
			Place: "Gdańsk", FirstDay: "2027-03-27", LastDay: "2027-03-28",
			TimeZone: "Europe/Warsaw", ServerZone: "UTC",
			Organizer: "Polska Federacja", Federation: "WRC-27", Colour: "#ffcc00", Contrast: "1.5",
			Referee: "Anna Ferri", Photos: samplePhotos(), PhotosMost: 12, Published: true, MayDelete: true})},
		{"again", desk.AgainPage(desk.AgainView{Page: inEvent(page("again.link", templates.AgainPath(7))), Event: 7,
			Name: "Club night 13", FirstDay: "2027-03-27", LastDay: "2027-03-27", Takes: []string{
				locale.T(ctx, "again.takes")}, Players: []desk.AgainPlayer{{ID: 1, Name: "Ann Lee", Club: "Blue"},
				{ID: 2, Name: "דנה כהן"}, {ID: 3, Name: "Zoë van den Berg-Hoogeveen"}}})},
		{"desk", desk.DeskPage(desk.DeskView{Page: inEvent(page("nav.desk", templates.DeskPath(7))), ID: 7,
			Name:  "World Championship",
			About: "Gdańsk", Status: "running", Rules: locale.T(ctx, "rules.wrc"), Format: "World championship",
			Players: 33,
			Joined:  31,
			Next: desk.NextStep{Text: locale.T(ctx, "next.confirm"), Why: locale.T(ctx, "next.confirm_why", "n", 2),
				URL: string(templates.HallPath(7))}, Tables: desk.Progress{Waiting: 4, Running: 6, Finished: 2,
				Confirmed: 12},
			Stages: []desk.StageRow{{Name: "Preliminaries",
				Note:    "33 players, tables of 4 and 3; the first 16 go through",
				Planned: 4, Status: "running", MayChange: true,
				Rounds: []desk.RoundRow{{ID: 1, Number: 1, Status: "finished", Tables: 9,
					Progress: desk.Progress{Confirmed: 36}},
					{ID: 2, Number: 2, Status: "running", Tables: 9,
						Progress: desk.Progress{Waiting: 4, Running: 6, Finished: 2, Confirmed: 12}}}},
				{Name: "Semi-final", Note: "4 tables; the winners go through", Planned: 1, Status: "planned"},
				{Name: "Final", Planned: 1, Status: "planned"}}})},
		{"roster", desk.RosterPage(roster)}, {"preview", desk.RosterPage(preview)},
		{"preview-good", desk.RosterPage(good)},
		{"round-draft", desk.RoundPage(draft)}, {"round-published", desk.RoundPage(published)},
		{"round", desk.RoundPage(round)},
		{"paper", desk.PaperPage(desk.PaperView{Page: inEvent(page("paper.title", templates.PaperPath(7))), Event: 7,
			Round:  2,
			Rounds: []play.Choice{{Value: "2", Name: "Round 2"}, {Value: "1", Name: "Round 1"}}, Size: "a4",
			Sizes: []string{"a4", "letter"}, Language: "en",
			Sheets: []desk.PaperSheet{{Kind: "by-name", URL: templates.SheetOnPaperPath(7, "by-name", true)},
				{Kind: "cards", URL: templates.SheetOnPaperPath(7, "cards", false)}}, Certificates: true, MayPack: true,
			MayKeep:  true,
			KeptLike: "A4, English", Folder: "/srv/meldhall/paper",
			Kept: []desk.KeptPack{{File: "event-7-round-2.en.a4.pdf", Round: 2, At: "2026-11-24 16:05"}}})},
		{"home", public.HomePage(public.HomeView{Page: samplePage(ctx, "home.title", part.RolePublic,
			templates.HomePath), Events: events[:2]})},
	}
}

func playerSamples(ctx context.Context) []sample {
	page := func(key string, path templ.SafeURL) part.Page { return samplePage(ctx, key, part.RolePlayer, path) }
	atTablet := page("game.table", templates.GamePath)
	atTablet.Live = part.Live{URL: "/play/live", Quiet: 2_500, Near: true}
	everyone := inEvent(samplePage(ctx, "nav.leaderboard", part.RolePublic, templates.LeaderboardPath(7)))
	seats := []tablet.JoinSeat{{Seat: 0, Name: "Mei-Ling Chen", Country: "Taiwan", Taken: true, Mine: false},
		{Seat: 1, Name: "Piotr Wiśniewski-Kowalczyk", Country: "Poland", Taken: false, Mine: false},
		{Seat: 2, Name: "נועה לוי", Country: "Israel", Taken: true, Mine: true},
		{Seat: 3, Name: "Giulia Bianchi", Country: "Italy", Taken: false, Mine: false}}
	over := sampleOver()
	waiting := tablet.WaitingView{Page: page("wait.your_place", templates.PlayPath), Name: "Giulia Bianchi",
		Event: "World Championship",
		State: "between", Round: 2, Table: 7, Seat: 3, Mates: sampleRound()[0].Seats, LastGame: &over,
		Rows: sampleRanks(), Field: len(sampleRanks())}
	waiting.Live = part.Live{URL: "/play/live", Quiet: 20_000}
	watched := sampleOther()
	watched.View.Seat, watched.View.Rack, watched.View.Drawn = engine.Spectator, nil, nil
	shown := everyone
	shown.Event = &part.EventRef{ID: 7, Name: "World Championship", State: part.StateLive, Face: &part.Face{
		Days: "Sat, 27 Mar 2027 – Sun, 28 Mar 2027", Place: "Gdańsk", Organizer: "Polska Federacja",
		Referee: "Anna Ferri", Colour: "#0e4d86", Schedule: true}}
	paused := sampleOther()
	paused.View.Paused = &engine.Pause{Left: 31_000, Why: engine.PausedByReferee}
	return []sample{
		{"join", tablet.JoinPage(tablet.JoinView{Page: page("join.title", templates.JoinPath)})},
		{"seats", tablet.SeatsPage(tablet.SeatsView{Page: page("join.title", templates.JoinCodePath("TBL7")),
			Code:  "TBL7-X8",
			Event: "World Championship", Round: 2, Table: 7, Seats: seats})},
		{"seat", tablet.SeatsPage(tablet.SeatsView{Page: page("join.title", templates.JoinCodePath("Q7KX")),
			Code:  "Q7KX-2M4P",
			Event: "World Championship", Round: 2, Table: 7, Seats: seats[1:2]})},
		{"waiting", tablet.WaitingPage(waiting)},
		{"game", play.GamePage(play.GameView{Page: atTablet, Game: samplePlaying()})},
		{"game-other", play.GamePage(play.GameView{Page: atTablet, Game: sampleOther()})},
		{"game-paused", play.GamePage(play.GameView{Page: atTablet, Game: paused})},
		{"game-start", play.GamePage(play.GameView{Page: atTablet, Game: sampleDealt()})},
		{"game-over", play.GamePage(play.GameView{Page: atTablet, Game: sampleOver()})},
		{"leaderboard", public.LeaderboardPage(public.LeaderboardView{Page: shown, Event: 7, State: part.StateLive,
			Now:   locale.T(ctx, "event.now", "stage", "Preliminaries", "round", 3),
			Order: locale.T(ctx, "order.by", "list", locale.T(ctx, "tie.wins")), Updated: sampleNow, Provisional: 1,
			Rows: sampleRanks(),
			Face: public.FaceView{Event: 7, Tables: 9, Done: 3, Ends: sampleNow,
				Next: public.FaceSlot{At: sampleNow, What: "Mittagessen in der Mensa"}, Table: &watched,
				TableID: 31}})},
		{"to-come", public.LeaderboardPage(public.LeaderboardView{Page: shown, Event: 7, State: part.StatePlanned,
			Face: public.FaceView{Event: 7, Register: true, Begins: public.FaceSlot{At: sampleNow},
				Players: []public.PastName{{ID: 1, Name: "נועה לוי", Country: "IL"},
					{ID: 2, Name: "Maximiliana von Hohenstein-Schwarzburg", Country: "DE"}}}})},
		{"champion", public.LeaderboardPage(public.LeaderboardView{Page: shown, Event: 7, State: part.StateEnded,
			Photos: samplePhotos(),
			Titles: []public.TitleRow{{Who: sampleRanks()[:1]}}, Face: public.FaceView{Event: 7,
				Podium: []public.PodiumStep{{Place: 1, Who: sampleRanks()[:1]}, {Place: 2, Who: sampleRanks()[1:3]}},
				Turns: []public.FineTurn{{Who: public.PastName{ID: 1, Name: "נועה לוי"}, Laid: 11,
					Possible: public.Possible{Tiles: 13, Proven: true},
					Where:    "R2", At: templates.ReplayTurnPath(7, 3, 21)}}},
			Order:   locale.T(ctx, "order.by", "list", locale.T(ctx, "tie.wins")),
			Updated: sampleNow, Rows: sampleRanks()})},
		{"tables", public.TablesPage(public.TablesView{Page: shown, Event: 7, State: part.StateLive, Round: 2,
			Tables: sampleTables()})},
		{"watch", public.WatchPage(public.WatchView{Page: shown, Event: 7, State: part.StateLive, Game: watched,
			Log: sampleLog()})},
	}
}

func samplePhotos() []public.Photo {
	return []public.Photo{{ID: 1, Caption: "The final", Width: 1600, Height: 900, At: templates.PhotoPath(7, 1, "0")}}
}

// sampleHosted is an organization.
var sampleHosted = accounts.Hosted{ID: 3, Slug: "blue", Name: "Blue Club", Welcome: "Hello",
	Contact: "blue@example.org",
	Imprint: "Blue e.V.", Events: 4, HasEvents: 1, HasAccounts: 1}
