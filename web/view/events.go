package view

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/housekeeping"
	"meldhall/tournament/organization"
	"meldhall/tournament/people"
	"meldhall/tournament/preset"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
)

// Logo returns the address of a tournament's logo, or "" if it has none.
func (s *Reader) Logo(ctx context.Context, tournamentID int64) (templ.SafeURL, error) {
	return Kept(ctx, s.Tournaments, tournamentID, "logo", func(ctx context.Context) (templ.SafeURL, error) {
		logo, found, err := housekeeping.LogoOf(ctx, s.Store, tournamentID)
		if !found {
			return "", err
		}
		return templates.LogoPath(tournamentID, logo.SHA256[:16]), nil
	})
}

// EventRows returns the tournaments that the reader may see.
func (s *Reader) EventRows(ctx context.Context, reader rights.Actor) ([]public.EventRow, error) {
	all, err := tournament.Tournaments(ctx, s.Store)
	if err != nil {
		return nil, err
	}
	return s.RowsOf(ctx, reader, all)
}

// RowsOf returns the rows of a list of tournaments, without those that are hidden from the reader.
func (s *Reader) RowsOf(ctx context.Context, reader rights.Actor, all []tournament.Tournament) ([]public.EventRow,
	error) {
	hosts, err := organization.ByNumber(ctx, s.Store)
	if err != nil {
		return nil, err
	}
	all = VisibleTo(reader, all)
	rows := make([]public.EventRow, len(all))
	for i, t := range all {
		sight, err := s.Sights.Of(ctx, reader, t.ID)
		if err != nil {
			return nil, err
		}
		listed, err := s.Tournaments.ListedAt(ctx, t.ID, sight.Standings)
		if err != nil {
			return nil, err
		}
		rounds, err := s.Tournaments.Rounds(ctx, t.ID)
		if err != nil {
			return nil, err
		}
		rows[i] = newEventRow(ctx, t, listed, rounds)
		rows[i].Host, rows[i].Foreign = hosts[t.OrganizationID].Name, !reader.Serves(t.ID)
		if t.Status == tournament.StatusDraft {
			in, err := people.RegistrationOf(ctx, s.Store, t.ID)
			if err != nil {
				return nil, err
			}
			slots, err := schedule.Slots(ctx, s.Store, t.ID)
			if err != nil {
				return nil, err
			}
			if rows[i].Register = in.Open; len(slots) > 0 {
				rows[i].Begins = slots[0].StartsAt
			}
		}
	}
	return rows, nil
}

func newEventRow(ctx context.Context, t tournament.Tournament, listed Listed,
	rounds []tournament.Round) public.EventRow {
	row := public.EventRow{ID: t.ID, Name: t.Name, Place: t.Place, Status: t.Status, Players: listed.Players,
		Zone: t.Zone(), Cancelled: t.CancelledAt != 0}
	if first, last, ok := t.Days(); ok {
		row.Days = locale.Days(ctx, first, last)
	}
	if round, ok := CurrentRound(rounds); ok && t.Status == tournament.StatusRunning {
		row.Now = NowWords(ctx, listed.Stages, round)
	}
	if row.Leader = strings.Join(listed.First, ", "); len(listed.First) > 3 { // with many leaders only their number
		row.Leader = locale.T(ctx, "event.players", "n", len(listed.First))
	}
	return row
}

// RuleChoices returns the shipped rule sets as choices of a form.
func RuleChoices(ctx context.Context, presets preset.Library) []play.Choice {
	var choices []play.Choice
	for _, name := range preset.UsualFirst(presets.Rules) {
		choices = append(choices, play.Choice{Value: name, Name: TextOr(ctx, "rules."+name, name),
			Text: TextOr(ctx, "rules."+name+".text", "")})
	}
	return choices
}
