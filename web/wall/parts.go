package wall

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/floor"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
	"meldhall/web/venue"
)

// showing is an event as everybody may see it, for the boards of a screen.
type showing struct {
	*Screens
	board
	sight  tournament.Sight
	t      tournament.Tournament
	all    []tournament.Round // but drafts
	rounds []tournament.Round // whose seats are seen
}

// boardView is what a screen shows. Whatever screen asks, it is what the public may see.
func (s *Screens) boardView(ctx context.Context, b board) (templates.BoardView, error) {
	_, zone := s.Store.Now().Zone()
	view := templates.BoardView{Event: b.event, Zone: zone / 60, Build: s.Build, Fit: templates.BoardFit{
		Inches: cmp.Or(b.fit.Inches, floor.UsualInches), Metres: cmp.Or(b.fit.Metres, floor.UsualMetres), Theme: cmp.Or(b.fit.Theme, "dark"), Gong: b.fit.Gong}}
	now, err := s.showingOf(ctx, b)
	if err != nil {
		return view, err
	}
	view.Name = now.t.Name
	if round, ok := venue.CurrentRound(now.all); ok {
		view.Rings = strconv.Itoa(round.Number) + " " + round.Status
		_, f, err := s.EventFormat(ctx, b.event)
		if err != nil {
			return view, err
		}
		view.Round = venue.NowWords(ctx, f.Stages, round)
	}
	for _, kind := range b.shows.Boards {
		part, err := now.part(ctx, kind)
		if err != nil {
			return view, err
		}
		part.Kind = kind
		view.Parts = append(view.Parts, part)
	}
	return view, nil
}

func (s *Screens) showingOf(ctx context.Context, b board) (now showing, err error) {
	now = showing{Screens: s, board: b}
	if now.sight, err = s.SightOf(ctx, rights.Public(), b.event); err != nil {
		return now, err
	}
	if now.t, err = tournament.TournamentByID(ctx, s.Store, b.event); err != nil {
		return now, err
	}
	rounds, err := tournament.Rounds(ctx, s.Store, b.event)
	if err != nil {
		return now, err
	}
	now.all = slices.DeleteFunc(rounds, func(r tournament.Round) bool { return r.Status == tournament.RoundDraft })
	now.rounds = now.sight.Rounds(now.all)
	return now, nil
}

// part is one board.
func (s showing) part(ctx context.Context, kind string) (templates.BoardPart, error) {
	switch kind {
	case floor.BoardNames:
		return s.names(ctx)
	case floor.BoardTables:
		return s.tables(ctx)
	case floor.BoardStandings:
		return s.standings(ctx)
	case floor.BoardClock:
		return s.clock(ctx)
	case floor.BoardCalled:
		return s.called(ctx)
	case floor.BoardResults:
		return s.results(ctx)
	case floor.BoardNews:
		return s.news(ctx)
	case floor.BoardChampion:
		return s.champion(ctx)
	case floor.BoardCode:
		return shows(templates.BoardCode(s.base + string(templates.LeaderboardPath(s.event)))), nil
	}
	if kind == floor.BoardTest {
		return shows(templates.BoardTest(cmp.Or(s.fit.Metres, floor.UsualMetres))), nil
	}
	if s.board.shows.Text == "" {
		return nothing(ctx, "board.no_text"), nil
	}
	return shows(templates.BoardText(s.board.shows.Text, "")), nil
}

func shows(what templ.Component) templates.BoardPart {
	return templates.BoardPart{Shows: func(int, int) templ.Component { return what }}
}

// lists is a board with a list, whose rows have so many lines each.
func lists[E any](rows []E, lines int, draw func([]E) templ.Component) templates.BoardPart {
	return templates.BoardPart{Rows: len(rows), Lines: lines, Shows: func(from, to int) templ.Component { return draw(rows[from:to]) }}
}

// tablesPart is a list of tables.
func tablesPart(rows []templates.BoardTable, class string, charged bool) templates.BoardPart {
	return lists(rows, seatsMost, func(rows []templates.BoardTable) templ.Component { return templates.BoardTables(rows, class, charged) })
}

// seatsMost is how many sit at a table.
const seatsMost = 4

// nothing is a board that has nothing to show yet, with the reason by a text's key.
func nothing(ctx context.Context, key string, nameValues ...any) templates.BoardPart {
	part := shows(templates.BoardEmpty(templates.T(ctx, key, nameValues...)))
	part.Empty = true
	return part
}

// withheld says why a board shows nothing, or less: what the organizers hold back, or else the reason by a text's key.
func (s showing) withheld(ctx context.Context, key string, parts ...string) (templates.BoardPart, error) {
	note, err := s.ShownNote(ctx, rights.Public(), s.event, parts...)
	if err == nil && len(note.Lines) > 0 {
		part := shows(templates.BoardEmpty(note.Lines[0]))
		part.Empty = true
		return part, nil
	}
	return nothing(ctx, key), err
}

// seated are the tables of the round whose seats are looked for: one that is published or runs. It says whether there is one.
func (s showing) seated(ctx context.Context) ([]tournament.Table, bool, error) {
	round, ok := venue.CurrentRound(s.rounds)
	if newest, _ := venue.CurrentRound(s.all); !ok || !round.Underway() || newest.ID != round.ID { // nobody looks for the seats of a round that is over
		return nil, false, nil
	}
	tables, err := tournament.Tables(ctx, s.Store, round.ID)
	slices.SortFunc(tables, func(a, b tournament.Table) int { return cmp.Compare(a.Number, b.Number) })
	return tables, err == nil, err
}

func (s showing) names(ctx context.Context) (templates.BoardPart, error) {
	tables, ok, err := s.seated(ctx)
	if err != nil {
		return templates.BoardPart{}, err
	}
	if !ok {
		return s.withheld(ctx, "board.no_seats", tournament.PartPairing)
	}
	var seats []templates.BoardSeat
	for _, t := range tables {
		for _, seat := range t.Seats {
			seats = append(seats, templates.BoardSeat{Name: seat.Player.Name, Table: t.Number})
		}
	}
	order := templates.NameOrder(ctx)
	slices.SortStableFunc(seats, func(a, b templates.BoardSeat) int { return order(a.Name, b.Name) })
	seats, note := shared(ctx, seats, s.board.shows)
	part := lists(seats, 1, templates.BoardNames)
	part.Note = note
	return part, nil
}

// shared is the part of a list that a screen shows, where several share it.
func shared[E any](ctx context.Context, list []E, p floor.Programme) ([]E, string) {
	if p.Parts < 2 {
		return list, ""
	}
	from, to := len(list)*(p.Part-1)/p.Parts, len(list)*p.Part/p.Parts
	return list[from:to], templates.T(ctx, "board.share", "part", p.Part, "parts", p.Parts)
}

func (s showing) tables(ctx context.Context) (templates.BoardPart, error) {
	tables, ok, err := s.seated(ctx)
	if err != nil {
		return templates.BoardPart{}, err
	}
	if !ok {
		return s.withheld(ctx, "board.no_seats", tournament.PartPairing)
	}
	rows := make([]templates.BoardTable, len(tables))
	for i, t := range tables {
		rows[i] = templates.BoardTable{Number: t.Number, Names: venue.SeatNames(t)}
	}
	rows, note := shared(ctx, rows, s.board.shows)
	part := tablesPart(rows, "", false)
	part.Note = note
	return part, nil
}

// called are the tables whose players are called, of the round that is on.
func (s showing) called(ctx context.Context) (templates.BoardPart, error) {
	calls, err := floor.TableCalls(ctx, s.Store, s.event)
	if err != nil {
		return templates.BoardPart{}, err
	}
	tables, ok, err := s.seated(ctx)
	if err != nil {
		return templates.BoardPart{}, err
	}
	var rows []templates.BoardTable
	for _, t := range tables {
		if slices.ContainsFunc(calls, func(c floor.TableCall) bool { return c.Number == t.Number }) {
			rows = append(rows, templates.BoardTable{Number: t.Number, Names: venue.SeatNames(t)})
		}
	}
	if !ok || len(rows) == 0 {
		return nothing(ctx, "board.no_calls"), nil
	}
	return tablesPart(rows, "b-calls", false), nil
}

func (s showing) standings(ctx context.Context) (templates.BoardPart, error) {
	standings, err := s.Standings(ctx, s.event, s.sight.Standings)
	if err != nil {
		return templates.BoardPart{}, err
	}
	if !venue.Played(standings) {
		return s.withheld(ctx, "rank.none", tournament.PartStandings)
	}
	var through []int64
	cut, err := tournament.NextCutAt(ctx, s.Store, s.event, s.sight.Standings)
	if err == nil && cut.Stage < len(standings.Stages) { // the first places at the end are no cut
		through = cut.Through()
	} else if err != nil && !errors.Is(err, refuse.ErrNotFound) {
		return templates.BoardPart{}, err
	}
	note, err := s.ShownNote(ctx, rights.Public(), s.event, tournament.PartStandings)
	rows := venue.RankRows(ctx, standings, through)
	moves := slices.ContainsFunc(rows, func(r templates.RankRow) bool { return r.HasMove })
	part := lists(rows, 1, func(rows []templates.RankRow) templ.Component { return templates.BoardStandings(rows, moves) })
	if part.Note = venue.CutTieWords(ctx, standings); len(note.Lines) > 0 {
		part.Note = note.Lines[0]
	}
	return part, err
}

// results are those of the newest round that has any, table by table.
func (s showing) results(ctx context.Context) (templates.BoardPart, error) {
	_, f, err := s.EventFormat(ctx, s.event)
	if err != nil {
		return templates.BoardPart{}, err
	}
	for _, round := range slices.Backward(s.rounds) {
		results, err := tournament.RoundResultsAt(ctx, s.Store, round.ID, s.sight.Results)
		if err != nil {
			return templates.BoardPart{}, err
		}
		if len(results) == 0 {
			continue
		}
		tables, err := tournament.Tables(ctx, s.Store, round.ID)
		if err != nil {
			return templates.BoardPart{}, err
		}
		slices.SortFunc(tables, func(a, b tournament.Table) int { return cmp.Compare(a.Number, b.Number) })
		part := tablesPart(resultRows(tables, results), "b-scores", venue.ChargedStages(s.t, len(f.Stages))[round.Stage])
		if newest, _ := venue.CurrentRound(s.all); newest.ID != round.ID {
			part.Note = templates.T(ctx, "round.title", "number", round.Number)
		}
		return part, nil
	}
	return s.withheld(ctx, "board.no_results", tournament.PartResults)
}

// resultRows are the tables that have a result, with the sums of their games.
func resultRows(tables []tournament.Table, results map[int64]game.Result) (rows []templates.BoardTable) {
	for _, t := range tables {
		row, any := templates.BoardTable{Number: t.Number, Names: venue.SeatNames(t), Points: make([]engine.Twelfth, len(t.Seats)), Firsts: make([]bool, len(t.Seats))}, false
		for _, g := range t.Games {
			for _, l := range results[g.ID].Lines {
				any = true
				row.Points[l.Seat] += l.Points
				row.Firsts[l.Seat] = row.Firsts[l.Seat] || l.Wins > 0
			}
		}
		if any {
			rows = append(rows, row)
		}
	}
	return rows
}

func (s showing) clock(ctx context.Context) (templates.BoardPart, error) {
	view, err := s.clockNow(ctx)
	return shows(templates.BoardClockPart(view)), err
}

// clockNow is the round, and what the plan of the day has next.
func (s showing) clockNow(ctx context.Context) (view templates.BoardClock, err error) {
	table, _, err := s.Timetable(ctx, s.event)
	if err != nil {
		return view, err
	}
	now := engine.MillisOf(s.Store.Now())
	round, ok := venue.CurrentRound(s.all)
	if ok {
		view.On = templates.T(ctx, "round.title", "number", round.Number)
		view.State = templates.T(ctx, "board.round."+round.Status)
	}
	for _, slot := range table.Slots {
		switch {
		case slot.Over != 0 || slot.Passed:
		case ok && slot.Round == round.Number && round.Status == tournament.RoundRunning:
			view.Ends = slot.Ends - slot.Ends%60_000
		case view.Next == "" && slot.Ends > now && (slot.Round != 0 || slot.Starts >= now):
			view.Next, view.At = slotName(ctx, slot), slot.Starts
			if slot.Round != 0 {
				view.At = max(slot.StartsAt, slot.Starts-slot.Starts%60_000)
			}
		}
	}
	return view, nil
}

func slotName(ctx context.Context, slot schedule.SlotNow) string {
	if slot.Round != 0 {
		return templates.T(ctx, "round.title", "number", slot.Round)
	}
	return cmp.Or(slot.Name, templates.T(ctx, "plan.break"))
}

func (s showing) news(ctx context.Context) (templates.BoardPart, error) {
	said, _, err := s.Announced(ctx, s.event)
	if err != nil {
		return templates.BoardPart{}, err
	}
	var items []templates.NewsItem
	for _, a := range said {
		text, tag := a.TextFor(templates.LanguageOf(ctx).Tag)
		items = append(items, templates.NewsItem{ID: a.ID, Level: a.Level, Text: text, Lang: tag})
	}
	if len(items) == 0 {
		return nothing(ctx, "board.no_news"), nil
	}
	return shows(templates.BoardNews(items)), nil
}

// champion is what the organizer has revealed, and nothing else.
func (s showing) champion(ctx context.Context) (templates.BoardPart, error) {
	told, err := floor.Reveals(ctx, s.Store, s.event)
	places := make([]templates.BoardPlace, len(told))
	for i, r := range told {
		places[i] = templates.BoardPlace{Place: r.Place, Names: r.Names}
	}
	return shows(templates.BoardChampion(places)), err
}
