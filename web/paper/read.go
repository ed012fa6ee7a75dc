package paper

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"meldhall/engine/ruleset"
	"meldhall/templates"
	"meldhall/templates/locale"
	sheet "meldhall/templates/paper"
	"meldhall/templates/pdf"
	"meldhall/templates/play"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/displayname"
	"meldhall/tournament/draw"
	"meldhall/tournament/past"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
	"meldhall/tournament/secret"
	"meldhall/tournament/standing"
	webpublic "meldhall/web/public"
	"meldhall/web/view"
)

// printer reads the content of a tournament's sheets for a reader: the public gets what has been published, officials
// get everything.
type printer struct {
	View   *view.Reader
	reader rights.Actor
	t      tournament.Tournament
	base   string // base URL of links in codes
	sight  tournament.Sight
	rounds []tournament.Round // published rounds visible to the reader, by number
	round  tournament.Round   // the sheet's round; ID 0 for none
	made   time.Time
}

// printerOf returns a printer for a tournament and the round with the given ID, 0 for the newest published one.
func printerOf(ctx context.Context, v *view.Reader, reader rights.Actor, tournamentID, round int64,
	base string) (*printer, error) {
	t, err := tournament.TournamentByID(ctx, v.Store, tournamentID)
	if err != nil {
		return nil, err
	}
	if t.Practice != "" { // practice tables have no sheets
		return nil, refuse.NotFound("err_tournament_not_found", "id", tournamentID)
	}
	p := &printer{View: v, reader: reader, t: t, base: base, made: v.Store.Now()}
	if p.sight, err = v.Sights.Of(ctx, reader, tournamentID); err != nil {
		return nil, err
	}
	all, err := draw.Rounds(ctx, v.Store, tournamentID)
	if err != nil {
		return nil, err
	}
	draft := rights.Authorize(reader, rights.Place{Tournament: tournamentID}, rights.MaySeeDraft) == nil
	for _, r := range p.sight.Rounds(all) {
		if r.Status != tournament.RoundDraft {
			p.rounds = append(p.rounds, r)
		}
		if r.ID == round && (r.Status != tournament.RoundDraft || draft) {
			p.round = r
		}
	}
	slices.SortFunc(p.rounds, func(a, b tournament.Round) int { return cmp.Compare(a.Number, b.Number) })
	if round == 0 && len(p.rounds) > 0 {
		p.round = p.rounds[len(p.rounds)-1]
	}
	if round != 0 && p.round.ID == 0 {
		return nil, refuse.NotFound("err_round_not_found", "id", round)
	}
	return p, nil
}

// about returns the heading of a sheet: the tournament and, if ofRound is set, the round.
func (p *printer) about(ctx context.Context, ofRound bool) sheet.About {
	a := sheet.About{Event: p.t.Name, Place: p.t.Place, Made: p.made, Address: p.base +
		string(templates.LeaderboardPath(p.t.ID)), Check: p.base + string(templates.ProofPath(p.t.ID)), Organizer: p.t.Organizer, Referee: p.t.Referee}
	if first, last, ok := p.t.Days(); ok {
		a.Days = locale.Days(ctx, first, last)
	}
	if p.t.Legible() {
		a.Ink = p.t.RGB()
	}
	if f, err := p.t.Format(); err == nil && ofRound && p.round.ID != 0 {
		a.Round = p.round.Number
		if len(f.Stages) > 1 || p.round.PlayOff > 0 {
			a.Stage = view.StageOf(ctx, f.Stages, p.round)
		}
	}
	return a
}

// rules returns the rules of the round, or those of the tournament if there is no round.
func (p *printer) rules() (ruleset.Ruleset, error) {
	if p.round.ID == 0 {
		return p.t.Rules()
	}
	return p.t.RulesIn(p.round.Stage, p.round.Number)
}

// tables returns the tables of the round. If codes is set, they include the codes, for which the reader needs the
// right.
func (p *printer) tables(ctx context.Context, codes bool) (list []sheet.Table, err error) {
	if p.round.ID == 0 {
		return nil, nil
	}
	var tables []tournament.Table
	if codes {
		tables, err = tournament.TableCodes(ctx, p.View.Store, p.reader, p.round.ID)
	} else {
		tables, err = tournament.Tables(ctx, p.View.Store, p.round.ID)
	}
	if err != nil {
		return nil, err
	}
	code := func(code string) (spelled, url string) {
		if code == "" {
			return "", ""
		}
		return secret.SpellCode(code), p.base + string(templates.JoinCodePath(code))
	}
	for _, t := range tables {
		one := sheet.Table{Number: t.Number, Games: max(len(t.Games), p.round.Games), Sheet: p.base +
			string(templates.RulingPath(p.t.ID, t.ID))}
		one.Code, one.URL = code(t.Code)
		for _, s := range t.Seats {
			seat := sheet.Seat{Person: personOf(s.Player), Seat: s.Seat}
			seat.Code, seat.URL = code(s.Code)
			one.Seats = append(one.Seats, seat)
		}
		list = append(list, one)
	}
	return list, nil
}

func personOf(p tournament.Player) sheet.Person {
	return sheet.Person{Number: p.Number, Name: p.Name, Country: p.Country, Club: p.Club}
}

func (p *printer) byName(ctx context.Context) ([]sheet.Sheet, error) {
	ctx = displayname.ForAll(ctx) // the sheet is posted in the hall
	tables, err := p.tables(ctx, false)
	return []sheet.Sheet{sheet.SeatingByName{About: p.about(ctx, true), Tables: tables}}, err
}

func (p *printer) byTable(ctx context.Context) ([]sheet.Sheet, error) {
	ctx = displayname.ForAll(ctx) // the sheet is posted in the hall
	tables, err := p.tables(ctx, false)
	return []sheet.Sheet{sheet.SeatingByTable{About: p.about(ctx, true), Tables: tables}}, err
}

func (p *printer) announcer(ctx context.Context) ([]sheet.Sheet, error) {
	tables, err := p.tables(ctx, false)
	if err != nil {
		return nil, err
	}
	rules, err := p.rules()
	if err != nil {
		return nil, err
	}
	slots, err := schedule.Slots(ctx, p.View.Store, p.t.ID)
	one := sheet.Announcer{About: p.about(ctx, true), Tables: tables, Games: p.round.Games, Turn: rules.TurnSeconds}
	for _, slot := range slots {
		if slot.Round == p.round.Number && slot.Round != 0 && p.round.StartedAt == 0 {
			one.Starts = locale.MinuteTime(ctx, slot.StartsAt)
		}
	}
	return []sheet.Sheet{one}, err
}

func (p *printer) cards(ctx context.Context) ([]sheet.Sheet, error) {
	tables, err := p.tables(ctx, true)
	return []sheet.Sheet{sheet.SeatCards{About: p.about(ctx, true), Host: p.base + string(templates.JoinPath),
		Tables: tables}}, err
}

func (p *printer) scores(ctx context.Context) ([]sheet.Sheet, error) {
	tables, err := p.tables(ctx, false)
	if err != nil {
		return nil, err
	}
	rules, err := p.rules()
	return []sheet.Sheet{sheet.ScoreSheets{About: p.about(ctx, true), Tables: tables, Joker: rules.JokerPoints}}, err
}

// blankSheets is the number of blank score sheets, which fill two pages.
const blankSheets = 4

func (p *printer) blank(ctx context.Context) ([]sheet.Sheet, error) {
	rules, err := p.rules()
	return []sheet.Sheet{sheet.ScoreSheets{About: p.about(ctx, false), Blank: blankSheets, Joker: rules.JokerPoints}},
		err
}

// notes describes the data withheld from the public. It returns nothing for officials, who see everything.
func (p *printer) notes(ctx context.Context, parts ...string) ([]string, error) {
	note, err := p.View.Sights.ShownNote(ctx, p.reader, p.t.ID, parts...)
	if note.Official { // officials see everything
		return nil, err
	}
	return note.Lines, err
}

// ranks returns the rows of the standings, or nil before there is a result.
func ranks(ctx context.Context, standings ranking.Standings, through []int64) []play.RankRow {
	if !slices.ContainsFunc(standings.Rows, func(r ranking.StandingsRow) bool { return r.Games > 0 }) {
		return nil
	}
	return view.RankRows(ctx, standings, through)
}

func (p *printer) standings(ctx context.Context) ([]sheet.Sheet, error) {
	ctx = displayname.ForAll(ctx) // the sheet is posted in the hall
	standings, err := ranking.StandingsAt(ctx, p.View.Store, p.t.ID, p.sight.Standings)
	if err != nil {
		return nil, err
	}
	var through []int64
	cut, err := ranking.NextCutAt(ctx, p.View.Store, p.t.ID, p.sight.Standings)
	if err == nil && cut.Stage < len(standings.Stages) {
		through = cut.Through()
	} else if err != nil && !errors.Is(err, refuse.ErrNotFound) {
		return nil, err
	}
	proof, err := p.View.Logs.ProveStandings(ctx, p.t.ID)
	if err != nil {
		return nil, err
	}
	notes, err := p.notes(ctx, tournament.PartStandings, tournament.PartResults)
	if tie := view.CutTieWords(ctx, standings); tie != "" {
		notes = append(notes, tie)
	}
	return []sheet.Sheet{sheet.Standings{About: p.about(ctx, false), Rows: ranks(ctx, standings, through),
		Order: view.OrderText(ctx, standings.Order), Notes: notes, Proof: proof.Text()}}, err
}

// standingsBefore returns the standings before the round, computed from the earlier rounds' results as they count now.
func (p *printer) standingsBefore(ctx context.Context) (sheet.Standings, error) {
	now, err := ranking.StandingsOf(ctx, p.View.Store, p.t.ID)
	if err != nil {
		return sheet.Standings{}, err
	}
	rows := now.ByPlayer()
	now.Rows = nil
	for _, row := range standing.Rank(now.Input.Through(p.round.Number - 1)) {
		full := rows[row.Player]
		full.Row = row
		now.Rows = append(now.Rows, full)
	}
	about := p.about(ctx, false)
	return sheet.Standings{About: about, Rows: ranks(ctx, now, nil), Order: view.OrderText(ctx, now.Order)}, nil
}

func (p *printer) crosstable(ctx context.Context) ([]sheet.Sheet, error) {
	ctx = displayname.ForAll(ctx) // the sheet is posted in the hall
	before, err := past.Of(ctx, p.View.Store, p.t.ID, p.sight)
	if err != nil {
		return nil, err
	}
	notes, err := p.notes(ctx, tournament.PartPairing, tournament.PartStandings, tournament.PartResults)
	view := webpublic.Cross(ctx, before)
	if view.Provisional > 0 {
		notes = append(notes, locale.T(ctx, "rank.some_provisional", "n", view.Provisional))
	}
	return []sheet.Sheet{sheet.Crosstable{About: p.about(ctx, false), View: view, Notes: notes}}, err
}

func (p *printer) podium(ctx context.Context) ([]sheet.Sheet, error) {
	ctx = displayname.ForAll(ctx) // the sheet is posted in the hall
	standings, err := ranking.StandingsAt(ctx, p.View.Store, p.t.ID, p.sight.Standings)
	if err != nil {
		return nil, err
	}
	one := sheet.Podium{About: p.about(ctx, false), Over: standings.Tournament.Status == tournament.StatusFinished}
	rows := ranks(ctx, standings, nil)
	for i, r := range standings.Rows[:min(len(rows), len(standings.Rows))] {
		if step := r.Place - 1; step >= 0 && step < len(one.Steps) && !r.Disqualified {
			one.Steps[step] = append(one.Steps[step], rows[i])
		}
	}
	for _, title := range standings.Titles {
		row := public.TitleRow{Division: title.Division}
		for _, c := range title.Champions {
			row.Who = append(row.Who, play.RankRow{Player: c.Player, Name: c.Name})
		}
		if title.Division != "" {
			one.Titles = append(one.Titles, row)
		}
	}
	return []sheet.Sheet{one}, nil
}

// pack returns all sheets needed to play the round on paper.
func (p *printer) pack(ctx context.Context) ([]sheet.Sheet, error) {
	rules, err := p.rules()
	if err != nil {
		return nil, err
	}
	before, err := p.standingsBefore(ctx)
	if err != nil {
		return nil, err
	}
	all := []sheet.Sheet{sheet.GoingOn{About: p.about(ctx, true), Turn: rules.TurnSeconds, Joker: rules.JokerPoints,
		Order: before.Order}}
	for _, read := range []func(context.Context) ([]sheet.Sheet, error){p.byName, p.byTable,
		func(context.Context) ([]sheet.Sheet, error) { return []sheet.Sheet{before}, nil }, p.cards, p.scores,
		p.blank} {
		sheets, err := read(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, sheets...)
	}
	return all, nil
}

// document renders sheets as a PDF.
func (p *printer) document(ctx context.Context, size pdf.Size, sheets []sheet.Sheet) ([]byte, error) {
	return sheet.Document(ctx, size, p.about(ctx, false), sheets...)
}
