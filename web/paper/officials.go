package paper

import (
	"cmp"
	"context"

	"meldhall/templates"
	"meldhall/templates/locale"
	sheet "meldhall/templates/paper"
	"meldhall/templates/pdf"
	"meldhall/tournament"
	"meldhall/tournament/export"
	"meldhall/tournament/housekeeping"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
)

func (p *printer) checkIn(ctx context.Context) ([]sheet.Sheet, error) {
	players, err := tournament.Players(ctx, p.View.Store, p.t.ID)
	if err != nil {
		return nil, err
	}
	one := sheet.CheckIn{About: p.about(ctx, false)}
	for _, player := range players {
		if player.Plays() {
			one.Players = append(one.Players, sheet.Arrival{Person: personOf(player),
				Here: player.State == tournament.StateCheckedIn})
		}
	}
	return []sheet.Sheet{one}, nil
}

func (p *printer) tickets(ctx context.Context) ([]sheet.Sheet, error) {
	players, err := tournament.PlayersFull(ctx, p.View.Store, p.reader, p.t.ID)
	if err != nil {
		return nil, err
	}
	one := sheet.Tickets{About: p.about(ctx, false)}
	for _, player := range players {
		if player.Plays() && player.Ticket != nil {
			one.Tickets = append(one.Tickets, sheet.Ticket{Person: personOf(player), URL: p.base +
				string(templates.TicketPath(*player.Ticket))})
		}
	}
	return []sheet.Sheet{one}, nil
}

func (p *printer) pairing(ctx context.Context) ([]sheet.Sheet, error) {
	one := sheet.Pairing{About: p.about(ctx, true)}
	if p.round.ID == 0 {
		return []sheet.Sheet{one}, nil
	}
	tables, err := tournament.Tables(ctx, p.View.Store, p.round.ID)
	if err != nil {
		return nil, err
	}
	report, why, err := p.View.DrawReport(ctx, p.round, tables)
	if err != nil {
		return nil, err
	}
	one.Facts, one.GivenUp, one.Notes, one.Checked = report.Facts, report.GivenUp, report.Notes, report.Checked
	if one.Tables, err = p.tables(ctx, false); err != nil {
		return nil, err
	}
	for i := range one.Tables {
		one.Tables[i].Why = why[i]
	}
	return []sheet.Sheet{one}, nil
}

// certificates returns certificates for all players in the standings, or only for the first places.
func (p *printer) certificates(ctx context.Context, places int, picture []byte) ([]sheet.Sheet, error) {
	standings, err := ranking.StandingsAt(ctx, p.View.Store, p.t.ID, p.sight.Standings)
	if err != nil {
		return nil, err
	}
	proof, err := p.View.Logs.ProveStandings(ctx, p.t.ID)
	if err != nil {
		return nil, err
	}
	one := sheet.Certificates{About: p.about(ctx, false), Picture: picture, Proofs: map[int64]sheet.Proof{}}
	one.Days = cmp.Or(one.Days, locale.Day(ctx, p.made))
	logo, found, err := housekeeping.LogoOf(ctx, p.View.Store, p.t.ID)
	if err == nil && found {
		var stored []byte
		if stored, err = logo.PNG(); err == nil {
			one.Logo, err = pdf.Logo(stored)
		}
	}
	if err != nil {
		return nil, err
	}
	for i, r := range ranks(ctx, standings, nil) {
		if !r.Disqualified && (places == 0 || standings.Rows[i].Place <= places) {
			one.Rows = append(one.Rows, r)
			one.Proofs[r.Player] = sheet.Proof{Text: proof.OfPlayer(r.Player), Number: standings.Rows[i].Number}
		}
	}
	if len(one.Rows) == 0 {
		return nil, refuse.Conflict("err_paper_no_places")
	}
	return []sheet.Sheet{one}, nil
}

// record returns the record of a game.
func (p *printer) record(ctx context.Context, protocol export.Protocol) ([]sheet.Sheet, error) {
	told, _, err := p.View.Protocol(ctx, protocol)
	if err != nil {
		return nil, err
	}
	proof, err := p.View.Logs.ProveGame(ctx, p.t.ID, protocol.Ref.ID)
	return []sheet.Sheet{sheet.Record{About: p.about(ctx, true), Game: told, Proof: proof.Text()}}, err
}
