package screens

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/templates/screens"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
	"meldhall/tournament/screen"
	"meldhall/web/view"
)

// showing is a tournament as the public may see it, for the boards of a screen.
type showing struct {
	screens *Screens
	board
	sight  tournament.Sight
	t      tournament.Tournament
	all    []tournament.Round // except drafts
	rounds []tournament.Round // those with visible seats
}

// boardView returns the contents of a screen. They are always what the public may see.
func (s *Screens) boardView(ctx context.Context, b board) (screens.BoardView, error) {
	_, zone := s.View.Store.Now().Zone()
	v := screens.BoardView{Event: b.tournamentID, Zone: zone / 60, Build: s.View.Build, Fit: screens.BoardFit{
		Inches: cmp.Or(b.fit.Inches, screen.UsualInches), Metres: cmp.Or(b.fit.Metres, screen.UsualMetres),
		Theme: cmp.Or(b.fit.Theme, "dark"), Gong: b.fit.Gong}}
	now, err := s.showingOf(ctx, b)
	if err != nil {
		return v, err
	}
	v.Name = now.t.Name
	if round, ok := view.CurrentRound(now.all); ok {
		v.Rings = strconv.Itoa(round.Number) + " " + round.Status
		_, f, err := s.View.Tournaments.WithFormat(ctx, b.tournamentID)
		if err != nil {
			return v, err
		}
		v.Round = view.NowWords(ctx, f.Stages, round)
	}
	for _, kind := range b.shows.Boards {
		part, err := now.part(ctx, kind)
		if err != nil {
			return v, err
		}
		part.Kind = kind
		v.Parts = append(v.Parts, part)
	}
	return v, nil
}

func (s *Screens) showingOf(ctx context.Context, b board) (now showing, err error) {
	now = showing{screens: s, board: b}
	if now.sight, err = s.View.Sights.Of(ctx, rights.Public(), b.tournamentID); err != nil {
		return now, err
	}
	if now.t, err = tournament.TournamentByID(ctx, s.View.Store, b.tournamentID); err != nil {
		return now, err
	}
	rounds, err := draw.Rounds(ctx, s.View.Store, b.tournamentID)
	if err != nil {
		return now, err
	}
	now.all = slices.DeleteFunc(rounds, func(r tournament.Round) bool { return r.Status == tournament.RoundDraft })
	now.rounds = now.sight.Rounds(now.all)
	return now, nil
}

// part returns one board.
func (s showing) part(ctx context.Context, kind string) (screens.BoardPart, error) {
	switch kind {
	case screen.BoardNames:
		return s.names(ctx)
	case screen.BoardTables:
		return s.tables(ctx)
	case screen.BoardStandings:
		return s.standings(ctx)
	case screen.BoardClock:
		view, err := s.clockNow(ctx)
		return shows(screens.BoardClockPart(view)), err
	case screen.BoardCalled:
		return s.called(ctx)
	case screen.BoardResults:
		return s.results(ctx)
	case screen.BoardNews:
		return s.news(ctx)
	case screen.BoardChampion:
		return s.champion(ctx)
	case screen.BoardCode:
		return shows(screens.BoardCode(s.base + string(templates.LeaderboardPath(s.tournamentID)))), nil
	}
	if kind == screen.BoardTest {
		return shows(screens.BoardTest(cmp.Or(s.fit.Metres, screen.UsualMetres))), nil
	}
	if s.board.shows.Text == "" {
		return nothing(ctx, "board.no_text"), nil
	}
	return shows(screens.BoardText(s.board.shows.Text, "")), nil
}

func shows(what templ.Component) screens.BoardPart {
	return screens.BoardPart{Shows: func(int, int) templ.Component { return what }}
}

// lists returns a board with a list whose rows have the given number of lines.
func lists[E any](rows []E, lines int, draw func([]E) templ.Component) screens.BoardPart {
	return screens.BoardPart{Rows: len(rows), Lines: lines,
		Shows: func(from, to int) templ.Component { return draw(rows[from:to]) }}
}

// tablesPart returns a board with a list of tables.
func tablesPart(rows []screens.BoardTable, class string, charged bool) screens.BoardPart {
	return lists(rows, seatsMost, func(rows []screens.BoardTable) templ.Component {
		return screens.BoardTables(rows,
			class, charged)
	})
}

// seatsMost is the largest number of players at a table.
const seatsMost = 4

// nothing returns an empty board that shows the text of key as the reason.
func nothing(ctx context.Context, key string, nameValues ...any) screens.BoardPart {
	part := shows(screens.BoardEmpty(locale.T(ctx, key, nameValues...)))
	part.Empty = true
	return part
}

// withheld returns an empty board that shows the reason: a note that the organizers hold back one of the parts, or else
// the text of key.
func (s showing) withheld(ctx context.Context, key string, parts ...string) (screens.BoardPart, error) {
	note, err := s.screens.View.Sights.ShownNote(ctx, rights.Public(), s.tournamentID, parts...)
	if err == nil && len(note.Lines) > 0 {
		part := shows(screens.BoardEmpty(note.Lines[0]))
		part.Empty = true
		return part, nil
	}
	return nothing(ctx, key), err
}

// seated returns the tables of the current round, by number, if players may be looking for their seats: the seats are
// visible, and the round is published or running. Otherwise it returns false.
func (s showing) seated(ctx context.Context) ([]tournament.Table, bool, error) {
	round, ok := view.CurrentRound(s.rounds)
	// the seats of a finished round are of no use
	if newest, _ := view.CurrentRound(s.all); !ok || !round.Underway() || newest.ID != round.ID {
		return nil, false, nil
	}
	tables, err := tournament.Tables(ctx, s.screens.View.Store, round.ID)
	slices.SortFunc(tables, func(a, b tournament.Table) int { return cmp.Compare(a.Number, b.Number) })
	return tables, err == nil, err
}

func (s showing) names(ctx context.Context) (screens.BoardPart, error) {
	tables, ok, err := s.seated(ctx)
	if err != nil {
		return screens.BoardPart{}, err
	}
	if !ok {
		return s.withheld(ctx, "board.no_seats", tournament.PartPairing)
	}
	var seats []screens.BoardSeat
	for _, t := range tables {
		for _, seat := range t.Seats {
			seats = append(seats, screens.BoardSeat{Name: seat.Player.Name, Table: t.Number})
		}
	}
	order := locale.NameOrder(ctx)
	slices.SortStableFunc(seats, func(a, b screens.BoardSeat) int { return order(a.Name, b.Name) })
	seats, note := shared(ctx, seats, s.board.shows)
	part := lists(seats, 1, screens.BoardNames)
	part.Note = note
	return part, nil
}

// shared returns a screen's share of a list and the share's label. If the list is not divided among several screens, it
// returns the whole list and "".
func shared[E any](ctx context.Context, list []E, p screen.Programme) ([]E, string) {
	if p.Parts < 2 {
		return list, ""
	}
	from, to := len(list)*(p.Part-1)/p.Parts, len(list)*p.Part/p.Parts
	return list[from:to], locale.T(ctx, "board.share", "part", p.Part, "parts", p.Parts)
}

func (s showing) tables(ctx context.Context) (screens.BoardPart, error) {
	tables, ok, err := s.seated(ctx)
	if err != nil {
		return screens.BoardPart{}, err
	}
	if !ok {
		return s.withheld(ctx, "board.no_seats", tournament.PartPairing)
	}
	rows := make([]screens.BoardTable, len(tables))
	for i, t := range tables {
		rows[i] = screens.BoardTable{Number: t.Number, Names: view.SeatNames(t)}
	}
	rows, note := shared(ctx, rows, s.board.shows)
	part := tablesPart(rows, "", false)
	part.Note = note
	return part, nil
}

// called returns the tables of the current round whose players are called.
func (s showing) called(ctx context.Context) (screens.BoardPart, error) {
	calls, err := screen.TableCalls(ctx, s.screens.View.Store, s.tournamentID)
	if err != nil {
		return screens.BoardPart{}, err
	}
	tables, ok, err := s.seated(ctx)
	if err != nil {
		return screens.BoardPart{}, err
	}
	var rows []screens.BoardTable
	for _, t := range tables {
		if slices.ContainsFunc(calls, func(c screen.TableCall) bool { return c.Number == t.Number }) {
			rows = append(rows, screens.BoardTable{Number: t.Number, Names: view.SeatNames(t)})
		}
	}
	if !ok || len(rows) == 0 {
		return nothing(ctx, "board.no_calls"), nil
	}
	return tablesPart(rows, "b-calls", false), nil
}

func (s showing) standings(ctx context.Context) (screens.BoardPart, error) {
	standings, err := s.screens.View.Tournaments.Standings(ctx, s.tournamentID, s.sight.Standings)
	if err != nil {
		return screens.BoardPart{}, err
	}
	if !view.Played(standings) {
		return s.withheld(ctx, "rank.none", tournament.PartStandings)
	}
	var through []int64
	cut, err := ranking.NextCutAt(ctx, s.screens.View.Store, s.tournamentID, s.sight.Standings)
	if err == nil && cut.Stage < len(standings.Stages) { // the first places at the end are no cut
		through = cut.Through()
	} else if err != nil && !errors.Is(err, refuse.ErrNotFound) {
		return screens.BoardPart{}, err
	}
	note, err := s.screens.View.Sights.ShownNote(ctx, rights.Public(), s.tournamentID, tournament.PartStandings)
	rows := view.RankRows(ctx, standings, through)
	moves := slices.ContainsFunc(rows, func(r play.RankRow) bool { return r.HasMove })
	part := lists(rows, 1, func(rows []play.RankRow) templ.Component {
		return screens.BoardStandings(rows,
			moves)
	})
	if part.Note = view.CutTieWords(ctx, standings); len(note.Lines) > 0 {
		part.Note = note.Lines[0]
	}
	return part, err
}

// results returns the results of the newest round that has any, table by table.
func (s showing) results(ctx context.Context) (screens.BoardPart, error) {
	_, f, err := s.screens.View.Tournaments.WithFormat(ctx, s.tournamentID)
	if err != nil {
		return screens.BoardPart{}, err
	}
	for _, round := range slices.Backward(s.rounds) {
		results, err := result.RoundResultsAt(ctx, s.screens.View.Store, round.ID, s.sight.Results)
		if err != nil {
			return screens.BoardPart{}, err
		}
		if len(results) == 0 {
			continue
		}
		tables, err := tournament.Tables(ctx, s.screens.View.Store, round.ID)
		if err != nil {
			return screens.BoardPart{}, err
		}
		slices.SortFunc(tables, func(a, b tournament.Table) int { return cmp.Compare(a.Number, b.Number) })
		part := tablesPart(resultRows(tables, results), "b-scores", view.ChargedStages(s.t, len(f.Stages))[round.Stage])
		if newest, _ := view.CurrentRound(s.all); newest.ID != round.ID {
			part.Note = locale.T(ctx, "round.title", "number", round.Number)
		}
		return part, nil
	}
	return s.withheld(ctx, "board.no_results", tournament.PartResults)
}

// resultRows returns the tables with results, with the sums of their games.
func resultRows(tables []tournament.Table, results map[int64]game.Result) (rows []screens.BoardTable) {
	for _, t := range tables {
		row, any := screens.BoardTable{Number: t.Number, Names: view.SeatNames(t),
			Points: make([]score.Twelfth, len(t.Seats)), Firsts: make([]bool, len(t.Seats))}, false
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

// clockNow returns the current round, its expected end while it is running, and the next item of the schedule. The end
// tells how far the games are, so the public learns it only if it sees the tables without delay.
func (s showing) clockNow(ctx context.Context) (v screens.BoardClock, err error) {
	table, ends, err := s.screens.View.Schedule.Timetable(ctx, s.tournamentID)
	if err != nil {
		return v, err
	}
	now := engine.MillisOf(s.screens.View.Store.Now())
	v.Now = now
	round, ok := view.CurrentRound(s.all)
	if ok {
		v.On = locale.T(ctx, "round.title", "number", round.Number)
		v.State = locale.T(ctx, "board.round."+round.Status)
		if round.Status == tournament.RoundRunning && s.sight.Tables == tournament.Always {
			v.Ends = ends - ends%60_000
		}
	}
	for _, slot := range table.Slots {
		switch {
		case slot.Over != 0 || slot.Passed:
		case ok && slot.Round == round.Number && round.Status == tournament.RoundRunning:
		case v.Next == "" && slot.Ends > now && (slot.Round != 0 || slot.Starts >= now):
			v.Next, v.At = slotName(ctx, slot), slot.Starts
			if slot.Round != 0 {
				v.At = max(slot.StartsAt, slot.Starts-slot.Starts%60_000)
			}
		}
	}
	return v, nil
}

func slotName(ctx context.Context, slot schedule.SlotNow) string {
	if slot.Round != 0 {
		return locale.T(ctx, "round.title", "number", slot.Round)
	}
	return cmp.Or(slot.Name, locale.T(ctx, "plan.break"))
}

func (s showing) news(ctx context.Context) (screens.BoardPart, error) {
	said, _, err := s.screens.View.Announced(ctx, s.tournamentID)
	if err != nil {
		return screens.BoardPart{}, err
	}
	var items []part.NewsItem
	for _, a := range said {
		text, tag := a.TextFor(locale.LanguageOf(ctx).Tag)
		items = append(items, part.NewsItem{ID: a.ID, Level: a.Level, Text: text, Lang: tag})
	}
	if len(items) == 0 {
		return nothing(ctx, "board.no_news"), nil
	}
	return shows(screens.BoardNews(items)), nil
}

// champion returns the board with the places that the organizer has revealed.
func (s showing) champion(ctx context.Context) (screens.BoardPart, error) {
	told, err := screen.Reveals(ctx, s.screens.View.Store, s.tournamentID)
	places := make([]screens.BoardPlace, len(told))
	for i, r := range told {
		places[i] = screens.BoardPlace{Place: r.Place, Names: r.Names}
	}
	return shows(screens.BoardChampion(places)), err
}
